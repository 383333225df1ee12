import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// Converts the vector tiles of a layer to paths for a view: one path for the areas of each role, one for its lines, and one for their
/// outlines. The areas of neighboring tiles meet in one path, so no seam is visible between them.
///
/// Prepared tiles are kept for other pictures, but painted ground is not. Pixels could be used again only where the ground has moved by
/// whole device pixels, and the centers of the pictures of a batch have arbitrary fractions of pixels. If the ground were moved to whole
/// pixels, it would be displaced from the overlays by up to half a pixel. A card of 512 × 512 pixels of Helsinki takes 8 ms of processor
/// time, of which painting takes 3 ms, the PNG 2 ms and the layout 1 ms; MapLibre takes 28 ms for the same card.
package struct VectorLayerPlacer {
    private let viewport: Viewport
    /// The frame that receives the paths.
    private var frame: Frame
    private let table: ThemeTable
    private let buildings: BuildingStyle
    /// The extruded buildings of each tile; empty if buildings are not extruded.
    private let meshes: [BuildingMesh?]
    private let hasLand: Bool
    private let camera: ShapeCamera
    /// The visible ground, with the same margin as for shapes.
    private let picture: ClipRegion
    private let tiles: [ShownTile]
    private let run: Int32
    private let fades: Bool
    /// The solid lines of each role, joined across tiles; computed on first use.
    private var joined: [MapRole: GroundLines] = [:]
    private var firstContour = 0
    /// The number of points that may still be added to the contours of strokes.
    private var pointsLeft: Int
    /// Whether some strokes had more points.
    private var isOverLimit = false

    // Buffers reused for all contours.
    private var ring: [PlanePoint] = []
    private var scratch: [PlanePoint] = []
    private var line: [PlanePoint] = []
    private var pieces = LinePieces()

    private init(_ frame: consuming Frame, _ viewport: Viewport, _ shown: ShownVectorLayer, fades: Bool) {
        self.frame = frame
        self.viewport = viewport
        tiles = shown.tiles
        run = Int32(shown.index + 1)
        self.fades = fades
        pointsLeft = shown.mostPoints
        table = ThemeTable(shown.theme).colored(shown.layer.roleColors)
        assert(
            table.areas.allSatisfy(\.role.hasAreas) && table.lines.joined().allSatisfy(\.role.hasLines),
            "tiles are prepared for fewer roles than the theme draws")
        buildings = shown.layer.buildings
        meshes = shown.buildings
        hasLand = shown.set.schema.landLayer != nil
        camera = ShapeCamera(viewport, height: 0)
        picture = camera.region(margin: ShapePlacer.margin)
    }

    /// Adds the paths of a layer to a frame.
    /// - Parameters:
    ///   - shown: The layer and its tiles. Receives the lines that are left out.
    ///   - fades: Whether the paths fade into the sky.
    package static func place(
        _ shown: inout ShownVectorLayer, _ viewport: Viewport, into frame: inout Frame, fades: Bool
    ) -> Range<Int> {
        let first = frame.paths.count
        guard !shown.tiles.isEmpty else { return first..<first }
        var placer = VectorLayerPlacer(frame.take(), viewport, shown, fades: fades)
        placer.addAreas()
        placer.addLines()
        if placer.isOverLimit { shown.refusals.lines = shown.overLimit }
        frame = placer.frame.take()
        return first..<frame.paths.count
    }
}

extension VectorLayerPlacer {
    private mutating func addAreas() {
        let zoom = viewport.camera.zoom
        if hasLand {
            begin()
            addRings { $0.areas(.land) }
            finish(table.land, .beside)
        } else {
            // The land is not part of the run, so that it does not show through where two areas share a border.
            begin()
            for tile in tiles { add(tile) }
            finish(table.land, .over)
        }
        for style in table.areas where zoom >= style.zoom {
            if style.role == .building, buildings == .none { continue }
            begin()
            if style.role == .building, !meshes.isEmpty {
                addFlatRings()
                finish(style.color, .beside)
                continue
            }
            addRings { style.role == .land ? $0.piers : $0.areas(style.role) }
            if let width = style.lines?.width(atZoom: zoom) { addStrokes(style.role, width: width, pattern: []) }
            finish(style.color, .beside)
            guard let outline = style.outline, zoom >= AreaStyle.outlineZoom else { continue }
            begin()
            addOutlines { $0.areas(style.role) }
            finish(outline, .over, inRun: true)
        }
    }

