import Foundation
import WaymarkGeo
import WaymarkScene
import WaymarkText
import WaymarkTiles
import WaymarkVectorTiles

/// A name of a road or river in a picture or its margin.
struct PlacedRoad: Sendable {
    /// The index of the name's tile in `PlacedRoads.tiles`.
    let tile: Int32
    let name: PlacedRoadName
    let text: DrawnText
    /// The obstacle that hides the name; nil if it is shown.
    var hiddenBy: PlacedLabel.Hider?
    var isCutByEdge = false
    /// Whether extruded buildings hide the name.
    var isOccluded = false

    var isShown: Bool { hiddenBy == nil && !isCutByEdge && !isOccluded }
}

/// The names along roads and rivers in one picture, from the most important to the least.
struct PlacedRoads: Sendable {
    /// A tile with names.
    struct Tile: Sendable {
        let layer: Int
        let address: TileAddress
        let roads: RoadTile
    }

    var tiles: [Tile] = []
    var names: [PlacedRoad] = []
    /// The characters of drawn names that no font has.
    private(set) var missing: [FontGap] = []
    /// Whether all names were considered; false if there were too many.
    private(set) var areAll = true

    /// The number of a name as the owner of a collision box. It is negative, because symbols and labels are counted from 0 up.
    static func number(_ index: Int) -> Int32 { -2 - Int32(index) }
    /// The index of the name with a number from `number(_:)`; nil if the owner is not a name.
    static func index(_ number: Int32) -> Int32? { number < -1 ? -2 - number : nil }
}

extension PlacedRoads {
    /// Places the names of a layer. Each name takes the first of its places that is free of markers, symbols, labels and other names, and
    /// that no building hides.
    mutating func place(_ roads: ShownRoads, _ collisions: inout LabelCollisions, _ fonts: FontLibrary) {
        let shown = roads.joined(collisions.viewport)
        let first = Int32(tiles.count)
        tiles += shown.tiles.map { Tile(layer: shown.layer, address: $0.cell.address, roads: $0) }
        let placer = RoadNamePlacer(collisions.viewport, shown.tiles, shown.styles)
        // The places of the names that are shown, by their texts.
        var known: [String: [SIMD2<Double>]] = [:]
        let found = RoadNames.find(collisions.viewport, shown, fonts, most: collisions.mostLabels)
        if !found.areAll { areAll = false }
        for name in found.names {
            let text = name.layout.request.text
            let others = known[text] ?? []
            guard let road = road(name, placer, tile: first + name.tile, others, collisions) else { continue }
            if road.isShown {
                for shape in road.name.shapes { collisions.take(shape, Self.number(names.count)) }
                known[text] = others + [road.name.position]
            }
            names.append(road)
        }
    }

    /// A name at the first of its places that is free. If none is free, this is the first place that has room for the name, with the
    /// obstacle; nil if no place has room.
    /// - Parameter others: The places at which the same name is shown.
    private func road(
        _ name: RoadName, _ placer: RoadNamePlacer, tile: Int32, _ others: [SIMD2<Double>], _ collisions: LabelCollisions
    ) -> PlacedRoad? {
        let viewport = collisions.viewport
        let picture = PixelBox(left: 0, top: 0, right: Double(viewport.deviceWidth), bottom: Double(viewport.deviceHeight))
        var firstHidden: PlacedRoad?
        for place in 0..<RoadNamePlacer.placeCount(name) {
            guard let position = placer.position(name, place: place),
                !others.contains(where: { ($0 - position).length < name.leastDistance }),
                let found = placer.placed(name, place: place)
            else { continue }
            var road = PlacedRoad(tile: tile, name: found, text: placer.drawn(found))
            let shapes = found.shapes
            let isInPicture = shapes.contains { $0.box.overlaps(picture, by: 0) }
            // A name that the edge of the picture would cut is not moved out of the picture.
            if !isInPicture, firstHidden?.isCutByEdge == true { continue }
            road.isCutByEdge = isInPicture && shapes.contains { collisions.room.cuts($0.box) }
            for shape in shapes where road.isShown { road.hiddenBy = collisions.hider(of: shape, Self.number(names.count)) }
            if road.isShown { road.isOccluded = collisions.isBehindBuildings(found) }
            if road.isShown { return road }
            if firstHidden == nil { firstHidden = road }
        }
        return firstHidden
    }

    /// Draws the names that are not hidden.
    mutating func draw(_ viewport: Viewport, _ frame: inout FrameBuilder) {
        let picture = PixelBox(left: 0, top: 0, right: Double(viewport.deviceWidth), bottom: Double(viewport.deviceHeight))
        let shown = names.filter { road in
            // A halo is narrower than an em.
            road.isShown && road.name.quads.contains { $0.box.grown(by: road.text.em).overlaps(picture, by: 0) }
        }
        missing = shown.flatMap(\.name.name.layout.missing)
        for road in shown { road.text.drawPictures(on: road.name.text, &frame) }
        let first = frame.frame.paths.count
        for road in shown { road.text.draw(on: road.name.text, &frame.frame) }
        if frame.frame.paths.count > first { frame.append(.paths(first..<frame.frame.paths.count)) }
    }
}

extension PlacedRoads {
    /// The id of a name: its layer, its tile, the number of its line, and its place on the line. It depends on the view only through the
    /// zoom of the tiles. A line through several tiles has the id of the part with its middle.
    func id(_ index: Int) -> String {
        let (tile, name) = (tiles[Int(names[index].tile)], names[index].name.name)
        let (zoom, x, y) = (tile.address.zoom, tile.address.x, tile.address.y)
        return "basemap-\(tile.layer)/\(zoom)/\(x)/\(y)/roads/\(tile.roads.number(of: Int(name.line)))"
            + (name.number == 0 ? "" : "/\(name.number)")
    }

    func text(_ index: Int) -> String { names[index].name.name.layout.request.text }

    /// A name as a symbol, for programs that pick it.
    func symbol(_ index: Int) -> Symbol {
        let tile = tiles[Int(names[index].tile)]
        let name = names[index].name
        let place = name.position
        var symbol = Symbol(
            position: LatLng(
                lat: WebMercator.latitude(fromY: place.y), lng: WebMercator.longitude(fromX: place.x - place.x.rounded(.down))))
        let line = Int(name.name.line)
        symbol.id = id(index)
        symbol.captionText = text(index)
        symbol.category = tile.roads.roads.roles[line].name
        for (key, text) in tile.roads.roads.name(of: line).all { symbol.fields[key] = text }
        return symbol
    }

    /// The role of a name in inspections.
    func role(_ index: Int) -> MapRole {
        let name = names[index]
        return tiles[Int(name.tile)].roads.roads.roles[Int(name.name.name.line)] == .water ? .waterLabel : .roadLabel
    }
}
