import WaymarkGeo
import WaymarkScene

/// What one family gives to the extent of a map: where its overlays stand, and how large they are in front of any camera.
protocol ExtentPart: Sendable {
    /// Longitudes as fractions of the world, so near to one another that nothing between them looks empty.
    var longitudes: [Double] { get }
    /// Moves everything to the copies of the world that begin at a longitude.
    mutating func unwrap(west: Double)
    /// Places of what may be outermost.
    var places: [WorldPoint] { get }
    /// The box around what may be outermost; nil when something is behind the camera or beyond the far limit.
    /// - Parameter centerX: The viewport's center, not reduced to one copy of the world.
    func box(in viewport: Viewport, centerX: Double) -> ScreenBox?
    /// Takes in what reaches beyond a box in front of a camera, the farthest to each side. Gives whether anything does.
    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool
}

/// Everything visible of a map, along the shortest arc of longitudes, as `fit` needs it: where it stands and how large it
/// is on the screen of any camera.
package struct Extent: Sendable {
    /// The middle of everything, as fractions of the world; x may lie outside 0…1.
    package let centerX: Double
    package let centerY: Double
    private var parts: [any ExtentPart]

    /// nil when there is nothing.
    init?(_ parts: [any ExtentPart]) {
        guard !parts.isEmpty else { return nil }
        let west = Self.westEnd(parts.flatMap(\.longitudes))
        self.parts = parts
        for index in parts.indices { self.parts[index].unwrap(west: west) }
        let places = self.parts.flatMap(\.places)
        let (xs, ys) = (places.map(\.x), places.map(\.y))
        centerX = ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2
        centerY = ((ys.min() ?? 0) + (ys.max() ?? 0)) / 2
    }

    /// The box around everything as it is drawn, captions at their first align; nil when something is behind the camera or beyond the far
    /// limit. It goes by what is known to be outermost: see `extend`.
    /// - Parameter centerX: The viewport's center, not reduced to one copy of the world.
    package func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        var box = ScreenBox.none
        for part in parts {
            guard let own = part.box(in: viewport, centerX: centerX) else { return nil }
            box.extend(to: own)
        }
        return box
    }

    /// Looks at everything in front of a camera that was found by what is outermost, and takes in what reaches farther.
    /// Gives whether anything did.
    package mutating func extend(in viewport: Viewport, centerX: Double) -> Bool {
        guard let known = box(in: viewport, centerX: centerX) else { return false }
        var isExtended = false
        for index in parts.indices {
            isExtended = parts[index].extend(beyond: known, in: viewport, centerX: centerX) || isExtended
        }
        return isExtended
    }

    /// How far the place nearest the viewer is from the middle of everything, towards the viewer, as a fraction of the world.
    /// - Parameter up: The direction on the ground that is up on the screen, of any length.
    package func nearest(up: (x: Double, y: Double)) -> Double {
        let length = (up.x * up.x + up.y * up.y).squareRoot()
        return parts.flatMap(\.places).map { -(($0.x - centerX) * up.x + ($0.y - centerY) * up.y) / length }.max() ?? 0
    }

    /// Where the longest gap between neighbouring longitudes ends.
    ///
    /// Some gap is at least as long as the mean of all, so it is enough to compare the ends of bins that are narrower than
    /// that, and nothing is sorted.
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
