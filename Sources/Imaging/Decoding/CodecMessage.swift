import CWaymarkCodecs

/// A buffer for an error message from C.
struct CodecMessage {
    private var characters = [CChar](repeating: 0, count: Int(WM_MESSAGE_LENGTH))

    /// Lets `body` write into the buffer, and returns its result.
    mutating func filled<Result>(by body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
        characters.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// The first line of the message.
    var text: String {
        String(decoding: characters.prefix { $0 != 0 && $0 != 0x0a }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The error for damaged data, with this message.
    func corrupt(_ format: ImageSignature) -> ImagingError {
        text == "Out of memory"
            ? ImagingError(.outOfMemory, format: format.rawValue) : ImagingError(.corrupt(message: text), format: format.rawValue)
    }
}

extension Bitmap {
    /// A decoded picture.
    /// - Parameter decode: Writes premultiplied pixels and, if it fails, a message, and returns whether it succeeded.
    init(
        _ format: ImageSignature, _ width: UInt32, _ height: UInt32, _ limits: ImageLimits, _ message: inout CodecMessage,
        by decode: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<CChar>) -> Bool
    ) throws(ImagingError) {
        let (width, height) = (Int(width), Int(height))
        try limits.check(width: width, height: height, format: format.rawValue)
        var isComplete = false
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            isComplete = message.filled { decode(base, $0) }
            if isComplete { count = width * height * 4 }
        }
        guard isComplete else { throw message.corrupt(format) }
        self.init(unchecked: pixels, width: width, height: height)
    }
}
