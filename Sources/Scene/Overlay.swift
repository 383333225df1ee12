import Foundation
import Synchronization
import WaymarkGeo
import WaymarkImaging

/// The band of the map in which an overlay is drawn; a later one lies above an earlier one, whatever their z indexes.
public enum MapLayerType: UInt8, Sendable, CaseIterable, Comparable {
    case background
    case area
    case road
    case transitStop
    case poi
    case foreground

    public static func < (a: MapLayerType, b: MapLayerType) -> Bool { a.rawValue < b.rawValue }
}

/// Something laid over the map. A change to a property shows in the next frame.
///
/// Setters cannot fail: an invalid value is kept as written, and the next frame leaves the overlay out, with the
/// reason `invalid` and a diagnostic that names the property.
public class Overlay: ViewObject {
    // A million overlays are held at a time, so the order of the stored ones is that in which they pack, and what few have
    // is in `details`: a marker takes 144 bytes.
    package final var journal: Journal?
    final var details: OverlayDetails?
    /// Order among overlays of the same layer and global z index; higher lies above. Default 0.
    public final var zIndex = 0 { didSet { note(.order) } }
    /// Order among overlays of the same layer, before `zIndex`; at 0 and above it lies over the base map's symbols.
    /// The default depends on the kind.
    public final var globalZIndex: Int { didSet { note(.order) } }
    package final var slot: Int32 = -1
    /// What the overlay is.
    public let type: OverlayType
    /// The band it is drawn in. Default `foreground`.
    public final var mapLayerType = MapLayerType.foreground { didSet { note(.order) } }
    /// Whether it takes no part in the picture at all: neither drawn nor colliding nor picked. Default false.
    public final var isHidden = false { didSet { note(.visibility) } }

    package init(type: OverlayType, globalZIndex: Int) {
        self.type = type
        self.globalZIndex = globalZIndex
    }

    /// Whether all properties are known to be valid without a look at the table: nearly all of a million markers are.
    var isPlainlyValid: Bool { false }
    /// Whether the properties are valid that are stored in a value which overlays share.
    var hasValidShare: Bool { true }

    /// The details of this kind of overlay.
    func makeDetails() -> OverlayDetails { OverlayDetails() }

    /// The valid altitudes in meters: from below any sea to beyond any satellite.
    public static let altitudeRange = -1e6...1e9

    /// Whether the overlay lacks what it needs to be added to a map.
    package var isPlaceless: Bool { false }
    /// The property that it needs for that.
    package var placeProperty: String { "position" }

    /// It has come onto a map.
    func didEnter(_ mapView: MapView) {}

    package final func note(_ change: Journal.Change) {
        journal?.note(slot, change)
    }
}

/// What few overlays have; a subclass has what only a kind has.
class OverlayDetails {
    final var id: String?
    final var uniqueId = 0
    final var altitude = 0.0
    final var minZoom = Camera.zoomRange.lowerBound
    final var maxZoom = Camera.zoomRange.upperBound
    final var hiddenZooms: ZoomLevels = []
    /// Everything that was ever changed of the details. Here, since it fits in what `hiddenZooms` leaves free of a word.
    final var changes: Journal.Change = []
    final var tag = 0
    final var userInfo: [String: Any] = [:]
    final var membership: Membership?

    /// Which container an overlay is in.
    final class Membership {
        weak var container: Container?
        /// The overlay's place among the container's children, gaps counted.
        var place: Int

        init(_ container: Container, place: Int) {
            self.container = container
            self.place = place
        }
    }
}

extension Overlay {
    final func changeDetails(_ change: Journal.Change, _ edit: (OverlayDetails) -> Void) {
        let details = details ?? makeDetails()
        self.details = details
        details.changes.formUnion(change)
        edit(details)
        note(change)
    }

    private static let lastUniqueId = Atomic(0)

    /// The number of this object in the process: given when it is first asked for, and never used twice.
    public final var uniqueId: Int {
        if let details, details.uniqueId > 0 { return details.uniqueId }
        let number = Self.lastUniqueId.add(1, ordering: .relaxed).newValue
        changeDetails([]) { $0.uniqueId = number }
        return number
    }

