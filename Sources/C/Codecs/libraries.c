#include "message.h"

#include <dlfcn.h>
#include <libdeflate.h>
#include <stdio.h>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

static bool librsvg_version(char text[WM_MESSAGE_LENGTH]) {
    // librsvg is never closed, because GLib's types cannot be unregistered.
    void *file = dlopen("librsvg-2.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (file == NULL) {
        const char *reason = dlerror();
        return refuse(text, reason == NULL ? "librsvg-2.so.2 cannot be loaded" : reason);
    }
    const unsigned *major = dlsym(file, "rsvg_major_version"), *minor = dlsym(file, "rsvg_minor_version");
    const unsigned *patch = dlsym(file, "rsvg_micro_version");
    if (major != NULL && minor != NULL && patch != NULL) {
        snprintf(text, WM_MESSAGE_LENGTH, "%u.%u.%u", *major, *minor, *patch);
    }
    return true;
}

bool wm_codec_version(wm_codec_library library, char text[WM_MESSAGE_LENGTH]) {
    text[0] = 0;
    switch (library) {
    case WM_CODEC_PNG: set_message(text, png_get_libpng_ver(NULL)); break;
    case WM_CODEC_JPEG:
        // Older versions do not report their version.
#ifdef TURBOJPEG_VERSION_NUMBER
        snprintf(text, WM_MESSAGE_LENGTH, "%d.%d.%d", TURBOJPEG_VERSION_NUMBER / 1000000, TURBOJPEG_VERSION_NUMBER / 1000 % 1000,
                 TURBOJPEG_VERSION_NUMBER % 1000);
#endif
        break;
    case WM_CODEC_WEBP: {
        const int version = WebPGetDecoderVersion();
        snprintf(text, WM_MESSAGE_LENGTH, "%d.%d.%d", version >> 16 & 255, version >> 8 & 255, version & 255);
        break;
    }
    case WM_CODEC_DEFLATE: set_message(text, LIBDEFLATE_VERSION_STRING); break;
    case WM_CODEC_SVG: return librsvg_version(text);
    }
    return true;
}
