import WaymarkGeo
import WaymarkMeshes

/// Decides which positions stand behind the models of a picture. It casts the rays that picking uses, so the result is the same on every
/// device.
struct ModelOccluders {
    private let viewport: Viewport
    private let models: ModelTable
    /// The visible models, with their screen boxes and depth ranges.
    private let seen: [(view: ModelView, box: BoxView)]

    /// The distance in pt, along the optical axis, by which a model must be nearer than a position to hide it. A marker on the roof of a
    /// model, or on a model that lies on the ground, stands in front of it.
    private static let clearance = 0.25

    init(_ viewport: Viewport, _ models: ModelTable, _ seen: [(view: ModelView, box: BoxView)]) {
        (self.viewport, self.models, self.seen) = (viewport, models, seen)
    }

    var isEmpty: Bool { seen.isEmpty }

    /// Whether a model stands in front of a position.
    /// - Parameters:
    ///   - x: The screen position in pt, quantized.
    ///   - depth: The distance in pt from the camera along the optical axis.
    func hide(x: Double, y: Double, depth: Double) -> Bool {
        let ray = viewport.projection.ray(through: SIMD2(x, y))
        return seen.contains { view, bounds in
            let box = bounds.box
            guard bounds.nearest < depth, x >= box.left - 1, x <= box.right + 1, y >= box.top - 1, y <= box.bottom + 1 else { return false }
            return view.hits(by: ray, viewport, models).contains { quantized(depth - $0.distance) > Self.clearance }
        }
    }
}
