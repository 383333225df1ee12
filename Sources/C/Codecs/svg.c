#define _GNU_SOURCE
#include "message.h"

#include <dlfcn.h>
#include <pthread.h>

enum { argb32 = 0 };

// The required declarations of librsvg, cairo and GLib. All of them are stable ABI.
typedef struct rectangle {
    double x, y, width, height;
} rectangle;

typedef struct length {
    double value;
    int unit;
} length;

typedef struct error {
    uint32_t domain;
    int code;
    char *message;
} error;

static struct {
    void *(*rsvg_handle_new_from_data)(const uint8_t *, size_t, error **);
    void (*rsvg_handle_set_dpi)(void *, double);
    int (*rsvg_handle_get_intrinsic_size_in_pixels)(void *, double *, double *);
    void (*rsvg_handle_get_intrinsic_dimensions)(void *, int *, length *, int *, length *, int *, rectangle *);
    int (*rsvg_handle_render_document)(void *, void *, const rectangle *, error **);
    void *(*cairo_image_surface_create_for_data)(uint8_t *, int, int, int, int);
    void *(*cairo_create)(void *);
    void (*cairo_scale)(void *, double, double);
    int (*cairo_status)(void *);
    void (*cairo_surface_flush)(void *);
    void (*cairo_surface_destroy)(void *);
    void (*cairo_destroy)(void *);
    void (*g_object_unref)(void *);
    void (*g_error_free)(error *);
    bool is_loaded;
} library;

static void load_library(void) {
    // librsvg is never closed, because GLib's types cannot be unregistered.
    void *file = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (file == NULL) return;
    library.is_loaded = true;
    // Symbols are also looked up in the dependencies of the library, such as cairo and GLib.
#define LOAD(name) library.is_loaded &= (*(void **)&library.name = dlsym(file, #name)) != NULL
    LOAD(rsvg_handle_new_from_data);
    LOAD(rsvg_handle_set_dpi);
    LOAD(rsvg_handle_get_intrinsic_dimensions);
    LOAD(rsvg_handle_render_document);
    LOAD(cairo_image_surface_create_for_data);
    LOAD(cairo_create);
    LOAD(cairo_scale);
    LOAD(cairo_status);
    LOAD(cairo_surface_flush);
    LOAD(cairo_surface_destroy);
    LOAD(cairo_destroy);
    LOAD(g_object_unref);
    LOAD(g_error_free);
#undef LOAD
    // Only librsvg 2.52 and later have this function.
    *(void **)&library.rsvg_handle_get_intrinsic_size_in_pixels = dlsym(file, "rsvg_handle_get_intrinsic_size_in_pixels");
}

static wm_svg_status refused(wm_svg_reply *reply, error *error) {
    set_message(reply->message, error == NULL ? "librsvg failed" : error->message);
    if (error != NULL) library.g_error_free(error);
    return WM_SVG_REFUSED;
}

/// A length in CSS pixels; 0 for percentages and for units relative to a font.
static double css_pixels(length length) {
    static const double pixels[] = {0, 1, 0, 0, 96, 96 / 2.54, 96 / 25.4, 96 / 72.0, 16};
    return (size_t)length.unit < sizeof pixels / sizeof *pixels ? length.value * pixels[length.unit] : 0;
}

static void measure(void *handle, wm_svg_reply *reply) {
    double *width = &reply->natural_width, *height = &reply->natural_height;
    // Unlike the code below, this function can convert units that are relative to a font.
    if (library.rsvg_handle_get_intrinsic_size_in_pixels != NULL &&
        library.rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height)) {
        return;
    }
    int has_width, has_height, has_box;
    length asked_width, asked_height;
    rectangle box;
    library.rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &asked_width, &has_height, &asked_height, &has_box, &box);
    if (!has_box) box = (rectangle){0, 0, 300, 150};
    // A single side determines the other through the aspect ratio of the viewBox.
    double known_width = has_width ? css_pixels(asked_width) : 0, known_height = has_height ? css_pixels(asked_height) : 0;
    double scale = known_width > 0 ? known_width / box.width : known_height > 0 ? known_height / box.height : 1;
    *width = known_width > 0 ? known_width : box.width * (has_box ? scale : 1);
    *height = known_height > 0 ? known_height : box.height * (has_box ? scale : 1);
}

/// Converts cairo's words of alpha, red, green, blue to bytes of red, green, blue, alpha.
static void reorder(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, pixels + i * 4, 4);
        pixels[i * 4] = (uint8_t)(word >> 16);
        pixels[i * 4 + 1] = (uint8_t)(word >> 8);
        pixels[i * 4 + 2] = (uint8_t)word;
        pixels[i * 4 + 3] = (uint8_t)(word >> 24);
    }
}

static wm_svg_status draw(void *handle, const wm_svg_request *request, wm_svg_reply *reply, uint8_t *pixels) {
    void *surface = library.cairo_image_surface_create_for_data(
        pixels, argb32, (int)request->width, (int)request->height, (int)request->width * 4);
    void *context = library.cairo_create(surface);
    library.cairo_scale(context, request->width / request->natural_width, request->height / request->natural_height);
    rectangle viewport = {0, 0, request->natural_width, request->natural_height};
    error *error = NULL;
    bool is_drawn = library.rsvg_handle_render_document(handle, context, &viewport, &error);
    bool is_well = library.cairo_status(context) == 0;
    library.cairo_destroy(context);
    library.cairo_surface_flush(surface);
    library.cairo_surface_destroy(surface);
    if (!is_drawn || !is_well) return refused(reply, error);
    reorder(pixels, (size_t)request->width * request->height);
    return WM_SVG_DONE;
}

void wm_svg_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_library);
}

static wm_svg_status perform(
    const wm_svg_request *request, const uint8_t *bytes, size_t count, wm_svg_reply *reply, uint8_t *pixels, size_t room) {
    wm_svg_prepare();
    if (!library.is_loaded) return WM_SVG_MISSING;
    if (room / 4 < (uint64_t)request->width * request->height) return WM_SVG_REFUSED;
    error *error = NULL;
    void *handle = library.rsvg_handle_new_from_data(bytes, count, &error);
    if (handle == NULL) return refused(reply, error);
    library.rsvg_handle_set_dpi(handle, 96);
    wm_svg_status status = WM_SVG_DONE;
    if (request->width > 0) status = draw(handle, request, reply, pixels);
    else measure(handle, reply);
    library.g_object_unref(handle);
    return status;
}

size_t wm_svg_work(const uint8_t *request, size_t count, uint8_t *reply, size_t room) {
    if (count < sizeof(wm_svg_request) || room < sizeof(wm_svg_reply)) return 0;
    wm_svg_request header;
    memcpy(&header, request, sizeof header);
    wm_svg_reply answer = {0};
    answer.status = perform(&header, request + sizeof header, count - sizeof header, &answer, reply + sizeof answer, room - sizeof answer);
    memcpy(reply, &answer, sizeof answer);
    return sizeof answer + (answer.status == WM_SVG_DONE ? (size_t)header.width * header.height * 4 : 0);
}
