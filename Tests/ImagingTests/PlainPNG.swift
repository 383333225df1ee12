import CWaymarkCodecs
import WaymarkImaging

/// A PNG of 8-bit RGB, RGBA or palette indexes read exactly as described in the documents (RFC 1950, RFC 1951, PNG), with code shared with
/// no other PNG reader or writer, and strictly: deviations that a decoder may tolerate are errors here.
struct PlainPNG {
    var width = 0
    var height = 0
    /// As `Bitmap.straightPixels`.
    var straightPixels: [UInt8] = []
    /// For a picture with a palette, its colors with their alpha; otherwise empty.
    var palette: [[UInt8]] = []

    struct Problem: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    init(_ file: [UInt8]) throws {
        guard file.starts(with: HandmadePNG.signature) else { throw Problem("signature") }
        var (at, data, names, channels) = (8, [UInt8](), [String](), 0)
        while at < file.count {
            let number = { (offset: Int) in file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
            let length = number(at)
            let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
            let body = Array(file[at + 8..<at + 8 + length])
            guard HandmadePNG.chunk(name, body)[...] == file[at..<at + 12 + length] else { throw Problem("checksum of \(name)") }
            if name == "IHDR" { (width, height, channels) = (number(at + 8), number(at + 12), [2: 3, 6: 4, 3: 1][file[at + 17]] ?? 0) }
            if name == "PLTE" { palette = stride(from: 0, to: length, by: 3).map { Array(body[$0..<$0 + 3]) + [255] } }
            if name == "tRNS" { for (index, alpha) in body.enumerated() { palette[index][3] = alpha } }
            if name == "IDAT" { data += body }
            if names.last != name { names.append(name) }
            at += 12 + length
        }
        let between = channels == 1 ? names.contains("tRNS") ? ["PLTE", "tRNS"] : ["PLTE"] : []
        guard names == ["IHDR", "sRGB"] + between + ["IDAT", "IEND"], channels == 1 || palette.isEmpty else {
            throw Problem("chunks \(names)")
        }
        guard data[0] == 0x78, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0 else { throw Problem("zlib's header") }
        var inflater = Inflater(bytes: data, next: 2)
        let rows = try inflater.inflated()
        guard rows.count == (width * channels + 1) * height else { throw Problem("\(rows.count) bytes") }
        var (low, high) = (1, 0)
        for byte in rows {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        guard Array(data[inflater.next...]) == HandmadePNG.bigEndian(high << 16 | low) else { throw Problem("Adler-32") }
        straightPixels = try Self.unfiltered(rows, width: width, height: height, channels: channels)
        guard channels == 1 else { return }
        guard straightPixels.allSatisfy({ Int($0) < palette.count }) else { throw Problem("index") }
        straightPixels = straightPixels.flatMap { palette[Int($0)] }
    }

    private static func unfiltered(_ rows: [UInt8], width: Int, height: Int, channels: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(width * height * 4)
        let length = width * channels
        var above = [UInt8](repeating: 0, count: length)
        for y in 0..<height {
            let start = y * (length + 1)
            var row = Array(rows[start + 1...start + length])
            for i in 0..<length {
                let left = i < channels ? 0 : Int(row[i - channels])
                let up = Int(above[i])
                let corner = i < channels ? 0 : Int(above[i - channels])
                let guess: Int
                switch rows[start] {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                case 4:
                    let distances = [left, up, corner].map { abs(left + up - corner - $0) }
                    guess = distances[0] <= distances[1] && distances[0] <= distances[2] ? left : distances[1] <= distances[2] ? up : corner
                default: throw Problem("filter \(rows[start])")
                }
                row[i] &+= UInt8(guess)
            }
            if channels != 3 {
                result += row
            } else {
                for x in 0..<width { result += [row[3 * x], row[3 * x + 1], row[3 * x + 2], 255] }
            }
            above = row
        }
        return result
    }
}

/// Deflate, the other way round, one bit after the other.
struct Inflater {
    let bytes: [UInt8]
    /// The byte after those already examined.
    var next: Int
    private var bits: UInt32 = 0
    private var count = 0
    private var output: [UInt8] = []

    init(bytes: [UInt8], next: Int) {
        self.bytes = bytes
        self.next = next
    }

    /// By length, the first code of it, and the symbols that have codes of it in their order.
    private typealias Code = [(first: Int, symbols: [Int])]

    mutating func inflated() throws -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try sequences(code(lengths), code([Int](repeating: 5, count: 32)))
            case 2:
                let (literals, distances) = try header()
                try sequences(literals, distances)
            default: throw PlainPNG.Problem("block type 3")
            }
        }
        return output
    }

    private mutating func take(_ wanted: Int) throws -> Int {
        while count < wanted {
            guard next < bytes.count else { throw PlainPNG.Problem("end of the data") }
            bits |= UInt32(bytes[next]) << count
            next += 1
            count += 8
        }
        let value = Int(bits & (1 << wanted - 1))
        bits >>= wanted
        count -= wanted
        return value
    }

    private mutating func stored() throws {
        (bits, count) = (0, 0)
        let length = try take(16)
        guard try take(16) == length ^ 0xffff, next + length <= bytes.count else { throw PlainPNG.Problem("stored block") }
        output += bytes[next..<next + length]
        next += length
    }

    /// Complete codes only.
    private func code(_ lengths: [Int]) throws -> Code {
        var (result, first, room) = (Code(), 0, 1 << 15)
        for length in 1...15 {
            let symbols = lengths.indices.filter { lengths[$0] == length }
            result.append((first, symbols))
            first = (first + symbols.count) << 1
            room -= symbols.count << (15 - length)
        }
        guard room == 0 else { throw PlainPNG.Problem("code with \(room) left") }
        return result
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var value = 0
        for (first, symbols) in code {
            value = try value << 1 | take(1)
            if value - first < symbols.count { return symbols[value - first] }
        }
        throw PlainPNG.Problem("no such symbol")
    }

    private mutating func header() throws -> (Code, Code) {
        let (literals, distances, lengths) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        guard literals <= 286, distances <= 30 else { throw PlainPNG.Problem("too many symbols") }
        var sizes = [Int](repeating: 0, count: 19)
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(lengths) { sizes[symbol] = try take(3) }
        let code = try code(sizes)
        var all: [Int] = []
        while all.count < literals + distances {
            switch try symbol(code) {
            case 16:
                guard let last = all.last else { throw PlainPNG.Problem("repeats nothing") }
                all += [Int](repeating: last, count: try take(2) + 3)
            case 17: all += [Int](repeating: 0, count: try take(3) + 3)
            case 18: all += [Int](repeating: 0, count: try take(7) + 11)
            case let size: all.append(size)
            }
        }
        guard all.count == literals + distances else { throw PlainPNG.Problem("too many lengths") }
        return (try self.code(Array(all[..<literals])), try self.code(Array(all[literals...])))
    }

    private mutating func sequences(_ literals: Code, _ distances: Code) throws {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw PlainPNG.Problem("length symbol \(symbol)") }
            let length: Int
            switch symbol {
            case ..<265: length = symbol - 254
            case 285: length = 258
            default:
                let extra = (symbol - 261) / 4
                length = try (4 + (symbol - 265) % 4) << extra + 3 + take(extra)
            }
            let far = try self.symbol(distances)
            guard far < 30 else { throw PlainPNG.Problem("distance symbol \(far)") }
            let extra = max(0, far / 2 - 1)
            let distance = try far < 4 ? far + 1 : (2 + far % 2) << extra + 1 + take(extra)
            guard distance <= output.count, distance <= 32_768 else { throw PlainPNG.Problem("distance \(distance)") }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
