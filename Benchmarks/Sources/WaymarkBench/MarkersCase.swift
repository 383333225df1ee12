import Foundation
import Waymark

/// Workloads W2 and W7: a picture of 1024 × 1024 full of markers, drawn repeatedly with the camera moved each time.
struct MarkersCase {
    /// Eight icons of 24 × 24 pixels of straight RGBA, concatenated.
    let icons: String
    /// Longitudes and latitudes as Float64, then an icon number of one byte for each.
    let points: String
    var tilt = 0.0
    var bearing = 0.0
    /// Whether each marker hides those it overlaps.
    var isHiding = false
    /// The duration for which frames are measured.
    var budget = Duration.seconds(3)

    struct Figures: Encodable {
        var device: String
        var markers: Int
        /// From the arrays to the first finished picture; the device is already open.
        var setup_ms: Double
        /// Frames with the camera moved each time.
        var moved: FrameTimes
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    static let side = 1024
    static let iconSide = 24
    static let iconCount = 8
    static let center = LatLng(lat: 37.5665, lng: 126.9780)
    static let zoom = 11.0

    func run() throws -> Figures {
        let images = try readIcons()
        let places = try Places(contentsOf: points)
        let renderer = try Renderer()
        var picture = Picture()
        var watch = Stopwatch()
        let mapView = map(places, images)
        try renderer.render(mapView, into: &picture)
        let setup = watch.lap()
        let meanByte = picture.bitmap.meanByte
        let times = try FrameTimes(renderer, budget: budget) { step in
            mapView.camera = camera(step: step)
            try renderer.render(mapView, into: &picture)
        }
        return Figures(
            device: renderer.deviceName, markers: places.count, setup_ms: setup, moved: times,
            peak_rss_mib: peakMemory(), mean_byte: meanByte)
    }

    /// The map, and the number of its markers.
    func map() throws -> (MapView, Int) {
        let places = try Places(contentsOf: points)
        return (map(places, try readIcons()), places.count)
    }

    private func map(_ places: Places, _ images: [OverlayImage]) -> MapView {
        let mapView = MapView(size: CGSize(width: Self.side, height: Self.side))
        mapView.camera = camera(step: 0)
        mapView.add(markers(places, images))
        return mapView
    }

    /// Steps of a fraction of a pixel to two pixels, never far from the center; step 0 is at the center.
    private func camera(step: Int) -> Camera {
        let pixel = 360 / (512 * exp2(Self.zoom))
        let (right, up) = (Double(step % 7) * 0.37, Double(step % 5) * 0.53)
        let center = LatLng(lat: Self.center.lat + up * pixel, lng: Self.center.lng + right * pixel)
        return Camera(center: center, zoom: Self.zoom, bearing: bearing, tilt: tilt)
    }

    private func markers(_ places: Places, _ images: [OverlayImage]) -> [Marker] {
        (0..<places.count).map { index in
            let marker = Marker()
            marker.position = LatLng(lat: places.lat[index], lng: places.lng[index])
            marker.iconImage = images[Int(places.icon[index])]
            marker.anchor = CGPoint(x: 0.5, y: 0.5)
            if isHiding { marker.isHideCollidedMarkers = true }
            return marker
        }
    }

    private func readIcons() throws -> [OverlayImage] {
        let size = Self.iconSide * Self.iconSide * 4
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: icons)))
        guard bytes.count == size * Self.iconCount else {
            throw Arguments.Mistake("\(icons): \(bytes.count) bytes are not \(Self.iconCount) icons")
        }
        return stride(from: 0, to: bytes.count, by: size).compactMap { start in
            Bitmap(width: Self.iconSide, height: Self.iconSide, straightPixels: Array(bytes[start..<start + size]))
                .map { OverlayImage(bitmap: $0) }
        }
    }
}

/// The positions of markers, and the icon of each.
struct Places {
    let lng: [Double]
    let lat: [Double]
    let icon: [UInt8]

    var count: Int { icon.count }

    /// Reads a file of longitudes and latitudes as Float64 and icon numbers as bytes, column by column.
    init(contentsOf path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        let bytesEach = 2 * MemoryLayout<Double>.size + 1
        guard data.count.isMultiple(of: bytesEach) else { throw Arguments.Mistake("\(path): \(data.count) bytes are not whole columns") }
        let count = data.count / bytesEach
        (lng, lat, icon) = data.withUnsafeBytes { bytes in
            func doubles(from start: Int) -> [Double] {
                (0..<count).map { bytes.loadUnaligned(fromByteOffset: start + $0 * MemoryLayout<Double>.size, as: Double.self) }
            }
            let column = count * MemoryLayout<Double>.size
            return (doubles(from: 0), doubles(from: column), Array(bytes[(2 * column)...]))
        }
        guard icon.allSatisfy({ $0 < MarkersCase.iconCount }) else { throw Arguments.Mistake("\(path): an icon number is too large") }
    }
}
