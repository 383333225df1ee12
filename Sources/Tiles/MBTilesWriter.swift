import WaymarkSystem

/// Writes MBTiles, version 1.3. Equal tiles are stored once, and `tiles` is a view that joins tiles and pictures, which the specification
/// allows.
enum MBTilesWriter {
    static func write(_ spool: TileSpool, _ description: TileArchiveDescription, to path: String) throws(TileError) {
        let tiles = spool.tiles()
        guard !tiles.isEmpty else { throw TileError(.noTiles) }
        let file = try TileError.converting { () throws(FileError) in try UnfinishedFile(path) }
        guard let unfinished = file.unfinishedPath else { throw TileError(.invalid("an MBTiles archive can be written only to a file")) }
        do throws(TileError) {
            let database = try SQLiteDatabase(unfinished, .new)
            try fill(database, spool, tiles, description)
        } catch {
            // The database is new, so its errors mean that it could not be written. Only an error about reading a tile has a path.
            throw error.path == nil ? TileError(.cannotWrite, errno: error.errno ?? SystemError.inputOutput.errno) : error
        }
        try TileError.converting { () throws(FileError) in try file.finish() }
    }

    private static func fill(
        _ database: SQLiteDatabase, _ spool: TileSpool, _ tiles: [TileSpool.Tile], _ description: TileArchiveDescription
    ) throws(TileError) {
        // The number that distinguishes MBTiles from other databases: "MPBX".
        try database.execute("PRAGMA application_id = 1297105496")
        try database.execute("BEGIN")
        try database.execute(
            """
            CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
            CREATE TABLE pictures (picture INTEGER PRIMARY KEY, tile_data BLOB NOT NULL);
            CREATE TABLE places (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, picture INTEGER NOT NULL,
                PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM places JOIN pictures USING (picture);
            """)
        let name = try database.prepare("INSERT INTO metadata VALUES (?1, ?2)")
        for (key, value) in description.metadata { try name.run(texts: [key, value]) }
        let picture = try database.prepare("INSERT INTO pictures VALUES (?1, ?2)")
        let place = try database.prepare("INSERT INTO places VALUES (?1, ?2, ?3, ?4)")
        // Pictures are numbered from 1 in the order in which the tiles first show them.
        var numbers = [Int](repeating: 0, count: spool.contentCount)
        var last = 0
        for tile in tiles {
            let content = Int(tile.content)
            if numbers[content] == 0 {
                last += 1
                numbers[content] = last
                try picture.bind(last)
                try picture.run(bytes: spool.content(tile.content), as: 2)
            }
            let address = tile.address
            try place.bind(address.zoom, address.x, (1 << address.zoom) - 1 - address.y, numbers[content])
            _ = try place.next()
            place.reset()
        }
        try database.execute("COMMIT")
    }
}
