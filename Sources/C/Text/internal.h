// Shared by the files of the shim. Not part of the module.

#ifndef WM_TEXT_INTERNAL_H
#define WM_TEXT_INTERNAL_H

#include "CWaymarkText.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_STROKER_H
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>

struct wm_text_engine {
    FT_Library library;
    FT_Stroker stroker;
};

struct wm_text_face {
    hb_blob_t *blob;
    hb_face_t *face;
    hb_font_t *font;
    FT_Face freetype;
    /// Whether the face has no outlines, only bitmaps of one size.
    bool is_color;
    /// The last color bitmap.
    uint8_t *pixels;
    size_t capacity;
};

#endif
