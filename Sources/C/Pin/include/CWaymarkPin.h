/// Makes Mesa's rasteriser the same on every machine in whatever process it is linked into: without the processor features that
/// change last bits. In C because Swift runs nothing before `main`.
#pragma once

#define WM_PIN_NAME "GALLIUM_OVERRIDE_CPU_CAPS"
#define WM_PIN_VALUE "sse4.1"

/// Whether the pin is in force.
int wm_is_pinned(void);
