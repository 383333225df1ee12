import Foundation
import Synchronization
import WaymarkGeo
import WaymarkImaging

/// The layer of the map in which an overlay is drawn. From bottom to top, the layers are `background`, `area`, `road`, `transitStop`, `poi`
/// and `foreground`. An overlay in a higher layer lies above all overlays in lower layers, regardless of z indexes.
public enum MapLayerType: UInt8, Sendable, CaseIterable, Comparable {
    case background
    case area
    case road
    case transitStop
    case poi
    case foreground

    public static func < (a: MapLayerType, b: MapLayerType) -> Bool { a.rawValue < b.rawValue }
}

/// An object shown on the map. A change to a property is visible in the next frame.
///
/// Setters never fail. A property keeps an invalid value, but the overlay is then not drawn. An `Inspection` gives the reason `invalid` for
/// the overlay, and a diagnostic names the property.
public class Overlay: ViewObject {
    // A map may hold a million overlays. The stored properties are ordered to pack tightly, and properties that few overlays set are in
    // `extras`: a marker takes 128 bytes, including malloc's overhead.
    package final var store: OverlayStore?
    private final var extras = OverlayExtras.none
    private final var shortZIndex: Int32 = 0
    private final var shortGlobalZIndex: Int32
    package final var slot: Int32 = -1
    /// The type of the overlay.
    public let type: OverlayType
    /// The layer in which the overlay is drawn. Default `foreground`.
    public final var mapLayerType = MapLayerType.foreground { didSet { note(.order) } }
    /// Whether the overlay is hidden. A hidden overlay is not drawn and does not collide. It is found only by picking that includes
    /// invisible objects. Default false.
    public final var isHidden = false { didSet { note(.visibility) } }

    package init(type: OverlayType, globalZIndex: Int) {
        self.type = type
        shortGlobalZIndex = Int32(globalZIndex)
    }

    /// Whether all properties are known to be valid without consulting the property table. This is true for nearly all markers of a large
    /// map.
    var isPlainlyValid: Bool { false }
    /// Whether the properties stored in an object that several overlays share are valid.
    var hasValidShare: Bool { true }

    /// Creates an object for the rarely used properties of this type of overlay.
    func makeDetails() -> OverlayDetails { OverlayDetails() }

    /// The valid altitudes in meters, from below any sea to beyond any satellite.
    public static let altitudeRange = -1e6...1e9

    /// Whether the overlay lacks the position or geometry that it needs to be added to a map.
    package var isPlaceless: Bool { false }
    /// The name of the property that holds this position or geometry.
    package var placeProperty: String { "position" }

    /// Called after the overlay has been added to a map.
    func didEnter(_ mapView: MapView) {}

    package final func note(_ change: ChangedProperties) {
        store?.changes.note(slot, change)
    }
}

extension Overlay {
    /// The drawing order among overlays with the same `mapLayerType` and `globalZIndex`. Overlays with higher values lie above overlays
    /// with lower values. Default 0.
    ///
    /// The default `globalZIndex` of shapes is lower than the default of markers. To draw a shape above a marker, raise the `globalZIndex`
    /// of the shape, or put each of the two into its own container with ``Container/isOrderedAsOne``.
    public final var zIndex: Int {
        get { shortZIndex == .min ? details?.rarities?.zIndex ?? 0 : Int(shortZIndex) }
        set {
            shortZIndex = Self.short(newValue)
            if shortZIndex == .min { changeRarities([]) { $0.zIndex = newValue } }
            note(.order)
        }
    }

    /// The drawing order among overlays with the same `mapLayerType`, compared before `zIndex`. An overlay in the `foreground` layer lies
    /// above the base map's symbols if this value is 0 or more. All other overlays lie beneath the symbols. The default depends on the
    /// overlay's type.
    public final var globalZIndex: Int {
        get { shortGlobalZIndex == .min ? details?.rarities?.globalZIndex ?? 0 : Int(shortGlobalZIndex) }
        set {
            shortGlobalZIndex = Self.short(newValue)
            if shortGlobalZIndex == .min { changeRarities([]) { $0.globalZIndex = newValue } }
            note(.order)
        }
    }

    /// A z index in 32 bits. The lowest number stands for an index that does not fit. That index is stored in the details.
    private static func short(_ index: Int) -> Int32 { Int32(exactly: index) ?? .min }
}

/// The data of an overlay besides its stored properties.
private enum OverlayExtras {
    case none
    /// Only an id, which is typical of overlays in a file.
    case id(OverlayID)
    case details(OverlayDetails)
}

/// Properties that few overlays set. Subclasses add the properties of one type of overlay.
class OverlayDetails {
    final var id: OverlayID?
    final var membership: Membership?
    final var rarities: Rarities?
    /// All changes ever made to the details.
    final var changes: ChangedProperties = []
    final var isFitted = true

