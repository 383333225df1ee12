#include "message.h"

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

/// The demuxer of a file with a valid header; NULL with a message when it is invalid.
static WebPDemuxer *open_file(const uint8_t *bytes, size_t count, char *message) {
    WebPBitstreamFeatures features;
    // Called before the demuxer, because it distinguishes an invalid header from a truncated header, and allocates nothing.
    switch (WebPGetFeatures(bytes, count, &features)) {
    case VP8_STATUS_OK: break;
    case VP8_STATUS_NOT_ENOUGH_DATA: return set_message(message, "Read past the end"), NULL;
    default: return set_message(message, "Invalid header"), NULL;
    }
    WebPData data = {bytes, count};
    WebPDemuxer *file = WebPDemux(&data);
    if (file == NULL) set_message(message, "Chunks are missing, cut off or out of order");
    return file;
}

bool wm_webp_read_header(const uint8_t *bytes, size_t count, wm_webp_header *header, char message[WM_MESSAGE_LENGTH]) {
    WebPDemuxer *file = open_file(bytes, count, message);
    if (file == NULL) return false;
    *header = (wm_webp_header){
        .width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH),
        .height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT),
        .frames = WebPDemuxGetI(file, WEBP_FF_FRAME_COUNT),
    };
    WebPChunkIterator exif;
    if (WebPDemuxGetChunk(file, "EXIF", 1, &exif)) {
        header->exif_offset = (size_t)(exif.chunk.bytes - bytes);
        header->exif_count = exif.chunk.size;
        WebPDemuxReleaseChunkIterator(&exif);
    }
    WebPDemuxDelete(file);
    return true;
}

/// Decodes the first frame into its place on the canvas.
static bool decode_frame(const WebPIterator *frame, uint32_t width, uint32_t height, uint8_t *pixels, char *message) {
    // The demuxer has checked this, too. This check ensures that all writes are inside `pixels`.
    if (frame->x_offset < 0 || frame->y_offset < 0 || frame->width < 1 || frame->height < 1 ||
        (uint32_t)frame->x_offset + (uint32_t)frame->width > width || (uint32_t)frame->y_offset + (uint32_t)frame->height > height) {
        return refuse(message, "A frame lies outside the canvas");
    }
    size_t stride = (size_t)width * 4;
    size_t offset = (size_t)frame->y_offset * stride + (size_t)frame->x_offset * 4;
    if ((uint32_t)frame->width < width || (uint32_t)frame->height < height) memset(pixels, 0, stride * height);

    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return refuse(message, "The version of libwebp does not match");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels + offset;
    config.output.u.RGBA.stride = (int)stride;
    config.output.u.RGBA.size = stride * height - offset;
    // The frame's header may declare a larger size than the container. The buffer passed here is then too small, and libwebp reports it.
    switch (WebPDecode(frame->fragment.bytes, frame->fragment.size, &config)) {
    case VP8_STATUS_OK: break;
    case VP8_STATUS_OUT_OF_MEMORY: return refuse(message, "Out of memory");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return refuse(message, "Read past the end");
    default: return refuse(message, "Invalid picture data");
    }
    if (config.output.width != frame->width || config.output.height != frame->height) return refuse(message, "The size differs from the header");
    return true;
}

bool wm_webp_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char message[WM_MESSAGE_LENGTH]) {
    WebPDemuxer *file = open_file(bytes, count, message);
    if (file == NULL) return false;
    WebPIterator frame;
    bool succeeded = false;
    if (WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH) != width || WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT) != height) {
        set_message(message, "The size differs from the header");
    } else if (!WebPDemuxGetFrame(file, 1, &frame)) {
        set_message(message, "The file has no frame");
    } else {
        succeeded = decode_frame(&frame, width, height, pixels, message);
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(file);
    return succeeded;
}

bool wm_webp_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, wm_bytes *output, char message[WM_MESSAGE_LENGTH]) {
    *output = (wm_bytes){NULL, 0};
    WebPConfig config;
    WebPPicture picture;
    bool is_lossless = quality < 0;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, is_lossless ? 75 : (float)quality) || !WebPPictureInit(&picture)) {
        return refuse(message, "The version of libwebp does not match");
    }
    // Lossless level 6 of 9 is libwebp's default. Levels 1 and 2 take half the time, but files are 3 to 19 % larger. Level 9 takes ten
    // times as long, and files are only 1 to 3 % smaller. Lossy pictures use the slow method of halving chroma, which preserves the
    // brightness of thin colored lines.
    if (is_lossless ? !WebPConfigLosslessPreset(&config, 6) : !(config.use_sharp_yuv = 1)) return refuse(message, "Bad settings");
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.use_argb = 1;
    picture.width = (int)width;
    picture.height = (int)height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    bool succeeded = WebPPictureImportRGBA(&picture, pixels, (int)width * 4) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    if (!succeeded) {
        WebPMemoryWriterClear(&writer);
        return refuse(message, picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ? "Out of memory" : "libwebp failed");
    }
    *output = (wm_bytes){writer.mem, writer.size};
    return true;
}

void wm_webp_release(wm_bytes output) {
    WebPFree(output.bytes);
}
