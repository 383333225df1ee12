// Decodes each PNG, JPEG and WebP complete, truncated at every byte, and damaged at random. Truncated files must be refused; nothing may
// trip a sanitizer.

#include "CWaymarkCodecs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t random_below(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

typedef enum kind { png, jpeg, webp } kind;

static kind kind_of(const uint8_t *bytes) {
    return bytes[0] == 0x89 ? png : bytes[0] == 0xff ? jpeg : webp;
}

static bool read_header(kind kind, const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height, char *message) {
    bool succeeded = false;
    if (kind == png) {
        wm_png_header header;
        if ((succeeded = wm_png_read_header(bytes, count, &header, message))) *width = header.width, *height = header.height;
    } else if (kind == jpeg) {
        wm_jpeg_header header;
        if ((succeeded = wm_jpeg_read_header(bytes, count, &header, message))) *width = header.width, *height = header.height;
    } else {
        wm_webp_header header;
        if ((succeeded = wm_webp_read_header(bytes, count, &header, message))) {
            *width = header.width, *height = header.height;
            if (header.exif_offset > count || header.exif_count > count - header.exif_offset) abort();
        }
    }
    return succeeded;
}

/// Decodes a copy in a block of exactly its length, so that reading one byte too far is detected.
static bool decode(kind kind, const uint8_t *bytes, size_t count) {
    char message[WM_MESSAGE_LENGTH] = "";
    uint32_t width, height;
    uint8_t *copy = malloc(count == 0 ? 1 : count);
    memcpy(copy, bytes, count);
    bool succeeded = read_header(kind, copy, count, &width, &height, message);
    if (succeeded && (width > 4096 || height > 4096)) {
        free(copy);
        return false;
    }
    if (succeeded) {
        // Also of exactly its length: writing one byte too far is detected.
        uint8_t *pixels = malloc((size_t)width * height * 4);
        succeeded = (kind == png ? wm_png_decode : kind == jpeg ? wm_jpeg_decode : wm_webp_decode)(copy, count, width, height, pixels, message);
        free(pixels);
    }
    if (!succeeded && message[0] == 0) {
        fputs("refused without a message\n", stderr);
        exit(1);
    }
    free(copy);
    return succeeded;
}

/// Corrects the checksums of all chunks, so that damage reaches the decoder behind them.
static void mend(uint8_t *bytes, size_t count) {
    for (size_t at = 8; at + 12 <= count;) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > count - at - 12) return;
        uint32_t crc = wm_crc32(0, bytes + at + 4, length + 4);
        for (int i = 0; i < 4; i++) bytes[at + 8 + length + i] = (uint8_t)(crc >> (24 - 8 * i));
        at += length + 12;
    }
}

int main(int count, char **arguments) {
    int rounds = atoi(arguments[1]);
    unsigned long tried = 0, accepted = 0;
    for (int i = 2; i < count; i++) {
        static uint8_t bytes[1 << 16], damaged[1 << 16];
        FILE *file = fopen(arguments[i], "rb");
        if (file == NULL) return 1;
        size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);

        kind kind = kind_of(bytes);
        if (!decode(kind, bytes, length)) return fprintf(stderr, "%s: refused although undamaged\n", arguments[i]), 1;
        for (size_t end = 0; end < length; end++) {
            if (decode(kind, bytes, end)) return fprintf(stderr, "%s: accepted although cut off at %zu\n", arguments[i], end), 1;
        }
        for (int round = 0; round < rounds; round++) {
            memcpy(damaged, bytes, length);
            for (uint32_t flips = 1 + random_below(4); flips > 0; flips--) {
                damaged[random_below((uint32_t)length)] ^= (uint8_t)(1 + random_below(255));
            }
            if (kind == png && round % 2 == 1) mend(damaged, length);
            accepted += decode(kind, damaged, length);
            tried++;
        }
    }
    printf("%d pictures, %lu damaged copies, %lu of them still pictures\n", count - 2, tried, accepted);
    return 0;
}
