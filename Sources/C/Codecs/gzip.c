#include "CWaymarkCodecs.h"

#include <libdeflate.h>

wm_gzip_status wm_gzip_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t room, size_t *taken, size_t *written) {
    *taken = *written = 0;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) return WM_GZIP_NO_MEMORY;
    const enum libdeflate_result result = libdeflate_gzip_decompress_ex(decompressor, bytes, count, output, room, taken, written);
    libdeflate_free_decompressor(decompressor);
    switch (result) {
    case LIBDEFLATE_SUCCESS: return WM_GZIP_DONE;
    case LIBDEFLATE_INSUFFICIENT_SPACE: return WM_GZIP_NO_ROOM;
    default: return WM_GZIP_DAMAGED;
    }
}

size_t wm_gzip_bound(size_t count) {
    return libdeflate_gzip_compress_bound(NULL, count);
}

size_t wm_gzip_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *output, size_t room) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (compressor == NULL) return 0;
    const size_t written = libdeflate_gzip_compress(compressor, bytes, count, output, room);
    libdeflate_free_compressor(compressor);
    return written;
}
