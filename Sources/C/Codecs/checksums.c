#include "CWaymarkCodecs.h"

#include <libdeflate.h>

uint32_t wm_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    return libdeflate_crc32(crc, bytes, count);
}

uint32_t wm_adler32(uint32_t adler, const uint8_t *bytes, size_t count) {
    return libdeflate_adler32(adler, bytes, count);
}
