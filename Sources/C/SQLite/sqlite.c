#include "CWaymarkSQLite.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct wm_sqlite {
    sqlite3 *handle;
    /// For the running query, the remaining calls of `is_over`, and the start time.
    int calls_left;
    struct timespec begun;
};

/// The number of SQLite's steps between two checks of the limits. It is small, because a step may copy `WM_SQLITE_VALUE_LIMIT` bytes.
enum { STEPS_BETWEEN = 20 };
/// 40 million steps; a scan of a million rows takes several million. This limit is the same on every machine. The time limit is for slow
/// steps, which copy many bytes.
enum { MOST_CALLS = 2000000 };
enum { MOST_SECONDS = 10 };
/// The memory limit for all connections of the process together. It is needed because the data of sorts and joins are in memory.
static const sqlite3_int64 MOST_MEMORY = (sqlite3_int64)1 << 30;

/// Whether the running query has exceeded its limits.
static int is_over(void *argument) {
    wm_sqlite *database = argument;
    if (--database->calls_left < 0 || sqlite3_memory_used() > MOST_MEMORY) return 1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - database->begun.tv_sec > MOST_SECONDS;
}

static void begin_query(wm_sqlite *database) {
    database->calls_left = MOST_CALLS;
    clock_gettime(CLOCK_MONOTONIC, &database->begun);
}

/// Statements may only read, and compute the smallest and the greatest value.
static int authorize(void *unused, int action, const char *first, const char *second, const char *third, const char *fourth) {
    (void)unused, (void)first, (void)third, (void)fourth;
    if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
    if (action != SQLITE_FUNCTION || second == NULL) return SQLITE_DENY;
    return sqlite3_stricmp(second, "min") == 0 || sqlite3_stricmp(second, "max") == 0 ? SQLITE_OK : SQLITE_DENY;
}

static wm_sqlite_status status_of(int code) {
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_DONE: return WM_SQLITE_DONE;
    case SQLITE_ROW: return WM_SQLITE_ROW;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return WM_SQLITE_DAMAGED;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return WM_SQLITE_BUSY;
    case SQLITE_INTERRUPT:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG: return WM_SQLITE_LIMIT;
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_PERM:
    case SQLITE_READONLY: return WM_SQLITE_SYSTEM;
    default: return WM_SQLITE_FAILED;
    }
}

static wm_sqlite *make(void) {
    return calloc(1, sizeof(wm_sqlite));
}

/// The URI for the path of a file that does not change; NULL if memory runs out.
static char *uri_of(const char *path) {
    static const char prefix[] = "file:", suffix[] = "?immutable=1", digits[] = "0123456789abcdef";
    char *uri = malloc(sizeof prefix + 2 + 3 * strlen(path) + sizeof suffix);
    if (uri == NULL) return NULL;
    char *end = uri + sizeof prefix - 1;
    memcpy(uri, prefix, sizeof prefix - 1);
    // Two slashes at the beginning would be mistaken for the slashes before a host.
    if (path[0] == '/') memcpy(end, "//", 2), end += 2;
    for (; *path != 0; path++) {
        const unsigned char byte = (unsigned char)*path;
        if (byte == '%' || byte == '?' || byte == '#' || byte < 0x20) {
            *end++ = '%', *end++ = digits[byte >> 4], *end++ = digits[byte & 15];
        } else {
            *end++ = *path;
        }
    }
    memcpy(end, suffix, sizeof suffix);
    return uri;
}

static int protect(wm_sqlite *database) {
    static const int limits[][2] = {
        {SQLITE_LIMIT_LENGTH, WM_SQLITE_VALUE_LIMIT}, {SQLITE_LIMIT_SQL_LENGTH, 1 << 16}, {SQLITE_LIMIT_COLUMN, 100},
        {SQLITE_LIMIT_EXPR_DEPTH, 20}, {SQLITE_LIMIT_COMPOUND_SELECT, 10}, {SQLITE_LIMIT_VDBE_OP, 25000}, {SQLITE_LIMIT_FUNCTION_ARG, 8},
        {SQLITE_LIMIT_ATTACHED, 0}, {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50}, {SQLITE_LIMIT_VARIABLE_NUMBER, 10},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    sqlite3 *handle = database->handle;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) sqlite3_limit(handle, limits[i][0], limits[i][1]);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_drop_modules(handle, NULL);
    sqlite3_progress_handler(handle, STEPS_BETWEEN, is_over, database);
    begin_query(database);
    // Without mmap, another program that shortens the file causes an error instead of a fatal signal. Temporary tables count as memory.
    const int code = sqlite3_exec(handle, "PRAGMA mmap_size=0; PRAGMA cell_size_check=1; PRAGMA temp_store=2; PRAGMA query_only=1", NULL, NULL, NULL);
    if (code == SQLITE_OK) sqlite3_set_authorizer(handle, authorize, NULL);
    return code;
}

