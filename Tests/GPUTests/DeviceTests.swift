import Foundation
import Testing
import WaymarkGPU

@Suite struct DeviceTests {
    @Test(arguments: [
        ("auto", DeviceSelection.automatic), ("0", .index(0)), ("12", .index(12)), ("drm:/dev/dri/renderD128", .drm("/dev/dri/renderD128")),
        ("cuda:3", .cuda(3)), ("surfaceless", .surfaceless), ("software", .software),
    ])
    func selectionReadsAndWrites(text: String, selection: DeviceSelection) throws {
        #expect(try DeviceSelection(text) == selection)
        #expect(selection.description == text)
    }

    @Test(arguments: [
        "", "AUTO", "-1", "+1", "1.0", "drm:", "drm:renderD128", "drm:/", "cuda:", "cuda:x", "cuda:-1", "99999999999999999999",
    ])
    func selectionRefuses(text: String) {
        let error = #expect(throws: GPUError.self) { try DeviceSelection(text) }
        #expect(error?.reason == .badSelection)
        #expect(error?.description.contains("\"\(text)\"") == true)
    }

    @Test func quotas() {
        #expect(ProcessorCount.quota(version2: "150000 100000\n") == 1.5)
        #expect(ProcessorCount.quota(version2: "max 100000\n") == nil)
        #expect(ProcessorCount.quota(version2: nil) == nil)
        #expect(ProcessorCount.quota(version1: "-1\n", period: "100000\n") == nil)
        #expect(ProcessorCount.quota(version1: "50000\n", period: "100000\n") == 0.5)
        #expect(ProcessorCount(available: 8, quota: 1.5).usable == 2)
        #expect(ProcessorCount(available: 8, quota: 0.2).usable == 1)
        #expect(ProcessorCount(available: 2, quota: 4).usable == 2)
        #expect(ProcessorCount(available: 2, quota: nil).usable == 2)
        #expect(ProcessorCount.current.usable >= 1)
        #expect(ProcessorCount.quota(membership: "0::/a/b\n3:cpu,cpuacct:/c\nnonsense", root: "/nonexistent") == nil)
    }

    @Test func theTightestQuotaOnTheWayUpHolds() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-quota-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        func write(_ path: String, _ text: String) throws {
            let folder = root + path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: root + path, atomically: true, encoding: .utf8)
        }
        try write("/two/a/b/cpu.max", "400000 100000\n")
        try write("/two/a/cpu.max", "300000 100000\n")
        try write("/two/cpu.max", "max 100000\n")
        try write("/one/cpu/job/cpu.cfs_quota_us", "250000\n")
        try write("/one/cpu/job/cpu.cfs_period_us", "100000\n")
        #expect(ProcessorCount.quota(membership: "0::/a/b\n", root: root + "/two") == 3)
        #expect(ProcessorCount.quota(membership: "0::/\n", root: root + "/two") == nil)
        #expect(ProcessorCount.quota(membership: "5:cpu,cpuacct:/job/inner\n4:memory:/job\n", root: root + "/one") == 2.5)
    }

    @Test func errorsAreOneSentence() {
        let error = #expect(throws: GPUError.self) { try Context.make(.index(4711)) }
        #expect(error?.reason == .noDevice)
        #expect(error?.description.hasPrefix("open 4711: EGL lists no such device; there are: device 0") == true)
    }
}
