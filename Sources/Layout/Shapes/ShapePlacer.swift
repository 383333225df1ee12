import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

extension ShapePart {
    /// Whether this part continues another without a seam: it was cut at its start, or its ends meet on any copy of the world. False when
    /// both leave a common end within 10° of each other, so that they overlap.
    fileprivate func goesOn(from other: ShapePart) -> Bool {
        guard !isClosed, !other.isClosed, points.count > 1, other.points.count > 1 else { return false }
        func ends(_ points: [PlanePoint]) -> [(end: PlanePoint, step: PlanePoint)] {
            let last = points.count - 1
            return [(points[0], points[1] - points[0]), (points[last], points[last - 1] - points[last])]
        }
        var meets = isCutAtStart
        for (end, step) in ends(points) {
            for (otherEnd, otherStep) in ends(other.points) where end.y == otherEnd.y {
                let across = end.x - otherEnd.x
                guard abs(across - across.rounded()) < 1e-12 else { continue }
                let along = step.x * otherStep.x + step.y * otherStep.y
                let lengths = step.length * otherStep.length
                if along > 0, along * along > 0.97 * lengths * lengths { return false }
                meets = true
            }
        }
        return meets
    }
}

/// Converts shapes to paths for a camera: projects them, clips them to the picture and strokes them.
struct ShapePlacer {
    private let viewport: Viewport
    /// The frame that receives the paths.
    private var drawing: Frame
    private var placed: [PlacedShape] = []
    private let ground: ShapeCamera
    /// The bounds of the visible ground, by the margin around the picture.
    private var views: [Double: View] = [:]
    private var lastView: (reach: Double, view: View)?

    // Buffers reused for all shapes.
    private var ring: [PlanePoint] = []
    private var scratch: [PlanePoint] = []
    private var pieces = LinePieces()
    private var line: [PlanePoint] = []
    private var firstContour = 0
    private var firstPart = 0
    /// The indices of the stroke's contours at which a new part begins.
    private var partStarts: [Int] = []
    /// The clip regions of the ground, by margin: most shapes share one.
    private var groundRegions: [Double: ClipRegion] = [:]

    /// The margin around the picture in pt within which edges are kept, so that none is cut within a pixel of the picture.
    private static let margin = 4.0
    /// The limits on one overlay's dashes and on the points of their outlines. A line with more is drawn solid, at the mean opacity of its
    /// dashes.
    private static let mostDashes = 200_000.0
    private static let mostDashPoints = 2_000_000.0
    /// What remains of these limits.
    private var dashesLeft = mostDashes
    private var dashPointsLeft = mostDashPoints

    private init(_ viewport: Viewport, _ frame: consuming Frame) {
        self.viewport = viewport
        drawing = frame
        ground = ShapeCamera(viewport, height: 0)
    }

    /// Places the visible shapes and adds their paths to the frame.
    static func place(_ shapes: [Int32: Shape], _ ordered: [ShapeBounds], _ pass: inout PlacingPass) -> [PlacedShape] {
        var frame = Frame(width: 0, height: 0)
        swap(&frame, &pass.frame.frame)
        var placer = ShapePlacer(pass.viewport, frame)
        for bounds in ordered where !bounds.isExcluded && pass.isShown(bounds.slot) {
            guard placer.maySee(bounds) else { continue }
            if let shape = shapes[bounds.slot] { _ = placer.place(shape, slot: bounds.slot) }
        }
        swap(&placer.drawing, &pass.frame.frame)
        return placer.placed
    }

    /// Why a shape is not in the picture; nil when it is.
    static func reason(_ shape: Shape, _ viewport: Viewport, isShown: Bool) -> Reason? {
        if let reason = shape.exclusion { return reason }
        guard isShown else { return .outOfZoom }
        var placer = ShapePlacer(viewport, Frame(width: 0, height: 0))
        return placer.place(shape, slot: 0)
    }

    /// Whether any copy of a shape may lie on visible ground.
    private mutating func maySee(_ listed: ShapeBounds) -> Bool {
        guard listed.isLow else { return true }
        let view = view(reach: listed.reach + Self.margin)
        guard listed.high.y >= view.low.y, listed.low.y <= view.high.y else { return false }
        return (view.low.x - listed.high.x).rounded(.up) <= (view.high.x - listed.low.x).rounded(.down)
    }

    /// A bounding box of the visible ground, as fractions of the world.
    private struct View {
        var low: PlanePoint
        var high: PlanePoint

        static let unknown = View(low: PlanePoint(repeating: -.infinity), high: PlanePoint(repeating: .infinity))
    }

