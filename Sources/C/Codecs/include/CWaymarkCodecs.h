// The image codecs of other projects: PNG reading from libpng, JPEG from libjpeg-turbo, WebP from libwebp, SVG from librsvg (loaded when
// first needed), gzip, CRC-32 and Adler-32 from libdeflate; and Waymark's own deflate for rows of pictures. All functions read from
// memory and write to memory. They open no files, keep no state between calls, and do not limit pictures.

#ifndef WAYMARK_CODECS_H
#define WAYMARK_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of a message buffer, including the terminating zero.
#define WM_MESSAGE_LENGTH 128

/// The values in the first chunk of a PNG. The pixel layout is not needed, because decoding always gives RGBA.
typedef struct wm_png_header {
    uint32_t width;
    uint32_t height;
    uint32_t bits_per_pixel;
} wm_png_header;

/// Reads the header of a PNG without allocating anything, and checks that the file is long enough for the size it declares: deflate
/// compresses by a factor of at most 1032, so a few bytes cannot make the caller reserve gigabytes. Returns false with a message if the
/// header is invalid.
///
/// This is in C because it is the first half of `wm_png_decode`, and both must interpret a header in the same way.
bool wm_png_read_header(const uint8_t *bytes, size_t count, wm_png_header *header, char message[WM_MESSAGE_LENGTH]);

/// Decodes a PNG of exactly `width` by `height` pixels into `pixels`: width * height * 4 bytes of straight RGBA, top row first. All color
/// types, bit depths and interlacing are supported; 16 bits are scaled to 8. gAMA, iCCP and all other ancillary chunks except tRNS are
/// skipped unread. Returns false with libpng's message if the data are invalid or truncated; the content of `pixels` is then undefined.
///
/// This is in C because libpng reports errors by longjmp, which must not cross a Swift frame.
bool wm_png_decode(const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]);

/// The maximum number of bytes that `wm_deflate` writes for `count` bytes.
size_t wm_deflate_bound(size_t count);

/// The size of the workspace of `wm_deflate` in bytes.
size_t wm_deflate_workspace(void);

/// Compresses the rows of a picture into deflate's format. Equal bytes give equal output. Returns the number of bytes written to
/// `output`, which has room for `wm_deflate_bound(count)` bytes. `workspace` is memory aligned to 16 bytes; its content has no effect.
///
/// `pixel` is the length of a pixel in bytes, and `row` the length of a row with the number of its filter: repetitions at these distances
/// are searched first. `is_dense` requests a longer search for other repetitions, for pictures with few such repetitions. Only a call with
/// `is_last` ends the stream. Other output ends at a whole byte, so that the output for the following bytes, which does not refer back to
/// it, can be appended.
///
/// This is in C because it consists of two loops over bytes and bits, in which the compiler must not insert checks.
size_t wm_deflate(const uint8_t *bytes, size_t count, size_t pixel, size_t row, bool is_dense, bool is_last, void *workspace,
                  uint8_t *output);

/// Updates an Adler-32 as used by zlib. The first call passes 1.
///
/// Both checksums are in C because libdeflate, which uses the processor's widest instructions, has no module map.
uint32_t wm_adler32(uint32_t adler, const uint8_t *bytes, size_t count);

/// Updates a CRC-32 as used by PNG and gzip. The first call passes 0.
uint32_t wm_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

/// The result of inflating.
typedef enum wm_gzip_status { WM_GZIP_DONE, WM_GZIP_DAMAGED, WM_GZIP_NO_ROOM, WM_GZIP_NO_MEMORY } wm_gzip_status;

/// Inflates the first member of a gzip file, and verifies its checksum. `*taken` is the number of bytes read, and `*written` the number
/// of bytes written to `output`, which has room for `room` bytes. Returns `WM_GZIP_NO_ROOM` if the output does not fit.
///
/// This and the next two functions are in C because libdeflate has no module map.
wm_gzip_status wm_gzip_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t room, size_t *taken, size_t *written);

/// The maximum number of bytes that `wm_gzip_deflate` writes for `count` bytes.
size_t wm_gzip_bound(size_t count);

/// Compresses bytes into one gzip member, without a time or a name, so equal bytes give equal output. `level` is 1 to 12. Returns the
/// number of bytes written; 0 if `room` is too small or memory runs out.
size_t wm_gzip_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *output, size_t room);

/// Bytes made by an encoder, to be freed with the release function of the format. `bytes` is NULL if the encoder failed.
typedef struct wm_bytes {
    uint8_t *bytes;
    size_t count;
} wm_bytes;

/// The values in the header of a JPEG.
typedef struct wm_jpeg_header {
    uint32_t width;
    uint32_t height;
    /// Whether the pixels are decoded to cyan, magenta, yellow and black, as stored. TurboJPEG converts YCCK to CMYK, but does not
    /// convert CMYK to RGB.
    bool is_cmyk;
} wm_jpeg_header;

