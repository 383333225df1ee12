#include "CWaymarkFreedMemory.h"

#include <malloc.h>

void wm_overwrite_freed_memory(void) {
    mallopt(M_PERTURB, 165);
}
