import Foundation
import WaymarkGeo
import WaymarkImaging

/// The open info window of a map. A map has at most one, either for the selected marker or at a coordinate.
///
/// The window is parallel to the screen at any tilt, is centered above its point, and is never moved to fit into the picture. If the
/// picture's edges cut the window off, a diagnostic reports it. The window lies above all overlays whose `globalZIndex` is below 400,000.
///
/// The delegate is asked for the content when the marker is selected. The first picture that shows the window uses this content or, if the
/// delegate gives none, the marker's own content. After that, the content does not change unless the marker's `tracksInfoWindowChanges` is
/// true.
public final class InfoWindow: ProxyObject {
    /// The marker to which the window belongs; nil for a window at a coordinate.
    public let marker: Marker?
    /// The coordinate at which the window was opened; nil for a marker's window, which follows the marker.
    public let position: LatLng?
    /// The content of the window.
    package internal(set) var view: InfoWindowView

    /// The maximum width and height of an info window in pt.
    public static let sideLimit = 500.0
    /// The global z index of info windows.
    public static let globalZIndex = 400_000
    /// The maximum width in pt of a line in the default window, which shows the marker's title and snippet. Longer text is wrapped.
    public static let wrapWidth = 240.0
    /// The maximum number of lines in the title of the default window. Further text is cut off, and an ellipsis is added.
    public static let titleLines = 2
    /// The maximum number of lines in the snippet of the default window. Further text is cut off, and an ellipsis is added.
    public static let snippetLines = 8

    init(_ view: InfoWindowView, of marker: Marker) {
        (self.marker, position, self.view) = (marker, nil, view)
    }

    init(_ view: InfoWindowView, at position: LatLng) {
        (marker, self.position, self.view) = (nil, position, view)
    }
}

/// The content of an info window: either the whole window, or the content inside the default frame.
package enum InfoWindowView: Hashable, Sendable {
    case window(OverlayContent)
    case contents(OverlayContent)

    /// Creates the default content: the title in bold, and the snippet beneath it, each aligned to the start of its text. Returns nil if
    /// both are blank.
    init?(title: String?, snippet: String?) {
        func label(_ text: String?, size: Double, lines: Int) -> LabelContent? {
            guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
            var label = LabelContent(text: text)
            (label.textSize, label.maxLines, label.maxWidth) = (size, lines, InfoWindow.wrapWidth)
            return label
        }
        var title = label(title, size: 14, lines: InfoWindow.titleLines)
        title?.fontWeight = .bold
        var snippet = label(snippet, size: 12, lines: InfoWindow.snippetLines)
        snippet?.isSecondary = true
        let labels = [title, snippet].compactMap { $0.map(OverlayContent.label) }
        guard !labels.isEmpty else { return nil }
        self = .contents(.stack(StackContent(labels, spacing: 2)))
    }
}

extension MapView {
    /// The selected marker; nil if none is selected. If the marker has an info window, this window is open. Setting a marker closes the
    /// open window, and then opens the marker's window. This also happens if the marker is already selected. Setting nil closes the open
    /// window. A marker without a title, a snippet or any other content is selected without a window. While the marker is hidden, outside
    /// its zoom range or inside a cluster, pictures do not show its window. A marker that is not on this map is refused, and a diagnostic
    /// of the next frame reports it.
    public var selectedMarker: Marker? {
        get { windows.selectedMarker }
        set {
            if let newValue, newValue.mapView !== self {
                report(
                    Diagnostic(path: "selectedMarker", id: newValue.id, message: "not selected, because the marker is not on this map"))
                return
            }
            windows.open(newValue.map(MapWindows.Opening.marker), on: self)
        }
    }

    /// The open info window; nil if no window is open.
    public var infoWindow: InfoWindow? { windows.infoWindow }

    /// Opens an info window whose bottom center is at a coordinate. This closes any open window and clears the selection.
    /// - Parameter content: The whole window.
    public func openInfoWindow(_ content: OverlayContent, at position: LatLng) {
        windows.open(.place(.window(content), position), on: self)
    }

