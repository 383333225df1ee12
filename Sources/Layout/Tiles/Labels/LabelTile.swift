import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// The labels of a tile that a theme draws, with their styles and texts. Kept between pictures.
final class LabelTile {
    struct Key: Hashable {
        let tile: TileStore.Key
        /// The number of its styles in `LabelFamily`.
        let styles: UInt32
        let languages: [String]
        let hasNames: Bool
        let hasPOIs: Bool
        /// The number of the tile's extruded buildings, on which points of interest stand; 0 if the view does not extrude them.
        let buildings: UInt64
    }

    /// A label, and what it is sorted by.
    struct Row {
        /// The index in the tile's labels.
        let label: Int32
        /// The index of its style in the theme.
        let style: Int16
        let rank: Float
        /// The lowest zoom at which it is shown, in addition to that of its style.
        var minZoom: Float = 0
        /// The place on the first copy of the world.
        let place: WorldPoint
        /// The height above the ground as a fraction of the world: that of the building on which it stands.
        var height = 0.0
        /// The number of its lines in `LabelTexts`; -1 for an icon alone.
        let text: Int32
        var icon: PointOfInterestIcon?
        /// Its measured text; -1 until it is measured.
        var measured: Int32 = -1
    }

    let labels: TileLabels
    let address: TileAddress
    var rows: [Row] = []
    /// The icons of the labels.
    private(set) var icons: Set<PointOfInterestIcon> = []
    /// The number of the last picture that showed it.
    var lastUse: UInt64 = 0

    init(_ geometry: TileGeometry, _ key: Key, _ styles: [LabelStyle], _ texts: inout LabelTexts) {
        labels = geometry.labels
        address = key.tile.address
        let size = 1 / Double(1 << address.zoom)
        rows.reserveCapacity(labels.count)
        for label in 0..<labels.count {
            let role = labels.roles[label]
            guard role == .poiLabel ? key.hasPOIs : key.hasNames else { continue }
            var category: PointOfInterestCategory?
            if role == .poiLabel {
                category = PointOfInterestCategory(layer: labels.layer(of: label), classes: labels.categories(of: label))
                guard let category, labels.names[label] != nil || category.icon.isClearWithoutName else { continue }
            }
            let rank = category?.zoom ?? labels.ranks[label]
            guard let style = styles.firstIndex(where: { $0.role == role && $0.ranks.contains(rank) }) else { continue }
            let position = labels.positions[label]
            let (x, y) = (Double(address.x) + Double(position.x), Double(address.y) + Double(position.y))
            let lines = labels.names[label].map { Self.lines($0, elevation: labels.elevations[label], key.languages) }
            var row = Row(
                label: Int32(label), style: Int16(style), rank: Self.order(category, labels.ranks[label]),
                place: WorldPoint(x: x * size, y: y * size), text: lines.map { texts.number($0) } ?? -1)
            row.minZoom = category?.zoom ?? 0
            row.icon = role == .peakLabel ? .peak : category?.icon
            if let icon = row.icon { icons.insert(icon) }
            rows.append(row)
        }
        if key.buildings != 0 { raise(on: geometry.buildings) }
    }

    /// Raises points of interest to the roofs of the buildings in which they are.
    private func raise(on buildings: TileBuildings) {
        let raised = rows.indices.filter { labels.roles[Int(rows[$0].label)] == .poiLabel }
        let tops = buildings.tops(at: raised.map { labels.positions[Int(rows[$0].label)] })
        for (row, top) in zip(raised, tops) where top > 0 {
            let latitude = WebMercator.latitude(fromY: rows[row].place.y)
            rows[row].height = Double(top) * WebMercator.pointsPerMeter(lat: latitude, worldSize: 1)
        }
    }

    /// The number by which labels of a style are sorted. Points of interest are sorted by their category, and then by their own rank.
    private static func order(_ category: PointOfInterestCategory?, _ rank: Float) -> Float {
        category.map { $0.zoom * 1000 + min(rank, 499) } ?? rank
    }

    private static func lines(_ name: TileName, elevation: Float, _ languages: [String]) -> LabelTexts.Lines {
        let names = name.lines(in: languages)
        guard !elevation.isNaN else { return LabelTexts.Lines(main: names[0], sub: names.count > 1 ? names[1] : "") }
        return LabelTexts.Lines(main: names.joined(separator: "\n"), sub: "\(Int(elevation.rounded())) m")
    }
}
