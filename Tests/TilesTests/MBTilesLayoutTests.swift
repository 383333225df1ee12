import Testing
import WaymarkTestSupport
import WaymarkTiles

/// The tables and views that programs write into MBTiles files, each with one tile 2/3/2.
@Suite struct MBTilesLayoutTests {
    private static let map = "CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT)"
    private static let images = "CREATE TABLE images (tile_data blob, tile_id text)"
    private static let rows = ["INSERT INTO map VALUES (2, 3, 1, 'a'), (9, 0, 0, 'missing')", "INSERT INTO images VALUES (?1, 'a')"]

    static let layouts: [String: [String]] = [
        "mapbox": [
            "CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT)", images,
            "CREATE TABLE grid_utfgrid (grid_id TEXT, grid_utfgrid BLOB)", "CREATE TABLE metadata (name text, value text)",
            "CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)", "CREATE UNIQUE INDEX images_id ON images (tile_id)",
            """
            CREATE VIEW tiles AS
                SELECT
                    map.zoom_level AS zoom_level,
                    map.tile_column AS tile_column,
                    map.tile_row AS tile_row,
                    images.tile_data AS tile_data
                FROM map
                JOIN images ON images.tile_id = map.tile_id
            """,
            """
            CREATE VIEW grids AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row,
            grid_utfgrid.grid_utfgrid AS grid FROM map JOIN grid_utfgrid ON grid_utfgrid.grid_id = map.grid_id
            """, "INSERT INTO map VALUES (2, 3, 1, 'a', NULL)", rows[1],
        ],
        "mbutil": [
            images, map,
            "CREATE VIEW tiles as select map.zoom_level as zoom_level, map.tile_column as tile_column, map.tile_row as tile_row, images.tile_data as tile_data from map join images on images.tile_id = map.tile_id",
        ] + rows + ["ANALYZE"],
        "planetiler": [
            "CREATE TABLE tiles_shallow (zoom_level integer, tile_column integer, tile_row integer, tile_data_id integer, primary key(zoom_level,tile_column,tile_row)) without rowid",
            "CREATE TABLE tiles_data (tile_data_id integer primary key, tile_data blob)",
            """
            CREATE VIEW tiles AS
            select
              tiles_shallow.zoom_level as zoom_level,
              tiles_shallow.tile_column as tile_column,
              tiles_shallow.tile_row as tile_row,
              tiles_data.tile_data as tile_data
            from tiles_shallow
            join tiles_data on tiles_shallow.tile_data_id = tiles_data.tile_data_id
            """, "INSERT INTO tiles_shallow VALUES (2, 3, 1, 7)", "INSERT INTO tiles_data VALUES (7, ?1)",
        ],
        "a hash for each tile": [
            "CREATE TABLE tiles_with_hash (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB, tile_hash TEXT, PRIMARY KEY(zoom_level, tile_column, tile_row))",
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles_with_hash",
            "INSERT INTO tiles_with_hash VALUES (2, 3, 1, ?1, 'hash')",
        ],
        "martin's normalized": [
            map, images,
            "CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data FROM map INNER JOIN images ON map.tile_id = images.tile_id",
            "CREATE VIEW tiles_with_hash AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data, images.tile_id AS tile_hash FROM map INNER JOIN images ON map.tile_id = images.tile_id",
        ] + rows,
        "WHERE": [
            map, images,
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map, images WHERE map.tile_id = images.tile_id",
        ] + rows,
        "USING": [
            map, images, "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id)",
        ] + rows,
        "an order": [
            map, images,
            "CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level,map.tile_column AS tile_column,map.tile_row AS tile_row,images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id ORDER BY zoom_level,tile_column,tile_row DESC",
        ] + rows,
        "two columns of equality": [
            map, "CREATE TABLE images (zoom_level INTEGER, tile_data BLOB, tile_id TEXT)",
            "CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON (images.tile_id = map.tile_id) AND images.zoom_level == map.zoom_level",
            rows[0], "INSERT INTO images VALUES (2, ?1, 'a'), (3, 'x', 'a')",
        ],
        "other names": [
            "CREATE TABLE tile_data (tile integer primary key, x integer, y integer, z integer, data blob)",
            "CREATE VIEW tiles as select z as zoom_level, x as tile_column, y as tile_row, data as tile_data from tile_data",
            "INSERT INTO tile_data VALUES (1, 3, 1, 2, ?1)",
        ],
        "quotation marks": [
            map, images,
            #"CREATE VIEW "tiles" AS SELECT "m".[zoom_level], m.`tile_column`, m.tile_row /* from the south */, i.tile_data FROM "map" AS m LEFT OUTER JOIN 'images' i ON i."tile_id" = m."tile_id" -- all"#,
        ] + rows,
        "all columns": [
            "CREATE TABLE stored (zoom_level, tile_column, tile_row, tile_data)", "CREATE VIEW Tiles AS SELECT stored.* FROM stored",
            "INSERT INTO stored VALUES (2, 3, 1, ?1)", "CREATE TABLE pairs (name, value)", "INSERT INTO pairs VALUES ('maxzoom', '2')",
            "CREATE VIEW metadata AS SELECT * FROM pairs",
        ],
        "triggers": [
            "CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB CHECK (CAST(tile_data AS TEXT) <> ''))",
            "CREATE TRIGGER refresh AFTER INSERT ON tiles BEGIN DELETE FROM tiles WHERE zoom_level > 20; END",
            "INSERT INTO tiles VALUES (2, 3, 1, ?1)",
        ],
    ]

    @Test(arguments: layouts.keys.sorted()) func isRead(name: String) throws {
        let scratch = ScratchFolder()
        let path = try scratch.write([], "a.mbtiles")
        do {
            let database = try SQLiteDatabase(path, .new)
            for statement in Self.layouts[name] ?? [] {
                if statement.contains("?1") {
                    try database.prepare(statement).run(bytes: TilePicture.png(5), as: 1)
                } else {
                    try database.execute(statement)
                }
            }
        }
        let source = try TileArchive.open(path)
        #expect(source.info.minZoom == 2)
        #expect(try source.bytes(2, 3, 2) == TilePicture.png(5))
        #expect(try source.bytes(2, 3, 1) == nil && source.bytes(9, 0, 511) == nil)
    }
}
