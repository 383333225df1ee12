import CWaymarkCodecs

/// PNG to bitmap, by libpng.
enum PNGReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits) throws(ImagingError) -> Bitmap {
        var header = wm_png_header()
        var message = Message()
        guard message.filled(by: { wm_png_read_header(bytes, bytes.count, &header, $0) }) else { throw message.error }
        let width = Int(header.width)
        let height = Int(header.height)
        try limits.check(width: width, height: height, format: ImageSignature.png.rawValue)

        var isComplete = false
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            isComplete = message.filled { wm_png_decode(bytes, bytes.count, header.width, header.height, base, $0) }
            guard isComplete else { return }
            Alpha.premultiply(base, count: width * height)
            count = width * height * 4
        }
        guard isComplete else { throw message.error }
        return Bitmap(unchecked: pixels, width: width, height: height)
    }
}

/// The room in which C leaves its sentence.
private struct Message {
    private var characters = [CChar](repeating: 0, count: Int(WM_MESSAGE_LENGTH))

    mutating func filled(by body: (UnsafeMutablePointer<CChar>) -> Bool) -> Bool {
        characters.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return body(base)
        }
    }

    var error: ImagingError {
        let text = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return ImagingError(.corrupt(message: String(decoding: text, as: UTF8.self)), format: ImageSignature.png.rawValue)
    }
}
