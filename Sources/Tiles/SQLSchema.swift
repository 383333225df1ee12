/// The tables and views of an untrusted database, according to its schema.
struct SQLSchema {
    private var tables: [String: String] = [:]
    private var views: [String: String] = [:]

    /// The maximum number of tables, views and indexes, which is more than any archive contains. SQLite compares each index of a table
    /// with the others.
    private static let objectLimit = 1000

    /// Reads the schema. In doing so, SQLite parses it and checks that names and types match the texts, but does not examine the content
    /// of views.
    init(_ database: SQLiteDatabase) throws(TileError) {
        let rows = try database.prepare("SELECT type, name, sql FROM sqlite_master LIMIT \(Self.objectLimit + 1)")
        var count = 0
        while try rows.next() {
            count += 1
            guard count <= Self.objectLimit else {
                throw TileError(.tooLarge("the database has more than \(Self.objectLimit) tables, views and indexes"))
            }
            guard let name = Self.key(rows.text(1)) else { continue }
            switch rows.text(0) {
            case "table": tables[name] = rows.text(2)
            case "view": views[name] = rows.text(2)
            default: break
            }
        }
    }

    /// The table with a name, or the selection of the view with that name, for a FROM clause; nil for neither.
    /// - Throws: `unsupportedSchema` if reading it could keep SQLite busy without limit.
    func source(_ name: String) throws(TileError) -> String? {
        if let sql = tables[name] {
            guard Self.isPlain(sql) else { throw Self.refusal("table", name, "it is a virtual table or has generated columns") }
            return name
        }
        guard let view = views[name] else { return nil }
        guard let selection = SQLSelection(ofView: view) else {
            throw Self.refusal("view", name, "a view must select columns from one table, or from two joined tables")
        }
        for table in selection.tables {
            guard let sql = Self.key(table).flatMap({ tables[$0] }) else {
                throw Self.refusal("view", name, "it selects from something that is not a table")
            }
            guard Self.isPlain(sql) else {
                throw Self.refusal("view", name, "it selects from a virtual table, or from a table with generated columns")
            }
        }
        return "(\(selection.sql))"
    }
}

private extension SQLSchema {
    /// A name in the lower case that SQLite compares. Nil for names with letters beyond ASCII, which SQLite and Swift compare differently.
    static func key(_ name: String) -> String? { name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : nil }

    static func refusal(_ type: String, _ name: String, _ reason: String) -> TileError {
        TileError(.unsupportedSchema("the \(type) \(name) is not supported: \(reason)"))
    }

    /// Whether a table stores all its columns. A virtual table runs a program. A generated column is computed on every read, together with
    /// everything that it depends on, so the cost doubles with each column that names the previous one twice.
    static func isPlain(_ sql: String) -> Bool {
        var tokens = SQLTokens(sql)
        guard tokens.skip("CREATE"), tokens.skip("TABLE") else { return false }
        var depth = 0
        while let token = tokens.next {
            if token == .symbol(UInt8(ascii: "(")) { depth += 1 }
            if token == .symbol(UInt8(ascii: ")")) { depth -= 1 }
            // CAST may occur between the parentheses of a column, but at the level of the columns, AS occurs only in generated ones.
            if case .word(let word) = token, depth == 1, word.uppercased() == "AS" { return false }
            tokens.advance()
        }
        return true
    }
}
