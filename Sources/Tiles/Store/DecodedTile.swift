import WaymarkImaging

/// The pixels of a tile and, if requested, copies of half the size each, down to a single pixel.
package struct DecodedTile: Sendable {
    /// The tile, then its copies from the largest down; only the tile if no copies were requested.
    package private(set) var levels: [Bitmap]

    package init(_ bitmap: Bitmap) { levels = [bitmap] }

    /// The number of pixels on a side.
    package var side: Int { levels[0].width }
    package var hasMipmaps: Bool { levels.count > 1 || side == 1 }
    package var byteCount: Int { levels.reduce(0) { $0 + $1.pixels.count } }

    /// The same tile with copies. Each pixel of a copy is the mean of four pixels of the level above, rounded to nearest, with halves
    /// rounded up.
    package func withMipmaps() -> DecodedTile {
        guard !hasMipmaps else { return self }
        var tile = self
        while let last = tile.levels.last, last.width > 1 { tile.levels.append(last.halved()) }
        return tile
    }
}

/// The supported side lengths of tiles in pixels: powers of two, so that all mipmaps are exact halves.
package let tileSides = 1...2048

extension DecodedTile {
    /// Decodes a tile.
    /// - Parameter info: The description of the tile's set. The size that it declares determines the zoom of the tiles in a picture, and
    ///   thus their number. Tiles that are much larger than declared would take more memory than any budget.
    /// - Throws: A clause about the tile, with the reason why it cannot be drawn.
    package init(_ data: TileData, of info: TileSetInfo) throws(TileRefusal) {
        let bitmap: Bitmap
        switch data {
        case .bitmap(let given): bitmap = given
        case .encoded(let bytes):
            guard let signature = ImageSignature(of: bytes), [.png, .jpeg, .webp].contains(signature) else {
                throw TileRefusal(bytes.isEmpty ? "the tile is empty" : "the tile must be a PNG, JPEG or WebP image")
            }
            // Checked before decoding; for other formats, the decoder reports the problem.
            if let size = ImageSize.of(bytes) { try Self.check(size.width, size.height, info) }
            let limits = ImageLimits(width: tileSides.upperBound, height: tileSides.upperBound, bytes: 1 << 26)
            do throws(ImagingError) {
                bitmap = try Bitmap(decoding: bytes, limits: limits)
            } catch {
                throw TileRefusal("\(error)")
            }
        }
        guard bitmap.width == bitmap.height, tileSides.contains(bitmap.width), bitmap.width & (bitmap.width - 1) == 0 else {
            throw TileRefusal(
                "the tile has \(bitmap.width) × \(bitmap.height) pixels, but tiles must be squares whose side is a power of two")
        }
        try Self.check(bitmap.width, bitmap.height, info)
        self.init(bitmap)
    }

    private static func check(_ width: Int, _ height: Int, _ info: TileSetInfo) throws(TileRefusal) {
        let (side, most) = (info.usualSide, tileSides.upperBound)
        guard width <= most, height <= most else {
            throw TileRefusal("the tile has \(width) × \(height) pixels, but tiles have at most \(most) × \(most)")
        }
        guard width * height > 4 * side * side else { return }
        throw TileRefusal(
            "the tile has \(width) × \(height) pixels, but tiles of this set have \(side) × \(side) "
                + "pixels and must not exceed \(2 * side) × \(2 * side)")
    }
}

/// The reason why a tile is not drawn, as a clause.
package struct TileRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

extension Bitmap {
    /// A bitmap of half the size; the sides must be even.
    fileprivate func halved() -> Bitmap {
        var half = Bitmap(width: width / 2, height: height / 2)
        let (columns, rows) = (half.width, half.height)
        half.withUnsafeMutablePixels { target in
            pixels.withUnsafeBytes { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let output = UnsafeMutableRawPointer(to)
                for row in 0..<rows {
                    let upper = from + row &* columns &* 16
                    let lower = upper + columns &* 8
                    let line = output + row &* columns &* 4
                    for column in 0..<columns {
                        // Two channels at a time, each with 16 bits of room.
                        let a = upper.loadUnaligned(fromByteOffset: column &* 8, as: UInt32.self)
                        let b = upper.loadUnaligned(fromByteOffset: column &* 8 &+ 4, as: UInt32.self)
                        let c = lower.loadUnaligned(fromByteOffset: column &* 8, as: UInt32.self)
                        let d = lower.loadUnaligned(fromByteOffset: column &* 8 &+ 4, as: UInt32.self)
                        let mask: UInt32 = 0x00FF_00FF
                        let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ 0x0002_0002
                        let odd = (a &>> 8 & mask) &+ (b &>> 8 & mask) &+ (c &>> 8 & mask) &+ (d &>> 8 & mask) &+ 0x0002_0002
                        line.storeBytes(
                            of: (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8, toByteOffset: column &* 4, as: UInt32.self)
                    }
                }
            }
        }
        return half
    }
}
