import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// The extent of points, and of shapes through their corners, for `fit`.
struct PointExtent: ExtentPart {
    struct Point {
        var place: WorldPoint
        var height: Double
        var style: IconStyle
        /// The index of the point's caption, or -1 for none.
        var caption: Int32 = -1
        /// The slot of the point's overlay; -1 for none.
        var slot: Int32 = -1
    }

    /// The points that may be outermost; `box` considers only these.
    private var points: [Point]
    /// All points, if captions of different sizes or many different heights make the outermost points expensive to find; otherwise empty.
    private var all: [Point] = []
    private let captions: CaptionColumns
    /// Whether the points are the corners of bounds, whose width is kept, instead of points in the shortest arc of longitudes.
    private var isBox = false

    /// The extent of bounds.
    /// - Parameter corners: The corners. The eastern corners are 0…1 to the east of the western ones.
    init(corners: [Point]) {
        (points, captions, isBox) = (corners, CaptionColumns(), true)
    }

    /// Returns nil if there are no points.
    init?(_ points: [Point], _ captions: CaptionColumns) {
        guard !points.isEmpty else { return nil }
        self.points = points
        self.captions = captions
    }

    /// Creates the extent of all points that take part; nil if there are none.
    init?(_ columns: PointColumns, _ overlays: FittedOverlays) {
        let slots = overlays.isEverything ? columns.present : columns.present.filter(overlays.contains)
        let points = slots.map { slot in
            Point(
                place: columns.places[Int(slot)], height: columns.height(Int(slot)), style: columns.style(Int(slot)),
                caption: columns.captions.id(Int(slot)), slot: slot)
        }
        self.init(points, columns.captions)
    }

    var longitudes: [Double] {
        let xs = points.lazy.map(\.place.x)
        guard isBox, let west = xs.min(), let east = xs.max() else { return Array(xs) }
        let steps = max(1, Int(((east - west) * Self.stepsAround).rounded(.up)))
        return (0...steps).map { step in
            let x = west + (east - west) * Double(step) / Double(steps)
            return x - x.rounded(.down)
        }
    }
    /// The number of sample points around the world. They are so dense that a gap between them is hardly wider than the gap that the
    /// bounds leave free.
    private static let stepsAround = 3600.0

    var places: [WorldPoint] { points.map(\.place) }

    mutating func unwrap(west: Double) {
        if isBox {
            let shift = (west - (points.lazy.map(\.place.x).min() ?? west)).rounded(.up)
            for index in points.indices { points[index].place.x += shift }
            return
        }
        for index in points.indices where points[index].place.x < west { points[index].place.x += 1 }
        guard points.count > 64 else { return }
        let (outermost, isExact) = Self.outermost(points)
        if !captions.isEmpty || !isExact { all = points }
        points = outermost
    }

