import CWaymarkGLES
import Synchronization
import WaymarkSystem

/// Tries the machine's devices and records each result. The default display is never tried, because it would require X or Wayland.
struct DeviceProbe {
    /// The devices tried, in order, with every step.
    private(set) var devices: [DeviceReport.ListedDevice] = []
    /// The context on the chosen device.
    private(set) var context: Context?
    /// The opening of the chosen device.
    private(set) var chosen: DeviceOpening?
    /// The reason why no device was chosen.
    private(set) var error: GPUError?

    /// Tries the selected devices in order until one works or, if `isExhaustive`, all of EGL's devices.
    /// - Parameter limits: The features that must not be used; nil for the limits of the environment.
    init(_ selection: Device, requireGPU: Bool = false, isExhaustive: Bool = false, limits: Set<DriverLimit>? = nil) {
        let library = EGLLibrary.shared
        guard library.error == nil else {
            error = library.error
            return
        }
        if let shortage = Self.shortage {
            error = GPUError(.outOfMemory, stage: "open \(selection)", shortage, advice: "raise that limit")
            return
        }
        let given: Set<DriverLimit>
        do throws(GPUError) {
            given = if let limits { limits } else { try .ofEnvironment() }
        } catch {
            self.error = error
            return
        }
        let candidates = DeviceCandidate.all(of: library)
        let order = selection.order(candidates)
        var software: DeviceReport.ListedDevice?
        for candidate in order where context == nil || isExhaustive {
            let (device, opening, made) = Self.attempt(candidate, given)
            devices.append(device)
            guard context == nil, let made else { continue }
            if requireGPU, made.info.isSoftware {
                software = device
            } else {
                Self.hasOpened.store(true, ordering: .relaxed)
                context = made
                chosen = opening
            }
        }
        if isExhaustive {
            let tried = Set(order.map(\.facts.name))
            devices += candidates.filter { !tried.contains($0.facts.name) }.map { Self.attempt($0, given).device }
            // EGL's order, the surfaceless platform last.
            devices.sort { ($0.index ?? .max) < ($1.index ?? .max) }
        }
        if context == nil {
            let diagnosis = Diagnosis(
                MachineFacts.current, libraryError: nil, clientExtensions: library.clientExtensions, devices: devices,
                selection: selection)
            error = diagnosis.error(hasCandidates: !order.isEmpty, software: software, names: candidates.map(\.facts))
        }
    }

    /// Whether a driver has been opened in this process. The memory of its libraries and threads then stays allocated, and also serves the
    /// next device.
    private static let hasOpened = Atomic(false)

    /// The reason why a driver would crash instead of starting; nil if it can start.
    ///
    /// In measurements with small pictures, Mesa's software rasterizer needed 200 MiB, and 15 MiB for each of its threads. The rest is a
    /// margin.
    private static var shortage: String? {
        guard !hasOpened.load(ordering: .relaxed), let limit = ThreadLimits.addressSpace, let left = ThreadLimits.addressSpaceLeft else {
            return nil
        }
        let threads = Environment.value("LP_NUM_THREADS").flatMap { Int64($0) } ?? Int64(ProcessorCount.current.available)
        let needed = (240 + 20 * min(max(threads, 0), 32)) << 20
        guard left < needed else { return nil }
        return "the system limits address space to \(limit >> 10) KiB (ulimit -v), but drawing needs \(needed >> 10) KiB and only "
            + "\(left >> 10) KiB are left"
    }

    private static func attempt(
        _ candidate: DeviceCandidate, _ limits: Set<DriverLimit>
    ) -> (device: DeviceReport.ListedDevice, opening: DeviceOpening, context: Context?) {
        let opening = DeviceOpening(candidate, limits)
        var device = opening.device
        guard opening.handles != nil else { return (device, opening, nil) }
        let start = ContinuousClock.now
        do throws(GPUError) {
            let context = try Context(opening)
            device.steps.append(.init(name: "make current", succeeded: true, detail: "", milliseconds: start.millisecondsUntilNow))
            device.context = context.info
            return (device, opening, context)
        } catch {
            let step = DeviceReport.Step(
                name: "make current", succeeded: false, detail: error.message, milliseconds: start.millisecondsUntilNow)
            device.steps.append(step)
            device.error = error.description
            return (device, opening, nil)
        }
    }
}
