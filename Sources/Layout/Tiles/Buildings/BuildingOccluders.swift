import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes

/// Decides which positions stand behind the extruded buildings of a picture, by rays from the camera.
///
/// The number of tests is limited, so that no tile can delay a picture for long. Beyond the limit, nothing is hidden, and `isOverLimit`
/// is true.
package struct BuildingOccluders {
    private let viewport: Viewport
    private let blocks: [BuildingView]
    /// The counter of tests, which all copies share.
    private let tests = TestCounter()
    private let mostTests: Int

    private final class TestCounter {
        var count = 0
    }

    /// The maximum number of tests of boxes and triangles in a picture. They take some tenths of a second, and are far more than the
    /// markers and labels of a city need.
    package static let testLimit = 1 << 26

    package init(_ viewport: Viewport, _ layers: [ShownVectorLayer], mostTests: Int = testLimit) {
        (self.viewport, self.mostTests) = (viewport, mostTests)
        blocks = layers.filter(BuildingPlacer.hidesOthers).flatMap { BuildingPlacer(viewport).views(of: $0) }
    }

    var isEmpty: Bool { blocks.isEmpty }
    /// The number of tests so far.
    package var testCount: Int { tests.count }
    package var isOverLimit: Bool { tests.count > mostTests }

    /// Whether a building is in front of a position.
    func hide(_ position: ModelOccluders.ScreenPosition) -> Bool {
        guard !isOverLimit else { return false }
        tests.count += blocks.count
        let ray = viewport.projection.ray(through: SIMD2(position.x, position.y))
        return blocks.contains { $0.box.mayHide(position) && hides($0, ray, before: position) }
    }

    /// Whether a building is in front of a point of the ground.
    /// - Parameter point: The point on the screen in pt, beneath the horizon.
    package func hideGround(at point: SIMD2<Double>) -> Bool {
        let (origin, direction) = viewport.projection.ray(through: point)
        guard direction.z < 0 else { return false }
        return hide(ModelOccluders.ScreenPosition(x: point.x, y: point.y, depth: -origin.z / direction.z))
    }

    /// Whether a ray passes the front of a triangle before it gets to a position.
    private func hides(
        _ view: BuildingView, _ ray: (origin: SIMD3<Double>, direction: SIMD3<Double>), before position: ModelOccluders.ScreenPosition
    ) -> Bool {
        func inMesh(_ step: SIMD3<Double>) -> SIMD3<Double> { SIMD3(step.x, -step.y, step.z) / view.size }
        let (start, direction) = (inMesh(ray.origin - view.origin), inMesh(ray.direction))
        let inverse = 1 / direction
        let block = view.block
        return block.mesh.vertices.withUnsafeBufferPointer { vertices in
            block.mesh.indices.withUnsafeBufferPointer { indices in
                func corner(_ index: Int) -> SIMD3<Float> {
                    let vertex = vertices[Int(indices[index])]
                    return SIMD3(vertex.x, vertex.y, vertex.z)
                }
                return block.triangles.contains { box in
                    tests.count += 1
                    return !isOverLimit && box.isPassed(from: start, inverse: inverse, before: position.depth)
                } where: { run in
                    tests.count += run.count / 3
                    return stride(from: run.lowerBound, to: run.upperBound, by: 3).contains { index in
                        let hit = TriangleMesh.hit(
                            index / 3, corner(index), corner(index + 1), corner(index + 2), start, direction)
                        guard let hit, hit.isFront, hit.distance > viewport.nearDepth else { return false }
                        return quantized(position.depth - hit.distance) > ModelOccluders.clearance
                    }
                }
            }
        }
    }
}

extension TriangleTree.Box {
    /// Whether a ray passes the box before a distance, with a margin for rounding.
    /// - Parameter inverse: 1 divided by the ray's direction.
    @inline(__always)
    fileprivate func isPassed(from start: SIMD3<Double>, inverse: SIMD3<Double>, before distance: Double) -> Bool {
        let (a, b) = ((SIMD3<Double>(low) - start) * inverse, (SIMD3<Double>(high) - start) * inverse)
        let (near, far) = (pointwiseMin(a, b).max(), pointwiseMax(a, b).min())
        let margin = 1e-6 * distance
        // This is also true if a ray that is parallel to a side of the box starts on it, so that the quotient is NaN.
        return !(near > far + margin || near > distance || far < -margin)
    }
}
