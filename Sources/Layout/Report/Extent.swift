import WaymarkGeo
import WaymarkMeshes
import WaymarkScene

/// One family's part of a map's extent. It contains the places of the family's overlays, and their size for any camera.
protocol ExtentPart: Sendable {
    /// The longitudes covered, as fractions of the world, sampled so densely that no range between them seems empty.
    var longitudes: [Double] { get }
    /// Moves everything to the copy of the world that begins at a longitude, given as a fraction of the world.
    mutating func unwrap(west: Double)
    /// The positions of everything that may be outermost.
    var places: [WorldPoint] { get }
    /// The screen box in pt around everything that may be outermost; nil when something is behind the camera or beyond the far limit.
    /// - Parameter centerX: The viewport's center, not reduced to one copy of the world.
    func box(in viewport: Viewport, centerX: Double) -> ScreenBox?
    /// Finds the items that extend farthest beyond each side of a box for a camera, and adds them to the items that may be outermost.
    /// Returns whether there are any.
    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool
    /// Reduces items that are larger than the room at any zoom to their positions. Returns these items.
    mutating func reduce(to room: FitRoom) -> [OversizedItem]
    /// Reduces everything with a fixed screen size to its position.
    mutating func reduceToPositions()
}

/// The room that a fitted camera has for its subject.
package struct FitRoom {
    /// The size in pt.
    let width: Double
    let height: Double
    /// The view of a camera above a position, given as fractions of the world; nil where no camera can be.
    let viewport: (_ x: Double, _ y: Double) -> Viewport?

    package init(width: Double, height: Double, viewport: @escaping (_ x: Double, _ y: Double) -> Viewport?) {
        (self.width, self.height, self.viewport) = (width, height, viewport)
    }

    /// Whether a box is larger than the room.
    func isExceeded(by box: ScreenBox) -> Bool { box.width > width || box.height > height }
}

/// An item that is larger than the room of a fitted camera at any zoom.
package struct OversizedItem: Sendable {
    package enum Owner: Sendable {
        case overlay(Int32)
        /// A view overlay, with its id if it has one.
        case viewOverlay(String?)
        case infoWindow
        /// A marker of a cluster layer.
        case clustered
    }

    package let owner: Owner
    /// The size in pt.
    package let width: Double
    package let height: Double

    /// - Parameter slack: The number of pt by which the box is wider and higher than the item.
    init(_ owner: Owner, _ box: ScreenBox, slack: Double = 0) {
        (self.owner, width, height) = (owner, box.width - slack, box.height - slack)
    }
}

