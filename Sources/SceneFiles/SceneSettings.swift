import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// A scene's settings for the picture as a whole, which are decoded separately from the overlays. Jobs that change only settings decode
/// no overlay.
package struct SceneSettings {
    package var size = SceneReader.defaultSize
    package var pixelRatio = 1.0
    package var language = MapView.defaultLanguage
    /// Nil for the default.
    package var background: Color?
    package var sky: Sky?
    package var baseMap: [BaseMapLayer] = []
    /// Nil for the default.
    package var theme: MapTheme?
    /// The theme of a scene that names none: `light` for a file of features without styles, otherwise nil.
    var defaultTheme: MapTheme?
    package var showsAttribution = true
    /// Whether captions avoid the picture's edges; nil if the scene does not say.
    private var ownCaptionsAvoidEdges: Bool?
    package var captionsAvoidElements = false
    package var elements: [MapElement] = []
    package var modelSamples = 4
    package var camera = Camera()
    /// The options for fitting the camera; nil for an explicit camera.
    package var fit: FitOptions? = FitOptions()
    /// The id of the selected marker.
    package var selectedMarker: String?
    /// An info window that is open without a marker.
    var infoWindow: SceneInfoWindow?
    /// The events sent to the map when the scene is replayed.
    var events: [PointerEvent] = []

    /// Whether captions avoid the picture's edges. Default: only in a file without styles.
    package var captionsAvoidEdges: Bool {
        get { ownCaptionsAvoidEdges ?? (defaultTheme != nil) }
        set { ownCaptionsAvoidEdges = newValue }
    }

    /// The keys of a scene that are settings.
    static let keys: [String] = SettingsProperties.table.list.properties.map(\.name)

    package func apply(to mapView: MapView) {
        mapView.size = size
        mapView.pixelRatio = pixelRatio
        mapView.language = language
        mapView.theme = theme ?? defaultTheme
        mapView.ownBackground = background
        mapView.ownSky = sky
        mapView.baseMap = baseMap
        mapView.showsAttribution = showsAttribution
        mapView.captionsAvoidEdges = captionsAvoidEdges
        mapView.captionsAvoidElements = captionsAvoidElements
        mapView.elements = elements
        mapView.modelSamples = modelSamples
        for map in mapView.insetMaps { mapView.share(with: map) }
        mapView.camera = camera
    }
}
