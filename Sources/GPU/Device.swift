import WaymarkSystem

/// A device that draws: a GPU, or Mesa's software rasterizer. Whether the machine has the device is checked when a renderer is opened.
public enum Device: Hashable, Sendable {
    /// The first device that works: hardware devices in EGL's order, then the surfaceless platform, then the software rasterizer.
    case automatic
    /// The device at this index of EGL's list, which `waymark doctor` prints.
    case index(Int)
    /// The device behind this DRM node, such as `/dev/dri/renderD128`.
    case drm(String)
    /// The device with this CUDA device number.
    case cuda(Int)
    /// The device that EGL's surfaceless platform chooses.
    case surfaceless
    /// The software rasterizer.
    case software
}

extension Device {
    /// The given device; if it is nil, the device named by the environment variable `WAYMARK_DEVICE`, or `automatic` if that is unset.
    /// - Throws: `GPUError` with reason `badSelection`, which names the variable, if its value is invalid.
    package static func chosen(_ given: Device?) throws(GPUError) -> Device {
        if let given { return given }
        guard let name = Environment.value("WAYMARK_DEVICE") else { return .automatic }
        do throws(GPUError) {
            return try Device(name)
        } catch {
            var error = error
            error.stage = "WAYMARK_DEVICE"
            throw error
        }
    }

    /// Whether this device can only be a software rasterizer, and can therefore be opened when a picture needs it. False if the device must
    /// be opened at once for another reason: its time limit is invalid, no thread can be started, or the driver's features are limited for
    /// tests.
    package var isSurelySoftware: Bool {
        guard Environment.value("WAYMARK_LIMIT_DRIVER") == nil, (try? DriverThread.timeout()) != nil, ThreadLimits.canStartThread else {
            return false
        }
        return switch self {
        case .software: true
        case .automatic, .surfaceless: !MachineFacts.hasGPUFiles(under: "/dev")
        case .index, .drm, .cuda: false
        }
    }

    /// Reads the name of a device, as in the program's option `--device`: `auto`, `N`, `drm:/dev/dri/renderD128`, `cuda:N`,
    /// `surfaceless` or `software`.
    /// - Throws: `GPUError` with the reason `badSelection` for any other text. A number must be at least 0, and consist only of digits.
    public init(_ text: String) throws(GPUError) {
        switch text {
        case "auto": self = .automatic
        case "surfaceless": self = .surfaceless
        case "software": self = .software
        default:
            if let index = Self.number(text[...]) {
                self = .index(index)
            } else if text.hasPrefix("cuda:"), let number = Self.number(text.dropFirst(5)) {
                self = .cuda(number)
            } else if text.hasPrefix("drm:/"), text.utf8.count > 5 {
                self = .drm(String(text.dropFirst(4)))
            } else {
                throw GPUError(
                    .badSelection, stage: "device", "\"\(text)\" is not a device",
                    advice: "use auto, an index in EGL's list, drm:/dev/dri/renderD128, cuda:N, surfaceless or software")
            }
        }
    }
}

extension Device: CustomStringConvertible {
    /// The name of the device, as accepted by `init(_:)`.
    public var description: String {
        switch self {
        case .automatic: "auto"
        case .index(let index): String(index)
        case .drm(let node): "drm:" + node
        case .cuda(let number): "cuda:\(number)"
        case .surfaceless: "surfaceless"
        case .software: "software"
        }
    }
}

extension Device {
    fileprivate static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text)
    }
}
