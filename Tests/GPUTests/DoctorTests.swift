import Foundation
import Testing
import WaymarkGPU
import WaymarkTestSupport

/// Each case in a separate process, because EGL is loaded once and reads its environment then.
@Suite(.serialized) struct DoctorTests {
    @Test func aWorkingMachine() throws {
        let report = DeviceReport.make()
        #expect(report.problems.isEmpty)
        #expect(report.chosen != nil && report.smokeTest?.passed == true)
        #expect(report.library.path?.contains("libEGL") == true)
        #expect(report.devices.contains { $0.isSoftwareDevice && $0.context?.isSoftware == true })
        #expect(report.text.contains("smoke test     passed"))
        let copy = try JSONDecoder().decode(DeviceReport.self, from: JSONEncoder().encode(report))
        #expect(copy == report)
    }

    @Test func noLibrary() async {
        await #expect(processExitsWith: .success) {
            setenv("WAYMARK_EGL_LIBRARY", "/nonexistent", 1)
            try expectProblem(.libraryMissing, ["/nonexistent", "install libegl1", "unset WAYMARK_EGL_LIBRARY"])
        }
    }

    @Test func aLibraryThatIsNotEGL() async {
        await #expect(processExitsWith: .success) {
            setenv("WAYMARK_EGL_LIBRARY", "libm.so.6", 1)
            try expectProblem(.libraryMissing, ["libm.so.6 has no function eglGetProcAddress", "install a newer libegl1"])
        }
    }

    @Test(arguments: ["__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES"])
    func noVendor(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            setenv(variable, "/nonexistent", 1)
            try expectProblem(.vendorMissing, ["no vendor file in /nonexistent", "install libegl-mesa0", "unset \(variable)"])
        }
    }

    @Test func aVendorWithoutItsLibrary() async {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/waymark-vendor-\(getpid()).json"
            try #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_absent.so.0"}}"#
                .write(toFile: path, atomically: true, encoding: .utf8)
            defer { unlink(path) }
            setenv("__EGL_VENDOR_LIBRARY_FILENAMES", path, 1)
            try expectProblem(.vendorMissing, ["libEGL_absent.so.0", path])
        }
    }

    @Test func noDriver() async {
        await #expect(processExitsWith: .success) {
            setenv("LIBGL_DRIVERS_PATH", "/nonexistent", 1)
            try expectProblem(.driverMissing, ["install libgl1-mesa-dri", "unset LIBGL_DRIVERS_PATH (/nonexistent)"])
        }
    }

    @Test func deviceFilesThatMayNotBeOpened() async {
        await #expect(processExitsWith: .success) {
            let folder = "/tmp/waymark-dev-\(getpid())"
            mkdir(folder, 0o755)
            mkdir(folder + "/dri", 0o755)
            for (name, mode) in [("dri/renderD128", 0o666), ("dri/renderD129", 0), ("nvidia0", 0o666), ("nvidia-modeset", 0o666)] {
                close(creat(folder + "/" + name, 0o600))
                chmod(folder + "/" + name, mode_t(mode))
            }
            // Root may open everything, so another user runs the test.
            let isRoot = getuid() == 0
            if isRoot { setreuid(65534, 0) }
            let nodes = MachineFacts.deviceNodes(under: folder)
            if isRoot { setreuid(0, 0) }
            try FileManager.default.removeItem(atPath: folder)
            let report = DeviceReport.make()
            try require(nodes.map(\.path) == ["/dri/renderD128", "/dri/renderD129", "/nvidia0"].map { folder + $0 }, report)
            try require(nodes.map(\.isAccessible) == [true, false, true], report)
        }
    }

    /// Without the file of any GPU in a folder that can be read, a device can only be a software rasterizer. Devices that a user names are not.
    @Test func devicesThatAreSurelySoftware() throws {
        let folder = ScratchFolder()
        for name in ["null", "shm", "fb0"] { try folder.write("", name) }
        #expect(!MachineFacts.hasGPUFiles(under: folder.path) && MachineFacts.hasGPUFiles(under: folder.path + "/missing"))
        for name in ["nvidia0", "dxg", "kfd", "mali0", "dri"] {
            try folder.write("", name)
            #expect(MachineFacts.hasGPUFiles(under: folder.path), "\(name)")
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(Device.automatic.isSurelySoftware == !MachineFacts.hasGPUFiles(under: "/dev"))
        #expect(Device.software.isSurelySoftware)
        for device in [Device.index(0), .drm("/dev/dri/renderD128"), .cuda(0)] { #expect(!device.isSurelySoftware, "\(device)") }
    }

    @Test func aLimitedAddressSpaceIsNamed() throws {
        var device = try #require(DeviceReport.make().devices.first)
        device.context = nil
        device.steps = [.init(failed: "initialize", "EGL cannot start the driver")]
        func sentences(limit: Int64?) -> [String] {
            var facts = MachineFacts.current
            facts.addressSpaceLimit = limit
            return Diagnosis(facts, libraryError: nil, clientExtensions: ["EGL_EXT_device_base"], devices: [device], selection: .automatic)
                .problems.map(\.sentence)
        }
        let limited = "no driver starts while the system limits address space to 300000 KiB (ulimit -v): raise that limit"
        #expect(sentences(limit: 300_000 << 10).first == limited)
        for limit: Int64? in [nil, 64 << 30] { #expect(sentences(limit: limit).allSatisfy { !$0.contains("ulimit") }) }
    }

    @Test func idleGPUsAreNamed() throws {
        let report = DeviceReport.make()
        func sentences(_ nodes: String, devices: [DeviceReport.ListedDevice]) throws -> [String] {
            var facts = MachineFacts.current
            facts.deviceNodes = try JSONDecoder().decode([DeviceReport.DeviceNode].self, from: Data(nodes.utf8))
            return Diagnosis(
                facts, libraryError: nil, clientExtensions: report.library.clientExtensions, devices: devices, selection: .automatic
            ).problems.map(\.sentence)
        }
        let software = report.devices.filter { $0.context?.isSoftware == true }
        try #require(!software.isEmpty)
        #expect(try sentences("[]", devices: software).isEmpty)
        let closed = try sentences(#"[{"path": "/dev/dri/renderD128", "isAccessible": false}]"#, devices: software)
        #expect(closed.count == 1 && closed[0].contains("may not open /dev/dri/renderD128: add the user to the group render"))
        let idle = try sentences(#"[{"path": "/dev/dri/renderD128", "isAccessible": true}]"#, devices: software)
        #expect(idle.count == 1 && idle[0].contains("this machine has a GPU (/dev/dri/renderD128), but only a software rasterizer works"))
        let nvidia = try sentences(#"[{"path": "/dev/nvidia0", "isAccessible": true}]"#, devices: software)
        #expect(nvidia.count == 1 && nvidia[0].contains("NVIDIA_DRIVER_CAPABILITIES=graphics"))
        var slice = software[0]
        slice.name = "device 7"
        slice.index = 7
        slice.isSoftwareDevice = false
        slice.context = nil
        slice.steps = [.init(failed: "initialize", "EGL cannot start the driver (EGL_BAD_ACCESS, 0x3002)")]
        let mig = try sentences(#"[{"path": "/dev/nvidia0", "isAccessible": true}]"#, devices: software + [slice])
        #expect(mig.count == 1 && mig[0].hasPrefix("device 7 does not work (failed step: initialize") && mig[0].contains("(MIG)"))
        var gpu = slice
        gpu.context = software[0].context
        gpu.context?.isSoftware = false
        #expect(try sentences(#"[{"path": "/dev/dri/renderD128", "isAccessible": false}]"#, devices: software + [gpu]).isEmpty)
    }

    @Test func onlySoftwareIsAProblemWhenAGPUIsRequired() async {
        await #expect(processExitsWith: .success) {
            let report = DeviceReport.make(.software, requireGPU: true)
            try require(report.chosen == nil && report.problems.first?.reason == .softwareOnly, report)
        }
    }
}

/// Checks that the report has one problem with this text, that making a context fails with the same text, and that nothing crashes.
private func expectProblem(_ reason: GPUError.Reason, _ words: [String]) throws {
    let report = DeviceReport.make()
    let sentence = report.problems.first?.sentence ?? ""
    try require(report.problems.count == 1 && report.problems.first?.reason == reason && report.chosen == nil, report)
    for word in words { try require(sentence.contains(word), report) }
    try require(report.text.contains("problem        " + sentence), report)
    do {
        _ = try Context.make()
        try require(false, report)
    } catch let error as GPUError {
        try require(error.reason == reason && error.description.contains(words[0]), report)
    }
}

/// Ends the process of the case unless the condition holds; its words go to stderr.
private func require(_ condition: Bool, _ report: DeviceReport) throws {
    guard !condition else { return }
    FileHandle.standardError.write(Data(report.text.utf8))
    exit(1)
}
