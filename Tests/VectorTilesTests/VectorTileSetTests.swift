import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct VectorTileSetTests {
    private let scratch = ScratchFolder()

    private func write(_ bytes: [UInt8], _ name: String) throws {
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/\(folder)", withIntermediateDirectories: true)
        try scratch.write(bytes, name)
    }

    @Test func helsinki() throws {
        let set = try VectorTileSet(HelsinkiTiles.source(), path: "helsinki.mbtiles")
        #expect(set.schema.name == "OpenMapTiles 3")
        #expect(set.info.minZoom == 5 && set.info.maxZoom == 14 && set.info.tileSize == 512)
        #expect(set.info.name == "Helsinki, center" && set.info.attribution == "© OpenStreetMap contributors")
        let address = TileAddress(zoom: 14, x: 9327, y: 4741)
        #expect(try set.tile(at: address)?.layerNames.contains("building") == true)
        // The excerpt has no tile at zoom 8.
        for missing in [(8, 145, 74), (14, 0, 0), (31, 0, 0), (14, -1, 0)] {
            #expect(try set.tile(at: TileAddress(zoom: missing.0, x: missing.1, y: missing.2)) == nil)
        }
    }

    @Test func partsOfTiles() {
        let part = TilePart(TileAddress(zoom: 16, x: 4 * 7 + 3, y: 4 * 9 + 1), ofZoom: 14)
        #expect(part.stored == TileAddress(zoom: 14, x: 7, y: 9) && part.zooms == 2 && part.column == 3 && part.row == 1)
        let same = TilePart(TileAddress(zoom: 3, x: 5, y: 6), ofZoom: 14)
        #expect(same.stored == TileAddress(zoom: 3, x: 5, y: 6) && same.zooms == 0)
        // The deepest tile of a set with a single tile.
        let deepest = TilePart(TileAddress(zoom: 30, x: 1 << 30 - 1, y: 0), ofZoom: 0)
        #expect(deepest.stored == TileAddress(zoom: 0, x: 0, y: 0) && deepest.column == 1 << 30 - 1)
    }

    /// The same tile from a folder, compressed or not, with the layers of its metadata or its own.
    @Test(arguments: [true, false], [true, false]) func folders(isCompressed: Bool, hasMetadata: Bool) throws {
        let (address, bytes) = try #require(try HelsinkiTiles.tiles().last)
        try write(isCompressed ? Gzip.deflated(bytes) : bytes, "14/9327/4741.\(isCompressed ? "pbf" : "mvt")")
        if hasMetadata {
            try write(Array(#"{"vector_layers": [{"id": "earth"}, {"id": "roads"}, {"id": 7}, "x"]}"#.utf8), "tiles.json")
        }
        let set = try VectorTileSet(TileArchive.openArchive(scratch.path), path: scratch.path)
        #expect(set.schema.name == (hasMetadata ? "Protomaps 4" : "OpenMapTiles 3"))
        #expect(set.info.minZoom == 14 && set.info.maxZoom == 14 && set.info.tileSize == 512)
        let tile = try #require(try set.tile(at: address))
        #expect(try tile.layerNames == VectorTile(bytes).layerNames)
    }

    @Test func whatIsRefused() throws {
        func problem() -> String {
            sentence { _ = try VectorTileSet(TileArchive.openArchive(scratch.path), path: scratch.path) }.replacing(
                scratch.path, with: "FOLDER")
        }
        try write(HandmadeTile(HandmadeLayer("sea"), HandmadeLayer("ships")).bytes, "2/1/1.pbf")
        #expect(
            problem()
                == "FOLDER: the layers of the vector tiles belong to no known schema (OpenMapTiles 3, Protomaps 4, Shortbread 1): sea, ships"
        )
        try write([0x1A, 9], "2/1/1.pbf")
        #expect(problem() == "FOLDER: the tile ends within a field")
        try write([0x1F, 0x8B, 9], "2/1/1.pbf")
        #expect(problem() == "FOLDER: the archive is damaged: the tile cannot be inflated")
        try write(Bitmap(width: 256, height: 256).encoded(as: .png), "1/0/0.png")
        #expect(problem() == "FOLDER: the archive contains pictures instead of vector tiles")
    }

    @Test func errorsNameTheTile() throws {
        try write(HandmadeTile(HandmadeLayer("ocean")).bytes, "2/1/1.pbf")
        try write([0x1A, 9], "2/1/2.pbf")
        try write([], "2/1/3.pbf")
        // 65 MiB of zeros.
        let part = try Gzip.deflated([UInt8](repeating: 0, count: 13 << 20))
        try write(Array(repeatElement(part, count: 5).joined()), "2/2/1.pbf")
        let set = try VectorTileSet(TileArchive.openArchive(scratch.path), path: scratch.path)
        func problem(_ x: Int, _ y: Int) -> String {
            sentence { _ = try set.tile(at: TileAddress(zoom: 2, x: x, y: y)) }.replacing(scratch.path, with: "FOLDER")
        }
        #expect(problem(1, 2) == "FOLDER: tile 2/1/2: the tile ends within a field")
        #expect(problem(2, 1) == "FOLDER: tile 2/2/1: the tile, when inflated, is larger than 64 MiB")
        #expect(try set.tile(at: TileAddress(zoom: 2, x: 1, y: 0)) == nil)
    }
}
