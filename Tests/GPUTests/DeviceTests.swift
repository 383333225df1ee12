import Foundation
import Testing
import WaymarkGPU

@Suite struct DeviceTests {
    @Test(arguments: [
        ("auto", Device.automatic), ("0", .index(0)), ("12", .index(12)), ("drm:/dev/dri/renderD128", .drm("/dev/dri/renderD128")),
        ("cuda:3", .cuda(3)), ("surfaceless", .surfaceless), ("software", .software),
    ])
    func selectionReadsAndWrites(text: String, selection: Device) throws {
        #expect(try Device(text) == selection)
        #expect(selection.description == text)
    }

    @Test(arguments: [
        "", "AUTO", "-1", "+1", "1.0", "drm:", "drm:renderD128", "drm:/", "cuda:", "cuda:x", "cuda:-1", "99999999999999999999",
    ])
    func selectionRefuses(text: String) {
        let error = #expect(throws: GPUError.self) { try Device(text) }
        #expect(error?.reason == .badSelection)
        #expect(error?.description.contains("\"\(text)\"") == true)
    }

    @Test func errorsAreOneSentence() {
        let error = #expect(throws: GPUError.self) { try Context.make(.index(4711)) }
        #expect(error?.reason == .noDevice)
        #expect(error?.description.hasPrefix("open 4711: EGL lists no such device; available: device 0") == true)
    }
}