    /// Properties that very few overlays on a large map set.
    final class Rarities {
        var uniqueId = 0
        /// A z index that does not fit in 32 bits.
        var zIndex = 0
        var globalZIndex = 0
        var altitude = 0.0
        var minZoom = Camera.zoomRange.lowerBound
        var maxZoom = Camera.zoomRange.upperBound
        var hiddenZooms: ZoomLevels = []
        var tag = 0
        var userInfo: [String: Any] = [:]
        var touchHandler: ((Overlay) -> Bool)?
        var consumesTaps: Bool?
    }

    /// An overlay's membership in a container.
    final class Membership {
        weak var container: Container?
        /// The overlay's index among the container's children, counting gaps.
        var place: Int

        init(_ container: Container, place: Int) {
            self.container = container
            self.place = place
        }
    }
}

extension Overlay {
    final var details: OverlayDetails? {
        if case .details(let details) = extras { details } else { nil }
    }

    package final var keptID: OverlayID? {
        switch extras {
        case .none: nil
        case .id(let id): id
        case .details(let details): details.id
        }
    }

    final func changeDetails(_ change: ChangedProperties, _ edit: (OverlayDetails) -> Void) {
        let details = details ?? addDetails()
        details.changes.formUnion(change)
        edit(details)
        note(change)
    }

    private func addDetails() -> OverlayDetails {
        let details = makeDetails()
        details.id = keptID
        extras = .details(details)
        return details
    }

    private func changeRarities(_ change: ChangedProperties, _ edit: (OverlayDetails.Rarities) -> Void) {
        changeDetails(change) { details in
            let rarities = details.rarities ?? OverlayDetails.Rarities()
            details.rarities = rarities
            edit(rarities)
        }
    }

    private static let lastUniqueId = Atomic(0)

    /// A number that is unique in the process. It is assigned on first access and never reused.
    public final var uniqueId: Int {
        if let rarities = details?.rarities, rarities.uniqueId > 0 { return rarities.uniqueId }
        let number = Self.lastUniqueId.add(1, ordering: .relaxed).newValue
        changeRarities([]) { $0.uniqueId = number }
        return number
    }

    /// The altitude in meters above the ground. It is added to the altitude of the overlay's position. If the sum is below 0, the overlay
    /// is not drawn. Default 0.
    public final var altitude: Double {
        get { details?.rarities?.altitude ?? 0 }
        set { changeRarities(.position) { $0.altitude = newValue } }
    }

    /// The overlay's name, chosen by the user and unique on a map. Scene files, inspections and batch jobs refer to overlays by id. Default
    /// nil.
    ///
    /// If you change an id to the id of another overlay on the map, the changed overlay is invalid. It is not drawn while both have the
    /// same id. An overlay that has no id in a scene file gets an id made of its type and index, such as `marker-3`. If another overlay
    /// already has that id, a suffix is added: `marker-3~2`.
    public final var id: String? {
        get { keptID?.text }
        set { setID(newValue.map { OverlayID(given: $0) }) }
    }

    private func setID(_ id: OverlayID?) {
        guard !(id == nil && keptID == nil) else { return }
        if let id, let old = keptID, id.isMadeUp == old.isMadeUp, id.text == old.text { return }
        func change() {
            if let details { details.id = id } else { extras = id.map { .id($0) } ?? .none }
            note(.identity)
        }
        if let store, id?.isMadeUp != true { store.changeID(of: self, change) } else { change() }
    }

    package final func setMadeUpID(_ id: OverlayID) { setID(id) }

    /// Whether a camera fitted to all overlays shows this overlay or, for a container, its contents. Default true.
    public final var isFitted: Bool {
        get { details?.isFitted ?? true }
        set { changeDetails(.identity) { $0.isFitted = newValue } }
    }

    /// The lowest zoom at which the overlay is drawn, inclusive; valid in 0…24. Default 0.
    public final var minZoom: Double {
        get { details?.rarities?.minZoom ?? Camera.zoomRange.lowerBound }
        set { changeRarities(.visibility) { $0.minZoom = newValue } }
    }

    /// The highest zoom at which the overlay is drawn, inclusive; valid in 0…24. Default 24.
    public final var maxZoom: Double {
        get { details?.rarities?.maxZoom ?? Camera.zoomRange.upperBound }
        set { changeRarities(.visibility) { $0.maxZoom = newValue } }
    }

    /// The integer zoom levels at which the overlay is not drawn, regardless of its zoom range. Level 14 covers the zooms from 14 up to,
    /// but not including, 15. Default: none.
    public final var hiddenZooms: ZoomLevels {
        get { details?.rarities?.hiddenZooms ?? [] }
        set { changeRarities(.visibility) { $0.hiddenZooms = newValue } }
    }

