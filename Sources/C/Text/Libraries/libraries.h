// Package.swift's way to pkg-config: the text libraries that the shim beside this folder is compiled against.
#include <ft2build.h>
#include FT_FREETYPE_H
#include <fontconfig/fontconfig.h>
#include <harfbuzz/hb.h>
#include <unicode/uchar.h>