    private mutating func addLines() {
        let zoom = viewport.camera.zoom
        for group in table.lines {
            for style in group {
                guard let color = style.outline, let width = style.widths.width(atZoom: zoom),
                    let outline = ZoomWidths.outline.width(atZoom: zoom)
                else { continue }
                begin()
                addStrokes(style.role, width: width + 2 * outline, pattern: [])
                finish(color, .over)
            }
            for style in group {
                guard let width = style.widths.width(atZoom: zoom) else { continue }
                begin()
                addStrokes(style.role, width: width, pattern: style.pattern.map { $0 * width })
                finish(style.color, .over)
            }
        }
    }

    private mutating func begin() { firstContour = frame.contours.count }

    private mutating func finish(_ color: Color, _ layering: Path.Layering, inRun: Bool = false) {
        guard frame.contours.count > firstContour else { return }
        var path = Path(
            contours: firstContour..<frame.contours.count, color: color, layering: layering,
            run: inRun || layering.isFill ? run : 0)
        path.fades = fades
        frame.paths.append(path)
    }
}

// Areas.
extension VectorLayerPlacer {
    /// Adds the ground of a tile.
    private mutating func add(_ tile: ShownTile) {
        ring = [tile.origin, PlanePoint(tile.end.x, tile.origin.y), tile.end, PlanePoint(tile.origin.x, tile.end.y)]
        addRing(against: .max)
    }

    private mutating func addRings(_ shapes: (TileGeometry) -> TileShapes) {
        for tile in tiles {
            let shapes = shapes(tile.geometry)
            var start = 0
            for (end, box) in zip(shapes.ends, shapes.boxes) {
                let range = start..<Int(end)
                start = Int(end)
                let codes = tile.codes(box, in: picture)
                guard codes.wholly == 0 else { continue }
                ring.removeAll(keepingCapacity: true)
                for index in range { ring.append(tile.offset(shapes.points[index])) }
                addRing(against: codes.partly)
            }
        }
    }

    /// Adds the footprints of buildings that cannot be extruded.
    private mutating func addFlatRings() {
        for (tile, mesh) in zip(tiles, meshes) {
            let isLeftOut = tile.geometry.isLeftOut(.buildings)
            let rings = isLeftOut ? tile.geometry.areas(.building) : tile.geometry.buildings.rings
            for number in isLeftOut ? Array(0..<rings.count) : mesh?.flatRings ?? [] {
                let codes = tile.codes(rings.boxes[number], in: picture)
                guard codes.wholly == 0 else { continue }
                ring.removeAll(keepingCapacity: true)
                for point in rings.points[rings.range(number)] { ring.append(tile.offset(point)) }
                addRing(against: codes.partly)
            }
        }
    }

    /// Clips and projects `ring`, and adds it as a contour.
    private mutating func addRing(against codes: UInt8) {
        if codes != 0 { picture.clip(&ring, scratch: &scratch, against: codes) }
        guard ring.count > 2 else { return }
        for index in ring.indices { ring[index] = camera.project(ring[index]) }
        frame.addContour(ring[...])
    }

