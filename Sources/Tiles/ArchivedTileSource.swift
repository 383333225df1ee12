/// The tiles of an archive, as bytes.
package protocol ArchivedTileSource: TileSource {
    /// The content of all tiles.
    var content: TileContent { get }
    /// The names of the layers of vector tiles in the metadata; empty if the metadata does not list them.
    var layerNames: [String] { get }

    /// The bytes of a tile, decompressed if the archive compresses them; nil if the tile does not exist. A vector tile without bytes
    /// exists, but has no content. Several threads may call this method concurrently.
    func bytes(at address: TileAddress) throws(TileError) -> [UInt8]?

    /// The bytes of one of the tiles, decompressed.
    func sampleBytes() throws(TileError) -> [UInt8]
}

/// The content of the tiles in an archive.
package enum TileContent: Sendable {
    /// PNG, JPEG or WebP.
    case pictures
    /// MVT.
    case vector
}

extension TileContent {
    /// The content of the tiles in a format that metadata names; nil if it does not name pictures or vector tiles.
    /// - Throws: `unsupportedTiles` if the format is MLT.
    init?(format name: String) throws(TileError) {
        switch name.lowercased() {
        case "png", "jpg", "jpeg", "webp", "image/png", "image/jpeg", "image/webp", "png8", "png24", "png32", "png256", "hybrid", "mixed":
            self = .pictures
        case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": self = .vector
        case "mlt", "application/vnd.maplibre-vector-tile": throw TileError(.unsupportedTiles("vector tiles (MLT)"))
        default: return nil
        }
    }
}
