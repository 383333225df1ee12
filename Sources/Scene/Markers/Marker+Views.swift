import Foundation

/// The info window of a marker, and a view as its icon.
extension Marker {
    /// The title of the marker's info window, shown in bold, in at most two lines. Default nil.
    public var title: String? {
        get { markerDetails?.views?.title }
        set { changeViews([]) { $0.title = newValue } }
    }

    /// The text beneath the title in the marker's info window. It wraps; after eight lines, it is cut off with an ellipsis. Default nil.
    public var snippet: String? {
        get { markerDetails?.views?.snippet }
        set { changeViews([]) { $0.snippet = newValue } }
    }

    /// The point of the icon, as drawn, to which the marker's info window is attached: (0, 0) is the upper left corner, (1, 1) the lower
    /// right. Default (0.5, 0).
    public var infoWindowAnchor: CGPoint {
        get { markerDetails?.views?.infoWindowAnchor ?? MarkerDetails.Views.anchor }
        set { changeViews(.style) { $0.infoWindowAnchor = newValue } }
    }

    /// Whether the content of the marker's info window is requested for every frame, instead of only when the window opens. If this
    /// property changes from true to false while the marker is selected, the content is requested once more. To show several changes at
    /// once, set the property to true, make the changes, and set it back to false. Default false.
    public var tracksInfoWindowChanges: Bool {
        get { markerDetails?.views?.tracksInfoWindowChanges ?? false }
        set {
            let wasTracked = tracksInfoWindowChanges
            changeViews([]) { $0.tracksInfoWindowChanges = newValue }
            guard wasTracked, !newValue, let mapView, mapView.selectedMarker === self else { return }
            mapView.windows.capture(on: mapView)
        }
    }

    /// The marker's whole info window, used if the delegate's `markerInfoWindow` returns nil. Default nil.
    public var infoWindow: OverlayContent? {
        get { markerDetails?.views?.infoWindow }
        set { changeViews([]) { $0.infoWindow = newValue } }
    }

    /// The content inside the default frame of the marker's info window, used if the delegate's `markerInfoContents` returns nil. Default
    /// nil: the title and the snippet are shown.
    public var infoContents: OverlayContent? {
        get { markerDetails?.views?.infoContents }
        set { changeViews([]) { $0.infoContents = newValue } }
    }

    /// Content that is shown as the icon, instead of `iconImage`. Default nil.
    public var iconView: OverlayContent? {
        get { markerDetails?.views?.iconView }
        set {
            changeViews(.icon) { views in
                views.iconView = newValue
                if newValue == nil || views.tracksViewChanges || views.iconViewImage == nil { views.showIconView() }
            }
        }
    }

    /// Whether the icon follows changes to `iconView`. While this is false, the icon stays the same. After this is set to true, the next
    /// frame shows the current `iconView`. Default true.
    public var tracksViewChanges: Bool {
        get { markerDetails?.views?.tracksViewChanges ?? true }
        set {
            changeViews(.icon) { views in
                views.tracksViewChanges = newValue
                if newValue { views.showIconView() }
            }
        }
    }

    /// Whether a long press on the marker begins a drag. Default false.
    public var isDraggable: Bool {
        get { markerDetails?.views?.isDraggable ?? false }
        set { changeViews([]) { $0.isDraggable = newValue } }
    }

    /// The image shown as the icon: the image of `iconView` or, if that is nil, `iconImage`.
    /// - Parameter theme: The defaults of the map's theme.
    package func shownImage(_ theme: ThemeDefaults?) -> OverlayImage {
        markerDetails?.views?.iconViewImage ?? icon(theme)
    }

    /// The name of the property that contains the shown image.
    package var shownImagePath: String { markerDetails?.views?.iconViewImage == nil ? "iconImage" : "iconView" }

    private func changeViews(_ change: ChangedProperties, _ edit: (MarkerDetails.Views) -> Void) {
        changeMarkerDetails(change) { details in
            let views = details.views ?? MarkerDetails.Views()
            details.views = views
            edit(views)
        }
    }
}

extension MarkerDetails {
    /// Stored separately, because most markers use none of these properties.
    final class Views {
        var title: String?
        var snippet: String?
        var infoWindowAnchor = anchor
        var tracksInfoWindowChanges = false
        var tracksViewChanges = true
        var isDraggable = false
        var infoWindow: OverlayContent?
        var infoContents: OverlayContent?
        var iconView: OverlayContent?
        /// The image drawn for `iconView`.
        private(set) var iconViewImage: OverlayImage?

        static let anchor = CGPoint(x: 0.5, y: 0)

        func showIconView() { iconViewImage = iconView.map { OverlayImage(content: $0) } }
    }
}