    /// The ground on which an object that reaches `reach` pt may be visible: pt on the screen, which correspond to many on the ground far
    /// away on a tilted map, or pt on the ground.
    private mutating func view(reach: Double) -> View {
        if let lastView, lastView.reach == reach { return lastView.view }
        let view = views[reach] ?? findView(reach: reach)
        views[reach] = view
        lastView = (reach, view)
        return view
    }

    private func findView(reach: Double) -> View {
        let (top, bottom) = (max(-reach, viewport.farLimitY ?? -reach), viewport.size.height + reach)
        let corners = [(-reach, top), (viewport.size.width + reach, top), (viewport.size.width + reach, bottom), (-reach, bottom)]
            .compactMap { viewport.groundOffset(at: CGPoint(x: $0.0, y: $0.1)) }
        guard top < bottom, corners.count == 4 else { return .unknown }
        var (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        for corner in corners {
            low = pointwiseMin(low, PlanePoint(corner.x, corner.y))
            high = pointwiseMax(high, PlanePoint(corner.x, corner.y))
        }
        // One pt more for rounding.
        let slack = PlanePoint(repeating: reach + 1)
        let center = PlanePoint(viewport.centerX, viewport.centerY)
        return View(low: center + (low - slack) / viewport.worldSize, high: center + (high + slack) / viewport.worldSize)
    }
}

extension ShapePlacer {
    /// Places a shape; returns why no part of it is in the picture, nil when one is.
    private mutating func place(_ shape: Shape, slot: Int32) -> Reason? {
        let camera = shape.height == 0 ? ground : ShapeCamera(viewport, height: shape.height * viewport.worldSize)
        let style = shape.style
        let firstPath = drawing.paths.count
        var visibility = Visibility()
        if style.fill.alpha > 0 || style.width == 0 {
            var start = 0
            for fill in shape.geometry.fills {
                begin()
                addRings(shape.geometry.rings[start..<fill.end], camera, &visibility)
                // Overlapping translucent areas must not become more opaque.
                let isOver = style.fill.alpha == 1 || drawing.paths.count == firstPath
                finish(fill.rule, style.fill, layering: isOver ? .over : .knockout)
                start = fill.end
            }
        }
        if style.width > 0 {
            let firstStroke = drawing.paths.count
            if style.casingWidth > 0 {
                begin()
                let share = addLines(shape.geometry.lines, camera, style, width: style.width + 2 * style.casingWidth, &visibility)
                finish(.nonzero, style.casingColor.withAlpha(style.casingColor.alpha * share))
            }
            begin()
            let share = addLines(shape.geometry.lines, camera, style, width: style.width, &visibility)
            finish(
                .nonzero, style.color.withAlpha(style.color.alpha * share), layering: drawing.paths.count > firstStroke ? .knockout : .over)
            if !shape.passed.isEmpty, drawing.paths.count > firstStroke {
                begin()
                let share = addLines(shape.passed, camera, style, width: style.width, &visibility)
                finish(.nonzero, style.passedColor.withAlpha(style.passedColor.alpha * share), layering: .inlay)
            }
        }
        guard !visibility.copies.isEmpty else {
            remove(pathsFrom: firstPath)
            return visibility.isBehind ? .behindCamera : .outOfView
        }
        placed.append(PlacedShape(slot: slot, paths: firstPath..<drawing.paths.count, copies: visibility.copies.count))
        return nil
    }

    /// Where a shape is visible, as found so far.
    private struct Visibility {
        /// The copies of the world on which a part of it is in the picture.
        var copies: Set<Int> = []
        /// Whether all of it is behind the camera.
        var isBehind: Bool { hasBehind && !hasOther }
        var hasBehind = false
        var hasOther = false
    }

    private mutating func begin() {
        firstContour = drawing.contours.count
        firstPart = drawing.parts.count
    }

    /// Begins a new part of the path: where parts overlap, the larger coverage counts, not the sum.
    private mutating func beginPart() {
        let last = drawing.parts.count > firstPart ? drawing.parts[drawing.parts.count - 1] : firstContour
        if drawing.contours.count > last { drawing.parts.append(drawing.contours.count) }
    }

    private mutating func finish(_ rule: FillRule, _ color: Color, layering: Path.Layering = .over) {
        guard drawing.contours.count > firstContour else { return }
        if drawing.parts.count > firstPart { beginPart() }
        if drawing.parts.count == firstPart + 1 { drawing.parts.removeLast() }
        let parts = drawing.parts.count > firstPart ? firstPart..<drawing.parts.count : 0..<0
        drawing.paths.append(
            Path(contours: firstContour..<drawing.contours.count, parts: parts, rule: rule, color: color, layering: layering))
    }

