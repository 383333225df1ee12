import WaymarkGeo
import WaymarkScene
import WaymarkText
import WaymarkTiles
import WaymarkVectorTiles

/// A label of the base map in a picture or its margin.
struct PlacedLabel: Sendable {
    /// The index of the label's tile in `PlacedLabels.tiles`.
    let tile: Int32
    /// The label's index among the labels of the tile.
    let label: Int32
    let role: MapRole
    /// The place on the first copy of the world.
    let place: WorldPoint
    /// The height above the ground as a fraction of the world.
    let height: Double
    var candidate: PointCandidate
    /// The obstacle that hides the label; nil if it is shown.
    var hiddenBy: Hider?
    /// Whether an extruded building hides the label.
    var isOccluded = false

    var isShown: Bool { hiddenBy == nil && !candidate.isCutByEdge && !isOccluded }

    enum Hider: Sendable {
        /// A marker, by index among the candidates.
        case marker(Int32)
        /// A symbol of the map, by its index in the map's list.
        case symbol(Int32)
        /// Another label, by index.
        case label(Int32)
        /// The name of a road or river, by index.
        case road(Int32)
        /// The credits of the base map.
        case credits
    }
}

/// The labels of base maps in one picture, from the most important to the least. Lower numbers are drawn above higher ones.
struct PlacedLabels: Sendable {
    /// A tile with labels.
    struct Tile: Sendable {
        /// The index of the tile's layer in the base map.
        let layer: Int
        let address: TileAddress
        let labels: TileLabels
        let languages: [String]
    }

    let viewport: Viewport
    var tiles: [Tile] = []
    var labels: [PlacedLabel] = []
    /// The names along roads and rivers. Their numbers follow the labels' numbers.
    var roads = PlacedRoads()
    /// The items that draw the labels.
    var items: [DrawItem] = []
    /// The characters of drawn labels that no font has.
    var missing: [FontGap] = []
    /// Whether no label is left out because there are too many.
    var areAll = true

    init(_ viewport: Viewport) { self.viewport = viewport }
}

extension PlacedLabels {
    /// The id of a label: its layer, its tile, and its name within the tile, such as `basemap-0/14/9326/4742/poi/17`. It depends on the
    /// zoom of the tiles, but not on the view.
    func id(_ label: PlacedLabel) -> String {
        let tile = tiles[Int(label.tile)]
        let (zoom, x, y) = (tile.address.zoom, tile.address.x, tile.address.y)
        return "basemap-\(tile.layer)/\(zoom)/\(x)/\(y)/\(tile.labels.identity(of: Int(label.label)))"
    }

    /// The name of a label in its first language; empty for an icon without a name.
    private func text(_ label: PlacedLabel) -> String {
        let tile = tiles[Int(label.tile)]
        return tile.labels.names[Int(label.label)]?.lines(in: tile.languages)[0] ?? ""
    }

    /// The label as a symbol, for programs that pick it.
    /// - Parameter number: The index of the label.
    func symbol(_ number: Int) -> Symbol {
        if number >= labels.count { return roads.symbol(number - labels.count) }
        let label = labels[number]
        let tile = tiles[Int(label.tile)]
        let index = Int(label.label)
        var symbol = Symbol(
            position: LatLng(
                lat: WebMercator.latitude(fromY: label.place.y), lng: WebMercator.longitude(fromX: label.place.x)))
        symbol.id = id(label)
        symbol.captionText = text(label)
        symbol.category = tile.labels.categories(of: index).first?.value
        for (key, value) in tile.labels.fields(of: index) { symbol.fields[key] = value.text }
        for (key, text) in tile.labels.names[index]?.all ?? [] { symbol.fields[key] = text }
        return symbol
    }

    /// An entry, and the distance of its copy of the world from the view's center, as a fraction of the world.
    private typealias CopyEntry = (entry: Inspection.SymbolEntry, distance: Double)

