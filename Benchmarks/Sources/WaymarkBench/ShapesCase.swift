import Foundation
import Waymark

/// Lines and areas: a picture of 1024 × 1024, drawn repeatedly with the camera moved each time.
struct ShapesCase {
    enum Kind: String {
        /// One line, 4 pt wide with round joins. The file: longitudes, then latitudes, as Float64.
        case line
        /// Lines of 20 points, each with a name along it. The file: longitudes, then latitudes of all lines, as Float64.
        case names
        /// Translucent discs with an outline. The file: longitudes, latitudes, radii in meters, as Float64.
        case circles
        /// Translucent areas with an outline, the whole world. The file: GeoJSON.
        case areas
    }

    let kind: Kind
    let file: String
    var tilt = 0.0
    var budget = Duration.seconds(3)

    struct Figures: Encodable {
        var device: String
        var shapes: Int
        /// From the arrays to the first finished picture; the device is already open.
        var setup_ms: Double
        /// Frames with the camera moved each time, including reading back.
        var frame_ms: Times
        var layout_ms: Times
        var drawing_ms: Times
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    private static let fill = Color(red: 0.2, green: 0.533, blue: 1, alpha: 0.5)
    private static let edge = Color(red: 0.125, green: 0.188, blue: 0.251)
    private static let pointsOfNamedLine = 20
    private static let (warmRuns, leastRuns, mostRuns) = (3, 5, 300)

    func run() throws -> Figures {
        let renderer = try Renderer()
        var picture = Picture()
        let overlays = try makeOverlays()
        var watch = Stopwatch()
        let mapView = MapView(size: CGSize(width: MarkersCase.side, height: MarkersCase.side))
        mapView.camera = camera(step: 0)
        mapView.add(overlays)
        try renderer.render(mapView, into: &picture)
        let setup = watch.lap()
        let meanByte = picture.bitmap.meanByte
        if let path = ProcessInfo.processInfo.environment["WAYMARK_BENCH_PICTURE"] { try picture.write(to: path) }
        var step = 0
        var (frames, layouts, drawings): ([Duration], [Duration], [Duration]) = ([], [], [])
        let start = ContinuousClock.now
        while frames.count < Self.leastRuns || frames.count < Self.mostRuns && ContinuousClock.now - start < budget {
            step += 1
            mapView.camera = camera(step: step)
            let begun = ContinuousClock.now
            try renderer.render(mapView, into: &picture)
            guard step > Self.warmRuns else { continue }
            frames.append(ContinuousClock.now - begun)
            layouts.append(renderer.lastDurations.layout)
            drawings.append(renderer.lastDurations.drawing)
        }
        return Figures(
            device: renderer.deviceName, shapes: overlays.count, setup_ms: setup, frame_ms: Times(frames), layout_ms: Times(layouts),
            drawing_ms: Times(drawings), peak_rss_mib: peakMemory(), mean_byte: meanByte)
    }

    private func camera(step: Int) -> Camera {
        let zoom = kind == .areas ? 1 : MarkersCase.zoom
        let pixel = 360 / (512 * exp2(zoom))
        let middle = kind == .areas ? LatLng(lat: 0, lng: 0) : MarkersCase.center
        let center = LatLng(lat: middle.lat + Double(step % 5) * 0.53 * pixel, lng: middle.lng + Double(step % 7) * 0.37 * pixel)
        return Camera(center: center, zoom: zoom, tilt: tilt)
    }

    private func makeOverlays() throws -> [Overlay] {
        switch kind {
        case .line:
            let columns = try columns(2)
            let line = Polyline(points: zip(columns[0], columns[1]).map { LatLng(lat: $1, lng: $0) })
            line.width = 4
            line.color = Color(red: 0.867, green: 0.133, blue: 0.133)
            line.joinType = .round
            line.capType = .round
            return [line]
        case .names:
            let columns = try columns(2)
            let points = zip(columns[0], columns[1]).map { LatLng(lat: $1, lng: $0) }
            return stride(from: 0, to: points.count, by: Self.pointsOfNamedLine).map { first in
                let line = Polyline(points: Array(points[first..<min(first + Self.pointsOfNamedLine, points.count)]))
                line.lineText = "Street \(first / Self.pointsOfNamedLine + 1)"
                return line
            }
        case .circles:
            let columns = try columns(3)
            return columns[0].indices.map { index in
                let circle = Circle(center: LatLng(lat: columns[1][index], lng: columns[0][index]), radius: columns[2][index])
                circle.fillColor = Self.fill
                circle.outlineWidth = 1
                circle.outlineColor = Self.edge
                return circle
            }
        case .areas:
            return try areas().map { rings in
                let polygon = Polygon()
                polygon.polygons = rings
                polygon.fillColor = Self.fill
                polygon.outlineWidth = 1
                polygon.outlineColor = Self.edge
                return polygon
            }
        }
    }

    /// The file's columns of numbers.
    private func columns(_ count: Int) throws -> [[Double]] {
        let data = try Data(contentsOf: URL(filePath: file))
        let size = MemoryLayout<Double>.size
        guard data.count.isMultiple(of: count * size) else { throw Arguments.Mistake("\(file): \(data.count) bytes are not whole columns") }
        let rows = data.count / count / size
        return data.withUnsafeBytes { bytes in
            (0..<count).map { column in
                (0..<rows).map { bytes.loadUnaligned(fromByteOffset: (column * rows + $0) * size, as: Double.self) }
            }
        }
    }

    /// The areas of a GeoJSON file, each as polygons of rings.
    private func areas() throws -> [[[[LatLng]]]] {
        struct Collection: Decodable { var features: [Feature] }
        struct Feature: Decodable { var geometry: Geometry }
        struct Geometry: Decodable {
            var polygons: [[[[Double]]]]

            enum Key: String, CodingKey { case type, coordinates }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let isOne = try container.decode(String.self, forKey: .type) == "Polygon"
                polygons =
                    try isOne
                    ? [container.decode([[[Double]]].self, forKey: .coordinates)] : container.decode([[[[Double]]]].self, forKey: .coordinates)
            }
        }
        let collection = try JSONDecoder().decode(Collection.self, from: Data(contentsOf: URL(filePath: file)))
        return collection.features.map { feature in
            feature.geometry.polygons.map { $0.map { $0.map { LatLng(lat: $0[1], lng: $0[0]) } } }
        }
    }
}
