#include "message.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

// Included after stdio.h, because it uses FILE.
#include <jpeglib.h>
#include <jerror.h>

/// The maximum number of pixels of a baseline JPEG with optimized Huffman tables, for which libjpeg keeps 6 bytes per pixel. For larger
/// pictures, which use the standard's tables, libjpeg keeps only 16 rows.
enum { most_optimized_pixels = 1 << 25 };

/// State shared by libjpeg's callbacks. `error` comes first, because the callbacks find the writer by the address of `error`.
typedef struct writer {
    struct jpeg_error_mgr error;
    struct jpeg_destination_mgr destination;
    jmp_buf failed;
    uint8_t *bytes;
    size_t count;
    char *message;
} writer;

static writer *writer_of(j_common_ptr jpeg) {
    return (writer *)(void *)jpeg->err;
}

static void handle_error(j_common_ptr jpeg) {
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    writer *output = writer_of(jpeg);
    set_message(output->message, text);
    longjmp(output->failed, 1);
}

static void ignore_message(j_common_ptr jpeg) {
    (void)jpeg;
}

/// Doubles the memory. libjpeg calls this only when all of the memory is filled.
static boolean grow(j_compress_ptr jpeg) {
    writer *output = writer_of((j_common_ptr)jpeg);
    size_t filled = output->count, count = filled == 0 ? 1 << 16 : 2 * filled;
    uint8_t *bytes = realloc(output->bytes, count);
    if (bytes == NULL) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
    output->bytes = bytes;
    output->count = count;
    output->destination.next_output_byte = bytes + filled;
    output->destination.free_in_buffer = count - filled;
    return TRUE;
}

static void begin(j_compress_ptr jpeg) {
    grow(jpeg);
}

static void end(j_compress_ptr jpeg) {
    writer *output = writer_of((j_common_ptr)jpeg);
    output->count -= output->destination.free_in_buffer;
}

/// All code that may jump. Its local variables are lost in a jump.
static void encode(struct jpeg_compress_struct *jpeg, const uint8_t *pixels, uint32_t width, uint32_t height, int quality,
                   bool is_progressive) {
    jpeg->image_width = width;
    jpeg->image_height = height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg->dct_method = JDCT_ISLOW;
    for (int i = 0; i < jpeg->num_components; i++) jpeg->comp_info[i].h_samp_factor = jpeg->comp_info[i].v_samp_factor = 1;
    if (is_progressive) jpeg_simple_progression(jpeg);
    // A progressive JPEG has optimized tables in any case.
    jpeg->optimize_coding = (uint64_t)width * height <= most_optimized_pixels;
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)jpeg->next_scanline * width * 4);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

bool wm_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, bool is_progressive, wm_bytes *output,
                    char message[WM_MESSAGE_LENGTH]) {
    writer writer = {.message = message};
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&writer.error)};
    writer.error.error_exit = handle_error;
    writer.error.output_message = ignore_message;
    writer.destination.init_destination = begin;
    writer.destination.empty_output_buffer = grow;
    writer.destination.term_destination = end;
    // libjpeg has the addresses of both variables, so they are in memory, and their values are valid after both returns of setjmp.
    volatile bool succeeded = false;
    if (setjmp(writer.failed) == 0) {
        jpeg_create_compress(&jpeg);
        jpeg.dest = &writer.destination;
        encode(&jpeg, pixels, width, height, quality, is_progressive);
        succeeded = true;
    }
    jpeg_destroy_compress(&jpeg);
    if (!succeeded) {
        free(writer.bytes);
        writer.bytes = NULL;
        writer.count = 0;
    }
    *output = (wm_bytes){writer.bytes, writer.count};
    return succeeded;
}

void wm_jpeg_release(wm_bytes output) {
    free(output.bytes);
}
