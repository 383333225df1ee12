/// The tables and views of a database that is not trusted, as its schema describes them.
struct SQLSchema {
    private var tables: [String: String] = [:]
    private var views: [String: String] = [:]

    /// More tables, views and indexes than any archive has. SQLite compares each index of a table with the others.
    private static let objectLimit = 1000

    /// Reads the schema. SQLite has then parsed it, but looked at the content of no view.
    init(_ database: SQLiteDatabase) throws(TileError) {
        let rows = try database.prepare("SELECT type, name, sql FROM sqlite_master LIMIT \(Self.objectLimit + 1)")
        var count = 0
        while try rows.next() {
            count += 1
            guard count <= Self.objectLimit else {
                throw TileError(.tooLarge("it has more than \(Self.objectLimit) tables, views and indexes"))
            }
            try read(type: rows.text(0), name: rows.text(1).lowercased(), sql: rows.text(2))
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
            guard let sql = tables[table.lowercased()] else { throw Self.refusal("view", name, "it selects from what is not a table") }
            guard Self.isPlain(sql) else { throw Self.refusal("view", name, "it selects from a table that does not store all its columns") }
        }
        return "(\(selection.sql))"
    }
}

private extension SQLSchema {
    static func refusal(_ type: String, _ name: String, _ reason: String) -> TileError {
        TileError(.unsupportedSchema("its \(type) \(name) is not read: \(reason)"))
    }

    /// Notes what a row of the schema creates. SQLite goes by its text alone and ignores what its columns say, so the two must agree.
    mutating func read(type: String, name: String, sql: String) throws(TileError) {
        // An index that comes with its table has no text.
        guard !sql.isEmpty else { return }
        var tokens = SQLTokens(sql)
        var isRight = tokens.skip("CREATE")
        switch type {
        case "table":
            if tokens.skip("VIRTUAL") {
                isRight = isRight && tokens.skip("TABLE") && tokens.name()?.lowercased() == name && tokens.skip("USING")
            } else {
                isRight = isRight && tokens.skip("TABLE") && tokens.name()?.lowercased() == name && tokens.skip(symbol: "(")
            }
            isRight = isRight && tables.updateValue(sql, forKey: name) == nil && views[name] == nil
        case "view":
            isRight = isRight && tokens.skip("VIEW") && tokens.name()?.lowercased() == name && (tokens.skip("AS") || tokens.skip(symbol: "("))
            isRight = isRight && views.updateValue(sql, forKey: name) == nil && tables[name] == nil
        case "index":
            _ = tokens.skip("UNIQUE")
            isRight = isRight && tokens.skip("INDEX")
        case "trigger": isRight = isRight && tokens.skip("TRIGGER")
        default: isRight = false
        }
        guard isRight else { throw .damaged("its schema contradicts itself") }
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
