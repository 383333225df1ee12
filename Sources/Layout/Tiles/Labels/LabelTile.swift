import Foundation
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// The labels of a tile that a theme draws, with their styles and texts. Kept between pictures.
final class LabelTile {
    struct Key: Hashable {
        let tile: TileStore.Key
        let theme: MapTheme
        let languages: [String]
        let hasNames: Bool
        let hasPOIs: Bool
    }

    /// A label, and what it is sorted by.
    struct Row {
        /// The index in the tile's labels.
        let label: Int32
        /// The index of its style in the theme.
        let style: Int16
        let rank: Float
        /// The place on the first copy of the world.
        let place: WorldPoint
        /// The number of its lines in `LabelTexts`.
        let text: Int32
        /// Its measured text; -1 until it is measured.
        var measured: Int32 = -1
    }

    let labels: TileLabels
    let address: TileAddress
    var rows: [Row] = []
    /// The number of the last picture that showed it.
    var lastUse: UInt64 = 0

    init(_ labels: TileLabels, _ key: Key, _ styles: [LabelStyle], _ texts: inout LabelTexts) {
        self.labels = labels
        address = key.tile.address
        let size = 1 / Double(1 << address.zoom)
        rows.reserveCapacity(labels.count)
        for label in 0..<labels.count {
            let (role, rank) = (labels.roles[label], labels.ranks[label])
            guard role == .poiLabel ? key.hasPOIs : key.hasNames, let name = labels.names[label],
                let style = styles.firstIndex(where: { $0.role == role && $0.ranks.contains(rank) })
            else { continue }
            let position = labels.positions[label]
            rows.append(
                Row(
                    label: Int32(label), style: Int16(style), rank: rank,
                    place: WorldPoint(x: (Double(address.x) + Double(position.x)) * size, y: (Double(address.y) + Double(position.y)) * size),
                    text: texts.number(Self.lines(name, elevation: labels.elevations[label], key.languages))))
        }
    }

    private static func lines(_ name: TileName, elevation: Float, _ languages: [String]) -> LabelTexts.Lines {
        let names = name.lines(in: languages)
        guard !elevation.isNaN else { return LabelTexts.Lines(main: names[0], sub: names.count > 1 ? names[1] : "") }
        return LabelTexts.Lines(main: names.joined(separator: "\n"), sub: "\(Int(elevation.rounded())) m")
    }
}
