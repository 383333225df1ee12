import WaymarkRaster

/// The points of a line at one level that its colors need: fewer than its stroke, because a color that is found a quarter of a pixel away is
/// the same.
struct ColoredLine: Sendable {
    private(set) var points: [PlanePoint] = []
    /// The distance of each point from the start of the whole line, as a fraction of the world.
    private(set) var places: [Double] = []

    /// The usual tolerance in device pixels.
    static let tolerance = 0.2
    /// The most points that are left out between two others.
    private static let mostPassed = 16

    /// - Parameters:
    ///   - tolerance: The largest distance of an omitted point from the line, and the largest error of its place, as a fraction of the world.
    init(_ all: [PlanePoint], _ places: [Double], tolerance: Double) {
        guard var last = all.first else { return }
        var first = 0
        var passing = PassingDirections(tolerance)
        func isEven(to end: Int, _ step: PlanePoint, _ square: Double) -> Bool {
            let change = (places[end] - places[first]) / square
            return (first + 1..<end).allSatisfy { index in
                let offset = all[index] - all[first]
                return abs(places[index] - places[first] - (offset.x * step.x + offset.y * step.y) * change) <= tolerance
            }
        }
        func keep(_ index: Int) {
            self.points.append(all[index])
            self.places.append(places[index])
        }
        keep(0)
        for index in all.indices.dropFirst() {
            var step = all[index] - all[first]
            let square = step.x * step.x + step.y * step.y
            if index > first + 1, index - first > Self.mostPassed || !passing.allow(step, square) || !isEven(to: index, step, square) {
                keep(index - 1)
                first = index - 1
                step = all[index] - last
                passing = PassingDirections(tolerance)
            }
            passing.add(step)
            last = all[index]
        }
        if all.count > 1 { keep(all.count - 1) }
    }
}

/// The directions in which a straight line from a point passes near all points of a list.
struct PassingDirections {
    /// The largest distance from the points.
    private let bend: Double
    // All directions between these two, from x toward y.
    private var from = PlanePoint.zero
    private var to = PlanePoint.zero
    /// The square of the largest distance of a point from the start.
    private var farthest = -1.0

    init(_ bend: Double) { self.bend = bend }

    /// Adds a point, relative to the start. It must be in an allowed direction.
    @inline(__always)
    mutating func add(_ step: PlanePoint) {
        let square = step.x * step.x + step.y * step.y
        // The line may miss the point by the angle between these sides of a right triangle.
        let along = max(0, square - bend * bend).squareRoot()
        let (ahead, aside) = (step * along, PlanePoint(step.y, -step.x) * bend)
        let (first, second) = (ahead + aside, ahead - aside)
        if farthest < 0 || Self.cross(from, first) > 0 { from = first }
        if farthest < 0 || Self.cross(second, to) > 0 { to = second }
        farthest = max(farthest, square)
    }

    /// Whether the line to a point passes all others.
    /// - Parameter square: The square of the length of `step`.
    @inline(__always)
    func allow(_ step: PlanePoint, _ square: Double) -> Bool {
        square >= farthest && Self.cross(from, step) >= 0 && Self.cross(step, to) >= 0
    }

    @inline(__always)
    private static func cross(_ a: PlanePoint, _ b: PlanePoint) -> Double { a.x * b.y - a.y * b.x }
}