    /// Adds strokes along rings, but not where an edge of the tile cuts them. A wall between two buildings is stroked only once, because
    /// the coverages of strokes on top of each other would add up.
    private mutating func addOutlines(_ shapes: (TileGeometry) -> TileShapes) {
        var stroke = StrokeStyle(width: AreaStyle.outlineWidth, cap: .butt, join: .miter, tolerance: ShapePart.tolerance)
        stroke.tolerance /= camera.nearestScale
        var stroker = limited(stroke)
        let region = picture.widened(by: stroke.overhang)
        var walls = WallTable()
        // Whether each edge of a ring is left out.
        var isLeftOut: [Bool] = []
        for tile in tiles {
            let shapes = shapes(tile.geometry)
            let seen = (0..<shapes.count).filter { tile.codes(shapes.boxes[$0], in: region).wholly == 0 }
            walls.reset(capacity: seen.reduce(0) { $0 + shapes.range($1).count })
            for index in seen {
                let range = shapes.range(index)
                func point(_ number: Int) -> TileGeometry.Point { shapes.points[range.lowerBound + number % range.count] }
                isLeftOut.removeAll(keepingCapacity: true)
                for number in 0..<range.count {
                    let (a, b) = (point(number), point(number + 1))
                    let isCut = a.x == b.x && (a.x == 0 || a.x == 1) || a.y == b.y && (a.y == 0 || a.y == 1)
                    isLeftOut.append(isCut || !walls.insert(a, b))
                }
                line.removeAll(keepingCapacity: true)
                guard let first = isLeftOut.firstIndex(of: true) else {
                    for number in 0..<range.count { line.append(tile.offset(point(number))) }
                    addStroke(to: &stroker, in: region, isClosed: true, startCap: .butt, endCap: .butt)
                    continue
                }
                for number in first + 1...first + range.count {
                    line.append(tile.offset(point(number)))
                    guard isLeftOut[number % range.count] else { continue }
                    if line.count > 1 { addStroke(to: &stroker, in: region, isClosed: false, startCap: .butt, endCap: .butt) }
                    line.removeAll(keepingCapacity: true)
                }
            }
        }
        append(stroker.contours)
    }
}

// Lines.
extension VectorLayerPlacer {
    /// Adds strokes along all lines of a role. Widths and dashes lie on the ground, and are in pt at the view's center.
    private mutating func addStrokes(_ role: MapRole, width: Double, pattern lengths: [Double]) {
        var stroke = StrokeStyle(width: width, cap: lengths.isEmpty ? .round : .butt, join: .round, tolerance: ShapePart.tolerance)
        stroke.tolerance /= camera.nearestScale
        var stroker = limited(stroke)
        let region = picture.widened(by: stroke.overhang)
        var dashing = Dashing(lengths)
        // Outlines, which are wider, come first.
        let known = dashing.isOn ? nil : joined[role]
        let lines = known ?? GroundLines(role, tiles, isDashed: dashing.isOn, in: region)
        if !dashing.isOn { joined[role] = lines }
        for index in 0..<lines.count {
            line.removeAll(keepingCapacity: true)
            line += lines.points[lines.range(index)]
            let (start, end) = (lines.ends[2 * index], lines.ends[2 * index + 1])
            // Other lines cover the ends that are attached to them, and a line that ends at the edge of a tile may continue in a missing
            // tile.
            let (startCap, endCap): (StrokeStyle.Cap, StrokeStyle.Cap) = (start == .free ? .round : .butt, end == .free ? .round : .butt)
            if dashing.isOn {
                if start == .closed { line.append(line[0]) }
                addDashes(to: &stroker, in: region, &dashing, Self.ends(start, end))
            } else {
                addStroke(to: &stroker, in: region, isClosed: start == .closed, startCap: startCap, endCap: endCap)
            }
        }
        append(stroker.contours)
    }

    /// A stroker that stops soon after the remaining number of points.
    private func limited(_ style: StrokeStyle) -> Stroker {
        var stroker = Stroker(style)
        stroker.mostPoints = pointsLeft
        return stroker
    }

    /// Whether a line can be stroked. Without round joins, a stroke has up to six points for each point of the line.
    private mutating func hasRoom(in stroker: Stroker, forLineOf points: Int) -> Bool {
        if stroker.contours.points.count + 6 * points > pointsLeft { isOverLimit = true }
        return !isOverLimit
    }

