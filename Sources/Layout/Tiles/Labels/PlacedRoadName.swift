import WaymarkGeo
import WaymarkRaster
import WaymarkText
import WaymarkVectorTiles

/// A name of a road or river on the screen. Lengths are in device pixels.
struct PlacedRoadName: Sendable {
    let name: RoadName
    let text: CurvedText
    /// The point of the line at the middle of the name.
    let anchor: PlanePoint
    /// The same point as a fraction of the world, with x on any copy of the world.
    let position: SIMD2<Double>
    /// The areas that the name covers, without padding.
    let quads: [Quad]
    /// The space that is kept free around the name.
    let padding: Double

    /// The name's shapes for collisions.
    var shapes: [CollisionGrid.Shape] { quads.map { CollisionGrid.Shape(box: $0.box, quad: $0, padding: padding) } }
}

/// Places the names of roads and rivers on the screen, where their letters follow the projected lines and face the viewer.
struct RoadNamePlacer {
    private let tiles: [RoadTile]
    private let styles: [LabelStyle]
    private let plane: LabelPlane
    /// The distance in pt between two neighboring places that are tried.
    private let step: Double

    /// The places that are tried for a name, in steps from its own place. Names on one road do not move past each other.
    private static let shifts = [0.0] + (1...8).flatMap { [Double($0), -Double($0)] }
    private static let shiftsAmongOthers = 7
    /// The sharpest turn between two letters in degrees.
    private static let maxAngle = 30.0
    /// The size of letters for which the style states the width of the halo. Halos grow with their letters, so that letters of all sizes
    /// share their outlines.
    private static let haloSize = 12.0

    init(_ viewport: Viewport, _ tiles: [RoadTile], _ styles: [LabelStyle]) {
        self.tiles = tiles
        self.styles = styles
        plane = LabelPlane(viewport: viewport, isLevel: false, height: 0)
        step = RoadNames.spacing / 8 * RoadNames.stretch(viewport)
    }

    /// The number of places that are tried for a name.
    static func placeCount(_ name: RoadName) -> Int { name.isOnly ? shifts.count : shiftsAmongOthers }

    /// The position on the map of one of these places, as a fraction of the world; nil if the name has no room there.
    func position(_ name: RoadName, place number: Int) -> SIMD2<Double>? {
        spot(name, place: number).map { position($0, tiles[Int(name.tile)]) }
    }

    /// A name at one of the places that are tried for it, best first; nil if it does not fit there.
    func placed(_ name: RoadName, place number: Int) -> PlacedRoadName? {
        let tile = tiles[Int(name.tile)]
        guard let spot = spot(name, place: number) else { return nil }
        let (scale, em) = (scale(name), name.size * plane.scale)
        let reach = name.layout.width / 2 * scale
        guard let (curve, middle) = curve(name, tile, around: spot, reach: reach + 2 * em) else { return nil }
        let isReversed = CurvedText.isReversed(curve.point(at: middle + reach) - curve.point(at: middle - reach))
        let text = try? CurvedText.place(
            name.layout.units, width: name.layout.width, scale: scale, em: em, on: curve, middle: middle, isReversed: isReversed,
            maxAngle: Self.maxAngle)
        guard let text, !text.isUpsideDown(plane), let line = name.layout.lines.first else { return nil }
        let baseline = LineLabelContent.LineText.middle * RoadNames.layoutSize
        let quads = text.quads(top: (baseline - line.ascent) * scale, bottom: (baseline + line.descent) * scale, least: em / 2, plane)
        guard let quads else { return nil }
        return PlacedRoadName(
            name: name, text: text, anchor: curve.point(at: middle), position: position(spot, tile), quads: quads,
            padding: styles[Int(name.style)].padding * plane.scale)
    }

    /// The text of a placed name, to be drawn.
    func drawn(_ placed: PlacedRoadName) -> DrawnText {
        let style = styles[Int(placed.name.style)]
        return DrawnText(
            layout: placed.name.layout, color: style.color, haloColor: style.halo,
            haloWidth: style.halo.alpha > 0 ? style.haloWidth / Self.haloSize : 0, offset: 0, plane: plane, scale: scale(placed.name),
            em: placed.name.size * plane.scale, isFading: false)
    }

    /// The number of device pixels per pt of the layout.
    private func scale(_ name: RoadName) -> Double { name.size / RoadNames.layoutSize * plane.scale }

    /// A point of a line: the index of the point at which its segment begins, and its place in the tile.
    private typealias Spot = (first: Int, place: PlanePoint)

    /// One of the places that are tried for a name; nil if the name has no room there.
    private func spot(_ name: RoadName, place number: Int) -> Spot? {
        let tile = tiles[Int(name.tile)]
        let distance = name.distance + Self.shifts[number] * step / (tile.end.x - tile.origin.x)
        guard name.room.contains(distance) else { return nil }
        let roads = tile.roads
        let range = roads.range(Int(name.line))
        // Finds the first segment that ends at the distance or beyond it, or the last segment.
        let low = name.passed[1..<range.count - 1].partitioningIndex { $0 >= distance } - 1
        let first = range.lowerBound + low
        let start = PlanePoint(roads.points[first])
        let step = PlanePoint(roads.points[first + 1]) - start
        let share = step.length > 0 ? min(1, (distance - name.passed[low]) / step.length) : 0
        return (first, start + step * share)
    }

    /// The position of a point as a fraction of the world, with x on any copy of the world.
    private func position(_ spot: Spot, _ tile: RoadTile) -> SIMD2<Double> {
        (PlanePoint(Double(tile.cell.x), Double(tile.cell.y)) + spot.place) * tile.cell.size
    }

    /// The part of a line around one of its points, on the screen, and the distance of this point from the start of the part.
    /// - Parameter reach: The length needed on both sides, in device pixels.
    private func curve(_ name: RoadName, _ tile: RoadTile, around spot: Spot, reach: Double) -> (LineCurve, middle: Double)? {
        let roads = tile.roads
        let range = roads.range(Int(name.line))
        func point(_ index: Int) -> PlanePoint { PlanePoint(roads.points[index]) }
        guard let middle = screenPoint(spot.place, tile) else { return nil }
        func walk(_ indices: some Sequence<Int>) -> [PlanePoint] {
            var (points, last, length) = ([PlanePoint](), middle, 0.0)
            for index in indices where length < reach {
                guard let next = screenPoint(point(index), tile) else { break }
                guard next != last else { continue }
                points.append(next)
                length += (next - last).length
                last = next
            }
            return points
        }
        var curve = LineCurve(walk(stride(from: spot.first, through: range.lowerBound, by: -1)).reversed())
        curve.append(middle)
        let length = curve.length
        for next in walk(spot.first + 1..<range.upperBound) { curve.append(next) }
        return (curve, length)
    }

    /// A point of a tile on the screen; nil if it is behind the camera.
    private func screenPoint(_ point: PlanePoint, _ tile: RoadTile) -> PlanePoint? {
        let offset = tile.offset(point)
        let seen = plane.viewport.projection.project(x: offset.x, y: offset.y, height: 0)
        guard seen.depth > plane.viewport.nearDepth else { return nil }
        return PlanePoint(seen.x, seen.y) * plane.scale
    }
}
