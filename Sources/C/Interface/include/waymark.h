#ifndef WAYMARK_H
#define WAYMARK_H

/* Waymark for C, and for every language that can call C functions. Waymark draws scenes as pictures, and describes the contents of pictures
 * as JSON.
 *
 * Results. Functions that can fail return WAYMARK_OK or another value of enum waymark_status. On failure, they also store a one-sentence
 * description in *message, unless `message` is NULL. Strings and bytes that a function returns through a pointer to a pointer belong to the
 * caller, who frees them with waymark_free(); after a failure, such a pointer is NULL. All strings are UTF-8 and zero-terminated.
 *
 * Threads. A renderer or a scene may be used by any thread, but only by one thread at a time. Different renderers and scenes may be used
 * concurrently. Calls block until their result is available. Mesa's software rasterizer draws only one picture at a time in each process;
 * use several processes to draw more pictures per second. No function may be called in a signal handler or between fork and exec.
 *
 * Versions. WAYMARK_INTERFACE_VERSION increases when functions are added. Functions never change. Structs grow only at their end.
 * Their member `struct_size` allows callers that were compiled with an earlier version to use a newer library. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WAYMARK_INTERFACE_VERSION 1

enum waymark_status {
    WAYMARK_OK = 0,
    /* An argument is invalid: NULL where a value is needed, a buffer that is too small, or an unknown option. */
    WAYMARK_USAGE = 64,
    /* A scene, a change, or a file to which a scene refers is invalid, or the scene may not read the file. The message describes the first
     * mistake. */
    WAYMARK_BAD_CONTENT = 65,
    /* A file to which a scene refers is missing or cannot be read. */
    WAYMARK_NO_INPUT = 66,
    /* The machine lacks a required component, such as EGL, the requested GPU, fonts or memory. */
    WAYMARK_UNAVAILABLE = 69,
    /* Waymark or the graphics driver failed. */
    WAYMARK_SOFTWARE = 70,
};

/* A renderer, which draws on a GPU or with Mesa's software rasterizer. */
typedef struct waymark_renderer waymark_renderer;

/* A decoded scene: a map with its overlays. */
typedef struct waymark_scene waymark_scene;

/* Returns the version of Waymark, such as "0.1.0". The string must not be freed. */
const char *waymark_version(void);

/* Returns the WAYMARK_INTERFACE_VERSION of the loaded library. */
int32_t waymark_interface_version(void);

/* Frees memory that a function has returned. `memory` may be NULL. */
void waymark_free(void *memory);

/* MARK: Renderers */

struct waymark_renderer_options {
    /* Set to sizeof(struct waymark_renderer_options). */
    size_t struct_size;
    /* The device: "auto", "software", "surfaceless", a device's number, "drm:PATH" or "cuda:N". NULL means the value of the environment
     * variable WAYMARK_DEVICE or, if that is unset, "auto". */
    const char *device;
    /* The maximum number of bytes cached between pictures; 0 means 256 MiB. */
    int64_t cache_bytes;
    /* Set to 1 to refuse a software rasterizer. */
    int32_t requires_gpu;
};

/* Opens a device. This takes 20 to 50 ms, so keep a renderer for many pictures.
 * options: The options; NULL means the default options, in which every member is zero. */
int32_t waymark_renderer_create(const struct waymark_renderer_options *options, waymark_renderer **renderer, char **message);

/* Closes a renderer and frees it. `renderer` may be NULL. */
void waymark_renderer_destroy(waymark_renderer *renderer);

/* Stores the name of the OpenGL renderer in *name. */
int32_t waymark_renderer_device(waymark_renderer *renderer, char **name, char **message);

/* MARK: Scenes */

enum waymark_resources {
    /* The scene may read no files. It may contain images as data: URIs. */
    WAYMARK_RESOURCES_NONE = 0,
    /* The scene may read files in `folder` and its subfolders. Symbolic links are resolved before this is checked. */
    WAYMARK_RESOURCES_FOLDER = 1,
    /* The scene may read any file. */
    WAYMARK_RESOURCES_ANY = 2,
};

struct waymark_scene_options {
    /* Set to sizeof(struct waymark_scene_options). */
    size_t struct_size;
    /* The scene's name in messages; NULL means "scene". */
    const char *name;
    /* The folder to which relative paths refer; NULL means the working directory. */
    const char *folder;
    /* The files that the scene may read: a value of enum waymark_resources. */
    int32_t resources;
    /* Set to 1 if images that cannot be loaded should cause warnings instead of errors. */
    int32_t is_lenient;
};

