#include "CWaymarkPin.h"

#include <stdlib.h>
#include <string.h>

/// Runs before `main`, so no test can load EGL earlier, and no other thread reads the environment at the same time.
__attribute__((constructor)) static void pin(void) {
    setenv(WM_PIN_NAME, WM_PIN_VALUE, 1);
}

int wm_is_pinned(void) {
    const char *value = getenv(WM_PIN_NAME);
    return value != NULL && strcmp(value, WM_PIN_VALUE) == 0;
}
