import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// A map: a camera, and the overlays in front of it. It holds state and a journal of changes, nothing else; a
/// `Renderer` makes pictures of it.
///
/// Overlays and maps stay in the isolation domain that made them.
public final class MapView {
    /// The picture's size in pt.
    public var size: CGSize
    /// Device pixels for one pt, valid in 0.5…8. Default 1.
    public var pixelRatio: Double
    /// Where the map is seen from. Values out of range are kept, and rendering throws.
    public var camera = Camera()
    /// What the picture is cleared to. Default transparent.
    public var background = Color.clear

    /// Where images are looked up that are known by name, first to last. Default none.
    public var imageFolders: [String] = []

    /// The language of place names as a BCP 47 tag: it chooses between the Chinese, Japanese and Korean shapes of the
    /// characters they share. Default `ko`.
    public var language = MapView.defaultLanguage
    /// Where captions' fonts are found. Default the folder that the environment's `WAYMARK_FONT_DIR` names, else those of the
    /// system.
    public var fontSource = FontSource.default
    /// Labels and points of interest of the base map. Default none.
    public var symbols: [Symbol] = [] { didSet { journal.noteSymbols() } }

    /// How many samples of each pixel the edges of models are drawn with: 4, or 1 for hard edges. Others are kept, and rendering
    /// throws. Default 4.
    public var modelSamples = 4

    package let journal = Journal()
    /// What places the map's overlays, once a picture was asked for.
    package var layout: (any MapLayout)?

    /// A map without overlays, its camera at zoom 0 over (0, 0).
    /// - Parameters:
    ///   - size: The picture in pt; size · pixelRatio must come to 1…65,535 device pixels a side, else rendering throws.
    ///   - pixelRatio: Device pixels for one pt, 0.5…8. Default 1.
    public init(size: CGSize, pixelRatio: Double = 1) {
        self.size = size
        self.pixelRatio = pixelRatio
        journal.mapView = self
    }

    deinit {
        journal.close()
    }
}

extension MapView {
    /// The overlays on the map, in the order in which they were added; what is in containers is in their `children`.
    public var overlays: [Overlay] {
        let journal = journal
        let present = journal.slots.indices.filter { slot in journal.slots[slot].map { $0.parent == nil } ?? false }
        return present.sorted { journal.insertions[$0] < journal.insertions[$1] }.compactMap { journal.slots[$0] }
    }

    /// Adds an overlay above its equals, and takes it off the map that it is on; adding it where it is already does
    /// nothing. One that lacks its position is refused, and so is one in a container, which goes where its container goes:
    /// the next frame tells, in a diagnostic.
    public func add(_ overlay: Overlay) {
        guard !overlay.isPlaceless else {
            let property = overlay.placeProperty
            refuse(overlay, property, "not added to the map, because it has no \(property)")
            return
        }
        guard overlay.mapView !== self else { return }
        if let container = overlay.parent {
            refuse(overlay, nil, "not added to the map, because it is in \(container.label); remove it from there first")
            return
        }
        overlay.mapView?.remove(overlay)
        journal.insert(overlay)
    }

    private func refuse(_ overlay: Overlay, _ path: String?, _ message: String) {
        journal.report(Diagnostic(path: path, id: overlay.id ?? overlay.type.rawValue, message: message))
    }

    /// Makes room for overlays to come.
    package func reserve(_ count: Int) {
        journal.reserve(count)
    }

    /// Adds overlays in their order.
    public func add(_ overlays: some Collection<Overlay>) {
        journal.reserve(overlays.count)
        for overlay in overlays {
            add(overlay)
        }
    }

    /// Takes an overlay off the map, out of its container when it is in one; one that is not on the map is left as it is.
    public func remove(_ overlay: Overlay) {
        guard overlay.mapView === self else { return }
        if let container = overlay.parent {
            container.remove(overlay)
        } else {
            journal.remove(overlay)
        }
    }

    /// Takes all overlays off the map; containers keep what is in them.
    public func removeAll() {
        for overlay in overlays {
            journal.remove(overlay)
        }
    }

    /// The camera in front of the picture; throws for the first number that is out of range.
    public func viewport() throws(PropertyError) -> Viewport {
        try Viewport(camera: camera, size: pointSize, pixelRatio: pixelRatio)
    }

    /// What `modelSamples` may be.
    public static let modelSampleCounts = [1, 4]

    /// Throws when models cannot be drawn with so many samples.
    package func checkModelSamples() throws(PropertyError) {
        guard Self.modelSampleCounts.contains(modelSamples) else {
            throw PropertyError(path: "modelSamples", problem: "\(modelSamples) is neither 1 nor 4")
        }
    }

    /// Whether a text has the form of a BCP 47 tag.
    package static func isLanguageTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts[0].count >= 2
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
            }
    }

    package static let defaultLanguage = "ko"

    package var pointSize: PointSize { PointSize(width: size.width, height: size.height) }

    /// The screen point in pt at which a coordinate is seen; nil when it is behind the camera, beyond the far limit,
    /// under the ground or outside the projection, or when the camera is out of range.
    public func point(from position: LatLng) -> CGPoint? {
        try? viewport().point(from: position)
    }

    /// The coordinate on the ground under a screen point in pt; nil above the horizon, beyond the far limit or outside
    /// the projection, or when the camera is out of range.
    public func geoCoordinates(from point: CGPoint) -> LatLng? {
        try? viewport().geoCoordinates(from: point)
    }

    /// Metres on the ground for one pt of the map at a latitude and the camera's zoom.
    public func metersPerPoint(atLatitude lat: Double) -> Double {
        1 / WebMercator.pointsPerMetre(lat: lat, worldSize: WebMercator.worldSize(zoom: camera.zoom))
    }

    /// The box of coordinates around all ground that is seen; nil when the camera is out of range.
    public var visibleBounds: LatLngBounds? {
        try? viewport().visibleBounds
    }
}
