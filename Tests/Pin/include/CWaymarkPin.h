/// Makes Mesa's rasteriser the same on every machine in whatever process it is linked into: without the processor features that
/// change last bits. In C because Swift runs nothing before `main`.
#pragma once

#define WM_PIN_NAME "GALLIUM_OVERRIDE_CPU_CAPS"
#define WM_PIN_VALUE "sse4.1"

/// From now on what is freed is filled with other bytes, so that a pointer read from it is none. In C because Swift's Glibc has no malloc.h.
void wm_overwrite_freed_memory(void);
