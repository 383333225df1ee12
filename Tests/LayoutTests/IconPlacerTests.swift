import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct IconPlacerTests {
    /// A random camera, and a marker in its picture, nearer than the far limit.
    private func scene(
        _ random: inout SplitMix64, pixelRatio: Double = 1, tilt: ClosedRange<Double> = 0...75
    ) throws -> (design: DesignCamera, mapView: MapView, marker: Marker) {
        while true {
            var design = DesignCamera(random: &random, zoom: 3...22, tilt: tilt)
            (design.width, design.height) = (random.number(100...900).rounded(), random.number(100...900).rounded())
            (design.left, design.right, design.top, design.bottom) = (0, random.number(0...40), random.number(0...40), 0)
            design.lat = random.number(-60...60)
            let point = CGPoint(x: random.number(0...design.width), y: random.number(0...design.height))
            guard let position = try design.viewport().geoCoordinates(from: point) else { continue }
            let mapView = MapView(design, pixelRatio: pixelRatio)
            return (design, mapView, mapView.add(position.lat, position.lng))
        }
    }

    @Test(arguments: Seeds.all) func uprightIconsStandOnWholePixels(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<30 {
            let ratio = random.one(of: [1.0, 2, 3, 1.5, 0.5])
            let (design, mapView, marker) = try scene(&random, pixelRatio: ratio)
            let (width, height) = (random.integer(1...64), random.integer(1...64))
            // At the image's size, and scaled to it.
            marker.iconImage = random.once(in: 2) ? .solid(width, height, scale: ratio) : .solid(23, 31)
            (marker.width, marker.height) = (Double(width) / ratio, Double(height) / ratio)
            marker.anchor = CGPoint(
                x: random.one(of: [0, 0.5, 1, random.number(0...1)]), y: random.one(of: [0, 0.5, 1, random.number(0...1)]))
            let entry = try mapView.entry()
            // An icon at the picture's edge may be snapped out of the picture.
            guard entry.isVisible, let anchor = entry.anchor else { continue }
            // At low zooms the copy in the picture may not be the one nearest the center.
            if design.zoom < 6, mapView.point(from: marker.position!).map({ abs($0.x - anchor.x) > 1 }) ?? true { continue }
            compared += 1
            // The reported anchor is quantized to 1/1024 px but not snapped to pixels.
            let expected = try #require(mapView.point(from: marker.position!))
            #expect(abs(anchor.x - expected.x) <= 0.51 / 1024 / ratio && abs(anchor.y - expected.y) <= 0.51 / 1024 / ratio)
            let quad = try #require(entry.icon?.quad)
            func corner(_ anchor: Double, _ fraction: Double, _ pixels: Int) -> Double {
                let unsnapped = quantized(quantized(anchor * ratio) - Double(Float(fraction)) * Double(pixels))
                return (unsnapped + 0.5).rounded(.down) / ratio
            }
            let (x, y) = (corner(anchor.x, marker.anchor.x, width), corner(anchor.y, marker.anchor.y, height))
            let (right, bottom) = (x + Double(width) / ratio, y + Double(height) / ratio)
            #expect(quad.isNear([(x, y), (right, y), (right, bottom), (x, bottom)], within: 1e-9), "\(design)")
            let sprite = try #require(mapView.frame().sprites.first)
            #expect(sprite.sampling == .nearest && sprite.x == sprite.x.rounded() && sprite.y == sprite.y.rounded())
            #expect(sprite.acrossX == Float(width) && sprite.downY == Float(height) && sprite.acrossY == 0 && sprite.downX == 0)
        }
        #expect(compared > 20)
    }

    @Test func turnedIconsAndThoseInPerspectiveAreNotSnapped() throws {
        let changes: [(Marker) -> Void] = [
            { $0.angle = 1 }, { $0.iconPerspectiveEnabled = true }, { $0.isFlat = true },
        ]
        for change in changes {
            let mapView = MapView(100, 100, Camera(center: LatLng(lat: 0, lng: 0.001), zoom: 10))
            let marker = mapView.add(0, 0) { $0.iconImage = .solid(20, 20) }
            #expect(try mapView.frame().sprites.map(\.sampling) == [.nearest])
            change(marker)
            #expect(try mapView.frame().sprites.map(\.sampling) == [.linear])
        }
        // A full turn equals no rotation.
        let mapView = MapView(100, 100)
        mapView.add(0, 0) {
            $0.iconImage = .solid(20, 20)
            $0.angle = 360
        }
        #expect(try mapView.frame().sprites.map(\.sampling) == [.nearest])
    }

    @Test(arguments: [1.0, 1.1, 1.25, 1.3, 1.325, 1.5, 1.75, 2, 2.625, 3, 3.5, 4, 7.3, 8])
    func anImageOfTheRatiosScaleIsUnscaledWhateverItsSize(ratio: Double) throws {
        let mapView = MapView(600, 600, pixelRatio: ratio)
        for size in 1...300 {
            mapView.add(0, 0) { $0.iconImage = .solid(size, 301 - size, scale: ratio) }
        }
        let sprites = try mapView.frame().sprites
        #expect(sprites.count == 300)
        #expect(sprites.enumerated().filter { $1.sampling != .nearest || $1.acrossX != Float($0 + 1) }.map(\.offset) == [])
    }

    @Test func builtInIconsAreWholePixelsAtAnySize() throws {
        let mapView = MapView(100, 100, pixelRatio: 1.5)
        let marker = mapView.add(0, 0)
        var sprite = try #require(mapView.frame().sprites.first)
        #expect(sprite.acrossX == 39 && sprite.downY == 54 && sprite.sampling == .nearest)
        marker.width = 25.3
        sprite = try #require(mapView.frame().sprites.first)
        #expect(sprite.acrossX == 38 && sprite.downY == 54 && sprite.sampling == .nearest)
        #expect(try mapView.frame().images.map(\.bitmap.width) == [38])
    }

    @Test func automaticWidthAndHeightFollowTheImage() throws {
        let mapView = MapView(200, 200)
        let marker = mapView.add(0, 0) { $0.iconImage = .solid(60, 40, scale: 2) }
        func size() throws -> [Float] {
            let sprite = try #require(mapView.frame().sprites.first)
            return [sprite.acrossX, sprite.downY]
        }
        #expect(try size() == [30, 20])
        marker.width = 25
        #expect(try size() == [25, 20])
        marker.height = 50
        #expect(try size() == [25, 50])
        marker.width = Marker.sizeAuto
        #expect(try size() == [30, 50])
    }

    @Test(arguments: Seeds.all) func billboardsTurnClockwiseAboutTheirAnchor(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<30 {
            let ratio = random.one(of: [1.0, 2])
            let (design, mapView, marker) = try scene(&random, pixelRatio: ratio)
            let (width, height) = (random.number(1...80), random.number(1...80))
            (marker.width, marker.height) = (width, height)
            marker.iconImage = .solid(10, 10)
            marker.angle = random.one(of: [0, 90, -90, 180, random.number(-400...400)])
            marker.anchor = CGPoint(x: random.number(-0.5...1.5), y: random.number(-0.5...1.5))
            // Without rotation and perspective, it would be snapped.
            marker.iconPerspectiveEnabled = marker.angle == 0 || random.once(in: 2)
            marker.altitude =
                random.once(in: 2) ? 0 : random.number(0...0.3) * design.height / design.pointsPerMeter(lat: marker.position!.lat)
            let viewport = try mapView.viewport()
            let offset = try #require(viewport.worldOffset(of: marker.position!))
            let lift = marker.altitude * design.pointsPerMeter(lat: marker.position!.lat)
            let anchor = design.project(offset.x, offset.y, height: lift)
            guard anchor.depth > design.height / 50 + 1, anchor.depth < 19 * design.distance else { continue }
            let scale = marker.iconPerspectiveEnabled ? design.distance / anchor.depth : 1
            let angle = marker.angle * .pi / 180
            let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { u, v in
                let (x, y) = ((u - marker.anchor.x) * width * scale, (v - marker.anchor.y) * height * scale)
                return (x: anchor.x + x * cos(angle) - y * sin(angle), y: anchor.y + x * sin(angle) + y * cos(angle))
            }
            let entry = try mapView.entry()
            // At low zooms the copy in the picture may not be the one nearest the center.
            if design.zoom < 6, abs((entry.anchor?.x ?? .infinity) - anchor.x) > 1 { continue }
            let quad = try #require(entry.icon?.quad)
            #expect(quad.isNear(corners, within: 2.0 / 1024 + 1e-5 * scale * (width + height)), "\(design) \(quad) \(corners)")
        }
    }

    @Test(arguments: Seeds.all) func flatIconsLieOnTheGround(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<40 {
            let (design, mapView, marker) = try scene(&random)
            let (width, height) = (random.number(1...80), random.number(1...80))
            marker.isFlat = true
            (marker.width, marker.height) = (width, height)
            marker.iconImage = .solid(10, 10)
            marker.angle = random.one(of: [0, 90, random.number(-400...400)])
            marker.anchor = CGPoint(x: random.number(0...1), y: random.number(0...1))
            marker.iconPerspectiveEnabled = random.once(in: 2)
            marker.altitude =
                random.once(in: 2) ? 0 : random.number(0...0.3) * design.height / design.pointsPerMeter(lat: marker.position!.lat)
            let offset = try #require(mapView.viewport().worldOffset(of: marker.position!))
            let lift = marker.altitude * design.pointsPerMeter(lat: marker.position!.lat)
            let anchor = design.project(offset.x, offset.y, height: lift)
            // The whole quad has one scale, given by the anchor's depth.
            let scale = marker.iconPerspectiveEnabled ? 1 : anchor.depth / design.distance
            let angle = marker.angle * .pi / 180
            let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { u, v in
                let (x, y) = ((u - marker.anchor.x) * width * scale, (v - marker.anchor.y) * height * scale)
                // North is up: x points east and y south, rotated clockwise.
                return design.project(
                    offset.x + x * cos(angle) - y * sin(angle), offset.y + x * sin(angle) + y * cos(angle), height: lift)
            }
            // Far from the center, single precision is coarser than 1/1024 px.
            guard anchor.depth > design.height / 10, anchor.depth < 4 * design.distance,
                corners.allSatisfy({ $0.depth > design.height / 10 && $0.depth < 20 * design.distance })
            else { continue }
            let quad = try #require(mapView.entry().icon?.quad)
            #expect(quad.isNear(corners.map { ($0.x, $0.y) }, within: 0.01), "\(design) \(quad) \(corners)")
            compared += 1
        }
        #expect(compared > 5)
    }

    @Test func perspectiveOfBillboardsIsTheDistanceOverTheDepth() throws {
        let mapView = MapView(200, 200, Camera(zoom: 8, tilt: 60))
        let marker = mapView.add(0.1, 0) {
            $0.iconImage = .solid(20, 20)
            $0.iconPerspectiveEnabled = true
        }
        func width() throws -> Double {
            let quad = try #require(mapView.entry().icon?.quad)
            return quad[1].x - quad[0].x
        }
        var far = try #require(mapView.viewport().worldOffset(of: marker.position!))
        var depth = 300 - far.y * 3.0.squareRoot() / 2
        #expect(depth > 300)
        #expect(abs(try width() - 20 * 300 / depth) < 1e-4)
        marker.position = LatLng(lat: -0.1, lng: 0)
        far = try #require(mapView.viewport().worldOffset(of: marker.position!))
        depth = 300 - far.y * 3.0.squareRoot() / 2
        #expect(depth < 300)
        #expect(abs(try width() - 20 * 300 / depth) < 1e-4)
        marker.position = LatLng(lat: 0, lng: 0)
        #expect(abs(try width() - 20) < 1e-4)
    }

    @Test func flatIconsWithoutPerspectiveKeepTheirSize() throws {
        // Its width is as specified: from straight above everywhere in the picture, and at the center at any tilt.
        let mapView = MapView(400, 400, Camera(zoom: 8))
        mapView.add(0.2, 0.2) {
            $0.isFlat = true
            $0.iconImage = .solid(20, 20)
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            // At 1500 m it is nearer the camera, so it is smaller on the ground plane.
            $0.altitude = 1500
        }
        var quad = try #require(mapView.entry().icon?.quad)
        #expect(abs(quad[1].x - quad[0].x - 20) < 1e-3 && abs(quad[3].y - quad[0].y - 20) < 1e-3)
        mapView.camera.tilt = 60
        mapView.camera.center = LatLng(lat: 0.2, lng: 0.2)
        mapView.overlays[0].altitude = 0
        quad = try #require(mapView.entry().icon?.quad)
        #expect(abs((quad[1].x - quad[0].x + quad[2].x - quad[3].x) / 2 - 20) < 0.1)
        // At a tilt of 60 degrees it appears half as high as wide.
        #expect(abs(quad[3].y - quad[0].y - 10) < 0.1)
    }

    @Test func altitudeIsInMetresAtItsOwnLatitude() throws {
        let mapView = MapView(400, 400, Camera(center: LatLng(lat: 60, lng: 10), zoom: 12, tilt: 45))
        let marker = mapView.add(60, 10)
        marker.altitude = 300
        marker.position?.altitude = 200
        var design = DesignCamera()
        (design.lat, design.lng, design.zoom, design.tilt, design.width, design.height) = (60, 10, 12, 45, 400, 400)
        let expected = design.project(lat: 60, lng: 10, altitude: 500)
        let anchor = try #require(mapView.entry().anchor)
        #expect(abs(anchor.x - expected.x) < 1e-3 && abs(anchor.y - expected.y) < 1e-3)
        #expect(anchor.y < 199)
    }

    @Test func withinATwentiethOfAPixelAtZoom22() throws {
        var random = SplitMix64(seed: 22)
        for _ in 0..<500 {
            let mapView = MapView(800, 600, pixelRatio: 2, Camera(center: LatLng(lat: 37.5666, lng: 126.9784), zoom: 22))
            let degree = 360 / mapView.camera.worldSize
            // Offsets along the meridian and the parallel that are small enough for the map to be flat.
            let (east, north) = (random.number(-300...300), random.number(-200...200))
            mapView.camera.tilt = random.number(0...60)
            let lat = 37.5666 + north * degree * cos(37.5666 * .pi / 180)
            mapView.add(lat, 126.9784 + east * degree) { $0.isFlat = random.once(in: 2) }
            let anchor = try #require(mapView.entry().anchor)
            var design = DesignCamera()
            (design.tilt, design.width, design.height) = (mapView.camera.tilt, 800, 600)
            let expected = design.project(east, -north, height: 0)
            #expect(abs(anchor.x - expected.x) < 0.05 && abs(anchor.y - expected.y) < 0.05)
        }
    }
}

extension Camera {
    fileprivate var worldSize: Double { 512 * pow(2, zoom) }
}
