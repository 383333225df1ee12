// Creates databases of tiles, and reads them complete, truncated and damaged at random, as Swift reads them.

#include "CWaymarkSQLite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t seed = 1;

static uint32_t random_below(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static void fail(const char *what, wm_sqlite *database) {
    fprintf(stderr, "%s: %s\n", what, database == NULL ? "" : wm_sqlite_message(database));
    exit(1);
}

static volatile uint32_t sum;

/// Reads every byte of a column, so that data outside of its block are detected.
static void take(wm_sqlite_statement *statement, int column) {
    size_t count = 0;
    const uint8_t *bytes = wm_sqlite_bytes(statement, column, &count);
    if (count > WM_SQLITE_VALUE_LIMIT) fail("a value exceeds the limit", NULL);
    if (bytes == NULL && count > 0) fail("bytes were returned without a pointer", NULL);
    for (size_t i = 0; i < count; i++) sum += bytes[i];
    sum += (uint32_t)wm_sqlite_integer(statement, column) + wm_sqlite_has_value(statement, column);
}

/// Runs a query to its end, for at most some rows. Returns whether it reached the end, and sets the number of rows.
static bool query(wm_sqlite *database, const char *sql, int columns, int zoom, int *rows) {
    wm_sqlite_statement *statement = NULL;
    wm_sqlite_status status = wm_sqlite_prepare(database, sql, &statement);
    if (status != WM_SQLITE_DONE) {
        if (statement != NULL) fail("a refused statement was returned", database);
        if (wm_sqlite_message(database)[0] == 0) fail("refused without a message", database);
        return false;
    }
    if (zoom >= 0) {
        wm_sqlite_bind_integer(statement, 1, zoom);
        wm_sqlite_bind_integer(statement, 2, random_below(8));
        wm_sqlite_bind_integer(statement, 3, random_below(8));
    }
    for (*rows = 0; *rows < 1000 && (status = wm_sqlite_step(database, statement)) == WM_SQLITE_ROW; ++*rows) {
        for (int column = 0; column < columns; column++) take(statement, column);
    }
    wm_sqlite_reset(statement);
    wm_sqlite_finalize(statement);
    return status == WM_SQLITE_DONE || status == WM_SQLITE_ROW;
}

/// Reads a database whole; its tiles are selected from a table, or from what `source` says.
static bool read_all(const char *path, const char *source, int *tiles) {
    char lowest[512], first[512], tile[512];
    snprintf(lowest, sizeof lowest, "SELECT min(zoom_level) FROM %s", source);
    snprintf(first, sizeof first, "SELECT tile_data FROM %s LIMIT 1", source);
    snprintf(tile, sizeof tile, "SELECT tile_data FROM %s WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1", source);
    wm_sqlite *database = NULL;
    bool is_fine = wm_sqlite_open(path, &database) == WM_SQLITE_DONE;
    if (database == NULL) fail("out of memory", NULL);
    int rows = 0;
    if (is_fine) {
        is_fine = query(database, "SELECT type, name, sql FROM sqlite_master LIMIT 1001", 3, -1, &rows);
        is_fine &= query(database, "SELECT name, value FROM metadata LIMIT 1000", 2, -1, &rows);
        is_fine &= query(database, lowest, 1, -1, &rows);
        is_fine &= query(database, first, 1, -1, &rows);
        *tiles = 0;
        for (int round = 0; round < 20; round++) {
            if (query(database, tile, 1, 3, &rows)) *tiles += rows; else is_fine = false;
        }
    }
    sum += (uint32_t)wm_sqlite_errno(database);
    wm_sqlite_close(database);
    return is_fine;
}

static void write_file(const char *path, const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || (count > 0 && fwrite(bytes, 1, count, file) != count) || fclose(file) != 0) fail(path, NULL);
}

static void make(const char *path, const char *schema) {
    write_file(path, NULL, 0);
    wm_sqlite *database = NULL;
    if (wm_sqlite_create(path, &database) != WM_SQLITE_DONE || wm_sqlite_execute(database, schema) != WM_SQLITE_DONE) fail("create", database);
    const char *names = "CREATE TABLE metadata (name TEXT, value TEXT); INSERT INTO metadata VALUES ('name', 'Test'), ('format', 'png'), (NULL, 7)";
    if (wm_sqlite_execute(database, names) != WM_SQLITE_DONE || wm_sqlite_execute(database, "BEGIN") != WM_SQLITE_DONE) fail("names", database);
    wm_sqlite_statement *insert = NULL;
    if (wm_sqlite_prepare(database, "INSERT INTO images VALUES (?1, ?2, ?3, ?4)", &insert) != WM_SQLITE_DONE) fail("insert", database);
    for (int tile = 0; tile < 64; tile++) {
        uint8_t bytes[6000];
        const size_t count = 1 + random_below(tile % 8 == 0 ? sizeof bytes : 60);
        for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)random_below(256);
        wm_sqlite_bind_integer(insert, 1, 3), wm_sqlite_bind_integer(insert, 2, tile % 8), wm_sqlite_bind_integer(insert, 3, tile / 8);
        const wm_sqlite_status bound = tile % 5 == 0 ? wm_sqlite_bind_text(insert, 4, "text", 4) : wm_sqlite_bind_bytes(insert, 4, bytes, count);
        if (bound != WM_SQLITE_DONE || wm_sqlite_step(database, insert) != WM_SQLITE_DONE) fail("tile", database);
        wm_sqlite_reset(insert);
    }
    wm_sqlite_finalize(insert);
    if (wm_sqlite_execute(database, "COMMIT") != WM_SQLITE_DONE || wm_sqlite_close(database) != WM_SQLITE_DONE) fail("commit", NULL);
}

