import Foundation
import Testing
import Waymark
import WaymarkImaging
import WaymarkTestSupport

/// The object picked at a point is the visible one: random scenes of objects with distinct colors are drawn, and each object also alone, so
/// that its coverage of every pixel is known.
@MainActor @Suite(.serialized) struct PickingAgainstPicturesTests {
    @Test(arguments: Seeds.slow) func whatIsPickedIsWhatShows(seed: UInt64) throws {
        var scene = PaintedScene(seed: seed)
        let mapView = scene.mapView
        let shown = try draw(mapView)
        let masks = try scene.masks()
        let ratio = mapView.pixelRatio
        let numbers = Dictionary(uniqueKeysWithValues: scene.objects.enumerated().map { ($1.key, $0) })
        var compared = 0
        for y in stride(from: scene.random.integer(0...3), to: shown.height, by: 4) {
            for x in stride(from: scene.random.integer(0...3), to: shown.width, by: 4) {
                let point = CGPoint(x: (Double(x) + 0.5) / ratio, y: (Double(y) + 0.5) / ratio)
                let found = mapView.hits(at: point, HitOptions(tolerance: 0))
                let hits = found.compactMap { numbers[.init(object: ObjectIdentifier($0.object), part: $0.part)] }
                #expect(hits.count == found.count)
                let coverage = masks.map { Int($0[x, y].alpha) }
                let pixel = shown[x, y]
                func fault(_ text: String) -> Comment {
                    let known = coverage.enumerated().filter { $1 > 0 }.map { "\(scene.objects[$0].name) \($1)" }
                    return "\(text) at pixel \(x), \(y) of \(pixel); hits \(hits.map { scene.objects[$0].name }); coverage \(known)"
                }
                // An object that covers the whole pixel is hit; if a marker's icon and caption do, the upper one.
                let objects = found.map(\.object)
                for (number, covered) in coverage.enumerated() where covered == 255 {
                    #expect(objects.contains { $0 === scene.objects[number].object }, fault("\(scene.objects[number].name) is not hit"))
                }
                // A hit object has some coverage. A sliver of a model may lie between the samples, and a caption is hit between its letters.
                for number in hits where !scene.objects[number].isModel && scene.objects[number].key.part != .caption {
                    #expect(coverage[number] > 0, fault("\(scene.objects[number].name) is hit"))
                }
                guard let top = hits.first else { continue }
                // An object that covers less than half of the pixel is not hit, but may lie above.
                let others = coverage.enumerated().filter { !hits.contains($0.offset) }.map { 1 - Double($0.element) / 255 }
                let share = others.reduce(Double(coverage[top]) / 255, *)
                guard share >= 0.5 else { continue }
                // Where models run into each other, a pixel is a mixture of both.
                let models = hits.filter { scene.objects[$0].isModel }
                guard models.count < 2 || !scene.objects[top].isModel || scene.objects.contains(where: { $0.isColor(of: pixel) }) else {
                    continue
                }
                #expect(scene.objects[top].mayShow(in: pixel, share: share), fault("\(scene.objects[top].name) does not show"))
                compared += 1
            }
        }
        #expect(compared > 20)
    }
}

/// A map of objects that each have one color.
@MainActor private struct PaintedScene {
    struct Painted {
        /// The contents of a hit.
        struct Key: Hashable {
            let object: ObjectIdentifier
            let part: HitPart
        }

        let object: ViewObject
        let part: HitPart
        let color: Color
        let name: String

        var key: Key { Key(object: ObjectIdentifier(object), part: part) }
        var isModel: Bool { part == .model }

        /// Whether a pixel may have a color, given the share of it that the object colors.
        func mayShow(in pixel: Bitmap.Pixel, share: Double) -> Bool {
            let own = color.premultipliedBytes
            return zip([own.red, own.green, own.blue], [pixel.red, pixel.green, pixel.blue]).allSatisfy { own, shown in
                let least = Double(own) * share
                return (least - 3...least + 255 * (1 - share) + 3).contains(Double(shown))
            }
        }

        func isColor(of pixel: Bitmap.Pixel) -> Bool {
            let own = color.premultipliedBytes
            return zip([own.red, own.green, own.blue], [pixel.red, pixel.green, pixel.blue]).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
        }
    }

