/// An image format as detected from a file's first bytes, never from its name.
///
/// GIF cannot be decoded; it is detected so that an error can name it.
public enum ImageSignature: String, CaseIterable, Sendable {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
    case gif = "GIF"
    case bmp = "BMP"
    case svg = "SVG"

    /// Finds the format whose signature is at the start of these bytes; returns nil if they start with no known signature.
    public init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: "BM".utf8), bytes.count >= 26, bytes[6..<10].allSatisfy({ $0 == 0 }) {
            // "BM" alone would also match a text that begins with "BMW"; the reserved bytes are 0 in every BMP file.
            self = .bmp
        } else if Self.beginsLikeSVG(bytes) {
            self = .svg
        } else {
            return nil
        }
    }
}

private extension ImageSignature {
    /// Whether these bytes are markup with an `<svg` tag in their first 4 KiB.
    static func beginsLikeSVG(_ bytes: [UInt8]) -> Bool {
        var head = bytes.prefix(4096)
        if head.starts(with: [0xef, 0xbb, 0xbf]) { head = head.dropFirst(3) }
        head = head.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
        guard head.starts(with: "<".utf8) else { return false }
        let tag = Array("<svg".utf8)
        return head.indices.contains { head[$0...].starts(with: tag) }
    }
}