    /// Shows or hides the overlay at a range of integer zoom levels, both ends included. Levels outside 0…24 are ignored.
    public final func setVisibility(_ isVisible: Bool, fromZoom first: Int, toZoom last: Int) {
        let levels = ZoomLevels(from: first, through: last)
        hiddenZooms = isVisible ? hiddenZooms.subtracting(levels) : hiddenZooms.union(levels)
    }

    /// Shows or hides the overlay at one integer zoom level.
    public final func setVisibility(_ isVisible: Bool, atZoom level: Int) {
        setVisibility(isVisible, fromZoom: level, toZoom: level)
    }

    /// Whether the overlay's own properties allow it to be drawn at the given zoom: it is not hidden, the zoom is within
    /// `minZoom`…`maxZoom`, and none of the `hiddenZooms` covers the zoom. Containers are not considered. The zoom range of a cluster layer
    /// has no effect, because it limits only the clustering.
    public final func isVisible(atZoom zoom: Double) -> Bool {
        isVisible && (zoomVisibility?.contains(zoom) ?? true)
    }

    /// A number for your own purposes. Default 0.
    public final var tag: Int {
        get { details?.rarities?.tag ?? 0 }
        set { changeRarities([]) { $0.tag = newValue } }
    }

    /// Data for your own purposes. Default: empty.
    public final var userInfo: [String: Any] {
        get { details?.rarities?.userInfo ?? [:] }
        set { changeRarities(changeOfData) { $0.userInfo = newValue } }
    }

    /// A closure that handles taps. It is called when the overlay is the topmost object at a tapped point, before the map's delegate is
    /// called. If the closure returns true, it consumes the tap, and nothing else happens. If it returns false, it passes the tap on to the
    /// delegate, to the selection, and then to the map, whose observers receive `didTapMapAt`. Default nil: the overlay has no handler. A
    /// marker without a handler does not pass taps on to the map.
    public final var touchHandler: ((Overlay) -> Bool)? {
        get { details?.rarities?.touchHandler }
        set { changeRarities(changeOfData) { $0.touchHandler = newValue } }
    }

    /// The result of a tap handler in a scene file, which cannot contain closures. It is used if there is no `touchHandler`. Nil: no
    /// handler.
    package final var consumesTaps: Bool? {
        get { details?.rarities?.consumesTaps }
        set { changeRarities(changeOfData) { $0.consumesTaps = newValue } }
    }

    /// Calls the overlay's handler for a tap.
    /// - Returns: Whether the handler consumes the tap; nil without a handler.
    package final func handleTap() -> Bool? { touchHandler.map { $0(self) } ?? consumesTaps }

    /// The change to record for the user's data: none outside cluster layers, because only they read the values.
    private var changeOfData: ChangedProperties { store?.clusterLayer == nil ? [] : .data }

    /// Whether the overlay is part of the picture: the opposite of `isHidden`. Default true.
    public final var isVisible: Bool {
        get { !isHidden }
        set { isHidden = !newValue }
    }

    /// The container that contains this overlay; nil if none does. `Container.add` and `Container.remove` change this property.
    public final var parent: Container? { details?.membership?.container }

    /// The map that contains this overlay, either directly or through a container or cluster layer. Setting a map adds the overlay in the
    /// same way as `MapView.add`. If the overlay is refused, only a diagnostic of the map's next frame reports it. Setting nil removes the
    /// overlay from its map and from its container or cluster layer, even if the container or layer is on no map. The setter exists because
    /// map SDKs for mobile devices add overlays in this way.
    public final var mapView: MapView? {
        get { store.flatMap { $0.clusterLayer?.mapView ?? $0.mapView } }
        set {
            if let newValue {
                newValue.add(self)
            } else if let layer = store?.clusterLayer, let marker = self as? Marker {
                layer.remove(marker)
            } else if let parent {
                parent.remove(self)
            } else {
                mapView?.remove(self)
            }
        }
    }

    /// The overlay's name in messages, such as `the marker "hall"`, or `a marker` if it has no id.
    package final var label: String { id.map { "the \(type.rawValue) \"\($0)\"" } ?? "a \(type.rawValue)" }

    /// The message for an overlay that is not added to a map or a container because its id, or the id of an overlay inside it, is in use.
    final func refusal(adding target: String, takenID: String) -> String {
        givenID == takenID
            ? "not added to \(target), because another overlay has this id"
            : "not added to \(target), because it contains an overlay with the id \"\(takenID)\", which another overlay already has"
    }

    /// The zooms at which the overlay is drawn; nil for all zooms.
    package final var zoomVisibility: ZoomVisibility? {
        guard let rarities = details?.rarities else { return nil }
        let zooms = ZoomVisibility(minZoom: rarities.minZoom, maxZoom: rarities.maxZoom, hidden: rarities.hiddenZooms)
        guard zooms != ZoomVisibility() else { return nil }
        // The zoom range of a cluster layer only limits clustering.
        return type == .clusterLayer ? ZoomVisibility(hidden: rarities.hiddenZooms) : zooms
    }
}
