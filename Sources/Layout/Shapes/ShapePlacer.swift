import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// Converts shapes to paths for a camera: projects them, clips them to the picture and strokes them.
struct ShapePlacer {
    let viewport: Viewport
    /// The frame that receives the paths.
    var drawing: Frame
    var placed: [PlacedShape] = []
    private let ground: ShapeCamera
    /// Whether the ground ends in the picture, so that paths on the ground fade into the sky.
    private let fades: Bool
    /// The thinning of lines on the ground; nil for none.
    let taper: StrokeTaper?
    /// The part of the widths of lines, in pt, that does not shrink with the distance.
    let constantWidth: Double
    /// The bounds of the visible ground, keyed by the margin around the picture.
    private var views: [Double: ShapeBox] = [:]
    private var lastView: (overhang: Double, view: ShapeBox)?
    /// The points of the last part, because areas are filled and then outlined.
    private var lastPoints: (part: ShapePart, level: Int, points: [PlanePoint])?

    // Buffers reused for all shapes.
    var ring: [PlanePoint] = []
    var scratch: [PlanePoint] = []
    var pieces = LinePieces()
    var line: [PlanePoint] = []
    private var firstContour = 0
    private var firstPart = 0
    private var firstShade = 0
    private var fills = FillRuns()
    /// The indices of the stroke's contours at which a new part begins.
    var partStarts: [Int] = []
    /// The lines of outline groups that have been placed with an earlier line. A line outside of the picture is nil.
    var grouped: [Int32: PlacedShape?] = [:]
    /// The arrows of the shape's line, which its traveled sections share.
    var heads: [LineEnd: ArrowHead] = [:]
    /// The clip regions of the ground, keyed by margin. Most shapes share one region.
    private var groundRegions: [Double: ClipRegion] = [:]

    /// The margin around the picture, in pt, within which edges are kept, so that no edge is cut within a pixel of the picture.
    static let margin = 4.0

    init(_ viewport: Viewport, _ frame: consuming Frame, _ fade: GroundFade?, constantWidth: Double = 0) {
        self.constantWidth = constantWidth
        self.viewport = viewport
        drawing = frame
        fades = fade != nil
        taper = fade?.thinning.map { StrokeTaper(full: $0.center, vanishing: $0.vanishing) }
        ground = ShapeCamera(viewport, height: 0)
    }

    /// Places the visible shapes and adds their paths to the frame.
    static func place(_ shapes: ShapeTable, _ ordered: [ShapeBounds], _ pass: inout PlacingPass) -> [PlacedShape] {
        var frame = Frame(width: 0, height: 0)
        swap(&frame, &pass.frame.frame)
        var placer = ShapePlacer(pass.viewport, frame, pass.fade)
        for (index, bounds) in ordered.enumerated() where !bounds.isExcluded && pass.isShown(bounds.slot) {
            if bounds.isGrouped {
                placer.placeGrouped(ordered[index...], shapes, pass)
                continue
            }
            guard placer.maySee(bounds) else { continue }
            if let shape = shapes[bounds.slot] { _ = placer.place(shape, slot: bounds.slot, rank: pass.order.rank(bounds.slot)) }
        }
        placer.fills.end(&placer.drawing.paths)
        swap(&placer.drawing, &pass.frame.frame)
        return placer.placed
    }

    /// The reason why a shape is not in the picture; nil when it is.
    static func reason(_ shape: Shape, _ viewport: Viewport, isShown: Bool) -> Reason? {
        if let reason = shape.exclusion { return reason }
        guard isShown else { return .outOfZoom }
        var placer = ShapePlacer(viewport, Frame(width: 0, height: 0), viewport.groundFade)
        return placer.place(shape, slot: 0, rank: 0)
    }

    /// Whether a drawn shape covers a point. Transparent areas count.
    static func covers(_ shape: Shape, _ viewport: Viewport, _ pass: PickingPass) -> Bool {
        let drawing = drawing(of: shape, viewport)
        return drawing.paths.contains { drawing.isHit($0, pass) }
    }

    /// The paths of a shape, including transparent areas.
    private static func drawing(of shape: Shape, _ viewport: Viewport, constantWidth: Double = 0) -> Frame {
        var shape = shape
        shape.style.fill = .black
        shape.colors = []
        var placer = ShapePlacer(viewport, Frame(width: 0, height: 0), viewport.groundFade, constantWidth: constantWidth)
        _ = placer.place(shape, slot: 0, rank: 0)
        return placer.drawing
    }

    /// The paths of the area that a shape occupies. A line is one stroke without gaps, widened on each side.
    /// - Parameter tolerance: The widening of a line on each side, in pt. It is the same at any distance.
    static func outlines(of shape: Shape, _ viewport: Viewport, widening tolerance: Double) -> Frame {
        var shape = shape
        shape.traveled = []
        shape.style.pattern = []
        let widening = shape.geometry.fills.isEmpty && shape.style.width > 0 ? 2 * tolerance : 0
        shape.style.width += widening
        shape.style.width += 2 * shape.style.casingWidth
        shape.style.casingWidth = 0
        return drawing(of: shape, viewport, constantWidth: widening)
    }

