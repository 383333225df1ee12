import WaymarkImaging

/// The first 127 bytes of a PMTiles file, version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
struct PMTilesHeader: Equatable {
    static let byteCount = 127
    static let magic = Array("PMTiles".utf8)
    /// The header and the root directory together have fewer bytes than this, so a client gets both with its first request.
    static let rootEnd = 16_384

    enum Compression: UInt8 {
        case unknown, none, gzip, brotli, zstandard
    }

    enum TileType: UInt8 {
        case unknown, vector, png, jpeg, webp, avif, mapLibreVector
    }

    /// Ranges of bytes in the file.
    var root: Range<Int>
    var metadata: Range<Int>
    var leaves: Range<Int>
    var data: Range<Int>
    /// The number of tiles, of entries in the directories, and of distinct pictures; 0 if unknown.
    var addressedCount = 0
    var entryCount = 0
    var contentCount = 0
    /// Whether the pictures are in the order of tile numbers.
    var isClustered = false
    /// The compression of directories and metadata.
    var compression = Compression.gzip
    var tileCompression = Compression.none
    var tileType = TileType.unknown
    var minZoom = 0
    var maxZoom = 0
    var bounds = TileBounds.world
    var centerZoom = 0
}

extension PMTilesHeader {
    /// - Parameters:
    ///   - bytes: The first bytes of the file.
    ///   - size: The size of the file.
    /// - Throws: `damaged`, `unsupportedVersion`, `unsupportedCompression`, `unsupportedTiles`.
    init(_ bytes: [UInt8], fileSize size: Int) throws(TileError) {
        guard bytes.count >= Self.byteCount else { throw .damaged("its header ends after \(bytes.count) of \(Self.byteCount) bytes") }
        guard bytes[7] == 3 else { throw TileError(.unsupportedVersion("PMTiles \(bytes[7])")) }

        /// A section: an offset, followed by a length.
        func section(_ at: Int, _ name: String) throws(TileError) -> Range<Int> {
            let (offset, length) = (bytes.littleEndian(at, as: UInt64.self), bytes.littleEndian(at + 8, as: UInt64.self))
            let end = offset.addingReportingOverflow(length)
            guard !end.overflow, end.partialValue <= UInt64(size) else { throw .damaged("\(name) extends beyond the end of the file") }
            return Int(offset)..<Int(end.partialValue)
        }

        root = try section(8, "the root directory")
        metadata = try section(24, "the metadata")
        leaves = try section(40, "the section for leaf directories")
        data = try section(56, "the section for tiles")
        isClustered = bytes[96] == 1
        compression = try Self.compression(bytes[97])
        tileCompression = try Self.compression(bytes[98])
        switch TileType(rawValue: bytes[99]) {
        case .unknown, .png, .jpeg, .webp, .vector: tileType = TileType(rawValue: bytes[99]) ?? .unknown
        case .avif: throw TileError(.unsupportedTiles("AVIF tiles"))
        case .mapLibreVector: throw TileError(.unsupportedTiles("vector tiles (MLT)"))
        case nil: throw TileError(.unsupportedTiles("tiles of the unknown type \(bytes[99])"))
        }
        (minZoom, maxZoom) = (Int(bytes[100]), Int(bytes[101]))
        let degrees = (0..<4).map { Double(bytes.littleEndian(102 + 4 * $0, as: Int32.self)) / 1e7 }
        let stated = TileBounds(west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3])
        if !stated.isDegenerate { bounds = stated }
        centerZoom = Int(bytes[118])
    }

    private static func compression(_ number: UInt8) throws(TileError) -> Compression {
        switch Compression(rawValue: number) {
        // An unknown type is detected from the bytes.
        case .unknown: .unknown
        case .none?: .none
        case .gzip: .gzip
        case .brotli: throw TileError(.unsupportedCompression("Brotli"))
        case .zstandard: throw TileError(.unsupportedCompression("Zstandard"))
        case nil: throw TileError(.unsupportedCompression("unknown method \(number)"))
        }
    }

    /// The encoded header.
    var bytes: [UInt8] {
        var bytes = Self.magic + [3]
        for range in [root, metadata, leaves, data] {
            bytes.append(littleEndian: UInt64(range.lowerBound))
            bytes.append(littleEndian: UInt64(range.count))
        }
        for count in [addressedCount, entryCount, contentCount] { bytes.append(littleEndian: UInt64(count)) }
        bytes += [isClustered ? 1 : 0, compression.rawValue, tileCompression.rawValue, tileType.rawValue, UInt8(minZoom), UInt8(maxZoom)]
        for degrees in [bounds.west, bounds.south, bounds.east, bounds.north] { bytes.append(littleEndian: Self.step(degrees)) }
        bytes.append(UInt8(centerZoom))
        for (low, high) in [(bounds.west, bounds.east), (bounds.south, bounds.north)] {
            bytes.append(littleEndian: Self.step((low + high) / 2))
        }
        return bytes
    }

    /// The number of steps of 1e-7 degrees.
    private static func step(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
}

extension [UInt8] {
    /// The integer at an offset; its bytes must exist.
    func littleEndian<Integer: FixedWidthInteger>(_ offset: Int, as type: Integer.Type) -> Integer {
        withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Inflates bytes if they are compressed.
    /// - Throws: `damaged`, or `tooLarge` before more than `limit` bytes are produced; `what` names the bytes.
    func inflated(_ compression: PMTilesHeader.Compression, limit: Int, _ what: String) throws(TileError) -> [UInt8] {
        if isEmpty { return self }
        switch compression {
        case .unknown where !Gzip.isGzip(self), .none: return self
        default: break
        }
        do throws(Gzip.Problem) {
            return try Gzip.inflated(self, limit: limit)
        } catch {
            switch error {
            case .damaged: throw .damaged("\(what) cannot be inflated")
            case .tooLarge: throw .tooLarge("\(what), when inflated,", limit: limit)
            case .outOfMemory: throw TileError(.tooLarge("there is not enough memory for \(what)"))
            }
        }
    }
}
