import Foundation
import WaymarkGeo

/// An object that is notified of events on a map. All methods are optional.
///
/// A callback may change anything: for example, it may remove the tapped object or select a different marker.
public protocol MapViewObserver: AnyObject {
    /// Objects were tapped, and neither the topmost object's handler nor the delegate consumed the tap. `objects` contains all objects at
    /// the point, topmost first, except view overlays that are not selectable.
    func mapView(_ mapView: MapView, didSelect objects: [ViewObject])
    /// The map was tapped at a point without objects, or the topmost object at the point passed the tap on. An object passes a tap on if
    /// its handler returns false. Without a handler, markers, clusters, symbols and the info window keep the tap; all other objects pass it
    /// on. A tap that the delegate consumes does not reach the map.
    func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng)
    /// The map was long-pressed at a point whose topmost object is neither the info window nor a draggable marker.
    func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng)
    /// The info window of a marker was tapped.
    func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker)
    /// The info window of a marker was long-pressed.
    func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker)
    /// The info window of a marker was closed.
    func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker)
    /// The info window at a coordinate was tapped.
    func mapView(_ mapView: MapView, didTapInfoWindowAt coordinate: LatLng)
    /// The info window at a coordinate was long-pressed.
    func mapView(_ mapView: MapView, didLongPressInfoWindowAt coordinate: LatLng)
    /// The info window at a coordinate was closed.
    func mapView(_ mapView: MapView, didCloseInfoWindowAt coordinate: LatLng)
    /// A draggable marker was long-pressed. Its position has not changed yet.
    func mapView(_ mapView: MapView, didBeginDragging marker: Marker)
    /// A marker was moved by dragging.
    func mapView(_ mapView: MapView, didDrag marker: Marker)
    /// A dragged marker was dropped at its current position.
    func mapView(_ mapView: MapView, didEndDragging marker: Marker)
}

/// A delegate that handles taps and info windows, and is notified of events on a map.
public protocol MapViewDelegate: MapViewObserver {
    /// The topmost object at a point was tapped.
    /// - Returns: Whether the delegate consumes the tap; if so, nothing else happens. Default false.
    func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool
    /// A marker is about to be selected. While the marker is selected and its `tracksInfoWindowChanges` is true, this method is also called
    /// for every frame, and whenever a camera is fitted. It is called once more when the property is set to false.
    /// - Returns: The marker's whole info window. If this is nil, the default, the marker's `infoWindow` is used. If that is also nil,
    ///   `markerInfoContents` is called.
    func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent?
    /// The content of a marker's info window is requested, because `markerInfoWindow` has returned nil and the marker's `infoWindow` is
    /// nil.
    /// - Returns: The content inside the info window's default frame. If this is nil, the default, the marker's `infoContents` is used. If
    ///   that is also nil, the marker's title and snippet are used.
    func mapView(_ mapView: MapView, markerInfoContents marker: Marker) -> OverlayContent?
}

extension MapViewObserver {
    public func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) {}
    public func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng) {}
    public func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng) {}
    public func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker) {}
    public func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker) {}
    public func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker) {}
    public func mapView(_ mapView: MapView, didTapInfoWindowAt coordinate: LatLng) {}
    public func mapView(_ mapView: MapView, didLongPressInfoWindowAt coordinate: LatLng) {}
    public func mapView(_ mapView: MapView, didCloseInfoWindowAt coordinate: LatLng) {}
    public func mapView(_ mapView: MapView, didBeginDragging marker: Marker) {}
    public func mapView(_ mapView: MapView, didDrag marker: Marker) {}
    public func mapView(_ mapView: MapView, didEndDragging marker: Marker) {}
}

extension MapViewDelegate {
    public func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool { false }
    public func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent? { nil }
    public func mapView(_ mapView: MapView, markerInfoContents marker: Marker) -> OverlayContent? { nil }
}

extension MapViewObserver {
    func mapView(_ mapView: MapView, didClose window: InfoWindow) {
        if let marker = window.marker {
            self.mapView(mapView, didCloseInfoWindowOf: marker)
        } else if let position = window.position {
            self.mapView(mapView, didCloseInfoWindowAt: position)
        }
    }
}

/// The observers of a map, held weakly.
final class ObserverList {
    private struct Link {
        weak var observer: (any MapViewObserver)?
    }

    private var links: [Link] = []

    /// The observers that still exist, in the order in which they were added.
    var all: [any MapViewObserver] { links.compactMap(\.observer) }

    func add(_ observer: any MapViewObserver) {
        remove(observer)
        links.append(Link(observer: observer))
    }

    func remove(_ observer: any MapViewObserver) {
        links.removeAll { $0.observer == nil || $0.observer === observer }
    }
}

extension MapView {
    /// The delegate that handles taps and info windows. The map holds it weakly.
    public var delegate: (any MapViewDelegate)? {
        get { windows.delegate }
        set { windows.delegate = newValue }
    }

    /// Adds an observer. The map holds it weakly. The delegate is notified first, and then the observers in the order in which they were
    /// added.
    public func addObserver(_ observer: some MapViewObserver) { windows.observers.add(observer) }

    /// Removes an observer.
    public func removeObserver(_ observer: some MapViewObserver) { windows.observers.remove(observer) }

    /// Notifies the delegate, then the observers, and then the responses.
    package func notify(_ body: (any MapViewObserver) -> Void) {
        notifyListeners(body)
        for response in windows.responses { body(response) }
    }

    /// Notifies only the delegate and the observers, because the responses were already notified of the event.
    package func notifyListeners(_ body: (any MapViewObserver) -> Void) {
        if let delegate { body(delegate) }
        for observer in windows.observers.all { body(observer) }
    }
}
