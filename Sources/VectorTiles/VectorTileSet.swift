import WaymarkTiles

/// The vector tiles of an archive, and their schema.
package struct VectorTileSet: Sendable {
    package let info: TileSetInfo
    package let schema: MapSchema
    package let source: any ArchivedTileSource
    private let path: String?

    /// Recognizes the schema by the layers that the metadata of the archive lists or, if it lists no layers, by the layers of one tile.
    /// - Parameter path: The path of the archive, for messages; nil if the reader of the messages adds it.
    /// - Throws: `VectorTileError` if the archive contains pictures, has no known schema, or cannot be read.
    package init(_ source: any ArchivedTileSource, path: String? = nil) throws(VectorTileError) {
        self.source = source
        self.path = path
        info = source.info
        do throws(VectorTileError) {
            schema = try MapSchema.recognized(in: try Self.layerNames(of: source))
        } catch {
            throw error.at(path)
        }
    }

    private static func layerNames(of source: any ArchivedTileSource) throws(VectorTileError) -> [String] {
        guard source.content == .vector else { throw VectorTileError(.pictures) }
        if !source.layerNames.isEmpty { return source.layerNames }
        let bytes: [UInt8]
        do throws(TileError) { bytes = try source.sampleBytes() } catch { throw VectorTileError(.archive(error)) }
        return try VectorTile(bytes).layerNames
    }

    /// The tile at an address; nil if the set does not have it. A tile that is stored as no bytes at all exists: it has no layers.
    /// - Throws: `VectorTileError` if the tile cannot be read, or is not a vector tile.
    package func tile(at address: TileAddress) throws(VectorTileError) -> VectorTile? {
        guard address.isValid else { return nil }
        let bytes: [UInt8]?
        do throws(TileError) { bytes = try source.bytes(at: address) } catch { throw VectorTileError(.archive(error)) }
        guard let bytes else { return nil }
        do throws(VectorTileError) { return try VectorTile(bytes) } catch { throw error.at(path, address) }
    }
}
