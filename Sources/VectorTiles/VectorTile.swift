import WaymarkSystem
import WaymarkTiles

/// The layers of a vector tile in MVT format 2.1: https://github.com/mapbox/vector-tile-spec/blob/master/2.1/README.md
///
/// This module decodes vector tiles into columns, recognizes the schema of a tile set by its layers, and assigns features their roles on a
/// map. It does not read archives, which `Tiles` does, and it does not draw.
///
/// Only the names of the layers are read at first. A layer is decoded on request, so layers that are not needed cost nothing.
package struct VectorTile: Sendable {
    /// The names of the layers in the order of the tile, without duplicates. Of layers with one name, the tile has the first.
    package let layerNames: [String]
    /// The names of layers that are left out, because a layer before them has the same name.
    package let repeatedNames: Set<String>
    /// Whether a layer is left out, because its name is not UTF-8.
    package let hasUnreadableName: Bool
    private let bytes: [UInt8]
    /// The bytes of each layer.
    private let ranges: [Range<Int>]

    /// - Parameter bytes: The tile, not compressed, with at most 64 MiB.
    /// - Throws: `VectorTileError` if the bytes are not a vector tile, are too many, or contain a layer without a name. An error within a
    ///   layer is not found here, but when that layer is decoded.
    package init(_ bytes: [UInt8]) throws(VectorTileError) {
        let limit = VectorTileLimits.bytes
        guard bytes.count <= limit else {
            throw VectorTileError(.tooLarge("the tile is larger than \(InputKind.text(byteCount: limit))"))
        }
        self.bytes = bytes
        (layerNames, ranges, repeatedNames, hasUnreadableName) = try bytes.withUnsafeBufferPointer { bytes throws(VectorTileError) in
            var (names, ranges, count) = ([String](), [Range<Int>](), 0)
            var (known, repeated, isUnreadable) = (Set<String>(), Set<String>(), false)
            var reader = ProtobufReader(bytes, 0..<bytes.count)
            do throws(ProtobufProblem) {
                while let tag = try reader.tag() {
                    guard tag == .message(3) else {
                        try reader.skip(tag)
                        continue
                    }
                    let layer = try reader.message()
                    guard count < VectorTileLimits.layers else { throw .tooMany("layers", limit: VectorTileLimits.layers) }
                    count += 1
                    guard let name = try Self.name(of: layer, bytes) else {
                        isUnreadable = true
                        continue
                    }
                    guard known.insert(name).inserted else {
                        repeated.insert(name)
                        continue
                    }
                    names.append(name)
                    ranges.append(layer.position..<layer.end)
                }
            } catch {
                throw VectorTileError(error, subject: "the tile")
            }
            return (names, ranges, repeated, isUnreadable)
        }
    }

    /// The name of a layer, which is usually its first or second field; nil if it is not UTF-8.
    private static func name(
        of layer: ProtobufReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(ProtobufProblem) -> String? {
        var reader = layer
        while let tag = try reader.tag() {
            guard tag == .message(1) else {
                try reader.skip(tag)
                continue
            }
            let range = try reader.range()
            guard UTF8Text.isValid(bytes, range) else { return nil }
            if range.isEmpty { break }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
        throw .other("a layer has no name")
    }
}

extension VectorTile {
    /// Decodes a layer.
    /// - Parameter index: The index of the layer in `layerNames`.
    /// - Throws: `VectorTileError` if the layer is damaged, has an unsupported version or exceeds a limit. The other layers of the tile can
    ///   be decoded nevertheless.
    package func layer(at index: Int) throws(VectorTileError) -> VectorLayer {
        do throws(VectorTileError) {
            return try VectorLayer(bytes, ranges[index], name: layerNames[index])
        } catch {
            throw error.inLayer(layerNames[index])
        }
    }

    /// Decodes the layer with a name; nil if the tile has no such layer.
    /// - Throws: `VectorTileError`, like `layer(at:)`.
    package func layer(named name: String) throws(VectorTileError) -> VectorLayer? {
        guard let index = layerNames.firstIndex(of: name) else { return nil }
        return try layer(at: index)
    }
}

/// The limits on the contents of a tile, which far exceed the contents of any real map tile. Within them, a decoded layer needs less than
/// 1 GiB.
package enum VectorTileLimits {
    /// The number of bytes of a tile after decompression.
    package static let bytes = InputKind.tileLimit
    /// The number of layers of a tile.
    package static let layers = 1024
    /// The number of features of a layer.
    package static let features = 1 << 20
    /// The number of keys and the number of values of a layer.
    package static let texts = 1 << 20
    /// The number of points of a layer.
    package static let points = 1 << 24
    /// The largest magnitude of a coordinate. The area of a ring then fits into 64 bits.
    package static let coordinate = 1 << 29
}
