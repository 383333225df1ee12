#define _GNU_SOURCE
#include "internal.h"

#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <unicode/uversion.h>

/// Defined in the program that tools/release links, where these libraries are loaded when first needed.
extern const char *wm_lazy_error(unsigned library) __attribute__((weak));

const char *wm_text_library_error(wm_text_library library) {
    return wm_lazy_error == NULL || library == WM_TEXT_ICU ? NULL : wm_lazy_error(library);
}

void wm_text_library_version(wm_text_library library, char text[WM_TEXT_MESSAGE_LENGTH]) {
    switch (library) {
    case WM_TEXT_FREETYPE: {
        FT_Library freetype;
        FT_Int major = 0, minor = 0, patch = 0;
        if (FT_Init_FreeType(&freetype) == 0) {
            FT_Library_Version(freetype, &major, &minor, &patch);
            FT_Done_FreeType(freetype);
        }
        snprintf(text, WM_TEXT_MESSAGE_LENGTH, "%d.%d.%d", major, minor, patch);
        break;
    }
    case WM_TEXT_HARFBUZZ: snprintf(text, WM_TEXT_MESSAGE_LENGTH, "%s", hb_version_string()); break;
    case WM_TEXT_FONTCONFIG: {
        const int version = FcGetVersion();
        snprintf(text, WM_TEXT_MESSAGE_LENGTH, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
        break;
    }
    case WM_TEXT_ICU: snprintf(text, WM_TEXT_MESSAGE_LENGTH, "%s", U_ICU_VERSION); break;
    }
}
