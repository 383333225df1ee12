import WaymarkRaster

/// Converts coordinates to fractions of a tile, and clips rings and lines to it: buffers around the tile are removed.
struct TileClipper {
    /// The extent of the layer.
    var extent = 4096
    /// The number of points that were added.
    private(set) var pointCount = 0

    // Buffers reused for all rings and lines.
    private var ring: [PlanePoint] = []
    private var scratch: [PlanePoint] = []
    private var pieces = LinePieces()

    private static let tile = ClipRegion([
        HalfPlane(normal: PlanePoint(1, 0), offset: 0), HalfPlane(normal: PlanePoint(-1, 0), offset: 1),
        HalfPlane(normal: PlanePoint(0, 1), offset: 0), HalfPlane(normal: PlanePoint(0, -1), offset: 1),
    ])

    /// Reads points into `ring`.
    /// - Returns: The edges of the tile beyond which all points lie, and the edges beyond which any point lies.
    private mutating func read(_ points: Range<Int>, of coordinates: [Int32]) -> (wholly: UInt8, partly: UInt8) {
        ring.removeAll(keepingCapacity: true)
        var (wholly, partly) = (UInt8.max, UInt8(0))
        for index in points {
            let point = PlanePoint(Double(coordinates[2 * index]), Double(coordinates[2 * index + 1])) / Double(extent)
            add(point, &wholly, &partly)
        }
        return (wholly, partly)
    }

    /// Reads points of a tile, in the part of it that is shown, into `ring`.
    private mutating func read(_ points: ArraySlice<TileGeometry.Point>, _ part: TilePart) -> (wholly: UInt8, partly: UInt8) {
        ring.removeAll(keepingCapacity: true)
        var (wholly, partly) = (UInt8.max, UInt8(0))
        for point in points { add(part.position(point), &wholly, &partly) }
        return (wholly, partly)
    }

    @inline(__always)
    private mutating func add(_ point: PlanePoint, _ wholly: inout UInt8, _ partly: inout UInt8) {
        let code = Self.tile.outcode(point)
        wholly &= code
        partly |= code
        ring.append(point)
    }

    /// Adds the part of a ring that is inside the tile.
    mutating func add(ring points: Range<Int>, of coordinates: [Int32], isHole: Bool, to shapes: inout TileShapes) {
        let codes = read(points, of: coordinates)
        guard codes.wholly == 0 else { return }
        let isClockwise = Contours.signedArea(ring) > 0
        if codes.partly != 0 { Self.tile.clip(&ring, scratch: &scratch, against: codes.partly) }
        if isClockwise == isHole { ring.reverse() }
        append(ring[...], to: &shapes, least: 3)
    }

    /// Adds the pieces of a line that are inside the tile.
    mutating func add(line points: Range<Int>, of coordinates: [Int32], to shapes: inout TileShapes) {
        let codes = read(points, of: coordinates)
        guard codes.wholly == 0 else { return }
        addPieces((.free, .free), to: &shapes)
    }

    /// Adds the pieces of a line of a tile that are inside a part of it.
    mutating func add(line points: ArraySlice<TileGeometry.Point>, _ part: TilePart, to shapes: inout TileShapes) {
        let codes = read(points, part)
        guard codes.wholly == 0 else { return }
        addPieces((.free, .free), to: &shapes)
    }

    /// Adds the shapes of a tile in a part of it, clipped to the part.
    mutating func add(_ whole: TileShapes, _ part: TilePart, to shapes: inout TileShapes) {
        for index in 0..<whole.count { add(whole, index, part, to: &shapes) }
    }

    /// Adds a ring or line of a tile in a part of it, clipped to the part.
    mutating func add(_ whole: TileShapes, _ index: Int, _ part: TilePart, to shapes: inout TileShapes) {
        let box = whole.boxes[index]
        let (low, high) = (part.position(box.lowHalf), part.position(box.highHalf))
        guard low.x <= 1, low.y <= 1, high.x >= 0, high.y >= 0 else { return }
        let codes = read(whole.points[whole.range(index)], part)
        guard codes.wholly == 0 else { return }
        if whole.lineEnds.isEmpty {
            if codes.partly != 0 { Self.tile.clip(&ring, scratch: &scratch, against: codes.partly) }
            append(ring[...], to: &shapes, least: 3)
        } else {
            addPieces((whole.lineEnds[2 * index], whole.lineEnds[2 * index + 1]), to: &shapes)
        }
    }

    /// Adds the pieces of the line in `ring` that are inside the tile.
    /// - Parameter ends: The kinds of the line's ends, unless they lie on the edge of the tile.
    private mutating func addPieces(_ ends: (start: LineEnd, end: LineEnd), to shapes: inout TileShapes) {
        pieces.removeAll()
        ring.withUnsafeBufferPointer {
            pieces.add($0, distances: UnsafeBufferPointer(start: nil, count: 0), isClosed: ends.start == .closed, in: Self.tile)
        }
        for piece in pieces.pieces {
            let count = shapes.count
            append(pieces.points[piece.points], to: &shapes, least: 2)
            guard shapes.count > count else { continue }
            let range = shapes.range(count)
            let isClosed = piece.isClosed && range.count > 2
            for (point, end) in [(range.lowerBound, ends.start), (range.upperBound - 1, ends.end)] {
                if isClosed {
                    shapes.lineEnds.append(.closed)
                } else {
                    shapes.lineEnds.append(Self.isOnEdge(shapes.points[point]) ? .edge : end == .closed ? .free : end)
                }
            }
        }
    }

    private static func isOnEdge(_ point: TileGeometry.Point) -> Bool { point.x == 0 || point.x == 1 || point.y == 0 || point.y == 1 }

    /// Appends points without repetitions, if there are enough.
    private mutating func append(_ points: ArraySlice<PlanePoint>, to shapes: inout TileShapes, least: Int) {
        let start = shapes.points.count
        var (low, high) = (TileGeometry.Point(repeating: .infinity), TileGeometry.Point(repeating: -.infinity))
        for point in points {
            let rounded = TileGeometry.Point(Self.rounded(point.x), Self.rounded(point.y))
            if shapes.points.count > start, shapes.points[shapes.points.count - 1] == rounded { continue }
            shapes.points.append(rounded)
            low = pointwiseMin(low, rounded)
            high = pointwiseMax(high, rounded)
        }
        if least == 3, shapes.points.count > start + 1, shapes.points[shapes.points.count - 1] == shapes.points[start] {
            shapes.points.removeLast()
        }
        guard shapes.points.count - start >= least else {
            shapes.points.removeLast(shapes.points.count - start)
            return
        }
        pointCount += shapes.points.count - start
        shapes.ends.append(Int32(shapes.points.count))
        shapes.boxes.append(SIMD4(low.x, low.y, high.x, high.y))
    }

    /// Clipping may miss an edge of the tile by the last bit.
    private static func rounded(_ position: Double) -> Float {
        if abs(position) < 1e-9 { return 0 }
        return abs(position - 1) < 1e-9 ? 1 : Float(position)
    }
}
