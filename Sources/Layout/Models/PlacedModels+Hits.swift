import Foundation
import WaymarkGeo
import WaymarkMeshes
import WaymarkRaster
import WaymarkScene

/// A triangle of a model under a point of the screen.
package struct ModelHit: Equatable, Sendable {
    /// The model's slot.
    package var slot: Int32
    /// The index of the triangle in the model's mesh.
    package var triangle: Int
    /// The depth in pt: the distance from the camera along its optical axis.
    package var depth: Double
}

extension Placement {
    /// All triangles of the models in the picture under a screen point in pt, nearest first; at equal depth, later drawn ones come first.
    /// Includes translucent and fully transparent triangles, excludes back faces that are not drawn.
    package func modelHits(at screenPoint: CGPoint) -> [ModelHit] { models.triangles(at: screenPoint, of: models.views) }
}

extension PlacedModels {
    /// The hits of models at a point, from the farthest triangle to the nearest.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let drawn = Set(views.map(\.slot))
        let views = views + (pass.request.includesInvisible ? invisibleViews(without: drawn) : [])
        return triangles(at: pass.request.point, of: views).reversed().enumerated().map { number, hit in
            PlacedHit(
                target: .overlay(hit.slot), part: .model, isVisible: drawn.contains(hit.slot),
                order: PickOrder(rank: pass.order.rank(hit.slot), within: Int64(number)))
        }
    }

    fileprivate func triangles(at screenPoint: CGPoint, of views: [ModelView]) -> [ModelHit] {
        let ray = viewport.projection.ray(through: SIMD2(screenPoint.x, screenPoint.y))
        var hits: [(hit: ModelHit, number: Int)] = []
        for (number, seen) in views.enumerated() {
            for hit in seen.hits(by: ray, viewport, models) {
                hits.append((ModelHit(slot: seen.slot, triangle: seen.drawn.source(hit.triangle), depth: hit.distance), number))
            }
        }
        return hits.sorted {
            $0.hit.depth != $1.hit.depth
                ? $0.hit.depth < $1.hit.depth : ($1.number, $0.hit.triangle) < ($0.number, $1.hit.triangle)
        }.map(\.hit)
    }

    /// The places of models that are hidden or outside their zoom range.
    /// - Parameter drawn: The slots of models in the picture.
    private func invisibleViews(without drawn: Set<Int32>) -> [ModelView] {
        models.models.flatMap { model -> [ModelView] in
            guard model.exclusion == nil || model.exclusion == .hidden, !drawn.contains(model.slot), let mesh = model.mesh else {
                return []
            }
            let nearest = viewport.nearestCopy(of: model.pose.place)
            return (nearest - 3...nearest + 3).compactMap { copy in
                guard case .seen = ModelPlacer.visibility(of: model, copy: copy, viewport) else { return nil }
                return ModelPlacer.whole(model, mesh, copy: copy, viewport)
            }
        }
    }

    /// The areas of the picture in which models can be picked.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        // Nearer models are above farther ones.
        let seen = views.compactMap { view in view.box(viewport).map { (view: view, box: $0) } }
        let ordered = seen.sorted { $0.view.depth(viewport) > $1.view.depth(viewport) }
        return ordered.enumerated().compactMap { number, one in
            let hit = PlacedHit(
                target: .overlay(one.view.slot), part: .model, isVisible: true,
                order: PickOrder(rank: pass.order.rank(one.view.slot), within: Int64(number)))
            let hull = AreaPolygons.hull(one.view.screenPoints(viewport))
            return pass.area(hit, [hull.map { $0 * viewport.pixelRatio }])
        }
    }
}

extension ModelView {
    /// The hits of a ray with the triangles that are drawn, nearest first. Their distances are depths in pt along the optical axis.
    /// - Parameter models: The models of the map.
    func hits(
        by ray: (origin: SIMD3<Double>, direction: SIMD3<Double>), _ viewport: Viewport, _ models: ModelTable
    ) -> [RayHit] {
        let (origin, direction) = (inverse(ray.origin - self.origin), inverse(ray.direction))
        guard isNear(origin, direction) else { return [] }
        let surfaces = models[slot]?.surfaces ?? []
        return mesh.hits(from: origin, along: direction).filter { isDrawn($0, viewport, surfaces) }
    }

    /// The hit of a ray with one triangle; nil without one. It is one of the hits of all triangles.
    func hit(
        _ triangle: Int, by ray: (origin: SIMD3<Double>, direction: SIMD3<Double>), _ viewport: Viewport, _ models: ModelTable
    ) -> RayHit? {
        guard let hit = mesh.hit(triangle, from: inverse(ray.origin - origin), along: inverse(ray.direction)) else { return nil }
        return isDrawn(hit, viewport, models[slot]?.surfaces ?? []) ? hit : nil
    }

    /// Converts a displacement to mesh space. The axes are orthogonal and of equal length.
    private func inverse(_ step: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((axisX * step).sum(), (axisY * step).sum(), (axisZ * step).sum()) / (axisX * axisX).sum()
    }

    private func isDrawn(_ hit: RayHit, _ viewport: Viewport, _ surfaces: [ModelTable.Surface]) -> Bool {
        hit.distance > viewport.nearDepth && hit.distance < viewport.farDepth && isDrawn(hit.triangle, isFront: hit.isFront, surfaces)
    }

    /// Whether a ray intersects the sphere around the mesh's bounds.
    fileprivate func isNear(_ origin: SIMD3<Double>, _ direction: SIMD3<Double>) -> Bool {
        let half = drawn.bounds.size / 2
        let offset = drawn.bounds.center - origin
        let along = (offset * direction).sum() / (direction * direction).sum()
        let beside = offset - direction * along
        return (beside * beside).sum() <= (half * half).sum() * 1.0001
    }
}
