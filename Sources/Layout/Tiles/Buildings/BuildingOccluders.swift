import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes

/// Decides which positions stand behind the extruded buildings of a picture, by rays from the camera.
struct BuildingOccluders {
    private let viewport: Viewport
    private let blocks: [BuildingView]

    init(_ viewport: Viewport, _ layers: [ShownVectorLayer]) {
        self.viewport = viewport
        blocks = layers.flatMap { BuildingPlacer(viewport).views(of: $0) }
    }

    var isEmpty: Bool { blocks.isEmpty }

    /// Whether a building is in front of a position.
    func hide(_ position: ModelOccluders.ScreenPosition) -> Bool {
        let ray = viewport.projection.ray(through: SIMD2(position.x, position.y))
        return blocks.contains { view in
            let box = view.box.box
            guard view.box.nearest < position.depth, position.x >= box.left - 1, position.x <= box.right + 1, position.y >= box.top - 1,
                position.y <= box.bottom + 1
            else { return false }
            return view.hides(ray, before: position, viewport)
        }
    }

    /// Whether a building is in front of a point of the ground.
    /// - Parameter point: The point on the screen in pt, beneath the horizon.
    func hideGround(at point: SIMD2<Double>) -> Bool {
        let (origin, direction) = viewport.projection.ray(through: point)
        guard direction.z < 0 else { return false }
        return hide(ModelOccluders.ScreenPosition(x: point.x, y: point.y, depth: -origin.z / direction.z))
    }
}

extension BuildingView {
    /// Whether a ray passes the front of a triangle before it gets to a position.
    fileprivate func hides(
        _ ray: (origin: SIMD3<Double>, direction: SIMD3<Double>), before position: ModelOccluders.ScreenPosition, _ viewport: Viewport
    ) -> Bool {
        func inMesh(_ step: SIMD3<Double>) -> SIMD3<Double> { SIMD3(step.x, -step.y, step.z) / size }
        let (start, direction) = (inMesh(ray.origin - origin), inMesh(ray.direction))
        let inverse = 1 / direction
        // A ray from above passes over most of the blocks that are in front of a position.
        guard BuildingMesh.isPassed((block.low, block.high), from: start, inverse: inverse, before: position.depth) else { return false }
        return block.mesh.vertices.withUnsafeBufferPointer { vertices in
            block.mesh.indices.withUnsafeBufferPointer { indices in
                func corner(_ index: Int) -> SIMD3<Float> {
                    let vertex = vertices[Int(indices[index])]
                    return SIMD3(vertex.x, vertex.y, vertex.z)
                }
                var first = 0
                for building in block.buildings {
                    defer { first = building.end }
                    let box = (SIMD3<Double>(building.low), SIMD3<Double>(building.high))
                    guard BuildingMesh.isPassed(box, from: start, inverse: inverse, before: position.depth) else { continue }
                    for index in stride(from: first, to: building.end, by: 3) {
                        let hit = TriangleMesh.hit(
                            index / 3, corner(index), corner(index + 1), corner(index + 2), start, direction)
                        guard let hit, hit.isFront, hit.distance > viewport.nearDepth else { continue }
                        if quantized(position.depth - hit.distance) > ModelOccluders.clearance { return true }
                    }
                }
                return false
            }
        }
    }
}

extension BuildingMesh {
    /// Whether a ray passes a box before a distance, with a margin for rounding.
    /// - Parameter inverse: 1 divided by the ray's direction.
    @inline(__always)
    fileprivate static func isPassed(
        _ box: (low: SIMD3<Double>, high: SIMD3<Double>), from start: SIMD3<Double>, inverse: SIMD3<Double>, before distance: Double
    ) -> Bool {
        let (a, b) = ((box.low - start) * inverse, (box.high - start) * inverse)
        let (near, far) = (pointwiseMin(a, b).max(), pointwiseMax(a, b).min())
        let margin = 1e-6 * distance
        // Also true if a ray that is parallel to a side of the box starts on it, which gives no number.
        return !(near > far + margin || near > distance || far < -margin)
    }
}
