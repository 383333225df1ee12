import Foundation
import WaymarkGeo
import WaymarkScene

extension MapView {
    /// Performs a pointer event in the same way as ``tap(at:)``, ``longPress(at:)`` and ``drag(along:)``.
    /// - Returns: The tapped object if its `touchHandler` or the delegate's `didTap` consumed the tap. Nil if nothing consumed the tap, and
    ///   for other events.
    @discardableResult
    public func send(_ event: PointerEvent) -> ViewObject? {
        switch event {
        case .tap(let point): return performTap(at: point).consumer
        case .longPress(let point): longPress(at: point)
        case .drag(let path): drag(along: path)
        }
        return nil
    }

    /// Performs a tap. The topmost object at the point decides what happens. If it is a map element, the delegate's `didTap` is called, and
    /// nothing else happens. For other objects:
    ///
    /// 1. If the topmost object is the info window, `didTapInfoWindowOf` or `didTapInfoWindowAt` is called, and nothing else happens.
    /// 2. The object's `touchHandler` is called. Unless it returns true, the delegate's `didTap` is called. If either returns true, the tap
    ///    is consumed, and nothing else happens.
    /// 3. Otherwise, the objects at the point are selected. If the topmost object is a marker that can show an info window, it becomes the
    ///    selected marker. Then `didSelect` is called with all objects, except view overlays that are not selectable.
    /// 4. `didTapMapAt` is called if no object is at the point, if the topmost object's `touchHandler` returned false, or if the topmost
    ///    object has no handler and is not a marker, a cluster or a symbol.
    /// 5. In the same cases as in step 4, and also if a cluster, or a marker other than the selected one, was tapped, the open info window
    ///    closes, and the selection is cleared. A window that was opened during this tap stays open, unless the tapped marker then shows a
    ///    window of its own.
    ///
    /// If the point is outside the picture, nothing happens, and a diagnostic of the next frame reports it. A point above the horizon has
    /// no coordinate, so `didTapMapAt` is not called for it.
    /// - Parameter point: The point in pt from the picture's upper left, y down.
    /// - Returns: The objects at the point, topmost first.
    @discardableResult
    public func tap(at point: CGPoint) -> [ViewObject] { performTap(at: point).objects }

    /// - Returns: The objects at the point, and the one that consumed the tap, if any.
    private func performTap(at point: CGPoint) -> (objects: [ViewObject], consumer: ViewObject?) {
        guard isInPicture(point, "tap") else { return ([], nil) }
        let hits = hits(ofEventAt: point)
        let objects = hits.map(\.object)
        if let top = hits.first, top.part == .infoWindow, let window = infoWindow {
            if let marker = window.marker {
                notify { $0.mapView(self, didTapInfoWindowOf: marker) }
            } else if let position = window.position {
                notify { $0.mapView(self, didTapInfoWindowAt: position) }
            }
            return (objects, nil)
        }
        let top = objects.first
        if let element = top as? ElementObject {
            return (objects, delegate?.mapView(self, didTap: element) == true ? element : nil)
        }
        let openings = windows.openings
        let isConsumed = top?.consumesTap()
        if isConsumed == true { return (objects, top) }
        if let top, delegate?.mapView(self, didTap: top) == true { return (objects, top) }
        if let marker = top as? Marker, marker.mapView === self { selectByTap(marker, since: openings) }
        let selected = objects.filter(\.isSelectedByTaps)
        if !selected.isEmpty { notify { $0.mapView(self, didSelect: selected) } }
        let reachesMap = isConsumed == false || top?.keepsTaps != true
        if reachesMap, let coordinate = geoCoordinates(from: point) {
            if selected.isEmpty {
                notify { $0.mapView(self, didTapMapAt: coordinate) }
            } else {
                // The responses were already notified of the tap.
                notifyListeners { $0.mapView(self, didTapMapAt: coordinate) }
            }
        }
        // A window opened or closed meanwhile stays that way.
        if reachesMap || top is Marker || top is Cluster, windows.openings == openings { closeInfoWindow() }
        return (objects, nil)
    }

