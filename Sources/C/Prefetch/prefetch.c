#include "CWaymarkPrefetch.h"
