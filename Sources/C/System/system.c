// For sched_getaffinity and CPU_COUNT.
#define _GNU_SOURCE

#include "CWaymarkSystem.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

int wm_processor_count(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) return CPU_COUNT(&mask);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

void wm_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

void wm_keep_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

void wm_trim_heap(void) { malloc_trim(0); }

static int64_t limit_of(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (int64_t)limit.rlim_cur : -1;
}

int64_t wm_address_space_limit(void) { return limit_of(RLIMIT_AS); }

int64_t wm_process_limit(void) { return limit_of(RLIMIT_NPROC); }

static void *nothing(void *argument) { return argument; }

bool wm_can_start_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) return false;
    pthread_join(thread, NULL);
    return true;
}
