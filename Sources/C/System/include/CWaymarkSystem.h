// What WaymarkSystem needs and Swift's Glibc module lacks.
#ifndef CWAYMARK_SYSTEM_H
#define CWAYMARK_SYSTEM_H

/// The number of processors in the affinity mask of the calling thread; those online where the mask is unknown.
///
/// In C because `sched_getaffinity` is a GNU extension and `CPU_COUNT` a macro: neither is visible from Swift. Foundation's
/// `activeProcessorCount` ignores the mask.
int wm_processor_count(void);

/// Lets all threads allocate from one heap. To be called before there are others.
///
/// In C because Swift's Glibc module does not have <malloc.h>.
void wm_use_one_heap(void);

#endif
