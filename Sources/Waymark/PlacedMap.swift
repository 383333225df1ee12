import WaymarkGeo
import WaymarkLayout
import WaymarkScene

/// A map laid out in its present state: what `Renderer` draws. Making it needs no device, so a program can do it while a `RendererOpening`
/// starts the driver.
package struct PlacedMap {
    var placement: Placement
    /// What laid it out.
    let composer: Composer
    let camera: Camera
    /// How long the layout took.
    let duration: Duration

    /// What will not be drawn as requested.
    package var diagnostics: [Diagnostic] { placement.diagnostics }

    /// - Throws: Like `Renderer.render(_:)`, but for the device's errors.
    package init(_ mapView: MapView) throws(RenderError) {
        let start = ContinuousClock.now
        placement = try mapView.placement()
        composer = .of(mapView)
        camera = mapView.camera
        duration = ContinuousClock.now - start
    }
}

extension PlacedMap? {
    /// This layout, or that of the map's present state.
    consuming func orLaidOut(_ mapView: MapView) throws(RenderError) -> PlacedMap {
        if let placed = self { return placed }
        return try PlacedMap(mapView)
    }
}
