import Foundation
import WaymarkGeo
import WaymarkScene

extension MapView {
    /// Performs the action of a pointer by calling ``tap(at:)``, ``longPress(at:)`` or ``drag(from:to:)``.
    public func send(_ event: PointerEvent) {
        switch event {
        case .tap(let point): tap(at: point)
        case .longPress(let point): longPress(at: point)
        case .drag(let start, let end): drag(from: start, to: end)
        }
    }

    /// Performs a tap. The topmost object at the point decides what happens:
    ///
    /// - The info window: `didTapInfoWindowOf` or `didTapInfoWindowAt` is called, and nothing else happens.
    /// - A different object: its `touchHandler` is called and, unless that returns true, the delegate's `didTap`. If one of them returns
    ///   true, nothing else happens. Otherwise a marker is selected if it can show an info window, and `didSelect` is called with all
    ///   objects at the point. If `propagatesTaps` is set, `didTapMapAt` is called as well.
    /// - No object: `didTapMapAt` is called, and the selection is cleared, unless that call changed the selection.
    ///
    /// If the point is outside the picture, nothing happens, and a diagnostic of the next frame reports it. Above the horizon, only
    /// objects can be tapped.
    /// - Parameter point: The point in pt from the picture's upper left, y down.
    /// - Returns: The objects drawn at the point, topmost first.
    @discardableResult
    public func tap(at point: CGPoint) -> [ViewObject] {
        guard isInPicture(point, "tap") else { return [] }
        let hits = hits(at: point)
        let objects = hits.map(\.object)
        guard let top = hits.first else {
            let openings = windows.openings
            tapMap(at: point)
            // A window opened or closed meanwhile stays that way.
            if windows.openings == openings { closeInfoWindow() }
            return []
        }
        if top.part == .infoWindow, let window = infoWindow {
            if let marker = window.marker {
                notify { $0.mapView(self, didTapInfoWindowOf: marker) }
            } else if let position = window.position {
                notify { $0.mapView(self, didTapInfoWindowAt: position) }
            }
            return objects
        }
        if top.object.handlesTouch || delegate?.mapView(self, didTap: top.object) == true { return objects }
        if let marker = top.object as? Marker, marker.mapView === self { selectByTap(marker, since: windows.openings) }
        notify { $0.mapView(self, didSelect: objects) }
        // The responses were already notified of the tap.
        if propagatesTaps, let coordinate = geoCoordinates(from: point) { notifyListeners { $0.mapView(self, didTapMapAt: coordinate) } }
        return objects
    }

    private func tapMap(at point: CGPoint) {
        guard let coordinate = geoCoordinates(from: point) else { return }
        notify { $0.mapView(self, didTapMapAt: coordinate) }
    }

    /// Performs a long press on the info window, a draggable marker or the map. On a draggable marker, it begins and ends a drag.
    ///
    /// If the point is outside the picture, nothing happens, and a diagnostic of the next frame reports it.
    /// - Parameter point: The point in pt from the picture's upper left, y down.
    public func longPress(at point: CGPoint) {
        guard isInPicture(point, "longPress") else { return }
        let top = hits(at: point).first
        if top?.part == .infoWindow, let window = infoWindow {
            if let marker = window.marker {
                notify { $0.mapView(self, didLongPressInfoWindowOf: marker) }
            } else if let position = window.position {
                notify { $0.mapView(self, didLongPressInfoWindowAt: position) }
            }
        } else if let marker = top?.object as? Marker, marker.isDraggable {
            notify { $0.mapView(self, didBeginDragging: marker) }
            notify { $0.mapView(self, didEndDragging: marker) }
        } else if let coordinate = geoCoordinates(from: point) {
            notify { $0.mapView(self, didLongPressAt: coordinate) }
        }
    }

    /// Performs a long press on a draggable marker, and a drag from there: calls `didBeginDragging`, moves the marker and calls `didDrag`,
    /// then calls `didEndDragging`. The marker follows the ground under the pointer, at its own altitude and at any tilt of the camera, and
    /// keeps its offset from the pointer on the screen. If it would move above the horizon, it stays where it is, and `didDrag` is not
    /// called.
    ///
    /// If the drag begins or ends outside the picture, nothing happens, and a diagnostic of the next frame reports it.
    /// - Parameters:
    ///   - start: The start of the drag, in pt from the picture's upper left, y down.
    ///   - end: The end of the drag, in the same coordinates.
    /// - Returns: The dragged marker; nil if the topmost object at the start is not a draggable marker.
    @discardableResult
    public func drag(from start: CGPoint, to end: CGPoint) -> Marker? {
        guard isInPicture(start, "drag"), isInPicture(end, "drag") else { return nil }
        guard let top = hits(at: start).first, top.part != .infoWindow, let marker = top.object as? Marker, marker.isDraggable,
            let position = marker.position
        else { return nil }
        notify { $0.mapView(self, didBeginDragging: marker) }
        let step = CGPoint(x: end.x - start.x, y: end.y - start.y)
        if marker.mapView === self, let moved = moved(marker, position, copy: top.copy, by: step) {
            marker.position = moved
            notify { $0.mapView(self, didDrag: marker) }
        }
        notify { $0.mapView(self, didEndDragging: marker) }
        return marker
    }

    /// The position of a marker moved on the screen; nil if the point is not on the ground.
    /// - Parameter copy: The copy of the world on which it is moved.
    private func moved(_ marker: Marker, _ position: LatLng, copy: Int, by step: CGPoint) -> LatLng? {
        guard let viewport = try? viewport(), position.isValid, let startY = WebMercator.y(lat: position.lat) else { return nil }
        let altitude =
            position.altitude + marker.altitude
            + sequence(first: marker.parent) { $0?.parent }
            .prefix { $0 != nil }.reduce(0) { $0 + ($1?.altitude ?? 0) }
        let startX = WebMercator.x(lng: position.lng) + Double(copy)
        let start = viewport.project(
            offsetX: (startX - viewport.centerX) * viewport.worldSize, offsetY: (startY - viewport.centerY) * viewport.worldSize,
            height: altitude * viewport.pointsPerMeter(atLatitude: position.lat))
        guard start.depth > viewport.nearDepth, start.depth < viewport.farDepth else { return nil }
        let target = CGPoint(x: start.x + step.x, y: start.y + step.y)
        var lat = position.lat
        var found: LatLng?
        // A height in pt depends on the latitude, which in turn depends on the height. A few iterations determine both.
        for _ in 0..<(altitude == 0 ? 1 : 4) {
            let height = altitude * viewport.pointsPerMeter(atLatitude: lat)
            let ray = viewport.projection.ray(through: SIMD2(target.x, target.y))
            guard ray.direction.z < 0 else { return nil }
            let depth = (height - ray.origin.z) / ray.direction.z
            guard depth > viewport.nearDepth, depth < viewport.farDepth else { return nil }
            let place = ray.origin + ray.direction * depth
            let y = viewport.centerY + place.y / viewport.worldSize
            guard (0...1).contains(y) else { return nil }
            lat = WebMercator.latitude(fromY: y)
            let lng = WebMercator.longitude(fromX: WebMercator.wrap(viewport.centerX + place.x / viewport.worldSize))
            found = LatLng(lat: lat, lng: lng, altitude: position.altitude)
        }
        return found
    }
}

extension ViewObject {
    /// Calls its touch handler.
    fileprivate var handlesTouch: Bool {
        switch self {
        case let overlay as Overlay: overlay.touchHandler?(overlay) ?? false
        case let overlay as ViewOverlay: overlay.touchHandler?(overlay) ?? false
        default: false
        }
    }
}
