import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// A line and its arrows are one shape with one opacity.
@Suite struct ArrowCoverageTests {
    private func draw(_ line: Polyline, tilt: Double) throws -> Bitmap {
        let map = MapView(200, 140, Camera(zoom: 4, bearing: 10, tilt: tilt))
        map.add(line)
        let frame = try Composer.of(map).place(map).frame
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    @Test(arguments: [0.0, 60], [LineArrow.open, .filled]) func aTranslucentLineHasOneAlpha(tilt: Double, kind: LineArrow) throws {
        for (pattern, isPerspectiveEnabled) in [([], false), ([], true), ([9.0, 4], false), ([9, 4], true)] as [([Double], Bool)] {
            let line = Polyline(points: [(-1.2, -3), (0.8, -1), (-0.8, 1), (1, 3)].map { LatLng(lat: $0.0, lng: $0.1) })
            (line.width, line.startArrow, line.endArrow, line.arrowSize) = (7, kind, kind, 4)
            (line.pattern, line.isPerspectiveEnabled) = (pattern, isPerspectiveEnabled)
            let opaque = try draw(line, tilt: tilt)
            line.color = Color(red: 0, green: 0, blue: 0, alpha: 0.4)
            let translucent = try draw(line, tilt: tilt)
            (line.startArrow, line.endArrow) = (.none, .none)
            let plain = try draw(line, tilt: tilt)
            var (full, more) = (0, 0)
            for y in 0..<140 {
                for x in 0..<200 {
                    let alpha = Int(translucent[x, y].alpha)
                    #expect(alpha <= 102)
                    #expect(abs(alpha - Int((Double(opaque[x, y].alpha) * 0.4).rounded())) <= 1)
                    full += alpha == 102 ? 1 : 0
                    more += alpha == 102 && plain[x, y].alpha == 0 ? 1 : 0
                }
            }
            #expect(full > 300 && more > 100)
        }
    }

    /// No seam between the line and its arrows: the axis is covered from one tip to the other.
    @Test(arguments: [LineArrow.open, .filled]) func noSeamCrossesTheLine(kind: LineArrow) throws {
        for pattern in [[], [80.0, 1, 70, 0.5]] {
            let line = Polyline(points: [LatLng(lat: 0, lng: -3.3), LatLng(lat: 0, lng: 3.3)])
            (line.width, line.startArrow, line.endArrow, line.pattern) = (7.3, kind, kind, pattern)
            let map = MapView(200, 140, Camera(zoom: 4))
            map.add(line)
            let frame = try Composer.of(map).place(map).frame
            var bitmap = Bitmap(width: frame.width, height: frame.height)
            PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
            for x in Array(28..<70) + Array(135..<172) { #expect(bitmap[x, 70].alpha == 255, "\(x)") }
        }
    }
}
