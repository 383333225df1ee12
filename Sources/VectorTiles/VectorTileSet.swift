import WaymarkTiles

/// The vector tiles of an archive, and their schema.
package struct VectorTileSet: Sendable {
    package let info: TileSetInfo
    package let schema: MapSchema
    private let source: any ArchivedTileSource
    private let path: String?

    /// Recognizes the schema by the layers that the metadata of the archive lists or, if it lists none, by those of one tile.
    /// - Parameter path: The path of the archive, for messages; nil if their reader adds it.
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

    /// The tile for an address, and the part of it that the address shows: the tile itself or, beyond the last zoom of the set and where a
    /// tile is missing, its nearest ancestor; nil if there is none. Raster tiles behave in the same way. A tile that is stored as no bytes at
    /// all is not missing: it has no layers.
    /// - Throws: `VectorTileError` if the tile cannot be read, or is not a vector tile.
    package func tile(at address: TileAddress) throws(VectorTileError) -> (tile: VectorTile, part: TilePart)? {
        guard address.isValid else { return nil }
        var zoom = min(address.zoom, info.maxZoom)
        while true {
            let part = TilePart(address, ofZoom: zoom)
            let bytes: [UInt8]?
            do throws(TileError) { bytes = try source.bytes(at: part.stored) } catch { throw VectorTileError(.archive(error)) }
            if let bytes {
                do throws(VectorTileError) { return (try VectorTile(bytes), part) } catch { throw error.at(path, part.stored) }
            }
            guard zoom > info.minZoom else { return nil }
            zoom -= 1
        }
    }
}
