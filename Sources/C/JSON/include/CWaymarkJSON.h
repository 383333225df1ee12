/// simdjson's parser for Swift. simdjson is C++ with templates and inline classes, which Swift cannot call without C++ interoperability, so
/// this module parses and hands out simdjson's two buffers; Swift walks them without another call.
///
/// The module does not locate errors (simdjson does not know their position), read files or skip a byte order mark.
#ifndef CWAYMARK_JSON_H
#define CWAYMARK_JSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a parse.
typedef enum wm_json_status {
    WM_JSON_OK = 0,
    /// No bytes, or only white space.
    WM_JSON_EMPTY,
    /// Not JSON, or cut off.
    WM_JSON_SYNTAX,
    /// Not UTF-8.
    WM_JSON_UTF8,
    /// More than WM_JSON_MAX_DEPTH nested objects and arrays.
    WM_JSON_DEPTH,
    /// A malformed number, one too large for a double, or an integer that does not fit 64 bits (simdjson reports all three by one code).
    WM_JSON_NUMBER,
    /// More than 4 GiB.
    WM_JSON_CAPACITY,
    WM_JSON_MEMORY,
} wm_json_status;

/// The deepest nesting that parses. An empty array or object at the bottom is not counted.
enum { WM_JSON_MAX_DEPTH = 1000 };

/// A parsed document: owns its buffers, which stay where they are until it is freed.
typedef struct wm_json_document wm_json_document;

/// Parses `count` bytes, which need no padding and are not needed afterwards. Sets `*document`, which the caller frees, on WM_JSON_OK, and
/// to NULL otherwise. Reentrant.
wm_json_status wm_json_parse(const uint8_t *bytes, size_t count, wm_json_document **document);

/// simdjson's tape, as described in its doc/tape.md: words with a type in the top 8 bits and a payload in the lower 56.
const uint64_t *wm_json_tape(const wm_json_document *document);

/// The number of words of the tape, including the two root words at its ends.
size_t wm_json_tape_count(const wm_json_document *document);

/// simdjson's strings, unescaped: at the offset in a string's payload, four bytes of length (little endian), then UTF-8, then a zero.
const uint8_t *wm_json_strings(const wm_json_document *document);

/// Frees a document; NULL is allowed.
void wm_json_free(wm_json_document *document);

/// The version of simdjson: "3.0.1".
const char *wm_json_version(void);

#ifdef __cplusplus
}
#endif

#endif
