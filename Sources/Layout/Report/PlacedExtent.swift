import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A box on the screen in pt.
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

    /// Nothing yet.
    static let none = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)

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

/// Everything visible of a map, along the shortest arc of longitudes, as `fit` needs it: where it stands and how large it
/// is on the screen of any camera.
package struct PlacedExtent {
    /// The middle of everything, as fractions of the world; x may lie outside 0…1.
    package let centerX: Double
    package let centerY: Double
    /// What `box` goes by: what may be outermost.
    private var points: [Point]
    /// Everything, where captions of many sizes make it costly to tell what is outermost; else empty.
    private let all: [Point]
    private let captions: CaptionColumns
    private var models: ModelExtent

    struct Point {
        var place: Columns.Place
        var height: Double
        var look: Look
        /// Index of its caption, or -1.
        var caption: Int32 = -1
    }

    /// nil when there is nothing.
    init?(_ points: [Point], _ captions: CaptionColumns = CaptionColumns(), models: [ModelStore.Model] = []) {
        guard !points.isEmpty || !models.isEmpty else { return nil }
        let west = Self.westEnd(points.map(\.place.x) + models.flatMap(ModelExtent.longitudes))
        self.models = ModelExtent(models, west: west)
        var points = points
        for index in points.indices where points[index].place.x < west {
            points[index].place.x += 1
        }
        self.captions = captions
        all = points.count > 64 && !captions.isEmpty ? points : []
        if points.count > 64 { points = Self.outermost(points) }
        self.points = points
        let xs = points.map(\.place.x) + self.models.points.map(\.x)
        let ys = points.map(\.place.y) + self.models.points.map(\.y)
        centerX = ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2
        centerY = ((ys.min() ?? 0) + (ys.max() ?? 0)) / 2
    }

    /// The box around all icons and captions as they are drawn, the captions at their first align; nil when something is behind
    /// the camera or beyond the far limit. It goes by what is known to be outermost: see `extend`.
    /// - Parameter centerX: The viewport's centre, not reduced to one copy of the world.
    package func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - centerX
        var box = ScreenBox.none
        for point in points {
            guard let own = self.box(of: point, placer, copy: copy) else { return nil }
            box.extend(to: own)
        }
        guard let ofModels = models.box(viewport, centerX: centerX) else { return nil }
        box.extend(to: ofModels)
        return box
    }

    /// Looks at everything in front of a camera that was found by what is outermost, and takes in what reaches farther.
    /// Gives whether anything did.
    package mutating func extend(in viewport: Viewport, centerX: Double) -> Bool {
        guard !all.isEmpty || !models.isEmpty, let known = box(in: viewport, centerX: centerX) else { return false }
        let isExtended = models.extend(beyond: known, viewport, centerX: centerX)
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - centerX
        var farthest = [(reach: Double, point: Point?)](repeating: (1e-3, nil), count: 4)
        for point in all {
            guard let own = box(of: point, placer, copy: copy) else {
                points.append(point)
                return true
            }
            let reaches = [known.left - own.left, known.top - own.top, own.right - known.right, own.bottom - known.bottom]
            for (side, reach) in reaches.enumerated() where reach > farthest[side].reach { farthest[side] = (reach, point) }
        }
        let found = farthest.compactMap(\.point)
        points += found
        return isExtended || !found.isEmpty
    }

    private func box(of point: Point, _ placer: IconPlacer, copy: Double) -> ScreenBox? {
        // Whole pixels would make the box jump while the camera creeps; half a pixel is where they may put an edge.
        var look = point.look
        let slack = look.flags.contains(.exact) ? 0.5 / placer.ratio : 0
        look.flags.remove(.exact)
        let icon = placer.place(point.place, height: point.height, copy: copy, look)
        let depth = placer.depth(of: point.place, height: point.height, copy: copy)
        guard depth < placer.far, icon.reason != Reason.behindCamera.rawValue, let corners = placer.corners(of: icon.sprite) else {
            return nil
        }
        var box = ScreenBox.none
        for corner in corners {
            box.extend(to: ScreenBox(left: corner.x - slack, top: corner.y - slack, right: corner.x + slack, bottom: corner.y + slack))
        }
        guard point.caption >= 0 else { return box }
        let caption = captions.boxes[Int(point.caption)]
        let scales = caption.scales(pixelRatio: placer.ratio, distanceScale: placer.distance / depth, zoom: nil)
        let (width, height) = caption.looseSize(scales)
        let quad = Quad(corners.map { ($0.x * placer.ratio, $0.y * placer.ratio) })
        let corner = caption.corner(at: 0, beside: quad.box, width: width, height: height, scales)
        box.extend(
            to: ScreenBox(
                left: (corner.x - 0.5) / placer.ratio, top: (corner.y - 0.5) / placer.ratio, right: (corner.x + width + 0.5) / placer.ratio,
                bottom: (corner.y + height + 0.5) / placer.ratio))
        return box
    }

    /// How far the place nearest the viewer is from the middle of everything, towards the viewer, as a fraction of the world.
    /// - Parameter up: The direction on the ground that is up on the screen, of any length.
    package func nearest(up: (x: Double, y: Double)) -> Double {
        let length = (up.x * up.x + up.y * up.y).squareRoot()
        let places = points.map(\.place) + models.points.map { Columns.Place(x: $0.x, y: $0.y) }
        return places.map { -(($0.x - centerX) * up.x + ($0.y - centerY) * up.y) / length }.max() ?? 0
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

    /// Of each kind of icon and height the places on the convex hull: what is inside is inside on every screen, too.
    private static func outermost(_ points: [Point]) -> [Point] {
        struct Kind: Hashable {
            var look: Look
            // In pt it depends on the zoom, so only equal heights are alike at all zooms.
            var height: Double
        }
        var groups: [Kind: Int] = [:]
        var members: [[Point]] = []
        for point in points {
            var look = point.look
            // What it shows plays no part.
            look.raster = 0
            look.alpha = 1
            let kind = Kind(look: look, height: point.height)
            let group = groups[kind] ?? members.count
            if group == members.count {
                groups[kind] = group
                members.append([])
            }
            members[group].append(point)
        }
        return members.flatMap(hull)
    }

    /// Leaves out what lies within the octagon of the points that are extreme in eight directions: most of many, without
    /// sorting them (Akl and Toussaint's heuristic).
    private static func outsideOctagon(_ points: [Point]) -> [Point] {
        guard points.count > 64 else { return points }
        // East, south-east, south and so on round.
        var corners = [Int](repeating: 0, count: 8)
        var farthest = [Double](repeating: -.infinity, count: 8)
        for (index, point) in points.enumerated() {
            let (x, y) = (point.place.x, point.place.y)
            for (number, reach) in [x, x + y, y, y - x, -x, -x - y, -y, x - y].enumerated() where reach > farthest[number] {
                farthest[number] = reach
                corners[number] = index
            }
        }
        // Strictly inside every edge, so that no corner of the hull goes.
        let edges = (0..<8).map { (points[corners[$0]].place, points[corners[($0 + 1) % 8]].place) }.filter { $0 != $1 }
        guard edges.count > 2 else { return points }
        return points.filter { point in !edges.allSatisfy { turn($0.0, $0.1, point.place) > 0 } }
    }

    /// Andrew's monotone chain.
    private static func hull(_ points: [Point]) -> [Point] {
        guard points.count > 3 else { return points }
        let sorted = outsideOctagon(points).sorted { ($0.place.x, $0.place.y) < ($1.place.x, $1.place.y) }
        func half(_ points: some Sequence<Point>) -> ArraySlice<Point> {
            var chain: [Point] = []
            for point in points {
                while chain.count > 1, turn(chain[chain.count - 2].place, chain[chain.count - 1].place, point.place) <= 0 {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        let around = Array(half(sorted) + half(sorted.reversed()))
        return around.isEmpty ? [sorted[0]] : around
    }

    private static func turn(_ a: Columns.Place, _ b: Columns.Place, _ c: Columns.Place) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}

extension Composer {
    /// Everything visible on a map; nil when there is nothing.
    package func extent(of mapView: MapView, pixelRatio: Double) -> PlacedExtent? {
        refresh(mapView, pixelRatio: pixelRatio)
        let slots = columns.exclusions.indices.filter { columns.exclusions[$0] == 0 }
        return PlacedExtent(
            slots.map {
                PlacedExtent.Point(
                    place: columns.places[$0], height: columns.height($0), look: columns.look($0), caption: columns.captions.id($0))
            } + shapes.extentPoints(), columns.captions, models: models.present)
    }
}
