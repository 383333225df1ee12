import Foundation
import Testing
import WaymarkGPU
import WaymarkTestSupport

@Suite(.serialized) struct DriverLimitTests {
    init() { PinnedRasterizer.pin }

    /// Each limit changes the properties that a context reports, and every context draws.
    @Test(arguments: DriverLimit.allCases) func aLimitIsKept(limit: DriverLimit) throws {
        let (free, limited) = (try Context.make(.software, limits: []), try Context.make(.software, limits: [limit]))
        try #require(free.info.esMinor > 0 && free.info.maxSamples >= 4 && free.info.maxTextureSize > 4096)
        try #require(free.hasReversedDepth && free.isTunedForSoftware)
        #expect(limited.hasReversedDepth == (limit != .noClipControl))
        #expect(limited.prefersSwappedTargets == (free.prefersSwappedTargets && limit != .noBGRA))
        #expect(limited.isTunedForSoftware == (limit != .gpuSprites))
        #expect(limited.info.esMinor == (limit == .es30 ? 0 : free.info.esMinor))
        #expect(limited.info.maxTextureSize == (limit == .texture4096 ? 4096 : free.info.maxTextureSize))
        #expect(limited.info.maxSamples == (limit == .noMultisampling ? 1 : free.info.maxSamples))
        let target = try Target(limited, width: 5, height: 5)
        try target.clear([0, 0, 1, 1])
        #expect(try target.rows() == picture(5, 5) { _, _ in blue })
    }

    @Test func theEnvironmentNamesLimits() async {
        await #expect(processExitsWith: .success) {
            setenv("WAYMARK_LIMIT_DRIVER", "no-clip-control,texture-4096,pbuffers,es-3.0", 1)
            let report = DeviceReport.make(.software)
            let steps = try #require(report.devices.first { $0.name == report.chosen }).steps.map(\.name)
            guard steps.contains("pbuffer"), steps.contains("context ES 3.0"), !steps.contains("context ES 3.2"),
                report.environment.contains("WAYMARK_LIMIT_DRIVER=no-clip-control,texture-4096,pbuffers,es-3.0"),
                try Context.make().info.maxTextureSize == 4096, try !Context.make().hasReversedDepth
            else { exit(1) }
        }
        await #expect(processExitsWith: .success) {
            setenv("WAYMARK_LIMIT_DRIVER", "no-clip-control,slow", 1)
            let report = DeviceReport.make()
            let sentence = report.problems.map(\.sentence)
            guard sentence.count == 1, sentence[0].hasPrefix("WAYMARK_LIMIT_DRIVER: \"slow\" is not a known limit; use no-clip-control, ")
            else {
                print(sentence)
                exit(1)
            }
        }
    }
}
