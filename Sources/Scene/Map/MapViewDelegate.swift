import Foundation
import WaymarkGeo

/// Hears what happens on a map. All methods are optional.
///
/// In a callback anything may be changed: the object that was tapped may be removed, and another marker selected.
public protocol MapViewObserver: AnyObject {
    /// Objects were tapped: all that are at the point, topmost first.
    func mapView(_ mapView: MapView, didSelect objects: [ViewObject])
    /// The map was tapped, where there is nothing, or beneath objects that let taps through.
    func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng)
    /// The map was pressed long, where there is neither the info window nor a draggable marker on top.
    func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng)
    /// The info window of a marker was tapped.
    func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker)
    /// The info window of a marker was pressed long.
    func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker)
    /// The info window of a marker was closed.
    func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker)
    /// The info window at a coordinate was tapped.
    func mapView(_ mapView: MapView, didTapInfoWindowAt coordinate: LatLng)
    /// The info window at a coordinate was pressed long.
    func mapView(_ mapView: MapView, didLongPressInfoWindowAt coordinate: LatLng)
    /// The info window at a coordinate was closed.
    func mapView(_ mapView: MapView, didCloseInfoWindowAt coordinate: LatLng)
    /// A draggable marker was pressed long; its position has not changed yet.
    func mapView(_ mapView: MapView, didBeginDragging marker: Marker)
    /// A marker that is dragged has moved.
    func mapView(_ mapView: MapView, didDrag marker: Marker)
    /// A marker was dropped at its present position.
    func mapView(_ mapView: MapView, didEndDragging marker: Marker)
}

/// Decides about taps and info windows, and hears what happens on a map.
public protocol MapViewDelegate: MapViewObserver {
    /// The topmost object at a point was tapped.
    /// - Returns: Whether the tap has been handled, so that nothing is selected. Default false.
    func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool
    /// A marker is about to be selected.
    /// - Returns: Its whole info window; nil, the default, asks for `markerInfoContents`.
    func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent?
    /// A marker is about to be selected, and `markerInfoWindow` has given nil.
    /// - Returns: What is inside the default frame of its info window; nil, the default, shows its title and snippet.
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

/// The observers of a map, which it does not keep alive.
final class ObserverList {
    private struct Link {
        weak var observer: (any MapViewObserver)?
    }

    private var links: [Link] = []

    /// Those that are alive, in the order in which they were added.
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
    /// The one that decides about taps and info windows. The map does not keep it alive.
    public var delegate: (any MapViewDelegate)? {
        get { windows.delegate }
        set { windows.delegate = newValue }
    }

    /// Adds one that hears what happens, after the delegate and those added before. The map does not keep it alive.
    public func addObserver(_ observer: some MapViewObserver) { windows.observers.add(observer) }

    /// Removes one that hears what happens.
    public func removeObserver(_ observer: some MapViewObserver) { windows.observers.remove(observer) }

    /// Tells the delegate, then the observers, and then the responses.
    package func notify(_ body: (any MapViewObserver) -> Void) {
        notifyListeners(body)
        for response in windows.responses { body(response) }
    }

    /// Tells the delegate and the observers alone, of a call that is about an event of which the responses have heard.
    package func notifyListeners(_ body: (any MapViewObserver) -> Void) {
        if let delegate { body(delegate) }
        for observer in windows.observers.all { body(observer) }
    }
}