    /// Describes the labels in the picture, and the labels that others hide there. If several copies of the world are visible, the copy nearest
    /// the view's center is described, preferring copies that are shown.
    func entries(_ points: PlacedPoints, _ pass: DescribingPass) -> [Inspection.SymbolEntry] {
        let all = entriesOfPoints(points, pass) + entriesOfRoads(points, pass)
        var nearest: [String: Int] = [:]
        for (index, (entry, distance)) in all.enumerated() {
            if let known = nearest[entry.id] {
                let areVisible = (entry.isVisible, all[known].entry.isVisible)
                guard areVisible.0 == areVisible.1 ? distance < all[known].distance : areVisible.0 else { continue }
            }
            nearest[entry.id] = index
        }
        return all.indices.filter { nearest[all[$0].entry.id] == $0 }.map { all[$0].entry }
    }

    private func entriesOfPoints(_ points: PlacedPoints, _ pass: DescribingPass) -> [CopyEntry] {
        labels.compactMap { label in
            guard label.candidate.shownBox.isSeen(in: viewport) else { return nil }
            let icon = IconPlacer(viewport).place(label.place, height: label.height, copy: Double(label.candidate.copy), .empty)
            var entry = Inspection.SymbolEntry(
                id: id(label), isVisible: label.isShown,
                anchor: .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio))
            entry.role = label.role.name
            entry.text = text(label)
            entry.isCutByEdge = label.candidate.isCutByEdge
            entry.isOccluded = label.isOccluded
            entry.rect = Inspection.Rect(label.candidate.shownBox, pixelRatio: viewport.pixelRatio)
            entry.hiddenBy = label.hiddenBy.flatMap { name($0, points, pass) }
            return (entry, abs(label.place.x + Double(label.candidate.copy) - viewport.centerX))
        }
    }

    private func entriesOfRoads(_ points: PlacedPoints, _ pass: DescribingPass) -> [CopyEntry] {
        let picture = PixelBox(left: 0, top: 0, right: Double(viewport.deviceWidth), bottom: Double(viewport.deviceHeight))
        return roads.names.enumerated().compactMap { index, road in
            let boxes = road.name.quads.map(\.box)
            guard let box = boxes.dropFirst().reduce(boxes.first, { $0?.union($1) }), box.overlaps(picture, by: 0) else { return nil }
            var entry = Inspection.SymbolEntry(
                id: roads.id(index), isVisible: road.isShown, anchor: viewport.inspectedPixels(road.name.anchor))
            entry.role = roads.role(index).name
            entry.text = roads.text(index)
            entry.angle = viewport.inspectedDegrees(road.name.text.along)
            entry.isCutByEdge = road.isCutByEdge
            entry.isOccluded = road.isOccluded
            entry.rect = Inspection.Rect(box, pixelRatio: viewport.pixelRatio)
            entry.hiddenBy = road.hiddenBy.flatMap { name($0, points, pass) }
            return (entry, abs(road.name.position.x - viewport.centerX))
        }
    }

    private func name(_ hider: PlacedLabel.Hider, _ points: PlacedPoints, _ pass: DescribingPass) -> String? {
        switch hider {
        case .marker(let candidate): points.name(candidate, pass)
        case .symbol(let number): points.symbols.name(Int(number))
        case .label(let number): id(labels[Int(number)])
        case .road(let index): roads.id(Int(index))
        case .credits: "attribution"
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
            + roads.names.indices.compactMap { index in
                let road = roads.names[index]
                guard road.isShown || pass.request.includesInvisible, road.name.quads.contains(where: pass.isHit) else { return nil }
                return hit(labels.count + index, pass)
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
            + roads.names.indices.compactMap { index in
                let road = roads.names[index]
                return road.isShown ? pass.area(hit(labels.count + index, pass), road.name.quads.map(\.points)) : nil
            }
    }

    /// Labels lie beneath the map's symbols, the most important one on top.
    private func hit(_ number: Int, _ pass: PickingPass) -> PlacedHit {
        PlacedHit(
            target: .label(number), part: .symbol,
            isVisible: number < labels.count ? labels[number].isShown : roads.names[number - labels.count].isShown,
            order: PickOrder(rank: pass.order.keys.rankAboveSymbols, tier: PickOrder.labels, within: -Int64(number)))
    }
}

extension Placement {
    /// A label of the base map that was hit, as a symbol.
    /// - Parameter number: The number in the hit's target.
    package func label(_ number: Int) -> Symbol { labels.symbol(number) }
}
