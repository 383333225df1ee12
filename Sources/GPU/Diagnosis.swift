import CWaymarkGLES
import WaymarkSystem

/// Explains the problems of a machine's graphics, in sentences that state what to install or do.
package struct Diagnosis {
    private let facts: MachineFacts
    private let libraryError: GPUError?
    private let clientExtensions: [String]
    private let devices: [DeviceReport.ListedDevice]
    private let selection: Device

    /// - Parameters:
    ///   - libraryError: The reason why EGL cannot be loaded; nil if it was loaded.
    ///   - devices: The devices that were tried.
    package init(
        _ facts: MachineFacts, libraryError: GPUError?, clientExtensions: [String], devices: [DeviceReport.ListedDevice],
        selection: Device
    ) {
        self.facts = facts
        self.libraryError = libraryError
        self.clientExtensions = clientExtensions
        self.devices = devices
        self.selection = selection
    }

    /// All problems, the most severe first.
    package var problems: [DeviceReport.Problem] {
        if let error = libraryError {
            let packages = error.reason == .libraryMissing ? ["libegl1", "libgles2"] + Self.mesaPackages : []
            return [.init(reason: error.reason, sentence: error.sentence, packages: packages)]
        }
        let works = devices.contains { $0.context != nil }
        var found: [DeviceReport.Problem] = []
        if !works { found.append(deadEnd) }
        if !devices.contains(where: { $0.context?.isSoftware == false }) { found += idleGPUs }
        return found
    }

    /// The reason why a selection gave no context.
    func error(hasCandidates: Bool, software: DeviceReport.ListedDevice?, names: [DeviceReport.ListedDevice]) -> GPUError {
        if let software {
            let renderer = software.context?.renderer ?? "a software rasterizer"
            let advice = idleGPUs.first?.sentence ?? "install the GPU's driver with its EGL part, or accept a software rasterizer"
            return GPUError(.softwareOnly, stage: "open \(selection)", "only \(renderer) works, but a GPU is required", advice: advice)
        }
        let failure = deadEnd
        let isBare = clientExtensions.isEmpty || names.isEmpty
        if !hasCandidates, !isBare, selection != .automatic {
            let list = names.map(Self.summary).joined(separator: ", ")
            return GPUError(
                .noDevice, stage: "open \(selection)", "EGL lists no such device",
                advice: "available: \(list); choose one, for example with WAYMARK_DEVICE")
        }
        let log = devices.compactMap(\.error).joined(separator: "\n")
        return GPUError(failure.reason, stage: "open \(selection)", failure.sentence, log: log)
    }
}

extension Diagnosis {
    /// The Debian packages of Mesa's EGL driver.
    private static let mesaPackages = ["libegl-mesa0", "libgl1-mesa-dri"]

    /// If the limit on the address space is below this, it is the most likely cause, because Mesa's software rasterizer maps 400 MB.
    private static let leastAddressSpace: Int64 = 1 << 30

    /// The cause if nothing works at all.
    fileprivate var deadEnd: DeviceReport.Problem {
        // With such a limit anything may fail: mapping libraries, memory, threads.
        if let limit = facts.addressSpaceLimit, limit < Self.leastAddressSpace {
            return .init(
                reason: .driverMissing,
                sentence: "no driver starts while the system limits address space to \(limit >> 10) KiB (ulimit -v): raise that limit")
        }
        if !facts.vendorFiles.contains(where: { $0.error == nil }), clientExtensions.isEmpty || devices.isEmpty {
            return noVendor
        }
        if let node = closedNode { return node }
        let failed = devices.compactMap { device in device.steps.last { !$0.succeeded }.map { (device, $0) } }
        if failed.contains(where: { $0.1.name == "initialize" }) {
            return .init(
                reason: .driverMissing,
                sentence: "EGL finds no driver that works: install libgl1-mesa-dri (Debian, Ubuntu), mesa-dri-drivers (Fedora) or "
                    + "the GPU's driver with its OpenGL files"
                    + overrideHint(["LIBGL_DRIVERS_PATH", "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER"]),
                packages: ["libgl1-mesa-dri"])
        }
        if let (device, step) = failed.first {
            return .init(
                reason: .contextFailed,
                sentence: "\(device.name) provides no OpenGL ES 3 context (failed step: \(step.name)): \(step.detail)")
        }
        return .init(
            reason: .noDevice,
            sentence: "EGL lists no device and has no surfaceless platform: install libegl-mesa0 and libgl1-mesa-dri (Debian, Ubuntu)",
            packages: Self.mesaPackages)
    }

