import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// The positions of everything in the map's picture, as printed by `waymark inspect`. The picture is not drawn.
    /// - Parameter listsBaseMapSymbols: Whether the inspection's `symbols` include the base map's labels that are in the picture.
    /// - Throws: `RenderError.range` if the camera, the size or the pixel ratio is out of range; `RenderError.fonts` if the map contains
    ///   text but no fonts are available; `RenderError.reentered` if the map is already being laid out.
    public func inspection(listsBaseMapSymbols: Bool = false) throws(RenderError) -> Inspection {
        defer { Composer.of(self).caches.trim() }
        return try placement().inspection(listsBaseMapSymbols: listsBaseMapSymbols)
    }
}

extension MapView {
    /// The clusters in the map's picture, from bottom to top.
    /// - Throws: The errors of `inspection()`.
    public func visibleClusters() throws(RenderError) -> [Cluster] { try placement().clusters(on: self) }
}
