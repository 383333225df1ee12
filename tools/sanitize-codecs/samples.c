// Writes small JPEG and WebP files into a folder with Waymark's own encoders; Tests/ImagingTests/Fixtures has the kinds that these cannot
// write.

#include "CWaymarkCodecs.h"

#include <stdio.h>

enum { width = 19, height = 13 };

static int write_file(const char *folder, const char *name, wm_bytes file) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *output = fopen(path, "wb");
    if (output == NULL) return 1;
    size_t written = fwrite(file.bytes, 1, file.count, output);
    return fclose(output) != 0 || written != file.count;
}

int main(int count, char **arguments) {
    if (count != 2) return 1;
    static uint8_t pixels[width * height * 4];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    // Half of it in one color, so that copies and palettes also occur.
    for (size_t i = 0; i < sizeof pixels / 2; i++) pixels[i] = (uint8_t)(i % 4 * 60);

    char message[WM_MESSAGE_LENGTH];
    int failures = 0;
    for (int quality = -1; quality <= 100; quality += 71) {
        wm_bytes file;
        if (!wm_webp_encode(pixels, width, height, quality, &file, message)) return 1;
        failures += write_file(arguments[1], quality < 0 ? "lossless.webp" : "lossy.webp", file);
        wm_webp_release(file);
    }
    for (int is_progressive = 0; is_progressive <= 1; is_progressive++) {
        wm_bytes file;
        if (!wm_jpeg_encode(pixels, width, height, 90, is_progressive, &file, message)) return 1;
        failures += write_file(arguments[1], is_progressive ? "progressive.jpg" : "baseline.jpg", file);
        wm_jpeg_release(file);
    }
    return failures;
}