    /// Strokes the visible pieces of `line`.
    private mutating func addStroke(
        to stroker: inout Stroker, in region: ClipRegion, isClosed: Bool, startCap: StrokeStyle.Cap, endCap: StrokeStyle.Cap
    ) {
        pieces.removeAll()
        line.withUnsafeBufferPointer {
            pieces.add($0, distances: UnsafeBufferPointer(start: nil, count: 0), isClosed: isClosed, in: region)
        }
        for piece in pieces.pieces {
            let isFirst = pieces.points[piece.points.lowerBound] == line.first
            let isLast = pieces.points[piece.points.upperBound - 1] == line.last
            ring.removeAll(keepingCapacity: true)
            ring += pieces.points[piece.points]
            guard hasRoom(in: stroker, forLineOf: ring.count) else { return }
            if LineSimplifier.merge(&ring, isClosed: piece.isClosed, within: ShapePart.tolerance / camera.nearestScale) {
                ring.withUnsafeBufferPointer { stroker.add($0, isClosed: true) }
            } else if ring.count > 1 {
                ring.withUnsafeBufferPointer {
                    stroker.add($0, isClosed: false, startCap: isFirst ? startCap : .butt, endCap: isLast ? endCap : .butt)
                }
            }
        }
    }

    private static func ends(_ start: LineEnd, _ end: LineEnd) -> DashPattern.Ends {
        switch (start == .edge, end == .edge) {
        case (true, true): .bothContinued
        case (true, false): .startContinued
        case (false, true): .endContinued
        case (false, false): start == .closed ? .closed : .free
        }
    }

    /// Strokes the dashes of `line`. A line with too many dashes is drawn solid.
    private mutating func addDashes(
        to stroker: inout Stroker, in region: ClipRegion, _ dashing: inout Dashing, _ ends: DashPattern.Ends
    ) {
        var distances = [0.0]
        for (a, b) in zip(line, line.dropFirst()) { distances.append(distances[distances.count - 1] + (b - a).length) }
        pieces.removeAll()
        line.withUnsafeBufferPointer { points in
            distances.withUnsafeBufferPointer { pieces.add(points, distances: $0, isClosed: false, in: region) }
        }
        let length = pieces.pieces.reduce(0) { sum, piece in
            zip(pieces.points[piece.points], pieces.points[piece.points].dropFirst()).reduce(sum) { $0 + ($1.1 - $1.0).length }
        }
        let merging = ShapePart.tolerance / camera.nearestScale
        guard let pattern = dashing.pattern(over: length, pointsOfDash: stroker.pointsOfDash, scale: camera.nearestScale) else {
            return addStroke(to: &stroker, in: region, isClosed: false, startCap: .butt, endCap: .butt)
        }
        guard let (fitted, start) = pattern.fitted(to: distances[distances.count - 1], ends) else { return }
        for piece in pieces.pieces {
            guard hasRoom(in: stroker, forLineOf: piece.points.count) else { return }
            var dashes: [Dash] = []
            pieces.points[piece.points].withUnsafeBufferPointer { points in
                fitted.cut(points, from: start + piece.start) { dash, heading in
                    var dash = dash
                    LineSimplifier.merge(&dash, within: merging)
                    dashes.append(Dash(dash, direction: heading))
                }
            }
            stroker.add(dashes)
        }
    }

    /// Clips and projects contours on the ground, and adds them.
    private mutating func append(_ contours: Contours) {
        pointsLeft -= contours.points.count
        for index in 0..<contours.count {
            ring.removeAll(keepingCapacity: true)
            ring += contours[index]
            var (low, high) = (ring[0], ring[0])
            for point in ring {
                low = pointwiseMin(low, point)
                high = pointwiseMax(high, point)
            }
            let codes = picture.outcodes(low: low, high: high)
            if codes.wholly == 0 { addRing(against: codes.partly) }
        }
    }
}
