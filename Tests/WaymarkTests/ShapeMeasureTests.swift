import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Shapes from the objects to the pixels, measured.
@Suite struct ShapeMeasureTests {
    private func frame(_ map: MapView) throws -> Frame { try Composer.of(map).place(map).frame }

    private func draw(_ map: MapView) throws -> Bitmap {
        let frame = try frame(map)
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    /// How many pixels of a row are covered.
    private func coverage(_ bitmap: Bitmap, row: Int) -> Double {
        (0..<bitmap.width).reduce(0) { $0 + Double(bitmap[$1, row].alpha) } / 255
    }

    private func map(_ camera: Camera, _ overlays: Overlay...) -> MapView {
        let map = MapView(size: CGSize(width: 400, height: 300))
        map.camera = camera
        map.add(overlays)
        return map
    }

    /// A row across the line sees its width over the sine of the angle, whatever way the line goes and the camera looks. At higher tilts, the
    /// far limit is in the picture, and lines thin out toward it.
    @Test(arguments: [0.0, 30, 60, 70], [0.0, 17, 45, 70, -33]) func linesAreAsWideAsTheyShould(tilt: Double, bearing: Double) throws {
        let camera = Camera(center: LatLng(lat: 20, lng: 30), zoom: 9, bearing: bearing, tilt: tilt)
        let line = Polyline(points: [LatLng(lat: 19.7, lng: 30), LatLng(lat: 20.3, lng: 30)])
        for width in [1, 2.5, 7, 30] {
            line.width = width
            let map = map(camera, line)
            let (a, b) = (try #require(map.point(from: line.points[0])), try #require(map.point(from: line.points[1])))
            let across = hypot(b.x - a.x, b.y - a.y) / abs(b.y - a.y)
            let bitmap = try draw(map)
            // Nearly along the row it would leave the picture.
            for row in 146..<154 where width * across < 200 {
                #expect(abs(coverage(bitmap, row: row) - width * across) < 0.02 + 0.004 * width * across, "\(width) pt, row \(row)")
            }
            map.remove(line)
        }
    }

    /// The outline of an area is as wide as a line in perspective: its width is measured on the ground.
    @Test(arguments: [0.0, 35, 60], [true, false]) func outlinesGrowTowardTheViewer(tilt: Double, isPerspectiveEnabled: Bool) throws {
        let camera = Camera(center: LatLng(lat: 20, lng: 30), zoom: 9, tilt: tilt)
        let area = Polygon(points: [(19.3, 30), (20.7, 30), (20.7, 40), (19.3, 40)].map { LatLng(lat: $0.0, lng: $0.1) })
        (area.fillColor, area.outlineWidth, area.isPerspectiveEnabled) = (.clear, 6, isPerspectiveEnabled)
        let map = map(camera, area)
        let bitmap = try draw(map)
        for row in stride(from: 5, to: 300, by: 10) {
            let place = try #require(map.geoCoordinates(from: CGPoint(x: 200, y: Double(row) + 0.5)))
            guard abs(place.lat - 20) < 0.6 else { continue }
            // One pt of ground to the east.
            let next = try #require(map.point(from: LatLng(lat: place.lat, lng: 30 + 360 / (512 * exp2(9)))))
            let scale = isPerspectiveEnabled ? next.x - 200 : 1
            #expect(abs(coverage(bitmap, row: row) - 6 * scale) < 0.05 * scale + 0.03, "row \(row), scale \(scale)")
        }
    }

    /// The outline of a circle around a pole continues where its ring ends on one copy of the world and begins on the next.
    /// Alphas that 8 bits can represent.
    @Test(arguments: [0.4, 1], [90.0, -90]) func aCircleAroundAPoleHasNoTick(alpha: Double, pole: Double) throws {
        // At 7° and 100° a place and the same one on the next copy of the world are not exactly 1 apart.
        for (zoom, lng) in [(0.0, 123.0), (1.7, 123), (0, 7), (0, 100), (1.7, 100)] {
            let camera = Camera(center: LatLng(lat: pole > 0 ? 70 : -70, lng: 100), zoom: zoom)
            let circle = Circle(center: LatLng(lat: pole, lng: lng), radius: 2_000_000)
            (circle.fillColor, circle.outlineWidth, circle.outlineColor) = (.clear, 7.3, Color(red: 0, green: 0, blue: 0, alpha: alpha))
            let bitmap = try draw(map(camera, circle))
            var drawn = 0
            for y in 0..<bitmap.height {
                for x in 1..<bitmap.width { #expect(bitmap[x, y] == bitmap[0, y], "\(x), \(y)") }
                drawn += Int(bitmap[0, y].alpha)
            }
            #expect(abs(Double(drawn) - 7.3 * 255 * alpha) < 3)
        }
    }

    /// A line that runs over itself has the edges of one that does not.
    @Test(arguments: [0.5, 1, 2, 7], [StrokeStyleOfTest.plain, .round, .dashed, .outlined, .onGround])
    func linesOverThemselvesStayAsSoft(width: Double, style: StrokeStyleOfTest) throws {
        let camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 4)
        let (a, b) = (LatLng(lat: -2.1, lng: -6), LatLng(lat: 2.3, lng: 6))
        func line(_ parts: [[LatLng]]) -> Polyline {
            let line = Polyline()
            line.parts = parts
            line.width = width
            style.apply(line)
            return line
        }
        let once = try draw(map(camera, line([[a, b]])))
        let covered = (0..<300).flatMap { y in (0..<400).map { x in once[x, y].alpha } }.count { $0 > 0 }
        #expect(covered > 100)
        for parts in [[[a, b], [a, b], [a, b]], [[a, b], [b, a]], [[a, b, a]], [[a, b, a, b]]] where style != .dashed || parts.count == 3 {
            let twice = try draw(map(camera, line(parts)))
            for y in 0..<300 {
                for x in 0..<400 { #expect(abs(Int(once[x, y].alpha) - Int(twice[x, y].alpha)) <= 2, "\(parts.count) parts, \(x), \(y)") }
            }
        }
    }

    enum StrokeStyleOfTest: CaseIterable {
        case plain, round, dashed, outlined, onGround

        func apply(_ line: Polyline) {
            switch self {
            case .plain: break
            case .round: (line.capType, line.joinType) = (.round, .round)
            case .dashed: line.pattern = [12, 5]
            case .outlined: (line.outlineWidth, line.outlineColor, line.color) = (1, .black, Color(red: 1, green: 0, blue: 0, alpha: 0.5))
            case .onGround: line.isPerspectiveEnabled = true
            }
        }
    }

    /// The part ahead on a route leaves no trace along the traveled part.
    @Test func thePassedPartOfARouteHasNoOtherEdges() throws {
        let route = Route(points: [LatLng(lat: -2.1, lng: -6), LatLng(lat: 2.3, lng: 6)])
        (route.color, route.passedColor, route.outlineColor) = (.white, Color(red: 0.5, green: 0, blue: 0), .black)
        (route.outlineWidth, route.progress) = (2, 1)
        let bitmap = try draw(map(Camera(center: LatLng(lat: 0, lng: 0), zoom: 4), route))
        for y in 0..<300 {
            for x in 0..<400 { #expect(bitmap[x, y].green == 0) }
        }
        #expect(bitmap[200, 148].red == 128)
    }

    /// Sharp turns keep their joins, without a seam where the parts of the line meet.
    @Test(arguments: [LineJoin.miter, .bevel, .round]) func sharpTurnsHaveNoSeam(join: LineJoin) throws {
        let camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 4)
        let line = Polyline(points: [LatLng(lat: -0.3, lng: -6), LatLng(lat: 0, lng: 4), LatLng(lat: 0.3, lng: -6)])
        (line.width, line.joinType, line.miterLimit) = (20, join, 100)
        let bitmap = try draw(map(camera, line))
        // Along the middle, from well inside to the corner.
        for x in 150..<285 { #expect(bitmap[x, 150].alpha == 255, "\(x)") }
        #expect((bitmap[310, 150].alpha > 0) == (join == .miter))
    }

    /// On the ground a line that runs away from the viewer is as wide as its place is near.
    @Test(arguments: [0.0, 30, 60, 78]) func linesOnTheGroundShrinkWithDistance(tilt: Double) throws {
        let camera = Camera(center: LatLng(lat: 0, lng: 30), zoom: 9, tilt: tilt)
        let line = Polyline(points: [LatLng(lat: -40, lng: 30), LatLng(lat: 40, lng: 30)])
        line.isPerspectiveEnabled = true
        line.width = 20
        let map = map(camera, line)
        let bitmap = try draw(map)
        let (sin, cos) = (Foundation.sin(tilt * .pi / 180), Foundation.cos(tilt * .pi / 180))
        for row in stride(from: 120, to: 300, by: 9) {
            // D / depth, from the camera's formulas at the middle of the row.
            let m = (150 - (Double(row) + 0.5)) / 450
            let depth = 450 + m * 450 / (cos - m * sin) * sin
            #expect(abs(coverage(bitmap, row: row) - 20 * 450 / depth) < 0.05)
        }
    }

    /// The great circle distance by the haversine formula.
    private func distance(_ a: LatLng, _ b: LatLng) -> Double {
        let r = Double.pi / 180
        let h = pow(sin((b.lat - a.lat) * r / 2), 2) + cos(a.lat * r) * cos(b.lat * r) * pow(sin((b.lng - a.lng) * r / 2), 2)
        return 2 * 6_378_137 * asin(min(1, h.squareRoot()))
    }

    /// Every corner and every middle of an edge is at the radius from the middle, to a part of a pixel.
    @Test(arguments: [0.0, 60, -75, 37.5], [100.0, 20_000, 1_000_000]) func circlesAreTrueInMetres(lat: Double, radius: Double) throws {
        let center = LatLng(lat: lat, lng: 179)
        let map = map(Camera(center: center, zoom: 0), Circle(center: center, radius: radius))
        // As large as the picture.
        map.camera.zoom = min(24, log2(120 * 2 * .pi * 6_378_137 * cos(lat * .pi / 180) / (radius * 512)) - (radius > 5e5 ? 0.7 : 0))
        for tilt in [0.0, 50] {
            map.camera.tilt = tilt
            let frame = try frame(map)
            let ring = Array(frame.points(ofContour: 0))
            #expect(ring.count > 20)
            let metres = map.metersPerPoint(atLatitude: lat)
            for (a, b) in zip(ring, ring.dropFirst() + [ring[0]]) where a != b {
                for point in [a, (a + b) / 2] {
                    guard point.x > 0, point.y > 0, point.x < 400, point.y < 300 else { continue }
                    let place = try #require(map.geoCoordinates(from: CGPoint(x: Double(point.x), y: Double(point.y))))
                    // Where the map is stretched, and far on a tilted one, a pixel is more meters or fewer.
                    let stretch = max(1, cos(place.lat * .pi / 180) / cos(lat * .pi / 180)) * (tilt > 0 ? 4 : 1)
                    #expect(abs(distance(center, place) - radius) < 0.11 * metres * stretch)
                }
            }
        }
    }

    /// The distance of the camera's center from the edge of the first drawn object, in device pixels.
    private func distanceToEdge(_ map: MapView) throws -> Double {
        let frame = try frame(map)
        return frame.paths[0].contours.flatMap { index in
            let ring = frame.points(ofContour: index)
            return zip(ring, ring.dropFirst() + ring.prefix(1)).map { a, b -> Double in
                let (step, from) = (SIMD2<Double>(b - a), SIMD2(200, 150) - SIMD2<Double>(a))
                let share = min(1, max(0, (from * step).sum() / max((step * step).sum(), 1e-30)))
                let off = from - step * share
                return (off * off).sum().squareRoot()
            }
        }.min() ?? .infinity
    }

    @Test(arguments: [0.0, 60], [12.0, 18, 22, 24]) func circlesOfAThousandKilometresAreExactFromNear(tilt: Double, zoom: Double) throws {
        let radius = 1_000_000.0
        let circle = Circle(center: LatLng(lat: 60, lng: 170), radius: radius)
        for bearing in [0.0, 13, 90, 200, 301] {
            let (lat, lng) = (60 * Double.pi / 180, 170 * Double.pi / 180)
            let (angle, way) = (radius / 6_378_137, bearing * .pi / 180)
            let lat2 = asin(sin(lat) * cos(angle) + cos(lat) * sin(angle) * cos(way))
            let lng2 = lng + atan2(sin(way) * sin(angle) * cos(lat), cos(angle) - sin(lat) * sin(lat2))
            let edge = LatLng(lat: lat2 * 180 / .pi, lng: lng2 * 180 / .pi)
            let map = map(Camera(center: edge, zoom: zoom, bearing: 20, tilt: tilt), circle)
            #expect(try distanceToEdge(map) < 0.05)
            map.remove(circle)
        }
    }

    @Test(arguments: [3.0, 12, 22, 24]) func greatCirclesAreExactFromNear(zoom: Double) throws {
        let (a, b) = (LatLng(lat: -30, lng: 150), LatLng(lat: 50, lng: -120))
        let line = Polyline(points: [a, b])
        line.isGeodesic = true
        line.width = 6
        func vector(_ place: LatLng) -> SIMD3<Double> {
            let (lat, lng) = (place.lat * .pi / 180, place.lng * .pi / 180)
            return SIMD3(cos(lat) * cos(lng), cos(lat) * sin(lng), sin(lat))
        }
        let (from, to) = (vector(a), vector(b))
        for share in [0.1, 0.25, 0.5, 0.77] {
            let between = from * (1 - share) + to * share
            let place = LatLng(
                lat: atan2(between.z, hypot(between.x, between.y)) * 180 / .pi, lng: atan2(between.y, between.x) * 180 / .pi)
            let map = map(Camera(center: place, zoom: zoom, bearing: 33), line)
            // The middle of the line, so both edges are three away.
            #expect(abs(try distanceToEdge(map) - 3) < 0.06)
            map.remove(line)
        }
    }

    @Test(arguments: [0.0, 50, 80]) func linesOfAThousandKilometresAreExactFromNear(tilt: Double) throws {
        // Straight on the map: half-way in Mercator's y.
        let (south, north) = (40.0, 49.0)
        func y(_ lat: Double) -> Double { asinh(tan(lat * .pi / 180)) }
        let middle = LatLng(lat: atan(sinh((y(south) + y(north)) / 2)) * 180 / .pi, lng: 7.25)
        let line = Polyline(points: [LatLng(lat: south, lng: 5), LatLng(lat: north, lng: 9.5)])
        line.width = 6
        let map = map(Camera(center: middle, zoom: 22, bearing: 10, tilt: tilt), line)
        #expect(abs(try distanceToEdge(map) - 3) < 0.05)
        // On the ground, a line across the view is foreshortened; along it, it is as wide.
        line.isPerspectiveEnabled = true
        if tilt == 0 { #expect(abs(try distanceToEdge(map) - 3) < 0.05) }
        // Dashes keep their places on the ground.
        line.pattern = [10, 10]
        let first = try frame(map)
        map.camera.center.lng += 3 * 360 / (512 * exp2(22))
        let second = try frame(map)
        #expect(!first.contours.isEmpty)
        if tilt == 0 {
            // Three pt to the east at bearing 10.
            let shift = PathPoint(Float(-3 * cos(10 * Double.pi / 180)), Float(3 * sin(10 * Double.pi / 180)))
            let near = first.pathPoints.filter { abs($0.x - 200) < 100 && abs($0.y - 150) < 100 }
            #expect(near.count > 10)
            for point in near {
                let moved = point + shift
                #expect(second.pathPoints.contains { abs($0.x - moved.x) < 0.02 && abs($0.y - moved.y) < 0.02 })
            }
        }
    }

    @Test func translucentLinesHaveOneAlpha() throws {
        let line = Polyline(
            points: [(20.0, 10.0), (20.3, 10.6), (20.0, 10.6), (20.3, 10.0), (20.15, 9.9)].map { LatLng(lat: $0.0, lng: $0.1) })
        line.width = 16
        line.color = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        let map = map(Camera(center: LatLng(lat: 20.15, lng: 10.3), zoom: 8.5), line)
        for join in LineJoin.allCases {
            line.joinType = join
            line.outlineWidth = 0
            let bitmap = try draw(map)
            #expect(bitmap[200, 150].alpha == 128)
            #expect((0..<300).allSatisfy { y in (0..<400).allSatisfy { bitmap[$0, y].alpha <= 128 } })
            // With an outline, no pixel is darker than either color.
            line.outlineWidth = 5
            line.outlineColor = Color(red: 0, green: 0, blue: 1, alpha: 0.5)
            let outlined = try draw(map)
            #expect(outlined[200, 150] == Bitmap.Pixel(red: 128, green: 0, blue: 0, alpha: 128))
            #expect((0..<300).allSatisfy { y in (0..<400).allSatisfy { outlined[$0, y].alpha <= 129 } })
        }
    }

    /// Behind the camera and beyond the far limit, an area that holds the viewer covers all ground that is seen.
    @Test(arguments: [60.0, 75, 80], [0.0, 40]) func areasAroundTheViewerCoverTheGround(tilt: Double, bearing: Double) throws {
        let sheet = Polygon(
            points: [(-70.0, -100.0), (-70, 0), (-70, 100), (70, 100), (70, 0), (70, -100)].map { LatLng(lat: $0.0, lng: $0.1) })
        let map = map(Camera(center: LatLng(lat: 10, lng: 20), zoom: 7, bearing: bearing, tilt: tilt), sheet)
        let bitmap = try draw(map)
        let horizon = try map.viewport().farLimitY ?? 0
        for y in 0..<300 {
            let expected: UInt8? = Double(y) > horizon + 1 ? 255 : Double(y) < horizon - 1 ? 0 : nil
            guard let expected else { continue }
            #expect((0..<400).allSatisfy { bitmap[$0, y].alpha == expected }, "row \(y)")
        }
    }
}

/// Real countries, at every center.
@Suite struct CountryTests {
    private struct Collection: Decodable { var features: [Feature] }
    private struct Properties: Decodable {
        var name: String
    }

    private struct Feature: Decodable {
        var properties: Properties
        var geometry: Geometry
    }
    private struct Geometry: Decodable {
        var polygons: [[[[Double]]]]
        enum Key: String, CodingKey { case type, coordinates }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if try container.decode(String.self, forKey: .type) == "Polygon" {
                polygons = [try container.decode([[[Double]]].self, forKey: .coordinates)]
            } else {
                polygons = try container.decode([[[[Double]]]].self, forKey: .coordinates)
            }
        }
    }

    private let countries: [(name: String, polygon: Waymark.Polygon)] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/countries.geojson")
        guard let data = try? Data(contentsOf: file), let read = try? JSONDecoder().decode(Collection.self, from: data) else { return [] }
        return read.features.map { feature in
            let polygon = Polygon()
            polygon.polygons = feature.geometry.polygons.map { $0.map { $0.map { LatLng(lat: $0[1], lng: $0[0]) } } }
            polygon.fillColor = .black
            return (feature.properties.name, polygon)
        }
    }()

    private func draw(_ map: MapView) throws -> (bitmap: Bitmap, diagnostics: [Diagnostic]) {
        let placement = try Composer.of(map).place(map)
        let diagnostics = placement.diagnostics
        let frame = placement.frame
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: 1).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return (bitmap, diagnostics)
    }

    /// The area of a country on the map, as a fraction of the world's.
    private func area(_ polygon: Waymark.Polygon) -> Double {
        func y(_ lat: Double) -> Double { (1 - asinh(tan(min(85.051129, max(-85.051129, lat)) * .pi / 180)) / .pi) / 2 }
        return polygon.polygons.reduce(0) { sum, rings in
            let areas = rings.map { ring -> Double in
                zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
                    $0 + ($1.1.lng - $1.0.lng) / 360 * (y($1.0.lat) + y($1.1.lat)) / 2
                }
            }
            return sum + abs(areas[0]) - areas.dropFirst().reduce(0) { $0 + abs($1) }
        }
    }

    @Test func pixelsComeToTheAreasOfAllCountries() throws {
        #expect(countries.count == 177)
        for (name, polygon) in countries {
            // The whole world, over ±180° for every second.
            let map = MapView(1024, 1024, Camera(center: LatLng(lat: 0, lng: name.count % 2 == 0 ? 0 : 180), zoom: 1))
            map.add(polygon)
            let (bitmap, diagnostics) = try draw(map)
            #expect(diagnostics.isEmpty, "\(name)")
            var (sum, edges) = (0, 0)
            for index in stride(from: 3, to: bitmap.pixels.count, by: 4) {
                sum += Int(bitmap.pixels[index])
                if bitmap.pixels[index] > 0, bitmap.pixels[index] < 255 { edges += 1 }
            }
            let expected = area(polygon) * 1024 * 1024
            // Lines simplified by 0.05 px at most, and steps of 1/255.
            #expect(abs(Double(sum) / 255 - expected) < 0.05 + 0.03 * Double(edges), "\(name): \(Double(sum) / 255), not \(expected)")
            map.remove(polygon)
        }
    }

    /// The world is a cylinder: turned under the camera by whole pixels it is the same picture, moved.
    @Test(arguments: ["Fiji", "Russia", "Antarctica", "United States of America", "New Zealand"])
    func countriesAreTheSameAtEveryCentre(name: String) throws {
        let polygon = try #require(countries.first { $0.name == name }).polygon
        polygon.outlineWidth = 2
        polygon.fillColor = Color(red: 0, green: 0, blue: 0, alpha: 0.5)
        let map = MapView(size: CGSize(width: 512, height: 512))
        map.add(polygon)
        map.camera = Camera(zoom: 0)
        let reference = try draw(map).bitmap
        for pixels in [1, 100, 255, 256, 257, 400, 511] {
            map.camera.center.lng = Double(pixels) / 512 * 360
            let moved = try draw(map).bitmap
            var different = 0
            for y in 0..<512 {
                for x in 0..<512 where !reference[(x + pixels) % 512, y].isNear(moved[x, y], within: 2) { different += 1 }
            }
            #expect(different == 0, "\(pixels) px east")
        }
        map.remove(polygon)
    }

    /// No seam shows where a country is cut at ±180°, flat, turned and tilted: along that line it is as inside.
    @Test(arguments: [(0.0, 0.0), (30, 0), (0, 50), (110, 60)]) func thereIsNoSeam(bearing: Double, tilt: Double) throws {
        let map = MapView(size: CGSize(width: 200, height: 200))
        for (name, lat, zoom) in [("Russia", 67.5, 6.0), ("Antarctica", -84.9, 5), ("Fiji", -16.5, 10)] {
            let polygon = try #require(countries.first { $0.name == name }).polygon
            polygon.outlineWidth = 4
            polygon.fillColor = Color(red: 0, green: 0, blue: 0, alpha: 0.5)
            polygon.outlineColor = .red
            map.camera = Camera(center: LatLng(lat: lat, lng: 180), zoom: zoom, bearing: bearing, tilt: tilt)
            map.add(polygon)
            let bitmap = try draw(map).bitmap
            let inside = Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 128)
            let row = (92...108).map { bitmap[$0, 100] }
            #expect(row.allSatisfy { $0.isNear(inside) }, "\(name): \(row.map(\.alpha))")
            map.remove(polygon)
        }
    }
}
