#ifndef WM_TEXT_H
#define WM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// This is in C because Swift cannot call these libraries directly: macros rename ICU's functions, FreeType and HarfBuzz use unions and bit
// fields, and fontconfig's functions are variadic. The shim shapes a given text with a given face, and chooses nothing by itself.

enum {
    /// The size of a message, including the terminating zero.
    WM_TEXT_MESSAGE_LENGTH = 256,
    /// The size of a family name, including the terminating zero.
    WM_TEXT_NAME_LENGTH = 128,
    /// The largest size at which text is drawn, in pixels per em times 64.
    WM_TEXT_MOST_SIZE = 16384 * 64,
    /// The widest halo, and the widest blur of its edge, in 1/64 pixel.
    WM_TEXT_MOST_RADIUS = 1024 * 64,
};

// MARK: Faces

/// FreeType's library. Functions that draw with an engine or a face may be called by only one thread at a time.
typedef struct wm_text_engine wm_text_engine;

/// One face of a font file, opened for HarfBuzz and FreeType over the same mapped bytes.
typedef struct wm_text_face wm_text_face;

/// NULL without memory.
wm_text_engine *wm_text_engine_create(void);
void wm_text_engine_destroy(wm_text_engine *engine);

/// Opens face `index` of a file. Returns NULL and a message if the file is not a font or is truncated, or if the face has no characters.
wm_text_face *wm_text_face_open(wm_text_engine *engine, const char *path, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]);
/// Opens a face of a font in memory, which must remain valid until the face is closed.
wm_text_face *wm_text_face_open_bytes(
    wm_text_engine *engine, const uint8_t *bytes, size_t count, uint32_t index, char message[WM_TEXT_MESSAGE_LENGTH]);
void wm_text_face_close(wm_text_face *face);

typedef struct wm_text_metrics {
    /// Font units per em; above 0.
    uint32_t units_per_em;
    /// Whether the glyphs are color bitmaps of a single size instead of outlines.
    bool is_color;
} wm_text_metrics;

wm_text_metrics wm_text_face_metrics(const wm_text_face *face);

/// Whether the face has a glyph for a character. May be called by several threads concurrently.
bool wm_text_face_has(const wm_text_face *face, uint32_t character);

typedef struct wm_text_face_name {
    /// The typographic family in English, UTF-8; "" if the font has no family name.
    char family[WM_TEXT_NAME_LENGTH];
    /// 1…1000; 400 is regular, 700 bold.
    int32_t weight;
    bool is_italic;
} wm_text_face_name;

/// The number of faces in a font file; 0 when it is not a font.
uint32_t wm_text_file_faces(const char *path);
/// Reads a face's name without opening it for drawing. False if the face does not exist.
bool wm_text_file_name(const char *path, uint32_t index, wm_text_face_name *name);

// MARK: Text

/// HarfBuzz's buffer and ICU's iterators, for one thread at a time.
typedef struct wm_text_shaper wm_text_shaper;

/// NULL when out of memory.
wm_text_shaper *wm_text_shaper_create(void);
void wm_text_shaper_destroy(wm_text_shaper *shaper);

typedef struct wm_text_glyph {
    uint32_t glyph;
    /// The UTF-16 offset, in the whole text, of the first character that the glyph represents.
    uint32_t cluster;
    /// Font units, y up.
    int32_t advance, x, y;
} wm_text_glyph;

/// Shapes `count` UTF-16 units starting at `start`; the text around them is context. `script` is an ISO 15924 tag, `language` BCP 47.
/// `is_spaced` disables optional ligatures (the features liga and clig). Returns the number of glyphs, from left to right, which belong to
/// the shaper and are valid until its next call.
size_t wm_text_shape(
    wm_text_shaper *shaper, const wm_text_face *face, const uint16_t *text, size_t length, size_t start, size_t count, uint32_t script,
    bool is_right_to_left, bool is_spaced, const char *language, const wm_text_glyph **glyphs);

/// The extents of the ink of shaped glyphs above and below the baseline, in font units, at least 0. Only one thread at a time may measure
/// a face.
void wm_text_ink(wm_text_face *face, const wm_text_glyph *glyphs, size_t count, int32_t *above, int32_t *below);

/// The bidi level of every UTF-16 unit of one paragraph, whose direction is determined by its first strong character. False if memory
/// runs out.
bool wm_text_levels(wm_text_shaper *shaper, const uint16_t *text, size_t length, uint8_t *levels);
typedef enum wm_text_direction { WM_TEXT_NEUTRAL, WM_TEXT_LEFT_TO_RIGHT, WM_TEXT_RIGHT_TO_LEFT } wm_text_direction;

/// The direction of the first strong character outside isolates (UAX #9, P2); neutral without one. The text may have several paragraphs.
wm_text_direction wm_text_first_direction(const uint16_t *text, size_t length);
/// The order from left to right of runs with these levels: `order[0]` is the index of the leftmost run.
void wm_text_visual_order(const uint8_t *levels, size_t count, int32_t *order);

