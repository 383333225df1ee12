import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport

@Suite struct CameraSweepTests {
    @Test func everyTiltWithEveryBearing() throws {
        let views = try CameraSweep.tilts([0, 30.5]).bearings(every: 90).views()
        #expect(
            views.map(\.name) == [
                "tilt-00-bearing-000", "tilt-00-bearing-090", "tilt-00-bearing-180", "tilt-00-bearing-270", "tilt-30.5-bearing-000",
                "tilt-30.5-bearing-090", "tilt-30.5-bearing-180", "tilt-30.5-bearing-270",
            ])
        #expect(views[5].title == "tilt 30.5, bearing 90" && views[5].row == 1 && views[5].column == 1)
        #expect(views[5].applied(to: Camera(zoom: 3)) == Camera(zoom: 3, bearing: 90, tilt: 30.5))
        #expect(try CameraSweep.none.views().map(\.name) == ["view"])
        #expect(try CameraSweep.bearings([-45]).views().map(\.name) == ["bearing--045"])
        #expect(try CameraSweep.bearings(every: 100).views().compactMap(\.bearing) == [0, 100, 200, 300])
    }

    @Test(arguments: [
        (CameraSweep.tilts([0, 81]), "tilts[1]: 81 is outside 0…80"), (.bearings([.nan]), "bearings[0]: nan is not a finite number"),
        (.bearings([10, 20, 10]), "bearings[2]: 10 is listed twice"),
        (.bearings(every: 0.01), "bearings: a sweep may have at most 1000 pictures, not 1 × 36000"),
        (.tilts([1, 2, 3]).bearings(every: 1), "bearings: a sweep may have at most 1000 pictures, not 3 × 360"),
    ]) func whatIsOutOfRangeIsRefused(_ sweep: CameraSweep, _ words: String) {
        let error = #expect(throws: PropertyError.self) { try sweep.views() }
        #expect(error?.description == words)
    }

    @Test func aStripHasEveryPictureInItsPlace() throws {
        let views = try CameraSweep.tilts([0, 60]).bearings([0, 120, 240]).views()
        var strip = try #require(FilmStrip(views, width: 20, height: 10))
        for index in views.indices {
            strip.lay(Bitmap(width: 20, height: 10, fill: Color(red: Double(index) / 10, green: 1, blue: 0)), at: index)
        }
        for (index, cell) in strip.cells.enumerated() {
            let part = strip.bitmap.part(cell)
            #expect(part == Bitmap(width: 20, height: 10, fill: Color(red: Double(index) / 10, green: 1, blue: 0)))
        }
        #expect(Set(strip.cells).count == 6)
        // The degrees are next to the rows and above the columns, outside of the pictures.
        let white = Bitmap.Pixel(red: 255, green: 255, blue: 255, alpha: 255)
        let first = strip.cells[0]
        #expect((0..<first.x).contains { x in (0..<strip.bitmap.height).contains { strip.bitmap[x, $0] == white } })
        #expect((0..<first.y).contains { y in (0..<strip.bitmap.width).contains { strip.bitmap[$0, y] == white } })
        #expect(FilmStrip(views, width: 10_000, height: 10_000) == nil)
    }

    @Test func oneViewIsItsOwnStrip() throws {
        let strip = try #require(FilmStrip(try CameraSweep.none.views(), width: 7, height: 5))
        #expect(strip.bitmap.width == 7 && strip.bitmap.height == 5 && strip.cells == [PixelRect(x: 0, y: 0, width: 7, height: 5)])
    }
}
