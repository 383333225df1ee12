import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

extension LatLng {
    /// A city, for maps whose place does not matter.
    public static let city = LatLng(lat: 37.5670135, lng: 126.9783740)
}

extension MapView {
    /// A map with a camera.
    public convenience init(_ width: Double, _ height: Double, pixelRatio: Double = 1, _ camera: Camera = Camera()) {
        self.init(size: CGSize(width: width, height: height), pixelRatio: pixelRatio)
        self.camera = camera
    }

    public convenience init(_ design: DesignCamera, pixelRatio: Double = 1) {
        self.init(design.width, design.height, pixelRatio: pixelRatio, design.camera)
    }

    /// A map of a city, at a zoom at which every screen point is a place on the map.
    public convenience init(city width: Double, _ height: Double, pixelRatio: Double = 1, bearing: Double = 0, tilt: Double = 0) {
        self.init(width, height, pixelRatio: pixelRatio, Camera(center: .city, zoom: 14, bearing: bearing, tilt: tilt))
    }

    /// Adds a marker at a place and returns it.
    @discardableResult
    public func add(_ lat: Double, _ lng: Double, _ change: (Marker) -> Void = { _ in }) -> Marker {
        let marker = Marker(position: LatLng(lat: lat, lng: lng))
        change(marker)
        add(marker)
        return marker
    }

    /// Adds a marker with a square icon of 20 pt, centered at a point of the picture in pt.
    /// - Throws: If the map does not show the ground at that point.
    @discardableResult
    public func put(_ id: String, _ x: Double, _ y: Double, in container: Container? = nil, _ change: (Marker) -> Void = { _ in }) throws
        -> Marker
    {
        struct NoGround: Error {}
        guard let position = geoCoordinates(from: CGPoint(x: x, y: y)) else { throw NoGround() }
        let marker = Marker(position: position)
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
}

extension Marker {
    /// A marker with an id, or without one.
    public convenience init(_ id: String?, lat: Double = 0, lng: Double = 0, zIndex: Int = 0) {
        self.init(position: LatLng(lat: lat, lng: lng))
        self.id = id
        self.zIndex = zIndex
    }
}

extension OverlayImage {
    /// An opaque image of a size in pixels.
    public static func solid(_ width: Int, _ height: Int, scale: Double = 1) -> OverlayImage {
        OverlayImage(bitmap: Bitmap(width: width, height: height, fill: .red), scale: scale)
    }
}