    func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - centerX
        var box = ScreenBox.none
        for point in points {
            guard let own = self.box(of: point, placer, copy: copy) else { return nil }
            box.extend(to: own)
        }
        return box
    }

    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool {
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - centerX
        var farthest = [(overshoot: Double, point: Point?)](repeating: (1e-3, nil), count: 4)
        for point in all {
            guard let own = box(of: point, placer, copy: copy) else {
                points.append(point)
                return true
            }
            let overshoots = [known.left - own.left, known.top - own.top, own.right - known.right, own.bottom - known.bottom]
            for (side, overshoot) in overshoots.enumerated() where overshoot > farthest[side].overshoot {
                farthest[side] = (overshoot, point)
            }
        }
        let found = farthest.compactMap(\.point)
        points += found
        return !found.isEmpty
    }

    mutating func reduce(to room: FitRoom) -> [OversizedItem] {
        var found: [Int32: OversizedItem] = [:]
        // The arrays are written only if something changes, because they are shared and most extents do not change.
        for index in points.indices {
            if let reduced = reduced(points[index], to: room, &found) { points[index] = reduced }
        }
        for index in all.indices {
            if let reduced = reduced(all[index], to: room, &found) { all[index] = reduced }
        }
        return found.keys.sorted().compactMap { found[$0] }
    }

    /// A point without those parts that are larger than the room; nil if no part is larger.
    private func reduced(_ point: Point, to room: FitRoom, _ found: inout [Int32: OversizedItem]) -> Point? {
        guard radius(of: point) > min(room.width, room.height), let viewport = room.viewport(point.place.x, point.place.y) else {
            return nil
        }
        let placer = IconPlacer(viewport)
        let copy = viewport.centerX - point.place.x
        // A height in pt depends on the zoom.
        var level = point
        level.height = 0
        guard let box = box(of: level, placer, copy: copy), room.isExceeded(by: box) else { return nil }
        if found[point.slot] == nil {
            let slack = point.caption >= 0 || point.style.flags.contains(.snapped) ? 1 / placer.pixelRatio : 0
            found[point.slot] = OversizedItem(point.slot < 0 ? .clustered : .overlay(point.slot), box, slack: slack)
        }
        var reduced = point
        reduced.caption = -1
        level.caption = -1
        if let icon = self.box(of: level, placer, copy: copy), room.isExceeded(by: icon) { reduced.style = .position }
        return reduced
    }

    /// An upper bound on the width and height in pt of a point directly below the camera.
    private func radius(of point: Point) -> Double {
        let icon = Double(point.style.width + point.style.height) + 2
        guard point.caption >= 0 else { return icon }
        let caption = captions.boxes[Int(point.caption)]
        let block = max(caption.main.width, caption.sub.width) + caption.main.height + caption.sub.height
        return icon + abs(caption.offset) + block + 4
    }

    mutating func reduceToPositions() {
        func reduce(_ points: inout [Point]) {
            for index in points.indices { (points[index].style, points[index].caption) = (.position, -1) }
        }
        reduce(&points)
        reduce(&all)
    }

    private func box(of point: Point, _ placer: IconPlacer, copy: Double) -> ScreenBox? {
        // Snapping to whole pixels would make the box jump as the camera moves. Half a pixel bounds its effect on an edge.
        var style = point.style
        let slack = style.flags.contains(.snapped) ? 0.5 / placer.pixelRatio : 0
        style.flags.remove(.snapped)
        let icon = placer.place(point.place, height: point.height, copy: copy, style)
        let depth = placer.depth(of: point.place, height: point.height, copy: copy)
        guard depth < placer.projection.far, icon.reason != .behindCamera, let corners = placer.corners(of: icon.sprite) else {
            return nil
        }
        var box = ScreenBox.none
        for corner in corners {
            box.extend(to: ScreenBox(left: corner.x - slack, top: corner.y - slack, right: corner.x + slack, bottom: corner.y + slack))
        }
        guard point.caption >= 0 else { return box }
        let caption = captions.boxes[Int(point.caption)]
        let scales = caption.scales(pixelRatio: placer.pixelRatio, distanceScale: placer.projection.distance / depth, zoom: nil)
        let (width, height) = caption.looseSize(scales)
        let quad = Quad(corners.map { ($0.x * placer.pixelRatio, $0.y * placer.pixelRatio) })
        let corner = caption.corner(align: 0, beside: quad.box, width: width, height: height, scales)
        box.extend(
            to: ScreenBox(
                left: (corner.x - 0.5) / placer.pixelRatio, top: (corner.y - 0.5) / placer.pixelRatio,
                right: (corner.x + width + 0.5) / placer.pixelRatio,
                bottom: (corner.y + height + 0.5) / placer.pixelRatio))
        return box
    }

    /// The outermost points of each group with equal icon style. A point inside the convex hull of other points of its style is inside on
    /// every screen.
    /// - Returns: The points, and whether no others can be outermost.
    private static func outermost(_ points: [Point]) -> ([Point], isExact: Bool) {
        var groups: [IconStyle: Int] = [:]
        // The indices of the points of each group; there may be millions.
        var members: [[Int32]] = []
        for (index, point) in points.enumerated() {
            var style = point.style
            // The image and its opacity do not affect the extent.
            style.raster = 0
            style.levelCount = 0
            style.texelsPerPoint = 0
            style.alpha = 1
            let group = groups[style] ?? members.count
            if group == members.count {
                groups[style] = group
                members.append([])
            }
            members[group].append(Int32(index))
        }
        var (result, isExact): ([Point], Bool) = ([], true)
        for group in members {
            // A height in pt depends on the zoom, so points of different heights form a body in space.
            var levels: [Double: Int] = [:]
            for index in group where levels[points[Int(index)].height] == nil {
                levels[points[Int(index)].height] = levels.count
                if levels.count > fewLevels { break }
            }
            if levels.count > fewLevels {
                let bodies = group.map { index in
                    let point = points[Int(index)]
                    return SIMD3(point.place.x, point.place.y, point.height)
                }
                result += OutermostPoints.indices(of: bodies).map { points[Int(group[$0])] }
                isExact = false
            } else if levels.count == 1 {
                result += hull(group, of: points)
            } else {
                var layers = [[Int32]](repeating: [], count: levels.count)
                for index in group { layers[levels[points[Int(index)].height] ?? 0].append(index) }
                result += layers.flatMap { hull($0, of: points) }
            }
        }
        return (result, isExact)
    }

    /// The maximum number of heights for which each height gets its own hull.
    private static let fewLevels = 16

    /// Discards the points inside the octagon of the extremes in eight directions (the Akl–Toussaint heuristic). These are most of the
    /// points, and no sorting is needed.
    private static func outsideOctagon(_ members: [Int32], of points: [Point]) -> [Point] {
        guard members.count > 64 else { return members.map { points[Int($0)] } }
        return outsideOctagon(members.map { points[Int($0)].place }).map { points[Int(members[$0])] }
    }

    /// The indices of the places that are not inside the octagon of the extremes in eight directions.
    static func outsideOctagon(_ places: [WorldPoint]) -> [Int] {
        // The extremes to the east, southeast, south and so on, clockwise.
        var corners = [Int](repeating: 0, count: 8)
        var farthest = SIMD8<Double>(repeating: -.infinity)
        for (index, place) in places.enumerated() {
            let (x, y) = (place.x, place.y)
            let radius = SIMD8(x, x + y, y, y - x, -x, -x - y, -y, x - y)
            let isFarther = radius .> farthest
            guard any(isFarther) else { continue }
            farthest.replace(with: radius, where: isFarther)
            for number in 0..<8 where isFarther[number] { corners[number] = index }
        }
        // Strictly inside every edge, so that no corner of the hull is discarded.
        let edges = (0..<8).map { (places[corners[$0]], places[corners[($0 + 1) % 8]]) }.filter { $0 != $1 }
        guard edges.count > 2 else { return Array(places.indices) }
        return places.indices.filter { index in
            !edges.allSatisfy { orientation(($0.0.x, $0.0.y), ($0.1.x, $0.1.y), (places[index].x, places[index].y)) > 0 }
        }
    }

    /// The convex hull of some of the points, by index.
    private static func hull(_ members: [Int32], of points: [Point]) -> [Point] {
        guard members.count > 3 else { return members.map { points[Int($0)] } }
        let chosen = outsideOctagon(members, of: points)
        let hull = convexHull(chosen) { ($0.place.x, $0.place.y) }
        return hull.isEmpty ? [chosen[0]] : hull
    }
}

extension IconStyle {
    /// The style of a bare position.
    static var position: IconStyle {
        var style = IconStyle.empty
        style.anchorY = 0.5
        return style
    }
}