    /// Performs a long press on the info window, a draggable marker or the map. A long press on a map element does nothing. A long press on
    /// a draggable marker begins and ends a drag.
    ///
    /// If the point is outside the picture, nothing happens, and a diagnostic of the next frame reports it.
    /// - Parameter point: The point in pt from the picture's upper left, y down.
    public func longPress(at point: CGPoint) {
        guard isInPicture(point, "longPress") else { return }
        let top = hits(ofEventAt: point).first
        if top?.part == .infoWindow, let window = infoWindow {
            if let marker = window.marker {
                notify { $0.mapView(self, didLongPressInfoWindowOf: marker) }
            } else if let position = window.position {
                notify { $0.mapView(self, didLongPressInfoWindowAt: position) }
            }
        } else if let marker = top?.object as? Marker, marker.isDraggable {
            notify { $0.mapView(self, didBeginDragging: marker) }
            notify { $0.mapView(self, didEndDragging: marker) }
        } else if top?.part != .element, let coordinate = geoCoordinates(from: point) {
            notify { $0.mapView(self, didLongPressAt: coordinate) }
        }
    }

    /// Performs a long press on a draggable marker, and then drags it. First, `didBeginDragging` is called. Then the marker moves to each
    /// of the other points, and `didDrag` is called each time. Finally, `didEndDragging` is called.
    ///
    /// The marker follows the ground under the pointer, at its own altitude and at any tilt of the camera. It keeps its offset from the
    /// pointer on the screen. If a point would move the marker above the horizon, the marker stays in place, and `didDrag` is not called
    /// for this point. If a callback removes the marker from the map, the marker no longer moves.
    ///
    /// If a point is outside the picture, nothing happens, and a diagnostic of the next frame reports it.
    /// - Parameter path: The points of the drag in order, in pt from the picture's upper left, y down. With a single point, the marker does
    ///   not move. Without points, nothing happens.
    /// - Returns: The dragged marker; nil if the topmost object at the first point is not a draggable marker.
    @discardableResult
    public func drag(along path: [CGPoint]) -> Marker? {
        guard let start = path.first, path.allSatisfy({ isInPicture($0, "drag") }) else { return nil }
        guard let top = hits(ofEventAt: start).first, top.part != .infoWindow, let marker = top.object as? Marker, marker.isDraggable
        else { return nil }
        let anchor = anchor(of: marker, copy: top.copy)
        notify { $0.mapView(self, didBeginDragging: marker) }
        for point in path.dropFirst() {
            guard marker.mapView === self, let anchor else { break }
            let target = CGPoint(x: anchor.x + point.x - start.x, y: anchor.y + point.y - start.y)
            guard let position = position(of: marker, at: target) else { continue }
            marker.position = position
            notify { $0.mapView(self, didDrag: marker) }
        }
        notify { $0.mapView(self, didEndDragging: marker) }
        return marker
    }

    /// The screen point in pt of a marker's position; nil if the camera does not see it.
    /// - Parameter copy: The copy of the world that contains the marker.
    private func anchor(of marker: Marker, copy: Int) -> CGPoint? {
        guard let viewport = try? viewport(), let position = marker.position, position.isValid, let y = WebMercator.y(lat: position.lat)
        else { return nil }
        let x = WebMercator.x(lng: position.lng) + Double(copy)
        let point = viewport.project(
            offsetX: (x - viewport.centerX) * viewport.worldSize, offsetY: (y - viewport.centerY) * viewport.worldSize,
            height: marker.totalAltitude * viewport.pointsPerMeter(atLatitude: position.lat))
        guard point.depth > viewport.nearDepth, point.depth < viewport.farDepth else { return nil }
        return CGPoint(x: point.x, y: point.y)
    }

    /// The position that puts a marker, at its current altitude, at a screen point; nil if there is no ground at that point.
    private func position(of marker: Marker, at target: CGPoint) -> LatLng? {
        guard let viewport = try? viewport(), let position = marker.position, position.isValid else { return nil }
        let altitude = marker.totalAltitude
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

extension Marker {
    /// The sum in meters of the altitudes of the marker's position, the marker itself and its containers.
    fileprivate var totalAltitude: Double {
        var sum = (position?.altitude ?? 0) + altitude
        var outer = parent
        while let container = outer {
            sum += container.altitude
            outer = container.parent
        }
        return sum
    }
}

extension ViewObject {
    /// Calls the object's handler for taps.
    /// - Returns: Whether the handler consumes the tap; nil without a handler.
    fileprivate func consumesTap() -> Bool? {
        switch self {
        case let overlay as Overlay: overlay.handleTap()
        case let overlay as ViewOverlay: overlay.handleTap()
        default: nil
        }
    }

    /// Whether the object keeps a tap from the map if it has no handler.
    fileprivate var keepsTaps: Bool { self is Marker || self is Cluster || self is SymbolObject || self is InfoWindow }

    /// Whether a tap selects the object.
    fileprivate var isSelectedByTaps: Bool { (self as? ViewOverlay)?.isSelectable ?? true }
}
