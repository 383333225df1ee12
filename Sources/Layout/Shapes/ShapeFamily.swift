import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// A shape, as read from its overlay.
struct Shape: Sendable {
    var geometry = ShapeGeometry()
    var style = ShapeStyle()
    /// The colors along the shape's lines, as given; empty if they have a single color.
    var colors: [LineColors.Line] = []
    /// The image and the text along the shape's lines; nil if there are none.
    var labels: LineLabelContent?
    /// The traveled parts of a route.
    var traveled: [ShapePart] = []
    /// The shape's altitude as a fraction of the world's size; 0 for a line through the air, whose points have separate heights.
    var height = 0.0
    /// The position of a shape that has a single one, including the altitude of the overlay.
    var anchor: LatLng?
    /// The reason why the shape is excluded from every picture, regardless of the camera; nil if it is not.
    var exclusion: Reason?

    /// Whether the shape's strokes, texts and images lie in its plane and appear smaller far away. This is false for lines through the
    /// air.
    var isInPerspective: Bool { style.isPerspectiveEnabled && !geometry.isAerial }
}

/// The bounds by which shapes are culled before they are placed, stored contiguously to make the loop over all shapes fast.
struct ShapeBounds: Sendable {
    var slot: Int32
    /// The bounding box of the shape's points, as fractions of the world.
    var low: PlanePoint
    var high: PlanePoint
    /// The maximum distance in pt by which the shape's strokes extend beyond the box.
    var overhang: Double
    /// Whether the shape lies on the ground, so that it is visible only where the ground inside its box is.
    var isLow: Bool
    var isExcluded: Bool
    /// Whether the shape is a line of an outline group.
    var isGrouped: Bool

    init(_ shape: Shape, slot: Int32) {
        self.slot = slot
        (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        for part in shape.geometry.rings + shape.geometry.lines {
            low = pointwiseMin(low, part.low)
            high = pointwiseMax(high, part.high)
        }
        overhang = max(shape.style.overhang, shape.labels?.overhang ?? 0)
        isLow = shape.height == 0 && !shape.geometry.isAerial
        isExcluded = shape.exclusion != nil
        isGrouped = shape.style.outlineGroup != nil && shape.style.width > 0
    }
}

/// The bounds of a shape, or of a view. The corners are fractions of the world, and may be on any copy of the world.
struct ShapeBox {
    var low: PlanePoint
    var high: PlanePoint

    static let unbounded = ShapeBox(low: PlanePoint(repeating: -.infinity), high: PlanePoint(repeating: .infinity))

    /// Whether the box overlaps another one on any copy of the world.
    func overlaps(_ low: PlanePoint, _ high: PlanePoint) -> Bool {
        guard self.low.y <= high.y, low.y <= self.high.y else { return false }
        return (self.low.x - high.x).rounded(.up) <= (self.high.x - low.x).rounded(.down)
    }
}

/// The lines and areas of a map.
final class ShapeFamily {
    private var shapes = ShapeTable()
    /// Warnings about shapes that are drawn nevertheless.
    private var warnings: [Int32: [PropertyError]] = [:]
    /// The bounds of all shapes, from bottom to top.
    private var ordered: [ShapeBounds] = []
    /// The indices in `ordered`, keyed by slot.
    private var indices: [Int32: Int] = [:]
    private var isOrderStale = false
    private var changed: [Int32] = []
    private var borders = BorderChanges()
    private var geometryReads = 0
    /// The slots of the lines with an image or a text along them.
    private var labeled: Set<Int32> = []

    func read(_ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources) {
        for slot in changes.removed {
            if let shape = shapes[slot] { borders.note(shape.geometry) }
            guard shapes.remove(slot: slot) else { continue }
            warnings[slot] = nil
            labeled.remove(slot)
            isOrderStale = true
        }
        for change in changes.changed {
            guard let source = changes.overlays[Int(change.slot)] as? any ShapeSource else {
                preconditionFailure("a type of the shape family does not conform to ShapeSource")
            }
            read(source, change, &overlays, resources)
        }
    }

