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
        for case let marker as Marker in overlays {
            let twin = marker.copy()
            let position = twin.position
            // Without a position it could not be added.
            twin.position = LatLng(lat: 0, lng: 0)
            copy.add(twin)
            twin.position = position
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
