// Opens complete, truncated and damaged fonts. With each font that opens, it shapes texts and draws the results in boxes of exactly their size.

#include "CWaymarkText.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t random_below(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static void fail(const char *problem, const char *where) {
    fprintf(stderr, "%s: %s\n", problem, where);
    exit(1);
}

typedef struct bytes {
    uint8_t *data;
    size_t count;
} bytes;

static bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail("the file cannot be read", path);
    fseek(file, 0, SEEK_END);
    bytes result = {.count = (size_t)ftell(file)};
    rewind(file);
    result.data = malloc(result.count);
    if (fread(result.data, 1, result.count, file) != result.count) fail("the file cannot be read", path);
    fclose(file);
    return result;
}

static unsigned long drawn, shaped;

static void draw(wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_place place) {
    wm_text_box box;
    wm_text_kind kind = wm_text_glyph_box(engine, face, glyph, place, &box);
    if (kind == WM_TEXT_COLOR) {
        double pixels_per_em;
        const uint8_t *pixels = wm_text_glyph_color(engine, face, glyph, &box, &pixels_per_em);
        if (pixels == NULL) return;
        if (!(pixels_per_em > 0) || box.width <= 0 || box.height <= 0) fail("the picture has no size", "color");
        for (size_t i = 0; i < (size_t)box.width * (size_t)box.height * 4; i += 4) {
            for (int c = 0; c < 3; c++) {
                if (pixels[i + c] > pixels[i + 3]) fail("a color exceeds its alpha", "color");
            }
        }
        drawn++;
        return;
    }
    if (kind == WM_TEXT_NOTHING) return;
    if (box.width <= 0 || box.height <= 0) fail("the box is empty", "outline");
    // At most the size that is ever requested; a part of larger boxes.
    if (box.width > 300) box.width = 300;
    if (box.height > 300) box.height = 300;
    uint8_t *coverage = malloc((size_t)box.width * (size_t)box.height);
    if (!wm_text_glyph_coverage(engine, face, glyph, place, box, coverage)) fail("out of memory", "outline");
    free(coverage);
    drawn++;
}

static void exercise(wm_text_engine *engine, wm_text_shaper *shaper, wm_text_face *face, const uint16_t *text, size_t length, uint32_t script) {
    wm_text_metrics metrics = wm_text_face_metrics(face);
    if (metrics.units_per_em == 0) fail("invalid metrics", "face");
    for (int right_to_left = 0; right_to_left < 2; right_to_left++) {
        size_t start = length > 2 ? random_below(3) : 0;
        const wm_text_glyph *glyphs;
        size_t count = wm_text_shape(shaper, face, text, length, start, length - start, script, right_to_left, random_below(2), "ko", &glyphs);
        shaped++;
        int32_t above, below;
        wm_text_ink(face, glyphs, count, &above, &below);
        if (above < 0 || below < 0) fail("invalid ink", "ink");
        for (size_t i = 0; i < count; i++) {
            if (glyphs[i].cluster < start || glyphs[i].cluster >= length) fail("a cluster is outside the text", "shape");
        }
        // The face's next calls must not depend on the shaper's memory.
        for (size_t i = 0; i < count && i < 12; i++) {
            static const int32_t sizes[] = {1, 640, 768, 1536, 64000, WM_TEXT_MOST_SIZE, WM_TEXT_MOST_SIZE + 1};
            static const int32_t radii[] = {0, 1, 64, 250, WM_TEXT_MOST_RADIUS};
            wm_text_place place = {
                sizes[random_below(7)], (int32_t)random_below(64), (int32_t)random_below(64), radii[random_below(5)], radii[random_below(5)]};
            draw(engine, face, glyphs[i].glyph, place);
        }
    }
    draw(engine, face, 0xffffffff, (wm_text_place){768, 0, 0, 64, 0});
    draw(engine, face, 0, (wm_text_place){768, 0, 0, 64, 32});
}

// Every analysis of a text, in blocks of exactly its size.
static void analyse(wm_text_shaper *shaper, const uint16_t *text, size_t length) {
    uint16_t *copy = malloc(length * 2 + (length == 0));
    memcpy(copy, text, length * 2);
    uint8_t *levels = malloc(length + (length == 0)), *breaks = malloc(length + 1);
    uint32_t *scripts = malloc(length * 4 + (length == 0));
    int32_t *order = malloc(length * 4 + (length == 0));
    if (!wm_text_levels(shaper, copy, length, levels)) fail("no levels were found", "analyse");
    wm_text_direction direction = wm_text_first_direction(copy, length);
    if (direction != WM_TEXT_NEUTRAL && length == 0) fail("an empty text has a direction", "analyse");
    wm_text_visual_order(levels, length, order);
    for (size_t i = 0; i < length; i++) {
        if (order[i] < 0 || (size_t)order[i] >= length) fail("an index is outside the text", "analyse");
    }
    for (int kind = 0; kind < 2; kind++) {
        if (!wm_text_breaks(shaper, (wm_text_break)kind, copy, length, breaks)) fail("no breaks were found", "analyse");
        if (breaks[length] != 1 && length > 0) fail("there is no break at the end", "analyse");
    }
    wm_text_scripts(copy, length, scripts);
    for (size_t i = 0; i < length; i++) {
        if (wm_text_script_name(scripts[i]) == NULL) fail("a script has no name", "analyse");
    }
    free(copy);
    free(levels);
    free(breaks);
    free(scripts);
    free(order);
}

