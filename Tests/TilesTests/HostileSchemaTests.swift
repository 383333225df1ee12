import Glibc
import Testing
import WaymarkTestSupport
import WaymarkTiles

/// Databases whose schema would keep SQLite busy for minutes, or without end, before it runs a query.
@Suite struct HostileSchemaTests {
    private static let tile = "CREATE TABLE stored (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)"

    /// Views that each read the one before it twice.
    private static func nested(_ levels: Int, _ selection: (String) -> String) -> [String] {
        [tile, "CREATE VIEW v0 AS SELECT * FROM stored"] + (1...levels).map { "CREATE VIEW v\($0) AS \(selection("v\($0 - 1)"))" }
            + ["CREATE VIEW tiles AS SELECT * FROM v\(levels)"]
    }

    private static func doubled(_ view: String) -> String {
        "SELECT (SELECT zoom_level FROM \(view)) + (SELECT zoom_level FROM \(view)) AS zoom_level, 0 AS tile_column, 0 AS tile_row, 'x' AS tile_data"
    }

    /// Columns that are each computed from the one before it, twice.
    private static func computed(_ table: String) -> String {
        let columns = (1...60).map { "c\($0) INT AS (c\($0 - 1) + c\($0 - 1))" }
        return """
            CREATE TABLE \(table) (c0 INT, tile_column INT, tile_row INT, tile_data BLOB, \(columns.joined(separator: ", ")),
            zoom_level INT GENERATED ALWAYS AS (c60))
            """
    }

    private static let tables =
        "CREATE VIEW tiles AS WITH c0 AS (SELECT * FROM stored)"
        + (1...15).map { ", c\($0) AS (\(doubled("c\($0 - 1)")))" }.joined() + " SELECT * FROM c15"

    static let schemas: [String: (statements: [String], problem: String)] = [
        "views of views": (
            nested(15, doubled), "the view tiles is not supported: it selects from something that is not a table"
        ),
        "joined views": (
            nested(15) { "SELECT x.* FROM \($0) x JOIN \($0) y LIMIT 9" },
            "the view tiles is not supported: it selects from something that is not a table"
        ),
        "common table expressions": (
            [tile, tables], "the view tiles is not supported: a view must select columns from one table, or from two joined tables"
        ),
        "computed columns": ([computed("tiles")], "the table tiles is not supported: it is a virtual table or has generated columns"),
        "computed columns of a view": (
            [computed("map"), "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map"],
            "the view tiles is not supported: it selects from a virtual table, or from a table with generated columns"
        ),
        "metadata": (
            [tile, "CREATE VIEW tiles AS SELECT * FROM stored"] + nested(15, doubled).dropFirst().dropLast()
                + ["CREATE VIEW metadata AS SELECT * FROM v15"],
            "the view metadata is not supported: it selects from something that is not a table"
        ),
        "a view that is listed as a table": (
            [tile, tables, "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET type = 'table' WHERE name = 'tiles'"],
            "the archive is damaged: malformed database schema (tiles)"
        ),
        "a view that is listed under another name": (
            [
                tile, tables, "CREATE TABLE other (zoom_level INT)", "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET name = 'view' WHERE name = 'tiles'",
                "UPDATE sqlite_master SET name = 'tiles', tbl_name = 'tiles' WHERE name = 'other'",
            ], "the archive is damaged: malformed database schema (view)"
        ),
        "a view that is created if there is none": (
            [
                tile, tables, "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET name = 'if', sql = replace(sql, 'VIEW', 'VIEW IF NOT EXISTS') WHERE name = 'tiles'",
            ], "the archive is damaged: malformed database schema (if)"
        ),
        "letters that are equal in Unicode": (
            [
                tile, tables.replacing("VIEW tiles", with: "VIEW k"), "CREATE TABLE \u{212A} (zoom_level INT)",
                "CREATE VIEW tiles AS SELECT * FROM k",
            ], "the view tiles is not supported: it selects from something that is not a table"
        ),
        "letters that are equal in lower case": (
            [
                tile, tables.replacing("VIEW tiles", with: "VIEW \u{212A}"), "CREATE TABLE k (zoom_level INT)",
                "CREATE VIEW tiles AS SELECT * FROM \u{212A}",
            ], "the view tiles is not supported: it selects from something that is not a table"
        ),
        "indexes": (
            ["CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)"]
                + (0..<1001).map { "CREATE INDEX i\($0) ON tiles (zoom_level, tile_column, tile_row)" },
            "the database has more than 1000 tables, views and indexes"
        ),
    ]

    @Test(arguments: schemas.keys.sorted()) func isRefused(name: String) async throws {
        let scratch = ScratchFolder()
        let path = try scratch.write([], "a.mbtiles")
        do {
            let database = try SQLiteDatabase(path, .new)
            try database.execute("BEGIN")
            for statement in Self.schemas[name]?.statements ?? [] { try database.execute(statement) }
            try database.execute("COMMIT")
        }
        // In a process that is ended when it has computed for 20 s.
        await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
            var limit = rlimit(rlim_cur: 20, rlim_max: 20)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0)
            #expect(sentence { _ = try TileArchive.open(path) } == "\(path): \(HostileSchemaTests.schemas[name]?.problem ?? "")")
        }
    }

    /// Actions forbidden in a view, however little work they are.
    @Test(arguments: [
        "SELECT zoom_level + 0 AS zoom_level, tile_column, tile_row, tile_data FROM stored",
        "SELECT zoom_level, tile_column, tile_row, randomblob(1000000000) AS tile_data FROM stored",
        "SELECT DISTINCT zoom_level, tile_column, tile_row, tile_data FROM stored",
        "SELECT * FROM stored UNION SELECT * FROM stored", "SELECT * FROM stored GROUP BY 1", "SELECT * FROM stored LIMIT 1",
        "SELECT * FROM (SELECT * FROM stored)", "SELECT * FROM (stored, stored)", "SELECT * FROM stored a, stored b, stored c",
        "SELECT * FROM stored a JOIN stored b JOIN stored c", "SELECT * FROM stored NATURAL JOIN stored",
        "SELECT * FROM generate_series(1, 9)",
        "SELECT * FROM stored WHERE zoom_level < 3", "SELECT * FROM stored WHERE zoom_level = (SELECT 1)",
        "SELECT * FROM stored ORDER BY 1 + 1",
        "VALUES (1, 2, 3, 4)", "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r) SELECT n AS zoom_level FROM r",
    ])
    func views(selection: String) throws {
        let scratch = ScratchFolder()
        let path = try scratch.write([], "a.mbtiles")
        do {
            let database = try SQLiteDatabase(path, .new)
            for statement in [Self.tile, "CREATE VIEW tiles AS \(selection)"] { try database.execute(statement) }
        }
        #expect(
            sentence { _ = try TileArchive.open(path) }
                == "\(path): the view tiles is not supported: a view must select columns from one table, or from two joined tables")
    }

    @Test func virtualTables() throws {
        let scratch = ScratchFolder()
        let path = try scratch.write([], "a.mbtiles")
        do {
            let database = try SQLiteDatabase(path, .new)
            try database.execute("CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)")
        }
        #expect(
            sentence { _ = try TileArchive.open(path) }
                == "\(path): the table tiles is not supported: it is a virtual table or has generated columns")
    }
}
