import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// Lines through the air, with a height for each point. They are clipped in space, projected, and stroked on the screen. Dashes are
/// measured on the ground beneath them.
extension ShapePlacer {
    /// Strokes lines and adds their contours.
    /// - Returns: The factor for the opacity of the lines, which is less than 1 if there are too many dashes to draw.
    mutating func addAerialLines(
        _ lines: [ShapePart], _ style: ShapeStyle, width: Double, _ colors: [LineColors.Line], _ visibility: inout Visibility
    ) -> Double {
        let stroke = style.stroke(width: width, scale: viewport.pixelRatio)
        let overhang = style.overhang(width: width) + Self.margin
        let space = ViewSpace(viewport, margin: overhang)
        var dashing = Dashing(style.pattern)
        for (index, part) in lines.enumerated() {
            if index > 0, !part.continues(lines[index - 1]) { beginPart() }
            let lowest = (part.heights.min() ?? 0) * viewport.worldSize
            let highest = (part.heights.max() ?? 0) * viewport.worldSize
            // The plane of its highest point is the nearest to the camera, so no part of the line is drawn at a finer scale.
            let camera = ShapeCamera(viewport, height: max(highest, 0))
            for copy in copies(part, camera, overhang: overhang) {
                let shift = Double(copy)
                func box(_ low: PlanePoint, _ high: PlanePoint) -> UInt8 {
                    let (low, high) = (offset(low, shift), offset(high, shift))
                    return space.outcode(low: SpacePoint(low.x, low.y, lowest), high: SpacePoint(high.x, high.y, highest))
                }
                let outside = box(part.low, part.high)
                if outside & ViewSpace.behind != 0 { visibility.hasBehind = true } else { visibility.hasOther = true }
                guard outside == 0 else { continue }
                let points = part.spacePoints(level: camera.level) { a, b, off in
                    let slack = PlanePoint(repeating: off)
                    return box(pointwiseMin(a, b) - slack, pointwiseMax(a, b) + slack) == 0
                }
                let line = zip(points, part.heights(ofRefined: points)).map { point, height in
                    let place = offset(point, shift)
                    return SpacePoint(place.x, place.y, height * viewport.worldSize)
                }
                if !colors.isEmpty {
                    // The line's height changes along it, so its perspective is uneven at any tilt.
                    var maker = ShadeMaker(style, isTilted: true, taking: &drawing.shades)
                    let half = stroke.width / 2
                    let colored = ColoredLine(line, part.distances(ofRefined: points), colors[index], pixel: 1 / camera.nearestScale)
                    maker.add(colored, clip: { space.clip($0, $1) }) {
                        ShadePoint(place: viewport.devicePoint(of: $0), half: half)
                    }
                    drawing.shades = maker.shades
                }
                let distances = dashing.isOn ? part.distances(ofRefined: points).map { $0 * viewport.worldSize } : []
                let pieces = SpacePieces(line, distances: distances, in: space)
                if addPieces(pieces, part, copy: copy, camera, style, stroke, &dashing) { visibility.copies.insert(copy) }
            }
        }
        return dashing.share
    }

    /// Strokes the visible pieces of a line; returns whether a part of it is in the picture.
    private mutating func addPieces(
        _ pieces: SpacePieces, _ part: ShapePart, copy: Int, _ camera: ShapeCamera, _ style: ShapeStyle, _ stroke: StrokeStyle,
        _ dashing: inout Dashing
    ) -> Bool {
        var stroker = Stroker(stroke)
        let length = pieces.pieces.reduce(0) { $0 + Self.groundLength(pieces.points[$1.points]) }
        let pattern = dashing.pattern(over: length, pointsOfDash: stroker.pointsOfDash, scale: camera.nearestScale)
        partStarts.removeAll(keepingCapacity: true)
        for (number, piece) in pieces.pieces.enumerated() {
            if number > 0 { partStarts.append(stroker.contours.count) }
            // Where the picture, a limit or the ground cuts a line, it has no end, and therefore no cap.
            let startCap: StrokeStyle.Cap? = piece.isCutAtStart || part.isCutAtStart && !style.joinsCuts ? .butt : nil
            let endCap: StrokeStyle.Cap? = piece.isCutAtEnd || part.isCutAtEnd && !style.joinsCuts ? .butt : nil
            var (points, start, arrows) = (pieces.points[piece.points], piece.start, PieceArrows())
            if style.arrows.isOn {
                var cut = Array(points)
                let viewport = viewport
                arrows = placeArrows(
                    ArrowPlacer(
                        arrows: style.arrows, stroke: stroke, taper: nil, scale: viewport.pixelRatio, isDashed: pattern != nil),
                    on: &cut, start: &start, part, copy: copy,
                    ArrowPlacer.Ends(style.arrows, isCutAtStart: startCap != nil, isCutAtEnd: endCap != nil)
                ) { viewport.devicePoint(of: $0) }
                points = cut[...]
                if pattern != nil || points.isEmpty { stroker.add(arrows) }
                if points.isEmpty { continue }
            }
            if let pattern {
                var dashes: [Dash] = []
                points.withUnsafeBufferPointer { points in
                    pattern.cut(points, from: start) { dash, heading in
                        line.removeAll(keepingCapacity: true)
                        for point in dash { line.append(viewport.devicePoint(of: point)) }
                        let end = dash[dash.count - 1]
                        let direction = viewport.devicePoint(of: end + heading * 1e-3) - viewport.devicePoint(of: end)
                        LineSimplifier.merge(&line, within: ShapePart.tolerance)
                        dashes.append(Dash(line, direction: direction.length > 0 ? direction : PlanePoint(1, 0)))
                    }
                }
                partStarts += stroker.add(dashes)
                continue
            }
            line.removeAll(keepingCapacity: true)
            for point in points { line.append(viewport.devicePoint(of: point)) }
            LineSimplifier.merge(&line, within: ShapePart.tolerance)
            let kept = line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: ShapePart.tolerance) }
            if kept.count < line.count { line = kept.map { line[Int($0)] } }
            arrows.extend(&line)
            addLine(to: &stroker, stroke, isClosed: false, startCap: startCap, endCap: endCap, arrows)
        }
        return append(stroker.contours, onGround: nil)
    }

    private static func groundLength(_ line: ArraySlice<SpacePoint>) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + PlanePoint($1.1.x - $1.0.x, $1.1.y - $1.0.y).length }
    }
}
