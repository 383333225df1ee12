import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport
import WaymarkTesting

/// The test output shown in docs/visual-tests.md is the actual output, except for numbers and hashes, which depend on the fonts.
@Suite(.serialized) struct VisualTestsPageTests {
    private let folder = ScratchFolder()

    init() throws {
        PinnedRasterizer.pin
        try folder.write("", "Package.swift")
    }

    /// The samples of the page: its blocks without a language.
    private func samples() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/visual-tests.md")
        // Every second part is between two fences.
        let parts = try "\n\(String(contentsOf: page, encoding: .utf8))".components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("\n") }
            .map { withoutNumbers("\($0.dropFirst())\n") }
    }

    private func withoutNumbers(_ text: String) -> String {
        text.replacing(/\b[0-9a-f]{16}\b/, with: "hash").replacing(/\d+(\.\d+)?/, with: "0")
    }

    @Test func aFailure() throws {
        let renderer = try Renderer()
        /// The message of a failure, with the folder's path removed.
        func expect(_ captionColor: Color) throws -> String {
            let map = MapView(size: CGSize(width: 160, height: 120))
            map.background = .white
            map.camera = Camera(center: LatLng(37.5670, 126.9784), zoom: 15)
            let hall = Marker(position: LatLng(37.5670, 126.9784))
            hall.id = "hall"
            hall.captionText = "Hall"
            hall.captionColor = captionColor
            map.add(hall)
            let drawn = try DrawnViews(map, CameraSweep.none.views(), fitting: nil, renderer: renderer)
            let words = Mutex("")
            let expectation = PictureExpectation(name: "shops", testFile: "\(folder.path)/Tests/MapTests/MapTests.swift", place: "here") {
                message in words.withLock { $0 += message }
            }
            _ = expectation.check { drawn }
            return words.withLock { $0 }.replacingOccurrences(of: folder.path, with: "…")
        }
        #expect(try expect(.black).contains("has been recorded as …/Tests/MapTests/Pictures/shops.llvmpipe.png"))
        #expect(try expect(.black).isEmpty)
        let words = try expect(Color(css: "#080808")!)
        #expect(try samples().contains(withoutNumbers("\(words)\n")), "the page lacks this printed text:\n\(words)")
    }

    @Test func anInspection() throws {
        let map = MapView(size: CGSize(width: 400, height: 300))
        map.camera = Camera(center: LatLng(37.5666, 126.9784), zoom: 14, bearing: 30, tilt: 45)
        let hall = Marker(position: LatLng(37.5666, 126.9784))
        hall.id = "hall"
        hall.captionText = "City Hall"
        hall.isHideCollidedMarkers = true
        let gate = Marker(position: LatLng(37.5668, 126.9786))
        gate.id = "gate"
        map.add([hall, gate])
        let words = try map.inspection().description
        #expect(try samples().contains(withoutNumbers(words)), "the page lacks this printed text:\n\(words)")
    }
}