    fileprivate var noVendor: DeviceReport.Problem {
        let hint = overrideHint(["__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"])
        guard let file = facts.vendorFiles.first else {
            return .init(
                reason: .vendorMissing,
                sentence: "EGL finds no vendor file in \(facts.vendorSearch.joined(separator: ", ")): install libegl-mesa0 (Debian, "
                    + "Ubuntu), mesa-libEGL (Fedora) or the EGL part of the GPU's driver" + hint,
                packages: Self.mesaPackages)
        }
        guard let library = file.library else {
            return .init(
                reason: .vendorMissing,
                sentence: "\(file.path) cannot be used (\(file.error ?? "")): reinstall the package that contains the file" + hint)
        }
        return .init(
            reason: .vendorMissing,
            sentence: "the library \(library), which \(file.path) names, cannot be loaded (\(file.error ?? "")): install the "
                + "package that contains the library" + hint)
    }

    /// The first device file that this user may not open.
    fileprivate var closedNode: DeviceReport.Problem? {
        facts.deviceNodes.first { !$0.isAccessible }.map { node in
            let group =
                node.path.contains("/dri/") ? "add the user to the group render (and video)" : "give the user read and write permission"
            return .init(
                reason: .noPermission,
                sentence: "this user may not open \(node.path): \(group), or pass the device into the container")
        }
    }

    /// GPUs that are present while only software draws.
    fileprivate var idleGPUs: [DeviceReport.Problem] {
        if let closedNode { return [closedNode] }
        let broken = devices.filter { !$0.isSoftwareDevice && $0.index != nil && $0.context == nil }.map { device in
            let step = device.steps.last { !$0.succeeded }
            let isMIG = step?.detail.contains("EGL_BAD_ACCESS") == true && facts.hasNVIDIA
            let advice = isMIG ? "a slice of a GPU (MIG) cannot draw; use a whole GPU" : "install or repair its driver"
            return DeviceReport.Problem(
                reason: .softwareOnly,
                sentence: "\(Self.summary(device)) does not work "
                    + "(failed step: \(step?.name ?? "display"), \(step?.detail ?? "unknown")): \(advice)")
        }
        guard broken.isEmpty, let node = facts.deviceNodes.first else { return broken }
        let hint = overrideHint(["LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"])
        let hasVendorFile = facts.vendorFiles.contains { $0.library?.contains("nvidia") == true && $0.error == nil }
        let sentence =
            facts.hasNVIDIA && !hasVendorFile
            ? "this machine has an NVIDIA GPU (\(node.path)), but EGL has no vendor file for it: install the driver's EGL part "
                + "(libnvidia-egl, 10_nvidia.json), or start the container with NVIDIA_DRIVER_CAPABILITIES=graphics,utility"
            : "this machine has a GPU (\(node.path)), but only a software rasterizer works: install the GPU's driver "
                + "(libgl1-mesa-dri or the vendor's)"
        return [.init(reason: .softwareOnly, sentence: sentence + hint)]
    }

    /// Names the variables that are set, because one of them may be the cause.
    fileprivate func overrideHint(_ names: [String]) -> String {
        let set = names.compactMap { name in Environment.value(name).map { "\(name) (\($0))" } }
        return set.isEmpty ? "" : ", or unset " + set.joined(separator: " and ")
    }

    fileprivate static func summary(_ device: DeviceReport.ListedDevice) -> String {
        let facts = [device.isSoftwareDevice ? "software" : nil, device.drmNode, device.cudaID.map { "cuda:\($0)" }].compactMap { $0 }
        return device.name + (facts.isEmpty ? "" : " (" + facts.joined(separator: ", ") + ")")
    }
}
