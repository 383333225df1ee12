import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct GroundOverlayTests {
    /// An image whose pixels encode their column and row in red and green.
    private static let image: OverlayImage = {
        var bitmap = Bitmap(width: 200, height: 100)
        for y in 0..<100 {
            for x in 0..<200 { bitmap[x, y] = .init(red: UInt8(x), green: UInt8(y), blue: 0, alpha: 255) }
        }
        return OverlayImage(bitmap: bitmap)
    }()

    private func overlay(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> GroundOverlay {
        GroundOverlay(bounds: try #require(LatLngBounds(south: south, west: west, north: north, east: east)), image: Self.image)
    }

    /// The corners in the world of a design camera, clockwise from the image's upper left, turned about the center on the map.
    private func corners(_ overlay: GroundOverlay, _ design: DesignCamera) throws -> [(x: Double, y: Double)] {
        let bounds = try #require(overlay.bounds)
        let east = bounds.east < bounds.west ? bounds.east + 360 : bounds.east
        let (upper, lower) = (design.world(lat: bounds.north, lng: bounds.west), design.world(lat: bounds.south, lng: east))
        let center = ((upper.x + lower.x) / 2, (upper.y + lower.y) / 2)
        let angle = overlay.bearing * .pi / 180
        return [(upper.x, upper.y), (lower.x, upper.y), (lower.x, lower.y), (upper.x, lower.y)].map { x, y in
            let (dx, dy) = (x - center.0, y - center.1)
            return (center.0 + dx * cos(angle) - dy * sin(angle), center.1 + dx * sin(angle) + dy * cos(angle))
        }
    }

    @Test(arguments: Seeds.all) func cornersAreWhereTheBoundsAre(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            var design = DesignCamera()
            (design.lat, design.lng) = (random.number(-70...70), random.one(of: [-179.9, 0, 127, 179.9]))
            (design.zoom, design.tilt, design.bearing) = (random.number(2...16), random.number(0...60), random.number(0...360))
            let size = 200 / design.worldSize * 360
            let west = design.lng + random.number(-0.5...0.3) * size
            let south = design.lat + random.number(-0.3...0) * size
            let overlay = try overlay(west, south, west + random.number(0.1...0.4) * size, south + random.number(0.1...0.3) * size)
            overlay.bearing = random.one(of: [0, 90, random.number(-400...400)])
            overlay.altitude = random.one(of: [0, 50 / design.pointsPerMeter(lat: south)])
            let map = MapView(design, pixelRatio: random.one(of: [1, 1.5, 2]))
            map.add(overlay)
            let center = design.world(lat: design.lat, lng: design.lng)
            let places = try corners(overlay, design)
            let middle = (places[0].y + places[2].y) / 2
            let lat = atan(sinh(.pi * (1 - 2 * middle / design.worldSize))) * 180 / .pi
            let height = overlay.altitude * design.pointsPerMeter(lat: lat)
            let expected = places.map { design.project($0.x - center.x, $0.y - center.y, height: height) }
            guard expected.allSatisfy({ $0.depth > design.height / 20 }) else { continue }
            let entry = try map.entry()
            let quad = try #require(entry.quad)
            #expect(quad.isNear(expected.map { ($0.x, $0.y) }, within: 0.05), "\(quad) \(expected)")
            let frame = try map.frame()
            #expect(entry.isVisible == !frame.sprites.isEmpty)
            guard let sprite = frame.sprites.first else { continue }
            #expect(sprite.plane == .ground && sprite.sampling == .linear && frame.sprites.count == 1)
            let drawn = sprite.corners.map { design.project(Double($0.x), Double($0.y), height: Double(sprite.z)) }
            for (a, b) in zip(drawn, expected) { #expect(abs(a.x - b.x) < 0.05 && abs(a.y - b.y) < 0.05) }
        }
    }

    /// At high zooms, a `Float` cannot distinguish the pixels of far corners. Only the texels around the picture are drawn, at their places.
    @Test(arguments: Seeds.all) func texelsAreAtTheirPlacesAtHighZooms(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5 {
            var design = DesignCamera()
            design.zoom = random.number(14...22)
            (design.tilt, design.bearing) = (random.number(0...50), random.number(0...360))
            let overlay = try overlay(126.5, 37.3, 127.5, 37.8)
            overlay.bearing = random.one(of: [0, 30])
            (design.lng, design.lat) = (random.number(126.8...127.2), random.number(37.5...37.6))
            let map = MapView(design)
            map.add(overlay)
            let frame = try map.frame()
            let sprite = try #require(frame.sprites.first)
            let bitmap = frame.images[Int(sprite.image)].bitmap
            #expect(design.zoom < 20 || bitmap.width * bitmap.height < 400)
            let center = design.world(lat: design.lat, lng: design.lng)
            let places = try corners(overlay, design)
            let texel = hypot(places[1].x - places[0].x, places[1].y - places[0].y) / 200
            // The upper left of the part is the position of its first texel in the whole image.
            let first = bitmap[0, 0]
            let (column, row) = (Double(first.red), Double(first.green))
            let across = ((places[1].x - places[0].x) / 200, (places[1].y - places[0].y) / 200)
            let down = ((places[3].x - places[0].x) / 100, (places[3].y - places[0].y) / 100)
            let expected = (
                places[0].x + across.0 * column + down.0 * row - center.x, places[0].y + across.1 * column + down.1 * row - center.y
            )
            // The world has 2^31 pt at zoom 22: the design's own arithmetic in Double is exact to less than this.
            let slack = max(0.01, texel * 1e-5)
            #expect(abs(Double(sprite.x) - expected.0) < slack && abs(Double(sprite.y) - expected.1) < slack)
            #expect(abs(Double(sprite.acrossX) - across.0 * Double(bitmap.width)) < slack)
            #expect(abs(Double(sprite.downY) - down.1 * Double(bitmap.height)) < slack)
            // It covers the picture.
            let entry = try map.entry()
            #expect(entry.isVisible && entry.copies == 1)
        }
    }

    @Test func reasons() throws {
        let map = MapView(city: 200, 200)
        let overlay = try overlay(126.97, 37.56, 126.98, 37.57)
        map.add(overlay)
        #expect(try map.entry().reason == nil && map.entry().isVisible && map.entry().order == 0)
        overlay.alpha = 0
        #expect(try map.entry().reason == nil)
        overlay.alpha = 2
        #expect(try map.entry().reason == .invalid)
        #expect(try map.inspection().diagnostics.map(\.message) == ["2 is outside 0…1"])
        overlay.alpha = 1
        overlay.image = nil
        #expect(try map.entry().reason == .empty)
        overlay.image = .empty
        #expect(try map.entry().reason == .empty)
        overlay.image = OverlayImage(path: "/nowhere/radar.png")
        #expect(try map.entry().reason == .invalid)
        #expect(try map.inspection().diagnostics.map(\.path) == ["image"])
        overlay.image = MarkerImage.red
        #expect(try map.entry().reason == nil && map.frame().images[0].height > 512)
        overlay.image = Self.image
        overlay.altitude = -1
        #expect(try map.entry().reason == .underground)
        overlay.altitude = 0
        overlay.isHidden = true
        #expect(try map.entry().reason == .hidden)
        overlay.isHidden = false
        overlay.minZoom = 15
        #expect(try map.entry().reason == .outOfZoom)
        overlay.minZoom = 0
        overlay.bounds = LatLngBounds(south: 37.56, west: 126.97, north: 37.57, east: 126.97)
        #expect(try map.entry().reason == .empty)
        overlay.bounds = LatLngBounds(south: -90, west: -180, north: 90, east: 180)
        #expect(try map.entry().reason == .outOfProjection)
        overlay.bounds = LatLngBounds(south: 0, west: 0, north: 1, east: 1)
        #expect(try map.entry().reason == .outOfView && map.entry().copies == 0)
        map.camera.tilt = 80
        overlay.bounds = LatLngBounds(south: 36, west: 126.97, north: 36.5, east: 126.98)
        #expect(try map.entry().reason == .behindCamera && map.entry().quad == nil)
        overlay.bounds = nil
        #expect(try map.entry().reason == .noPosition)
        let other = GroundOverlay()
        #expect(!map.add(other))
    }

    @Test func anImageThatReachesBehindTheCameraIsDrawn() throws {
        let map = MapView(200, 100, Camera(center: LatLng(lat: 0, lng: 0), zoom: 8, bearing: 20, tilt: 75))
        map.add(try overlay(-30, -30, 30, 30))
        let entry = try map.entry()
        #expect(entry.isVisible && entry.quad == nil && entry.anchor != nil)
    }

    @Test func copiesOfTheWorldAndTheAntimeridian() throws {
        let map = MapView(600, 300, Camera(center: LatLng(lat: 0, lng: 180), zoom: 1))
        let overlay = try overlay(170, -10, -170, 10)
        map.add(overlay)
        var entry = try map.entry()
        #expect(entry.isVisible && entry.copies == 1 && entry.anchor == .init(x: 300, y: 150))
        let half = 1024 * 10.0 / 360
        #expect(try #require(entry.quad).map(\.x).min().map { abs($0 - (300 - half)) < 0.01 } == true)
        map.camera.zoom = 0
        entry = try map.entry()
        #expect(entry.copies == 1)
        map.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 0)
        entry = try map.entry()
        #expect(entry.copies == 2 && entry.isVisible)
        #expect(try map.frame().sprites.count == 2)
        overlay.bounds = LatLngBounds(south: -80, west: -180, north: 80, east: 180)
        #expect(try map.entry().copies == 3)
    }

    @Test func theirPlaceInTheOrder() throws {
        let map = MapView(city: 200, 200)
        let circle = Circle(center: .city, radius: 100)
        circle.id = "circle"
        let overlay = try overlay(126.97, 37.56, 126.98, 37.57)
        overlay.id = "image"
        map.add(circle)
        map.add(overlay)
        map.add(37.567, 126.978) { $0.id = "marker" }
        #expect(overlay.globalZIndex == -300_000)
        #expect(try map.drawn() == ["image", "circle", "marker"])
        // Among shapes of its rank, in the order in which they were added.
        overlay.globalZIndex = Circle.defaultGlobalZIndex
        #expect(try map.drawn() == ["circle", "image", "marker"])
        overlay.zIndex = -1
        #expect(try map.drawn() == ["image", "circle", "marker"])
        let container = Container()
        container.zIndex = 1
        container.altitude = 5
        container.add(overlay)
        map.add(container)
        #expect(try map.drawn() == ["circle", "image", "marker"])
    }

    @Test func unchangedPicturesAreTheSameAndChangesShow() throws {
        let map = MapView(city: 200, 200)
        let overlay = try overlay(126.97, 37.56, 126.98, 37.57)
        map.add(overlay)
        let frame = try map.frame()
        #expect(try map.frame() == frame)
        overlay.bearing = 10
        #expect(try map.frame() != frame)
        overlay.bearing = 0
        #expect(try map.frame() == frame)
        overlay.alpha = 0.5
        #expect(try map.frame().sprites[0].alpha == 0.5)
        map.remove(overlay)
        #expect(try map.frame().sprites.isEmpty)
    }
}
