/* Calls every function of libwaymark with good, bad and damaged arguments, in turn and on several threads. The program is compiled with
 * AddressSanitizer, which also tracks the library's allocations: memory that is not freed is a leak. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <waymark.h>

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: the check failed: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static const char CARD[] =
    "{\"waymark\": 1, \"size\": {\"width\": 90, \"height\": 60}, \"background\": \"#fafafa\", \"camera\": {\"center\": [127, 37.5], \"zoom\": 12},"
    "\"overlays\": [{\"type\": \"marker\", \"id\": \"hall\", \"position\": [127, 37.5], \"iconImage\": \"builtin:red\", \"captionText\": \"Hall é\"},"
    "{\"type\": \"circle\", \"id\": \"around\", \"center\": [127, 37.5], \"radius\": 900, \"fillColor\": \"#3388ff40\"},"
    "{\"type\": \"polyline\", \"points\": [[126.99, 37.49], [127.02, 37.51]], \"width\": 3, \"pattern\": [4, 2]}]}";
enum { WIDTH = 90, HEIGHT = 60 };

/* Checks that a call failed with a sentence, and frees it. */
static void expect_failure(int32_t status, int32_t wanted, char **message) {
    if (status != wanted) fprintf(stderr, "status %d, not %d: %s\n", status, wanted, *message ? *message : "no message");
    EXPECT(status == wanted);
    EXPECT(*message && strlen(*message) > 5);
    waymark_free(*message);
    *message = NULL;
}

static waymark_scene *scene_of(const char *json, size_t length) {
    waymark_scene *scene = NULL;
    char *message = NULL;
    EXPECT(waymark_scene_create(json, length, NULL, &scene, &message) == WAYMARK_OK && scene && !message);
    return scene;
}

static waymark_renderer *software(void) {
    waymark_renderer *renderer = NULL;
    char *message = NULL;
    struct waymark_renderer_options options = {.struct_size = sizeof options, .device = "software", .cache_bytes = 8 << 20};
    EXPECT(waymark_renderer_create(&options, &renderer, &message) == WAYMARK_OK && renderer && !message);
    return renderer;
}

/* Pictures of all formats into memory of the exact size, whose end AddressSanitizer guards. */
static void pictures(waymark_renderer *renderer, waymark_scene *scene) {
    for (int32_t format = WAYMARK_RGBA; format <= WAYMARK_BGRA_PREMULTIPLIED; format++) {
        for (size_t margin = 0; margin < 24; margin += 11) {
            size_t stride = 4 * WIDTH + margin, length = stride * (HEIGHT - 1) + 4 * WIDTH;
            uint8_t *pixels = malloc(length);
            EXPECT(pixels);
            memset(pixels, 0xA5, length);
            char *warnings = NULL, *message = NULL;
            EXPECT(waymark_render(renderer, scene, pixels, stride, length, format, &warnings, &message) == WAYMARK_OK);
            EXPECT(!message && warnings && warnings[0] == '[');
            EXPECT(pixels[3] == 0xFF && pixels[length - 1] == 0xFF);
            for (size_t row = 0; row + 1 < HEIGHT; row++)
                for (size_t byte = 0; byte < margin; byte++) EXPECT(pixels[row * stride + 4 * WIDTH + byte] == 0xA5);
            waymark_free(warnings);
            /* One byte too few is refused before anything is written. */
            memset(pixels, 0xA5, length);
            expect_failure(waymark_render(renderer, scene, pixels, stride, length - 1, format, NULL, &message), WAYMARK_USAGE, &message);
            EXPECT(pixels[0] == 0xA5);
            free(pixels);
        }
    }
    static const char *const formats[] = {"png", "jpeg", "webp", "rgba"};
    for (size_t index = 0; index < sizeof formats / sizeof *formats; index++) {
        uint8_t *bytes = NULL;
        size_t length = 0;
        char *message = NULL;
        EXPECT(waymark_render_encoded(renderer, scene, formats[index], 0, &bytes, &length, NULL, &message) == WAYMARK_OK);
        EXPECT(bytes && length > 100 && !message);
        waymark_free(bytes);
    }
}

