#include "CWaymarkCodecs.h"

#include <libdeflate.h>

size_t wm_zlib_bound(size_t count) {
    return libdeflate_zlib_compress_bound(NULL, count);
}

size_t wm_zlib_compress(const uint8_t *bytes, size_t count, int level, uint8_t *output, size_t capacity) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (compressor == NULL) return 0;
    size_t written = libdeflate_zlib_compress(compressor, bytes, count, output, capacity);
    libdeflate_free_compressor(compressor);
    return written;
}

uint32_t wm_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    return libdeflate_crc32(crc, bytes, count);
}
