import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// The labels of a tile that a theme draws, with their styles and texts. They are kept between pictures.
final class LabelTile {
    struct Key: Hashable {
        let tile: TileStore.Key
        let styles: StyleKey
        let languages: [String]
        let hasNames: Bool
        let hasPOIs: Bool
        /// The number of the tile's extruded buildings, on which points of interest stand; 0 if the view does not extrude them.
        let buildings: UInt64
    }

    /// The values on which the styles and the measured texts of a layer depend.
    struct StyleKey: Hashable {
        let theme: MapTheme
        let colors: [MapRole: Color]
        /// The language of texts for the choice of letters.
        let language: String
    }

    /// A label, with the values by which it is sorted.
    struct Row {
        /// The index in the tile's labels.
        let label: Int32
        /// The index of the label's style in the theme.
        let style: Int16
        let rank: Float
        /// The lowest zoom at which the label is shown. The style's lowest zoom applies as well.
        var minZoom: Float = 0
        /// The place on the first copy of the world.
        let place: WorldPoint
        /// The height above the ground as a fraction of the world. It is the height of the building around the point.
        var height = 0.0
        var icon: PointOfInterestIcon?
        /// The label's text; nil for an icon alone, and until a picture has room for the label.
        fileprivate(set) var text: LabelText?
    }

    let key: Key
    let labels: TileLabels
    private(set) var rows: [Row] = []
    /// The icons of the labels.
    private(set) var icons: Set<PointOfInterestIcon> = []
    private var textBytes = 0

    var address: TileAddress { key.tile.address }
    /// The approximate size in memory, without the decoded labels, which the store of tiles counts.
    var byteCount: Int { 512 + rows.capacity * MemoryLayout<Row>.stride + textBytes }

    init(_ geometry: TileGeometry, _ key: Key, _ styles: [LabelStyle]) {
        labels = geometry.labels
        self.key = key
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
            var row = Row(
                label: Int32(label), style: Int16(style), rank: Self.order(category, labels.ranks[label]),
                place: WorldPoint(x: x * size, y: y * size))
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

    /// The text of the label in a row; nil for an icon alone.
    func text(of row: Int) -> LabelText? {
        if let known = rows[row].text { return known }
        let label = Int(rows[row].label)
        guard let name = labels.names[label] else { return nil }
        let lines = Self.lines(name, elevation: labels.elevations[label], key.languages)
        textBytes += LabelText.byteCount(lines)
        rows[row].text = LabelText(lines)
        return rows[row].text
    }

    /// The number by which labels of a style are sorted. Points of interest are sorted by their category, and then by their own rank.
    private static func order(_ category: PointOfInterestCategory?, _ rank: Float) -> Float {
        category.map { $0.zoom * 1000 + min(rank, 499) } ?? rank
    }

    private static func lines(_ name: TileName, elevation: Float, _ languages: [String]) -> LabelText.Lines {
        let names = name.lines(in: languages)
        guard !elevation.isNaN else { return LabelText.Lines(main: names[0], sub: names.count > 1 ? names[1] : "") }
        return LabelText.Lines(main: names.joined(separator: "\n"), sub: "\(Int(elevation.rounded())) m")
    }
}
