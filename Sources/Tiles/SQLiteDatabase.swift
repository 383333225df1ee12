import CWaymarkSQLite
import WaymarkSystem

/// An open database with its statements, for one thread at a time.
package final class SQLiteDatabase {
    private let handle: OpaquePointer?

    package enum Access {
        /// A file that is assumed not to change while it is open, but whose content may be malicious.
        case untrusted
        /// An empty file of our own.
        case new
    }

    /// - Throws: `TileError` without a path, like all methods of this class.
    package init(_ path: String, _ access: Access) throws(TileError) {
        var handle: OpaquePointer?
        let status =
            switch access {
            case .untrusted: wm_sqlite_open(path, &handle)
            case .new: wm_sqlite_create(path, &handle)
            }
        self.handle = handle
        try check(status)
    }

    deinit { _ = wm_sqlite_close(handle) }

    package func execute(_ sql: String) throws(TileError) { try check(wm_sqlite_execute(handle, sql)) }

    package func prepare(_ sql: String) throws(TileError) -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(wm_sqlite_prepare(handle, sql, &statement))
        return SQLiteStatement(statement, of: self)
    }

    /// Throws unless a call succeeded.
    fileprivate func check(_ status: wm_sqlite_status) throws(TileError) {
        if status == WM_SQLITE_DONE || status == WM_SQLITE_ROW { return }
        // SQLite quotes the names of tables, which may contain anything.
        let message = String(cString: wm_sqlite_message(handle)).shortMessage
        switch status {
        case WM_SQLITE_LIMIT:
            throw TileError(.tooLarge("reading the database takes too much time or memory, or a value is too long: \(message)"))
        case WM_SQLITE_BUSY: throw TileError(.inUse)
        case WM_SQLITE_SYSTEM:
            let number = wm_sqlite_errno(handle)
            throw number > 0 ? TileError(.cannotRead, errno: number) : .damaged(message)
        default: throw .damaged(message)
        }
    }

    fileprivate func step(_ statement: OpaquePointer?) throws(TileError) -> Bool {
        let status = wm_sqlite_step(handle, statement)
        try check(status)
        return status == WM_SQLITE_ROW
    }
}

/// A prepared statement. It keeps its database alive.
package final class SQLiteStatement {
    private let handle: OpaquePointer?
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer?, of database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { wm_sqlite_finalize(handle) }

    /// Advances to the next row; false after the last one.
    package func next() throws(TileError) -> Bool { try database.step(handle) }

    package func reset() { wm_sqlite_reset(handle) }

    /// Sets parameters, counted from 1.
    package func bind(_ values: Int...) throws(TileError) {
        for (index, value) in values.enumerated() { try database.check(wm_sqlite_bind_integer(handle, CInt(index + 1), Int64(value))) }
    }

    /// Runs the statement with bytes as the parameter with the given number.
    package func run(bytes: [UInt8], as parameter: Int) throws(TileError) {
        var problem: TileError?
        bytes.withUnsafeBufferPointer { bytes in
            do throws(TileError) {
                try database.check(wm_sqlite_bind_bytes(handle, CInt(parameter), bytes.baseAddress, bytes.count))
                _ = try next()
            } catch {
                problem = error
            }
            // The statement only borrows the bytes.
            reset()
        }
        if let problem { throw problem }
    }

    /// Runs the statement with texts as its parameters.
    package func run(texts: [String]) throws(TileError) {
        for (index, text) in texts.enumerated() {
            try database.check(wm_sqlite_bind_text(handle, CInt(index + 1), text, text.utf8.count))
        }
        defer { reset() }
        _ = try next()
    }

    /// A column's integer, counted from 0; nil for NULL.
    package func integer(_ column: Int) -> Int? {
        wm_sqlite_has_value(handle, CInt(column)) ? Int(wm_sqlite_integer(handle, CInt(column))) : nil
    }

    /// A column's bytes as stored; empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] {
        var count = 0
        guard let bytes = wm_sqlite_bytes(handle, CInt(column), &count) else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// The library, for `waymark doctor`.
package enum SQLiteLibrary {
    package static var facts: LibraryFacts {
        LibraryFacts("SQLite", version: String(cString: wm_sqlite_version()), purpose: "MBTiles")
    }
}