    /// Whether any copy of a shape may lie on visible ground.
    mutating func maySee(_ listed: ShapeBounds) -> Bool {
        guard listed.isLow else { return true }
        return view(overhang: listed.overhang + Self.margin).overlaps(listed.low, listed.high)
    }

    /// A bounding box of the ground on which an object that extends `overhang` pt beyond its place may be visible. The length is in pt on
    /// the ground, or in pt on the screen, which span a large distance on the ground far away on a tilted map.
    private mutating func view(overhang: Double) -> ShapeBox {
        if let lastView, lastView.overhang == overhang { return lastView.view }
        let view = views[overhang] ?? findView(overhang: overhang)
        views[overhang] = view
        lastView = (overhang, view)
        return view
    }

    private func findView(overhang: Double) -> ShapeBox {
        let (top, bottom) = (max(-overhang, viewport.farLimitY ?? -overhang), viewport.size.height + overhang)
        let corners = [
            (-overhang, top), (viewport.size.width + overhang, top), (viewport.size.width + overhang, bottom), (-overhang, bottom),
        ]
        .compactMap { viewport.groundOffset(at: CGPoint(x: $0.0, y: $0.1)) }
        guard top < bottom, corners.count == 4 else { return .unbounded }
        var (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        for corner in corners {
            low = pointwiseMin(low, PlanePoint(corner.x, corner.y))
            high = pointwiseMax(high, PlanePoint(corner.x, corner.y))
        }
        // One pt is added for rounding.
        let slack = PlanePoint(repeating: overhang + 1)
        let center = PlanePoint(viewport.centerX, viewport.centerY)
        return ShapeBox(low: center + (low - slack) / viewport.worldSize, high: center + (high + slack) / viewport.worldSize)
    }
}

extension ShapePlacer {
    /// Places a shape. Returns the reason why no part of it is in the picture, or nil when one is.
    private mutating func place(_ shape: Shape, slot: Int32, rank: Int32) -> Reason? {
        let camera = camera(of: shape)
        let style = shape.style
        let firstPath = drawing.paths.count
        var visibility = Visibility()
        let isArea = !shape.geometry.rings.isEmpty
        let run = isArea ? fills.run(rank, &drawing.paths) : 0
        if style.fill.alpha > 0 || style.width == 0 {
            var start = 0
            for fill in shape.geometry.fills {
                begin()
                addRings(shape.geometry.rings[start..<fill.end], camera, &visibility)
                // The fill is treated as one area, so that a translucent color does not become more opaque where polygons overlap.
                finish(fill.rule, style.fill, layering: drawing.paths.count == firstPath ? .beside : .joined, run: run)
                start = fill.end
            }
        }
        if style.width > 0 {
            let firstStroke = drawing.paths.count
            strokeCasing(of: shape, camera, layering: .over, &visibility)
            strokeLine(of: shape, camera, layering: drawing.paths.count > firstStroke ? .knockout : .over, run: run, &visibility)
        }
        guard !visibility.copies.isEmpty else {
            remove(pathsFrom: firstPath)
            return visibility.isBehind ? .behindCamera : .outOfView
        }
        fade(pathsFrom: firstPath, of: shape)
        if isArea { fills.include(areaFrom: firstPath, &drawing.paths) }
        placed.append(PlacedShape(slot: slot, paths: firstPath..<drawing.paths.count, copies: visibility.copies.count))
        return nil
    }

    /// Draws the outline of a line, if it has one.
    mutating func strokeCasing(of shape: Shape, _ camera: ShapeCamera, layering: Path.Layering, _ visibility: inout Visibility) {
        let style = shape.style
        guard style.casingWidth > 0 else { return }
        begin()
        let share = stroke(shape.geometry.lines, of: shape, camera, width: style.width + 2 * style.casingWidth, &visibility)
        finish(.nonzero, style.casingColor.withAlpha(style.casingColor.alpha * share), layering: layering)
    }

    /// Draws a line, or the outline of an area, and the traveled part of a route.
    mutating func strokeLine(
        of shape: Shape, _ camera: ShapeCamera, layering: Path.Layering, run: Int32 = 0, _ visibility: inout Visibility
    ) {
        let style = shape.style
        let firstPath = drawing.paths.count
        heads.removeAll()
        begin()
        let colors = shape.colors.isEmpty ? [] : shape.geometry.lineNumbers.map { shape.colors[$0] }
        let share = stroke(shape.geometry.lines, of: shape, camera, width: style.width, colors: colors, &visibility)
        if share < 1 { for index in firstShade..<drawing.shades.count { drawing.shades[index].fade(to: share) } }
        finish(.nonzero, style.color.withAlpha(style.color.alpha * share), layering: layering, run: run)
        guard !shape.traveled.isEmpty, drawing.paths.count > firstPath else { return }
        begin()
        let traveledShare = stroke(shape.traveled, of: shape, camera, width: style.width, &visibility)
        finish(.nonzero, style.traveledColor.withAlpha(style.traveledColor.alpha * traveledShare), layering: .inlay)
    }