/// Views that each read the one before it twice are refused, and at the first of them, with a fraction of the work of reading them.
static void refuse_views(const char *path) {
    make(path, "CREATE TABLE images (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)");
    wm_sqlite *database = NULL;
    if (wm_sqlite_create(path, &database) != WM_SQLITE_DONE) fail("open", database);
    if (wm_sqlite_execute(database, "CREATE VIEW v0 AS SELECT * FROM images") != WM_SQLITE_DONE) fail("view", database);
    for (int level = 1; level <= 40; level++) {
        char view[512];
        snprintf(view, sizeof view, "CREATE VIEW v%d AS SELECT (SELECT zoom_level FROM v%d) + (SELECT zoom_level FROM v%d) AS zoom_level",
                 level, level - 1, level - 1);
        if (wm_sqlite_execute(database, view) != WM_SQLITE_DONE) fail("view", database);
    }
    if (wm_sqlite_close(database) != WM_SQLITE_DONE || wm_sqlite_open(path, &database) != WM_SQLITE_DONE) fail("open", database);
    const clock_t begun = clock();
    for (int level = 0; level <= 40; level++) {
        char sql[64];
        int rows = 0;
        snprintf(sql, sizeof sql, "SELECT min(zoom_level) FROM v%d", level);
        if (query(database, sql, 1, -1, &rows)) fail("a view was read that should be refused", database);
    }
    if (clock() - begun > 5 * CLOCKS_PER_SEC) fail("views were read before they were refused", NULL);
    wm_sqlite_close(database);
}

int main(int count, char **arguments) {
    if (count != 3) return 1;
    const int rounds = atoi(arguments[2]);
    static const struct { const char *schema, *source; } layouts[] = {
        {"CREATE TABLE images (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)",
         "(SELECT a.zoom_level, a.tile_column, a.tile_row, b.tile_data FROM images a JOIN images b ON a.tile_column = b.tile_row AND a.tile_row = b.tile_column)"},
        {"CREATE TABLE images (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);"
         "CREATE UNIQUE INDEX place ON images (zoom_level, tile_column, tile_row)",
         "images"},
        {"CREATE TABLE images (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row))"
         " WITHOUT ROWID",
         "(SELECT zoom_level, tile_column, tile_row, tile_data FROM images)"},
    };
    char path[4096], damaged_path[4096];
    snprintf(path, sizeof path, "%s/whole.mbtiles", arguments[1]);
    snprintf(damaged_path, sizeof damaged_path, "%s/damaged.mbtiles", arguments[1]);
    unsigned long tried = 0, accepted = 0;
    refuse_views(path);
    for (size_t layout = 0; layout < sizeof layouts / sizeof *layouts; layout++) {
        make(path, layouts[layout].schema);
        const char *source = layouts[layout].source;
        int tiles = 0;
        if (!read_all(path, source, &tiles) || tiles == 0) fail("an undamaged database was refused", NULL);
        static uint8_t whole[1 << 20], bytes[1 << 20];
        FILE *file = fopen(path, "rb");
        const size_t length = file == NULL ? 0 : fread(whole, 1, sizeof whole, file);
        if (length == 0 || length == sizeof whole || fclose(file) != 0) fail("size", NULL);
        for (int round = 0; round < rounds; round++) {
            memcpy(bytes, whole, length);
            size_t size = length;
            for (uint32_t changes = 1 + random_below(6); changes > 0; changes--) {
                // The data besides tiles are at the beginnings and ends of pages.
                const size_t page = 4096 * random_below((uint32_t)(length / 4096));
                size_t at = random_below(3) == 0 ? random_below((uint32_t)length) : page + (random_below(2) ? random_below(200) : 4095 - random_below(400));
                if (at < 16) at += 16;
                static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0x81, 0xff};
                bytes[at] = random_below(2) ? (uint8_t)random_below(256) : values[random_below(sizeof values)];
            }
            if (random_below(8) == 0) size = 16 + random_below((uint32_t)length - 16);
            write_file(damaged_path, bytes, size);
            accepted += read_all(damaged_path, source, &tiles);
            tried++;
        }
    }
    printf("%zu databases, %lu damaged copies, %lu of them read without an error\n", sizeof layouts / sizeof *layouts, tried, accepted);
    return 0;
}