/// Reads the header of a JPEG. Returns false with TurboJPEG's message if it is invalid.
///
/// This and decoding are in C because TurboJPEG has no module map, and its handle is created and freed around a single call.
bool wm_jpeg_read_header(const uint8_t *bytes, size_t count, wm_jpeg_header *header, char message[WM_MESSAGE_LENGTH]);

/// Decodes a JPEG of exactly `width` by `height` pixels into `pixels`: width * height * 4 bytes, RGBA with alpha 255, or CMYK. Any warning
/// of libjpeg (truncated data, meaningless codes) makes it return false, with the warning as the message, because the picture would be
/// partly gray.
bool wm_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]);

/// Encodes straight RGBA, without its alpha, as a JPEG without chroma subsampling, baseline or progressive. `quality` is 1 to 100. Its
/// Huffman tables are optimized for the picture; a baseline picture of more than 32 million pixels uses the standard's tables.
///
/// This is in C because libjpeg reports errors by longjmp, which must not cross a Swift frame. It uses libjpeg because in TurboJPEG 2,
/// only an environment variable selects the tables.
bool wm_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, bool is_progressive, wm_bytes *output,
                    char message[WM_MESSAGE_LENGTH]);

void wm_jpeg_release(wm_bytes output);

/// The values in the header of a WebP, and its chunks besides pixels.
typedef struct wm_webp_header {
    uint32_t width;
    uint32_t height;
    /// 1 for a still picture.
    uint32_t frames;
    /// The offset of the EXIF chunk's data in the file, and its length; both 0 without such a chunk.
    size_t exif_offset;
    size_t exif_count;
} wm_webp_header;

/// Reads the header of a WebP and finds its chunks. Returns false with a message if the header is invalid or the file is truncated.
///
/// All of WebP is in C because libwebp has no module map, and its demuxers and pictures are opaque objects around single calls.
bool wm_webp_read_header(const uint8_t *bytes, size_t count, wm_webp_header *header, char message[WM_MESSAGE_LENGTH]);

/// Decodes a WebP of exactly `width` by `height` pixels into `pixels`: width * height * 4 bytes of straight RGBA.
/// An animation gives its first frame on a transparent canvas.
bool wm_webp_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]);

/// Encodes straight RGBA as WebP: losslessly if `quality` is below 0, otherwise lossy with a quality of 0 to 100.
bool wm_webp_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, wm_bytes *output, char message[WM_MESSAGE_LENGTH]);

void wm_webp_release(wm_bytes output);

/// The result of drawing an SVG.
typedef enum wm_svg_status {
    WM_SVG_DONE,
    /// librsvg refuses the file, and the message is librsvg's.
    WM_SVG_REFUSED,
    /// librsvg is not installed.
    WM_SVG_MISSING,
} wm_svg_status;

/// The request to `wm_svg_work`, followed by the bytes of the SVG.
typedef struct wm_svg_request {
    /// The size of the picture in pixels, over which the SVG is stretched; 0 only measures the SVG.
    uint32_t width, height;
    /// The natural size of the SVG in CSS pixels; ignored when measuring.
    double natural_width, natural_height;
} wm_svg_request;

/// The reply of `wm_svg_work`, followed, on success, by width * height * 4 bytes of premultiplied RGBA.
typedef struct wm_svg_reply {
    wm_svg_status status;
    /// When measuring, the size that the SVG requests, in CSS pixels (96 per inch). It is the SVG's width and height. If one of them is
    /// missing or a percentage, it follows from the viewBox's aspect ratio. If both are missing, it is the size of the viewBox or,
    /// without a viewBox, 300 by 150.
    double natural_width, natural_height;
    char message[WM_MESSAGE_LENGTH];
} wm_svg_reply;

/// Measures or draws an SVG with librsvg. This is a `wm_work` of the Process module and must be confined, because librsvg ends its
/// process on some bad input and can be made to draw for hours. No base URL is set, so librsvg reads no files and accesses no network.
///
/// This is in C because librsvg's functions are known only at run time.
size_t wm_svg_work(const uint8_t *request, size_t count, uint8_t *reply, size_t room);

/// Loads librsvg if it is installed. Without this call, the first SVG loads it.
void wm_svg_prepare(void);

/// The libraries that this shim calls.
typedef enum wm_codec_library { WM_CODEC_PNG, WM_CODEC_JPEG, WM_CODEC_WEBP, WM_CODEC_DEFLATE, WM_CODEC_SVG } wm_codec_library;

/// The version of a library, such as "1.6.39", or "" if the library does not report it. Loads librsvg if necessary; returns false with the
/// dynamic linker's message if librsvg cannot be used.
bool wm_codec_version(wm_codec_library library, char text[WM_MESSAGE_LENGTH]);

#endif
