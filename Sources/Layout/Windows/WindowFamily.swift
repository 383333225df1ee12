import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The view overlays of a map and its info window: billboards with custom contents, which do not take part in collisions.
final class WindowFamily {
    private var views: [ReadView] = []
    private var window: ReadWindow?
    /// The state for which `views` were read.
    private var reading: Reading?
    /// The problems of views, as diagnostics of every picture.
    private var viewProblems: [Diagnostic] = []
    private var windowProblems: [Diagnostic] = []

    private struct Reading: Equatable {
        var revision: Int
        var generation: Int
        var pixelRatio: Double
    }

    /// - Parameter objects: The map's overlays, by slot.
    func read(_ windows: MapWindows, _ objects: [Overlay?], _ overlays: OverlayTable, _ resources: MapResources) {
        let current = Reading(revision: windows.revision, generation: resources.views.generation, pixelRatio: resources.pixelRatio)
        if reading != current, !(windows.viewOverlays.isEmpty && views.isEmpty) {
            viewProblems = []
            views = windows.viewOverlays.enumerated().map { read($1, number: $0, resources) }
        }
        reading = current
        windowProblems = []
        window = windows.infoWindow.map { read($0, objects, overlays, resources) }
        if window == nil, windows.isWindowExpected, let marker = windows.selectedMarker {
            windowProblems.append(
                Diagnostic(
                    path: "selectedMarker", id: marker.id,
                    message: "no info window is shown, because the marker had no title, no snippet and no window content "
                        + "when it was selected"))
        }
    }

    var problems: [Diagnostic] { viewProblems + windowProblems }

    /// The extent of visible view overlays, and of the info window if it counts; nil without any.
    func extent(of overlays: FittedOverlays) -> WindowExtent? { WindowExtent(views, window, overlays) }
}

/// A view overlay as read from its object.
struct ReadView: Sendable {
    var id: String?
    /// The view overlay's index in the map's list.
    var number: Int
    var place = WorldPoint(x: 0, y: .nan)
    /// The height as a fraction of the world's size.
    var height = 0.0
    /// The offset in pt.
    var offsetX = 0.0
    var offsetY = 0.0
    var image: ContentImage?
    var globalZIndex: Int
    var zIndex: Int
    var zooms: ClosedRange<Double>?
    var isSelectable: Bool
    /// Whether the view overlay has a handler for taps.
    var hasTapHandler: Bool
    var isFitted: Bool
    /// The reason why it is in no picture, regardless of the camera; nil when it may be in one.
    var exclusion: Reason?
}

/// The info window as read from its object.
struct ReadWindow: Sendable {
    /// The slot of the window's marker. Nil for a window at a coordinate, and for a marker of a cluster layer, which has separate slots.
    var slot: Int32?
    /// The id of the window's marker, given or generated.
    var id: String?
    /// For a marker of a cluster layer: the layer's slot on the map, and the marker's slot in the layer.
    var member: (layer: Int32, slot: Int32)?
    /// The zooms at which the window's marker is shown; nil for all.
    var zooms: ZoomVisibility?
    var place = WorldPoint(x: 0, y: .nan)
    /// The height as a fraction of the world's size.
    var height = 0.0
    /// The icon of the window's marker, and the point of the icon on which the window stands.
    var style = IconStyle.empty
    var anchorX = 0.0
    var anchorY = 0.0
    var image: ContentImage?
    var exclusion: Reason?
}

extension WindowFamily {
    private func read(_ overlay: ViewOverlay, number: Int, _ resources: MapResources) -> ReadView {
        var view = ReadView(
            id: overlay.id, number: number, globalZIndex: overlay.globalZIndex, zIndex: overlay.zIndex, isSelectable: overlay.isSelectable,
            hasTapHandler: overlay.hasTapHandler, isFitted: overlay.isFitted)
        let name = overlay.id ?? "\(ViewOverlayProperties.type)-\(number)"
        if view.id == nil { view.id = name }
        func exclude(_ reason: Reason, _ problem: PropertyError) {
            view.exclusion = reason
            viewProblems.append(Diagnostic(path: problem.path, id: name, message: problem.problem))
        }
        if let problem = overlay.firstProblem() {
            exclude(.invalid, problem)
            return view
        }
        (view.offsetX, view.offsetY) = (overlay.offset.x, overlay.offset.y)
        if overlay.minZoom > Camera.zoomRange.lowerBound || overlay.maxZoom < Camera.zoomRange.upperBound {
            view.zooms = overlay.minZoom <= overlay.maxZoom ? overlay.minZoom...overlay.maxZoom : 25...25
        }
        guard let place = WorldPoint.placing(overlay.coordinates) else {
            exclude(.outOfProjection, .beyondMap("coordinates.lat"))
            return view
        }
        (view.place, view.height) = place
        do throws(PropertyError) {
            let image = try resources.view(.alone(overlay.content), "content")
            view.image = image
            viewProblems += image.problems(at: "content").map { Diagnostic(path: $0.path, id: name, message: $0.problem) }
        } catch {
            exclude(.empty, PropertyError(path: error.path, problem: "\(error.problem); the overlay is not drawn"))
        }
        if view.height < 0 { view.exclusion = .underground }
        if overlay.isHidden { view.exclusion = .hidden }
        return view
    }

