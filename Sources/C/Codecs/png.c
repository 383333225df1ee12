#include "message.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

enum { signature_length = 8, header_length = signature_length + 8 + 13 + 4 };

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Samples per pixel by color type; 0 for color types that PNG does not have.
static uint32_t samples_per_pixel(uint8_t color_type) {
    static const uint8_t samples[7] = {1, 0, 3, 1, 2, 0, 4};
    return color_type < 7 ? samples[color_type] : 0;
}

bool wm_png_read_header(const uint8_t *bytes, size_t count, wm_png_header *header, char message[WM_MESSAGE_LENGTH]) {
    if (count < signature_length || png_sig_cmp(bytes, 0, signature_length) != 0) return refuse(message, "Not a PNG file");
    if (count < header_length) return refuse(message, "Read past the end");
    const uint8_t *chunk = bytes + signature_length;
    if (big_endian(chunk) != 13 || memcmp(chunk + 4, "IHDR", 4) != 0) return refuse(message, "Missing IHDR");
    if (big_endian(chunk + 21) != wm_crc32(0, chunk + 4, 17)) return refuse(message, "IHDR: CRC error");

    header->width = big_endian(chunk + 8);
    header->height = big_endian(chunk + 12);
    header->bits_per_pixel = chunk[16] * samples_per_pixel(chunk[17]);
    if (header->width == 0 || header->height == 0 || header->width > PNG_UINT_31_MAX || header->height > PNG_UINT_31_MAX ||
        header->bits_per_pixel == 0) {
        return refuse(message, "Invalid IHDR data");
    }
    // Nothing overflows in this order, because the first comparison bounds the pixels by the file's length.
    uint64_t pixels = (uint64_t)header->width * header->height;
    if (pixels / 8 / 1032 > count || pixels / 8 * header->bits_per_pixel / 1032 > count) return refuse(message, "Not enough image data");
    return true;
}

/// State shared by libpng's callbacks. libpng keeps the jump buffer itself; the message outlives the jump because the caller owns it.
typedef struct reader {
    const uint8_t *next;
    size_t left;
    char *message;
} reader;

static void read_bytes(png_structp png, png_bytep output, size_t count) {
    reader *source = png_get_io_ptr(png);
    if (count > source->left) png_error(png, "Read past the end");
    memcpy(output, source->next, count);
    source->next += count;
    source->left -= count;
}

static void handle_error(png_structp png, png_const_charp text) {
    reader *source = png_get_error_ptr(png);
    set_message(source->message, text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/// All code that may jump. Its local variables are lost in a jump. The caller, who set the jump, owns everything that must be freed.
static void decode(png_structp png, png_infop info, uint32_t width, uint32_t height, uint8_t *pixels) {
    // Only IHDR, PLTE, tRNS, IDAT and IEND are parsed: no gamma, no profiles, and no compressed text.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_user_limits(png, width, height);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) png_error(png, "The size differs from the header");

    png_set_scale_16(png);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "The pixel size differs from the requested size");

    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) png_read_row(png, pixels + (size_t)y * width * 4, NULL);
    }
    // Reads to the last chunk, so that truncation or damage after the last pixel is also detected.
    png_read_end(png, NULL);
}

bool wm_png_decode(const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]) {
    reader source = {bytes, count, message};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, handle_error, ignore_warning);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        return refuse(message, "Out of memory");
    }
    // `png` and `info` are not changed after this line, so their values are valid after both returns of setjmp.
    volatile bool succeeded = false;
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_read_fn(png, &source, read_bytes);
        decode(png, info, width, height, pixels);
        succeeded = true;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return succeeded;
}