static void places(waymark_scene *scene) {
    char *json = NULL, *message = NULL;
    uint32_t width = 0, height = 0;
    EXPECT(waymark_scene_size(scene, &width, &height, &message) == WAYMARK_OK && width == WIDTH && height == HEIGHT);
    EXPECT(waymark_inspect(scene, 0, &json, &message) == WAYMARK_OK && strstr(json, "\"hall\""));
    waymark_free(json);
    EXPECT(waymark_inspect(scene, WAYMARK_INSPECT_BASE_MAP_SYMBOLS, &json, &message) == WAYMARK_OK && strstr(json, "\"symbols\""));
    waymark_free(json);
    EXPECT(waymark_pick(scene, 45, 25, 2, 0, &json, &message) == WAYMARK_OK && strstr(json, "\"hall\""));
    waymark_free(json);
    int32_t flags = WAYMARK_PICK_INVISIBLE | WAYMARK_PICK_IGNORE_TRANSPARENT;
    EXPECT(waymark_pick(scene, 0, 0, 100, flags, &json, &message) == WAYMARK_OK && !message);
    waymark_free(json);
}

static void changes(waymark_renderer *renderer, waymark_scene *scene) {
    static const char *const good[] = {
        "{\"change\": {\"hall\": {\"captionText\": \"Another\"}}}", "{\"remove\": [\"around\"]}",
        "{\"add\": [{\"type\": \"marker\", \"position\": [127.01, 37.5]}]}", "{\"camera\": {\"center\": null, \"zoom\": null, \"fit\": \"overlays\"}}"};
    static const char *const bad[] = {
        "", "{", "[]", "{\"change\": {\"nobody\": {}}}", "{\"change\": {\"hall\": {\"alpha\": 7}}}", "{\"add\": [{\"type\": \"none\"}]}", "\xFF"};
    char *message = NULL;
    for (size_t index = 0; index < sizeof good / sizeof *good; index++) {
        EXPECT(waymark_scene_change(scene, good[index], strlen(good[index]), &message) == WAYMARK_OK && !message);
        uint8_t *bytes = NULL;
        size_t length = 0;
        EXPECT(waymark_render_encoded(renderer, scene, "png", 0, &bytes, &length, NULL, &message) == WAYMARK_OK);
        waymark_free(bytes);
    }
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++)
        expect_failure(waymark_scene_change(scene, bad[index], strlen(bad[index]), &message), WAYMARK_BAD_CONTENT, &message);
    EXPECT(waymark_scene_change(scene, NULL, 0, &message) == WAYMARK_OK && !message);
}

