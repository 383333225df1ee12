/// Makes the results of Mesa's rasterizer the same on every machine, by disabling the processor features that change the last bits of
/// numbers. This applies to every process into which this target is linked. This is in C because Swift runs nothing before `main`.
#pragma once

#define WM_PIN_NAME "GALLIUM_OVERRIDE_CPU_CAPS"
#define WM_PIN_VALUE "sse4.1"

/// Whether the pin is active.
int wm_is_pinned(void);
