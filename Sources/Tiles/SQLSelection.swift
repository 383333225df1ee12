/// A view that only selects columns of one table, or of two joined tables. Programs that store equal tiles once write such a view.
///
/// SQLite copies a view into every place that names it before any limit on its work applies, so ten lines of views that name each other
/// twice keep it busy for minutes. SQLite therefore never receives a view from a file, but only a text that is made here from the parsed
/// view.
struct SQLSelection {
    /// The SELECT, with all names in quotation marks.
    private(set) var sql = "SELECT"
    /// The one or two tables that the view reads.
    private(set) var tables: [String] = []

    private var tokens: SQLTokens
    private var isUnderstood = true

    /// - Parameter view: The text that created the view: "CREATE VIEW tiles AS SELECT …".
    /// - Returns: Nil if the view does anything else.
    init?(ofView view: String) {
        tokens = SQLTokens(view)
        guard tokens.skip("CREATE"), tokens.skip("VIEW"), tokens.name() != nil, tokens.skip("AS"), tokens.skip("SELECT") else { return nil }
        readColumns()
        readTables()
        // The order of rows does not affect the queries.
        if tokens.skip("ORDER"), tokens.skip("BY") { skipOrder() }
        guard isUnderstood, tokens.next == nil else { return nil }
    }
}

private extension SQLSelection {
    /// Keywords after the name of a table that are not its alias.
    static let keywordsBehindTables: Set<String> = [
        "JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL", "ON", "USING", "WHERE", "ORDER",
    ]

    @discardableResult
    mutating func appendName() -> String {
        guard let name = tokens.name() else {
            isUnderstood = false
            return ""
        }
        // Double quotation marks are not used, because SQLite treats an unknown name in them as a text.
        sql += "`\(name.replacing("`", with: "``"))`"
        return name
    }

    /// `name` or `table.name`; also `*` and `table.*` where they are allowed.
    mutating func appendColumn(orAll: Bool = false) {
        if orAll, tokens.skip(symbol: "*") {
            sql += "*"
            return
        }
        appendName()
        guard tokens.skip(symbol: ".") else { return }
        sql += "."
        if orAll, tokens.skip(symbol: "*") { sql += "*" } else { appendName() }
    }

    mutating func readColumns() {
        var separator = " "
        repeat {
            sql += separator
            separator = ", "
            appendColumn(orAll: true)
            if tokens.skip("AS") {
                sql += " AS "
                appendName()
            }
        } while isUnderstood && tokens.skip(symbol: ",")
    }

    mutating func readTables() {
        isUnderstood = isUnderstood && tokens.skip("FROM")
        sql += " FROM "
        appendTable()
        if tokens.skip(symbol: ",") {
            sql += ", "
            appendTable()
        } else if let join = joinOperator() {
            sql += join
            appendTable()
            readJoinCondition()
        }
        if tokens.skip("WHERE") {
            sql += " WHERE "
            appendCondition()
        }
    }

    /// A table with its alias, if any.
    mutating func appendTable() {
        tables.append(appendName())
        if !tokens.skip("AS") {
            switch tokens.next {
            case .word(let word) where Self.keywordsBehindTables.contains(word.uppercased()): return
            case .word, .quoted: break
            case .number, .symbol, nil: return
            }
        }
        sql += " AS "
        appendName()
    }

    mutating func joinOperator() -> String? {
        if tokens.skip("JOIN") { return " JOIN " }
        for kind in ["INNER", "CROSS", "LEFT"] where tokens.skip(kind) {
            if kind == "LEFT" { _ = tokens.skip("OUTER") }
            isUnderstood = isUnderstood && tokens.skip("JOIN")
            return " \(kind) JOIN "
        }
        return nil
    }

    mutating func readJoinCondition() {
        if tokens.skip("ON") {
            sql += " ON "
            appendCondition()
        } else if tokens.skip("USING") {
            isUnderstood = isUnderstood && tokens.skip(symbol: "(")
            var separator = " USING ("
            repeat {
                sql += separator
                separator = ", "
                appendName()
            } while isUnderstood && tokens.skip(symbol: ",")
            isUnderstood = isUnderstood && tokens.skip(symbol: ")")
            sql += ")"
        }
    }

    /// Conditions that compare columns for equality, joined by AND.
    mutating func appendCondition() {
        var separator = ""
        repeat {
            sql += separator
            separator = " AND "
            let isInParentheses = tokens.skip(symbol: "(")
            appendColumn()
            isUnderstood = isUnderstood && tokens.skip(symbol: "=")
            _ = tokens.skip(symbol: "=")
            sql += " = "
            appendColumn()
            if isInParentheses { isUnderstood = isUnderstood && tokens.skip(symbol: ")") }
        } while isUnderstood && tokens.skip("AND")
    }

    mutating func skipOrder() {
        repeat {
            let written = sql
            appendColumn()
            sql = written
            if !tokens.skip("ASC") { _ = tokens.skip("DESC") }
        } while isUnderstood && tokens.skip(symbol: ",")
    }
}
