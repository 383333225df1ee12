import Foundation
import WaymarkGeo
import WaymarkImaging

/// A second map inside the picture, with its own camera and overlays, such as an overview of the surroundings.
///
///     let overview = MapView(size: CGSize(width: 160, height: 120))
///     overview.baseMap = mapView.baseMap
///     overview.camera = Camera(center: mapView.camera.center, zoom: 3)
///     mapView.elements = [.inset(InsetElement(overview))]
public struct InsetElement: PlacedElement {
    /// The map that shows an outline of the area covered by the other map.
    public enum Extent: String, CaseIterable, Sendable {
        /// The inset shows an outline of the main map's area.
        case inset
        /// The main map shows an outline of the inset's area.
        case map
        /// Neither map shows an outline.
        case none
    }

    /// The map. Its size is the size of the inset without the border. It may have elements of its own, but no insets. The pixel ratio, the
    /// language, the fonts, the image folders and the number of samples for models are always taken from the main map. The credits of its
    /// base map are shown with the main map's credits.
    public var map: MapView
    /// The options for fitting the camera of `map`, which is fitted again for every picture. If there is nothing to fit, the inset shows
    /// the surroundings of the main map: the same center, five zoom levels lower. Default nil: the inset uses the camera of `map`.
    public var fit: FitOptions?
    /// Which of the two maps shows an outline of the area covered by the other. Default `inset`.
    public var extent = Extent.inset
    /// The color of the outline of the covered area. Default nil: the theme's accent color.
    public var extentColor: Color?
    public var frame = ElementFrame(place: .topRight)

    public init(_ map: MapView) {
        self.map = map
    }
}