static size_t random_text(uint16_t *text, size_t most) {
    static const uint16_t hard[] = {
        'a', 'f', 'i', ' ', '\n', '1', 0x301, 0x5d0, 0x5b0, 0x627, 0x644, 0x64e, 0x200c, 0x200d, 0x200b, 0x202a, 0x202e, 0x202c, 0x2066,
        0x2069, 0xe01, 0xe49, 0xe33, 0x915, 0x94d, 0x937, 0x93f, 0x1780, 0x17d2, 0x1781, 0xac00, 0x1112, 0x1161, 0x11ab, 0x6771, 0x3001,
        0xd83d, 0xdc69, 0xd83c, 0xdffd, 0xfe0f, 0xfe0e, 0x20e3, 0xfffe, 0xffff, 0xe000, 0xdbff, 0xdfff, 0x1000, 0x1039, 0xf90, 0,
    };
    size_t length = random_below((uint32_t)most + 1);
    for (size_t i = 0; i < length; i++) {
        text[i] = random_below(4) == 0 ? (uint16_t)random_below(0x10000) : hard[random_below(sizeof hard / sizeof *hard)];
    }
    return length;
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 2000;
    static const struct {
        const char *path;
        uint16_t text[8];
        const char *script;
        uint32_t face;
    } fonts[] = {
        {"/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf", {0xe01, 0xe23, 0xe38, 0xe19, 0xe49, 0xe33, 'a', 'b'}, "Thai", 0},
        {"/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf", {0x627, 0x644, 0x642, 0x627, 0x647, 0x631, 0x64e, 0x629}, "Arab", 0},
        {"/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf", {0x915, 0x94d, 0x937, 0x93f, 0x930, 0x94d, 0x915, 0x940}, "Deva", 0},
        {"/usr/share/fonts/truetype/noto/NotoSansKhmer-Regular.ttf", {0x1797, 0x17d2, 0x1793, 0x17c6, 0x1796, 0x17c1, 0x1789, ' '}, "Khmr", 0},
        {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", {'f', 'f', 'l', 0xc5, 'A', 'V', 0x301, '1'}, "Latn", 0},
    };
    wm_text_engine *engine = wm_text_engine_create();
    wm_text_shaper *shaper = wm_text_shaper_create();
    char message[WM_TEXT_MESSAGE_LENGTH];
    unsigned long tried = 0, opened = 0;
    uint16_t text[512];

    static const char *whole[] = {
        "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf", "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        wm_text_face *face = wm_text_face_open(engine, whole[i], i == 1, message);
        if (face == NULL) fail(message, whole[i]);
        if (wm_text_face_open(engine, whole[i], 99, message) != NULL) fail("a missing face was opened", whole[i]);
        wm_text_face_name name;
        if (wm_text_file_faces(whole[i]) == 0 || !wm_text_file_name(whole[i], 0, &name) || name.family[0] == 0) fail("the face has no name", whole[i]);
        for (int round = 0; round < rounds / 20 + 20; round++) {
            size_t length = random_text(text, 300);
            analyse(shaper, text, length);
            exercise(engine, shaper, face, text, length, 0x5a797979);
        }
        wm_text_face_close(face);
    }
    if (wm_text_face_open(engine, "/no/such/file", 0, message) != NULL) fail("a missing file was opened", "open");

    for (size_t i = 0; i < sizeof fonts / sizeof *fonts; i++) {
        bytes original = read_file(fonts[i].path);
        uint32_t script = (uint32_t)fonts[i].script[0] << 24 | (uint32_t)fonts[i].script[1] << 16 | (uint32_t)fonts[i].script[2] << 8
            | (uint32_t)fonts[i].script[3];
        for (int round = -1; round < rounds; round++) {
            size_t length = round >= 0 && round % 4 == 0 ? random_below((uint32_t)original.count) : original.count;
            // A block of exactly its length, so that reading one byte too far is detected.
            uint8_t *data = malloc(length + (length == 0));
            memcpy(data, original.data, length);
            for (uint32_t changes = round >= 0 && round % 4 != 0 ? 1 + random_below(12) : 0; changes > 0; changes--) {
                size_t tables = length > 3000 && random_below(3) > 0 ? 3000 : length;
                data[random_below((uint32_t)tables)] = (uint8_t)random_below(256);
            }
            tried++;
            wm_text_face *face = wm_text_face_open_bytes(engine, data, length, 0, message);
            if (round < 0 && face == NULL) fail(message, fonts[i].path);
            if (face == NULL && memchr(message, 0, sizeof message) == NULL) fail("the message has no end", fonts[i].path);
            if (face != NULL) {
                opened++;
                exercise(engine, shaper, face, fonts[i].text, 8, script);
                exercise(engine, shaper, face, text, random_text(text, 40), script);
                wm_text_face_has(face, 0x10ffff);
                wm_text_face_close(face);
            }
            free(data);
        }
        free(original.data);
    }
    size_t system = 0;
    wm_text_system_font *known = wm_text_system_fonts(&system);
    wm_text_system_fonts_free(known, system);
    for (int library = WM_TEXT_FREETYPE; library <= WM_TEXT_ICU; library++) wm_text_library_version((wm_text_library)library, message);
    wm_text_shaper_destroy(shaper);
    wm_text_engine_destroy(engine);
    printf("%lu fonts, damaged copies, %lu of them still open; %lu runs shaped, %lu glyphs drawn\n", tried, opened, shaped, drawn);
    return 0;
}
