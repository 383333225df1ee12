import Testing
import WaymarkSystem
import WaymarkTestSupport

@Suite struct ProcessorCountTests {
    private let folder = ScratchFolder()

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
        let root = folder.path
        func write(_ path: String, _ text: String) throws {
            try FileSystem.makeFolder(root + path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
            try WholeFile.write(Array(text.utf8), to: root + path)
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
}
