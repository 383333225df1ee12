import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkRaster
import WaymarkScene

/// A model drawn on one copy of the world.
struct ModelView: Sendable {
    var slot: Int32
    var copy: Int
    /// The mesh's origin in pt from the view's center, and the images of its axes in pt, all as (east, south, up).
    var origin: SIMD3<Double>
    var axisX: SIMD3<Double>
    var axisY: SIMD3<Double>
    var axisZ: SIMD3<Double>
    var drawn: DrawnMesh

    /// The mesh that is drawn.
    var mesh: TriangleMesh { drawn.mesh }

    /// Whether a triangle is drawn when seen from one side. Back faces are drawn only if the surface is double-sided.
    /// - Parameters:
    ///   - isFront: Whether that side is the front by the winding in `mesh`.
    ///   - surfaces: The surfaces of the model.
    func isDrawn(_ triangle: Int, isFront: Bool, _ surfaces: [ModelTable.Surface]) -> Bool {
        guard let surface = drawn.surfaceRanges.firstIndex(where: { $0.contains(triangle) }), surface < surfaces.count else { return false }
        // The winding of the scene's mesh decides which side is the front.
        return surfaces[surface].isDoubleSided || isFront != (!drawn.isReversed.isEmpty && drawn.isReversed[triangle])
    }

    /// The position of a vertex in pt from the view's center: east, south, up.
    @inline(__always)
    func place(_ position: SIMD3<Float>) -> SIMD3<Double> {
        origin + axisX * Double(position.x) + axisY * Double(position.y) + axisZ * Double(position.z)
    }

    /// The model's bounding box on the screen in pt, clipped at the near limit; nil if the whole model is nearer.
    func box(_ viewport: Viewport) -> ScreenBox? {
        let (projection, frustum) = (viewport.projection, ViewFrustum(viewport))
        let places = mesh.positions.map { projection.cameraSpace(place($0)) }
        var box = ScreenBox.none
        var isCut = false
        for place in places {
            if place.z >= projection.near { box.extend(to: projection.screenPoint(place)) } else { isCut = true }
        }
        if isCut {
            for triangle in mesh.triangles {
                for index in 0..<3 {
                    frustum.extend(&box, toEdge: places[Int(triangle[index])], places[Int(triangle[(index + 1) % 3])])
                }
            }
        }
        return box.left <= box.right ? box : nil
    }
}

extension ModelView {
    /// The screen positions of the model's vertices in pt; the corners of its box if a part of it is nearer than the near limit.
    func screenPoints(_ viewport: Viewport) -> [PlanePoint] {
        let projection = viewport.projection
        let places = mesh.positions.map { projection.cameraSpace(place($0)) }
        if places.allSatisfy({ $0.z >= projection.near }) {
            return places.map { place in
                let point = projection.screenPoint(place)
                return PlanePoint(point.x, point.y)
            }
        }
        guard let box = box(viewport) else { return [] }
        return [
            PlanePoint(box.left, box.top), PlanePoint(box.right, box.top), PlanePoint(box.right, box.bottom),
            PlanePoint(box.left, box.bottom),
        ]
    }

    /// The distance in pt from the camera to the model's nearest vertex, along the optical axis.
    func depth(_ viewport: Viewport) -> Double {
        let projection = viewport.projection
        return mesh.positions.reduce(.infinity) { min($0, projection.cameraSpace(place($1)).z) }
    }
}

/// The models of one picture.
struct PlacedModels: Sendable {
    let viewport: Viewport
    let models: ModelTable
    /// The visible models, in drawing order.
    let views: [ModelView]
    /// The range of views that share a depth buffer, for each item.
    let groups: [Range<Int>]
    /// One item for each group.
    var items: [DrawItem]

    /// Describes models.
    func entries(of slots: [Int32], _ pass: DescribingPass) -> [Inspection.OverlayEntry] {
        let drawn = places
        let nearest = nearestViews
        return slots.map { slot in
            let seen = drawn[slot]
            var entry = Inspection.OverlayEntry(
                id: pass.names[slot] ?? "", type: pass.overlays.types[Int(slot)] ?? .localModel, isVisible: seen != nil,
                reason: seen == nil ? reason(slot, pass) : nil, order: seen?.order, copies: seen?.copies ?? 0)
            let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
            if isPlaced, let model = models[slot] { describe(model, nearest[slot], &entry) }
            return entry
        }
    }

    /// The position of a model's group in the drawing order, and its number of copies in the picture, keyed by slot.
    private var places: [Int32: (order: Int, copies: Int)] {
        var places: [Int32: (order: Int, copies: Int)] = [:]
        for (item, group) in zip(items, groups) {
            for view in views[group] { places[view.slot, default: (item.firstOrder, 0)].copies += 1 }
        }
        return places
    }

    /// The visible copy nearest the view's center, keyed by slot.
    private var nearestViews: [Int32: ModelView] {
        Dictionary(views.map { ($0.slot, $0) }) { a, b in
            guard let place = models[a.slot]?.pose.place else { return a }
            func distance(_ copy: Int) -> Double { abs(place.x + Double(copy) - viewport.centerX) }
            return distance(b.copy) < distance(a.copy) ? b : a
        }
    }

    /// The reason why a model is not in the picture.
    private func reason(_ slot: Int32, _ pass: DescribingPass) -> Reason {
        guard let model = models[slot] else { return .outOfView }
        if let exclusion = model.exclusion { return exclusion }
        if !pass.overlays.isShown(slot, atZoom: viewport.camera.zoom) { return .outOfZoom }
        if case .behind = ModelPlacer.visibility(of: model, copy: viewport.nearestCopy(of: model.pose.place), viewport) {
            return .behindCamera
        }
        return .outOfView
    }

    /// - Parameter seen: The copy to describe, if one is in the picture.
    private func describe(_ model: ModelTable.PosedModel, _ seen: ModelView?, _ entry: inout Inspection.OverlayEntry) {
        guard let mesh = model.mesh else { return }
        let seen = seen ?? ModelPlacer.whole(model, mesh, copy: viewport.nearestCopy(of: model.pose.place), viewport)
        entry.triangles = mesh.triangleCount
        // The anchor of a local model is at its coordinates; a geo model's is on the ground below its center.
        let center = ModelPlacer.whole(model, mesh, copy: seen.copy, viewport).origin
        let anchor = viewport.project(offsetX: center.x, offsetY: center.y, height: model.hasGroundAnchor ? center.z : 0)
        if anchor.depth > viewport.nearDepth, anchor.depth < viewport.farDepth { entry.anchor = viewport.inspected(anchor.x, anchor.y) }
        if let box = seen.box(viewport) {
            entry.quad = [(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)].map(
                viewport.inspected)
        }
    }
}