    /// Reads the changes to a shape.
    private func read(
        _ source: any ShapeSource, _ changedOverlay: ChangedOverlay, _ overlays: inout OverlayTable, _ resources: MapResources
    ) {
        let (slot, change) = (changedOverlay.slot, changedOverlay.properties)
        if change.contains(.order) { isOrderStale = true }
        let known = shapes[slot]
        var shape = known ?? Shape()
        var problem = source.firstProblem()
        if problem != nil {
            shape.exclusion = .invalid
        } else if source.isPlaceless {
            shape.exclusion = .noPosition
        } else {
            shape.exclusion = nil
            shape.labels = source.makeLabels(resources)
            let causes: ChangedProperties = shape.geometry.isAerial ? [.geometry, .membership, .position] : [.geometry, .membership]
            read(source, into: &shape, needsGeometry: known == nil || !change.isDisjoint(with: causes), overlays)
            if source.isEmpty {
                shape.exclusion = .empty
            } else if shape.geometry.isEmpty {
                problem = .beyondMap(source.placeProperty)
                shape.exclusion = .outOfProjection
            } else if shape.isUnderground {
                shape.exclusion = .underground
            }
        }
        // These labels were read before a property became invalid.
        if problem != nil || source.isPlaceless { shape.labels = nil }
        shape.exclusion = overlays.settle(source, slot: slot, problem, shape.exclusion)
        if shapes.update(shape, slot: slot) { isOrderStale = true }
        warnings[slot] = shape.exclusion == nil ? shape.warnings : nil
        if shape.labels != nil { labeled.insert(slot) } else if !labeled.isEmpty { labeled.remove(slot) }
        changed.append(slot)
    }

    private func read(_ source: any ShapeSource, into shape: inout Shape, needsGeometry: Bool, _ overlays: OverlayTable) {
        if needsGeometry {
            geometryReads += 1
            borders.note(shape.geometry)
            shape.geometry = source.makeGeometry(altitude: overlays.altitude(of: source))
            borders.note(shape.geometry)
        }
        let style = source.makeStyle()
        if needsGeometry || style.progress != shape.style.progress { shape.traveled = shape.geometry.traveled(style.progress) }
        shape.style = style
        shape.colors = source.makeColors(shape.geometry)
        shape.height = 0
        if let place = source.altitudePlace, !shape.geometry.isAerial {
            let altitude = overlays.altitude(of: source) + place.altitude
            if altitude != 0 {
                let lat = min(max(place.lat, -WebMercator.maxLatitude), WebMercator.maxLatitude)
                shape.height = altitude * WebMercator.pointsPerMeter(lat: lat, worldSize: 1)
            }
        }
        shape.anchor = source.anchorPlace.map { LatLng(lat: $0.lat, lng: $0.lng, altitude: $0.altitude + overlays.altitude(of: source)) }
    }

    /// - Parameter points: The points of the picture, some of which hide texts and images along lines.
    func place(over points: PlacedPoints, _ pass: inout PlacingPass) -> PlacedShapes {
        order(pass.order)
        borders.apply(shapes, ordered)
        let placed = ShapePlacer.place(shapes, ordered, &pass)
        let items = placed.map { shape in
            let first = pass.frame.beginItem()
            if !shape.paths.isEmpty { pass.frame.append(.paths(shape.paths)) }
            return DrawItem(
                rank: pass.order.rank(shape.slot), sequence: pass.order.sequence(shape.slot), count: 1,
                commands: pass.frame.endItem(from: first))
        }
        var labels = PlacedLineLabels()
        if !labeled.isEmpty {
            let drawn = Set(placed.lazy.map(\.slot).filter(labeled.contains))
            labels = LineLabelPlacer.place(shapes, ordered.filter { labeled.contains($0.slot) }, drawn: drawn, points, &pass)
        }
        return PlacedShapes(viewport: pass.viewport, shapes: shapes, placed: placed, items: items, labels: labels)
    }

    /// Sorts `ordered`, or updates the changed bounds in it.
    private func order(_ order: DrawingOrder) {
        if isOrderStale {
            isOrderStale = false
            ordered = shapes.slots.sorted { order.isBefore($0, $1) }.compactMap { slot in shapes[slot].map { ShapeBounds($0, slot: slot) } }
            indices = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.slot, $0) })
        } else {
            for slot in changed {
                if let index = indices[slot], let shape = shapes[slot] { ordered[index] = ShapeBounds(shape, slot: slot) }
            }
        }
        changed.removeAll()
    }

    /// The extent of visible shapes; nil without any.
    func extent(of overlays: FittedOverlays) -> PointExtent? {
        let points = shapes.slots.filter(overlays.contains).sorted().flatMap { slot in
            shapes[slot].flatMap { $0.exclusion == nil ? $0.extentPoints(slot) : nil } ?? []
        }
        return PointExtent(points, CaptionColumns())
    }

    /// Whether there are texts along lines that could not be laid out.
    var needsFonts: Bool { shownLabels.contains(where: \.isUnmeasured) }

    /// The texts and images of the lines that may be drawn.
    private var shownLabels: [LineLabelContent] { labeled.compactMap { shapes[$0]?.exclusion == nil ? shapes[$0]?.labels : nil } }

    func report(into list: inout DiagnosticList, _ fonts: MapFonts) {
        for (slot, warnings) in warnings {
            for warning in warnings { list.warn(warning, slot: slot) }
        }
        let texts = shownLabels.compactMap(\.text)
        guard let fonts = fonts.known, !texts.isEmpty else { return }
        list.reportFonts(
            fonts, missing: texts.flatMap(\.layout.missing), unknownFamilies: texts.compactMap(\.unknownFamily), textPath: "lineText",
            familyPath: "lineTextFont")
    }

    func count(into statistics: inout LayoutStatistics) {
        statistics.shapeReads = geometryReads
        statistics.simplifications = shapes.shapes.reduce(0) { $0 + $1.geometry.simplifications }
        statistics.keptShapePoints = shapes.shapes.reduce(0) { $0 + $1.geometry.keptPoints }
    }
}

