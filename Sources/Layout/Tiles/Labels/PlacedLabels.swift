import WaymarkGeo
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// A label of the base map in a picture or its margin.
struct PlacedLabel: Sendable {
    /// The index of its tile in `PlacedLabels.tiles`.
    let tile: Int32
    /// Its index among the labels of the tile.
    let label: Int32
    let role: MapRole
    /// The place on the first copy of the world.
    let place: WorldPoint
    var candidate: PointCandidate
    /// What hides it; nil when it is shown.
    var hiddenBy: Hider?

    var isShown: Bool { hiddenBy == nil && !candidate.isCutByEdge }

    enum Hider: Sendable {
        /// A marker, by index among the candidates.
        case marker(Int32)
        /// A symbol of the map, by its index in the map's list.
        case symbol(Int32)
        /// Another label, by index.
        case label(Int32)
    }
}

/// The labels of base maps in one picture, from the most important to the least. Lower numbers are drawn above higher ones.
struct PlacedLabels: Sendable {
    /// A tile with labels.
    struct Tile: Sendable {
        /// The index of its layer in the base map.
        let layer: Int
        let address: TileAddress
        let labels: TileLabels
        let languages: [String]
    }

    let viewport: Viewport
    var tiles: [Tile] = []
    var labels: [PlacedLabel] = []
    /// The items that draw the labels.
    var items: [DrawItem] = []

    init(_ viewport: Viewport) { self.viewport = viewport }
}

extension PlacedLabels {
    /// The id of a label: its layer, its tile, and its name within the tile, such as `basemap-0/14/9326/4742/poi/17`. It does not depend on
    /// the view, but on the zoom of the tiles.
    func id(_ label: PlacedLabel) -> String {
        let tile = tiles[Int(label.tile)]
        let (zoom, x, y) = (tile.address.zoom, tile.address.x, tile.address.y)
        return "basemap-\(tile.layer)/\(zoom)/\(x)/\(y)/\(tile.labels.identity(of: Int(label.label)))"
    }

    /// The label as a symbol, for programs that pick it.
    /// - Parameter number: Its index.
    func symbol(_ number: Int) -> Symbol {
        let label = labels[number]
        let tile = tiles[Int(label.tile)]
        let index = Int(label.label)
        var symbol = Symbol(
            position: LatLng(
                lat: WebMercator.latitude(fromY: label.place.y), lng: WebMercator.longitude(fromX: label.place.x)))
        symbol.id = id(label)
        symbol.captionText = tile.labels.names[index]?.lines(in: tile.languages)[0] ?? ""
        symbol.category = tile.labels.categories(of: index).first?.value
        for (key, value) in tile.labels.fields(of: index) { symbol.fields[key] = value.text }
        for (key, text) in tile.labels.names[index]?.all ?? [] { symbol.fields[key] = text }
        return symbol
    }

    /// Describes the labels in the picture, and those that others hide there.
    func entries(_ points: PlacedPoints, _ pass: DescribingPass) -> [Inspection.SymbolEntry] {
        labels.compactMap { label in
            guard label.candidate.isInside(viewport) else { return nil }
            let icon = IconPlacer(viewport).place(label.place, height: 0, copy: Double(label.candidate.copy), .empty)
            var entry = Inspection.SymbolEntry(
                id: id(label), isVisible: label.isShown,
                anchor: .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio))
            entry.role = label.role.name
            entry.isCutByEdge = label.candidate.isCutByEdge
            entry.rect = Inspection.Rect(label.candidate.shownBox, pixelRatio: viewport.pixelRatio)
            entry.hiddenBy =
                switch label.hiddenBy {
                case .marker(let candidate): points.name(candidate, pass)
                case .symbol(let number): points.symbols.name(Int(number))
                case .label(let number): id(labels[Int(number)])
                case nil: nil
                }
            return entry
        }
    }
}

extension PlacedLabels {
    /// The hits of labels at a point of the picture, unordered.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let placer = IconPlacer(viewport)
        return labels.indices.compactMap { number in
            let label = labels[number]
            guard label.isShown || pass.request.includesInvisible else { return nil }
            let isIconHit = label.candidate.hasIcon && pass.isHit(label.candidate.icon, placer, nil)
            return isIconHit || label.candidate.caption >= 0 && pass.isHit(label.candidate.captionBox) ? hit(number, pass) : nil
        }
    }

    /// The areas of the picture in which labels can be picked, unordered.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        labels.indices.compactMap { number in
            let label = labels[number]
            guard label.isShown else { return nil }
            var polygons = label.candidate.caption >= 0 ? [label.candidate.captionBox.corners] : []
            if label.candidate.hasIcon { polygons.append(label.candidate.box.corners) }
            return pass.area(hit(number, pass), polygons)
        }
    }

    /// Labels lie beneath the map's symbols, the most important one on top.
    private func hit(_ number: Int, _ pass: PickingPass) -> PlacedHit {
        PlacedHit(
            target: .label(number), part: .symbol, isVisible: labels[number].isShown,
            order: PickOrder(rank: pass.order.keys.rankAboveSymbols, tier: PickOrder.labels, within: -Int64(number)))
    }
}

extension PointCandidate {
    /// Whether a part of its icon or caption is in the picture.
    fileprivate func isInside(_ viewport: Viewport) -> Bool {
        let box = shownBox
        return box.right > 0 && box.bottom > 0 && box.left < Double(viewport.deviceWidth) && box.top < Double(viewport.deviceHeight)
    }
}

extension Placement {
    /// A label of the base map that was hit, as a symbol.
    /// - Parameter number: The number in the hit's target.
    package func label(_ number: Int) -> Symbol { labels.symbol(number) }
}
