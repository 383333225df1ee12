import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// On the outside of bends, some pixels of a line with a gradient had the color of its start.
@Suite struct GradientBendTests {
    @Test(arguments: [3.0, 6, 15, 40, 80, 120], LineJoin.allCases) func bendsHaveTheColorsOfTheirPlace(turn: Double, join: LineJoin) throws
    {
        let map = MapView(300, 300, Camera(zoom: 4))
        let points = stride(from: 0, through: 240, by: turn).map { angle in
            LatLng(lat: 4 * sin(angle * .pi / 180), lng: 4 * cos(angle * .pi / 180))
        }
        let line = Polyline(points: points)
        (line.width, line.joinType) = (20, join)
        // Only the start is red.
        line.gradient = [.init(0, .red), .init(0.01, .blue), .init(1, Color(red: 0, green: 0.4, blue: 1))]
        map.add(line)
        let frame = try Composer.of(map).place(map).frame
        var bitmap = Bitmap(width: 300, height: 300)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        let start = try #require(map.point(from: points[0]))
        var compared = 0
        for y in 0..<300 {
            for x in 0..<300 where bitmap[x, y].alpha > 0 && hypot(Double(x) - start.x, Double(y) - start.y) > 30 {
                #expect(bitmap[x, y].red == 0, "\(x), \(y)")
                compared += 1
            }
        }
        #expect(compared > 3000)
    }
}
