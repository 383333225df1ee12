import Foundation
import Testing
import Waymark
import WaymarkPictureCases
import WaymarkTestSupport

/// Every folder of `Tests/Pictures` drawn and compared with its expectation; see `tools/pictures`.
@Suite(.serialized) struct PictureTests {
    init() { PinnedRasterizer.pin }

    /// The rule of comparison, determined once: exact if the rasterizer is the one that drew the expected pictures.
    private static let standard: Result<PictureTolerance, any Error> = Result {
        PinnedRasterizer.pin
        let current = try RendererIdentity.current()
        guard current != RendererIdentity.expected else { return .exact }
        print(
            "Pictures are compared with a tolerance: here draws \(current.renderer), \(current.version); they were drawn by "
                + (RendererIdentity.expected.map { "\($0.renderer), \($0.version)" } ?? "an unknown rasteriser"))
        return .otherRasterizer
    }

    @Test func thereAreCases() {
        #expect(PictureCase.all.count >= 20)
        #expect(RendererIdentity.expected != nil)
    }

    @Test(arguments: PictureCase.all) func looksAsExpected(_ picture: PictureCase) throws {
        let mapView = try picture.load()
        let frame = try picture.printedFrame(of: mapView)
        let actual = try Renderer(device: .software).render(mapView).bitmap
        #expect(max(actual.width, actual.height) <= PictureCase.longestSide, "a picture case is small")
        #expect(frame.count { $0 == "\n" } <= PictureCase.mostLines, "a printed frame is short")

        let pictureMatches = try comparePictures(picture, actual)
        let expectedFrame = try? String(contentsOf: picture.expectedFrame, encoding: .utf8)
        #expect(expectedFrame == frame, "frame.txt \(expectedFrame == nil ? "is missing" : "differs")")

        try leave(picture.actualPicture, if: !pictureMatches) { try actual.write(to: $0.path) }
        try leave(picture.actualFrame, if: expectedFrame != frame) { try Data(frame.utf8).write(to: $0) }
    }

    private func comparePictures(_ picture: PictureCase, _ actual: Bitmap) throws -> Bool {
        guard FileManager.default.fileExists(atPath: picture.expectedPicture.path) else {
            Issue.record("expected.png is missing; look at actual.png, then: tools/pictures update \(picture.name)")
            try leave(picture.difference, if: false) { _ in }
            return false
        }
        let tolerance = try picture.tolerance(else: Self.standard.get())
        #expect(!tolerance.reason.isEmpty, "tolerance.json has a reason")
        let comparison = PictureComparison(
            try Bitmap(contentsOf: picture.expectedPicture.path), actual, threshold: tolerance.threshold, allowed: tolerance.allowed)
        #expect(comparison.matches, "\(comparison)")
        try leave(picture.difference, if: !comparison.matches) { try comparison.differencePicture()?.write(to: $0.path) }
        return comparison.matches
    }

    /// Writes the files to examine after a failure, and removes the files of an earlier failure.
    private func leave(_ url: URL, if failed: Bool, write: (URL) throws -> Void) throws {
        try? FileManager.default.removeItem(at: url)
        if failed { try write(url) }
    }
}

extension PictureCase: CustomTestStringConvertible {
    public var testDescription: String { name }
}
