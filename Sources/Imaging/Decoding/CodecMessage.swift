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
