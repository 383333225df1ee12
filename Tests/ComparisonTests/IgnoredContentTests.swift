import Foundation
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport

/// Pixels that are left out because an ignored object is drawn on them.
@MainActor @Suite(.serialized) struct IgnoredContentTests {
    /// A wide road, two markers in a container, a view overlay that cannot be selected, and a hall.
    private func draw(_ change: (_ road: Polyline, _ markers: [Marker], _ note: ViewOverlay) -> Void = { _, _, _ in }) throws
        -> ComparedPicture
    {
        let map = MapView(size: CGSize(width: 240, height: 180))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let road = Polyline(points: [LatLng(37.47, 126.985), LatLng(37.53, 126.985)])
        road.id = "road"
        road.width = 30
        map.add(road)
        let markers = [(37.505, 127.0), (37.495, 127.0), (37.5, 127.02)].map { Marker(position: LatLng($0.0, $0.1)) }
        for (marker, name) in zip(markers, ["first", "second", "hall"]) { marker.id = name }
        let group = Container()
        group.id = "group"
        group.add(Array(markers[..<2]))
        map.add(group)
        map.add(markers[2])
        let note = ViewOverlay(content: .label("12:00"), coordinates: LatLng(37.507, 127.012))
        note.id = "note"
        note.isSelectable = false
        map.add(note)
        change(road, markers, note)
        return ComparedPicture(
            try Drawing.shared.get().render(map).bitmap, inspection: try map.inspection(), hitMap: try map.hitMap())
    }

    private func compare(
        _ expected: ComparedPicture, _ actual: ComparedPicture, ignoring ignored: [IgnoredContent]
    ) throws -> PictureVerdict {
        var report = ComparisonReport(title: "ignored", rule: .exact, ignoring: ignored)
        return try report.compare("", expected: expected, actual: actual)
    }

    /// The same picture as in a file: without areas.
    private func inFile(_ picture: ComparedPicture) -> ComparedPicture { ComparedPicture(picture.bitmap, inspection: picture.inspection) }

    @Test func theWholeOverlayIsLeftOut() throws {
        let expected = try draw()
        for (name, actual) in [
            ("road", try draw { road, _, _ in road.color = .red }), ("first", try draw { _, markers, _ in markers[0].iconImage = .red }),
            ("hall", try draw { _, markers, _ in markers[2].anchorOffset = CGPoint(x: 0, y: 15) }),
            ("hall", try draw { _, markers, _ in markers[2].isHidden = true }),
            ("note", try draw { _, _, note in note.content = .label("23:59") }),
        ] {
            #expect(!(try compare(expected, actual, ignoring: []).matches))
            let verdict = try compare(expected, actual, ignoring: [.overlay(name)])
            #expect(verdict.matches, "\(name): \(verdict)")
            #expect((verdict.facts?.leftOutPixels ?? 0) > 100)
            // And only it.
            let others = ["road", "first", "hall", "note"].filter { $0 != name }.map { IgnoredContent.overlay($0) }
            #expect(!(try compare(expected, actual, ignoring: others).matches), "\(name)")
        }
    }

    @Test func thePixelsNextToALineAreCompared() throws {
        let expected = try draw()
        var actual = try draw { road, _, _ in road.color = .red }
        let line = try #require(expected.inspection?.overlays.first { $0.id == "road" }?.lines?.first)
        // The line is vertical; areas are widened by 2 pt for taps, and by 1 pt for antialiasing.
        let edge = Int(line[0].x) + 15
        actual.bitmap[edge + 2, 90].green = 0
        #expect(try compare(expected, actual, ignoring: [.overlay("road")]).matches)
        actual.bitmap[edge + 5, 90].green = 0
        let verdict = try compare(expected, actual, ignoring: [.overlay("road")])
        #expect(!verdict.matches && verdict.facts?.differingPixels == 1, "\(verdict)")
    }

    @Test func typesAndContainers() throws {
        let expected = try draw()
        let actual = try draw { _, markers, _ in for marker in markers[..<2] { marker.iconImage = .red } }
        for ignored in [
            [IgnoredContent.overlay("group")], [.type("container")], [.type("marker")], [.overlay("first"), .overlay("second")],
        ] {
            #expect(try compare(expected, actual, ignoring: ignored).matches, "\(ignored)")
            #expect(try compare(inFile(expected), inFile(actual), ignoring: ignored).matches, "\(ignored)")
        }
        #expect(!(try compare(expected, actual, ignoring: [.overlay("first"), .type("polyline")]).matches))
    }

    /// An expected picture is read from a file, and the overlay is elsewhere in the new picture.
    @Test func anOverlayThatHasMoved() throws {
        let expected = inFile(try draw())
        let actual = try draw { road, markers, _ in
            road.points = [LatLng(37.47, 126.99), LatLng(37.53, 126.99)]
            markers[2].position = LatLng(37.49, 127.015)
            markers[2].captionText = "Hall"
            markers[2].captionHaloColor = .red
        }
        let verdict = try compare(expected, actual, ignoring: [.overlay("hall")])
        #expect(!verdict.matches && verdict.overlays.map(\.id) == ["road"], "\(verdict)")
        // The expected road is only known as a line.
        let both = try compare(
            expected, actual, ignoring: [.overlay("hall"), .overlay("road"), .rectangle(PixelRect(x: 0, y: 0, width: 120, height: 180))])
        #expect(both.matches, "\(both)")
    }

    @Test func whatIsNotKnown() throws {
        let (expected, actual) = (try draw(), try draw { road, _, _ in road.color = .red })
        var report = ComparisonReport(title: "ignored", rule: .exact, ignoring: [.overlay("road"), .overlay("raod"), .type("marker")])
        let alone = try report.compare("alone", expected: ComparedPicture(expected.bitmap), actual: ComparedPicture(actual.bitmap))
        #expect(
            !alone.matches
                && alone.sentence.hasSuffix("because neither picture has a valid inspection (a .json file of the same name next to it)"))
        #expect(report.unknownIDs == ["road", "raod"])
        #expect(try report.compare("one", expected: ComparedPicture(expected.bitmap), actual: actual).matches)
        #expect(report.unknownIDs == ["raod"])
        #expect(try report.compare("equal", expected: ComparedPicture(expected.bitmap), actual: ComparedPicture(expected.bitmap)).matches)
    }
}
