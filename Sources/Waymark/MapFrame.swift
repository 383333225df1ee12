import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTiles

/// The layout of a map at one moment, ready to be drawn. It is a value: a renderer on any thread can draw it while the map changes.
public struct MapFrame: Sendable {
    /// The width of the picture in device pixels.
    public var width: Int { frame.width }
    /// The height of the picture in device pixels.
    public var height: Int { frame.height }
    /// The camera of the picture.
    public let camera: Camera
    /// Diagnostics about everything that cannot be drawn as requested.
    public let diagnostics: [Diagnostic]
    var frame: Frame
    /// The frame's number, from `PictureClock`.
    let number: UInt64
    /// The time that the layout has waited for tiles in vain.
    let waited: Duration
    /// The duration of the layout.
    let duration: Duration
    /// The caches of the layout, which join the budget of the renderer that draws it.
    weak var caches: LayoutCaches?

    /// Lays out a map in its present state. This needs no device, so a program can do it while a `RendererOpening` starts the driver.
    /// - Parameters:
    ///   - tileTimeout: The time in seconds that loading vector tiles may take. Tiles that arrive later are left out.
    ///   - read: Receives the placement, which is then discarded.
    /// - Throws: The errors of `MapView.makeFrame()`.
    package init(
        _ mapView: MapView, tileTimeout: Double = TileDeadline.usualSeconds, read: (Placement) -> Void = { _ in }
    ) throws(RenderError) {
        let start = ContinuousClock.now
        var placement = try mapView.placement(tileTimeout: tileTimeout)
        duration = ContinuousClock.now - start
        read(placement)
        (camera, diagnostics, number, waited) = (mapView.camera, placement.diagnostics, placement.picture, placement.waited)
        caches = Composer.of(mapView).caches
        frame = placement.frame.take()
    }
}

extension MapView {
    /// Lays out the map in its present state. This needs no device. Vector tiles that cannot be loaded within 20 s are left out.
    /// - Throws: `RenderError.range` if the camera, the size or the pixel ratio is out of range; `RenderError.fonts` if the map has texts
    ///   but no fonts are available; `RenderError.reentered` if the map is already being laid out.
    public func makeFrame() throws(RenderError) -> MapFrame {
        defer { Composer.of(self).caches.trim() }
        return try MapFrame(self)
    }

    /// The placement of the map's overlays in its present state.
    /// - Parameter tileTimeout: The time in seconds that loading vector tiles may take.
    package func placement(tileTimeout: Double = TileDeadline.usualSeconds) throws(RenderError) -> Placement {
        do throws(PlacementError) {
            return try Composer.of(self).place(self, tileTimeout: tileTimeout)
        } catch {
            switch error {
            case .range(let error): throw .range(error)
            case .reentered: throw .reentered
            case .fonts(let error): throw .fonts(error)
            }
        }
    }
}
