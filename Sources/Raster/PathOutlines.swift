/// A few consecutive edges of a contour and the rows that they cross: a band skips chunks outside of its rows.
struct EdgeChunk {
    /// The start points of the edges.
    var points: Range<Int>
    /// The end point of the last edge.
    var end: Int
    var top: Float
    var bottom: Float
}

/// Parts of a path that do not share pixels: their coverage is accumulated together.
struct CoverageLayer {
    var chunks: Range<Int>
    var low: PathPoint
    var high: PathPoint
    /// The boxes of its parts, at most `mostBoxes`.
    var boxes: [(low: PathPoint, high: PathPoint)]

    static let mostBoxes = 32

    func touches(_ rows: Range<Int>) -> Bool { low.y < Float(rows.upperBound) && high.y > Float(rows.lowerBound) }

    func overlaps(_ low: PathPoint, _ high: PathPoint) -> Bool {
        func share(_ a: PathPoint, _ b: PathPoint) -> Bool {
            let (first, last) = (pointwiseMax(a, low).rounded(.down), pointwiseMin(b, high).rounded(.up))
            return first.x < last.x && first.y < last.y
        }
        guard share(self.low, self.high) else { return false }
        return boxes.count == Self.mostBoxes || boxes.contains { share($0.low, $0.high) }
    }
}

/// A path prepared for drawing.
struct PathOutline {
    var path: Path
    /// The range of its layers; more than one if parts of the path overlap, and then the largest coverage counts.
    var layers: Range<Int>
    var low: PathPoint
    var high: PathPoint
    /// The range of the chunks of its shades; empty if it has one color.
    var shades = 0..<0
    /// Whether no pixel of it is translucent.
    var isOpaque: Bool
    /// Whether it belongs to the same group as the previous outline.
    var isGrouped: Bool
    /// Whether it begins a group in which paths replace one another.
    var beginsGroup: Bool
    /// Whether the next outline is an inlay of it.
    var hasInlay = false
    /// The position in `PathOutlines.runs` of the run of fills to which it belongs, counted from 1; 0 for none.
    var run = 0
    /// Whether it is a fill of its run instead of an outline.
    var isFill: Bool { run != 0 && path.layering.isFill }

    var columns: Range<Int> { Int(low.x.rounded(.down))..<Int(high.x.rounded(.up)) + 1 }
    func touches(_ rows: Range<Int>) -> Bool { low.y < Float(rows.upperBound) && high.y > Float(rows.lowerBound) }
}

/// A run of fills, which may share pixels.
struct FillRun {
    var fills = 0
    /// The box around them and their outlines.
    var low = PathPoint(repeating: .infinity)
    var high = PathPoint(repeating: -.infinity)
}

/// A run of paths, prepared for drawing: the edges of each path, their positions, and the groups of paths.
struct PathOutlines {
    private(set) var chunks: [EdgeChunk] = []
    private(set) var layers: [CoverageLayer] = []
    private(set) var outlines: [PathOutline] = []
    private(set) var shades: [ShadeChunk] = []
    /// The runs of fills; empty if no two fills are in the same run.
    private(set) var runs: [FillRun] = []

    /// The farthest that a point may be from the picture. A layout produces no points beyond it, so paths with such points are left out.
    private static let farthest: Float = 0x1p24
    private static let chunkLength = 64

    /// The approximate number of points of the paths.
    var pointCount: Int { chunks.count * Self.chunkLength }

    /// Replaces the run with another.
    /// - Returns: The box around all its paths; nil if nothing is drawn.
    mutating func prepare(_ paths: ArraySlice<Path>, _ geometry: PathGeometry) -> (low: PathPoint, high: PathPoint)? {
        chunks.removeAll(keepingCapacity: true)
        layers.removeAll(keepingCapacity: true)
        outlines.removeAll(keepingCapacity: true)
        shades.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        var low = PathPoint(repeating: .infinity)
        var high = -low
        // The first path of the current path's group. Groups include paths that are not drawn.
        var group = paths.startIndex
        var lastGroup = -1
        // The last path that has an outline.
        var lastPath = paths.startIndex - 2
        var lastRun: Int32 = 0
        for index in paths.indices {
            let path = paths[index]
            if !path.layering.continuesPath { group = index }
            guard var outline = outline(path, geometry) else { continue }
            outline.isGrouped = group == lastGroup
            // The pieces of a fill belong to one run.
            let run = outline.isGrouped && path.layering == .joined ? lastRun : path.run
            if run != 0, run != lastRun { runs.append(FillRun()) }
            lastRun = run
            if run != 0 { note(&outline) }
            lastGroup = group
            if path.layering == .inlay, lastPath == index - 1, paths[lastPath].layering != .inlay {
                outlines[outlines.count - 1].hasInlay = true
            }
            lastPath = index
            outlines.append(outline)
            low = pointwiseMin(low, outline.low)
            high = pointwiseMax(high, outline.high)
        }
        if !runs.contains(where: { $0.fills > 1 }) { runs.removeAll(keepingCapacity: true) }
        // An outline over opaque paths of its own group can also be drawn directly over everything.
        var first = 0
        for index in outlines.indices {
            if outlines[index].run > 0, runs.isEmpty || runs[outlines[index].run - 1].fills < 2 { outlines[index].run = 0 }
            if !outlines[index].isGrouped { first = index }
            guard outlines[index].isGrouped, !outlines[index].isFill else { continue }
            if !outlines[index].isOpaque { outlines[first].beginsGroup = true }
        }
        return outlines.isEmpty ? nil : (low, high)
    }

