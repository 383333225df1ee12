import CWaymarkCodecs

/// The room in which C leaves its sentence.
struct CodecMessage {
    private var characters = [CChar](repeating: 0, count: Int(WM_MESSAGE_LENGTH))

    /// Lends the room to `body` and gives its result.
    mutating func filled<Result>(by body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
        characters.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// The first line of what C said.
    var text: String {
        String(decoding: characters.prefix { $0 != 0 && $0 != 0x0a }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The error that says so of damaged data.
    func corrupt(_ format: ImageSignature) -> ImagingError {
        text == "Out of memory"
            ? ImagingError(.outOfMemory, format: format.rawValue) : ImagingError(.corrupt(message: text), format: format.rawValue)
    }
}
