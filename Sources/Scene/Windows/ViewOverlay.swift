import Foundation
import WaymarkGeo

/// Content centered at a coordinate, parallel to the screen. A view overlay is not an `Overlay`: it cannot be in a container, takes no
/// part in collisions, and can be picked only if ``isSelectable`` is true. It can be tapped if it is selectable or has a
/// ``touchHandler``.
///
/// Equal content shares its pixels, which are drawn once for each pixel ratio. If an image is enough, use a `Marker`, which is cheaper.
public final class ViewOverlay: ViewObject {
    /// The content to show.
    public var content: OverlayContent { didSet { note() } }
    /// The coordinate on which the content is centered, before `offset` is applied. The altitude of the coordinate lifts the content.
    public var coordinates: LatLng { didSet { note() } }
    /// The offset in pt by which the content is moved on the screen, right and down; each component is valid in -10,000…10,000. Default
    /// (0, 0).
    public var offset = CGPoint.zero { didSet { note() } }
    /// The view overlay's name, chosen by the user and unique among the overlays and view overlays of a map. Default nil.
    ///
    /// If you change an id to the id of another overlay or view overlay, the changed view overlay is invalid. It is not drawn while both
    /// have the same id.
    public var id: String? {
        get { keptID?.text }
        set { setID(newValue.map { OverlayID(given: $0) }) }
    }
    package private(set) var keptID: OverlayID?
    /// The view overlay's number on its map, below 0; valid while it is on a map.
    package internal(set) var idNumber: Int32 = -1
    /// The drawing order among everything in the foreground layer with the same `globalZIndex`. Objects with higher values lie above
    /// objects with lower values. Default 0.
    public var zIndex = 0 { didSet { note() } }
    /// The drawing order among everything in the foreground layer, compared before `zIndex`. Default 300,000, which is above markers and
    /// below info windows.
    public var globalZIndex = defaultGlobalZIndex { didSet { note() } }
    /// Whether the view overlay is hidden. Default false.
    public var isHidden = false { didSet { note() } }
    /// The lowest zoom at which the view overlay is drawn, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound { didSet { note() } }
    /// The highest zoom at which the view overlay is drawn, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound { didSet { note() } }
    /// Whether the view overlay can be picked, and is selected by taps that no handler consumes. Default false.
    public var isSelectable = false { didSet { note() } }
    /// Whether a camera fitted to all overlays shows this view overlay. Default true.
    public var isFitted = true { didSet { note() } }
    /// A number for your own purposes. Default 0.
    public var tag = 0
    /// Data for your own purposes. Default: empty.
    public var userInfo: [String: Any] = [:]
    /// A closure that is called when the view overlay is the topmost object at a tapped point, even if the view overlay is not selectable.
    /// The closure returns true to consume the tap, or false to pass the tap on to the delegate and to the map. Default nil: no handler.
    public var touchHandler: ((ViewOverlay) -> Bool)? { didSet { note() } }
    /// The result of a tap handler in a scene file, which cannot contain closures. It is used if there is no `touchHandler`. Nil: no
    /// handler.
    package var consumesTaps: Bool? { didSet { note() } }
    /// The map that contains this view overlay; nil if none does.
    public internal(set) weak var mapView: MapView?

    /// The default global z index of view overlays.
    public static let defaultGlobalZIndex = 300_000

    /// Creates a view overlay that is not yet on a map.
    public init(content: OverlayContent, coordinates: LatLng) {
        (self.content, self.coordinates) = (content, coordinates)
        super.init()
    }

    /// Whether the view overlay is part of the picture: the opposite of `isHidden`. Default true.
    public var isVisible: Bool {
        get { !isHidden }
        set { isHidden = !newValue }
    }

    /// Whether the view overlay has a handler for taps.
    package var hasTapHandler: Bool { touchHandler != nil || consumesTaps != nil }

    /// Calls the handler for a tap.
    /// - Returns: Whether the handler consumes the tap; nil without a handler.
    package func handleTap() -> Bool? { touchHandler.map { $0(self) } ?? consumesTaps }

    package func setMadeUpID(_ id: OverlayID) { setID(id) }

    private func setID(_ id: OverlayID?) {
        let isMadeUp = id?.isMadeUp ?? false
        guard id?.text != keptID?.text || isMadeUp != hasMadeUpID else { return }
        func change() { keptID = id }
        if let mapView, !isMadeUp { mapView.store.changeID(of: self, change) } else { change() }
        note()
    }

    private func note() { mapView?.windows.note() }
}

extension ViewOverlay: Identified {}

extension MapView {
    /// The view overlays on the map, in the order in which they were added.
    public var viewOverlays: [ViewOverlay] { windows.viewOverlays }

    /// Adds a view overlay, after removing it from any other map. Among view overlays whose drawing order is otherwise equal, the view
    /// overlay added last is on top. If an overlay or view overlay on this map already has the same id, the view overlay is refused, and a
    /// diagnostic of the next frame reports it.
    /// - Returns: Whether the view overlay is now on this map.
    @discardableResult
    public func add(_ overlay: ViewOverlay) -> Bool {
        guard overlay.mapView !== self else { return true }
        if let id = overlay.givenID, store.isGiven(id) {
            report(
                Diagnostic(path: "id", id: id, message: "not added to the map, because another overlay has this id"))
            return false
        }
        overlay.mapView?.remove(overlay)
        adopt(overlay)
        return true
    }

    /// Removes a view overlay. Does nothing if the view overlay is not on this map.
    public func remove(_ overlay: ViewOverlay) {
        guard overlay.mapView === self else { return }
        _ = substitute(nil, for: overlay)
    }

    /// The view overlay with an id; nil if no view overlay has this id.
    public func viewOverlay(withID id: String) -> ViewOverlay? { windows.viewOverlays.first { $0.id == id } }
}
