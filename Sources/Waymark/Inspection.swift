import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// The positions of everything on the map in its picture, without drawing: the output of `waymark inspect`.
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` for texts without fonts.
    public func inspection() throws(RenderError) -> Inspection {
        defer { Composer.of(self).caches.trim() }
        return try placement().inspection()
    }

    func placement() throws(RenderError) -> Placement {
        do throws(PlacementError) {
            return try Composer.of(self).place(self)
        } catch {
            switch error {
            case .range(let error): throw .range(error)
            case .reentered: throw .reentered
            case .fonts(let error): throw .fonts(error)
            }
        }
    }
}

extension MapView {
    /// The clusters that the map's picture shows, from bottom to top.
    /// - Throws: The errors of `inspection()`.
    public func visibleClusters() throws(RenderError) -> [Cluster] { try placement().clusters(on: self) }
}
