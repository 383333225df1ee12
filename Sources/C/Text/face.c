#define _GNU_SOURCE
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unicode/uvernum.h>

static void say(char message[WM_TEXT_MESSAGE_LENGTH], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, WM_TEXT_MESSAGE_LENGTH, format, arguments);
    va_end(arguments);
}

static uint32_t big_endian_32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// HarfBuzz and FreeType would each use a part of a truncated font, but different parts.
static bool tables_lie_within(const uint8_t *bytes, size_t count, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]) {
    size_t start = 0;
    if (count >= 12 && memcmp(bytes, "ttcf", 4) == 0) {
        uint32_t faces = big_endian_32(bytes + 8);
        if (index >= faces || (count - 12) / 4 <= index) {
            say(message, "the file has no face %u", index);
            return false;
        }
        start = big_endian_32(bytes + 12 + 4 * (size_t)index);
    } else if (index != 0) {
        say(message, "the file has no face %u", index);
        return false;
    }
    if (start > count || count - start < 12) {
        say(message, "the file is not a font");
        return false;
    }
    uint32_t kind = big_endian_32(bytes + start);
    if (kind != 0x00010000 && kind != HB_TAG('O', 'T', 'T', 'O') && kind != HB_TAG('t', 'r', 'u', 'e')) {
        say(message, "the file is not a font");
        return false;
    }
    size_t tables = (size_t)bytes[start + 4] << 8 | bytes[start + 5];
    if ((count - start - 12) / 16 < tables) {
        say(message, "the file is cut off");
        return false;
    }
    for (size_t i = 0; i < tables; i++) {
        const uint8_t *record = bytes + start + 12 + 16 * i;
        size_t offset = big_endian_32(record + 8), length = big_endian_32(record + 12);
        if (offset > count || length > count - offset) {
            say(message, "the file is cut off: the table %.4s ends at byte %zu of %zu", (const char *)record, offset + length, count);
            return false;
        }
    }
    return true;
}

wm_text_engine *wm_text_engine_create(void) {
    wm_text_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return NULL;
    if (FT_Init_FreeType(&engine->library) != 0) {
        wm_text_engine_destroy(engine);
        return NULL;
    }
    return engine;
}

void wm_text_engine_destroy(wm_text_engine *engine) {
    if (engine == NULL) return;
    if (engine->library != NULL) FT_Done_FreeType(engine->library);
    free(engine->points);
    free(engine->ends);
    free(engine);
}

// Takes ownership of the blob.
static wm_text_face *open_blob(wm_text_engine *engine, hb_blob_t *blob, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]) {
    unsigned length = 0;
    const char *bytes = hb_blob_get_data(blob, &length);
    wm_text_face *face = calloc(1, sizeof *face);
    if (face == NULL) {
        hb_blob_destroy(blob);
        say(message, "out of memory");
        return NULL;
    }
    face->blob = blob;
    if (!tables_lie_within((const uint8_t *)bytes, length, index, message)) goto refuse;
    face->face = hb_face_create(blob, index);
    if (hb_face_get_glyph_count(face->face) == 0) {
        say(message, "the font has no glyphs");
        goto refuse;
    }
    FT_Error error = FT_New_Memory_Face(engine->library, (const FT_Byte *)bytes, (FT_Long)length, (FT_Long)index, &face->freetype);
    if (error != 0) {
        face->freetype = NULL;
        const char *reason = FT_Error_String(error);
        say(message, "FreeType cannot open the file (%s%serror %d)", reason ? reason : "", reason ? ", " : "", error);
        goto refuse;
    }
    face->is_color = !FT_IS_SCALABLE(face->freetype);
    if (face->is_color && !(FT_HAS_COLOR(face->freetype) && FT_HAS_FIXED_SIZES(face->freetype))) {
        say(message, "the font has neither outlines nor color glyphs");
        goto refuse;
    }
    if (face->is_color && (FT_Select_Size(face->freetype, 0) != 0 || face->freetype->available_sizes[0].y_ppem <= 0)) {
        say(message, "the glyphs' pictures have no size");
        goto refuse;
    }
    face->font = hb_font_create(face->face);
    hb_font_make_immutable(face->font);
    hb_face_make_immutable(face->face);
    return face;

refuse:
    wm_text_face_close(face);
    return NULL;
}

