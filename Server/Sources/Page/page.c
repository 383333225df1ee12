#include "CWaymarkServerPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char page[] = {
#embed "page.html"
};

const char *wms_page(ptrdiff_t *count) {
    *count = sizeof page;
    return page;
}