    /// Meters above the ground, added to the altitude of the position. Default 0; below 0 the overlay is not drawn.
    public final var altitude: Double {
        get { details?.altitude ?? 0 }
        set { changeDetails(.position) { $0.altitude = newValue } }
    }

    /// The user's name for it, unique in a map: scene files, `inspect` and batch jobs refer to it by this name. Default nil.
    public final var id: String? {
        get { details?.id }
        set { changeDetails(.identity) { $0.id = newValue } }
    }

    /// The lowest zoom at which it is drawn, itself included; valid in 0…24. Default 0.
    public final var minZoom: Double {
        get { details?.minZoom ?? Camera.zoomRange.lowerBound }
        set { changeDetails(.visibility) { $0.minZoom = newValue } }
    }

    /// The highest zoom at which it is drawn, itself included; valid in 0…24. Default 24.
    public final var maxZoom: Double {
        get { details?.maxZoom ?? Camera.zoomRange.upperBound }
        set { changeDetails(.visibility) { $0.maxZoom = newValue } }
    }

    /// The whole zoom levels at which it is not drawn, whatever its zoom range; level 14 rules zooms from 14 up to, not
    /// including, 15. Default none.
    public final var hiddenZooms: ZoomLevels {
        get { details?.hiddenZooms ?? [] }
        set { changeDetails(.visibility) { $0.hiddenZooms = newValue } }
    }

    /// Shows or hides it at whole zoom levels, both ends included; levels outside 0…24 are none.
    public final func setVisibility(_ isVisible: Bool, fromZoom first: Int, toZoom last: Int) {
        let levels = ZoomLevels(from: first, through: last)
        hiddenZooms = isVisible ? hiddenZooms.subtracting(levels) : hiddenZooms.union(levels)
    }

    /// Shows or hides it at one whole zoom level.
    public final func setVisibility(_ isVisible: Bool, atZoom level: Int) {
        setVisibility(isVisible, fromZoom: level, toZoom: level)
    }

    /// Whether it is visible, and shown at a zoom by its zoom range and its hidden levels.
    public final func isVisible(atZoom zoom: Double) -> Bool {
        isVisible && ZoomVisibility(minZoom: minZoom, maxZoom: maxZoom, hidden: hiddenZooms).contains(zoom)
    }

    /// The user's number for it. Default 0.
    public final var tag: Int {
        get { details?.tag ?? 0 }
        set { changeDetails([]) { $0.tag = newValue } }
    }

    /// The user's data. Default empty.
    public final var userInfo: [String: Any] {
        get { details?.userInfo ?? [:] }
        set { changeDetails([]) { $0.userInfo = newValue } }
    }

    /// Whether it takes part in the picture: the opposite of `isHidden`. Default true.
    public final var isVisible: Bool {
        get { !isHidden }
        set { isHidden = !newValue }
    }

    /// The container that it is in; nil when it is in none. `Container.add` and `Container.remove` change it.
    public final var parent: Container? { details?.membership?.container }

    /// The map it is on, by itself or in a container. Setting it adds the overlay to that map, above its equals, and takes it
    /// off another one; nil removes it, from its container, too. An overlay that lacks its position, or is in a container,
    /// is not added: the map's next frame reports it, in a diagnostic.
    public final var mapView: MapView? {
        get { journal?.mapView }
        set {
            if let newValue {
                newValue.add(self)
            } else {
                mapView?.remove(self)
            }
        }
    }

    /// At which zooms it is drawn; nil when at all.
    package final var zoomVisibility: ZoomVisibility? {
        guard let details, !details.hasDefaultZooms else { return nil }
        return ZoomVisibility(minZoom: details.minZoom, maxZoom: details.maxZoom, hidden: details.hiddenZooms)
    }
}

extension OverlayDetails {
    fileprivate var hasDefaultZooms: Bool {
        minZoom == Camera.zoomRange.lowerBound && maxZoom == Camera.zoomRange.upperBound && hiddenZooms.isEmpty
    }
}
