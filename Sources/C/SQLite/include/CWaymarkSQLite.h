// SQLite for Swift, which has no module for SQLite and cannot call the variadic functions that make reading a database safe. Files are not
// trusted: a file may be damaged, or have a malicious schema. Therefore, only simple queries run, each within limits. This module does not
// know the purpose of a database.

#ifndef WAYMARK_SQLITE_H
#define WAYMARK_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An open database. One thread at a time uses it and its statements.
typedef struct wm_sqlite wm_sqlite;
/// A prepared statement of one database.
typedef struct sqlite3_stmt wm_sqlite_statement;

typedef enum wm_sqlite_status {
    /// The call succeeded, or a statement has no more rows.
    WM_SQLITE_DONE,
    /// A row is available.
    WM_SQLITE_ROW,
    /// The file is not a database, or its pages are damaged.
    WM_SQLITE_DAMAGED,
    /// Another connection has locked the database.
    WM_SQLITE_BUSY,
    /// A query takes too many steps, too long or too much memory, or a value is too large.
    WM_SQLITE_LIMIT,
    /// The file system refused; `wm_sqlite_errno` has its error number, or 0.
    WM_SQLITE_SYSTEM,
    /// Any other error, such as a missing table.
    WM_SQLITE_FAILED,
} wm_sqlite_status;

/// The longest value that is read, in bytes.
enum { WM_SQLITE_VALUE_LIMIT = 64 << 20 };

/// Opens a file for reading, as if nothing could change it: without locks and without checking for a journal. Sets `*database` even on
/// failure, so that the message can be read; to NULL only if memory runs out.
///
/// Views, triggers, virtual tables and extensions are disabled. Two kinds of objects in a file can still keep `wm_sqlite_prepare` busy
/// without limit: a view, because SQLite copies everything from which the view selects before it refuses the view, and a table with
/// generated columns. The caller must not name them in a statement.
wm_sqlite_status wm_sqlite_open(const char *path, wm_sqlite **database);

/// Opens an empty file to write a database of Waymark. There is no journal, because an unfinished file is deleted.
wm_sqlite_status wm_sqlite_create(const char *path, wm_sqlite **database);

/// Closes a database whose statements are finalized; NULL is allowed.
wm_sqlite_status wm_sqlite_close(wm_sqlite *database);

/// SQLite's message about the last failed call on this database; valid until the next call.
const char *wm_sqlite_message(wm_sqlite *database);
/// The system's error number of the last failed call; 0 if the system reported no error.
int wm_sqlite_errno(wm_sqlite *database);

/// Runs statements that return no rows.
wm_sqlite_status wm_sqlite_execute(wm_sqlite *database, const char *sql);

/// Prepares one statement. Sets `*statement` to NULL on failure.
wm_sqlite_status wm_sqlite_prepare(wm_sqlite *database, const char *sql, wm_sqlite_statement **statement);
/// Frees a statement; NULL is allowed.
void wm_sqlite_finalize(wm_sqlite_statement *statement);

/// Parameters are numbered from 1. Texts are copied. Bytes are not copied, and must remain valid until the statement is reset.
wm_sqlite_status wm_sqlite_bind_integer(wm_sqlite_statement *statement, int parameter, int64_t value);
wm_sqlite_status wm_sqlite_bind_text(wm_sqlite_statement *statement, int parameter, const char *bytes, size_t count);
wm_sqlite_status wm_sqlite_bind_bytes(wm_sqlite_statement *statement, int parameter, const uint8_t *bytes, size_t count);

/// Advances to the next row: `WM_SQLITE_ROW`, `WM_SQLITE_DONE`, or the reason for a failure.
wm_sqlite_status wm_sqlite_step(wm_sqlite *database, wm_sqlite_statement *statement);
/// Makes a statement ready to run again.
void wm_sqlite_reset(wm_sqlite_statement *statement);

/// Whether a column has a value; false for NULL. Columns are numbered from 0, and a value is valid until the next step.
bool wm_sqlite_has_value(wm_sqlite_statement *statement, int column);
int64_t wm_sqlite_integer(wm_sqlite_statement *statement, int column);
/// The bytes of a blob, or of a text as UTF-8; NULL for an empty value, or if memory runs out. A number is converted to text.
const uint8_t *wm_sqlite_bytes(wm_sqlite_statement *statement, int column, size_t *count);

/// The version of SQLite: "3.40.1".
const char *wm_sqlite_version(void);

#endif