    private func read(
        _ open: InfoWindow, _ objects: [Overlay?], _ overlays: OverlayTable, _ resources: MapResources
    ) -> ReadWindow {
        var window = ReadWindow(slot: Self.slot(of: open.marker, objects))
        let path = if case .window = open.view { "infoWindow" } else { "infoContents" }
        if let marker = open.marker {
            readMarker(marker, into: &window, overlays, resources)
        } else if let position = open.position {
            readPosition(position, into: &window)
        }
        func report(_ problem: PropertyError) {
            windowProblems.append(Diagnostic(path: problem.path, id: open.marker?.id, message: problem.problem))
        }
        do throws(PropertyError) {
            let image = try resources.view(.infoWindow(open.view), path)
            window.image = image
            image.problems(at: path).forEach(report)
        } catch {
            window.exclusion = window.exclusion ?? .empty
            report(PropertyError(path: error.path, problem: "\(error.problem); the window is not drawn"))
        }
        return window
    }

    /// Reads the place of a window at a coordinate.
    private func readPosition(_ position: LatLng, into window: inout ReadWindow) {
        var problem: PropertyError?
        if let invalid = CoordinateCheck.problem(position, "infoWindow.position") {
            (window.exclusion, problem) = (Reason.invalid, invalid)
        } else if let place = WorldPoint.placing(position) {
            (window.place, window.height) = place
            if window.height < 0 { window.exclusion = .underground }
        } else {
            (window.exclusion, problem) = (Reason.outOfProjection, PropertyError.beyondMap("infoWindow.position.lat"))
        }
        if let problem { windowProblems.append(Diagnostic(path: problem.path, message: problem.problem)) }
    }

    /// The slot of a marker on the map; nil for a marker of a cluster layer, which has separate slots.
    private static func slot(of marker: Marker?, _ objects: [Overlay?]) -> Int32? {
        guard let marker, objects.indices.contains(Int(marker.slot)), objects[Int(marker.slot)] === marker else { return nil }
        return marker.slot
    }

    /// Reads the place of a marker. The window is hidden while its marker is hidden or invalid; the marker reports the reason.
    private func readMarker(
        _ marker: Marker, into window: inout ReadWindow, _ overlays: OverlayTable, _ resources: MapResources
    ) {
        window.id = marker.id
        let layer = marker.clusterLayer
        window.member = layer.map { ($0.slot, marker.slot) }
        guard marker.firstProblem() == nil, let position = marker.position else { return window.exclusion = .invalid }
        let outerReason =
            overlays.containers.state(around: layer ?? marker)?.exclusion
            ?? layer.flatMap { $0.isHidden ? .hidden : overlays.problems[$0.slot] == nil ? nil : .invalid }
        if let reason = outerReason ?? (marker.isHidden ? .hidden : nil) { return window.exclusion = reason }
        let outer = (layer ?? marker).slot
        window.zooms = overlays.zooms[outer]
        if layer != nil, let own = marker.zoomVisibility { window.zooms = window.zooms?.intersection(own) ?? own }
        let altitude = overlays.altitude(of: marker) + position.altitude
        guard let place = WorldPoint.placing(LatLng(lat: position.lat, lng: position.lng, altitude: altitude)) else {
            return window.exclusion = .outOfProjection
        }
        (window.place, window.height) = place
        if altitude < 0 { window.exclusion = .underground }
        window.style = IconStyle.reading(marker, resources).style
        (window.anchorX, window.anchorY) = (marker.infoWindowAnchor.x, marker.infoWindowAnchor.y)
    }
}

extension WindowFamily {
    /// - Parameter clusters: The cluster layers of the picture. Inside a cluster, a marker's window is suspended.
    func place(_ clusters: PlacedClusters, _ pass: inout PlacingPass) -> PlacedWindows {
        var window = window
        if let member = window?.member, window?.exclusion == nil, window?.zooms?.contains(pass.viewport.camera.zoom) ?? true,
            clusters.isInCluster(layer: member.layer, slot: member.slot)
        {
            window?.exclusion = .hidden
        }
        var placed = PlacedWindows(viewport: pass.viewport, views: views, window: window)
        placed.place()
        placed.placed = placed.placed.filter { $0.isSeen(in: pass.viewport) }.sorted { $0.order < $1.order }
        if !pass.continuesBeyondEdges, placed.cutsWindow {
            pass.diagnostics.append(
                Diagnostic(path: "infoWindow", id: window?.id, message: "the edge of the picture cuts off a part of the info window"))
        }
        placed.items = placed.placed.map { view in
            let first = pass.frame.beginItem()
            pass.frame.append(view.image.image, x: Int(view.left), y: Int(view.top), alpha: 1)
            return DrawItem(
                rank: pass.order.keys.rank(above: view.sortKey), sequence: 0, count: 1, commands: pass.frame.endItem(from: first))
        }
        return placed
    }
}