    /// Removes the paths of a shape that turned out not to be visible.
    private mutating func remove(pathsFrom first: Int) {
        guard drawing.paths.count > first else { return }
        let contour = drawing.paths[first].contours.lowerBound
        let part = drawing.paths[first...].first { !$0.parts.isEmpty }?.parts.lowerBound ?? drawing.parts.count
        drawing.parts.removeLast(drawing.parts.count - part)
        drawing.paths.removeLast(drawing.paths.count - first)
        drawing.contours.removeLast(drawing.contours.count - contour)
        drawing.pathPoints.removeLast(drawing.pathPoints.count - (drawing.contours.last ?? 0))
    }

    /// The visible region with a margin in pt around the picture; cached for the ground.
    private mutating func region(_ camera: ShapeCamera, margin: Double) -> ClipRegion {
        guard camera.height == 0 else { return camera.region(margin: margin) }
        if let known = groundRegions[margin] { return known }
        let region = camera.region(margin: margin)
        groundRegions[margin] = region
        return region
    }

    /// The copies of the world on which a part may be visible.
    private mutating func copies(_ part: ShapePart, _ camera: ShapeCamera, reach: Double) -> Range<Int> {
        // Copies -3 to 3 are drawn; 0 is that of the view's center. A line that winds around the earth spans many copies.
        var first = -3 - part.high.x.rounded(.down)
        var last = 3 - part.low.x.rounded(.down)
        if camera.height == 0 {
            let view = view(reach: reach)
            first = max(first, (view.low.x - part.high.x).rounded(.up))
            last = min(last, (view.high.x - part.low.x).rounded(.down))
        }
        guard first <= last else { return 0..<0 }
        // Bounds the time for lines with thousands of turns of hundreds of points.
        let most = max(Self.fewestCopies, Self.mostCopiedPoints / Double(part.points.count))
        return Int(first)..<Int(min(last, first + most.rounded(.down) - 1)) + 1
    }

    private static let fewestCopies = 16.0
    private static let mostCopiedPoints = 20_000_000.0

    /// A point on a copy of the world, in pt from the view's center.
    @inline(__always)
    private func offset(_ point: PlanePoint, _ shift: Double) -> PlanePoint {
        PlanePoint((point.x - viewport.centerX + shift) * viewport.worldSize, (point.y - viewport.centerY) * viewport.worldSize)
    }

    /// The outcode of the half-planes of a region that a part crosses on a copy of the world; nil when it lies completely outside one.
    private func codes(_ part: ShapePart, _ shift: Double, _ region: ClipRegion, _ camera: ShapeCamera, _ visibility: inout Visibility) -> UInt8? {
        let (wholly, partly) = region.outcodes(low: offset(part.low, shift), high: offset(part.high, shift))
        guard wholly != 0 else {
            visibility.hasOther = true
            return partly
        }
        if wholly & camera.behind != 0 { visibility.hasBehind = true } else { visibility.hasOther = true }
        return nil
    }

    /// The points of a part, as fractions of the world, at the resolution that the camera needs.
    private func points(_ part: ShapePart, _ camera: ShapeCamera, _ shift: Double, _ region: ClipRegion) -> [PlanePoint] {
        guard part.needsRefinement(level: camera.level) else { return part.points(level: camera.level) }
        return part.refined(level: camera.level) { a, b, off in
            let slack = PlanePoint(repeating: off)
            let (low, high) = (pointwiseMin(a, b) - slack, pointwiseMax(a, b) + slack)
            return region.outcodes(low: offset(low, shift), high: offset(high, shift)).wholly == 0
        }
    }

