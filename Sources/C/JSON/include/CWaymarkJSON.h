/// simdjson's parser for Swift. simdjson is C++ with templates and inline classes, which Swift cannot call without C++ interoperability,
/// so this room parses and hands out simdjson's two buffers; Swift walks them without another call.
///
/// The room does not say where an error is (simdjson does not know), does not read files and does not skip a byte order mark.
#ifndef CWAYMARK_JSON_H
#define CWAYMARK_JSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a parse.
typedef enum wm_json_status {
    WM_JSON_OK = 0,
    /// No bytes, or only white space.
    WM_JSON_EMPTY,
    /// Not JSON, or cut off.
    WM_JSON_SYNTAX,
    /// Not UTF-8.
    WM_JSON_UTF8,
    /// More than WM_JSON_MAX_DEPTH objects and arrays in one another.
    WM_JSON_DEPTH,
    /// A malformed number, one too large for a double, or an integer that does not fit 64 bits (simdjson tells these by one code).
    WM_JSON_NUMBER,
    /// More than 4 GiB.
    WM_JSON_CAPACITY,
    WM_JSON_MEMORY,
} wm_json_status;

/// The deepest nesting that parses. An empty array or object at the bottom is not counted.
enum { WM_JSON_MAX_DEPTH = 1000 };

/// A parsed document: owns its buffers, which stay where they are until it is freed.
typedef struct wm_json_document wm_json_document;

/// Parses `count` bytes, which need no padding and are not needed afterwards. Sets `*document` on WM_JSON_OK, to be freed by the
/// caller, and to NULL otherwise. Reentrant.
wm_json_status wm_json_parse(const uint8_t *bytes, size_t count, wm_json_document **document);

/// simdjson's tape, as its doc/tape.md describes it: words of a type in the top 8 bits and a payload in the lower 56.
const uint64_t *wm_json_tape(const wm_json_document *document);

/// The words of the tape, the two root words at its ends included.
size_t wm_json_tape_count(const wm_json_document *document);

/// simdjson's strings, unescaped: at the offset of a string's payload four bytes of length (little endian), then UTF-8, then a zero.
const uint8_t *wm_json_strings(const wm_json_document *document);

/// Frees a document; NULL is fine.
void wm_json_free(wm_json_document *document);

/// The version of simdjson: "3.0.1".
const char *wm_json_version(void);

#ifdef __cplusplus
}
#endif

#endif
