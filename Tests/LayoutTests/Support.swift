import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

extension MapView {
    /// A map in front of a camera.
    convenience init(_ width: Double, _ height: Double, pixelRatio: Double = 1, _ camera: Camera = Camera()) {
        self.init(size: CGSize(width: width, height: height), pixelRatio: pixelRatio)
        self.camera = camera
    }

    convenience init(_ design: DesignCamera, pixelRatio: Double = 1) {
        self.init(design.width, design.height, pixelRatio: pixelRatio, design.camera)
    }

    func placement() throws -> Placement { try Composer.of(self).place(self) }

    func inspection() throws -> Inspection { try placement().inspection(of: self) }

    func frame() throws -> Frame { try placement().frame() }

    /// A map with everything that this one has, built from nothing.
    func afresh() -> MapView {
        let copy = MapView(size: size, pixelRatio: pixelRatio)
        copy.camera = camera
        copy.background = background
        copy.imageFolders = imageFolders
        // Everything in the order in which it came onto the map, since that is what ties end with.
        let journal = journal
        let slots = journal.slots.indices.filter { journal.slots[$0] != nil }.sorted { journal.insertions[$0] < journal.insertions[$1] }
        var twins: [Overlay: Overlay] = [:]
        for overlay in slots.compactMap({ journal.slots[$0] }) {
            let twin = overlay.twin()
            twins[overlay] = twin
            let marker = twin as? Marker
            let position = marker?.position
            // Without a position it could not be added.
            marker?.position = LatLng(lat: 0, lng: 0)
            if let container = overlay.parent.flatMap({ twins[$0] as? Container }) { container.add(twin) } else { copy.add(twin) }
            marker?.position = position
        }
        return copy
    }

    /// Adds a marker at a place and gives it.
    @discardableResult
    func add(_ lat: Double, _ lng: Double, _ change: (Marker) -> Void = { _ in }) -> Marker {
        let marker = Marker(position: LatLng(lat: lat, lng: lng))
        change(marker)
        add(marker)
        return marker
    }

    /// What became of the only overlay.
    func entry() throws -> Inspection.OverlayEntry { try inspection().overlays[0] }

    /// The ids in the picture from bottom to top.
    func drawn() throws -> [String] {
        try inspection().overlays.filter { $0.order != nil }.sorted { $0.order! < $1.order! }.map(\.id)
    }
}

extension Overlay {
    /// Another marker, or an empty container, that is equal in everything.
    fileprivate func twin() -> Overlay {
        if let marker = self as? Marker { return marker.copy() }
        let container = Container()
        container.copyOverlayProperties(of: self)
        container.id = id
        return container
    }
}

extension OverlayImage {
    /// An opaque image of so many pixels.
    static func solid(_ width: Int, _ height: Int, scale: Double = 1) -> OverlayImage {
        OverlayImage(bitmap: Bitmap(width: width, height: height, fill: .red), scale: scale)
    }
}

extension [Inspection.Point] {
    /// Whether each corner is where it is expected, within so many pt.
    func isNear(_ expected: [(x: Double, y: Double)], within distance: Double) -> Bool {
        count == expected.count && zip(self, expected).allSatisfy { abs($0.x - $1.x) <= distance && abs($0.y - $1.y) <= distance }
    }
}
