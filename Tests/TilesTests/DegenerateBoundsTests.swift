import Foundation
import Testing
import WaymarkTestSupport
import WaymarkTiles

/// Bounds without a width or a height, or that are not numbers, are written by programs that do not know the bounds. They must not hide all
/// tiles.
@Suite struct DegenerateBoundsTests {
    private let scratch = ScratchFolder()

    @Test(arguments: [
        "[0, 0, 0, 0]", "[24.9, 60.1, 24.9, 60.2]", "[24.9, 60.1, 25, 60.1]", #""7,7,7,7""#, #""0.0,0,0,0""#, #""nan,1,2,x""#,
        #""1,2,inf,3""#, #""1,2,3,""#, #"[1, 2, "x", 4]"#, "[null, null, null, null]",
    ])
    func metadata(bounds: String) throws {
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/1/0", withIntermediateDirectories: true)
        try scratch.write(try TilePicture.png(1), "1/0/0.png")
        try scratch.write(#"{"bounds": \#(bounds)}"#, "tiles.json")
        #expect(try TileArchive.open(scratch.path).info.bounds == .world)
    }

    @Test(arguments: [[0, 0, 0, 0], [7, -9, 7, 9], [1, 5, 2, 5], [-5, -5, -5, -5]]) func headers(degrees: [Int32]) throws {
        var file = HandmadePMTiles([(0, try TilePicture.png(1))])
        file.degrees = degrees.map { $0 * 10_000_000 }
        #expect(try TileArchive.open(scratch.write(file.bytes, "a.pmtiles")).info.bounds == .world)
    }

    /// A rectangle across ±180° has a width.
    @Test func boundsThatAreKnown() throws {
        var file = HandmadePMTiles([(0, try TilePicture.png(1))])
        file.degrees = [1_700_000_000, 0, -1_700_000_000, 100_000_000]
        let bounds = try TileArchive.open(scratch.write(file.bytes, "a.pmtiles")).info.bounds
        #expect(bounds == TileBounds(west: 170, south: 0, east: -170, north: 10))
    }
}