    private mutating func addRings(_ rings: ArraySlice<ShapePart>, _ camera: ShapeCamera, _ visibility: inout Visibility) {
        let region = region(camera, margin: Self.margin)
        for part in rings {
            for copy in copies(part, camera, reach: Self.margin) {
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

    /// Strokes lines and adds the contours.
    /// - Returns: The factor for their opacity: less than 1 when there are too many dashes to draw.
    private mutating func addLines(
        _ lines: [ShapePart], _ camera: ShapeCamera, _ style: ShapeStyle, width: Double, _ visibility: inout Visibility
    ) -> Double {
        let pattern = style.pattern.isEmpty ? nil : DashPattern(style.pattern)
        let stroke = style.stroke(width: width, scale: 1)
        let reach = stroke.reach + Self.margin
        let picture = region(camera, margin: Self.margin)
        let region = style.isPerspectiveEnabled ? picture.widened(by: reach) : region(camera, margin: reach)
        var share = 1.0
        (dashesLeft, dashPointsLeft) = (Self.mostDashes, Self.mostDashPoints)
        for (index, part) in lines.enumerated() {
            if index > 0, !part.goesOn(from: lines[index - 1]) { beginPart() }
            for copy in copies(part, camera, reach: reach) {
                let shift = Double(copy)
                guard codes(part, shift, region, camera, &visibility) != nil else { continue }
                ring.removeAll(keepingCapacity: true)
                let points = points(part, camera, shift, region)
                for point in points { ring.append(offset(point, shift)) }
                var distances: [Double] = []
                if pattern != nil {
                    distances =
                        (part.needsRefinement(level: camera.level)
                        ? part.distances(ofRefined: points) : part.distances(level: camera.level))
                        .map { $0 * viewport.worldSize }
                }
                pieces.removeAll()
                ring.withUnsafeBufferPointer { points in
                    distances.withUnsafeBufferPointer { pieces.add(points, distances: $0, isClosed: part.isClosed, in: region) }
                }
                let (isSeen, strength) = addPieces(part, camera, style, width: width, pattern, picture)
                if isSeen { visibility.copies.insert(copy) }
                share = min(share, strength)
            }
        }
        return share
    }

    /// Strokes the visible pieces of a line: in screen space, or on the ground and then projected.
    private mutating func addPieces(
        _ part: ShapePart, _ camera: ShapeCamera, _ style: ShapeStyle, width: Double, _ pattern: DashPattern?, _ picture: ClipRegion
    ) -> (isSeen: Bool, share: Double) {
        let ratio = viewport.pixelRatio
        // Device pixels per pt where the ground is nearest.
        let nearest = ShapePart.pixels(camera.level) / viewport.worldSize
        var stroke = style.stroke(width: width, scale: style.isPerspectiveEnabled ? 1 : ratio)
        if style.isPerspectiveEnabled { stroke.tolerance /= nearest }
        var stroker = Stroker(stroke)
        let merging = style.isPerspectiveEnabled ? ShapePart.tolerance / nearest : ShapePart.tolerance
        var share = 1.0
        var pattern = pattern
        if let known = pattern {
            let length = pieces.pieces.reduce(0) { sum, piece in
                zip(pieces.points[piece.points], pieces.points[piece.points].dropFirst()).reduce(sum) { $0 + ($1.1 - $1.0).length }
            }
            let dashes = known.dashes(over: length)
            let points = dashes * stroker.pointsOfDash
            if dashes <= dashesLeft, points <= dashPointsLeft, known.period * nearest >= 0.5 {
                dashesLeft -= dashes
                dashPointsLeft -= points
            } else {
                share = known.share
                pattern = nil
            }
        }
        partStarts.removeAll(keepingCapacity: true)
        for (number, piece) in pieces.pieces.enumerated() {
            if number > 0 { partStarts.append(stroker.contours.count) }
            let isFirst = pieces.points[piece.points.lowerBound] == ring.first
            let isLast = pieces.points[piece.points.upperBound - 1] == ring.last
            // Where the picture or the far limit cuts a line, it has no end and so no cap.
            let startCap: StrokeStyle.Cap? = !isFirst || part.isCutAtStart && !style.joinsCuts ? .butt : nil
            let endCap: StrokeStyle.Cap? = !isLast || part.isCutAtEnd && !style.joinsCuts ? .butt : nil
            if let pattern {
                let project = !style.isPerspectiveEnabled
                var (from, start) = (piece.points.lowerBound, piece.start)
                for end in turnsBack(pieces.points[piece.points], isClosed: false) + [piece.points.upperBound - 1] {
                    let stretch = pieces.points[from...end]
                    if from > piece.points.lowerBound { partStarts.append(stroker.contours.count) }
                    stretch.withUnsafeBufferPointer { points in
                        pattern.cut(points, from: start) { dash, heading in
                            var dash = dash
                            let direction =
                                project
                                ? camera.project(dash[dash.count - 1] + heading * 1e-3) - camera.project(dash[dash.count - 1]) : heading
                            if project { for index in dash.indices { dash[index] = camera.project(dash[index]) } }
                            LineSimplifier.merge(&dash, within: merging)
                            dash.withUnsafeBufferPointer {
                                stroker.add($0, isClosed: false, direction: direction.length > 0 ? direction : PlanePoint(1, 0))
                            }
                        }
                    }
                    start += zip(stretch, stretch.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
                    from = end
                }
                continue
            }
            line.removeAll(keepingCapacity: true)
            if style.isPerspectiveEnabled {
                line.append(contentsOf: pieces.points[piece.points])
            } else {
                for point in pieces.points[piece.points] { line.append(camera.project(point)) }
            }
            LineSimplifier.merge(&line, within: merging)
            var isClosed = piece.isClosed
            while isClosed, line.count > 1, (line[line.count - 1] - line[0]).length <= merging { line.removeLast() }
            if line.count < 3 { isClosed = false }
            addLine(to: &stroker, stroke, isClosed: isClosed, startCap: startCap, endCap: endCap)
        }
        var isSeen = false
        var starts = partStarts[...]
        for index in 0..<stroker.contours.count {
            while let start = starts.first, start <= index {
                starts.removeFirst()
                beginPart()
            }
            if style.isPerspectiveEnabled {
                line.removeAll(keepingCapacity: true)
                line.append(contentsOf: stroker.contours[index])
                picture.clip(&line, scratch: &scratch)
                guard line.count > 2 else { continue }
                for index in line.indices { line[index] = camera.project(line[index]) }
                isSeen = append(line[...]) || isSeen
            } else {
                isSeen = append(stroker.contours[index]) || isSeen
            }
        }
        return (isSeen, share)
    }

    /// The indices at which a line turns back on itself, within 10° of the reverse direction.
    private func turnsBack(_ line: ArraySlice<PlanePoint>, isClosed: Bool) -> [Int] {
        guard line.count > 2 else { return [] }
        return line.withUnsafeBufferPointer { points in
            var result: [Int] = []
            var before = isClosed ? points[0] - points[points.count - 1] : points[1] - points[0]
            for index in isClosed ? 0..<points.count : 1..<points.count - 1 {
                let after = points[index + 1 == points.count ? 0 : index + 1] - points[index]
                let along = before.x * after.x + before.y * after.y
                if along < 0 {
                    let square = (before.x * before.x + before.y * before.y) * (after.x * after.x + after.y * after.y)
                    if along * along > 0.97 * square { result.append(line.startIndex + index) }
                }
                before = after
            }
            return result
        }
    }

    /// Strokes `line`, and begins a new part of the path wherever it turns back on itself.
    private mutating func addLine(
        to stroker: inout Stroker, _ style: StrokeStyle, isClosed: Bool, startCap: StrokeStyle.Cap?, endCap: StrokeStyle.Cap?
    ) {
        var turns = turnsBack(line[...], isClosed: isClosed)
        guard let first = turns.first else {
            line.withUnsafeBufferPointer { stroker.add($0, isClosed: isClosed, startCap: startCap, endCap: endCap) }
            return
        }
        if isClosed {
            // Rotated, so that it begins and ends at a turn.
            line = Array(line[first...] + line[...first])
            turns = turns.dropFirst().map { $0 - first }
        }
        var from = 0
        for end in turns + [line.count - 1] {
            partStarts.append(stroker.contours.count)
            var stretch = Array(line[from...end])
            let isTurn = isClosed || end < line.count - 1
            if isTurn, style.join != .round {
                // The corner belongs to the part before it, which is extended about a pixel into the next, so that there is no seam.
                let (before, step) = (line[end] - line[end - 1], line[end < line.count - 1 ? end + 1 : 1] - line[end])
                let cross = abs(before.x * step.y - before.y * step.x)
                if style.width / 2 * cross > style.tolerance * before.length * step.length {
                    stretch.append(line[end] + step * min(1, 30 * style.tolerance / step.length))
                }
            }
            let turnCap = style.join == .round ? StrokeStyle.Cap.round : .butt
            stretch.withUnsafeBufferPointer {
                stroker.add($0, isClosed: false, startCap: isClosed || from > 0 ? .butt : startCap, endCap: isTurn ? turnCap : endCap)
            }
            from = end
        }
        partStarts.append(stroker.contours.count)
    }

    /// Adds a contour in quantized device pixels; returns whether its bounding box overlaps the picture.
    private mutating func append(_ contour: ArraySlice<PlanePoint>) -> Bool {
        var low = PathPoint(repeating: .infinity)
        var high = -low
        for point in contour {
            let snapped = PathPoint(Float(quantized(point.x)), Float(quantized(point.y)))
            low = pointwiseMin(low, snapped)
            high = pointwiseMax(high, snapped)
            drawing.pathPoints.append(snapped)
        }
        drawing.contours.append(drawing.pathPoints.count)
        return low.x < Float(viewport.deviceWidth) && low.y < Float(viewport.deviceHeight) && high.x > 0 && high.y > 0
    }
}
