// Lets Package.swift find, through pkg-config, the text libraries that the C target in the parent folder is compiled against.
#include <ft2build.h>
#include FT_FREETYPE_H
#include <fontconfig/fontconfig.h>
#include <harfbuzz/hb.h>
#include <unicode/uchar.h>
