import WaymarkGeo
import WaymarkScene

/// A call that a map made to its delegate.
public struct MapCallback: Equatable {
    /// The methods of delegates and observers. Each name is the argument label after `mapView(_:`, such as `didTap`.
    public enum Name: String, Sendable, CaseIterable {
        case didTap, markerInfoWindow, markerInfoContents
        case didSelect, didTapMapAt, didLongPressAt
        case didTapInfoWindowOf, didLongPressInfoWindowOf, didCloseInfoWindowOf
        case didTapInfoWindowAt, didLongPressInfoWindowAt, didCloseInfoWindowAt
        case didBeginDragging, didDrag, didEndDragging
    }

    public let name: Name
    /// The affected objects, topmost first; empty if the call is about a coordinate.
    public let objects: [ViewObject]
    /// The coordinate that was tapped or pressed, or the coordinate of the info window. For a call about a dragged marker, this is the
    /// position of the marker at that moment. Nil for all other calls.
    public let coordinate: LatLng?
}

/// A delegate that logs all calls and makes no decisions itself.
public final class CallbackLog: MapViewDelegate {
    /// The calls so far, in order.
    public private(set) var calls: [MapCallback] = []

    public init() {}

    /// Returns the calls that were made since `take()` was last called, and clears them.
    public func take() -> [MapCallback] {
        defer { calls = [] }
        return calls
    }

    private func note(_ name: MapCallback.Name, _ objects: [ViewObject], at coordinate: LatLng? = nil) {
        calls.append(MapCallback(name: name, objects: objects, coordinate: coordinate))
    }
}

extension CallbackLog {
    public func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool {
        note(.didTap, [object])
        return false
    }

    public func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent? {
        note(.markerInfoWindow, [marker])
        return nil
    }

    public func mapView(_ mapView: MapView, markerInfoContents marker: Marker) -> OverlayContent? {
        note(.markerInfoContents, [marker])
        return nil
    }

    public func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) { note(.didSelect, objects) }
    public func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng) { note(.didTapMapAt, [], at: coordinate) }
    public func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng) { note(.didLongPressAt, [], at: coordinate) }
    public func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker) { note(.didTapInfoWindowOf, [marker]) }
    public func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker) { note(.didLongPressInfoWindowOf, [marker]) }
    public func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker) { note(.didCloseInfoWindowOf, [marker]) }
    public func mapView(_ mapView: MapView, didTapInfoWindowAt coordinate: LatLng) { note(.didTapInfoWindowAt, [], at: coordinate) }
    public func mapView(_ mapView: MapView, didLongPressInfoWindowAt coordinate: LatLng) {
        note(.didLongPressInfoWindowAt, [], at: coordinate)
    }
    public func mapView(_ mapView: MapView, didCloseInfoWindowAt coordinate: LatLng) { note(.didCloseInfoWindowAt, [], at: coordinate) }
    public func mapView(_ mapView: MapView, didBeginDragging marker: Marker) { note(.didBeginDragging, [marker], at: marker.position) }
    public func mapView(_ mapView: MapView, didDrag marker: Marker) { note(.didDrag, [marker], at: marker.position) }
    public func mapView(_ mapView: MapView, didEndDragging marker: Marker) { note(.didEndDragging, [marker], at: marker.position) }
}
