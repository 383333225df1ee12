import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// What a shape looks like. Lengths in pt.
struct ShapeStyle: Equatable {
    var fill = Color.clear
    /// The line, or the outline of an area: 0 is none.
    var width = 0.0
    var color = Color.clear
    var cap = StrokeStyle.Cap.round
    var join = StrokeStyle.Join.miter
    var miterLimit = 4.0
    var pattern: [Double] = []
    var isPerspectiveEnabled = false
    /// On each side of a line, beneath it.
    var casingWidth = 0.0
    var casingColor = Color.clear
    /// How much of a route is passed, and in which colour.
    var progress = 0.0
    var passedColor = Color.clear
    /// Ends at which a line was cut look like its others: the line goes on there, in another piece.
    var joinsCuts = true

    /// How far anything may reach from the shape's points.
    var reach: Double { stroke(width: width + 2 * casingWidth, scale: 1).reach }

    func stroke(width: Double, scale: Double) -> StrokeStyle {
        StrokeStyle(
            width: width * scale, cap: cap, join: join, miterLimit: miterLimit,
            // Reckoned in device pixels by whoever strokes.
            tolerance: ShapePart.tolerance)
    }
}

/// The shapes of a map, by slot: read from the objects when they change, and kept.
final class ShapeStore {
    struct Shape {
        var geometry: ShapeGeometry
        var style: ShapeStyle
        /// The parts of a route that are passed.
        var passed: [ShapePart]
        /// As a fraction of the world.
        var height: Double
        /// Why it is in no picture, whatever the camera; 0 when nothing keeps it out.
        var exclusion: UInt8
    }

    /// What a frame reads of every shape before it looks at any: a walk over flat memory.
    struct Listed {
        var slot: Int32
        /// The box around it, as fractions of the world.
        var low: PlanePoint
        var high: PlanePoint
        /// How far it may reach beyond the box, in pt.
        var reach: Double
        /// Whether it is on the ground, so that it is seen where the ground of its box is.
        var isLow: Bool
        var exclusion: UInt8
    }

    private(set) var shapes: [Int32: Shape] = [:]
    /// What is told of shapes that are drawn all the same.
    private(set) var warnings: [Int32: PropertyError] = [:]
    private var listed: [Listed] = []
    /// Where in the list each is.
    private var places: [Int32: Int] = [:]
    private var isOrderStale = false
    private var changed: [Int32] = []
    /// How often a shape's points were read: what tests count.
    private(set) var geometryReads = 0

    var isEmpty: Bool { shapes.isEmpty }
    var simplifications: Int { shapes.values.reduce(0) { $0 + $1.geometry.simplifications } }

    func remove(slot: Int) {
        guard !shapes.isEmpty, shapes.removeValue(forKey: Int32(slot)) != nil else { return }
        warnings[Int32(slot)] = nil
        isOrderStale = true
    }

    /// The place of one among the others has changed.
    func reorder() {
        isOrderStale = true
    }

    func set(_ shape: Shape, slot: Int) {
        let slot = Int32(slot)
        if shapes.updateValue(shape, forKey: slot) == nil { isOrderStale = true }
        warnings[slot] = shape.exclusion == 0 ? shape.geometry.warning : nil
        changed.append(slot)
    }

    func exclude(_ exclusion: UInt8, slot: Int) {
        guard var shape = shapes[Int32(slot)], shape.exclusion != exclusion else { return }
        shape.exclusion = exclusion
        set(shape, slot: slot)
    }

    func countRead() {
        geometryReads += 1
    }

    /// All of them, from bottom to top.
    func inOrder(_ order: DrawOrder, insertions: [UInt32]) -> [Listed] {
        if isOrderStale {
            listed = shapes.keys.map { (rank: order.rank($0), slot: $0) }.sorted {
                ($0.rank, insertions[Int($0.slot)]) < ($1.rank, insertions[Int($1.slot)])
            }.map { list($0.slot) }
            places = Dictionary(uniqueKeysWithValues: listed.enumerated().map { ($1.slot, $0) })
            isOrderStale = false
        } else {
            for slot in changed {
                if let place = places[slot] { listed[place] = list(slot) }
            }
        }
        changed.removeAll()
        return listed
    }

