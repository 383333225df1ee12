/// The rotation or reflection that makes a stored picture upright, with the values of the EXIF tag 0x0112.
enum Orientation: UInt8 {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Rows and columns are swapped: mirrored about the diagonal from the upper left.
    case transposed = 5
    /// Rotated by a quarter turn clockwise for display.
    case quarterTurned = 6
    /// Mirrored about the other diagonal.
    case transversed = 7
    /// Rotated by three quarter turns clockwise for display.
    case threeQuartersTurned = 8

    /// The orientation in EXIF data, with or without its six-byte prefix; upright if the tag is missing or invalid.
    init(exif: ArraySlice<UInt8>) {
        let tiff = exif.starts(with: "Exif\0\0".utf8) ? exif.dropFirst(6) : exif
        self = Self.number(in: TIFF(bytes: tiff)).flatMap(Orientation.init) ?? .upright
    }
}

extension Orientation {
    /// Whether width and height are swapped between the stored and the upright picture.
    var swapsSides: Bool { rawValue >= 5 }

    /// The pixel of a stored picture of `width` by `height` pixels that is displayed at column `x` and row `y`.
    @inline(__always)
    func source(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width &- 1 &- x, y)
        case .upsideDown: (width &- 1 &- x, height &- 1 &- y)
        case .mirroredUpsideDown: (x, height &- 1 &- y)
        case .transposed: (y, x)
        case .quarterTurned: (y, height &- 1 &- x)
        case .transversed: (width &- 1 &- y, height &- 1 &- x)
        case .threeQuartersTurned: (width &- 1 &- y, x)
        }
    }
}

extension Bitmap {
    /// The upright picture.
    func oriented(_ orientation: Orientation) -> Bitmap {
        guard orientation != .upright else { return self }
        let across = orientation.swapsSides ? height : width
        let down = orientation.swapsSides ? width : height
        let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            pixels.withUnsafeBytes { source in
                let target = UnsafeMutableRawBufferPointer(buffer)
                for y in 0..<down {
                    for x in 0..<across {
                        let from = orientation.source(x, y, width: width, height: height)
                        let pixel = source.loadUnaligned(fromByteOffset: (from.y &* width &+ from.x) &* 4, as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: (y &* across &+ x) &* 4, as: UInt32.self)
                    }
                }
            }
            count = pixels.count
        }
        return Bitmap(unchecked: turned, width: across, height: down)
    }
}

private extension Orientation {
    /// The value of the orientation tag in the first directory, whose entries have 12 bytes: tag, type, count, value.
    static func number(in tiff: TIFF) -> UInt8? {
        guard let start = tiff.directory, let count = tiff.number(at: start, bytes: 2) else { return nil }
        for entry in 0..<count {
            let at = start + 2 + entry * 12
            guard let tag = tiff.number(at: at, bytes: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            let short = 3
            guard tiff.number(at: at + 2, bytes: 2) == short, tiff.number(at: at + 4, bytes: 4) == 1 else { return nil }
            return tiff.number(at: at + 8, bytes: 2).flatMap(UInt8.init(exactly:))
        }
        return nil
    }
}

/// The TIFF container of EXIF data: numbers at offsets, in either byte order.
private struct TIFF {
    let bytes: ArraySlice<UInt8>

    /// The offset of the first directory.
    var directory: Int? {
        guard number(at: 2, bytes: 2) == 42 else { return nil }
        return number(at: 4, bytes: 4)
    }

    func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        let digits = bytes.dropFirst(offset).prefix(count)
        if bytes.starts(with: "MM".utf8) { return digits.reduce(0) { $0 << 8 | Int($1) } }
        guard bytes.starts(with: "II".utf8) else { return nil }
        return digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
