import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

extension ShapePart {
    /// Whether this part continues another one without a seam, because it was cut at its start, or their ends meet on any copy of the
    /// world. This is false if both leave a common end within 10° of each other, so that they overlap.
    func continues(_ other: ShapePart) -> Bool {
        guard !isClosed, !other.isClosed, points.count > 1, other.points.count > 1 else { return false }
        func ends(_ part: ShapePart) -> [(end: PlanePoint, step: PlanePoint, height: Double)] {
            let (points, heights, last) = (part.points, part.heights, part.points.count - 1)
            return [
                (points[0], points[1] - points[0], heights.first ?? 0),
                (points[last], points[last - 1] - points[last], heights.last ?? 0),
            ]
        }
        var meets = isCutAtStart
        for (end, step, height) in ends(self) {
            for (otherEnd, otherStep, otherHeight) in ends(other) where end.y == otherEnd.y && height == otherHeight {
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

extension ShapePlacer {
    /// Strokes lines and adds their contours.
    /// - Parameter colors: The colors along each line; empty if they have one color.
    /// - Returns: The factor for the opacity of the lines, which is less than 1 if there are too many dashes to draw.
    mutating func addLines(
        _ lines: [ShapePart], _ camera: ShapeCamera, _ style: ShapeStyle, width: Double, _ colors: [LineColors.Line],
        _ visibility: inout Visibility
    ) -> Double {
        let overhang = style.overhang(width: width) + Self.margin
        let picture = region(camera, margin: Self.margin)
        let region = style.isPerspectiveEnabled ? picture.widened(by: overhang) : region(camera, margin: overhang)
        var dashing = Dashing(style.pattern)
        for (index, part) in lines.enumerated() {
            if index > 0, !part.continues(lines[index - 1]) { beginPart() }
            if part.turns != 0, style.joinsCuts {
                addRound(part, camera, style, width: width, overhang: overhang, region, picture, &dashing, &visibility)
                continue
            }
            for copy in copies(part, camera, overhang: overhang) {
                let shift = Double(copy)
                guard let codes = codes(part, shift, region, camera, &visibility) else { continue }
                ring.removeAll(keepingCapacity: true)
                let points = points(part, camera, shift, region)
                for point in points { ring.append(offset(point, shift)) }
                var distances: [Double] = []
                if dashing.isOn {
                    distances =
                        (part.needsRefinement(level: camera.level)
                        ? part.distances(ofRefined: points) : part.distances(level: camera.level))
                        .map { $0 * viewport.worldSize }
                }
                pieces.removeAll()
                ring.withUnsafeBufferPointer { points in
                    distances.withUnsafeBufferPointer { pieces.add(points, distances: $0, isClosed: part.isClosed, in: region) }
                }
                if !colors.isEmpty {
                    let line =
                        part.needsRefinement(level: camera.level)
                        ? ColoredLine(ring, part.distances(ofRefined: points), colors[index], pixel: 1 / camera.nearestScale)
                        : part.coloredLine(colors[index], level: camera.level).moved { offset($0, shift) }
                    addShades(line, camera, style, in: codes == 0 ? nil : region)
                }
                if addPieces(part, copy: copy, camera, style, width: width, &dashing, picture) { visibility.copies.insert(copy) }
            }
        }
        return dashing.share
    }

    /// Adds the shades of a line, whose points are in pt from the view's center.
    /// - Parameter region: The visible region; nil if all of the line is inside.
    private mutating func addShades(
        _ line: ColoredLine<PlanePoint>, _ camera: ShapeCamera, _ style: ShapeStyle, in region: ClipRegion?
    ) {
        var maker = ShadeMaker(style, isTilted: viewport.sinTilt > 0, taking: &drawing.shades)
        let half = style.width / 2 * viewport.pixelRatio
        let taper = !style.isPerspectiveEnabled && camera.height == 0 ? taper : nil
        maker.add(
            line,
            clip: { a, b in
                guard let region else { return (0, 1) }
                return region.clip(a, b)
            }
        ) { point in
            let place = camera.project(point)
            let scale = style.isPerspectiveEnabled ? camera.scale(at: point) : taper?.share(at: place) ?? 1
            return ShadePoint(place: place, half: half * scale)
        }
        drawing.shades = maker.shades
    }

    /// Strokes the outline of an area that winds around the world, as one line through all copies in view. Otherwise the caps between two
    /// copies would show.
    private mutating func addRound(
        _ part: ShapePart, _ camera: ShapeCamera, _ style: ShapeStyle, width: Double, overhang: Double, _ region: ClipRegion,
        _ picture: ClipRegion, _ dashing: inout Dashing, _ visibility: inout Visibility
    ) {
        let copies = copies(part, camera, overhang: overhang)
        var seen: [Int] = []
        ring.removeAll(keepingCapacity: true)
        // The copies are visited in the direction of the line. The view is convex, so the copies that it touches are consecutive.
        for copy in part.turns > 0 ? Array(copies) : copies.reversed() {
            let shift = Double(copy)
            guard codes(part, shift, region, camera, &visibility) != nil else { continue }
            let points = points(part, camera, shift, region)
            for point in seen.isEmpty ? points[...] : points.dropFirst() { ring.append(offset(point, shift)) }
            seen.append(copy)
        }
        pieces.removeAll()
        ring.withUnsafeBufferPointer { points in
            pieces.add(points, distances: UnsafeBufferPointer(start: nil, count: 0), isClosed: false, in: region)
        }
        if addPieces(part, copy: 0, camera, style, width: width, &dashing, picture) { visibility.copies.formUnion(seen) }
    }

    /// Strokes the visible pieces of a line, in screen space, or on the ground and then projected. Returns whether a part of it is in the
    /// picture.
    private mutating func addPieces(
        _ part: ShapePart, copy: Int, _ camera: ShapeCamera, _ style: ShapeStyle, width: Double, _ dashing: inout Dashing,
        _ picture: ClipRegion
    ) -> Bool {
        let scale = style.isPerspectiveEnabled ? 1 : viewport.pixelRatio
        let nearest = camera.nearestScale
        var stroke = style.stroke(width: width, scale: scale)
        if style.isPerspectiveEnabled { stroke.tolerance /= nearest } else if camera.height == 0 { stroke.taper = taper }
        let arrowTaper = stroke.taper
        if constantWidth > 0 { stroke.taper = stroke.taper?.of(share: 1 - constantWidth / width) }
        var stroker = Stroker(stroke)
        if !dashing.isOn { stroker.reserveCapacity(forLineOf: pieces.points.count) }
        let merging = style.isPerspectiveEnabled ? ShapePart.tolerance / nearest : ShapePart.tolerance
        var pattern: DashPattern?
        if dashing.isOn {
            let length = pieces.pieces.reduce(0) { sum, piece in
                zip(pieces.points[piece.points], pieces.points[piece.points].dropFirst()).reduce(sum) { $0 + ($1.1 - $1.0).length }
            }
            pattern = dashing.pattern(over: length, pointsOfDash: stroker.pointsOfDash, scale: nearest)
        }
        partStarts.removeAll(keepingCapacity: true)
        for (number, piece) in pieces.pieces.enumerated() {
            if number > 0 { partStarts.append(stroker.contours.count) }
            let isFirst = pieces.points[piece.points.lowerBound] == ring.first
            let isLast = pieces.points[piece.points.upperBound - 1] == ring.last
            // Where the picture or the far limit cuts a line, it has no end, and therefore no cap.
            let startCap: StrokeStyle.Cap? = !isFirst || part.isCutAtStart && !style.joinsCuts ? .butt : nil
            let endCap: StrokeStyle.Cap? = !isLast || part.isCutAtEnd && !style.joinsCuts ? .butt : nil
            var (points, start, arrows) = (pieces.points[piece.points], piece.start, PieceArrows())
            if style.arrows.isOn, !part.isClosed {
                let isPerspectiveEnabled = style.isPerspectiveEnabled
                var cut = Array(points)
                arrows = placeArrows(
                    ArrowPlacer(arrows: style.arrows, stroke: stroke, taper: arrowTaper, scale: scale, isDashed: pattern != nil),
                    on: &cut, start: &start, part, copy: copy,
                    ArrowPlacer.Ends(style.arrows, isCutAtStart: startCap != nil, isCutAtEnd: endCap != nil)
                ) { isPerspectiveEnabled ? $0 : camera.project($0) }
                points = cut[...]
                if pattern != nil || points.isEmpty { stroker.add(arrows) }
                if points.isEmpty { continue }
            }
            if let pattern {
                let project = !style.isPerspectiveEnabled
                var from = points.startIndex
                for end in turnsBack(points, isClosed: false) + [points.endIndex - 1] {
                    let stretch = points[from...end]
                    if from > points.startIndex { partStarts.append(stroker.contours.count) }
                    var dashes: [Dash] = []
                    stretch.withUnsafeBufferPointer { points in
                        pattern.cut(points, from: start) { dash, heading in
                            var dash = dash
                            let direction =
                                project
                                ? camera.project(dash[dash.count - 1] + heading * 1e-3) - camera.project(dash[dash.count - 1]) : heading
                            if project { for index in dash.indices { dash[index] = camera.project(dash[index]) } }
                            LineSimplifier.merge(&dash, within: merging)
                            if let taper = stroke.taper { taper.cut(&dash, isClosed: false) }
                            dashes.append(Dash(dash, direction: direction.length > 0 ? direction : PlanePoint(1, 0)))
                        }
                    }
                    partStarts += stroker.add(dashes)
                    start += zip(stretch, stretch.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
                    from = end
                }
                continue
            }
            line.removeAll(keepingCapacity: true)
            if style.isPerspectiveEnabled {
                line.append(contentsOf: points)
            } else {
                for point in points { line.append(camera.project(point)) }
            }
            let isClosed = LineSimplifier.merge(&line, isClosed: piece.isClosed, within: merging)
            arrows.extend(&line)
            if let taper = stroke.taper { taper.cut(&line, isClosed: isClosed) }
            addLine(to: &stroker, stroke, isClosed: isClosed, startCap: startCap, endCap: endCap, arrows)
        }
        return append(stroker.contours, onGround: style.isPerspectiveEnabled ? (camera, picture) : nil)
    }

    /// Adds the contours of a stroke, and begins a new part of the path at each of `partStarts`.
    /// - Parameter ground: For contours on the ground, in pt from the view's center: the projection, and the region for clipping. Nil for
    ///   contours in device pixels.
    mutating func append(_ contours: Contours, onGround ground: (camera: ShapeCamera, region: ClipRegion)?) -> Bool {
        var isSeen = false
        var starts = partStarts[...]
        for index in 0..<contours.count {
            while let start = starts.first, start <= index {
                starts.removeFirst()
                beginPart()
            }
            if let ground {
                line.removeAll(keepingCapacity: true)
                line.append(contentsOf: contours[index])
                ground.region.clip(&line, scratch: &scratch)
                guard line.count > 2 else { continue }
                for index in line.indices { line[index] = ground.camera.project(line[index]) }
                isSeen = append(line[...]) || isSeen
            } else {
                isSeen = append(contours[index]) || isSeen
            }
        }
        return isSeen
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
    mutating func addLine(
        to stroker: inout Stroker, _ style: StrokeStyle, isClosed: Bool, startCap: StrokeStyle.Cap?, endCap: StrokeStyle.Cap?,
        _ arrows: PieceArrows
    ) {
        let (startHead, endHead) = (arrows.start?.outline ?? [], arrows.end?.outline ?? [])
        var turns = turnsBack(line[...], isClosed: isClosed)
        guard let first = turns.first else {
            line.withUnsafeBufferPointer {
                stroker.add($0, isClosed: isClosed, startCap: startCap, endCap: endCap, startHead: startHead, endHead: endHead)
            }
            return
        }
        if isClosed {
            // The line is rotated, so that it begins and ends at a turn.
            line = Array(line[first...] + line[...first])
            turns = turns.dropFirst().map { $0 - first }
        }
        var from = 0
        for end in turns + [line.count - 1] {
            partStarts.append(stroker.contours.count)
            var stretch = Array(line[from...end])
            let isTurn = isClosed || end < line.count - 1
            if isTurn, style.join != .round {
                // The corner belongs to the part before it, which is extended by about a pixel into the next to avoid a seam.
                let (before, step) = (line[end] - line[end - 1], line[end < line.count - 1 ? end + 1 : 1] - line[end])
                let cross = abs(before.x * step.y - before.y * step.x)
                if style.width / 2 * cross > style.tolerance * before.length * step.length {
                    stretch.append(line[end] + step * min(1, 30 * style.tolerance / step.length))
                }
            }
            let turnCap = style.join == .round ? StrokeStyle.Cap.round : .butt
            stretch.withUnsafeBufferPointer {
                stroker.add(
                    $0, isClosed: false, startCap: isClosed || from > 0 ? .butt : startCap, endCap: isTurn ? turnCap : endCap,
                    startHead: from > 0 ? [] : startHead, endHead: isTurn ? [] : endHead)
            }
            from = end
        }
        partStarts.append(stroker.contours.count)
    }
}

/// The dashes of one overlay in a picture, limited in their number and in the points of their outlines. A line that exceeds the limits is
/// drawn solid, at the mean opacity of its dashes.
struct Dashing {
    private let pattern: DashPattern?
    private var dashesLeft = mostDashes
    private var pointsLeft = mostPoints
    /// The factor for the opacity, which is less than 1 if there are too many dashes to draw.
    private(set) var share = 1.0

    private static let mostDashes = 200_000.0
    private static let mostPoints = 2_000_000.0
    /// The shortest pattern that is drawn as dashes, in device pixels.
    private static let shortestPeriod = 0.5

    init(_ lengths: [Double]) {
        pattern = lengths.isEmpty ? nil : DashPattern(lengths)
    }

    var isOn: Bool { pattern != nil }

    /// The pattern for a line; nil when it is drawn solid.
    /// - Parameters:
    ///   - length: The length of its visible pieces in pt.
    ///   - pointsOfDash: The number of points of a dash's outline.
    ///   - scale: The highest number of device pixels per pt along the line.
    mutating func pattern(over length: Double, pointsOfDash: Double, scale: Double) -> DashPattern? {
        guard let pattern else { return nil }
        let dashes = pattern.dashes(over: length)
        let points = dashes * pointsOfDash
        guard dashes <= dashesLeft, points <= pointsLeft, pattern.period * scale >= Self.shortestPeriod else {
            share = min(share, pattern.share)
            return nil
        }
        dashesLeft -= dashes
        pointsLeft -= points
        return pattern
    }
}
