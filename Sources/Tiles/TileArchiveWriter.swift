import Foundation
import WaymarkImaging
import WaymarkSystem

/// The format in which an archive is written.
package enum TileArchiveFormat: Equatable, Sendable {
    case pmtiles, mbtiles, folder

    /// The format for a file name: selected by its extension, or a folder if it has no extension.
    package init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, !path.hasSuffix("/") else {
            self = .folder
            return
        }
        switch name[name.index(after: dot)...].lowercased() {
        case "pmtiles": self = .pmtiles
        case "mbtiles": self = .mbtiles
        default: return nil
        }
    }
}

/// The description stored in an archive.
package struct TileArchiveDescription: Sendable {
    package var info: TileSetInfo
    /// PNG, JPEG or WebP.
    package var format: ImageFormat
    /// Whether tiles have twice as many pixels as points.
    package var isRetina: Bool

    package init(info: TileSetInfo, format: ImageFormat, isRetina: Bool) {
        self.info = info
        self.format = format
        self.isRetina = isRetina
    }
}

/// Writes archives from the tiles of a spool. A file appears only when it is complete.
package enum TileArchiveWriter {
    /// - Throws: `TileError`, always with a path.
    package static func write(
        _ spool: TileSpool, _ description: TileArchiveDescription, as format: TileArchiveFormat, to path: String
    ) throws(TileError) {
        do throws(TileError) {
            switch format {
            case .pmtiles: try PMTilesWriter.write(spool, description, to: path)
            case .mbtiles: try MBTilesWriter.write(spool, description, to: path)
            case .folder: try FolderTileWriter.write(spool, description, to: path)
            }
        } catch {
            throw error.at(path)
        }
    }
}

extension TileArchiveDescription {
    /// The metadata in the keys of TileJSON and MBTiles, as texts, in the order of their names.
    var metadata: [(name: String, value: String)] {
        let bounds = info.bounds
        let values: [(String, String?)] = [
            ("attribution", info.attribution), ("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"),
            ("format", formatName), ("maxzoom", "\(info.maxZoom)"), ("minzoom", "\(info.minZoom)"), ("name", info.name),
            ("tileSize", "\(info.tileSize)"), ("type", "baselayer"),
        ]
        return values.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The name of the format in the metadata of MBTiles.
    var formatName: String { format == .jpeg ? "jpg" : format.fileExtension }

    /// The metadata as a JSON object.
    var json: [UInt8] {
        let object = Dictionary(uniqueKeysWithValues: metadata)
        // A dictionary of texts is always valid JSON.
        let data =
            (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])) ?? Data("{}".utf8)
        return [UInt8](data)
    }
}

/// Writes tiles into files named z/x/y in a folder.
private enum FolderTileWriter {
    static func write(_ spool: TileSpool, _ description: TileArchiveDescription, to path: String) throws(TileError) {
        let ending = (description.isRetina ? "@2x." : ".") + description.format.fileExtension
        var folder: String?
        for tile in spool.tiles() {
            let column = "\(path)/\(tile.address.zoom)/\(tile.address.x)"
            if folder != column {
                do throws(SystemError) { try FileSystem.makeFolder(column) } catch {
                    throw TileError(.cannotWrite, path: column, errno: error.errno)
                }
                folder = column
            }
            try write(spool.content(tile.content), to: "\(column)/\(tile.address.y)\(ending)")
        }
        // The metadata is written last, so that a folder that contains it is complete.
        try write(description.json, to: "\(path)/metadata.json")
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(TileError) {
        try TileError.converting { () throws(FileError) in try WholeFile.write(bytes, to: path) }
    }
}
