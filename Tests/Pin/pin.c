#include "CWaymarkPin.h"

#include <stdlib.h>

/// Before `main`: no test can load EGL sooner, and no thread reads the environment meanwhile.
__attribute__((constructor)) static void pin(void) {
    setenv(WM_PIN_NAME, WM_PIN_VALUE, 1);
}
