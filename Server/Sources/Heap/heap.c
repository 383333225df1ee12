#include "CWaymarkServerHeap.h"

#include <malloc.h>

void wms_give_memory_back(void) {
    mallopt(M_ARENA_MAX, 2);
    // Setting these disables the C library's own adjustment of both.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
}
