import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// Lines whose outlines are drawn before all lines of their group.
@Suite struct OutlineGroupTests {
    private func line(
        _ id: String, _ color: Color, group: String? = "a", lat: Double = 0, _ change: (Polyline) -> Void = { _ in }
    ) -> Polyline {
        let line = Polyline(points: [LatLng(lat: lat - 1, lng: -2), LatLng(lat: lat + 1, lng: 2)])
        (line.id, line.color, line.outlineGroup) = (id, color, group)
        (line.width, line.outlineWidth, line.outlineColor) = (4, 1, color.withAlpha(0.5))
        change(line)
        return line
    }

    private func map(_ lines: Polyline...) -> MapView {
        let map = MapView(300, 200, Camera(zoom: 4))
        map.add(lines)
        return map
    }

    /// The colors of all paths in their order; outlines have half the opacity.
    private func colors(_ map: MapView) throws -> [Color] {
        let frame = try map.frame()
        return frame.commands.flatMap { command -> [Color] in
            if case .paths(let range) = command { frame.paths[range].map(\.color) } else { [] }
        }
    }

    private func outline(_ color: Color) -> Color { color.withAlpha(0.5) }

    @Test func outlinesAreBeneathAllLinesOfTheGroup() throws {
        let map = map(line("1", .red), line("2", .green), line("3", .blue))
        #expect(try colors(map) == [outline(.red), outline(.green), outline(.blue), .red, .green, .blue])
        #expect(try map.frame().paths.map(\.layering) == [.over, .knockout, .knockout, .knockout, .knockout, .knockout])
        #expect(try map.drawn() == ["1", "2", "3"])
    }

    @Test func otherLinesAndKeysAreNotInTheGroup() throws {
        let other = line("3", .yellow) { $0.zIndex = 1 }
        let map = map(line("1", .red), line("x", .cyan, group: nil), line("2", .green), other, line("b", .blue, group: "b"))
        #expect(
            try colors(map) == [
                outline(.red), outline(.green), .red, .green, outline(.cyan), .cyan, outline(.blue), .blue, outline(.yellow), .yellow,
            ])
        #expect(try map.inspection().overlays.allSatisfy { $0.isVisible })
    }

    @Test func linesThatAreNotDrawnLeaveNothing() throws {
        let hidden = line("2", .green) { $0.isHidden = true }
        let far = line("3", .blue, lat: 60)
        let map = map(far, line("1", .red), hidden, line("4", .cyan))
        #expect(try colors(map) == [outline(.red), outline(.cyan), .red, .cyan])
        #expect(try map.inspection().overlays.map(\.reason) == [.outOfView, nil, .hidden, nil])
        hidden.isHidden = false
        #expect(try colors(map).count == 6)
        hidden.outlineGroup = nil
        #expect(try colors(map) == [outline(.red), outline(.cyan), .red, .cyan, outline(.green), .green])
    }

    /// Lines without outlines, routes with a traveled part, and a single line of a group.
    @Test func allKindsOfLines() throws {
        let plain = line("2", .green) { $0.outlineWidth = 0 }
        let map = map(line("1", .red), plain)
        #expect(try colors(map) == [outline(.red), .red, .green])
        let alone = self.map(line("1", .red))
        let without = self.map(line("1", .red, group: nil))
        #expect(try alone.frame() == without.frame())
        let route = Route(points: plain.points)
        (route.outlineGroup, route.progress, route.passedColor) = ("a", 0.5, .gray)
        let routes = MapView(300, 200, Camera(zoom: 4))
        routes.add([route, Route(points: plain.points)])
        #expect(try routes.frame().paths.map(\.layering) == [.over, .knockout, .inlay, .over, .knockout])
    }
}
