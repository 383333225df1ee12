import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

extension MapView {
    /// A map with a camera.
    convenience init(_ width: Double, _ height: Double, pixelRatio: Double = 1, _ camera: Camera = Camera()) {
        self.init(size: CGSize(width: width, height: height), pixelRatio: pixelRatio)
        self.camera = camera
    }

    convenience init(_ design: DesignCamera, pixelRatio: Double = 1) {
        self.init(design.width, design.height, pixelRatio: pixelRatio, design.camera)
    }

    func placement() throws -> Placement { try Composer.of(self).place(self) }

    func inspection() throws -> Inspection { try placement().inspection() }

    func frame() throws -> Frame { try placement().frame }

    func extent() throws -> Extent? { try Composer.of(self).extent(of: self, pixelRatio: pixelRatio) }

    /// A new map with the same contents, without any cached state.
    func afresh() -> MapView {
        let copy = MapView(size: size, pixelRatio: pixelRatio)
        copy.camera = camera
        copy.background = background
        copy.imageFolders = imageFolders
        // Sorted by the order in which the overlays were added, which breaks ties.
        let store = store
        let slots = store.slots.indices.filter { store.slots[$0] != nil }.sorted { store.insertions[$0] < store.insertions[$1] }
        var twins: [Overlay: Overlay] = [:]
        for overlay in slots.compactMap({ store.slots[$0] }) {
            let twin = overlay.twin()
            twins[overlay] = twin
            let marker = twin as? Marker
            let position = marker?.position
            // Without a position it would be rejected.
            marker?.position = LatLng(lat: 0, lng: 0)
            if let container = overlay.parent.flatMap({ twins[$0] as? Container }) { container.add(twin) } else { copy.add(twin) }
            marker?.position = position
        }
        return copy
    }

    /// Adds a marker at a place and returns it.
    @discardableResult
    func add(_ lat: Double, _ lng: Double, _ change: (Marker) -> Void = { _ in }) -> Marker {
        let marker = Marker(position: LatLng(lat: lat, lng: lng))
        change(marker)
        add(marker)
        return marker
    }

    /// The entry of the only overlay.
    func entry() throws -> Inspection.OverlayEntry { try inspection().overlays[0] }

    /// The ids in the picture from bottom to top.
    func drawn() throws -> [String] {
        try inspection().overlays.filter { $0.order != nil }.sorted { $0.order! < $1.order! }.map(\.id)
    }
}

extension Overlay {
    /// A copy of a marker, or an empty container with the same properties.
    fileprivate func twin() -> Overlay {
        if let marker = self as? Marker { return marker.copy() }
        let container = Container()
        container.copyProperties(of: self)
        container.id = id
        return container
    }
}

extension MapView {
    /// A map of a city, at a zoom at which every screen point is a place on the map.
    convenience init(city width: Double, _ height: Double, pixelRatio: Double = 1, bearing: Double = 0, tilt: Double = 0) {
        self.init(
            width, height, pixelRatio: pixelRatio,
            Camera(center: LatLng(lat: 37.5670135, lng: 126.9783740), zoom: 14, bearing: bearing, tilt: tilt))
    }

    /// Adds a marker with a square icon of 20 pt, centered at a point of the picture in pt.
    @discardableResult
    func put(_ id: String, _ x: Double, _ y: Double, in container: Container? = nil, _ change: (Marker) -> Void = { _ in }) throws -> Marker
    {
        let marker = Marker(position: try #require(geoCoordinates(from: CGPoint(x: x, y: y))))
        marker.id = id
        marker.iconImage = .solid(Int(20 * pixelRatio), Int(20 * pixelRatio), scale: pixelRatio)
        marker.anchor = CGPoint(x: 0.5, y: 0.5)
        change(marker)
        if let container {
            container.add(marker)
        } else {
            add(marker)
        }
        return marker
    }

    /// The result for every marker, by id: "icon bottom", "icon caption<a", "icon<a caption<a collided".
    func fates() throws -> [String: String] {
        let markers = try inspection().overlays.filter { $0.type == .marker }
        return Dictionary(uniqueKeysWithValues: markers.map { ($0.id, $0.fate) })
    }

    func entry(_ id: String) throws -> Inspection.OverlayEntry {
        try #require(inspection().overlays.first { $0.id == id })
    }

    /// The box of a marker's caption.
    func captionRect(_ id: String) throws -> Inspection.Rect { try #require(entry(id).caption?.rect) }
}

extension Inspection.OverlayEntry {
    /// Whether the icon is shown, or its hider; the caption's align, or its hider; and the reason if nothing is shown.
    var fate: String {
        var words: [String] = []
        if let icon { words.append(icon.isVisible ? "icon" : icon.hiddenBy.map { "icon<\($0)" } ?? "-") }
        if let caption {
            words.append(caption.isVisible ? caption.align?.rawValue ?? "?" : caption.hiddenBy.map { "caption<\($0)" } ?? "-")
        }
        if let reason { words.append(reason.name) }
        return words.joined(separator: " ")
    }
}

/// The fonts that these tests share.
func fonts() throws -> FontLibrary { try FontLibrary.of(.default) }

/// The size in pt of a text, before rounding to pixels. Default text size 12 pt.
func textSize(_ text: String, size: Double = 12) throws -> (width: Double, height: Double) {
    let layout = try fonts().layout(TextRequest(text: text, size: size))
    return (layout.width, layout.height)
}

extension OverlayImage {
    /// An opaque image of a size in pixels.
    static func solid(_ width: Int, _ height: Int, scale: Double = 1) -> OverlayImage {
        OverlayImage(bitmap: Bitmap(width: width, height: height, fill: .red), scale: scale)
    }
}

extension [Inspection.Point] {
    /// Whether each corner is within a distance in pt of the expected one.
    func isNear(_ expected: [(x: Double, y: Double)], within distance: Double) -> Bool {
        count == expected.count && zip(self, expected).allSatisfy { abs($0.x - $1.x) <= distance && abs($0.y - $1.y) <= distance }
    }
}

/// Fonts that no other test uses, so that shaping can be counted.
func someFonts() throws -> (folder: ScratchFolder, source: FontSource) {
    let folder = ScratchFolder()
    for name in ["NotoSans-Regular.ttf", "NotoSans-Bold.ttf"] {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(name)", withDestinationPath: "/usr/share/fonts/truetype/noto/\(name)")
    }
    return (folder, .folder(folder.path))
}
