#include "message.h"

#include <turbojpeg.h>

enum {
    // A file with thousands of progressive scans would take hours. TurboJPEG's limit is 500.
    decoding_flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT,
};

/// Reads the header into an open handle.
static bool read_header(tjhandle turbo, const uint8_t *bytes, size_t count, wm_jpeg_header *header, char *message) {
    int width = 0, height = 0, subsampling = -1, colors = -1;
    // This also fails if TurboJPEG has no name for the subsampling. The sizes are set nevertheless, and decoding works.
    if (tjDecompressHeader3(turbo, bytes, count, &width, &height, &subsampling, &colors) != 0 && (width < 1 || height < 1 || colors < 0)) {
        return refuse(message, tjGetErrorStr2(turbo));
    }
    header->width = (uint32_t)width;
    header->height = (uint32_t)height;
    header->is_cmyk = colors == TJCS_CMYK || colors == TJCS_YCCK;
    return true;
}

bool wm_jpeg_read_header(const uint8_t *bytes, size_t count, wm_jpeg_header *header, char message[WM_MESSAGE_LENGTH]) {
    tjhandle turbo = tjInitDecompress();
    if (turbo == NULL) return refuse(message, "Out of memory");
    bool succeeded = read_header(turbo, bytes, count, header, message);
    tjDestroy(turbo);
    return succeeded;
}

bool wm_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]) {
    tjhandle turbo = tjInitDecompress();
    if (turbo == NULL) return refuse(message, "Out of memory");
    wm_jpeg_header header;
    bool succeeded = read_header(turbo, bytes, count, &header, message);
    if (succeeded && (header.width != width || header.height != height)) succeeded = refuse(message, "The size differs from the header");
    if (succeeded) {
        int format = header.is_cmyk ? TJPF_CMYK : TJPF_RGBA;
        if (tjDecompress2(turbo, bytes, count, pixels, (int)width, 0, (int)height, format, decoding_flags) != 0) {
            succeeded = refuse(message, tjGetErrorStr2(turbo));
        }
    }
    tjDestroy(turbo);
    return succeeded;
}
