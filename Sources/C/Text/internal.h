// Shared by the files of the shim. Not part of the module.

#ifndef WM_TEXT_INTERNAL_H
#define WM_TEXT_INTERNAL_H

#include "CWaymarkText.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>

enum {
    /// The limit for points of an outline in font units, or in 1/64 pixels from the pen (65,536 pixels).
    WM_TEXT_FARTHEST = 1 << 22,
    /// The number of glyphs per face whose heights are cached.
    WM_TEXT_HEIGHTS = 4096,
};

/// The extents of a glyph's ink from the baseline, in font units; negative if the ink ends before the baseline.
typedef struct wm_text_height {
    /// The glyph's number plus 1; 0 for an empty entry.
    uint32_t key;
    int32_t above, below;
    bool has_ink;
} wm_text_height;

struct wm_text_engine {
    FT_Library library;
    /// The last outline.
    double *points;
    uint32_t *ends;
    size_t point_count, point_capacity, contour_count, contour_capacity;
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
    /// Cached heights, indexed by the glyph's number modulo the size of the cache. Some formats must run a glyph's program to find its
    /// heights.
    wm_text_height heights[WM_TEXT_HEIGHTS];
};

/// Adds the area within `radius` of an outline to the coverage of its inside. The outline's origin is the box's lower left. The area's
/// edge fades over `blur` on each side. Both are in 1/64 pixel. False if memory runs out.
bool wm_text_add_halo(FT_Outline *outline, int32_t radius, int32_t blur, wm_text_box box, uint8_t *coverage);

#endif
