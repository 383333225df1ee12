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

    /// Marks the positions that are behind a building.
    func mark(_ positions: [ModelOccluders.ScreenPosition], _ isHidden: inout [Bool]) {
        for (index, position) in positions.enumerated() where !isHidden[index] {
            let ray = viewport.projection.ray(through: SIMD2(position.x, position.y))
            isHidden[index] = blocks.contains { view in
                let box = view.box.box
                guard view.box.nearest < position.depth, position.x >= box.left - 1, position.x <= box.right + 1, position.y >= box.top - 1,
                    position.y <= box.bottom + 1
                else { return false }
                return view.hides(ray, before: position, viewport)
            }
        }
    }
}

extension BuildingView {
    /// Whether a ray passes the front of a triangle before it gets to a position.
    fileprivate func hides(
        _ ray: (origin: SIMD3<Double>, direction: SIMD3<Double>), before position: ModelOccluders.ScreenPosition, _ viewport: Viewport
    ) -> Bool {
        func inMesh(_ step: SIMD3<Double>) -> SIMD3<Double> { SIMD3(step.x, -step.y, step.z) / size }
        let (start, direction) = (inMesh(ray.origin - origin), inMesh(ray.direction))
        return block.mesh.vertices.withUnsafeBufferPointer { vertices in
            block.mesh.indices.withUnsafeBufferPointer { indices in
                func corner(_ index: Int) -> SIMD3<Float> {
                    let vertex = vertices[Int(indices[index])]
                    return SIMD3(vertex.x, vertex.y, vertex.z)
                }
                for first in stride(from: 0, to: indices.count, by: 3) {
                    let hit = TriangleMesh.hit(
                        first / 3, corner(first), corner(first + 1), corner(first + 2), start, direction)
                    guard let hit, hit.isFront, hit.distance > viewport.nearDepth else { continue }
                    if quantized(position.depth - hit.distance) > ModelOccluders.clearance { return true }
                }
                return false
            }
        }
    }
}
