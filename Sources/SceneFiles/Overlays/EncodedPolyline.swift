import WaymarkGeo

/// Points in Google's encoded polyline format: differences of latitude and longitude in units of 10⁻⁵ or 10⁻⁶ degrees, with five bits
/// per character.
struct EncodedPolyline {
    let points: [LatLng]

    /// The error in a text, as a sentence with the offset of the character, counted from 0.
    struct Problem: Error {
        let text: String
    }

    /// - Parameter precision: The number of decimal places of a degree.
    init(_ bytes: Span<UInt8>, precision: Int) throws(Problem) {
        var scale = 1.0
        for _ in 0..<precision { scale *= 10 }
        var reader = Reader()
        var points: [LatLng] = []
        points.reserveCapacity(bytes.count / 4)
        var (lat, lng) = (0, 0)
        while reader.offset < bytes.count {
            let start = reader.offset
            lat += try reader.difference(bytes)
            guard reader.offset < bytes.count else {
                throw Problem(text: "the encoded polyline ends after the latitude at offset \(start), without its longitude")
            }
            lng += try reader.difference(bytes)
            let point = LatLng(lat: Double(lat) / scale, lng: Double(lng) / scale)
            guard (-90...90).contains(point.lat) else {
                // Precision 6 read as precision 5 gives values ten times too large.
                let hint = precision == 5 && abs(point.lat) <= 900 ? "; is the precision 6?" : ""
                throw Problem(
                    text: "the latitude at offset \(start) of the encoded polyline, \(point.lat.plainText), is outside -90…90\(hint)")
            }
            points.append(point)
        }
        self.points = points
    }

    private struct Reader {
        var offset = 0

        /// Six characters hold any difference in degrees at precision 6; a 32-bit value takes seven.
        private static let longest = 7

        mutating func difference(_ bytes: Span<UInt8>) throws(Problem) -> Int {
            let start = offset
            var bits = 0
            for place in 0..<Self.longest {
                guard offset < bytes.count else {
                    throw Problem(text: "the encoded polyline ends in the middle of the number at offset \(start)")
                }
                let byte = bytes[offset]
                guard (63...126).contains(byte) else {
                    let shown = (33...126).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
                    throw Problem(
                        text: "\(shown) at offset \(offset) is not a character of an encoded polyline; only '?' to '~' are allowed")
                }
                offset += 1
                let chunk = Int(byte) - 63
                bits |= (chunk & 31) << (5 * place)
                if chunk < 32 { return bits & 1 == 0 ? bits >> 1 : ~(bits >> 1) }
            }
            throw Problem(text: "the number at offset \(start) of the encoded polyline has more than \(Self.longest) characters")
        }
    }
}
