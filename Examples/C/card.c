/* Draws a scene file to a PNG file with libwaymark, and prints the objects at (10, 10) of the picture.
 *
 *     cc -I Sources/C/Interface/include Examples/C/card.c -L .build/release -lWaymarkC -Wl,-rpath,$PWD/.build/release -o out/card
 *     out/card Examples/hello.json out/card.png
 */
#include <stdio.h>
#include <stdlib.h>
#include <waymark.h>

static int fail(int32_t status, char *message) {
    fprintf(stderr, "error: %s\n", message ? message : "no message");
    waymark_free(message);
    return status;
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *content = NULL;
    size_t capacity = 0;
    *length = 0;
    do {
        capacity += 1 << 16;
        char *longer = realloc(content, capacity);
        if (!longer) {
            free(content);
            fclose(file);
            return NULL;
        }
        content = longer;
        *length += fread(content + *length, 1, capacity - *length, file);
    } while (*length == capacity);
    fclose(file);
    return content;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: card SCENE.json CARD.png\n");
        return WAYMARK_USAGE;
    }
    size_t length = 0;
    char *json = read_file(arguments[1], &length);
    if (!json) {
        perror(arguments[1]);
        return WAYMARK_NO_INPUT;
    }

    char *message = NULL;
    struct waymark_scene_options options = {
        .struct_size = sizeof options, .name = arguments[1], .folder = "Examples", .resources = WAYMARK_RESOURCES_FOLDER};
    waymark_scene *scene = NULL;
    int32_t status = waymark_scene_create(json, length, &options, &scene, &message);
    free(json);
    if (status) return fail(status, message);

    waymark_renderer *renderer = NULL;
    if ((status = waymark_renderer_create(NULL, &renderer, &message))) return fail(status, message);

    uint8_t *bytes = NULL;
    char *warnings = NULL;
    status = waymark_render_encoded(renderer, scene, "png", 0, &bytes, &length, &warnings, &message);
    if (status) return fail(status, message);
    FILE *file = fopen(arguments[2], "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) {
        perror(arguments[2]);
        return 73;
    }

    uint32_t width = 0, height = 0;
    char *hits = NULL;
    if ((status = waymark_scene_size(scene, &width, &height, &message))) return fail(status, message);
    if ((status = waymark_pick(scene, 10, 10, 2, 0, &hits, &message))) return fail(status, message);
    printf("%u x %u pixels, warnings %s, at (10, 10): %s\n", width, height, warnings, hits);

    waymark_free(hits);
    waymark_free(warnings);
    waymark_free(bytes);
    waymark_renderer_destroy(renderer);
    waymark_scene_destroy(scene);
    return 0;
}