/// The extent, for `fit`, of everything visible on a map, along the shortest arc of longitudes. It consists of the place, and the size on
/// the screen for any camera.
package struct Extent: Sendable {
    /// The box around all positions; its longitudes may lie outside 0…1.
    let positions: WorldBox
    private var parts: [any ExtentPart]

    /// Returns nil if there is no content.
    init?(_ parts: [any ExtentPart]) {
        guard !parts.isEmpty else { return nil }
        let west = Self.westEnd(parts.flatMap(\.longitudes))
        self.parts = parts
        for index in parts.indices { self.parts[index].unwrap(west: west) }
        let places = self.parts.flatMap(\.places)
        let (xs, ys) = (places.map(\.x), places.map(\.y))
        positions = WorldBox(west: xs.min() ?? 0, north: ys.min() ?? 0, east: xs.max() ?? 0, south: ys.max() ?? 0)
    }

    /// The center of all positions, as fractions of the world; x may lie outside 0…1.
    package var centerX: Double { (positions.west + positions.east) / 2 }
    package var centerY: Double { (positions.north + positions.south) / 2 }

    /// The screen box in pt around everything as drawn, with captions at their first align; nil when something is behind the camera or
    /// beyond the far limit. It considers only the items known to be outermost; see `extend`.
    /// - Parameter centerX: The viewport's center, not reduced to one copy of the world.
    package func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        var box = ScreenBox.none
        for part in parts {
            guard let own = part.box(in: viewport, centerX: centerX) else { return nil }
            box.extend(to: own)
        }
        return box
    }

    /// Checks everything for a camera that was found with the items known to be outermost, and adds the items that extend farther.
    /// Returns whether there are any.
    package mutating func extend(in viewport: Viewport, centerX: Double) -> Bool {
        guard let known = box(in: viewport, centerX: centerX) else { return false }
        var isExtended = false
        for index in parts.indices {
            isExtended = parts[index].extend(beyond: known, in: viewport, centerX: centerX) || isExtended
        }
        return isExtended
    }

    /// Reduces items that are larger than the room at any zoom to their positions. Returns these items.
    package mutating func reduce(to room: FitRoom) -> [OversizedItem] {
        var found: [OversizedItem] = []
        for index in parts.indices { found += parts[index].reduce(to: room) }
        return found
    }

    /// Reduces everything with a fixed screen size to its position.
    package mutating func reduceToPositions() {
        for index in parts.indices { parts[index].reduceToPositions() }
    }

    /// The distance, measured toward the viewer, from the center of the extent to the place nearest to the viewer, as a fraction of the
    /// world.
    /// - Parameter up: The ground direction that points up on the screen, of any length.
    package func nearest(up: (x: Double, y: Double)) -> Double {
        let length = (up.x * up.x + up.y * up.y).squareRoot()
        return parts.flatMap(\.places).map { -(($0.x - centerX) * up.x + ($0.y - centerY) * up.y) / length }.max() ?? 0
    }

    /// The longitude at which the longest gap between neighboring longitudes ends, as a fraction of the world.
    ///
    /// The longest gap is at least as long as the mean gap. Comparing the ends of bins narrower than the mean gap is therefore enough,
    /// and avoids sorting (the pigeonhole solution of the maximum gap problem).
    private static func westEnd(_ xs: [Double]) -> Double {
        let count = xs.count + 1
        var ends = [(low: Double, high: Double)](repeating: (.infinity, -.infinity), count: count)
        for x in xs {
            let bin = min(count - 1, max(0, Int(x * Double(count))))
            ends[bin].low = min(ends[bin].low, x)
            ends[bin].high = max(ends[bin].high, x)
        }
        let filled = ends.filter { $0.low <= $0.high }
        guard let first = filled.first, let last = filled.last else { return 0 }
        var (west, gap) = (first.low, first.low + 1 - last.high)
        for (a, b) in zip(filled, filled.dropFirst()) where b.low - a.high > gap {
            (west, gap) = (b.low, b.low - a.high)
        }
        return west
    }
}

/// An axis-aligned box on the screen in pt, y down from the top left.
package struct ScreenBox: Equatable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// The empty box: extending it by a box gives that box.
    static let none = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)

    mutating func extend(to point: SIMD2<Double>) {
        extend(to: ScreenBox(left: point.x, top: point.y, right: point.x, bottom: point.y))
    }

    mutating func extend(to other: ScreenBox) {
        left = min(left, other.left)
        top = min(top, other.top)
        right = max(right, other.right)
        bottom = max(bottom, other.bottom)
    }

    package var width: Double { right - left }
    package var height: Double { bottom - top }
    package var middleX: Double { (left + right) / 2 }
    package var middleY: Double { (top + bottom) / 2 }
}

/// Finds the few points that may be outermost on a screen.
enum OutermostPoints {
    /// The indices, ascending, of points in space that are outermost in one of many directions. The points are fractions of the world.
    /// Other points may extend a little farther; `Extent.extend` finds them.
    static func indices(of points: [SIMD3<Double>]) -> [Int] {
        guard let first = points.first else { return [] }
        var extent = 0.0
        for point in points { extent = max(extent, abs(point.x - first.x), abs(point.y - first.y), abs(point.z - first.z)) }
        guard extent > 0 else { return [0] }
        return TriangleMesh(positions: points.map { SIMD3<Float>(($0 - first) / extent) }).outermost()
    }
}

/// The corners of the convex hull of points (Andrew's monotone chain, 1979); empty if all points are the same.
/// - Parameter place: The place of a point in the plane.
func convexHull<Point>(_ points: [Point], _ place: (Point) -> (x: Double, y: Double)) -> [Point] {
    let sorted = points.map { (point: $0, place: place($0)) }.sorted { $0.place < $1.place }
    func half(_ points: some Sequence<(point: Point, place: (x: Double, y: Double))>) -> ArraySlice<Point> {
        var chain: [(point: Point, place: (x: Double, y: Double))] = []
        for next in points {
            while chain.count > 1, orientation(chain[chain.count - 2].place, chain[chain.count - 1].place, next.place) <= 0 {
                chain.removeLast()
            }
            chain.append(next)
        }
        return chain.map(\.point).dropLast()
    }
    return Array(half(sorted) + half(sorted.reversed()))
}

/// Positive when the path from `a` through `b` to `c` bends from x toward y, negative when it bends the other way.
func orientation(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ c: (x: Double, y: Double)) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
