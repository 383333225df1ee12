#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Fused operations would give different last bits on different processors.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/// A rectangle for missing glyphs, if the face's glyph for them is empty.
typedef struct box_outline {
    FT_Outline outline;
    FT_Vector points[8];
    char tags[8];
    short contours[2];
} box_outline;

static void draw_box(box_outline *box, FT_Pos unit, FT_Pos advance) {
    FT_Pos line = unit / 20 + 1, left = line, right = (advance > 4 * line ? advance : unit / 2) - line, top = unit * 7 / 10;
    const FT_Vector points[8] = {
        {left, 0}, {left, top}, {right, top}, {right, 0},
        {left + line, line}, {right - line, line}, {right - line, top - line}, {left + line, top - line},
    };
    memcpy(box->points, points, sizeof points);
    memset(box->tags, FT_CURVE_TAG_ON, sizeof box->tags);
    box->contours[0] = 3;
    box->contours[1] = 7;
    box->outline = (FT_Outline){.n_contours = 2, .n_points = 8, .points = box->points, .tags = box->tags, .contours = box->contours};
}

static FT_Pos scaled(FT_Pos value, int32_t size, FT_Pos unit) {
    // The result is rounded to nearest, halves up. C's division rounds toward 0.
    int64_t product = (int64_t)value * size + unit / 2;
    return product >= 0 ? product / unit : -((-product + unit - 1) / unit);
}

static bool is_far(const FT_Vector *point) {
    return point->x < -WM_TEXT_FARTHEST || point->x > WM_TEXT_FARTHEST || point->y < -WM_TEXT_FARTHEST || point->y > WM_TEXT_FARTHEST;
}

/// Loads a glyph's outline at a size, in 1/64 pixel with the pen at the origin of its pixel. NULL if it has no outline. FreeType's
/// scaling is not used, because it would round the size for fonts that request whole pixels per em.
static FT_Outline *load(wm_text_face *face, uint32_t glyph, wm_text_place place, box_outline *box) {
    if (place.size <= 0 || place.size > WM_TEXT_MOST_SIZE || place.radius < 0 || place.radius > WM_TEXT_MOST_RADIUS) return NULL;
    if (place.blur < 0 || place.blur > WM_TEXT_MOST_RADIUS) return NULL;
    FT_Pos unit = hb_face_get_upem(face->face);
    if (unit <= 0) return NULL;
    FT_Outline *outline = NULL;
    if (!face->is_color && FT_Load_Glyph(face->freetype, glyph, FT_LOAD_NO_SCALE) == 0
        && face->freetype->glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
        outline = &face->freetype->glyph->outline;
    }
    if (glyph == 0 && (outline == NULL || outline->n_points == 0)) {
        draw_box(box, unit, hb_font_get_glyph_h_advance(face->font, glyph));
        outline = &box->outline;
    }
    if (outline == NULL || outline->n_points <= 0 || outline->n_contours <= 0) return NULL;
    outline->flags &= ~FT_OUTLINE_EVEN_ODD_FILL;
    for (int i = 0; i < outline->n_points; i++) {
        FT_Vector *point = &outline->points[i];
        if (is_far(point)) return NULL;
        point->x = scaled(point->x, place.size, unit) + place.dx;
        point->y = scaled(point->y, place.size, unit) + place.dy;
        if (is_far(point)) return NULL;
    }
    return outline;
}

static int32_t floor_pixel(FT_Pos value) {
    return (int32_t)(value >> 6);
}

static int32_t ceil_pixel(FT_Pos value) {
    return (int32_t)((value + 63) >> 6);
}

wm_text_kind wm_text_glyph_box(wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_place place, wm_text_box *box) {
    (void)engine;
    *box = (wm_text_box){0};
    if (face->is_color && glyph != 0) return WM_TEXT_COLOR;
    box_outline rectangle;
    const FT_Outline *outline = load(face, glyph, place, &rectangle);
    if (outline == NULL) return WM_TEXT_NOTHING;
    FT_BBox bounds;
    FT_Outline_Get_CBox(outline, &bounds);
    FT_Pos margin = place.radius + place.blur;
    int32_t left = floor_pixel(bounds.xMin - margin), right = ceil_pixel(bounds.xMax + margin);
    int32_t bottom = floor_pixel(bounds.yMin - margin), top = ceil_pixel(bounds.yMax + margin);
    if (left >= right || bottom >= top) return WM_TEXT_NOTHING;
    *box = (wm_text_box){.x = left, .y = -top, .width = right - left, .height = top - bottom};
    return WM_TEXT_OUTLINE;
}

