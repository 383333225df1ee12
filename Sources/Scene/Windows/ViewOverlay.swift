import Foundation
import WaymarkGeo

/// Content centered at a coordinate, parallel to the screen. It is not an `Overlay`: it cannot be in a container, takes no part in
/// collisions, and is picked only if ``isSelectable``.
///
/// Its pixels are drawn once. If an image is enough, a `Marker` costs less.
public final class ViewOverlay: ViewObject {
    /// Its content.
    public var content: OverlayContent { didSet { note() } }
    /// The coordinate of its center, before `offset`; an altitude lifts it.
    public var coordinates: LatLng { didSet { note() } }
    /// Moves it on the screen, in pt right and down; each valid in -10,000…10,000. Default (0, 0).
    public var offset = CGPoint.zero { didSet { note() } }
    /// Its name, chosen by the user and unique among the overlays and view overlays of a map. Default nil.
    ///
    /// If an id is changed to that of another view overlay or overlay, the changed view overlay is invalid and left out of the picture
    /// while both have the id.
    public var id: String? {
        get { keptID?.text }
        set { setID(newValue.map { OverlayID(given: $0) }) }
    }
    package private(set) var keptID: OverlayID?
    /// Its number on its map, below 0, while it is on a map.
    package internal(set) var idNumber: Int32 = -1
    /// Drawing order among view overlays of the same `globalZIndex`; higher lies above. Default 0.
    public var zIndex = 0 { didSet { note() } }
    /// Drawing order among everything in the foreground layer, compared before `zIndex`. Default 300,000: above markers, below info
    /// windows.
    public var globalZIndex = defaultGlobalZIndex { didSet { note() } }
    /// Whether it is left out of the picture. Default false.
    public var isHidden = false { didSet { note() } }
    /// The lowest zoom at which it is drawn, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound { didSet { note() } }
    /// The highest zoom at which it is drawn, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound { didSet { note() } }
    /// Whether it can be picked and tapped. Default false.
    public var isSelectable = false { didSet { note() } }
    /// Whether a camera that is fitted to all overlays shows it. Default true.
    public var isFitted = true { didSet { note() } }
    /// A number for the user's own purposes. Default 0.
    public var tag = 0
    /// Data for the user's own purposes. Default empty.
    public var userInfo: [String: Any] = [:]
    /// Called when it is tapped, if it is selectable. Returns whether it has handled the tap, so that no other handler is called. Default
    /// nil: it has not.
    public var touchHandler: ((ViewOverlay) -> Bool)?
    /// The map it is on.
    public internal(set) weak var mapView: MapView?

    /// The global z index that view overlays have by default.
    public static let defaultGlobalZIndex = 300_000

    /// A view overlay that is on no map yet.
    public init(content: OverlayContent, coordinates: LatLng) {
        (self.content, self.coordinates) = (content, coordinates)
        super.init()
    }

    /// Whether it is part of the picture: the opposite of `isHidden`. Default true.
    public var isVisible: Bool {
        get { !isHidden }
        set { isHidden = !newValue }
    }

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

    /// Adds a view overlay, above those with equal z indexes, after removing it from the map that it is on. It is refused if an overlay or
    /// view overlay of this map has its id, with a diagnostic of the next frame.
    /// - Returns: Whether it is on this map now.
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

    /// Removes a view overlay. Does nothing if it is not on this map.
    public func remove(_ overlay: ViewOverlay) {
        guard overlay.mapView === self else { return }
        _ = substitute(nil, for: overlay)
    }

    /// The view overlay with an id; nil if no view overlay has it.
    public func viewOverlay(withID id: String) -> ViewOverlay? { windows.viewOverlays.first { $0.id == id } }
}
