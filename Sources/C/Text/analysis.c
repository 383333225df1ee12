#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

struct wm_text_shaper {
    hb_buffer_t *buffer;
    UBiDi *bidi;
    UBreakIterator *iterators[2];
    wm_text_glyph *glyphs;
    size_t capacity;
};

wm_text_shaper *wm_text_shaper_create(void) {
    wm_text_shaper *shaper = calloc(1, sizeof *shaper);
    if (shaper == NULL) return NULL;
    shaper->buffer = hb_buffer_create();
    shaper->bidi = ubidi_open();
    if (!hb_buffer_allocation_successful(shaper->buffer) || shaper->bidi == NULL) {
        wm_text_shaper_destroy(shaper);
        return NULL;
    }
    return shaper;
}

void wm_text_shaper_destroy(wm_text_shaper *shaper) {
    if (shaper == NULL) return;
    hb_buffer_destroy(shaper->buffer);
    if (shaper->bidi != NULL) ubidi_close(shaper->bidi);
    for (int i = 0; i < 2; i++) {
        if (shaper->iterators[i] != NULL) ubrk_close(shaper->iterators[i]);
    }
    free(shaper->glyphs);
    free(shaper);
}

size_t wm_text_shape(
    wm_text_shaper *shaper, const wm_text_face *face, const uint16_t *text, size_t length, size_t start, size_t count, uint32_t script,
    bool is_right_to_left, bool is_spaced, const char *language, const wm_text_glyph **glyphs) {
    *glyphs = shaper->glyphs;
    if (length > INT32_MAX || start > length || count > length - start || count == 0) return 0;
    hb_buffer_t *buffer = shaper->buffer;
    hb_buffer_clear_contents(buffer);
    hb_buffer_flags_t flags = HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES;
    // HarfBuzz inserts a dotted circle under a mark at the beginning of a text, and a variation selector is also a mark.
    if (start == 0 && !u_hasBinaryProperty(text[0], UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) flags |= HB_BUFFER_FLAG_BOT;
    if (start + count == length) flags |= HB_BUFFER_FLAG_EOT;
    hb_buffer_set_flags(buffer, flags);
    hb_buffer_add_utf16(buffer, text, (int)length, (unsigned)start, (int)count);
    hb_buffer_set_direction(buffer, is_right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(script));
    hb_buffer_set_language(buffer, hb_language_from_string(language, -1));
    static const hb_feature_t without_ligatures[] = {
        {HB_TAG('l', 'i', 'g', 'a'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
        {HB_TAG('c', 'l', 'i', 'g'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
    };
    hb_shape(face->font, buffer, without_ligatures, is_spaced ? sizeof without_ligatures / sizeof *without_ligatures : 0);

    unsigned produced = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &produced);
    const hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(buffer, &produced);
    if (produced > shaper->capacity) {
        size_t capacity = produced + produced / 2;
        wm_text_glyph *more = realloc(shaper->glyphs, capacity * sizeof *more);
        if (more == NULL) return 0;
        shaper->glyphs = more;
        shaper->capacity = capacity;
    }
    for (unsigned i = 0; i < produced; i++) {
        shaper->glyphs[i] = (wm_text_glyph){
            .glyph = infos[i].codepoint, .cluster = infos[i].cluster, .advance = positions[i].x_advance,
            .x = positions[i].x_offset, .y = positions[i].y_offset,
        };
    }
    *glyphs = shaper->glyphs;
    return produced;
}

void wm_text_ink(wm_text_face *face, const wm_text_glyph *glyphs, size_t count, int32_t *above, int32_t *below) {
    *above = 0;
    *below = 0;
    for (size_t i = 0; i < count; i++) {
        wm_text_height *known = &face->heights[glyphs[i].glyph % WM_TEXT_HEIGHTS];
        if (known->key != glyphs[i].glyph + 1) {
            *known = (wm_text_height){.key = glyphs[i].glyph + 1};
            hb_glyph_extents_t extents;
            if (hb_font_get_glyph_extents(face->font, glyphs[i].glyph, &extents) && extents.width != 0 && extents.height != 0) {
                int64_t top = extents.y_bearing, bottom = top + extents.height;
                // The limit is the same as for drawing. A glyph that extends beyond it is ignored.
                if (top <= WM_TEXT_FARTHEST && top >= bottom && bottom >= -WM_TEXT_FARTHEST) {
                    known->above = (int32_t)top;
                    known->below = (int32_t)-bottom;
                    known->has_ink = true;
                }
            }
        }
        if (!known->has_ink || glyphs[i].y > WM_TEXT_FARTHEST || glyphs[i].y < -WM_TEXT_FARTHEST) continue;
        if (known->above + glyphs[i].y > *above) *above = known->above + glyphs[i].y;
        if (known->below - glyphs[i].y > *below) *below = known->below - glyphs[i].y;
    }
}

bool wm_text_levels(wm_text_shaper *shaper, const uint16_t *text, size_t length, uint8_t *levels) {
    if (length == 0) return true;
    if (length > INT32_MAX) return false;
    UErrorCode error = U_ZERO_ERROR;
    ubidi_setPara(shaper->bidi, (const UChar *)text, (int32_t)length, UBIDI_DEFAULT_LTR, NULL, &error);
    if (U_FAILURE(error)) return false;
    const UBiDiLevel *found = ubidi_getLevels(shaper->bidi, &error);
    if (U_FAILURE(error) || found == NULL) return false;
    memcpy(levels, found, length);
    return true;
}

wm_text_direction wm_text_first_direction(const uint16_t *text, size_t length) {
    size_t isolates = 0;
    for (size_t at = 0; at < length;) {
        UChar32 character;
        U16_NEXT(text, at, length, character);
        switch (u_charDirection(character)) {
        case U_LEFT_TO_RIGHT:
            if (isolates == 0) return WM_TEXT_LEFT_TO_RIGHT;
            break;
        case U_RIGHT_TO_LEFT:
        case U_RIGHT_TO_LEFT_ARABIC:
            if (isolates == 0) return WM_TEXT_RIGHT_TO_LEFT;
            break;
        case U_LEFT_TO_RIGHT_ISOLATE:
        case U_RIGHT_TO_LEFT_ISOLATE:
        case U_FIRST_STRONG_ISOLATE: isolates++; break;
        case U_POP_DIRECTIONAL_ISOLATE:
            if (isolates > 0) isolates--;
            break;
        // An isolate ends with its paragraph.
        case U_BLOCK_SEPARATOR: isolates = 0; break;
        default: break;
        }
    }
    return WM_TEXT_NEUTRAL;
}

void wm_text_visual_order(const uint8_t *levels, size_t count, int32_t *order) {
    ubidi_reorderVisual(levels, (int32_t)count, order);
}

bool wm_text_breaks(wm_text_shaper *shaper, wm_text_break kind, const uint16_t *text, size_t length, uint8_t *breaks) {
    memset(breaks, 0, length + 1);
    if (length > INT32_MAX) return false;
    UErrorCode error = U_ZERO_ERROR;
    UBreakIterator **iterator = &shaper->iterators[kind == WM_TEXT_BREAK_LINE ? 0 : 1];
    if (*iterator == NULL) {
        // The root locale is named, because an empty name would mean the machine's locale.
        *iterator = ubrk_open(kind == WM_TEXT_BREAK_LINE ? UBRK_LINE : UBRK_CHARACTER, "root", NULL, 0, &error);
        if (U_FAILURE(error)) {
            *iterator = NULL;
            return false;
        }
    }
    ubrk_setText(*iterator, (const UChar *)text, (int32_t)length, &error);
    if (U_FAILURE(error)) return false;
    for (int32_t at = ubrk_first(*iterator); at != UBRK_DONE; at = ubrk_next(*iterator)) {
        if (at >= 0 && (size_t)at <= length) breaks[at] = 1;
    }
    // The iterator must not keep a pointer to text that is about to be freed.
    static const UChar nothing[1];
    ubrk_setText(*iterator, nothing, 0, &error);
    return true;
}

static uint32_t tags[USCRIPT_CODE_LIMIT];
static pthread_once_t tags_once = PTHREAD_ONCE_INIT;

static void find_tags(void) {
    for (int script = 0; script < USCRIPT_CODE_LIMIT; script++) {
        const char *name = uscript_getShortName((UScriptCode)script);
        bool is_tag = name != NULL && strlen(name) == 4;
        tags[script] = is_tag ? HB_TAG((uint8_t)name[0], (uint8_t)name[1], (uint8_t)name[2], (uint8_t)name[3]) : HB_SCRIPT_UNKNOWN;
    }
}

void wm_text_scripts(const uint16_t *text, size_t length, uint32_t *scripts) {
    pthread_once(&tags_once, find_tags);
    for (size_t at = 0; at < length;) {
        size_t start = at;
        UChar32 character;
        U16_NEXT(text, at, length, character);
        UErrorCode error = U_ZERO_ERROR;
        UScriptCode script = uscript_getScript(character, &error);
        uint32_t tag = U_SUCCESS(error) && script >= 0 && script < USCRIPT_CODE_LIMIT ? tags[script] : HB_SCRIPT_UNKNOWN;
        for (size_t i = start; i < at; i++) scripts[i] = tag;
    }
}

const char *wm_text_script_name(uint32_t script) {
    pthread_once(&tags_once, find_tags);
    for (int i = 0; i < USCRIPT_CODE_LIMIT; i++) {
        if (tags[i] == script) return uscript_getName((UScriptCode)i);
    }
    return "";
}

uint32_t wm_text_properties(uint32_t character) {
    static const struct {
        UProperty property;
        uint32_t bit;
    } properties[] = {
        {UCHAR_EMOJI_PRESENTATION, WM_TEXT_EMOJI_PRESENTATION}, {UCHAR_EXTENDED_PICTOGRAPHIC, WM_TEXT_PICTOGRAPH},
        {UCHAR_DEFAULT_IGNORABLE_CODE_POINT, WM_TEXT_IGNORABLE}, {UCHAR_EMOJI_MODIFIER, WM_TEXT_EMOJI_MODIFIER},
    };
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        if (u_hasBinaryProperty((UChar32)character, properties[i].property)) found |= properties[i].bit;
    }
    return found;
}
