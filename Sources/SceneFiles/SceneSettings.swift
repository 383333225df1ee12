import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// A scene's settings for the picture as a whole, decoded separately from the overlays. Jobs that change only these decode no overlay.
package struct SceneSettings {
    package var size = SceneReader.defaultSize
    package var pixelRatio = 1.0
    package var language = MapView.defaultLanguage
    package var background = Color.clear
    package var sky: Sky?
    package var baseMap: [BaseMapLayer] = []
    /// The indices of the layers that have their own theme.
    var layersWithTheme: Set<Int> = []
    /// The theme of the other layers; nil for their default.
    package var theme: MapTheme?
    package var showsAttribution = true
    package var captionsAvoidEdges = false
    package var modelSamples = 4
    package var camera = Camera()
    /// How to fit the camera; nil for an explicit camera.
    package var fit: FitOptions? = FitOptions()
    /// The id of the selected marker.
    package var selectedMarker: String?
    /// An info window that is open without a marker.
    var infoWindow: SceneInfoWindow?
    /// The events sent to the map when the scene is replayed.
    var events: [PointerEvent] = []

    /// The keys of a scene that are settings.
    static let keys: [String] = SettingsProperties.table.list.properties.map(\.name)

    package func apply(to mapView: MapView) {
        mapView.size = size
        mapView.pixelRatio = pixelRatio
        mapView.language = language
        mapView.background = background
        mapView.sky = sky
        mapView.baseMap = themedBaseMap
        mapView.showsAttribution = showsAttribution
        mapView.captionsAvoidEdges = captionsAvoidEdges
        mapView.modelSamples = modelSamples
        mapView.camera = camera
    }

    private var themedBaseMap: [BaseMapLayer] {
        guard let theme else { return baseMap }
        var layers = baseMap
        for index in layers.indices where !layersWithTheme.contains(index) { layers[index].theme = theme }
        return layers
    }
}
