#define _GNU_SOURCE
#include "internal.h"

#include <fontconfig/fontconfig.h>
#include <stdlib.h>
#include <string.h>

static const char *english_family(FcPattern *pattern) {
    FcChar8 *first = NULL;
    for (int i = 0; i < 64; i++) {
        FcChar8 *family, *language;
        if (FcPatternGetString(pattern, FC_FAMILY, i, &family) != FcResultMatch) break;
        if (first == NULL) first = family;
        if (FcPatternGetString(pattern, FC_FAMILYLANG, i, &language) == FcResultMatch && strcmp((const char *)language, "en") == 0) {
            return (const char *)family;
        }
    }
    return (const char *)first;
}

static bool describe(FcPattern *pattern, wm_text_system_font *font) {
    FcChar8 *path, *format;
    int index = 0, slant = FC_SLANT_ROMAN;
    double weight = FC_WEIGHT_REGULAR;
    const char *family = english_family(pattern);
    if (FcPatternGetString(pattern, FC_FILE, 0, &path) != FcResultMatch || family == NULL) return false;
    if (FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format) != FcResultMatch) return false;
    if (strcmp((const char *)format, "TrueType") != 0 && strcmp((const char *)format, "CFF") != 0) return false;
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    FcPatternGetInteger(pattern, FC_SLANT, 0, &slant);
    // A variable font has a range of weights, for which the default is kept.
    FcPatternGetDouble(pattern, FC_WEIGHT, 0, &weight);
    // Indexes above 16 bits are named instances of a variable font, which repeat the same face.
    if (index < 0 || index > 0xffff) return false;
    font->path = strdup((const char *)path);
    if (font->path == NULL) return false;
    font->index = (uint32_t)index;
    strncpy(font->name.family, family, WM_TEXT_NAME_LENGTH - 1);
    font->name.family[WM_TEXT_NAME_LENGTH - 1] = 0;
    font->name.weight = (int32_t)FcWeightToOpenTypeDouble(weight);
    font->name.is_italic = slant != FC_SLANT_ROMAN;
    return true;
}

wm_text_system_font *wm_text_system_fonts(size_t *count) {
    *count = 0;
    if (wm_text_library_error(WM_TEXT_FONTCONFIG) != NULL) return NULL;
    FcConfig *configuration = FcInitLoadConfigAndFonts();
    if (configuration == NULL) return NULL;
    const FcFontSet *set = FcConfigGetFonts(configuration, FcSetSystem);
    wm_text_system_font *fonts = NULL;
    if (set != NULL && set->nfont > 0) {
        fonts = calloc((size_t)set->nfont, sizeof *fonts);
        for (int i = 0; fonts != NULL && i < set->nfont; i++) {
            if (describe(set->fonts[i], &fonts[*count])) *count += 1;
        }
    }
    FcConfigDestroy(configuration);
    return fonts;
}

void wm_text_system_fonts_free(wm_text_system_font *fonts, size_t count) {
    for (size_t i = 0; i < count; i++) free((char *)fonts[i].path);
    free(fonts);
}