    private mutating func stroke(
        _ lines: [ShapePart], of shape: Shape, _ camera: ShapeCamera, width: Double, colors: [LineColors.Line] = [],
        _ visibility: inout Visibility
    ) -> Double {
        shape.geometry.isAerial
            ? addAerialLines(lines, shape.style, width: width, colors, &visibility)
            : addLines(lines, camera, shape.style, width: width, colors, &visibility)
    }

    /// Lets the paths of a shape on the ground fade into the sky.
    mutating func fade(pathsFrom first: Int, of shape: Shape) {
        guard fades, shape.height == 0, !shape.geometry.isAerial else { return }
        for index in first..<drawing.paths.count { drawing.paths[index].fades = true }
    }

    /// The projection of the plane of a shape.
    func camera(of shape: Shape) -> ShapeCamera {
        shape.height == 0 ? ground : ShapeCamera(viewport, height: shape.height * viewport.worldSize)
    }

    /// The visibility of a shape, as found so far.
    struct Visibility {
        /// The copies of the world on which a part of the shape is in the picture.
        var copies: Set<Int> = []
        /// Whether the whole shape is behind the camera.
        var isBehind: Bool { hasBehind && !hasOther }
        var hasBehind = false
        var hasOther = false
    }

    private mutating func begin() {
        firstContour = drawing.contours.count
        firstPart = drawing.parts.count
        firstShade = drawing.shades.count
    }

    /// Begins a new part of the path. Where parts overlap, the larger coverage counts, not the sum.
    mutating func beginPart() {
        let last = drawing.parts.count > firstPart ? drawing.parts[drawing.parts.count - 1] : firstContour
        if drawing.contours.count > last { drawing.parts.append(drawing.contours.count) }
    }

    private mutating func finish(_ rule: FillRule, _ color: Color, layering: Path.Layering = .over, run: Int32 = 0) {
        guard drawing.contours.count > firstContour else {
            drawing.shades.removeLast(drawing.shades.count - firstShade)
            return
        }
        if drawing.parts.count > firstPart { beginPart() }
        if drawing.parts.count == firstPart + 1 { drawing.parts.removeLast() }
        let parts = drawing.parts.count > firstPart ? firstPart..<drawing.parts.count : 0..<0
        drawing.paths.append(
            Path(
                contours: firstContour..<drawing.contours.count, parts: parts, rule: rule, color: color, layering: layering, run: run))
        drawing.paths[drawing.paths.count - 1].shades = firstShade..<drawing.shades.count
    }

    /// Removes the paths of a shape that turned out to be invisible.
    mutating func remove(pathsFrom first: Int) {
        guard drawing.paths.count > first else { return }
        let contour = drawing.paths[first].contours.lowerBound
        let part = drawing.paths[first...].first { !$0.parts.isEmpty }?.parts.lowerBound ?? drawing.parts.count
        drawing.parts.removeLast(drawing.parts.count - part)
        drawing.shades.removeLast(drawing.shades.count - drawing.paths[first].shades.lowerBound)
        drawing.paths.removeLast(drawing.paths.count - first)
        drawing.contours.removeLast(drawing.contours.count - contour)
        drawing.pathPoints.removeLast(drawing.pathPoints.count - (drawing.contours.last ?? 0))
    }

    /// The visible region with a margin in pt around the picture; cached for the ground.
    mutating func region(_ camera: ShapeCamera, margin: Double) -> ClipRegion {
        guard camera.height == 0 else { return camera.region(margin: margin) }
        if let known = groundRegions[margin] { return known }
        let region = camera.region(margin: margin)
        groundRegions[margin] = region
        return region
    }

    /// The copies of the world on which a part may be visible.
    mutating func copies(_ part: ShapePart, _ camera: ShapeCamera, overhang: Double) -> Range<Int> {
        // Copies -3 to 3 are drawn; 0 is the copy of the view's center. A line that winds around the earth spans many copies.
        var first = -3 - part.high.x.rounded(.down)
        var last = 3 - part.low.x.rounded(.down)
        if camera.height == 0 {
            let view = view(overhang: overhang)
            first = max(first, (view.low.x - part.high.x).rounded(.up))
            last = min(last, (view.high.x - part.low.x).rounded(.down))
        }
        guard first <= last else { return 0..<0 }
        // The limit bounds the time for lines with thousands of turns of hundreds of points.
        let most = max(Self.fewestCopies, Self.mostCopiedPoints / Double(part.pointCount))
        return Int(first)..<Int(min(last, first + most.rounded(.down) - 1)) + 1
    }

