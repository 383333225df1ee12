// For sched_getaffinity and CPU_COUNT.
#define _GNU_SOURCE

#include "CWaymarkSystem.h"

#include <malloc.h>
#include <sched.h>
#include <unistd.h>

int wm_processor_count(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) return CPU_COUNT(&mask);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

void wm_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
