/* The case "card" of waymark-bench through the C interface: a scene drawn repeatedly, to pixels and to a PNG. Prints medians as one line of JSON.
 *
 *     card SCENE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <waymark.h>

/* The same numbers as in waymark-bench. */
enum { WARM_RUNS = 30, RUNS = 50 };

static void expect(int32_t status, const char *message) {
    if (!status) return;
    fprintf(stderr, "error: %s\n", message ? message : "no message");
    exit(1);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *times) {
    qsort(times, RUNS, sizeof *times, compare);
    return (times[RUNS / 2 - 1] + times[RUNS / 2]) / 2;
}

static char json[1 << 20];

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: card SCENE\n");
        return 64;
    }
    size_t length = fread(json, 1, sizeof json, file);
    fclose(file);
    if (length == sizeof json) {
        fprintf(stderr, "error: the scene is larger than %zu bytes\n", sizeof json);
        return 65;
    }

    char *message = NULL;
    struct waymark_scene_options options = {.struct_size = sizeof options, .folder = arguments[1], .resources = WAYMARK_RESOURCES_ANY};
    char *slash = strrchr(arguments[1], '/');
    if (slash) *slash = 0;
    else options.folder = NULL;
    waymark_scene *scene = NULL;
    expect(waymark_scene_create(json, length, &options, &scene, &message), message);
    waymark_renderer *renderer = NULL;
    expect(waymark_renderer_create(NULL, &renderer, &message), message);
    uint32_t width = 0, height = 0;
    expect(waymark_scene_size(scene, &width, &height, &message), message);
    size_t stride = 4 * (size_t)width;
    uint8_t *pixels = malloc(stride * height);
    if (!pixels) return 71;

    double png[RUNS], drawn[RUNS];
    size_t size = 0;
    for (int run = -WARM_RUNS; run < RUNS; run++) {
        uint8_t *bytes = NULL;
        double start = milliseconds();
        expect(waymark_render_encoded(renderer, scene, "png", 0, &bytes, &size, NULL, &message), message);
        waymark_free(bytes);
        if (run >= 0) png[run] = milliseconds() - start;
    }
    for (int run = 0; run < RUNS; run++) {
        double start = milliseconds();
        expect(
            waymark_render(renderer, scene, pixels, stride, stride * height, WAYMARK_RGBA_PREMULTIPLIED, NULL, &message), message);
        drawn[run] = milliseconds() - start;
    }
    printf("{\"png_ms\": %.4f, \"pixels_ms\": %.4f, \"png_bytes\": %zu}\n", median(png), median(drawn), size);
    free(pixels);
    waymark_renderer_destroy(renderer);
    waymark_scene_destroy(scene);
    return 0;
}
