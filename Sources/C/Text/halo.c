#include "internal.h"

#include <math.h>
#include <stdlib.h>

// Fused operations would give different last bits on different processors.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

// A halo is the area within a radius of an outline. The coverage of a pixel depends on the distance of its center from the outline. A
// stroke drawn by FreeType would have holes where the radius exceeds the radius of the letter's curves, and would cover edges twice where
// its parts overlap. A sharp edge is a linear ramp of one pixel. A blurred edge is wider by the blur on each side and has a smooth ramp
// (3t² − 2t³), because the eye sees the ends of a wide linear ramp as lines.

typedef struct distances {
    wm_text_box box;
    /// The distance in pixels beyond which other distances have no effect.
    float reach;
    /// For each pixel of the box, the square of the distance from its center to the outline, in pixels.
    float *squares;
    /// The start of the next line, in 1/64 pixels.
    FT_Vector pen;
} distances;

static float least(float a, float b) {
    return a < b ? a : b;
}

static float most(float a, float b) {
    return a > b ? a : b;
}

/// Adds the segment from a to b, in pixels from the box's upper left, y down.
static void add_segment(const distances *all, float ax, float ay, float bx, float by) {
    float left = ceilf(least(ax, bx) - all->reach - 0.5f), right = floorf(most(ax, bx) + all->reach - 0.5f);
    float top = ceilf(least(ay, by) - all->reach - 0.5f), bottom = floorf(most(ay, by) + all->reach - 0.5f);
    float width = (float)all->box.width, height = (float)all->box.height;
    if (!(right >= 0 && bottom >= 0 && left < width && top < height)) return;
    int first = (int)most(left, 0), last = (int)least(right, width - 1);
    float dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    float inverse = length > 0 ? 1 / length : 0;
    for (int y = (int)most(top, 0); y <= (int)least(bottom, height - 1); y++) {
        float *row = all->squares + (size_t)y * (size_t)all->box.width;
        float py = (float)y + 0.5f - ay;
        for (int x = first; x <= last; x++) {
            float px = (float)x + 0.5f - ax;
            float along = most(0, least(1, (px * dx + py * dy) * inverse));
            float ex = px - along * dx, ey = py - along * dy;
            row[x] = least(row[x], ex * ex + ey * ey);
        }
    }
}

/// A point in 1/64 pixels from the box's lower left, y up.
typedef struct point {
    double x, y;
} point;

static void add_line(const distances *all, point from, point to) {
    float height = (float)all->box.height;
    add_segment(all, (float)(from.x / 64), height - (float)(from.y / 64), (float)(to.x / 64), height - (float)(to.y / 64));
}

/// Adds a cubic Bézier curve as lines that are at most 1/16 pixel from it. The distance of n lines is at most an eighth of the curve's
/// largest second derivative, divided by n² (Filip, Magedson and Markot, "Surface algorithms using bounds on derivatives", 1986).
static void add_curve(const distances *all, point a, point b, point c, point d) {
    double x = fmax(fabs(a.x - 2 * b.x + c.x), fabs(b.x - 2 * c.x + d.x)), y = fmax(fabs(a.y - 2 * b.y + c.y), fabs(b.y - 2 * c.y + d.y));
    double second = 6 * sqrt(x * x + y * y);
    int count = (int)fmin(fmax(ceil(sqrt(second / 8 / 4)), 1), 1000);
    point from = a;
    for (int i = 1; i <= count; i++) {
        double t = (double)i / count, u = 1 - t;
        point to = {
            u * u * u * a.x + 3 * u * u * t * b.x + 3 * u * t * t * c.x + t * t * t * d.x,
            u * u * u * a.y + 3 * u * u * t * b.y + 3 * u * t * t * c.y + t * t * t * d.y,
        };
        add_line(all, from, to);
        from = to;
    }
}

static point place_of(const FT_Vector *vector) {
    return (point){(double)vector->x, (double)vector->y};
}

static int move_to(const FT_Vector *to, void *user) {
    ((distances *)user)->pen = *to;
    return 0;
}

static int line_to(const FT_Vector *to, void *user) {
    distances *all = user;
    add_line(all, place_of(&all->pen), place_of(to));
    all->pen = *to;
    return 0;
}

static int cubic_to(const FT_Vector *second, const FT_Vector *third, const FT_Vector *to, void *user) {
    distances *all = user;
    add_curve(all, place_of(&all->pen), place_of(second), place_of(third), place_of(to));
    all->pen = *to;
    return 0;
}

static int conic_to(const FT_Vector *middle, const FT_Vector *to, void *user) {
    distances *all = user;
    point a = place_of(&all->pen), m = place_of(middle), d = place_of(to);
    point b = {a.x + (m.x - a.x) * 2 / 3, a.y + (m.y - a.y) * 2 / 3}, c = {d.x + (m.x - d.x) * 2 / 3, d.y + (m.y - d.y) * 2 / 3};
    add_curve(all, a, b, c, d);
    all->pen = *to;
    return 0;
}

bool wm_text_add_halo(FT_Outline *outline, int32_t radius, int32_t blur, wm_text_box box, uint8_t *coverage) {
    size_t count = (size_t)box.width * (size_t)box.height;
    // Without blur, the ramp is one pixel wide and the slope exactly 1.
    float pixels = (float)radius / 64, half = (float)blur / 64 + 0.5f, slope = 1 / (2 * half);
    distances all = {.box = box, .reach = pixels + half, .squares = malloc(count * sizeof(float))};
    if (all.squares == NULL) return false;
    for (size_t i = 0; i < count; i++) all.squares[i] = INFINITY;
    static const FT_Outline_Funcs functions = {.move_to = move_to, .line_to = line_to, .conic_to = conic_to, .cubic_to = cubic_to};
    // The call fails only for outlines that also have no coverage.
    FT_Outline_Decompose(outline, &functions, &all);
    for (size_t i = 0; i < count; i++) {
        // If the letter covers half of a pixel, the pixel's center is inside the letter.
        float distance = sqrtf(all.squares[i]);
        float inside = coverage[i] >= 128 ? distance : -distance;
        float covered = least(most((pixels + half + inside) * slope, 0), 1);
        if (blur > 0) covered *= covered * (3 - 2 * covered);
        uint8_t value = (uint8_t)(covered * 255 + 0.5f);
        if (value > coverage[i]) coverage[i] = value;
    }
    free(all.squares);
    return true;
}