extension Shape {
    /// Whether the whole shape is below the ground. If only a part of a line is below the ground, that part is not drawn.
    fileprivate var isUnderground: Bool {
        geometry.isAerial ? geometry.lines.allSatisfy { $0.heights.allSatisfy { $0 < 0 } } : height < 0
    }

    /// Problems to report although the shape is drawn.
    fileprivate var warnings: [PropertyError] {
        let problems = geometry.warnings + (labels?.problems ?? [])
        guard style.isPerspectiveEnabled, !isInPerspective else { return problems }
        return problems + [
            PropertyError(
                path: "isPerspectiveEnabled",
                problem: "this property has no effect on a line whose points have altitudes; the width is the same everywhere on the screen"
            )
        ]
    }

    /// The corners of the shape, each with a square as wide as its line.
    fileprivate func extentPoints(_ slot: Int32) -> [PointExtent.Point] {
        var square = IconStyle.position
        square.width = Float(style.width == 0 ? 0 : style.width + 2 * style.casingWidth)
        square.height = square.width
        if isInPerspective { square.flags = [.flat, .perspective] }
        return (style.width > 0 || labels != nil ? geometry.lines : geometry.rings).flatMap { part in
            let corners = Self.corners(part, height: height)
            func points(_ corners: [SIMD3<Double>], _ style: IconStyle) -> [PointExtent.Point] {
                corners.map { corner in
                    PointExtent.Point(
                        place: WorldPoint(x: WebMercator.wrap(corner.x), y: corner.y), height: corner.z, style: style, slot: slot)
                }
            }
            guard style.arrows.isOn else { return points(corners, square) }
            var wide = square
            wide.width = Float(style.arrows.spread)
            wide.height = wide.width
            let hasStart = style.arrows.start != .none && !part.isCutAtStart
            let hasEnd = style.arrows.end != .none && !part.isCutAtEnd
            return points(corners, square) + points(hasStart ? Array(corners.prefix(1)) : [], wide)
                + points(hasEnd ? Array(corners.suffix(1)) : [], wide)
        }
    }

    /// The points of a part above the ground with their heights. Additional points along the edges prevent a range of longitudes that an
    /// edge crosses from seeming empty.
    private static func corners(_ part: ShapePart, height: Double) -> [SIMD3<Double>] {
        var result: [SIMD3<Double>] = []
        let count = part.points.count
        func corner(_ index: Int) -> SIMD3<Double> {
            let point = part.points[index % count]
            return SIMD3(point.x, point.y, part.heights.isEmpty ? height : part.heights[index % count])
        }
        for index in 0..<count {
            let first = corner(index)
            if first.z >= 0 { result.append(first) }
            guard index + 1 < count || part.isClosed else { continue }
            let last = corner(index + 1)
            if (first.z < 0) != (last.z < 0) { result.append(first + (last - first) * (first.z / (first.z - last.z))) }
            // Edges get at most 4096 points; only lines whose ends are far apart are wider than the world.
            let steps = Int(min(abs(last.x - first.x) * 24, 4096).rounded(.up))
            guard steps > 1 else { continue }
            for number in 1..<steps {
                let point = first + (last - first) * (Double(number) / Double(steps))
                if point.z >= 0 { result.append(point) }
            }
        }
        return result
    }
}

/// The shapes of a map by slot, as a value whose copies share the shapes.
///
/// A dictionary of the shapes themselves would take 600 bytes per shape, and as much again for the free entries of its table.
struct ShapeTable: Sendable {
    private final class SharedShape: Sendable {
        let shape: Shape

        init(_ shape: Shape) { self.shape = shape }
    }

    private var boxes: [Int32: SharedShape] = [:]

    var slots: some Sequence<Int32> { boxes.keys }
    var shapes: some Sequence<Shape> { boxes.values.lazy.map(\.shape) }

    subscript(slot: Int32) -> Shape? { boxes[slot]?.shape }

    /// Stores a shape; returns whether it is new.
    mutating func update(_ shape: Shape, slot: Int32) -> Bool { boxes.updateValue(SharedShape(shape), forKey: slot) == nil }

    /// Removes a shape; returns whether there was one.
    mutating func remove(slot: Int32) -> Bool { boxes.removeValue(forKey: slot) != nil }
}
