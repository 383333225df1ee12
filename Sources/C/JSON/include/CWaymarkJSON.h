/// simdjson's parser for Swift. simdjson is C++ with templates and inline classes, which Swift cannot call without C++ interoperability, so
/// this module parses a text and returns the two buffers of simdjson. Swift reads the buffers without further calls.
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
    /// The text is empty, or only white space.
    WM_JSON_EMPTY,
    /// The text is not JSON, or truncated.
    WM_JSON_SYNTAX,
    /// The text is not UTF-8.
    WM_JSON_UTF8,
    /// There are more than WM_JSON_MAX_DEPTH nested objects and arrays.
    WM_JSON_DEPTH,
    /// A number is malformed or too large for a double, or an integer does not fit in 64 bits. simdjson has one code for all three.
    WM_JSON_NUMBER,
    /// The text is longer than 4 GiB.
    WM_JSON_CAPACITY,
    WM_JSON_MEMORY,
} wm_json_status;

/// The maximum nesting depth. An empty array or object at the innermost level is not counted.
enum { WM_JSON_MAX_DEPTH = 1000 };

/// A parsed document. It owns its buffers, which do not move until it is freed.
typedef struct wm_json_document wm_json_document;

/// Parses `count` bytes, which need no padding and are not needed afterwards. On WM_JSON_OK, sets `*document`, which the caller frees;
/// otherwise sets it to NULL. Reentrant.
wm_json_status wm_json_parse(const uint8_t *bytes, size_t count, wm_json_document **document);

/// simdjson's tape, as described in its doc/tape.md: words with a type in the top 8 bits and a payload in the lower 56 bits.
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
