import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

@Suite struct MBTilesSourceTests {
    private let scratch = ScratchFolder()

    /// Makes a database by SQL, and gives its path.
    @discardableResult
    private func make(_ name: String = "a.mbtiles", _ sql: String..., fill: (SQLiteDatabase) throws -> Void = { _ in }) throws -> String {
        let path = try scratch.write([], name)
        let database = try SQLiteDatabase(path, .new)
        for statement in sql { try database.execute(statement) }
        try fill(database)
        return path
    }

    private static let table = "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"
    private static let metadata = "CREATE TABLE metadata (name TEXT, value TEXT)"

    private func insert(_ bytes: [UInt8], _ zoom: Int, _ x: Int, _ row: Int, _ database: SQLiteDatabase) throws {
        let insert = try database.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)")
        try insert.bind(zoom, x, row)
        try insert.run(bytes: bytes, as: 4)
    }

    private func problem(_ path: String) -> String {
        sentence { _ = try TileArchive.open(path) }.replacing(path, with: "FILE")
    }

    @Test func rowsCountFromTheSouth() throws {
        let path = try make("a.mbtiles", Self.table, Self.metadata) { database in
            try insert(TilePicture.png(1, side: 512), 1, 0, 1, database)
            try insert(TilePicture.png(2, side: 512), 1, 0, 0, database)
            try insert(TilePicture.png(3, side: 512), 3, 7, 7, database)
            try insert([], 3, 1, 1, database)
            try database.execute(
                """
                INSERT INTO metadata VALUES ('name', 'Test'), ('format', 'png'), ('bounds', '-180.0,-85,180,85'), ('attribution', '© Me'),
                    ('json', '{}'), ('minzoom', ''), (NULL, 'x'), ('x', NULL)
                """)
        }
        let source = try TileArchive.open(path)
        #expect(
            source.info
                == TileSetInfo(
                    minZoom: 1, maxZoom: 3, tileSize: 512, bounds: TileBounds(west: -180, south: -85, east: 180, north: 85),
                    attribution: "© Me", name: "Test"))
        #expect(try source.bytes(1, 0, 0) == TilePicture.png(1, side: 512))
        #expect(try source.bytes(1, 0, 1) == TilePicture.png(2, side: 512))
        #expect(try source.bytes(3, 7, 0) == TilePicture.png(3, side: 512))
        #expect(try source.bytes(3, 1, 6) == nil && source.bytes(1, 1, 1) == nil && source.bytes(40, 0, 0) == nil)
    }

    @Test func severalThreadsReadAtOnce() async throws {
        let tile = try TilePicture.png(7)
        let source = try TileArchive.open(make("a.mbtiles", Self.table) { try insert(tile, 0, 0, 0, $0) })
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (0..<200).allSatisfy { _ in (try? source.bytes(0, 0, 0)) == tile } } }
            for await isRight in group { #expect(isRight) }
        }
    }

    /// If another file takes the name, or the file is deleted, the opened archive is still read, by as many threads as before.
    @Test(arguments: [true, false]) func theFileMayBeReplaced(isRemoved: Bool) async throws {
        let (old, new) = (try TilePicture.png(7), try TilePicture.png(8))
        let path = try make("a.mbtiles", Self.table) { try insert(old, 0, 0, 0, $0) }
        let source = try TileArchive.open(path)
        let other = try make("b.mbtiles", Self.table) { try insert(new, 0, 0, 0, $0) }
        if isRemoved { try FileManager.default.removeItem(atPath: path) } else { #expect(rename(other, path) == 0) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (0..<200).allSatisfy { _ in (try? source.bytes(0, 0, 0)) == old } } }
            for await isRight in group { #expect(isRight) }
        }
        if !isRemoved { #expect(try TileArchive.open(path).bytes(0, 0, 0) == new) }
    }

    @Test func whatIsRefused() throws {
        let tile = try TilePicture.png(1)
        #expect(
            problem(try make("a.mbtiles", "CREATE TABLE other (a)"))
                == "FILE: the archive is damaged: this SQLite database has neither a table nor a view called tiles")
        #expect(problem(try make("a.mbtiles", Self.table)) == "FILE: the archive has no tiles")
        #expect(problem(try make("a.mbtiles", "CREATE TABLE tiles (a)")) == "FILE: the archive is damaged: no such column: tile_data")
        func with(_ metadata: String) throws -> String {
            problem(
                try make("a.mbtiles", Self.table, Self.metadata, "INSERT INTO metadata VALUES \(metadata)") {
                    try insert(tile, 3, 0, 0, $0)
                })
        }
        #expect(try with("('format', 'pbf')") == "no error")
        #expect(
            try with("('format', 'tiff')")
                == "FILE: the archive contains tiles of the format tiff, but only PNG, JPEG, WebP and MVT tiles can be drawn")
        #expect(try with("('minzoom', 'low')") == "FILE: the archive is damaged: \"minzoom\" in its metadata is not a whole number")
        #expect(try with("('minzoom', '4')") == "FILE: the archive is damaged: minZoom 4 is more than maxZoom 3")
        #expect(try with("('maxzoom', 31)") == "FILE: the archive is damaged: \"maxzoom\" in its metadata: 31 is outside 0…30")
        #expect(
            try with("('bounds', '1,2,3')")
                == "FILE: the archive is damaged: \"bounds\" in its metadata is not a list of west, south, east and north")
        #expect(
            try with("('bounds', '0,50,10,40')")
                == "FILE: the archive is damaged: its metadata: the bounds [0.0, 50.0, 10.0, 40.0]: "
                + "the south edge, 50.0, is above the north edge, 40.0"
        )
        #expect(try with("('format', 'png')") == "no error")
        let packed = try Gzip.deflated(tile)
        #expect(
            problem(try make("a.mbtiles", Self.table) { try insert(packed, 0, 0, 0, $0) })
                == "no error")
    }

    /// Texts are stored in the encoding of the database.
    @Test func utf16() throws {
        let path = try make("a.mbtiles", "PRAGMA encoding = 'UTF-16'", Self.table, Self.metadata) { database in
            try insert(TilePicture.png(1), 0, 0, 0, database)
            try database.execute("INSERT INTO metadata VALUES ('name', 'Köln'), ('maxzoom', '0')")
        }
        #expect(try TileArchive.open(path).info.name == "Köln")
    }

    @Test func valuesThatAreTooLong() throws {
        let path = try make("a.mbtiles", Self.table) { database in
            try insert([1], 0, 0, 0, database)
            try database.execute("INSERT INTO tiles VALUES (1, 0, 0, zeroblob(68000000))")
        }
        let source = try TileArchive.open(path)
        #expect(
            sentence { _ = try source.bytes(1, 0, 1) }
                == "\(path): tile 1/0/1: reading the database takes too much time or memory, or a value is too long: string or blob too big"
        )
    }

    /// A journal means that the file is not complete, unless the journal is empty or its changes were undone.
    @Test func databasesThatAreBeingWritten() throws {
        let path = try make("a.mbtiles", Self.table) { try insert(TilePicture.png(1), 0, 0, 0, $0) }
        try scratch.write([UInt8](repeating: 0, count: 512), "a.mbtiles-journal")
        try scratch.write([], "a.mbtiles-wal")
        #expect(problem(path) == "no error")
        try scratch.write([1], "a.mbtiles-wal")
        #expect(
            problem(path)
                == "FILE: another program is writing this archive, or stopped before finishing (a.mbtiles-wal exists); "
                + "close that program, or use it to reopen the archive and finish writing"
        )
        try scratch.write([], "a.mbtiles-wal")
        try scratch.write([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [UInt8](repeating: 0, count: 504), "a.mbtiles-journal")
        #expect(problem(path).contains("(a.mbtiles-journal exists)"))
    }

    /// Names with special characters of URIs.
    @Test func namesWithSpecialCharacters() throws {
        for name in ["a b.mbtiles", "a%20b.mbtiles", "a?immutable=0.mbtiles", "a#b.mbtiles", "ü&\u{1}.mbtiles"] {
            let path = try make(name, Self.table) { try insert(TilePicture.png(1), 0, 0, 0, $0) }
            #expect(try TileArchive.open(path).bytes(0, 0, 0) == TilePicture.png(1), "\(name)")
        }
    }

    /// Whatever is changed in a file, reading it ends with tiles or a sentence.
    @Test func damagedCopies() throws {
        try make("a.mbtiles", Self.table, Self.metadata, "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row)") {
            database in
            for number in 0..<40 { try insert(TilePicture.png(number, side: 4), 3, number % 8, number / 8, database) }
            try database.execute("INSERT INTO metadata VALUES ('name', 'Test'), ('format', 'png'), ('minzoom', '3'), ('maxzoom', '3')")
        }
        let whole = try scratch.read("a.mbtiles")
        var random = SplitMix64(seed: 18)
        var (read, refused) = (0, 0)
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<random.integer(1...6) {
                // The header and the beginnings of pages contain most of the data besides tiles.
                let page = 4096 * random.integer(0...(bytes.count - 1) / 4096)
                let place =
                    random.once(in: 3) ? random.integer(16...bytes.count - 1) : min(page + random.integer(16...180), bytes.count - 1)
                bytes[place] = random.one(of: [0, 1, 0x7F, 0x80, 0xFF, UInt8(random.integer(0...255))])
            }
            if random.once(in: 8) { bytes.removeLast(random.integer(0...bytes.count - 16)) }
            let path = try scratch.write(bytes, "b.mbtiles")
            do {
                let source = try TileArchive.open(path)
                for number in 0..<40 { _ = try source.bytes(3, number % 8, 7 - number / 8) }
                read += 1
            } catch let error as TileError {
                #expect(error.description.hasPrefix(path) && !error.description.contains("\n"))
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }
}
