import Foundation
import WaymarkTiles

/// The tiles of the excerpt of Helsinki.
enum HelsinkiTiles {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let archive = folder.appendingPathComponent("Fixtures/helsinki.mbtiles").path

    static let addresses = [
        (5, 18, 9), (7, 72, 37), (9, 291, 148), (10, 582, 296), (11, 1165, 592), (13, 4663, 2370), (13, 4663, 2371), (14, 9326, 4741),
        (14, 9327, 4741),
    ].map { TileAddress(zoom: $0.0, x: $0.1, y: $0.2) }

    static func source() throws -> any ArchivedTileSource { try TileArchive.openArchive(archive) }

    /// The decompressed bytes of all tiles.
    static func tiles() throws -> [(address: TileAddress, bytes: [UInt8])] {
        let source = try source()
        return try addresses.map { address in
            guard let bytes = try source.bytes(at: address) else { throw TileError(.noTiles, address: address) }
            return (address, bytes)
        }
    }
}
