import WaymarkImaging
import WaymarkSystem

/// The small files in `Fixtures/`, made with Pillow: an encoder that is not ours.
func fixture(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    return try WholeFile.read("/\(folder)/Fixtures/\(name)", as: .file(limit: 1 << 28))
}

/// EXIF data of one entry, the orientation, without the letters in front.
func exif(orientation: Int, isBigEndian: Bool = false) -> [UInt8] {
    let number = { (value: Int, bytes: Int) -> [UInt8] in
        let digits = HandmadePNG.bigEndian(value, bytes: bytes)
        return isBigEndian ? digits : digits.reversed()
    }
    let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(1, 2) + entry + number(0, 4)
}

extension [UInt8] {
    /// A number, lowest byte first.
    static func little(_ number: Int, _ bytes: Int) -> [UInt8] { HandmadePNG.bigEndian(number, bytes: bytes).reversed() }

    /// The same bytes with others at a place.
    func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
        var changed = self
        changed.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return changed
    }
}

extension Bitmap {
    /// The largest difference of any channel; nil if the sizes differ.
    func distance(to other: Bitmap) -> Int? {
        guard width == other.width, height == other.height else { return nil }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// Red, green, blue and white quarters, as in the fixtures.
    static func quadrants(_ side: Int) -> Bitmap {
        var bitmap = Bitmap(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side {
                let color: Color = y * 2 < side ? (x * 2 < side ? .red : .green) : (x * 2 < side ? .blue : .white)
                bitmap[x, y] = color.premultipliedBytes
            }
        }
        return bitmap
    }
}