typedef enum wm_text_break { WM_TEXT_BREAK_LINE, WM_TEXT_BREAK_CLUSTER } wm_text_break;

/// Sets `breaks[i]` to 1 if ICU's root rules and dictionaries allow a line (or a grapheme cluster) to end before UTF-16 unit `i`,
/// otherwise to 0; `breaks` has `length` + 1 entries. False if memory runs out or ICU's data is missing.
bool wm_text_breaks(wm_text_shaper *shaper, wm_text_break kind, const uint16_t *text, size_t length, uint8_t *breaks);

/// The script of every UTF-16 unit as an ISO 15924 tag; both halves of a surrogate pair have the pair's script.
void wm_text_scripts(const uint16_t *text, size_t length, uint32_t *scripts);
/// The English name of a script; "" for a script without one. Valid for the life of the process.
const char *wm_text_script_name(uint32_t script);

enum {
    WM_TEXT_EMOJI_PRESENTATION = 1,
    WM_TEXT_PICTOGRAPH = 2,
    WM_TEXT_IGNORABLE = 4,
    WM_TEXT_EMOJI_MODIFIER = 8,
};
/// The Unicode properties of a character, as a set of these flags.
uint32_t wm_text_properties(uint32_t character);

// MARK: Drawing

typedef enum wm_text_kind { WM_TEXT_NOTHING, WM_TEXT_OUTLINE, WM_TEXT_COLOR } wm_text_kind;

typedef struct wm_text_place {
    /// The size in 1/64 pixels per em.
    int32_t size;
    /// The position of the pen within its pixel, in 1/64 pixel to the right and up.
    int32_t dx, dy;
    /// The radius of the halo in 1/64 pixel; 0 for the glyph itself.
    int32_t radius;
    /// The distance over which the halo's edge fades on each side of the radius, in 1/64 pixel; 0 for a sharp edge.
    int32_t blur;
} wm_text_place;

/// A box in whole pixels relative to the pen's pixel, x to the right, y down.
typedef struct wm_text_box {
    int32_t x, y, width, height;
} wm_text_box;

/// The pixels that a glyph (with its halo) touches. For a color glyph, the box of its bitmap in the pixels of the font.
wm_text_kind wm_text_glyph_box(wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_place place, wm_text_box *box);

/// Draws the part of a glyph that lies in `box`, or of its halo including the glyph. The result is coverage, top row first, `box.width`
/// bytes per row. False if memory runs out.
bool wm_text_glyph_coverage(
    wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_place place, wm_text_box box, uint8_t *coverage);

typedef struct wm_text_outline {
    /// Pairs of x and y in pixels from the pen, y down: the corners of polygons, one after another.
    const double *points;
    /// The end of each polygon among the corners. A polygon begins where the previous one ends, and is closed implicitly.
    const uint32_t *ends;
    size_t point_count, contour_count;
} wm_text_outline;

/// A glyph's outline at `size`, in 1/64 pixels per em, as polygons that differ from its curves by at most `tolerance` pixels. They are
/// filled by the nonzero rule, belong to the engine, and are valid until its next outline. A glyph without an outline has no polygons.
/// False if memory runs out.
bool wm_text_glyph_outline(
    wm_text_engine *engine, wm_text_face *face, uint32_t glyph, int32_t size, double tolerance, wm_text_outline *outline);

/// A color glyph as stored in the font: premultiplied RGBA of `box.width` × `box.height`, and the pixels per em for which it was made. The
/// pixels belong to the face and are valid until its next glyph; NULL if the glyph has no pixels.
const uint8_t *wm_text_glyph_color(wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_box *box, double *pixels_per_em);

// MARK: The system's fonts

typedef struct wm_text_system_font {
    const char *path;
    uint32_t index;
    wm_text_face_name name;
} wm_text_system_font;

/// The scalable fonts that fontconfig knows, in no particular order. NULL without fonts, a configuration, or fontconfig.
wm_text_system_font *wm_text_system_fonts(size_t *count);
void wm_text_system_fonts_free(wm_text_system_font *fonts, size_t count);

// MARK: The libraries

/// The libraries that this shim calls. tools/release expects the first three in this order.
typedef enum wm_text_library { WM_TEXT_FREETYPE, WM_TEXT_HARFBUZZ, WM_TEXT_FONTCONFIG, WM_TEXT_ICU } wm_text_library;

/// The reason why a library cannot be used, or NULL if it can. The message is valid for the life of the process. A library can be missing
/// only in programs that load these libraries when first needed; other programs link them. Without FreeType and HarfBuzz, only
/// `wm_text_system_fonts` may be called, which then finds no fonts.
const char *wm_text_library_error(wm_text_library library);

/// The version of a usable library, such as "2.12.1".
void wm_text_library_version(wm_text_library library, char text[WM_TEXT_MESSAGE_LENGTH]);

#endif
