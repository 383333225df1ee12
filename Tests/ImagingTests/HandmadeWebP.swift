import WaymarkImaging

/// WebP containers put together by hand around the output of our encoder.
enum HandmadeWebP {
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + .little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + .little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    /// The picture chunk of a lossless file.
    static func picture(_ bitmap: Bitmap) throws -> [UInt8] {
        Array(try bitmap.encoded(as: .webp)[12...])
    }

    static func header(flags: UInt8, width: Int, height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + .little(width - 1, 3) + .little(height - 1, 3))
    }

    /// A still picture in the extended container, with chunks behind it.
    static func extended(_ bitmap: Bitmap, flags: UInt8, behind: [UInt8]) throws -> [UInt8] {
        try riff(header(flags: flags, width: bitmap.width, height: bitmap.height) + picture(bitmap) + behind)
    }

    /// An animation on a canvas, each frame at an even place.
    static func animation(width: Int, height: Int, frames: [(bitmap: Bitmap, x: Int, y: Int)]) throws -> [UInt8] {
        let animation = chunk("ANIM", [255, 255, 255, 255, 0, 0])
        let parts = try frames.map { frame in
            let place: [UInt8] = .little(frame.x / 2, 3) + .little(frame.y / 2, 3)
            let size: [UInt8] = .little(frame.bitmap.width - 1, 3) + .little(frame.bitmap.height - 1, 3)
            return chunk("ANMF", place + size + .little(100, 3) + [0] + (try picture(frame.bitmap)))
        }
        return riff(header(flags: 0x12, width: width, height: height) + animation + parts.joined())
    }
}