/// Adds an outline's coverage to a zeroed bitmap; moves the outline's origin to the box's lower left.
static bool fill(wm_text_engine *engine, FT_Outline *outline, wm_text_box box, uint8_t *coverage) {
    FT_Bitmap bitmap = {
        .rows = (unsigned)box.height, .width = (unsigned)box.width, .pitch = box.width, .buffer = coverage, .num_grays = 256,
        .pixel_mode = FT_PIXEL_MODE_GRAY,
    };
    FT_Outline_Translate(outline, -(FT_Pos)box.x * 64, ((FT_Pos)box.y + box.height) * 64);
    return FT_Outline_Get_Bitmap(engine->library, outline, &bitmap) == 0;
}

bool wm_text_glyph_coverage(
    wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_place place, wm_text_box box, uint8_t *coverage) {
    if (box.width <= 0 || box.height <= 0 || box.width > 32767 || box.height > 32767) return false;
    size_t count = (size_t)box.width * (size_t)box.height;
    memset(coverage, 0, count);
    box_outline rectangle;
    FT_Outline *outline = load(face, glyph, place, &rectangle);
    if (outline == NULL) return true;
    fill(engine, outline, box, coverage);
    return place.radius == 0 || wm_text_add_halo(outline, place.radius, place.blur, box, coverage);
}

/// The polygons of an outline while it is decomposed.
typedef struct polygons {
    wm_text_engine *engine;
    double tolerance;
    /// The last corner, in pixels, y down.
    double x, y;
} polygons;

/// The list with room for one more element, perhaps at another address. NULL if memory runs out; the list is then unchanged.
static void *grow(void *list, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) return list;
    size_t more = *capacity == 0 ? 256 : *capacity * 2;
    void *grown = realloc(list, more * size);
    if (grown != NULL) *capacity = more;
    return grown;
}

static bool add_corner(polygons *all, double x, double y) {
    wm_text_engine *engine = all->engine;
    double *points = grow(engine->points, &engine->point_capacity, engine->point_count, 2 * sizeof(double));
    if (points == NULL) return false;
    engine->points = points;
    engine->points[2 * engine->point_count] = all->x = x;
    engine->points[2 * engine->point_count + 1] = all->y = y;
    engine->point_count++;
    return true;
}

static bool end_polygon(wm_text_engine *engine) {
    size_t start = engine->contour_count == 0 ? 0 : engine->ends[engine->contour_count - 1];
    if (engine->point_count == start) return true;
    uint32_t *ends = grow(engine->ends, &engine->contour_capacity, engine->contour_count, sizeof(uint32_t));
    if (ends == NULL) return false;
    engine->ends = ends;
    engine->ends[engine->contour_count++] = (uint32_t)engine->point_count;
    return true;
}

static int polygon_move(const FT_Vector *to, void *user) {
    polygons *all = user;
    return end_polygon(all->engine) && add_corner(all, (double)to->x / 64, -(double)to->y / 64) ? 0 : 1;
}

static int polygon_line(const FT_Vector *to, void *user) {
    return add_corner(user, (double)to->x / 64, -(double)to->y / 64) ? 0 : 1;
}

/// Adds a cubic Bézier curve as n lines. Their distance from the curve is at most an eighth of its largest second derivative, divided by
/// n² (Filip, Magedson and Markot, "Surface algorithms using bounds on derivatives", 1986).
static int add_cubic(polygons *all, double bx, double by, double cx, double cy, double dx, double dy) {
    double ax = all->x, ay = all->y;
    double x = fmax(fabs(ax - 2 * bx + cx), fabs(bx - 2 * cx + dx)), y = fmax(fabs(ay - 2 * by + cy), fabs(by - 2 * cy + dy));
    int count = (int)fmin(fmax(ceil(sqrt(6 * sqrt(x * x + y * y) / 8 / all->tolerance)), 1), 1000);
    for (int i = 1; i <= count; i++) {
        double t = (double)i / count, u = 1 - t;
        double to_x = u * u * u * ax + 3 * u * u * t * bx + 3 * u * t * t * cx + t * t * t * dx;
        double to_y = u * u * u * ay + 3 * u * u * t * by + 3 * u * t * t * cy + t * t * t * dy;
        if (!add_corner(all, to_x, to_y)) return 1;
    }
    return 0;
}

