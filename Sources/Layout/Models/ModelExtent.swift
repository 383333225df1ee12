import WaymarkGeo
import WaymarkMeshes

/// The extent of models, for `fit`: the vertices that may be outermost on a screen, and access to all vertices for verification.
struct ModelExtent: ExtentPart {
    /// A vertex of a mesh.
    struct Point {
        /// The vertex's position as fractions of the world, on the copies of the world that `fit` shows.
        var x: Double
        var y: Double
        var height: Double
        /// The offset from that position in pt, independent of the zoom: east, south, up.
        var offset: SIMD3<Double>
    }

    /// The vertices that `box` considers.
    private var points: [Point] = []
    private let models: [ModelTable.PosedModel]
    private var west = 0.0
    /// Whether only the positions of autoscaled models count.
    private var isReduced = false

    /// The maximum number of autoscaled models that contribute their outermost vertices from the start. If there are more, each
    /// contributes only its center, and `extend` finds the vertices that extend farther.
    private static let fewAutoscaled = 16

    private static let slack = 1e-9

    /// Returns nil if there are no models.
    init?(_ models: [ModelTable.PosedModel]) {
        guard !models.isEmpty else { return nil }
        self.models = models
    }

    var longitudes: [Double] { models.flatMap(Self.longitudes) }

    var places: [WorldPoint] { points.map { WorldPoint(x: $0.x, y: $0.y) } }

    mutating func unwrap(west: Double) {
        self.west = west
        let isFew = models.count { $0.pose.isAutoscaled } <= Self.fewAutoscaled
        var free: [Point] = []
        for model in models {
            guard let mesh = model.mesh else { continue }
            if model.pose.isAutoscaled {
                points += (isFew ? mesh.outermost : [SIMD3<Float>(mesh.whole.bounds.center)]).map { point($0, model) }
            } else {
                free += mesh.outermost.map { point($0, model) }
            }
        }
        // Together, the models that scale with the map form one body, which has few outermost vertices.
        points += OutermostPoints.indices(of: free.map { SIMD3($0.x, $0.y, $0.height) }).map { free[$0] }
    }

    /// Does nothing, because models that scale with the map fit any room at some zoom, and the size of other models depends on their
    /// place.
    mutating func reduce(to room: FitRoom) -> [OversizedItem] { [] }

    mutating func reduceToPositions() {
        isReduced = true
        for index in points.indices { points[index].offset = .zero }
    }

    /// The longitudes that a model covers, as fractions of the world, sampled so densely that no range between them seems empty.
    private static func longitudes(_ model: ModelTable.PosedModel) -> [Double] {
        guard !model.pose.isAutoscaled else { return [model.pose.place.x] }
        let middle = model.pose.place.x + model.middle.x
        let halfWidth = min(0.5, abs(model.halfX.x) + abs(model.halfY.x) + abs(model.halfZ.x))
        let steps = max(1, Int((halfWidth * 48).rounded(.up)))
        return (0...steps).map { WebMercator.wrap(middle - halfWidth + 2 * halfWidth * Double($0) / Double(steps)) }
    }

    private func point(_ position: SIMD3<Float>, _ model: ModelTable.PosedModel) -> Point {
        let step = model.pose.step(SIMD3<Double>(position))
        let place = model.pose.place
        let isAutoscaled = model.pose.isAutoscaled
        // If a vertex is west of the start only because of rounding, it must not move by a whole world.
        let x = WebMercator.wrap(place.x + (isAutoscaled ? 0 : step.x) - west + Self.slack)
        return Point(
            x: west + x - Self.slack, y: place.y + (isAutoscaled ? 0 : step.y), height: model.pose.height + (isAutoscaled ? 0 : step.z),
            offset: isAutoscaled ? step : .zero)
    }

    /// The bounding box of the points on the screen, in pt, `.none` without points; nil when one is behind the camera or beyond the
    /// far limit.
    func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        var box = ScreenBox.none
        for point in points {
            guard let own = screenBox(point, viewport, centerX) else { return nil }
            box.extend(to: own)
        }
        return box
    }

    private func screenBox(_ point: Point, _ viewport: Viewport, _ centerX: Double) -> ScreenBox? {
        let place = viewport.project(
            offsetX: (point.x - centerX) * viewport.worldSize + point.offset.x,
            offsetY: (point.y - viewport.centerY) * viewport.worldSize + point.offset.y,
            height: point.height * viewport.worldSize + point.offset.z)
        guard place.depth > viewport.nearDepth, place.depth < viewport.farDepth else { return nil }
        return ScreenBox(left: place.x, top: place.y, right: place.x, bottom: place.y)
    }

    /// Adds the vertices farthest beyond each side of a box for a camera; returns whether there are any.
    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool {
        var farthest = [(overshoot: Double, point: Point?)](repeating: (1e-3, nil), count: 4)
        func consider(_ point: Point) -> Bool {
            guard let own = screenBox(point, viewport, centerX) else { return false }
            let overshoots = [known.left - own.left, known.top - own.top, own.right - known.right, own.bottom - known.bottom]
            for (side, overshoot) in overshoots.enumerated() where overshoot > farthest[side].overshoot {
                farthest[side] = (overshoot, point)
            }
            return true
        }
        for model in models {
            if isReduced, model.pose.isAutoscaled { continue }
            guard let mesh = model.mesh, mayReach(mesh, model, beyond: known, viewport, centerX) else { continue }
            for position in mesh.whole.mesh.positions {
                let point = point(position, model)
                guard consider(point) else {
                    points.append(point)
                    return true
                }
            }
        }
        let found = farthest.compactMap(\.point)
        points += found
        return !found.isEmpty
    }

    /// Whether the bounding box of a mesh extends beyond `known`.
    private func mayReach(
        _ mesh: ModelMesh, _ model: ModelTable.PosedModel, beyond known: ScreenBox, _ viewport: Viewport, _ centerX: Double
    ) -> Bool {
        mesh.whole.bounds.corners.contains { corner in
            guard let own = screenBox(point(SIMD3<Float>(corner), model), viewport, centerX) else { return true }
            return own.left < known.left || own.top < known.top || own.right > known.right || own.bottom > known.bottom
        }
    }
}
