// Deflates generated rows of every kind, and checks that zlib's inflate restores the same bytes: a row of one byte and rows longer than the
// window, runs as long as the longest match and one byte longer, noise, slopes, few colors, sparse pictures; in one piece and in several
// joined pieces.

#include "CWaymarkCodecs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint64_t seed = 1;

static uint32_t random_below(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static void fill(uint8_t *bytes, size_t count, size_t pixel, size_t row) {
    uint32_t kind = random_below(7), colors = 1 + random_below(6);
    static const size_t runs[] = {1, 2, 3, 4, 257, 258, 259, 260, 261, 262, 515, 516, 517, 519, 32767, 32768, 32769};
    for (size_t at = 0; at < count;) {
        size_t left = count - at, run = runs[random_below(sizeof runs / sizeof *runs)];
        if (run > left) run = left;
        switch (kind == 6 ? random_below(6) : kind) {
        case 0: // Noise.
            for (size_t i = 0; i < run; i++) bytes[at + i] = (uint8_t)random_below(256);
            break;
        case 1: // Runs of a byte.
            memset(bytes + at, (int)random_below(colors), run);
            break;
        case 2: // Runs of a pixel.
            for (size_t i = 0; i < run; i++) bytes[at + i] = at + i < pixel || i < pixel ? (uint8_t)random_below(colors) : bytes[at + i - pixel];
            break;
        case 3: // The row above.
            for (size_t i = 0; i < run; i++) bytes[at + i] = at + i < row ? (uint8_t)random_below(256) : bytes[at + i - row];
            break;
        case 4: { // From anywhere, beyond the window too.
            size_t distance = at == 0 ? 0 : 1 + random_below((uint32_t)(at < 70000 ? at : 70000));
            for (size_t i = 0; i < run; i++) bytes[at + i] = distance == 0 ? 7 : bytes[at + i - distance];
            break;
        }
        default: // Counts so uneven that codes become as long as they may.
            for (size_t i = 0; i < run; i++) bytes[at + i] = (uint8_t)__builtin_ctz(random_below(0x7fffffff) | 1u << 30);
        }
        at += run;
    }
}

int main(int count, char **arguments) {
    if (count != 2) return 1;
    int rounds = atoi(arguments[1]);
    unsigned long long in = 0, out = 0;
    for (int round = 0; round < rounds; round++) {
        size_t pixel = 1 + random_below(4);
        size_t row = 1 + pixel * (1 + random_below(random_below(4) == 0 ? 20000 : 300));
        size_t length = 1 + random_below(random_below(8) == 0 ? 400000 : random_below(2) == 0 ? 20000 : 40);
        bool is_dense = random_below(2);
        // In blocks of exactly their length, so that reading or writing one byte too far is detected.
        uint8_t *bytes = malloc(length), *back = malloc(length + 1);
        fill(bytes, length, pixel, row);
        z_stream stream = {0};
        if (inflateInit2(&stream, -15) != Z_OK) return 1;
        // One byte more than needed: with an exact size, inflate leaves an empty last block unread.
        stream.next_out = back, stream.avail_out = (uInt)length + 1;
        int status = Z_OK;
        for (size_t start = 0, pieces = 1 + random_below(3); pieces > 0; pieces--) {
            size_t piece = pieces == 1 ? length - start : random_below((uint32_t)(length - start + 1));
            uint8_t *copy = malloc(piece == 0 ? 1 : piece), *output = malloc(wm_deflate_bound(piece));
            void *workspace = malloc(wm_deflate_workspace());
            memset(workspace, (int)random_below(256), wm_deflate_workspace());
            memcpy(copy, bytes + start, piece);
            size_t written = wm_deflate(copy, piece, pixel, row, is_dense, pieces == 1, workspace, output);
            if (written == 0 || written > wm_deflate_bound(piece)) return fprintf(stderr, "round %d: %zu bytes written\n", round, written), 1;
            stream.next_in = output, stream.avail_in = (uInt)written;
            status = inflate(&stream, Z_SYNC_FLUSH);
            if (stream.avail_in != 0) return fprintf(stderr, "round %d: some bytes were not read\n", round), 1;
            free(copy), free(output), free(workspace);
            start += piece, in += piece, out += written;
        }
        inflateEnd(&stream);
        if (status != Z_STREAM_END || stream.avail_out != 1 || memcmp(bytes, back, length) != 0) {
            return fprintf(stderr, "round %d: the inflated bytes differ from the original\n", round), 1;
        }
        free(bytes), free(back);
    }
    printf("%d pictures deflated from %llu to %llu bytes and inflated again\n", rounds, in, out);
    return 0;
}
