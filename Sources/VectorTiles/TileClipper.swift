import WaymarkRaster

/// Converts coordinates to fractions of a tile, and clips rings and lines to it: buffers around the tile are removed.
struct TileClipper {
    private let part: TilePart
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

    init(_ part: TilePart) { self.part = part }

    /// Reads points into `ring`.
    /// - Returns: The half planes of the tile outside of which all points lie, and outside of which any point lies.
    private mutating func read(_ points: Range<Int>, of coordinates: [Int32]) -> (wholly: UInt8, partly: UInt8) {
        ring.removeAll(keepingCapacity: true)
        var (wholly, partly) = (UInt8.max, UInt8(0))
        for index in points {
            let point = PlanePoint(
                part.position(coordinates[2 * index], offset: part.column, extent: extent),
                part.position(coordinates[2 * index + 1], offset: part.row, extent: extent))
            let code = Self.tile.outcode(point)
            wholly &= code
            partly |= code
            ring.append(point)
        }
        return (wholly, partly)
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
        pieces.removeAll()
        ring.withUnsafeBufferPointer {
            pieces.add($0, distances: UnsafeBufferPointer(start: nil, count: 0), isClosed: false, in: Self.tile)
        }
        for piece in pieces.pieces {
            let count = shapes.count
            append(pieces.points[piece.points], to: &shapes, least: 2)
            guard shapes.count > count else { continue }
            let range = shapes.range(count)
            shapes.lineEnds.append(Self.isOnEdge(shapes.points[range.lowerBound]) ? .edge : .free)
            shapes.lineEnds.append(Self.isOnEdge(shapes.points[range.upperBound - 1]) ? .edge : .free)
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
