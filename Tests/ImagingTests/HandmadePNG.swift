import CWaymarkCodecs
import WaymarkTestSupport

/// A PNG put together by hand, of any color type, depth and interlacing, and the straight pixels that it encodes.
struct HandmadePNG {
    enum ColorType: UInt8, CaseIterable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var depths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        }

        var samples: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    var width = 11
    var height = 9
    var colorType = ColorType.rgba
    var depth = 8
    var isInterlaced = false
    /// Whether it has a tRNS chunk; only for gray, RGB and palettes.
    var hasTransparency = false
    /// Chunks between IHDR and the picture data.
    var extraChunks: [UInt8] = []

    /// A sample of the picture: every value of the depth occurs, and no two rows are alike.
    func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        (x * 2963 + y * 7919 + channel * 1009 + x * y * 31) & (1 << depth - 1)
    }
}

extension HandmadePNG {
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] { PNGChunk.bytes(name, data) }

    static func bigEndian(_ number: Int, bytes: Int = 4) -> [UInt8] { PNGChunk.bigEndian(number, bytes: bytes) }

    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    static func header(width: Int, height: Int, depth: Int = 8, colorType: UInt8 = 6, isInterlaced: Bool = false) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0])
    }

    var bytes: [UInt8] {
        var file = Self.signature
        file += Self.header(width: width, height: height, depth: depth, colorType: colorType.rawValue, isInterlaced: isInterlaced)
        file += extraChunks
        if colorType == .palette { file += Self.chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] }) }
        if hasTransparency { file += Self.chunk("tRNS", transparency) }
        let rows = passes.flatMap { scanlines($0) }
        var data: [UInt8] = [0x78, 0x5e] + [UInt8](repeating: 0, count: wm_deflate_bound(rows.count))
        var workspace = [UInt64](repeating: 0, count: wm_deflate_workspace() / 8 + 1)
        let end = data.withUnsafeMutableBytes { data in
            2
                + wm_deflate(
                    rows, rows.count, 1, 1, false, true, &workspace, data.baseAddress.map { ($0 + 2).assumingMemoryBound(to: UInt8.self) })
        }
        data.replaceSubrange(end..., with: Self.bigEndian(Int(wm_adler32(1, rows, rows.count))))
        let count = data.count
        // In two pieces, as many writers do.
        file += Self.chunk("IDAT", Array(data[..<(count / 2)])) + Self.chunk("IDAT", Array(data[(count / 2)..<count]))
        return file + Self.chunk("IEND", [])
    }

    /// The expected result of a decoder.
    var straightPixels: [UInt8] {
        (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
    }
}

private extension HandmadePNG {
    typealias Pass = (x: Int, y: Int, dx: Int, dy: Int)

    var passes: [Pass] {
        guard isInterlaced else { return [(0, 0, 1, 1)] }
        return [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    }

    /// The color that tRNS makes transparent: the color of the pixel at (3, 2).
    var transparentSamples: [Int] { (0..<colorType.samples).map { sample(3, 2, $0) } }

    var transparency: [UInt8] {
        if colorType == .palette { return palette.indices.prefix(palette.count / 2).map { UInt8($0 * 40 & 255) } }
        return transparentSamples.flatMap { Self.bigEndian($0, bytes: 2) }
    }

    var palette: [(UInt8, UInt8, UInt8)] {
        (0..<(1 << depth)).map { (index: Int) -> (UInt8, UInt8, UInt8) in
            (UInt8(truncatingIfNeeded: index * 7), UInt8(truncatingIfNeeded: index * 91), UInt8(truncatingIfNeeded: 255 - index * 13))
        }
    }

    func scanlines(_ pass: Pass) -> [UInt8] {
        guard pass.x < width else { return [] }
        var rows: [UInt8] = []
        for y in stride(from: pass.y, to: height, by: pass.dy) {
            let columns = stride(from: pass.x, to: width, by: pass.dx)
            rows += [0] + packed(columns.flatMap { x in (0..<colorType.samples).map { sample(x, y, $0) } })
        }
        return rows
    }

    func packed(_ samples: [Int]) -> [UInt8] {
        if depth == 16 { return samples.flatMap { Self.bigEndian($0, bytes: 2) } }
        var row = [UInt8](repeating: 0, count: (samples.count * depth + 7) / 8)
        for (index, sample) in samples.enumerated() {
            let bit = index * depth
            row[bit / 8] |= UInt8(sample << (8 - depth - bit % 8))
        }
        return row
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let samples = (0..<colorType.samples).map { sample(x, y, $0) }
        // To the nearest of 256 values.
        let most = 1 << depth - 1
        let bytes = samples.map { UInt8(($0 * 255 * 2 + most) / (2 * most)) }
        let keyedAlpha: UInt8 = hasTransparency && samples == transparentSamples ? 0 : 255
        switch colorType {
        case .gray: return [bytes[0], bytes[0], bytes[0], keyedAlpha]
        case .rgb: return bytes + [keyedAlpha]
        case .grayAlpha: return [bytes[0], bytes[0], bytes[0], bytes[1]]
        case .rgba: return bytes
        case .palette:
            let (red, green, blue) = palette[samples[0]]
            let alpha = hasTransparency && samples[0] < palette.count / 2 ? transparency[samples[0]] : 255
            return [red, green, blue, alpha]
        }
    }
}