/* Decodes the content of a scene, or of a file of features: GeoJSON, GPX, or a table.
 * json: The content, `length` bytes long. The memory may be freed after the call.
 * options: The options; NULL means the default options, in which every member is zero. */
int32_t waymark_scene_create(
    const char *json, size_t length, const struct waymark_scene_options *options, waymark_scene **scene, char **message);

/* Frees a scene. `scene` may be NULL. */
void waymark_scene_destroy(waymark_scene *scene);

/* Changes a scene for the calls that follow. The change is a JSON object like a batch job without id and output: a merge patch (RFC 7396),
 * with "change", "add" and "remove" for single overlays. A change always applies to the original scene, and so replaces the previous
 * change. If this function fails, the scene returns to its original state.
 * json: The change, `length` bytes long. NULL with a length of 0 removes the previous change. */
int32_t waymark_scene_change(waymark_scene *scene, const char *json, size_t length, char **message);

/* Stores the size of the scene's picture, in device pixels, in *width and *height. */
int32_t waymark_scene_size(waymark_scene *scene, uint32_t *width, uint32_t *height, char **message);

/* MARK: Pictures */

enum waymark_pixel_format {
    /* Red, green, blue and alpha, 8 bits each; colors are not multiplied by alpha. */
    WAYMARK_RGBA = 0,
    /* Red, green, blue and alpha, 8 bits each; colors are multiplied by alpha. */
    WAYMARK_RGBA_PREMULTIPLIED = 1,
    /* Blue, green, red and alpha, 8 bits each; colors are multiplied by alpha. This is the 32-bit format of Cairo and Qt on little-endian
     * machines. */
    WAYMARK_BGRA_PREMULTIPLIED = 2,
};

/* Draws a scene into the caller's memory, with the top row first. The function may also read this memory. Its content is undefined while
 * the function runs and after a failure.
 * stride: The number of bytes from one row to the next, at least 4 * width.
 * length: The number of bytes in `pixels`, at least stride * (height - 1) + 4 * width.
 * format: A value of enum waymark_pixel_format.
 * warnings: Unless NULL, receives a JSON array of sentences about everything that could not be read or drawn as requested. */
int32_t waymark_render(
    waymark_renderer *renderer, waymark_scene *scene, uint8_t *pixels, size_t stride, size_t length, int32_t format, char **warnings,
    char **message);

/* Draws a scene, and stores the content of a picture file in *bytes.
 * format: "png", "jpeg", "webp" or "rgba".
 * quality: A quality of 1 to 100 for JPEG and WebP; 0 means the default, which is 85 for JPEG and lossless for WebP.
 * warnings: As for waymark_render(). */
int32_t waymark_render_encoded(
    waymark_renderer *renderer, waymark_scene *scene, const char *format, int32_t quality, uint8_t **bytes, size_t *length,
    char **warnings, char **message);

/* MARK: Questions */

enum waymark_inspect_flags {
    /* Also list, among the symbols, the labels of a vector base map that are in the picture. */
    WAYMARK_INSPECT_BASE_MAP_SYMBOLS = 1,
};

/* Stores the output of `waymark inspect`, the positions of everything in the picture, in *json. No renderer is needed.
 * flags: The sum of any values of enum waymark_inspect_flags; 0 means none. */
int32_t waymark_inspect(waymark_scene *scene, int32_t flags, char **json, char **message);

enum waymark_pick_flags {
    /* Also find objects that are not drawn because they are hidden, outside their zoom range, or hidden by a collision. These objects are
     * found at the places where they would be drawn. */
    WAYMARK_PICK_INVISIBLE = 1,
    /* Ignore the transparent pixels of icons. */
    WAYMARK_PICK_IGNORE_TRANSPARENT = 2,
};

/* Stores the output of `waymark pick`, the objects at a point with the topmost first, in *json. No renderer is needed.
 * x, y: The point, in pt from the picture's upper left, y down. It must lie inside the picture.
 * tolerance: The maximum distance of an object from the point, in pt, 0 to 100; `waymark pick` uses 2.
 * flags: The sum of any values of enum waymark_pick_flags; 0 means none. */
int32_t waymark_pick(
    waymark_scene *scene, double x, double y, double tolerance, int32_t flags, char **json, char **message);

#ifdef __cplusplus
}
#endif

#endif