wm_sqlite_status wm_sqlite_open(const char *path, wm_sqlite **result) {
    char *uri = uri_of(path);
    wm_sqlite *database = *result = uri == NULL ? NULL : make();
    int code = SQLITE_NOMEM;
    if (database != NULL) {
        // The caller ensures that one thread at a time uses the database. A cache shared between connections would need locks again.
        const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
        code = sqlite3_open_v2(uri, &database->handle, flags, NULL);
        if (code == SQLITE_OK) code = protect(database);
    }
    free(uri);
    return status_of(code);
}

wm_sqlite_status wm_sqlite_create(const char *path, wm_sqlite **result) {
    wm_sqlite *database = *result = make();
    if (database == NULL) return WM_SQLITE_LIMIT;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(path, &database->handle, flags, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(database->handle, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL);
    }
    return status_of(code);
}

wm_sqlite_status wm_sqlite_close(wm_sqlite *database) {
    if (database == NULL) return WM_SQLITE_DONE;
    const int code = sqlite3_close_v2(database->handle);
    free(database);
    return status_of(code);
}

const char *wm_sqlite_message(wm_sqlite *database) {
    return database == NULL ? "out of memory" : sqlite3_errmsg(database->handle);
}

int wm_sqlite_errno(wm_sqlite *database) {
    if (database == NULL || database->handle == NULL) return 0;
    // SQLite has a code for a full disk, and reports no error number of the system.
    return sqlite3_errcode(database->handle) == SQLITE_FULL ? ENOSPC : sqlite3_system_errno(database->handle);
}

wm_sqlite_status wm_sqlite_execute(wm_sqlite *database, const char *sql) {
    begin_query(database);
    return status_of(sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
}

wm_sqlite_status wm_sqlite_prepare(wm_sqlite *database, const char *sql, wm_sqlite_statement **statement) {
    begin_query(database);
    *statement = NULL;
    return status_of(sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL));
}

void wm_sqlite_finalize(wm_sqlite_statement *statement) {
    sqlite3_finalize(statement);
}

wm_sqlite_status wm_sqlite_bind_integer(wm_sqlite_statement *statement, int parameter, int64_t value) {
    return status_of(sqlite3_bind_int64(statement, parameter, value));
}

wm_sqlite_status wm_sqlite_bind_text(wm_sqlite_statement *statement, int parameter, const char *bytes, size_t count) {
    return status_of(sqlite3_bind_text64(statement, parameter, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8));
}

wm_sqlite_status wm_sqlite_bind_bytes(wm_sqlite_statement *statement, int parameter, const uint8_t *bytes, size_t count) {
    return status_of(sqlite3_bind_blob64(statement, parameter, bytes, count, SQLITE_STATIC));
}

wm_sqlite_status wm_sqlite_step(wm_sqlite *database, wm_sqlite_statement *statement) {
    // The limits apply to the query as a whole, not to each of its rows.
    if (!sqlite3_stmt_busy(statement)) begin_query(database);
    return status_of(sqlite3_step(statement));
}

void wm_sqlite_reset(wm_sqlite_statement *statement) {
    // The call returns the error of the last step again.
    sqlite3_reset(statement);
}

bool wm_sqlite_has_value(wm_sqlite_statement *statement, int column) {
    return sqlite3_column_type(statement, column) != SQLITE_NULL;
}

int64_t wm_sqlite_integer(wm_sqlite_statement *statement, int column) {
    return sqlite3_column_int64(statement, column);
}

const uint8_t *wm_sqlite_bytes(wm_sqlite_statement *statement, int column, size_t *count) {
    // The value is read before its length, because reading may convert it, for example from UTF-16, which changes the length.
    const bool is_text = sqlite3_column_type(statement, column) == SQLITE_TEXT;
    const uint8_t *bytes = is_text ? sqlite3_column_text(statement, column) : sqlite3_column_blob(statement, column);
    *count = bytes == NULL ? 0 : (size_t)sqlite3_column_bytes(statement, column);
    return bytes;
}

const char *wm_sqlite_version(void) { return sqlite3_libversion(); }