    private static let fewestCopies = 16.0
    private static let mostCopiedPoints = 20_000_000.0

    /// A point on a copy of the world, in pt from the view's center.
    @inline(__always)
    func offset(_ point: PlanePoint, _ shift: Double) -> PlanePoint {
        PlanePoint((point.x - viewport.centerX + shift) * viewport.worldSize, (point.y - viewport.centerY) * viewport.worldSize)
    }

    /// The outcode of the half-planes of a region that a part crosses on a copy of the world; nil if the part is completely outside one
    /// of them.
    func codes(_ part: ShapePart, _ shift: Double, _ region: ClipRegion, _ camera: ShapeCamera, _ visibility: inout Visibility) -> UInt8? {
        let (wholly, partly) = region.outcodes(low: offset(part.low, shift), high: offset(part.high, shift))
        guard wholly != 0 else {
            visibility.hasOther = true
            return partly
        }
        if wholly & camera.behind != 0 { visibility.hasBehind = true } else { visibility.hasOther = true }
        return nil
    }

    /// The points of a part at the resolution that the camera needs, as fractions of the world.
    mutating func points(_ part: ShapePart, _ camera: ShapeCamera, _ shift: Double, _ region: ClipRegion) -> [PlanePoint] {
        guard part.needsRefinement(level: camera.level) else {
            if let lastPoints, lastPoints.part === part, lastPoints.level == camera.level { return lastPoints.points }
            let points = part.points(level: camera.level)
            lastPoints = (part, camera.level, points)
            return points
        }
        return part.refined(level: camera.level) { a, b, off in
            let slack = PlanePoint(repeating: off)
            let (low, high) = (pointwiseMin(a, b) - slack, pointwiseMax(a, b) + slack)
            return region.outcodes(low: offset(low, shift), high: offset(high, shift)).wholly == 0
        }
    }

    private mutating func addRings(_ rings: ArraySlice<ShapePart>, _ camera: ShapeCamera, _ visibility: inout Visibility) {
        let region = region(camera, margin: Self.margin)
        for part in rings {
            for copy in copies(part, camera, overhang: Self.margin) {
                let shift = Double(copy)
                guard let codes = codes(part, shift, region, camera, &visibility) else { continue }
                ring.removeAll(keepingCapacity: true)
                for point in points(part, camera, shift, region) { ring.append(offset(point, shift)) }
                if codes != 0 { region.clip(&ring, scratch: &scratch, against: codes) }
                guard ring.count > 2 else { continue }
                for index in ring.indices { ring[index] = camera.project(ring[index]) }
                if append(ring[...]) { visibility.copies.insert(copy) }
            }
        }
    }

    /// Adds a contour to the drawing; returns whether its bounding box overlaps the picture.
    mutating func append(_ contour: ArraySlice<PlanePoint>) -> Bool {
        let (low, high) = drawing.addContour(contour)
        return low.x < Float(viewport.deviceWidth) && low.y < Float(viewport.deviceHeight) && high.x > 0 && high.y > 0
    }
}

/// Finds the runs of fills in a picture: areas of one rank, with their outlines and the lines of that rank between them.
struct FillRuns {
    /// The number of the open run, or of the last one.
    private var number: Int32 = 0
    private var rank: Int32?
    /// The first path that may belong to the open run.
    private var firstPath = 0
    /// The end of the paths of the run's last area. Later lines belong to the run only if another area follows.
    private var endOfAreas = 0

    /// The run of an area with the given rank, whose paths are added next.
    mutating func run(_ rank: Int32, _ paths: inout [Path]) -> Int32 {
        if self.rank != rank {
            end(&paths)
            self.rank = rank
            number += 1
            (firstPath, endOfAreas) = (paths.count, paths.count)
        }
        return number
    }

    /// Adds the last area, and the lines between it and the area before it, to the open run.
    /// - Parameter first: The area's first path. Its last path is the last of all paths.
    mutating func include(areaFrom first: Int, _ paths: inout [Path]) {
        for index in endOfAreas..<max(endOfAreas, first) { paths[index].run = number }
        endOfAreas = paths.count
    }

    /// Ends the open run, if any. A single fill does not form a run.
    mutating func end(_ paths: inout [Path]) {
        guard rank != nil else { return }
        rank = nil
        let own = firstPath..<endOfAreas
        guard paths[own].lazy.filter({ $0.layering.isFill }).prefix(2).count < 2 else { return }
        for index in own {
            paths[index].run = 0
            if paths[index].layering.isFill { paths[index].layering = .over }
        }
        number -= 1
    }
}
