import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Where the caps of dashes overlap, the edges that they share were covered twice, so that half a pixel became a whole one.
@MainActor @Suite(.serialized) struct OverlappingDashesTests {
    private func picture(_ pattern: [Double], _ cap: LineCap) throws -> Bitmap {
        let mapView = MapView(100, 60, Camera(zoom: 4))
        // The edges are at rows 25.75 and 34.75.
        let ends = try [10.0, 90].map { try #require(mapView.geoCoordinates(from: CGPoint(x: $0, y: 30.25))) }
        let line = Polyline(points: ends)
        (line.width, line.pattern, line.capType, line.color) = (9, pattern, cap, .red)
        mapView.add(line)
        return try draw(mapView)
    }

    @Test func dashesThatLeaveNoGapAreALine() throws {
        let (dashed, solid) = (try picture([4, 6], .square), try picture([], .square))
        for y in 0..<60 {
            for x in 0..<84 { #expect(dashed[x, y] == solid[x, y], "pixel \(x), \(y)") }
        }
        #expect([25, 34].map { dashed[50, $0].alpha } == [64, 191])
    }

    /// Dots a quarter of a pixel apart: within 0.01 px of a line.
    @Test func denseDotsAreALine() throws {
        let (dotted, solid) = (try picture([0, 0.6], .round), try picture([], .round))
        for y in 0..<60 {
            for x in 10..<88 { #expect(abs(Int(dotted[x, y].alpha) - Int(solid[x, y].alpha)) <= 8, "pixel \(x), \(y)") }
        }
    }

    /// Between dots that touch, coverage is less than a line's, and never more.
    @Test func dotsThatOverlapHaveNotches() throws {
        let (dotted, solid) = (try picture([0, 8], .round), try picture([], .round))
        for y in 0..<60 {
            for x in 0..<84 { #expect(Int(dotted[x, y].alpha) <= Int(solid[x, y].alpha) + 2, "pixel \(x), \(y)") }
        }
        // Midway between two dots, 4.5 · √(1 − (4 / 4.5)²) = 2.06 from the line.
        #expect(dotted[54, 30].alpha == 255 && dotted[54, 26].alpha == 0 && dotted[50, 26].alpha == 255)
    }
}
