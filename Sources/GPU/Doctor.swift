import CWaymarkGLES
import WaymarkSystem

extension DeviceReport {
    /// Examines this machine: loads EGL, tries every device, and draws on the selected one. This never fails, because problems are part of
    /// the report. It takes a fraction of a second on a machine without a GPU.
    /// - Parameter requireGPU: Whether a software rasterizer is refused, as in rendering.
    package static func make(_ selection: Device = .automatic, requireGPU: Bool = false) -> Self {
        // The library is loaded first, because this sets defaults that the report shows.
        let library = EGLLibrary.shared
        let facts = MachineFacts.current
        let processors = ProcessorCount.current
        let probe = DeviceProbe(selection, requireGPU: requireGPU, isExhaustive: true)
        var smokeTest: SmokeTest?
        if let context = probe.context, let opening = probe.chosen {
            let device = probe.devices.first { $0.name == context.deviceName }
            smokeTest = .init(WaymarkGPU.SmokeTest(context), library, opening, device)
        }
        var problems = Diagnosis(
            facts, libraryError: library.error, clientExtensions: library.clientExtensions, devices: probe.devices, selection: selection
        ).problems
        // Without valid limits, or enough memory, no device was tried.
        if let error = probe.error, problems.isEmpty || [.badSelection, .outOfMemory].contains(error.reason) {
            problems = [.init(reason: error.reason, sentence: error.sentence)]
        }
        if let smokeTest, !smokeTest.passed {
            problems.append(.init(reason: .driverError, sentence: "the smoke test fails (\(smokeTest.detail)); update the driver"))
        }
        return Self(
            library: .init(
                requested: library.requested, path: library.path, error: library.error?.message,
                clientExtensions: library.clientExtensions, milliseconds: library.milliseconds),
            vendorFiles: facts.vendorFiles, vendorSearch: facts.vendorSearch, deviceNodes: facts.deviceNodes, devices: probe.devices,
            selection: selection.description, chosen: probe.context?.deviceName, choice: choice(probe, selection), smokeTest: smokeTest,
            shaderCache: facts.shaderCache, processors: processors.available, processorQuota: processors.quota,
            threadsFromQuota: library.threadsFromQuota, environment: Environment.settings(withPrefixes: driverPrefixes),
            problems: problems)
    }

    /// The prefixes of the variables that influence EGL or a driver.
    private static let driverPrefixes = [
        "LIBGL_", "LP_", "MESA_", "GALLIUM_", "__EGL_", "EGL_", "WAYMARK_", "CUDA_VISIBLE_DEVICES=",
    ]
}

extension DeviceReport.SmokeTest {
    fileprivate init(
        _ test: WaymarkGPU.SmokeTest, _ library: EGLLibrary, _ opening: DeviceOpening, _ device: DeviceReport.ListedDevice?
    ) {
        let current = device?.steps.first { $0.name == "make current" }?.milliseconds ?? 0
        self.init(
            passed: test.detail.isEmpty, detail: test.detail, loadMilliseconds: library.milliseconds,
            displayMilliseconds: opening.milliseconds { $0 == "display" || $0 == "initialize" },
            contextMilliseconds: opening.milliseconds { $0 != "display" && $0 != "initialize" } + current,
            compileMilliseconds: test.compileMilliseconds, drawMilliseconds: test.drawMilliseconds)
    }
}

extension DeviceReport {
    fileprivate static func choice(_ probe: DeviceProbe, _ selection: Device) -> String {
        guard let context = probe.context else { return "nothing: " + (probe.error?.sentence ?? "no device works") }
        let what = "\(context.deviceName), \(context.info.renderer)"
        guard selection == .automatic else { return "\(what): selected as \(selection)" }
        return context.info.isSoftware ? "\(what): no GPU is available, so the CPU draws" : "\(what): the first GPU that works"
    }
}
