// Package.swift's way to pkg-config: the image libraries that the shim beside this folder is compiled against.
#include <stdio.h>
#include <png.h>
#include <jpeglib.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <libdeflate.h>
