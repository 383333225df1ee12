/// The tables and views of a database that is not trusted, as its schema describes them.
struct SQLSchema {
    private var tables: [String: String] = [:]
    private var views: [String: String] = [:]

    /// More tables, views and indexes than any archive has. SQLite compares each index of a table with the others.
    private static let objectLimit = 1000

    /// Reads the schema. SQLite has then parsed it, and checked that names and types are those in the texts, but looked at the content of no view.
    init(_ database: SQLiteDatabase) throws(TileError) {
        let rows = try database.prepare("SELECT type, name, sql FROM sqlite_master LIMIT \(Self.objectLimit + 1)")
        var count = 0
        while try rows.next() {
            count += 1
            guard count <= Self.objectLimit else {
                throw TileError(.tooLarge("it has more than \(Self.objectLimit) tables, views and indexes"))
            }
            guard let name = Self.key(rows.text(1)) else { continue }
            switch rows.text(0) {
            case "table": tables[name] = rows.text(2)
            case "view": views[name] = rows.text(2)
            default: break
            }
        }
    }

    /// The table of a name, or what its view selects, to be read in a FROM clause; nil if there is neither.
    /// - Throws: `unsupportedSchema` if reading it could take SQLite any amount of work.
    func source(_ name: String) throws(TileError) -> String? {
        if let sql = tables[name] {
            guard Self.isPlain(sql) else { throw Self.refusal("table", name, "only tables that store all their columns are") }
            return name
        }
        guard let view = views[name] else { return nil }
        guard let selection = SQLSelection(ofView: view) else {
            throw Self.refusal("view", name, "only a view that selects columns of one table, or of two that it joins, is")
        }
        for table in selection.tables {
            guard let sql = Self.key(table).flatMap({ tables[$0] }) else {
                throw Self.refusal("view", name, "it selects from something that is not a table")
            }
            guard Self.isPlain(sql) else { throw Self.refusal("view", name, "it selects from a table that does not store all its columns") }
        }
        return "(\(selection.sql))"
    }
}

private extension SQLSchema {
    /// A name in the lower case that SQLite compares; nil with letters beyond ASCII, of which SQLite and Swift disagree which are equal.
    static func key(_ name: String) -> String? { name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : nil }

    static func refusal(_ type: String, _ name: String, _ reason: String) -> TileError {
        TileError(.unsupportedSchema("its \(type) \(name) is not read: \(reason)"))
    }

    /// Whether a table stores what its columns hold. A virtual table runs a program, and a generated column is computed wherever it is read, with all
    /// that it is computed from: so twice as much with each column that names the one before it twice.
    static func isPlain(_ sql: String) -> Bool {
        var tokens = SQLTokens(sql)
        guard tokens.skip("CREATE"), tokens.skip("TABLE") else { return false }
        var depth = 0
        while let token = tokens.next {
            if token == .symbol(UInt8(ascii: "(")) { depth += 1 }
            if token == .symbol(UInt8(ascii: ")")) { depth -= 1 }
            // Between the parentheses of a column there may be a CAST; the columns themselves have the word for this alone.
            if case .word(let word) = token, depth == 1, word.uppercased() == "AS" { return false }
            tokens.advance()
        }
        return true
    }
}
