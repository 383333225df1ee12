import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// `inspect` agrees with the drawn picture: one marker at a time.
@Suite(.serialized) @MainActor struct InspectionTests {
    init() { PinnedRasterizer.pin }

    /// How far a point is inside a convex quad whose corners run clockwise on the screen; negative outside.
    private func depth(_ x: Double, _ y: Double, in quad: [Inspection.Point]) -> Double {
        var depth = Double.infinity
        for (a, b) in zip(quad, quad.dropFirst() + quad.prefix(1)) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0 else { continue }
            depth = min(depth, (dx * (y - a.y) - dy * (x - a.x)) / length)
        }
        return depth
    }

    @Test(arguments: Seeds.slow) func theQuadIsWhatIsDrawn(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<6 {
            let ratio = random.one(of: [1.0, 2, 1.5])
            let mapView = MapView(
                random.number(60...160).rounded(), random.number(60...160).rounded(), pixelRatio: ratio,
                Camera(
                    center: LatLng(lat: random.number(-50...50), lng: random.number(-180...180)), zoom: random.number(4...18),
                    bearing: random.number(0...360), tilt: random.one(of: [0, random.number(0...70)])))
            let point = CGPoint(x: random.number(-10...mapView.size.width + 10), y: random.number(-10...mapView.size.height + 10))
            guard let place = mapView.geoCoordinates(from: point) else { continue }
            let marker = mapView.add(place.lat, place.lng) {
                // Opaque, so that covered pixels are those with alpha.
                $0.iconImage = OverlayImage(bitmap: Bitmap(width: 20, height: 30, fill: .red), scale: ratio)
                $0.anchor = CGPoint(x: random.number(0...1), y: random.number(0...1))
            }
            if random.once(in: 2) { marker.angle = random.number(0...360) }
            if random.once(in: 2) { (marker.width, marker.height) = (random.number(4...60), random.number(4...60)) }
            marker.isFlat = random.once(in: 2)
            marker.iconPerspectiveEnabled = random.once(in: 2)
            if random.once(in: 3) { marker.altitude = random.number(0...20) * mapView.metersPerPoint(atLatitude: place.lat) }
            let entry = try mapView.inspection().overlays[0]
            let picture = try draw(mapView)
            guard entry.isVisible else {
                #expect(picture.inked == nil)
                continue
            }
            guard let quad = entry.icon?.quad?.map({ Inspection.Point(x: $0.x * ratio, y: $0.y * ratio) }) else { continue }
            let isExact = marker.angle == 0 && !marker.isFlat && !marker.iconPerspectiveEnabled
            // Where the quad is thin or seen at a slant, partial coverage is an estimate.
            let (inner, outer) = isExact ? (0.01, -0.01) : (1.0, -1.5)
            var missing = 0
            var extra = 0
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    let depth = depth(Double(x) + 0.5, Double(y) + 0.5, in: quad)
                    if depth > inner, picture[x, y].alpha != 255 { missing += 1 }
                    if depth < outer, picture[x, y].alpha != 0 { extra += 1 }
                }
            }
            #expect(missing == 0 && extra == 0, "\(mapView.camera) \(entry) missing \(missing) extra \(extra)")
        }
    }

    @Test(arguments: Seeds.slow) func theCoverageIsTheQuadsArea(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(160, 160, Camera(zoom: 10, bearing: random.number(0...360), tilt: random.number(0...50)))
        let marker = mapView.add(0, 0) {
            $0.iconImage = OverlayImage(bitmap: Bitmap(width: 20, height: 30, fill: .red))
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            ($0.width, $0.height) = (random.number(15...90), random.number(15...90))
            $0.angle = random.number(0...360)
        }
        marker.isFlat = random.once(in: 2)
        let quad = try #require(try mapView.inspection().overlays[0].icon?.quad)
        let next = Array(quad.dropFirst() + quad.prefix(1))
        let area = abs(zip(quad, next).map { $0.x * $1.y - $1.x * $0.y }.reduce(0, +)) / 2
        let perimeter = zip(quad, next).map { (($0.x - $1.x) * ($0.x - $1.x) + ($0.y - $1.y) * ($0.y - $1.y)).squareRoot() }.reduce(0, +)
        let picture = try draw(mapView)
        let covered = stride(from: 3, to: picture.pixels.count, by: 4).map { Double(picture.pixels[$0]) / 255 }.reduce(0, +)
        #expect(abs(covered - area) < 0.1 * perimeter, "\(covered) \(area) \(perimeter)")
    }
}