static int polygon_cubic(const FT_Vector *second, const FT_Vector *third, const FT_Vector *to, void *user) {
    return add_cubic(
        user, (double)second->x / 64, -(double)second->y / 64, (double)third->x / 64, -(double)third->y / 64, (double)to->x / 64,
        -(double)to->y / 64);
}

static int polygon_conic(const FT_Vector *middle, const FT_Vector *to, void *user) {
    const polygons *all = user;
    double mx = (double)middle->x / 64, my = -(double)middle->y / 64, dx = (double)to->x / 64, dy = -(double)to->y / 64;
    return add_cubic(
        user, all->x + (mx - all->x) * 2 / 3, all->y + (my - all->y) * 2 / 3, dx + (mx - dx) * 2 / 3, dy + (my - dy) * 2 / 3, dx, dy);
}

bool wm_text_glyph_outline(
    wm_text_engine *engine, wm_text_face *face, uint32_t glyph, int32_t size, double tolerance, wm_text_outline *result) {
    engine->point_count = 0;
    engine->contour_count = 0;
    box_outline rectangle;
    FT_Outline *outline = load(face, glyph, (wm_text_place){.size = size}, &rectangle);
    bool is_complete = true;
    if (outline != NULL && tolerance > 0) {
        static const FT_Outline_Funcs functions = {
            .move_to = polygon_move, .line_to = polygon_line, .conic_to = polygon_conic, .cubic_to = polygon_cubic};
        polygons all = {.engine = engine, .tolerance = tolerance};
        FT_Error error = FT_Outline_Decompose(outline, &functions, &all);
        is_complete = error != 1 && end_polygon(engine);
        // If FreeType refuses an outline, the outline also has no coverage.
        if (error != 0) engine->point_count = engine->contour_count = 0;
    }
    *result = (wm_text_outline){
        .points = engine->points, .ends = engine->ends, .point_count = engine->point_count, .contour_count = engine->contour_count};
    return is_complete;
}

const uint8_t *wm_text_glyph_color(wm_text_engine *engine, wm_text_face *face, uint32_t glyph, wm_text_box *box, double *pixels_per_em) {
    (void)engine;
    *box = (wm_text_box){0};
    *pixels_per_em = 1;
    if (!face->is_color || FT_Load_Glyph(face->freetype, glyph, FT_LOAD_COLOR | FT_LOAD_NO_HINTING) != 0) return NULL;
    const FT_GlyphSlot slot = face->freetype->glyph;
    const FT_Bitmap *bitmap = &slot->bitmap;
    if (slot->format != FT_GLYPH_FORMAT_BITMAP || bitmap->pixel_mode != FT_PIXEL_MODE_BGRA || bitmap->buffer == NULL) return NULL;
    if (bitmap->width == 0 || bitmap->rows == 0 || bitmap->width > 2048 || bitmap->rows > 2048) return NULL;
    size_t count = (size_t)bitmap->width * bitmap->rows * 4;
    if (count > face->capacity) {
        uint8_t *more = realloc(face->pixels, count);
        if (more == NULL) return NULL;
        face->pixels = more;
        face->capacity = count;
    }
    uint8_t *target = face->pixels;
    for (unsigned y = 0; y < bitmap->rows; y++) {
        const uint8_t *source = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch;
        for (unsigned x = 0; x < bitmap->width; x++, source += 4, target += 4) {
            uint8_t alpha = source[3];
            target[0] = source[2] < alpha ? source[2] : alpha;
            target[1] = source[1] < alpha ? source[1] : alpha;
            target[2] = source[0] < alpha ? source[0] : alpha;
            target[3] = alpha;
        }
    }
    *box = (wm_text_box){
        .x = slot->bitmap_left, .y = -slot->bitmap_top, .width = (int32_t)bitmap->width, .height = (int32_t)bitmap->rows};
    *pixels_per_em = (double)face->freetype->available_sizes[0].y_ppem / 64;
    return face->pixels;
}
