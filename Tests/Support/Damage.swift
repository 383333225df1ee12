/// Damages text and binary files at random: single bytes, ranges, and words, which are replaced in place by other words.
public enum Damage {
    /// The replacements of numbers and words.
    private static let words = [
        "0", "-1", "1", "2", "7", "255", "65535", "65536", "4294967295", "-2147483648", "9223372036854775807", "9223372036854775808",
        "1e38",
        "-1e38", "1e308", "1e999", "1e-999", "0.1e", "nan", "null", "true", "[]", "{}", "\"\"", "[0]", "[[0]]", "5126", "5121", "\"VEC2\"",
        "\"SCALAR\"", "", " ", "/", "\\", "-180", "90.0000001", "180", "\"none\"", "\"fit\"", "select", "as", "with", "<a>", "&#0;",
    ]
    /// Bytes that separate the parts of a text, or that no text contains.
    private static let separators = Array("{}[]()<>,:;\"'\\`= \t\r\n\u{1E}\0-9eE.".utf8)
    /// Marks that join the characters around them, text from right to left, a byte order mark, and half of a surrogate pair.
    private static let marks: [[UInt8]] =
        ["\u{301}", "\u{600}", "\u{202E}", "\u{200D}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "\u{1F1E6}"].map { Array($0.utf8) } + [
            [0xED, 0xA0, 0x80]
        ]
    /// The most that a file may grow to.
    private static let byteLimit = 1 << 17

    /// - Parameter keepsPlaces: Whether unchanged bytes keep their places, so that offsets in the file stay valid.
    public static func damaged(_ bytes: [UInt8], keepsPlaces: Bool = false, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.one(of: [1, 1, 1, 2, 2, 3, 6]) {
            if keepsPlaces { damageInPlace(&bytes, &random) } else { damage(&bytes, &random) }
        }
        return bytes
    }

    private static func damageInPlace(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        // Headers and directories are at the beginning of files and of the pages of databases.
        let start = random.once(in: 2) ? 0 : 4096 * random.integer(0...(bytes.count - 1) / 4096)
        let place = random.once(in: 3) ? random.integer(0...bytes.count - 1) : min(start + random.integer(0...200), bytes.count - 1)
        switch random.integer(0...4) {
        case 0: bytes[place] = UInt8(random.integer(0...255))
        case 1: bytes[place] ^= 1 << UInt8(random.integer(0...7))
        case 2: bytes[place] &+= random.once(in: 2) ? 1 : 255
        case 3: setNumber(&bytes, at: place, &random)
        default: bytes[place] = bytes[random.integer(0...bytes.count - 1)]
        }
    }

    /// A whole number at the end of its bytes' range.
    private static func setNumber(_ bytes: inout [UInt8], at place: Int, _ random: inout SplitMix64) {
        let number = random.one(of: [0, 1, 0x7F, 0x80, 0xFF] as [UInt8])
        for index in place..<min(bytes.count, place + random.one(of: [1, 2, 4, 8])) {
            bytes[index] = index == place ? number : number == 1 ? 0 : number
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let place = random.integer(0...bytes.count - 1)
        let end = min(bytes.count, place + (random.once(in: 8) ? random.integer(0...bytes.count) : random.integer(0...12)))
        switch random.integer(0...15) {
        case 0: bytes[place] = UInt8(random.integer(0...255))
        case 1: bytes[place] ^= 1 << UInt8(random.integer(0...7))
        case 2: bytes[place] = random.one(of: separators)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: random.integer(0...bytes.count))
        case 5: bytes.removeLast(random.integer(0...bytes.count / 4))
        case 6: bytes.insert(contentsOf: random.one(of: marks), at: place)
        case 7:
            let copies = random.integer(2...300)
            guard bytes.count + copies * (end - place) <= byteLimit else { return }
            bytes.insert(contentsOf: repeatElement(bytes[place..<end], count: copies).joined(), at: place)
        case 8: setNumber(&bytes, at: place, &random)
        default:
            let isWord: (UInt8) -> Bool = {
                ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x2E
            }
            guard let start = bytes[place...].firstIndex(where: isWord) else { return }
            let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
            // A parser accepts another word of the same file more often than a strange one.
            if random.once(in: 3), let other = bytes[random.integer(0...bytes.count - 1)...].firstIndex(where: isWord) {
                let otherEnd = bytes[other...].firstIndex { !isWord($0) } ?? bytes.count
                bytes.replaceSubrange(start..<end, with: Array(bytes[other..<otherEnd]))
            } else {
                bytes.replaceSubrange(start..<end, with: Array(random.one(of: words).utf8))
            }
        }
    }
}
