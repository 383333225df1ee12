import Testing
import WaymarkTiles

@Suite struct HilbertCurveTests {
    /// The examples of the specification's table of tile numbers.
    @Test func numbersOfTheSpecification() {
        #expect(HilbertCurve.number(of: TileAddress(zoom: 0, x: 0, y: 0)) == 0)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 1, x: 0, y: 0)) == 1)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 1, x: 0, y: 1)) == 2)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 1, x: 1, y: 1)) == 3)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 1, x: 1, y: 0)) == 4)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 2, x: 0, y: 0)) == 5)
        #expect(HilbertCurve.number(of: TileAddress(zoom: 12, x: 3423, y: 1763)) == 19_078_479)
    }

    /// The curve by its definition: the curve of a zoom consists of four curves of the previous zoom, the first and the last of them
    /// mirrored about a diagonal.
    @Test(arguments: 0...7) func everyTileOfAZoom(zoom: Int) {
        var curve = [(x: 0, y: 0)]
        for level in 0..<zoom {
            let side = 1 << level
            curve =
                curve.map { ($0.y, $0.x) } + curve.map { ($0.x, $0.y + side) } + curve.map { ($0.x + side, $0.y + side) }
                + curve.map { (2 * side - 1 - $0.y, side - 1 - $0.x) }
        }
        let first = (0..<zoom).reduce(0) { sum, zoom in sum + 1 << (2 * zoom) }
        #expect(HilbertCurve.firstNumber(ofZoom: zoom) == UInt64(first))
        for (index, place) in curve.enumerated() {
            #expect(HilbertCurve.number(of: TileAddress(zoom: zoom, x: place.x, y: place.y)) == UInt64(first + index))
        }
    }

    @Test func lastTileOfTheDeepestZoom() {
        let side = 1 << 30
        #expect(HilbertCurve.number(of: TileAddress(zoom: 30, x: side - 1, y: 0)) == ((1 << 62) - 1) / 3 - 1)
    }
}
