#ifndef WAYMARK_SERVER_PAGE_H
#define WAYMARK_SERVER_PAGE_H

#include <stddef.h>

// The page at `/`, embedded here because Swift cannot embed files.
const char *wms_page(ptrdiff_t *count);

#endif
