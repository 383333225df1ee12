#include "CWaymarkJSON.h"

#include <algorithm>
#include <memory>
#include <new>
#if !__has_include(<simdjson.h>)
#error "the header of simdjson is missing; install libsimdjson-dev (Fedora: simdjson-devel)"
#endif
#include <simdjson.h>

struct wm_json_document {
    simdjson::dom::document document;
};

namespace {

// The limit of simdjson is the first depth that fails.
constexpr size_t depthLimit = WM_JSON_MAX_DEPTH + 1;
// Below this capacity, simdjson grows the parser by itself, and would then set its default depth limit.
constexpr size_t smallestCapacity = 64;

wm_json_status status(simdjson::error_code code) {
    switch (code) {
    case simdjson::SUCCESS: return WM_JSON_OK;
    case simdjson::EMPTY: return WM_JSON_EMPTY;
    case simdjson::UTF8_ERROR: return WM_JSON_UTF8;
    case simdjson::DEPTH_ERROR: return WM_JSON_DEPTH;
    case simdjson::NUMBER_ERROR:
    case simdjson::NUMBER_OUT_OF_RANGE: return WM_JSON_NUMBER;
    case simdjson::CAPACITY: return WM_JSON_CAPACITY;
    case simdjson::MEMALLOC: return WM_JSON_MEMORY;
    default: return WM_JSON_SYNTAX;
    }
}

}

wm_json_status wm_json_parse(const uint8_t *bytes, size_t count, wm_json_document **document) {
    *document = nullptr;
    if (count == 0) return WM_JSON_EMPTY;
    if (count > simdjson::SIMDJSON_MAXSIZE_BYTES) return WM_JSON_CAPACITY;
    try {
        std::unique_ptr<wm_json_document> result(new wm_json_document);
        simdjson::dom::parser parser;
        if (auto error = parser.allocate(std::max(count, smallestCapacity), depthLimit)) return status(error);
        // The parser copies the bytes into its own buffer with simdjson's padding, and is destroyed at the end of this scope.
        if (auto error = parser.parse_into_document(result->document, bytes, count).error()) return status(error);
        *document = result.release();
        return WM_JSON_OK;
    } catch (const std::bad_alloc &) {
        return WM_JSON_MEMORY;
    } catch (...) {
        return WM_JSON_SYNTAX;
    }
}

const uint64_t *wm_json_tape(const wm_json_document *document) {
    return document->document.tape.get();
}

size_t wm_json_tape_count(const wm_json_document *document) {
    // The payload of the first root word is the index after the last one.
    return size_t(document->document.tape[0] & ((uint64_t(1) << 56) - 1));
}

const uint8_t *wm_json_strings(const wm_json_document *document) {
    return document->document.string_buf.get();
}

void wm_json_free(wm_json_document *document) {
    delete document;
}

#define WM_QUOTED(text) #text
#define WM_VALUE_QUOTED(macro) WM_QUOTED(macro)

const char *wm_json_version(void) { return WM_VALUE_QUOTED(SIMDJSON_VERSION); }
