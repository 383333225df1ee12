import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Countries that border on each other, each a separate overlay.
@Suite(.serialized) struct SeamTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private struct World: Decodable {
        var features: [Feature]

        struct Feature: Decodable {
            var geometry: Geometry
        }

        struct Geometry: Decodable {
            var polygons: [[[LatLng]]]

            enum Key: String, CodingKey { case type, coordinates }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let isOne = try container.decode(String.self, forKey: .type) == "Polygon"
                let rings =
                    try isOne
                    ? [container.decode([[[Double]]].self, forKey: .coordinates)]
                    : container.decode([[[[Double]]]].self, forKey: .coordinates)
                polygons = rings.map { $0.map { $0.map { LatLng(lat: $0[1], lng: $0[0]) } } }
            }
        }

        static func countries() throws -> [[[[LatLng]]]] {
            let data = try Data(contentsOf: SeamTests.root.appendingPathComponent("Examples/countries.geojson"))
            return try JSONDecoder().decode(World.self, from: data).features.map(\.geometry.polygons)
        }
    }

    private func map(_ areas: [[[[LatLng]]]], _ color: Color, background: Color, _ camera: Camera, _ ratio: Double) -> MapView {
        let map = MapView(size: CGSize(width: 400, height: 400), pixelRatio: ratio)
        map.background = background
        map.camera = camera
        for polygons in areas {
            let area = Polygon()
            area.polygons = polygons
            area.fillColor = color
            map.add(area)
        }
        return map
    }

    private func frame(_ map: MapView) throws -> Frame { try Composer.of(map).place(map).frame }

    private func draw(_ frame: Frame) -> Bitmap {
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    /// How many pixels differ by more than a few steps.
    private func differences(_ a: Bitmap, _ b: Bitmap, above steps: Int) -> Int {
        var count = 0
        for index in stride(from: 0, to: a.pixels.count, by: 4) {
            if (0..<4).contains(where: { abs(Int(a.pixels[index + $0]) - Int(b.pixels[index + $0])) > steps }) { count += 1 }
        }
        return count
    }

    /// The separate areas must look like all areas as one overlay, whose borders cancel each other before anything is drawn.
    @Test(
        arguments: [
            (Camera(center: LatLng(lat: 20, lng: 10), zoom: 0), 1.0), (Camera(center: LatLng(lat: 20, lng: 10), zoom: 1), 1),
            (Camera(center: LatLng(lat: 10, lng: 20), zoom: 2.3, bearing: 33), 2),
            (Camera(center: LatLng(lat: 48, lng: 12), zoom: 4.2), 1.5),
            (Camera(center: LatLng(lat: 20, lng: 10), zoom: 2, tilt: 50), 1),
            (Camera(center: LatLng(lat: 0, lng: 100), zoom: 3.7, bearing: -70, tilt: 75), 2),
        ] as [(Camera, Double)]) func noSeamBetweenCountries(camera: Camera, ratio: Double) throws
    {
        let countries = try World.countries()
        #expect(countries.count == 177)
        let translucent = Color(red: 0.2, green: 0.53, blue: 1, alpha: 0.5)
        for (color, background) in [(Color.white, Color.black), (translucent, .white)] {
            let frame = try frame(map(countries, color, background: background, camera, ratio))
            let expected = draw(try self.frame(map([countries.flatMap { $0 }], color, background: background, camera, ratio)))
            // Three areas that meet in a pixel of translucent color are rounded more often than one.
            let steps = color == .white ? 0 : 2
            #expect(differences(draw(frame), expected, above: steps) == 0, "\(camera)")
            var plain = frame
            for index in plain.paths.indices { (plain.paths[index].run, plain.paths[index].layering) = (0, .over) }
            #expect(differences(draw(plain), expected, above: steps) > 200, "\(camera)")
        }
    }

    /// A highlight on the border is laid over it plainly: of the border's pixels, each has as much of it as it covers.
    @Test func aHighlightIsPlainlyOver() throws {
        func square(_ west: Double) -> Polygon {
            Polygon(points: [(0, 0), (0, 1), (1, 1), (1, 0)].map { LatLng(lat: $0.0, lng: west + $0.1) })
        }
        // A degree is 512 pt; the border lies in the middle of a pixel.
        let map = MapView(size: CGSize(width: 9, height: 3))
        map.background = .black
        map.camera = Camera(center: LatLng(lat: 0.5, lng: 0), zoom: log2(360))
        let (west, east, highlight) = (square(-1), square(0), square(0))
        highlight.fillColor = .red
        map.add([west, east, highlight])
        let renderer = try Renderer(device: .software)
        func middle() throws -> Bitmap.Pixel { try renderer.render(map).bitmap[4, 1] }
        let half = Bitmap.Pixel(red: 255, green: 128, blue: 128, alpha: 255)
        // At the same rank, the pixel was covered already, and half of it is drawn over.
        #expect(try middle().isNear(half))
        highlight.zIndex = 1
        #expect(try middle().isNear(half))
        // On the border of a single area, the two layerings differ.
        map.remove(east)
        #expect(try middle().isNear(Bitmap.Pixel(red: 191, green: 64, blue: 64, alpha: 255)))
        highlight.zIndex = 0
        #expect(try middle().isNear(half))
    }
}
