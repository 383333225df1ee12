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