/* Mistakes of callers. */
static void mistakes(waymark_renderer *renderer, waymark_scene *scene) {
    char *message = NULL, *json = NULL;
    uint8_t *bytes = NULL, pixel[4];
    size_t length = 0;
    uint32_t side = 0;
    waymark_renderer *no_renderer = NULL;
    waymark_scene *no_scene = NULL;
    expect_failure(waymark_render(NULL, scene, pixel, 4 * WIDTH, 4, 0, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render(renderer, NULL, pixel, 4 * WIDTH, 4, 0, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render(renderer, scene, NULL, 4 * WIDTH, 4, 0, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render(renderer, scene, pixel, 4, sizeof pixel, 0, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render(renderer, scene, pixel, SIZE_MAX, SIZE_MAX, 0, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render(renderer, scene, pixel, 4 * WIDTH, SIZE_MAX, 9, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render_encoded(renderer, scene, "gif", 0, &bytes, &length, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render_encoded(renderer, scene, NULL, 0, &bytes, &length, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render_encoded(renderer, scene, "png", 101, &bytes, &length, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_render_encoded(renderer, scene, "png", 0, NULL, &length, NULL, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_inspect(NULL, 0, &json, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_inspect(scene, 2, &json, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_pick(scene, -1, 5, 2, 0, &json, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_pick(scene, 5, 5, 2, 64, &json, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_scene_size(NULL, &side, &side, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_scene_create(NULL, 5, NULL, &no_scene, &message), WAYMARK_USAGE, &message);
    expect_failure(waymark_scene_create(CARD, strlen(CARD), NULL, NULL, &message), WAYMARK_USAGE, &message);
    struct waymark_renderer_options nothing = {.struct_size = sizeof nothing, .device = "no such device"};
    expect_failure(waymark_renderer_create(&nothing, &no_renderer, &message), WAYMARK_USAGE, &message);
    struct waymark_scene_options none = {.struct_size = sizeof none, .name = "card"};
    static const char file[] = "{\"waymark\": 1, \"overlays\": [{\"type\": \"marker\", \"position\": [0, 0], \"iconImage\": \"icon.png\"}]}";
    expect_failure(waymark_scene_create(file, strlen(file), &none, &no_scene, &message), WAYMARK_BAD_CONTENT, &message);
    EXPECT(!no_renderer && !no_scene && !bytes && !json);
    /* Without a place for the message. */
    EXPECT(waymark_inspect(NULL, 0, &json, NULL) == WAYMARK_USAGE);
    waymark_free(NULL);
    waymark_scene_destroy(NULL);
    waymark_renderer_destroy(NULL);
}

/* Scenes with bytes changed, removed and truncated, in memory of the exact size. */
static void damaged(unsigned seed, int rounds) {
    for (int round = 0; round < rounds; round++) {
        size_t length = strlen(CARD);
        if (rand_r(&seed) % 2) length = rand_r(&seed) % (length + 1);
        char *copy = malloc(length ? length : 1);
        EXPECT(copy);
        memcpy(copy, CARD, length);
        for (int edit = rand_r(&seed) % 4; edit > 0 && length; edit--) copy[rand_r(&seed) % length] = (char)rand_r(&seed);
        waymark_scene *scene = NULL;
        char *message = NULL, *json = NULL;
        int32_t status = waymark_scene_create(copy, length, NULL, &scene, &message);
        free(copy);
        if (status) {
            EXPECT(!scene);
            expect_failure(status, WAYMARK_BAD_CONTENT, &message);
            continue;
        }
        if (waymark_inspect(scene, 0, &json, &message) == WAYMARK_OK) waymark_free(json);
        else waymark_free(message);
        waymark_scene_destroy(scene);
    }
}

static void *work(void *argument) {
    int rounds = *(int *)argument;
    waymark_renderer *renderer = software();
    char *name = NULL, *message = NULL;
    EXPECT(waymark_renderer_device(renderer, &name, &message) == WAYMARK_OK && strlen(name) > 3);
    waymark_free(name);
    for (int round = 0; round < rounds; round++) {
        waymark_scene *scene = scene_of(CARD, strlen(CARD));
        pictures(renderer, scene);
        places(scene);
        changes(renderer, scene);
        mistakes(renderer, scene);
        places(scene);
        waymark_scene_destroy(scene);
    }
    waymark_renderer_destroy(renderer);
    return NULL;
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 10;
    EXPECT(rounds > 0);
    EXPECT(waymark_interface_version() == WAYMARK_INTERFACE_VERSION && strchr(waymark_version(), '.'));
    work(&rounds);
    damaged(1, rounds * 100);
    pthread_t threads[3];
    for (int index = 0; index < 3; index++) EXPECT(pthread_create(&threads[index], NULL, work, &rounds) == 0);
    for (int index = 0; index < 3; index++) EXPECT(pthread_join(threads[index], NULL) == 0);
    printf("%d rounds on 4 threads, %d damaged copies\n", rounds, rounds * 100);
    return 0;
}
