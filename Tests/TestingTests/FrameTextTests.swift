import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport
import WaymarkTesting

/// Frames as text, and their files next to an expectation.
@Suite(.serialized) struct FrameTextTests {
    private let folder = ScratchFolder()
    private static let identity = RendererIdentity(renderer: "llvmpipe (LLVM 15)", version: "Mesa 1", text: "FreeType 1", fonts: "ab")
    private let red = Bitmap(width: 40, height: 30, fill: .red)

    init() throws {
        PinnedRasterizer.pin
        try folder.write("", "Package.swift")
    }

    private func map(_ change: (Marker) -> Void = { _ in }) -> MapView {
        let map = MapView(size: CGSize(width: 120, height: 90))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let hall = Marker(position: LatLng(37.5, 127))
        hall.id = "hall"
        hall.captionText = "24/7 Hall"
        hall.captionColor = Color(css: "#404040")!
        change(hall)
        map.add(hall)
        return map
    }

    private func text(_ change: (Marker) -> Void = { _ in }) throws -> String { try map(change).makeFrame().description }

    /// The lines that only one of two texts has.
    private func changes(_ change: (Marker) -> Void) throws -> [String] {
        let (old, new) = (try text().split(separator: "\n"), try text(change).split(separator: "\n"))
        return old.filter { !new.contains($0) }.map { "- \($0)" } + new.filter { !old.contains($0) }.map { "+ \($0)" }
    }

    @Test func aFrameIsTextThatStaysTheSame() throws {
        let text = try text()
        #expect(text.hasPrefix("frame 120 × 90 px, background #ffffff\n"))
        #expect(text.contains("text “24/7 Hall”, ") && text.contains("\npixels of image 0, builtin:green: "))
        // Another map of the same content has other images with other keys.
        #expect(try self.text() == text)
        #expect(try self.text { $0.isHidden = true } != text)
        #expect(try self.text() == text)
    }

    @Test func whatIsChangedShows() throws {
        let moved = try changes { $0.anchorOffset = CGPoint(x: 1, y: 0) }
        #expect(!moved.isEmpty && moved.allSatisfy { $0.contains("  image ") && $0.contains(" at ") }, "\(moved)")
        let colored = try changes { $0.captionColor = Color(css: "#484848")! }
        #expect(
            colored.count == 2 && colored.allSatisfy { $0.dropFirst(2).hasPrefix("pixels of image 1, text “24/7 Hall”: ") }, "\(colored)")
        let icon = try changes { $0.iconImage = MarkerImage.red }
        #expect(icon.contains { $0.hasPrefix("+ image 0: builtin:red, ") }, "\(icon)")
        let caption = try changes { $0.captionText = "Town Hall" }
        #expect(caption.contains { $0.hasPrefix("- image 1: text “24/7 Hall”") }, "\(caption)")
        #expect(caption.contains { $0.hasPrefix("+ image 1: text “Town Hall”") }, "\(caption)")
    }

    @Test func aFileIsCalledByItsNameWhereverItLies() throws {
        let texts = try ["a", "b"].map { name in
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
            let path = "\(folder.path)/\(name)/pin.png"
            try red.write(to: path)
            return try text { $0.iconImage = OverlayImage(path: path) }
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("image 0: file:pin.png"), "\(texts[0])")
    }

    // MARK: Beside an expectation

    private func expect(
        _ picture: Bitmap, _ frame: MapFrame?, named name: String = "card", record: PictureRecording? = nil
    ) -> (isAsExpected: Bool, words: String, page: String) {
        let words = Mutex("")
        let page = Mutex("")
        var expectation = PictureExpectation(name: name, testFile: "\(folder.path)/MapTests.swift", place: "here") { message in
            words.withLock { $0 += message }
        }
        expectation.record = record
        expectation.attach = { bytes, name in
            if name.hasSuffix(".html") { page.withLock { $0 = String(decoding: bytes, as: UTF8.self) } }
        }
        let isAsExpected = expectation.check { DrawnViews(picture, nil, frame: frame, drawnBy: Self.identity) }
        return (isAsExpected, words.withLock { $0 }, page.withLock { $0 })
    }

    private let file = "Pictures/MapTests/card.llvmpipe.txt"

    @Test func itIsRecordedAndTellsWhyAPictureDiffers() throws {
        let frame = try map().makeFrame()
        #expect(expect(red, frame).words.contains("has been recorded"))
        #expect(try String(decoding: folder.read(file), as: UTF8.self) == frame.description)
        #expect(expect(red, frame).isAsExpected)
        let other = try map { $0.captionColor = .red }.makeFrame()
        // The pictures decide.
        #expect(expect(red, other).isAsExpected)
        let result = expect(Bitmap(width: 40, height: 30, fill: .blue), other)
        #expect(!result.isAsExpected)
        let lines = result.words.split(separator: "\n").drop { $0 != "The drawing differs from card.llvmpipe.txt:" }
        let starts = ["  - pixels of image 1, text “24/7 Hall”: ", "  + pixels of image 1, text “24/7 Hall”: "]
        #expect(zip(lines.dropFirst(), starts).allSatisfy { $0.hasPrefix($1) } && lines.count >= 3, "\(lines)")
        #expect(result.page.contains("<h2>Drawing</h2>") && result.page.contains("text “24/7 Hall”: "))
    }

    @Test func anOlderExpectationHasNone() throws {
        let frame = try map().makeFrame()
        _ = expect(red, frame)
        let expected = try folder.read(file)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        #expect(expect(red, frame).isAsExpected)
        let result = expect(Bitmap(width: 40, height: 30, fill: .blue), frame)
        #expect(!result.isAsExpected && !result.words.contains("What is drawn"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(file)"))
        // Recorded again, it is there.
        #expect(expect(red, frame, record: .all).words.contains("remove \"record: .all\" from"))
        #expect(try folder.read(file) == expected)
        // A picture without a frame has no text, because the old text belongs to another picture.
        _ = expect(red, nil, record: .all)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(file)"))
    }

    @Test func theFirstDifferencesOfASweep() throws {
        let old = "view tilt-00\na\nb\nc\nview tilt-60\na\nb\n"
        #expect(FrameTextDifference(expected: old, actual: old).lines == [])
        let new = "view tilt-00\na\nB\nc\nview tilt-60\nb\nd\n"
        #expect(
            FrameTextDifference(expected: old, actual: new).lines
                == ["view tilt-00", "- b", "+ B", "view tilt-60", "- a", "+ d"])
        let numbers = (0..<1000).map(String.init)
        let long = FrameTextDifference(
            expected: numbers.joined(separator: "\n"), actual: numbers.map { "x" + $0 }.joined(separator: "\n")
        ).lines
        #expect(long.count == FrameTextDifference.mostLines + 1 && long.first == "- 0" && long.last == "…")
        let shorter = FrameTextDifference(expected: "a\nb", actual: "a").lines
        #expect(shorter == ["- b"])
    }
}
