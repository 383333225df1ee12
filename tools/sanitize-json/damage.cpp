// Parses each text complete, truncated at every byte, and damaged at random. Truncated texts must be refused, parsed documents must be
// walkable within their buffers, and nothing may trip a sanitizer.

#include "CWaymarkJSON.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

uint64_t seed = 1;

uint32_t randomBelow(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return uint32_t(seed >> 33) % bound;
}

[[noreturn]] void fail(const char *problem, const std::string &text) {
    std::fprintf(stderr, "%s: %.200s\n", problem, text.c_str());
    std::exit(1);
}

// Reads every word of the tape and every byte of every string, so that pointers outside of their blocks are detected.
void walk(const wm_json_document *document, const std::string &text) {
    const uint64_t *tape = wm_json_tape(document);
    const uint8_t *strings = wm_json_strings(document);
    size_t count = wm_json_tape_count(document);
    if (count < 3 || tape[0] >> 56 != 'r' || tape[count - 1] >> 56 != 'r') fail("the tape has no roots", text);
    static volatile uint32_t sum;
    size_t depth = 0;
    for (size_t at = 1; at + 1 < count; at++) {
        uint64_t payload = tape[at] & ((uint64_t(1) << 56) - 1);
        switch (char(tape[at] >> 56)) {
        case '{':
        case '[':
            if (++depth > WM_JSON_MAX_DEPTH + 1) fail("the document is deeper than the limit", text);
            if ((payload & 0xffffffff) <= at || (payload & 0xffffffff) > count - 1) fail("a bracket closes outside the tape", text);
            break;
        case '}':
        case ']':
            depth--;
            if (payload >= at) fail("a bracket opens outside the tape", text);
            break;
        case '"': {
            uint32_t length;
            std::memcpy(&length, strings + payload, sizeof length);
            for (uint32_t i = 0; i < length; i++) sum = sum + strings[payload + 4 + i];
            if (strings[payload + 4 + length] != 0) fail("a string has no terminating zero", text);
            break;
        }
        case 'l':
        case 'u':
        case 'd': at++; break;  // the number itself is the next word
        case 't':
        case 'f':
        case 'n': break;
        default: fail("the tape has an unknown word", text);
        }
    }
    if (depth != 0) fail("a closing bracket is missing", text);
}

bool parse(const std::string &text) {
    // A copy in a block of exactly its length, so that reading one byte too far is detected.
    std::vector<uint8_t> bytes(text.begin(), text.end());
    bytes.shrink_to_fit();
    auto *document = reinterpret_cast<wm_json_document *>(8);
    wm_json_status status = wm_json_parse(bytes.data(), bytes.size(), &document);
    if ((status == WM_JSON_OK) != (document != nullptr)) fail("the status does not match the document", text);
    if (document == nullptr) return false;
    // As documented, the bytes are not needed any more.
    std::fill(bytes.begin(), bytes.end(), uint8_t(0xff));
    bytes.clear();
    bytes.shrink_to_fit();
    walk(document, text);
    wm_json_free(document);
    return true;
}

std::string damaged(std::string text) {
    for (uint32_t changes = 1 + randomBelow(4); changes > 0 && !text.empty(); changes--) {
        uint32_t at = randomBelow(uint32_t(text.size()));
        switch (randomBelow(4)) {
        case 0: text[at] = char(text[at] ^ (1 + randomBelow(255))); break;
        case 1: text.insert(at, 1, "[]{}\",:\\0-.eE\xff\xc3 \n\0"[randomBelow(19)]); break;
        case 2: text.erase(at, 1 + randomBelow(8)); break;
        default: text.insert(at, text.substr(randomBelow(uint32_t(text.size())), randomBelow(64))); break;
        }
    }
    return text;
}

std::string nested(size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
}

}

int main(int count, char **arguments) {
    int rounds = count > 1 ? std::atoi(arguments[1]) : 2000;
    std::string points = R"({"type":"FeatureCollection","features":[)";
    for (int i = 0; i < 24; i++) {
        if (i > 0) points += ",\n";
        points += R"({"type":"Feature","id":)" + std::to_string(i) + R"(,"properties":{"name":"Zürich \u4e0a\u6d77 \ud83d\udccd"},)"
            + R"("geometry":{"type":"Point","coordinates":[)" + std::to_string(i * 7.25 - 80) + "," + std::to_string(i * -3.5) + "]}}";
    }
    points += "]}";
    std::string numbers = "[0,-0,1e308,-1.7976931348623157e308,5e-324,18446744073709551615,-9223372036854775808,0.1";
    for (int i = 0; i < 64; i++) numbers += "," + std::to_string(i * i * i * 0.37);
    numbers += "]";
    const std::string texts[] = {
        R"({"waymark": 1, "size": {"width": 800, "height": 600}, "pixelRatio": 2, "background": "#f2efe9",
            "camera": {"center": {"lat": 37.5666, "lng": 126.9784}, "zoom": 14, "bearing": -30.5, "tilt": 45},
            "overlays": [{"type": "marker", "id": "서울", "position": [126.978374, 37.5670135], "isFlat": true, "iconImage": null}]})",
        points,
        numbers,
        R"(["\"\\\/\b\f\n\r\t\u0000\uD834\uDD1E", "", {"": {"": []}}, [[], {}, [{}]], true, false, null])",
        nested(WM_JSON_MAX_DEPTH),
    };
    unsigned long tried = 0, accepted = 0;
    for (const std::string &text : texts) {
        if (!parse(text)) fail("an undamaged text was refused", text);
        for (size_t end = 0; end < text.size(); end++) {
            if (parse(text.substr(0, end))) fail("a text that is cut off was accepted", text.substr(0, end));
        }
        for (int round = 0; round < rounds; round++) {
            accepted += parse(damaged(text));
            tried++;
        }
    }
    if (parse(nested(WM_JSON_MAX_DEPTH + 1)) || parse(nested(100000)) || parse(std::string(100000, '['))) fail("the document is deeper than the limit", "");
    std::printf("%zu texts, %lu damaged copies, %lu of them still JSON\n", sizeof texts / sizeof *texts, tried, accepted);
    return 0;
}