wm_text_face *wm_text_face_open(wm_text_engine *engine, const char *path, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]) {
    // HarfBuzz 2.7 of Ubuntu 22.04 and RHEL 9 lacks hb_blob_create_from_file_or_fail. This function treats an unreadable file as empty.
    hb_blob_t *blob = hb_blob_create_from_file(path);
    if (hb_blob_get_length(blob) == 0 && access(path, R_OK) != 0) {
        hb_blob_destroy(blob);
        say(message, "the file cannot be read");
        return NULL;
    }
    return open_blob(engine, blob, index, message);
}

wm_text_face *wm_text_face_open_bytes(
    wm_text_engine *engine, const uint8_t *bytes, size_t count, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]) {
    if (count > 0x7fffffff) {
        say(message, "the file is too large");
        return NULL;
    }
    // If memory runs out, the blob is empty, and therefore not a font.
    return open_blob(engine, hb_blob_create((const char *)bytes, (unsigned)count, HB_MEMORY_MODE_READONLY, NULL, NULL), index, message);
}

void wm_text_face_close(wm_text_face *face) {
    if (face == NULL) return;
    if (face->freetype != NULL) FT_Done_Face(face->freetype);
    // All of HarfBuzz's destroy functions accept NULL.
    hb_font_destroy(face->font);
    hb_face_destroy(face->face);
    hb_blob_destroy(face->blob);
    free(face->pixels);
    free(face);
}

wm_text_metrics wm_text_face_metrics(const wm_text_face *face) {
    wm_text_metrics metrics = {.units_per_em = hb_face_get_upem(face->face), .is_color = face->is_color};
    if (metrics.units_per_em == 0) metrics.units_per_em = 1000;
    return metrics;
}

bool wm_text_face_has(const wm_text_face *face, uint32_t character) {
    hb_codepoint_t glyph = 0;
    return hb_font_get_nominal_glyph(face->font, character, &glyph) && glyph != 0;
}

uint32_t wm_text_file_faces(const char *path) {
    hb_blob_t *blob = hb_blob_create_from_file(path);
    uint32_t count = hb_face_count(blob);
    hb_blob_destroy(blob);
    return count;
}

// Reads the weight and the slant of a face from its weight axis and its table OS/2. hb_style_get_value exists only from HarfBuzz 3.0 on.
static void read_style(hb_face_t *face, wm_text_face_name *name) {
    hb_blob_t *table = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
    unsigned length = 0;
    const uint8_t *bytes = (const uint8_t *)hb_blob_get_data(table, &length);
    // The offsets of usWeightClass and fsSelection, whose lowest bit is set in italic faces.
    float weight = length >= 6 ? (float)(bytes[4] << 8 | bytes[5]) : 400;
    name->is_italic = length >= 64 && (bytes[63] & 1) != 0;
    hb_blob_destroy(table);
    hb_ot_var_axis_info_t axis;
    if (hb_ot_var_find_axis_info(face, HB_OT_TAG_VAR_AXIS_WEIGHT, &axis)) weight = axis.default_value;
    name->weight = weight >= 1 && weight <= 1000 ? (int32_t)weight : 400;
}

bool wm_text_file_name(const char *path, uint32_t index, wm_text_face_name *name) {
    hb_blob_t *blob = hb_blob_create_from_file(path);
    hb_face_t *face = hb_face_create(blob, index);
    bool is_font = hb_face_get_glyph_count(face) > 0;
    if (is_font) {
        hb_language_t english = hb_language_from_string("en", -1);
        unsigned size = WM_TEXT_NAME_LENGTH;
        name->family[0] = 0;
        if (hb_ot_name_get_utf8(face, HB_OT_NAME_ID_TYPOGRAPHIC_FAMILY, english, &size, name->family) == 0) {
            size = WM_TEXT_NAME_LENGTH;
            hb_ot_name_get_utf8(face, HB_OT_NAME_ID_FONT_FAMILY, english, &size, name->family);
        }
        read_style(face, name);
    }
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return is_font;
}