    /// Adds an outline to the last run.
    private mutating func note(_ outline: inout PathOutline) {
        let last = runs.count - 1
        outline.run = runs.count
        runs[last].fills += outline.isFill ? 1 : 0
        runs[last].low = pointwiseMin(runs[last].low, outline.low)
        runs[last].high = pointwiseMax(runs[last].high, outline.high)
    }

    private mutating func outline(_ path: Path, _ geometry: PathGeometry) -> PathOutline? {
        let (firstChunk, firstLayer) = (chunks.count, layers.count)
        var low = PathPoint(repeating: .infinity)
        var high = -low
        var isFinite = true
        var contour = path.contours.lowerBound
        for part in 0..<max(1, path.parts.count) {
            let end = part + 1 < path.parts.count ? geometry.parts[path.parts.lowerBound + part] : path.contours.upperBound
            let first = chunks.count
            let box = addChunks(contour..<end, geometry, &isFinite)
            contour = end
            guard first < chunks.count else { continue }
            low = pointwiseMin(low, box.low)
            high = pointwiseMax(high, box.high)
            if layers.count > firstLayer, !layers[layers.count - 1].overlaps(box.low, box.high) {
                let last = layers.count - 1
                layers[last].chunks = layers[last].chunks.lowerBound..<chunks.count
                layers[last].low = pointwiseMin(layers[last].low, box.low)
                layers[last].high = pointwiseMax(layers[last].high, box.high)
                if layers[last].boxes.count < CoverageLayer.mostBoxes { layers[last].boxes.append(box) }
            } else {
                layers.append(
                    CoverageLayer(
                        chunks: first..<chunks.count, low: box.low, high: box.high, boxes: path.parts.count > 1 ? [box] : []))
            }
        }
        let isNear = low.min() > -Self.farthest && high.max() < Self.farthest && isFinite
        let blending = PixelBlending(path.color)
        guard isNear, firstChunk < chunks.count, !blending.isClear || !path.shades.isEmpty || path.layering.replacesPath else {
            chunks.removeSubrange(firstChunk...)
            layers.removeSubrange(firstLayer...)
            return nil
        }
        var outline = PathOutline(
            path: path, layers: firstLayer..<layers.count, low: low, high: high, isOpaque: blending.isOpaque, isGrouped: false,
            beginsGroup: false)
        if !path.shades.isEmpty { addShades(geometry.shades[path.shades], to: &outline) }
        return outline
    }

    private mutating func addShades(_ all: ArraySlice<PathShade>, to outline: inout PathOutline) {
        let first = shades.count
        var lowest: UInt32 = 255
        var from = all.startIndex
        while from < all.endIndex {
            let to = min(all.endIndex, from + ShadeChunk.length)
            var chunk = ShadeChunk(shades: from..<to, top: .infinity, bottom: -.infinity)
            for shade in all[from..<to] {
                chunk.top = min(chunk.top, min(shade.start.y, shade.end.y) - shade.reach)
                chunk.bottom = max(chunk.bottom, max(shade.start.y, shade.end.y) + shade.reach)
                lowest = min(lowest, shade.startColor >> 24, shade.endColor >> 24)
            }
            shades.append(chunk)
            from = to
        }
        outline.shades = first..<shades.count
        outline.isOpaque = lowest == 255
    }

    private mutating func addChunks(
        _ contours: Range<Int>, _ geometry: PathGeometry, _ isFinite: inout Bool
    ) -> (low: PathPoint, high: PathPoint) {
        var low = PathPoint(repeating: .infinity)
        var high = -low
        // Not 0 if a coordinate is infinite or NaN.
        var oddity = PathPoint.zero
        geometry.points.withUnsafeBufferPointer { points in
            geometry.contours.withUnsafeBufferPointer { ends in
                for contour in contours {
                    let (start, end) = (contour == 0 ? 0 : ends[contour - 1], ends[contour])
                    guard end - start > 2 else { continue }
                    var from = start
                    while from < end {
                        let to = min(end, from + Self.chunkLength)
                        let next = to == end ? start : to
                        var chunkLow = points[next]
                        var chunkHigh = chunkLow
                        for index in from..<to {
                            oddity += points[index] - points[index]
                            chunkLow = pointwiseMin(chunkLow, points[index])
                            chunkHigh = pointwiseMax(chunkHigh, points[index])
                        }
                        chunks.append(EdgeChunk(points: from..<to, end: next, top: chunkLow.y, bottom: chunkHigh.y))
                        low = pointwiseMin(low, chunkLow)
                        high = pointwiseMax(high, chunkHigh)
                        from = to
                    }
                }
            }
        }
        isFinite = isFinite && oddity == .zero
        return (low, high)
    }
}
