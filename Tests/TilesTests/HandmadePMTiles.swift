import WaymarkImaging
import WaymarkTiles

/// A PMTiles file put together byte by byte, by the rules of the specification and without the code under test.
struct HandmadePMTiles {
    struct Entry {
        var number: Int
        var offset: Int
        var length: Int
        var run = 1
    }

    var root: [UInt8] = []
    var metadata = Array("{}".utf8)
    var leaves: [UInt8] = []
    var data: [UInt8] = []
    var version: UInt8 = 3
    /// 1: uncompressed, 2: gzip, 3: Brotli, 4: Zstandard.
    var compression: UInt8 = 1
    var tileCompression: UInt8 = 1
    /// 1 is MVT, 2 is PNG.
    var type: UInt8 = 2
    var zooms: (UInt8, UInt8) = (0, 2)
    var degrees: [Int32] = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]

    /// Tiles in one directory, each its own entry.
    init(_ tiles: [(number: Int, bytes: [UInt8])] = []) {
        var entries: [Entry] = []
        for tile in tiles {
            entries.append(Entry(number: tile.number, offset: data.count, length: tile.bytes.count))
            data += tile.bytes
        }
        if !entries.isEmpty { root = Self.directory(entries) }
    }

    /// The number of entries, differences of numbers, runs, lengths, offsets and one.
    static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(entries.count)
        var last = 0
        for entry in entries {
            bytes += varint(entry.number - last)
            last = entry.number
        }
        for entry in entries { bytes += varint(entry.run) }
        for entry in entries { bytes += varint(entry.length) }
        var end = -1
        for entry in entries {
            bytes += varint(entry.offset == end ? 0 : entry.offset + 1)
            // Hostile ones reach beyond every number.
            end = entry.offset &+ entry.length
        }
        return bytes
    }

    static func varint(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value % 128 + 128)] + varint(value / 128)
    }

    static func integer(_ value: Int, bytes: Int = 8) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    var bytes: [UInt8] {
        get throws {
            let (root, metadata) = (try pack(root), try pack(metadata))
            let leavesStart = 127 + root.count + metadata.count
            var bytes = Array("PMTiles".utf8) + [version]
            for (offset, count) in [
                (127, root.count), (127 + root.count, metadata.count), (leavesStart, leaves.count),
                (leavesStart + leaves.count, data.count),
            ] {
                bytes += Self.integer(offset) + Self.integer(count)
            }
            bytes += [UInt8](repeating: 0, count: 24) + [1, compression, tileCompression, type, zooms.0, zooms.1]
            for value in degrees { bytes += Self.integer(Int(value), bytes: 4) }
            bytes += [UInt8](repeating: 0, count: 9)
            return bytes + root + metadata + leaves + data
        }
    }

    /// As directories are stored.
    func pack(_ bytes: [UInt8]) throws -> [UInt8] { compression == 2 ? try Gzip.deflated(bytes) : bytes }
}

/// Pictures distinguished by their color.
enum TilePicture {
    static func png(_ gray: Int, side: Int = 256) throws -> [UInt8] {
        try Bitmap(width: side, height: side, fill: Color(white: Double(gray) / 255)).encoded(as: .png)
    }
}

extension TileSource {
    /// The bytes of a tile; nil for a gap.
    func bytes(_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]? {
        guard case .encoded(let bytes)? = try tile(at: TileAddress(zoom: zoom, x: x, y: y)) else { return nil }
        return bytes
    }
}

/// The sentence of an error; "no error" without one.
func sentence(of body: () throws -> Void) -> String {
    do {
        try body()
        return "no error"
    } catch {
        return "\(error)"
    }
}
