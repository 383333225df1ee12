// A hint that Swift cannot give to the processor.
#ifndef CWAYMARK_PREFETCH_H
#define CWAYMARK_PREFETCH_H

/// Starts loading memory that will soon be read into the processor's cache. Any address is allowed.
///
/// In C because Swift has no such function.
static inline void wm_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

#endif
