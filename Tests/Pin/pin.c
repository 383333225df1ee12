#include "CWaymarkPin.h"

#include <malloc.h>
#include <stdlib.h>

/// Before `main`: no test can load EGL sooner, and no thread reads the environment meanwhile.
__attribute__((constructor)) static void pin(void) {
    setenv(WM_PIN_NAME, WM_PIN_VALUE, 1);
}

void wm_overwrite_freed_memory(void) {
    mallopt(M_PERTURB, 165);
}
