import WaymarkGeo
import WaymarkTiles

/// A layer of the base map. The layer consists of raster tiles, and lies beneath all overlays.
///
///     mapView.baseMap = [BaseMapLayer(source: try TileArchive.open("land.pmtiles"))]
///
/// Where the source has no tile, the tile that covers the same area at the nearest lower zoom level is drawn instead. If there is no such
/// tile, the layers beneath and the background are visible there.
public struct BaseMapLayer: Sendable {
    /// The source of the tiles. Waymark calls it on other threads.
    public var source: any TileSource
    /// The layer's name in messages. If this is nil, the source's own name is used.
    public var name: String?
    /// The opacity, valid in 0…1. Default 1.
    public var opacity = 1.0
    /// The lowest zoom of the camera at which the layer is shown, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound
    /// The highest zoom of the camera at which the layer is shown, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound
    /// Whether the layer is drawn. Default true.
    public var isVisible = true

    public init(source: any TileSource, name: String? = nil, opacity: Double = 1) {
        self.source = source
        self.name = name
        self.opacity = opacity
    }

    /// The valid opacities.
    package static let opacityRange = 0.0...1.0
}

extension BaseMapLayer {
    /// The first property with an invalid value, and the problem; nil if all values are valid.
    package func firstProblem() -> PropertyError? {
        for (name, value, range) in [
            ("opacity", opacity, Self.opacityRange), ("minZoom", minZoom, Camera.zoomRange), ("maxZoom", maxZoom, Camera.zoomRange),
        ] {
            if let error = range.error(of: value, name) { return error }
        }
        if minZoom > maxZoom { return PropertyError(path: "minZoom", problem: "\(plain(minZoom)) is more than maxZoom, \(plain(maxZoom))") }
        return source.info.problem.map { PropertyError(path: "source", problem: $0) }
    }

    /// Whether the layer is shown at a zoom of the camera.
    package func isShown(atZoom zoom: Double) -> Bool { isVisible && opacity > 0 && minZoom <= zoom && zoom <= maxZoom }
}
