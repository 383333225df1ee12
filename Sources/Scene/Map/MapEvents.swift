import WaymarkGeo

/// The events to which a closure can respond; see `MapView.respond(to:_:)`.
public struct MapEvents: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An object or the map was tapped.
    public static let tap = MapEvents(rawValue: 1)
    /// The map, or an info window, was long-pressed.
    public static let longPress = MapEvents(rawValue: 2)
    public static let dragBegan = MapEvents(rawValue: 4)
    /// A marker was moved by dragging.
    public static let drag = MapEvents(rawValue: 8)
    public static let dragEnded = MapEvents(rawValue: 16)
}

extension MapView {
    /// Calls a closure after each of the given events, until the returned response is cancelled. A tap counts as one event, even if several
    /// delegate methods are called for it.
    /// - Parameter body: The closure. Its arguments are the event, the map and a marker: the marker that was tapped or dragged, or whose
    ///   info window was tapped or long-pressed. The marker is nil if the event involves none.
    /// - Returns: An object that can cancel the response. The response continues even if you do not keep this object.
    @discardableResult
    public func respond(to events: MapEvents, _ body: @escaping (MapEvents, MapView, Marker?) -> Void) -> EventResponse {
        let response = EventResponse(events, body)
        windows.responses.append(response)
        response.end = { [weak windows, weak response] in windows?.responses.removeAll { $0 === response } }
        return response
    }
}

/// A closure that a map calls after certain events.
public final class EventResponse: MapViewObserver {
    private let events: MapEvents
    private let body: (MapEvents, MapView, Marker?) -> Void
    fileprivate var end: () -> Void = {}

    fileprivate init(_ events: MapEvents, _ body: @escaping (MapEvents, MapView, Marker?) -> Void) {
        (self.events, self.body) = (events, body)
    }

    /// Ends the response: the closure is no longer called.
    public func cancel() { end() }

    private func hear(_ event: MapEvents, _ mapView: MapView, _ marker: Marker?) {
        if events.contains(event) { body(event, mapView, marker) }
    }

    public func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) { hear(.tap, mapView, objects.first as? Marker) }
    public func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng) { hear(.tap, mapView, nil) }
    public func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker) { hear(.tap, mapView, marker) }
    public func mapView(_ mapView: MapView, didTapInfoWindowAt coordinate: LatLng) { hear(.tap, mapView, nil) }
    public func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng) { hear(.longPress, mapView, nil) }
    public func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker) { hear(.longPress, mapView, marker) }
    public func mapView(_ mapView: MapView, didLongPressInfoWindowAt coordinate: LatLng) { hear(.longPress, mapView, nil) }
    public func mapView(_ mapView: MapView, didBeginDragging marker: Marker) { hear(.dragBegan, mapView, marker) }
    public func mapView(_ mapView: MapView, didDrag marker: Marker) { hear(.drag, mapView, marker) }
    public func mapView(_ mapView: MapView, didEndDragging marker: Marker) { hear(.dragEnded, mapView, marker) }
}
