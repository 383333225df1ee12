import WaymarkGeo
import WaymarkMeshes

/// What `fit` needs of models: corners of their meshes that may be outermost on a screen, and all of them to make sure.
struct ModelExtent: ExtentPart {
    /// A corner of a mesh.
    struct Point {
        /// As fractions of the world, on the copies that fit shows.
        var x: Double
        var y: Double
        var height: Double
        /// From there, in pt whatever the zoom: east, south, up.
        var offset: SIMD3<Double>
    }

    /// What `box` goes by.
    private var points: [Point] = []
    private let models: [ModelTable.PosedModel]
    private var west = 0.0

    /// Of so many autoscaled models corners are looked at from the start; of more, their middles: what reaches farther is
    /// found out in front of a camera.
    private static let fewAutoscaled = 16

    private static let slack = 1e-9

    /// nil when there is nothing.
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
                points += (isFew ? mesh.outermost : [SIMD3<Float>(mesh.bounds.center)]).map { point($0, model) }
            } else {
                free += mesh.outermost.map { point($0, model) }
            }
        }
        points += Self.outermost(free)
    }

    /// Longitudes as fractions of the world, so near to one another that nothing between them styles empty.
    private static func longitudes(_ model: ModelTable.PosedModel) -> [Double] {
        guard !model.pose.isAutoscaled else { return [model.pose.place.x] }
        let middle = model.pose.place.x + model.middle.x
        let reach = min(0.5, abs(model.halfX.x) + abs(model.halfY.x) + abs(model.halfZ.x))
        let steps = max(1, Int((reach * 48).rounded(.up)))
        return (0...steps).map { WebMercator.wrap(middle - reach + 2 * reach * Double($0) / Double(steps)) }
    }

    /// Those whose sizes grow with the map are one body: few of its corners are outermost.
    private static func outermost(_ points: [Point]) -> [Point] {
        guard let first = points.first else { return [] }
        var extent = 0.0
        for point in points { extent = max(extent, abs(point.x - first.x), abs(point.y - first.y), abs(point.height - first.height)) }
        guard extent > 0 else { return [first] }
        let body = TriangleMesh(
            positions: points.map { SIMD3<Float>(SIMD3($0.x - first.x, $0.y - first.y, $0.height - first.height) / extent) })
        return body.outermost().map { points[$0] }
    }

    private func point(_ position: SIMD3<Float>, _ model: ModelTable.PosedModel) -> Point {
        let step = model.pose.step(SIMD3<Double>(position))
        let place = model.pose.place
        let isAutoscaled = model.pose.isAutoscaled
        // What is west of it by rounding alone is not a world away.
        let x = WebMercator.wrap(place.x + (isAutoscaled ? 0 : step.x) - west + Self.slack)
        return Point(
            x: west + x - Self.slack, y: place.y + (isAutoscaled ? 0 : step.y), height: model.pose.height + (isAutoscaled ? 0 : step.z),
            offset: isAutoscaled ? step : .zero)
    }

    /// The box around all points; nil when one is behind the camera or beyond the far limit. Nothing yet when there are none.
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

    /// Takes in corners that reach beyond a box in front of a camera, the farthest to each side. Gives whether any do.
    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool {
        var farthest = [(reach: Double, point: Point?)](repeating: (1e-3, nil), count: 4)
        func style(_ point: Point) -> Bool {
            guard let own = screenBox(point, viewport, centerX) else { return false }
            let reaches = [known.left - own.left, known.top - own.top, own.right - known.right, own.bottom - known.bottom]
            for (side, reach) in reaches.enumerated() where reach > farthest[side].reach { farthest[side] = (reach, point) }
            return true
        }
        for model in models {
            guard let mesh = model.mesh, mayReach(mesh, model, beyond: known, viewport, centerX) else { continue }
            for position in mesh.mesh.positions {
                let point = point(position, model)
                guard style(point) else {
                    points.append(point)
                    return true
                }
            }
        }
        let found = farthest.compactMap(\.point)
        points += found
        return !found.isEmpty
    }

    /// Whether the box around a mesh is not wholly within what is known.
    private func mayReach(
        _ mesh: ModelMesh, _ model: ModelTable.PosedModel, beyond known: ScreenBox, _ viewport: Viewport, _ centerX: Double
    ) -> Bool {
        mesh.bounds.corners.contains { corner in
            guard let own = screenBox(point(SIMD3<Float>(corner), model), viewport, centerX) else { return true }
            return own.left < known.left || own.top < known.top || own.right > known.right || own.bottom > known.bottom
        }
    }
}