    private func list(_ slot: Int32) -> Listed {
        var (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        guard let shape = shapes[slot] else {
            return Listed(slot: slot, low: low, high: high, reach: 0, isLow: true, exclusion: Reason.outOfView.rawValue)
        }
        for part in shape.geometry.rings + shape.geometry.lines {
            low = pointwiseMin(low, part.low)
            high = pointwiseMax(high, part.high)
        }
        return Listed(
            slot: slot, low: low, high: high, reach: shape.style.reach, isLow: shape.height == 0, exclusion: shape.exclusion)
    }
}

extension Composer {
    /// Reads what changed of a shape; gives what is wrong with it, if anything.
    func readShape(_ overlay: Overlay, slot: Int, change: Journal.Change) -> PropertyError? {
        if let problem = overlay.firstProblem() { return problem }
        guard !overlay.isPlaceless else { return nil }
        let known = shapes.shapes[Int32(slot)]
        let needsGeometry = known == nil || change.contains(.geometry) || change.contains(.membership)
        if needsGeometry { shapes.countRead() }
        var shape = ShapeStore.Shape(
            geometry: known?.geometry ?? ShapeGeometry(), style: known?.style ?? ShapeStyle(), passed: known?.passed ?? [], height: 0,
            exclusion: 0)
        let first: LatLng?
        var style = ShapeStyle()
        switch overlay {
        case let line as Polyline:
            first = line.parts.first { !$0.isEmpty }?.first
            if needsGeometry { shape.geometry = .lines(line.parts, isGeodesic: line.isGeodesic) }
            style = ShapeStyle(line)
            if needsGeometry || style.progress != shape.style.progress { shape.passed = shape.geometry.passed(style.progress) }
        case let polygon as Polygon:
            first = polygon.polygons.first { !$0.isEmpty }?.first?.first
            if needsGeometry { shape.geometry = .areas(polygon.polygons, path: polygon.polygons.count == 1 ? "rings" : "polygons") }
            style.fill = polygon.fillColor
            style.width = polygon.outlineWidth
            style.color = polygon.outlineColor
        case let circle as Circle:
            first = circle.center
            if needsGeometry, let center = circle.center { shape.geometry = .disc(center, radius: circle.radius) }
            style.fill = circle.fillColor
            style.width = circle.outlineWidth
            style.color = circle.outlineColor
        default:
            return nil
        }
        shape.style = style
        let altitude = (groups.around(overlay)?.altitude ?? 0) + overlay.altitude + (first?.altitude ?? 0)
        if let first, altitude != 0 {
            let lat = min(max(first.lat, -WebMercator.maxLatitude), WebMercator.maxLatitude)
            shape.height = altitude * WebMercator.pointsPerMetre(lat: lat, worldSize: 1)
        }
        shapes.set(shape, slot: slot)
        if shape.geometry.isEmpty, (overlay as? Circle)?.radius != 0 {
            return PropertyError(
                path: overlay.placeProperty,
                problem: "beyond the map, which ends at \(WebMercator.maxLatitude) degrees north and south; not drawn")
        }
        return nil
    }

    /// Notes why a shape that was read is in no picture, if anything keeps it out.
    func excludeShape(_ overlay: Overlay, slot: Int, failure: PropertyError?) {
        let shape = shapes.shapes[Int32(slot)]
        var exclusion: UInt8 = 0
        if overlay.firstProblem() != nil {
            exclusion = Reason.invalid.rawValue
        } else if overlay.isPlaceless {
            exclusion = Reason.noPosition.rawValue
        } else if failure != nil {
            exclusion = Reason.outOfProjection.rawValue
        } else if let shape, shape.height < 0 {
            exclusion = Reason.underground.rawValue
        }
        if overlay.isHidden { exclusion = Reason.hidden.rawValue }
        if shape == nil {
            shapes.set(
                ShapeStore.Shape(geometry: ShapeGeometry(), style: ShapeStyle(), passed: [], height: 0, exclusion: exclusion), slot: slot)
        } else {
            shapes.exclude(exclusion, slot: slot)
        }
    }
}

extension ShapeStore {
    /// The corners of all shapes that are drawn, each with a square as wide as the line there.
    func extentPoints() -> [PlacedExtent.Point] {
        shapes.keys.sorted().flatMap { slot -> [PlacedExtent.Point] in
            guard let shape = shapes[slot], shape.exclusion == 0 else { return [] }
            let style = shape.style
            var look = Look.none
            look.anchorY = 0.5
            look.width = Float(style.width == 0 ? 0 : style.width + 2 * style.casingWidth)
            look.height = look.width
            if style.isPerspectiveEnabled { look.flags = [.flat, .perspective] }
            let parts = style.width > 0 ? shape.geometry.lines : shape.geometry.rings
            return parts.flatMap { part in
                Self.corners(part).map { point in
                    PlacedExtent.Point(
                        place: Columns.Place(x: WebMercator.wrap(point.x), y: point.y), height: shape.height, look: look)
                }
            }
        }
    }

    /// The points of a part, with others on long edges: no gap of longitudes that an edge crosses may look empty.
    private static func corners(_ part: ShapePart) -> [PlanePoint] {
        var result: [PlanePoint] = []
        let points = part.points
        for index in points.indices {
            result.append(points[index])
            guard index + 1 < points.count || part.isClosed else { continue }
            let step = points[(index + 1) % points.count] - points[index]
            // Wider than the world are only lines whose ends lie far apart.
            let count = Int(min(abs(step.x) * 24, 4096).rounded(.up))
            guard count > 1 else { continue }
            for number in 1..<count { result.append(points[index] + step * (Double(number) / Double(count))) }
        }
        return result
    }
}

extension ShapeStyle {
    init(_ line: Polyline) {
        width = line.width
        color = line.color
        cap =
            switch line.capType {
            case .butt: .butt
            case .round: .round
            case .square: .square
            }
        join =
            switch line.joinType {
            case .miter: .miter
            case .round: .round
            case .bevel: .bevel
            }
        miterLimit = line.miterLimit
        pattern = line.pattern
        isPerspectiveEnabled = line.isPerspectiveEnabled
        joinsCuts = false
        if line.width > 0, line.outlineWidth > 0, line.outlineColor.alpha > 0 {
            casingWidth = line.outlineWidth
            casingColor = line.outlineColor
        }
        if let route = line as? Route {
            progress = route.progress
            passedColor = route.passedColor
        }
    }
}
