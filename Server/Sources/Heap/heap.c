#include "CWaymarkServerHeap.h"

#include <malloc.h>

void wms_give_memory_back(void) {
    mallopt(M_ARENA_MAX, 2);
    // Set by hand, neither is raised any more.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
}