    /// Opens an info window in the default frame, whose tail points to a coordinate. This closes any open window and clears the
    /// selection.
    /// - Parameter contents: The content inside the frame.
    public func openInfoWindow(contents: OverlayContent, at position: LatLng) {
        windows.open(.place(.contents(contents), position), on: self)
    }

    /// Closes the open info window, and clears the selection.
    public func closeInfoWindow() { windows.open(nil, on: self) }

    /// Selects a tapped marker if it has something to show. Otherwise closes the open window, unless a callback of the tap opened it.
    /// - Parameter openings: The value of `windows.openings` when the tap began.
    package func selectByTap(_ marker: Marker, since openings: Int) {
        windows.open(.tapped(marker, keepsWindow: windows.openings != openings), on: self)
    }
}

/// The view overlays and the info window of a map.
package final class MapWindows {
    package private(set) var viewOverlays: [ViewOverlay] = []
    /// A counter that is incremented whenever the view overlays or the base map change, and whenever an info window opens or closes.
    package private(set) var revision = 0
    /// The number of the view overlay that was added last.
    private var lastNumber: Int32 = -1
    package private(set) var infoWindow: InfoWindow? { didSet { note() } }
    package private(set) var selectedMarker: Marker?
    /// Whether the marker was selected only to show its window, as in a scene file. A picture without the window then has a warning.
    package var isWindowExpected = false
    /// A counter that is incremented whenever a window opens or closes. The opening of a window stops if a callback opens or closes another
    /// window.
    package private(set) var openings = 0
    /// The content that the delegate gave for the selected marker's window, if any.
    private var given: InfoWindowView?
    /// Whether no picture has shown the selected marker's window yet. While this is true, the window's content is read for every picture.
    private var isUnseen = false
    /// The number of nested openings in progress, each in a callback of the previous one.
    private var depth = 0
    private static let deepest = 8
    weak var delegate: (any MapViewDelegate)?
    let observers = ObserverList()
    var responses: [EventResponse] = []
    /// The objects returned when symbols are picked, keyed by index in the map's symbols.
    var symbolObjects: [Int: SymbolObject] = [:]
    /// The objects returned when labels of the base map are picked, keyed by id.
    var labelObjects: [String: PointOfInterest] = [:]

    enum Opening {
        case marker(Marker)
        /// The marker is selected only if it has something to show. Otherwise, the open window may stay open.
        case tapped(Marker, keepsWindow: Bool)
        case place(InfoWindowView, LatLng)
    }

    func note() { revision += 1 }

    /// Replaces one view overlay with another. If `old` is nil, `new` is added; if `new` is nil, `old` is removed.
    func replace(_ old: ViewOverlay?, with new: ViewOverlay?, at index: Int, on mapView: MapView) {
        if let old, viewOverlays.indices.contains(index), viewOverlays[index] === old {
            viewOverlays.remove(at: index)
            mapView.store.releaseID(of: old)
            old.mapView = nil
        }
        if let new {
            viewOverlays.insert(new, at: index)
            lastNumber -= 1
            (new.mapView, new.idNumber) = (mapView, lastNumber)
            mapView.store.claimID(of: new)
        }
        note()
    }

    /// Closes the info window, if one is open, and opens another unless `opening` is nil.
    fileprivate func open(_ opening: Opening?, on mapView: MapView) {
        if opening == nil, infoWindow == nil, selectedMarker == nil { return }
        guard depth < Self.deepest else {
            mapView.report(
                Diagnostic(
                    path: "selectedMarker",
                    message: "not changed, because callbacks changed the selection \(Self.deepest) times in a row"))
            return
        }
        depth += 1
        defer { depth -= 1 }
        switch opening {
        case nil: if closeToOpen(on: mapView) { select(nil, nil) }
        case .place(let view, let position)?: if closeToOpen(on: mapView) { select(nil, InfoWindow(view, at: position)) }
        case .marker(let marker)?: open(marker, on: mapView)
        case .tapped(let marker, let keepsWindow)?: open(marker, isTapped: true, keepsWindow: keepsWindow, on: mapView)
        }
    }

    /// Begins an opening by closing the info window.
    /// - Returns: Whether to continue; false if a callback has opened or closed another window.
    private func closeToOpen(on mapView: MapView) -> Bool {
        openings += 1
        let number = openings
        close(on: mapView)
        return number == openings
    }

    /// Closes the open info window, and opens the window of a marker.
    /// - Parameters:
    ///   - isTapped: Whether the marker is selected only if it has something to show.
    ///   - keepsWindow: Whether the open window stays open if the marker has nothing to show.
    private func open(_ marker: Marker, isTapped: Bool = false, keepsWindow: Bool = false, on mapView: MapView) {
        if !keepsWindow, !closeToOpen(on: mapView) { return }
        let number = openings
        let given = askDelegate(for: marker, mapView)
        // A callback may have selected another marker, or removed this one.
        guard number == openings else { return }
        let view = Self.view(of: marker, given)
        if keepsWindow {
            // Nothing changes, and another opening in progress goes on.
            guard view != nil, closeToOpen(on: mapView) else { return }
        }
        guard marker.mapView === mapView, view != nil || !isTapped else { return select(nil, nil) }
        select(marker, view.map { InfoWindow($0, of: marker) }, given)
    }

    private func select(_ marker: Marker?, _ window: InfoWindow?, _ given: InfoWindowView? = nil) {
        (selectedMarker, infoWindow) = (marker, window)
        (self.given, isUnseen, isWindowExpected) = (given, marker != nil, false)
    }

    /// Closes the info window and notifies observers.
    private func close(on mapView: MapView) {
        guard let window = infoWindow else { return }
        infoWindow = nil
        mapView.notify { $0.mapView(mapView, didClose: window) }
    }

    /// Asks the delegate for the content of a marker's window; returns nil if the delegate gives none. `Marker.infoWindow` takes precedence
    /// over the delegate's `markerInfoContents`.
    private func askDelegate(for marker: Marker, _ mapView: MapView) -> InfoWindowView? {
        if let content = delegate?.mapView(mapView, markerInfoWindow: marker) { return .window(content) }
        if marker.infoWindow != nil { return nil }
        return delegate?.mapView(mapView, markerInfoContents: marker).map { .contents($0) }
    }

    /// The content of a marker's window in the marker's current state; nil if the marker has nothing to show.
    /// - Parameter given: The content that the delegate gave, if any.
    private static func view(of marker: Marker, _ given: InfoWindowView?) -> InfoWindowView? {
        if case .window? = given { return given }
        if let content = marker.infoWindow { return .window(content) }
        if let given { return given }
        if let content = marker.infoContents { return .contents(content) }
        return InfoWindowView(title: marker.title, snippet: marker.snippet)
    }

    /// Whether the content of the info window is requested again for every picture.
    package var isTracked: Bool { selectedMarker?.tracksInfoWindowChanges ?? false }

    /// Reads the content of the selected marker's window if the next picture may show different content from the last one.
    package func update(on mapView: MapView) {
        if isTracked {
            capture(on: mapView)
        } else if isUnseen, let marker = selectedMarker, depth == 0 {
            depth += 1
            defer { depth -= 1 }
            show(Self.view(of: marker, given), of: marker, on: mapView)
        }
    }

    /// Requests the content of the selected marker's window again, from the delegate and the marker.
    func capture(on mapView: MapView) {
        guard let marker = selectedMarker, depth == 0 else { return }
        depth += 1
        defer { depth -= 1 }
        let number = openings
        let given = askDelegate(for: marker, mapView)
        guard number == openings, selectedMarker === marker else { return }
        self.given = given
        show(Self.view(of: marker, given), of: marker, on: mapView)
    }

    /// Replaces the content of the selected marker's window. Without content, the window closes.
    private func show(_ view: InfoWindowView?, of marker: Marker, on mapView: MapView) {
        guard let view else { return close(on: mapView) }
        guard let window = infoWindow else { return infoWindow = InfoWindow(view, of: marker) }
        guard window.view != view else { return }
        window.view = view
        note()
    }

    /// Records that a picture was made.
    /// - Parameter isShown: Whether the picture shows the info window.
    package func noteShown(_ isShown: Bool) {
        if isShown || infoWindow == nil { isUnseen = false }
    }

    /// Handles the removal of the selected marker from the map.
    func selectionWasRemoved(from mapView: MapView) {
        if closeToOpen(on: mapView) { select(nil, nil) }
    }
}
