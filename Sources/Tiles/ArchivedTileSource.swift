/// The tiles of an archive, as bytes.
package protocol ArchivedTileSource: TileSource {
    /// The content of all tiles.
    var content: TileContent { get }
    /// The names of the layers of vector tiles, as the metadata lists them; empty if it does not.
    var layerNames: [String] { get }

    /// The bytes of a tile, decompressed if the archive compresses them; nil if the tile does not exist. A vector tile may be stored
    /// as no bytes at all: it exists and has no content. Several threads may call it concurrently.
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

/// The tiles that the opener of an archive can use. An archive with other tiles is refused.
package enum AcceptedTiles: Sendable {
    case pictures, all

    /// - Throws: `unsupportedTiles` if vector tiles are not accepted.
    func vector() throws(TileError) -> TileContent {
        if self == .pictures { throw TileError(.unsupportedTiles("vector tiles (MVT)")) }
        return .vector
    }

    /// The content of the tiles in a format that metadata names; nil if it does not name pictures or vector tiles.
    /// - Throws: `unsupportedTiles` if vector tiles are not accepted, or the format is MLT.
    func content(ofFormat name: String) throws(TileError) -> TileContent? {
        switch name.lowercased() {
        case "png", "jpg", "jpeg", "webp", "image/png", "image/jpeg", "image/webp", "png8", "png24", "png32", "png256", "hybrid", "mixed":
            .pictures
        case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": try vector()
        case "mlt", "application/vnd.maplibre-vector-tile": throw TileError(.unsupportedTiles("vector tiles (MLT)"))
        default: nil
        }
    }
}
