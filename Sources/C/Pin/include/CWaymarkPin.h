/// Makes Mesa's rasterizer the same on every machine, in every process into which it is linked, by disabling the processor features that
/// change last bits. In C because Swift runs nothing before `main`.
#pragma once

#define WM_PIN_NAME "GALLIUM_OVERRIDE_CPU_CAPS"
#define WM_PIN_VALUE "sse4.1"

/// Whether the pin is active.
int wm_is_pinned(void);
