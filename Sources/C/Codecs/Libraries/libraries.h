// Lets Package.swift find, through pkg-config, the image libraries that the C target in the parent folder is compiled against.
#include <stdio.h>
#include <png.h>
#include <jpeglib.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <libdeflate.h>
