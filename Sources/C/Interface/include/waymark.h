#ifndef WAYMARK_H
#define WAYMARK_H

/* Waymark for C, and for every language that can call C: scenes in, pixels and JSON out.
 *
 * Results. Functions that can fail return WAYMARK_OK or a code of enum waymark_status, and then, unless `message` is NULL, store one
 * sentence in *message. Texts, bytes and messages returned through a pointer to a pointer belong to the caller, who frees them with
 * waymark_free(); after a failure the pointer is NULL. All texts are UTF-8 and zero-terminated.
 *
 * Threads. A renderer and a scene may be used by any thread, but each by only one thread at a time; different ones may be used
 * concurrently. Calls block until their result is available. On Mesa's software rasterizer the renderers of one process draw in turn; use
 * several processes to draw more pictures per second. No function may be called in a signal handler or between fork and exec.
 *
 * Versions. WAYMARK_INTERFACE_VERSION grows when functions are added. Functions never change. Structs grow at their end; `struct_size`
 * keeps older callers working. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WAYMARK_INTERFACE_VERSION 1

enum waymark_status {
    WAYMARK_OK = 0,
    /* An argument is invalid: NULL where a value is needed, a buffer that is too small, an unknown option. */
    WAYMARK_USAGE = 64,
    /* A scene, a change or a file that it names is invalid. */
    WAYMARK_BAD_CONTENT = 65,
    /* A file that a scene names is missing or cannot be read. */
    WAYMARK_NO_INPUT = 66,
    /* The machine lacks something: EGL, the GPU asked for, fonts, memory. */
    WAYMARK_UNAVAILABLE = 69,
    /* A fault of Waymark or of the driver. */
    WAYMARK_SOFTWARE = 70,
};

/* A GPU, or Mesa's software rasterizer, that draws. */
typedef struct waymark_renderer waymark_renderer;

/* A scene, decoded once: a map with its overlays. */
typedef struct waymark_scene waymark_scene;

/* The version of Waymark, such as "0.5.0". Not to be freed. */
const char *waymark_version(void);

/* WAYMARK_INTERFACE_VERSION of the library that is loaded. */
int32_t waymark_interface_version(void);

/* Frees memory returned by a function; NULL is allowed. */
void waymark_free(void *memory);

/* MARK: Renderers */

struct waymark_renderer_options {
    /* sizeof(struct waymark_renderer_options). */
    size_t struct_size;
    /* "auto", "software", "surfaceless", a device's number, "drm:PATH" or "cuda:N". NULL: WAYMARK_DEVICE in the environment, or "auto". */
    const char *device;
    /* The maximum number of bytes kept between pictures; 0 means 256 MiB. */
    int64_t cache_bytes;
    /* 1 refuses a software rasterizer; otherwise 0. */
    int32_t requires_gpu;
};

/* Opens a device, which takes 20 to 50 ms: keep a renderer for many pictures.
 * options: NULL for the defaults, which are zeros. */
int32_t waymark_renderer_create(const struct waymark_renderer_options *options, waymark_renderer **renderer, char **message);

/* Closes a renderer; NULL is allowed. */
void waymark_renderer_destroy(waymark_renderer *renderer);

/* The name of the OpenGL renderer. */
int32_t waymark_renderer_device(waymark_renderer *renderer, char **name, char **message);

/* MARK: Scenes */

enum waymark_resources {
    /* A scene reads no files; it may contain images as data: URIs. */
    WAYMARK_RESOURCES_NONE = 0,
    /* Files in `folder` and its subfolders, after resolving links. */
    WAYMARK_RESOURCES_FOLDER = 1,
    /* Any file. */
    WAYMARK_RESOURCES_ANY = 2,
};

struct waymark_scene_options {
    /* sizeof(struct waymark_scene_options). */
    size_t struct_size;
    /* The scene's name in messages. NULL: "scene". */
    const char *name;
    /* The folder to which relative paths refer. NULL: the working directory. */
    const char *folder;
    /* The files that the scene may read: enum waymark_resources. */
    int32_t resources;
    /* 1 turns an image that cannot be loaded from an error into a warning; otherwise 0. */
    int32_t is_lenient;
};

/* Decodes the content of a scene or GeoJSON file.
 * json: `length` bytes, which need not stay valid.
 * options: NULL for the defaults, which are zeros. */
int32_t waymark_scene_create(
    const char *json, size_t length, const struct waymark_scene_options *options, waymark_scene **scene, char **message);

/* NULL is allowed. */
void waymark_scene_destroy(waymark_scene *scene);

/* Changes a scene for the following calls, by a JSON object like a batch's job without id and output: a merge patch (RFC 7396), with
 * "change", "add" and "remove" for single overlays. A change applies to the original scene, and so replaces the previous change. If it
 * fails, the scene has its original state.
 * json: `length` bytes. NULL with 0: no change. */
int32_t waymark_scene_change(waymark_scene *scene, const char *json, size_t length, char **message);

/* The size of the scene's picture in device pixels. */
int32_t waymark_scene_size(waymark_scene *scene, uint32_t *width, uint32_t *height, char **message);

/* MARK: Pictures */

enum waymark_pixel_format {
    /* Red, green, blue, alpha, 8 bits each, colors not multiplied by alpha. */
    WAYMARK_RGBA = 0,
    /* The same, colors multiplied by alpha. */
    WAYMARK_RGBA_PREMULTIPLIED = 1,
    /* Blue, green, red, alpha, colors multiplied by alpha: Cairo's and Qt's 32-bit format on little-endian machines. */
    WAYMARK_BGRA_PREMULTIPLIED = 2,
};

/* Draws a scene into the caller's memory, top row first.
 * stride: Bytes from one row to the next, at least 4 * width.
 * length: Bytes of `pixels`, at least stride * (height - 1) + 4 * width.
 * format: enum waymark_pixel_format.
 * warnings: Unless NULL, receives a JSON array of sentences about parts that could not be read or drawn as requested. */
int32_t waymark_render(
    waymark_renderer *renderer, waymark_scene *scene, uint8_t *pixels, size_t stride, size_t length, int32_t format, char **warnings,
    char **message);

/* Draws a scene as the content of a file.
 * format: "png", "jpeg", "webp" or "rgba".
 * quality: 1 to 100 for JPEG and WebP; 0 for the default, 85 for JPEG and lossless for WebP.
 * warnings: As for waymark_render(). */
int32_t waymark_render_encoded(
    waymark_renderer *renderer, waymark_scene *scene, const char *format, int32_t quality, uint8_t **bytes, size_t *length,
    char **warnings, char **message);

/* MARK: Questions */

/* The output of `waymark inspect`. No renderer is needed. */
int32_t waymark_inspect(waymark_scene *scene, char **json, char **message);

enum waymark_pick_flags {
    /* Also finds objects that are hidden, outside their zoom range or collided, where they would be. */
    WAYMARK_PICK_INVISIBLE = 1,
    /* Ignores transparent pixels of icons. */
    WAYMARK_PICK_IGNORE_TRANSPARENT = 2,
};

/* The output of `waymark pick`: the objects at a point, topmost first.
 * x, y: In pt from the picture's upper left, y down, inside the picture.
 * tolerance: The maximum distance of an object from the point, in pt, 0 to 100; `pick` uses 2.
 * flags: A sum of enum waymark_pick_flags, or 0. */
int32_t waymark_pick(
    waymark_scene *scene, double x, double y, double tolerance, int32_t flags, char **json, char **message);

#ifdef __cplusplus
}
#endif

#endif