    var random: SplitMix64
    let mapView = MapView(size: CGSize(width: 96, height: 96))
    private(set) var objects: [Painted] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        mapView.pixelRatio = random.one(of: [1, 1, 1.5, 2])
        mapView.camera = Camera(
            center: LatLng(lat: 37.5, lng: random.one(of: [127, 180, -179.9995])), zoom: random.number(13...17),
            bearing: random.one(of: [0, 90, 217, random.number(0...360)]), tilt: random.one(of: [0, 0, 45, 60, random.number(0...75)]))
        // The corners of the color cube and the middles of its edges, except black; all opaque.
        var colors: [Color] = []
        for number in 1..<27 {
            colors.append(Color(red: Double(number % 3) / 2, green: Double(number / 3 % 3) / 2, blue: Double(number / 9) / 2))
        }
        colors.shuffle(using: &random)
        let group = Container()
        if random.once(in: 2) {
            group.zIndex = random.integer(-1...1)
            group.isOrderedAsOne = random.once(in: 2)
            mapView.add(group)
        }
        for color in colors.prefix(random.integer(4...14)) { add(color, in: group.mapView == nil ? nil : group) }
    }

    private mutating func place() -> LatLng {
        // Starting on the ground beneath the picture, and slightly beyond its edges.
        for _ in 0..<20 {
            let point = CGPoint(x: random.number(-20...116), y: random.number(-20...116))
            if let place = mapView.geoCoordinates(from: point) { return place }
        }
        return mapView.camera.center
    }

    private mutating func ring(_ center: LatLng, _ reach: Double, _ count: Int) -> [LatLng] {
        let meters = reach * mapView.metersPerPoint(atLatitude: center.lat)
        let start = random.number(0...6)
        return (0..<count).map { index in
            let (angle, length) = (start + Double(index) * 2 * .pi / Double(count), meters * random.number(0.5...1))
            return LatLng(
                lat: center.lat + length * cos(angle) / 111_320,
                lng: center.lng + length * sin(angle) / 111_320 / cos(center.lat * .pi / 180))
        }
    }

    private mutating func add(_ color: Color, in group: Container?) {
        let kind = random.integer(0...9)
        if kind == 6 {
            var label = LabelContent()
            (label.width, label.height, label.backgroundColor) = (random.number(5...40), random.number(5...40), color)
            let view = ViewOverlay(content: .label(label), coordinates: place())
            (view.isSelectable, view.zIndex) = (true, random.integer(-1...1))
            mapView.add(view)
            objects.append(Painted(object: view, part: .viewOverlay, color: color, name: "view \(objects.count)"))
            return
        }
        let overlay = overlay(kind, color)
        overlay.zIndex = random.integer(-1...1)
        if random.once(in: 4) { overlay.globalZIndex = random.one(of: [-200_000, 100_000, 200_000]) }
        let name = "\(overlay.type.rawValue) \(objects.count)"
        let part: HitPart = overlay is Model ? .model : overlay is Marker ? .icon : .shape
        objects.append(Painted(object: overlay, part: part, color: color, name: name))
        if let marker = overlay as? Marker, !marker.captionText.isEmpty {
            objects.append(Painted(object: marker, part: .caption, color: color, name: "caption of \(name)"))
        }
        if let group, random.once(in: 3) { group.add(overlay) } else { mapView.add(overlay) }
    }

    /// A longitude in -180..<180.
    private func wrapped(_ lng: Double) -> Double { lng < -180 ? lng + 360 : lng >= 180 ? lng - 360 : lng }

    private mutating func overlay(_ kind: Int, _ color: Color) -> Overlay {
        switch kind {
        case 0, 1:
            let marker = Marker(position: place())
            marker.iconImage = OverlayImage(
                bitmap: Bitmap(width: random.integer(4...40), height: random.integer(4...40), fill: color))
            marker.anchor = CGPoint(x: random.number(0...1), y: random.number(0...1))
            if random.once(in: 2) { marker.angle = random.number(0...360) }
            marker.isFlat = random.once(in: 2)
            marker.iconPerspectiveEnabled = random.once(in: 3)
            if random.once(in: 3) { marker.altitude = 20 * mapView.metersPerPoint(atLatitude: 37.5) }
            if random.once(in: 3) { (marker.width, marker.height) = (random.number(3...60), random.number(3...60)) }
            if random.once(in: 3) {
                // Letters with wide strokes.
                (marker.captionText, marker.captionTextSize) = ("■ HIL", random.number(10...40))
                (marker.captionColor, marker.captionHaloWidth) = (color, 0)
                marker.captionPerspectiveEnabled = random.once(in: 3)
            }
            return marker
        case 2, 7:
            let points = (0..<random.integer(2...5)).map { _ in place() }
            let line = kind == 2 ? Polyline(points: points) : Route(points: points)
            (line.width, line.color, line.outlineWidth) = (random.number(0.5...20), color, 0)
            if let route = line as? Route { (route.progress, route.passedColor) = (random.number(-1...1), color) }
            line.capType = random.one(of: [.butt, .round, .square])
            line.joinType = random.one(of: [.miter, .bevel, .round])
            line.isPerspectiveEnabled = random.once(in: 3)
            if random.once(in: 4) { line.pattern = [random.number(4...20), random.number(4...20)] }
            return line
        case 3:
            let polygon = Polygon()
            let center = place()
            polygon.rings = [ring(center, random.number(10...60), random.integer(3...9))]
            if random.once(in: 2) { polygon.rings.append(ring(center, random.number(3...12), random.integer(3...6))) }
            polygon.fillColor = color
            if random.once(in: 3) { (polygon.outlineWidth, polygon.outlineColor) = (random.number(0.5...8), color) }
            return polygon
        case 4:
            let circle = Circle(center: place(), radius: random.number(4...50) * mapView.metersPerPoint(atLatitude: 37.5))
            circle.fillColor = color
            return circle
        case 8:
            let (center, length) = (place(), random.number(4...50) * mapView.metersPerPoint(atLatitude: 37.5))
            let (north, east) = (length / 111_320, length * random.number(0.3...2) / 111_320)
            let image = OverlayImage(bitmap: Bitmap(width: random.integer(1...9), height: random.integer(1...9), fill: color))
            let ground = GroundOverlay()
            ground.image = image
            ground.bounds = LatLngBounds(
                south: center.lat - north, west: wrapped(center.lng - east), north: center.lat + north, east: wrapped(center.lng + east))
            ground.bearing = random.one(of: [0, random.number(0...360)])
            return ground
        case 9:
            let (center, length) = (place(), random.number(4...25) * mapView.metersPerPoint(atLatitude: 37.5))
            let (x, y) = (length / 111_320 / cos(center.lat * .pi / 180), length / 111_320)
            let corners: [SIMD3<Double>] = [[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0], [0, 0, 2 * length]]
            let model = GeoModel(
                mesh: GeoMesh(vertices: corners.map { $0 + [center.lng, center.lat, 0] }, triangles: Self.pyramid))
            model.material.diffuse = color
            return model
        default:
            let size = Float(random.number(4...25) * mapView.metersPerPoint(atLatitude: 37.5))
            let mesh = FloatMesh(
                vertices: [[-size, -size, 0], [size, -size, 0], [size, size, 0], [-size, size, 0], [0, 0, 2 * size]],
                triangles: Self.pyramid)
            let model = LocalModel(mesh: mesh)
            (model.coordinates, model.yaw, model.pitch) = (place(), random.number(0...360), random.one(of: [0, random.number(0...360)]))
            model.material.diffuse = color
            if random.once(in: 3) { model.isDoubleSided = false }
            return model
        }
    }

    /// The triangles of a pyramid: four corners of its base, and its tip.
    private static let pyramid: [SIMD3<UInt32>] = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [0, 2, 1], [0, 3, 2]]

    /// The coverage of every object drawn alone; for a marker, separately for its icon and its caption.
    func masks() throws -> [Bitmap] {
        func hide(_ object: ViewObject, _ isHidden: Bool) {
            if let overlay = object as? Overlay { overlay.isHidden = isHidden }
            if let view = object as? ViewOverlay { view.isHidden = isHidden }
        }
        for painted in objects { hide(painted.object, true) }
        defer { for painted in objects { hide(painted.object, false) } }
        return try objects.map { painted in
            hide(painted.object, false)
            defer { hide(painted.object, true) }
            guard let marker = painted.object as? Marker else { return try draw(mapView) }
            let (image, text) = (marker.iconImage, marker.captionText)
            let solid = image.bitmap
            if painted.part == .caption {
                marker.iconImage = OverlayImage(bitmap: Bitmap(width: solid.width, height: solid.height))
            } else {
                marker.captionText = ""
            }
            defer { (marker.iconImage, marker.captionText) = (image, text) }
            return try draw(mapView)
        }
    }
}
