import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

/// Archives of vector tiles, which are read as bytes.
@Suite struct VectorArchiveTests {
    private let scratch = ScratchFolder()
    /// A layer that is called "water"; the decoder is a separate module.
    private let tile: [UInt8] = [0x1A, 9, 0x0A, 5] + Array("water".utf8) + [0x78, 2]
    private let layers = #"{"vector_layers": [{"id": "water", "fields": {}}, {"id": "roads"}, {"name": "x"}, 7]}"#

    private func problem(_ path: String) -> String {
        sentence { _ = try TileArchive.open(path) }.replacing(path, with: "FILE")
    }

    /// Checks an archive that contains the tile at 1/0/1 alone.
    private func check(_ path: String, layers: [String] = [], tileSize: Int = 512) throws {
        let source = try TileArchive.openArchive(path)
        #expect(source.content == .vector && source.layerNames == layers && source.info.tileSize == tileSize)
        #expect(source.info.pixelsPerPoint == 1)
        #expect(try source.bytes(at: TileAddress(zoom: 1, x: 0, y: 1)) == tile)
        #expect(try source.sampleBytes() == tile)
        for missing in [(1, 1, 1), (0, 0, 0), (9, 0, 0), (31, 0, 0)] {
            #expect(try source.bytes(at: TileAddress(zoom: missing.0, x: missing.1, y: missing.2)) == nil)
        }
    }

    @Test(arguments: [1, 2] as [UInt8]) func pmtiles(compression: UInt8) throws {
        var file = HandmadePMTiles([(2, compression == 2 ? try Gzip.deflated(tile) : tile)])
        (file.type, file.compression, file.tileCompression, file.zooms) = (1, compression, compression, (1, 1))
        try check(scratch.write(file.bytes, "a.pmtiles"))
        file.metadata = Array(layers.utf8)
        try check(scratch.write(file.bytes, "b.pmtiles"), layers: ["water", "roads"])
        file.metadata = Array(#"{"tileSize": 256}"#.utf8)
        try check(scratch.write(file.bytes, "c.pmtiles"), tileSize: 256)
        file.type = 6
        #expect(
            problem(try scratch.write(file.bytes, "d.pmtiles"))
                == "FILE: the archive contains vector tiles (MLT), but only PNG, JPEG, WebP and MVT tiles can be drawn")
    }

    private func mbtiles(_ metadata: [String], _ bytes: [UInt8], _ name: String) throws -> String {
        let path = try scratch.write([], name)
        let database = try SQLiteDatabase(path, .new)
        try database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        try database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        for row in metadata { try database.execute("INSERT INTO metadata VALUES \(row)") }
        try database.prepare("INSERT INTO tiles VALUES (1, 0, 0, ?1)").run(bytes: bytes, as: 1)
        return path
    }

    @Test func mbtiles() throws {
        let packed = try Gzip.deflated(tile)
        try check(mbtiles(["('format', 'pbf')"], packed, "a.mbtiles"))
        try check(mbtiles(["('format', 'pbf')", "('json', '\(layers)')"], tile, "b.mbtiles"), layers: ["water", "roads"])
        try check(mbtiles(["('format', 'application/vnd.mapbox-vector-tile')", "('json', '[')"], packed, "c.mbtiles"))
        // Not all archives declare their type.
        try check(mbtiles([], packed, "d.mbtiles"))
        for format in ["mlt", "application/vnd.maplibre-vector-tile"] {
            #expect(
                problem(try mbtiles(["('format', '\(format)')"], packed, "\(format.count).mbtiles"))
                    == "FILE: the archive contains vector tiles (MLT), but only PNG, JPEG, WebP and MVT tiles can be drawn")
        }
    }

    @Test func gzipBombs() throws {
        // Five members of 13 MiB each are 65 MiB.
        let part = try Gzip.deflated([UInt8](repeating: 0, count: 13 << 20))
        let source = try TileArchive.openArchive(
            mbtiles(["('format', 'pbf')"], Array(repeatElement(part, count: 5).joined()), "a.mbtiles"))
        #expect(
            sentence { _ = try source.bytes(at: TileAddress(zoom: 1, x: 0, y: 1)) }
                .hasSuffix("a.mbtiles: tile 1/0/1: the tile, when inflated, is larger than 64 MiB"))
        let cut = try TileArchive.openArchive(mbtiles(["('format', 'pbf')"], Array(Gzip.deflated(tile).dropLast(3)), "b.mbtiles"))
        #expect(
            sentence { _ = try cut.sampleBytes() }.hasSuffix("b.mbtiles: the archive is damaged: the tile cannot be inflated"))
    }

    /// A tile without content exists, and is not a picture's.
    @Test func emptyTiles() throws {
        let vectors = try TileArchive.openArchive(mbtiles(["('format', 'pbf')"], [], "a.mbtiles"))
        #expect(try vectors.bytes(at: TileAddress(zoom: 1, x: 0, y: 1)) == [])
        #expect(try vectors.bytes(at: TileAddress(zoom: 1, x: 0, y: 0)) == nil)
        let pictures = try TileArchive.openArchive(mbtiles(["('format', 'png')"], [], "b.mbtiles"))
        #expect(try pictures.bytes(at: TileAddress(zoom: 1, x: 0, y: 1)) == nil)
    }

    @Test(arguments: ["pbf", "mvt"], [true, false]) func folders(ending: String, isCompressed: Bool) throws {
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/1/0", withIntermediateDirectories: true)
        try scratch.write(isCompressed ? Gzip.deflated(tile) : tile, "1/0/1.\(ending)")
        try check(scratch.path)
        try scratch.write(layers, "metadata.json")
        try check(scratch.path, layers: ["water", "roads"])
        try scratch.write(#"{"format": "mlt"}"#, "metadata.json")
        let mlt = "FILE: the archive contains vector tiles (MLT), but only PNG, JPEG, WebP and MVT tiles can be drawn"
        #expect(problem(scratch.path) == mlt)
    }

    @Test func foldersWithOtherTiles() throws {
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/1/0", withIntermediateDirectories: true)
        try scratch.write([1], "1/0/1.mlt")
        #expect(
            problem(scratch.path) == "FILE: the archive contains vector tiles (MLT), but only PNG, JPEG, WebP and MVT tiles can be drawn")
        try scratch.write(tile, "1/0/1.pbf")
        // Pictures count first, unless the metadata names vector tiles.
        try scratch.write(try TilePicture.png(1), "1/0/1.png")
        #expect(try TileArchive.openArchive(scratch.path).content == .pictures)
        #expect(try TileArchive.open(scratch.path).bytes(1, 0, 1) == TilePicture.png(1))
        try scratch.write(#"{"format": "pbf"}"#, "metadata.json")
        try check(scratch.path)
    }
}
