#pragma once

/// From now on freed memory is filled with other bytes, so that a pointer read from it is invalid. In C because Swift's Glibc has no
/// malloc.h.
void wm_overwrite_freed_memory(void);
