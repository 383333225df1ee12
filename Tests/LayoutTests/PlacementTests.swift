import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct PlacementTests {
    @Test func anIconStandsOnItsAnchor() throws {
        let mapView = MapView(100, 100, Camera(center: LatLng(lat: 10, lng: 20), zoom: 5))
        mapView.add(10, 20)
        let entry = try mapView.entry()
        #expect(entry.anchor == .init(x: 50, y: 50))
        #expect(entry.icon?.quad?[3].y == 50)
    }

    // MARK: Reasons

    @Test func besideThePicture() throws {
        let mapView = MapView(100, 100, Camera(zoom: 5))
        let marker = mapView.add(0, 0) {
            $0.iconImage = .solid(10, 10)
            $0.anchor = .zero
        }
        // 1 pt is 360 / 16384 degrees. The icon's left edge is at 50 + offset; 100 is the first column outside.
        marker.position = LatLng(lat: 0, lng: 50 * 360 / 16384.0)
        #expect(try mapView.entry().reason == .outOfView)
        #expect(try mapView.frame().sprites.isEmpty)
        marker.position = LatLng(lat: 0, lng: 49 * 360 / 16384.0)
        #expect(try mapView.entry().reason == nil)
        marker.position = LatLng(lat: 0, lng: -60 * 360 / 16384.0)
        #expect(try mapView.entry().reason == .outOfView)
        marker.position = LatLng(lat: 0, lng: -59 * 360 / 16384.0)
        #expect(try mapView.entry().reason == nil)
        let entry = try mapView.entry()
        #expect(entry.isVisible && entry.order == 0 && entry.copies == 1 && entry.icon?.isVisible == true)
    }

    @Test func beyondTheFarLimit() throws {
        let mapView = MapView(100, 200, Camera(zoom: 16, tilt: 80))
        let degrees = 360 / (512 * 65536.0)
        let limit = 19 * 300 / sin(80 * Double.pi / 180)
        let marker = mapView.add(0.98 * limit * degrees, 0)
        #expect(try mapView.entry().reason == nil)
        marker.position = LatLng(lat: 1.02 * limit * degrees, lng: 0)
        let entry = try mapView.entry()
        #expect(entry.reason == .outOfView && entry.order == nil && entry.copies == 0 && entry.icon?.isVisible == false)
    }

    @Test func hiddenAndBack() throws {
        let mapView = MapView(100, 100)
        let marker = mapView.add(0, 0)
        marker.isHidden = true
        #expect(try mapView.entry().reason == .hidden)
        #expect(try mapView.frame().sprites.isEmpty)
        marker.isVisible = true
        #expect(try mapView.entry().reason == nil)
    }

    @Test func zoomRangesHoldBothTheirEnds() throws {
        let mapView = MapView(100, 100)
        let marker = mapView.add(0, 0) {
            $0.minZoom = 4
            $0.maxZoom = 6.5
        }
        for (zoom, isIn) in [(3.999, false), (4, true), (5, true), (6.5, true), (6.501, false), (24, false), (0, false)] {
            mapView.camera.zoom = zoom
            #expect(try mapView.entry().reason == (isIn ? nil : .outOfZoom))
        }
        marker.minZoom = 7
        for zoom in [6.0, 6.5, 6.8, 7, 8] {
            mapView.camera.zoom = zoom
            #expect(try mapView.entry().reason == .outOfZoom)
        }
        marker.minZoom = 0
        marker.maxZoom = 24
        for zoom in [0.0, 24] {
            mapView.camera.zoom = zoom
            #expect(try mapView.entry().reason == nil)
        }
    }

    @Test func nearerThanTheCamera() throws {
        let mapView = MapView(100, 200)
        let metres = 2 * Double.pi * 6_378_137 / 512
        let marker = mapView.add(0, 0) { $0.altitude = 295 * metres }
        // h/50 is 4 pt.
        #expect(try mapView.entry().reason == nil)
        marker.altitude = 296.5 * metres
        let entry = try mapView.entry()
        #expect(entry.reason == .behindCamera && entry.anchor == nil && entry.icon == nil)
        marker.altitude = 400 * metres
        #expect(try mapView.entry().reason == .behindCamera)
    }

    @Test func beyondTheProjection() throws {
        let mapView = MapView(600, 600)
        mapView.add(0, 0) { $0.id = "kept" }
        let marker = mapView.add(89, 0) { $0.id = "pole" }
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.map(\.reason) == [nil, .outOfProjection])
        #expect(
            inspection.diagnostics.words == [
                "warning: pole: position.lat: not drawn, because the position lies outside the map, "
                    + "which ends at 85.051129° north and south"
            ])
        #expect(marker.position?.lat == 89)
        marker.position?.lat = 85.051129
        #expect(try mapView.inspection().overlays[1].reason == nil)
    }

    @Test func underTheGround() throws {
        let mapView = MapView(100, 100)
        let marker = mapView.add(0, 0) { $0.altitude = -1 }
        #expect(try mapView.entry().reason == .underground)
        #expect(try mapView.inspection().diagnostics.isEmpty)
        // The sum of both altitudes counts.
        marker.position?.altitude = 1
        #expect(try mapView.entry().reason == nil)
        marker.position?.altitude = 0.5
        #expect(try mapView.entry().reason == .underground)
    }

    @Test func withoutAPosition() throws {
        let mapView = MapView(100, 100)
        let marker = mapView.add(0, 0) { $0.id = "a" }
        marker.position = nil
        #expect(try mapView.entry().reason == .noPosition)
        marker.position = LatLng(lat: 0, lng: 0)
        #expect(try mapView.entry().reason == nil)
        let other = Marker()
        other.id = "b"
        mapView.add(other)
        #expect(other.mapView == nil)
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.count == 1)
        #expect(inspection.diagnostics.words == ["warning: b: position: not added to the map, because the overlay has no position"])
        #expect(try mapView.inspection().diagnostics.isEmpty)
    }

    @Test func invalidValuesAreKeptAndReported() throws {
        let cases: [(String, (Marker) -> Void)] = [
            ("alpha: 2 is outside 0…1", { $0.alpha = 2 }),
            ("alpha: nan is outside 0…1", { $0.alpha = .nan }),
            ("position.lat: 95 is outside -90…90", { $0.position = LatLng(lat: 95, lng: 0) }),
            ("position.lat: nan is outside -90…90", { $0.position = LatLng(lat: .nan, lng: 0) }),
            ("position.lng: inf is not a finite number", { $0.position = LatLng(lat: 0, lng: .infinity) }),
            ("position.altitude: nan is outside -1000000…1000000000", { $0.position = LatLng(lat: 0, lng: 0, altitude: .nan) }),
            ("altitude: -inf is outside -1000000…1000000000", { $0.altitude = -.infinity }),
            ("width: -1 is outside 0…10000", { $0.width = -1 }),
            ("height: 1000000 is outside 0…10000", { $0.height = 1_000_000 }),
            ("anchor.x: nan is outside -100…100", { $0.anchor.x = .nan }),
            ("anchor.y: inf is outside -100…100", { $0.anchor.y = .infinity }),
            ("angle: nan is not a finite number", { $0.angle = .nan }),
            ("minZoom: -1 is outside 0…24", { $0.minZoom = -1 }),
            ("maxZoom: 24.5 is outside 0…24", { $0.maxZoom = 24.5 }),
        ]
        for (words, change) in cases {
            let mapView = MapView(100, 100)
            let marker = mapView.add(0, 0) { $0.id = "bad" }
            mapView.add(0, 0) { $0.id = "good" }
            #expect(try mapView.inspection().overlays.map(\.reason) == [nil, nil])
            change(marker)
            let inspection = try mapView.inspection()
            #expect(inspection.overlays.map(\.reason) == [.invalid, nil])
            #expect(inspection.diagnostics.words == ["warning: bad: \(words)"])
            #expect(try mapView.frame().sprites.count == 1)
        }
        let marker = Marker(position: LatLng(lat: 95, lng: .infinity))
        marker.alpha = 2
        marker.minZoom = 99
        #expect(marker.alpha == 2 && marker.minZoom == 99 && marker.position == LatLng(lat: 95, lng: .infinity))
    }

    @Test func diagnosticsAreInInsertionOrderAndNameOverlaysWithoutId() throws {
        let mapView = MapView(100, 100)
        let first = mapView.add(0, 0) { $0.alpha = 2 }
        mapView.add(0, 0) {
            $0.id = "second"
            $0.alpha = 3
        }
        let words = ["warning: marker-0: alpha: 2 is outside 0…1", "warning: second: alpha: 3 is outside 0…1"]
        #expect(try mapView.inspection().diagnostics.words == words)
        // Every frame reports it until it is fixed.
        #expect(try mapView.inspection().diagnostics.words == words)
        mapView.remove(first)
        mapView.add(first)
        #expect(try mapView.inspection().diagnostics.words == [words[1], "warning: marker-1: alpha: 2 is outside 0…1"])
        first.alpha = 1
        #expect(try mapView.inspection().diagnostics.words == [words[1]])
    }

    @Test func transparentMarkersAreVisible() throws {
        let mapView = MapView(100, 100)
        mapView.add(0, 0) { $0.alpha = 0 }
        let entry = try mapView.entry()
        #expect(entry.isVisible && entry.icon?.isVisible == true && entry.order == 0)
        #expect(try mapView.frame().sprites.map(\.alpha) == [0])
    }

    @Test func markersWithTheEmptyImageHaveNoIcon() throws {
        let mapView = MapView(100, 100)
        let marker = mapView.add(0, 0) { $0.iconImage = .empty }
        mapView.add(0, 0)
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.map(\.reason) == [.empty, nil])
        #expect(inspection.overlays[0].icon?.isVisible == false)
        #expect(inspection.overlays[0].icon?.quad == [.init(x: 50, y: 50), .init(x: 50, y: 50), .init(x: 50, y: 50), .init(x: 50, y: 50)])
        #expect(try mapView.frame().sprites.count == 1)
        marker.position = LatLng(lat: 0, lng: 179)
        // At any place.
        #expect(try mapView.inspection().overlays[0].reason == .empty)
    }

    @Test(arguments: [CGFloat.nan, .infinity, 0, 70_000]) func invalidPictureSizesThrow(width: CGFloat) {
        #expect(throws: PlacementError.self) { try MapView(size: CGSize(width: width, height: 10)).placement() }
    }

    // MARK: Copies of the world

    @Test func aWidePictureShowsTheWorldSeveralTimes() throws {
        let mapView = MapView(2048, 200)
        mapView.add(0, 0) { $0.iconImage = .solid(10, 10) }
        let sprites = try mapView.frame().sprites
        #expect(sprites.map(\.x) == [0, 512, 1024, 1536, 2048].map { $0 - 5 })
        let entry = try mapView.entry()
        #expect(entry.copies == 5)
        #expect(entry.anchor == .init(x: 1024, y: 100))
        #expect(entry.order == 2)
    }

    @Test func atMostThreeCopiesToEachSide() throws {
        let mapView = MapView(10_000, 200)
        mapView.add(0, 0)
        mapView.add(0, 170)
        #expect(try mapView.inspection().overlays.map(\.copies) == [7, 7])
    }

    @Test(arguments: Seeds.all) func everyCopyThatReachesIntoThePictureIsShown(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(random.number(100...600), random.number(50...400))
        mapView.add((0..<20).map { _ in Marker.random(&random) })
        // All copies are visited for as long as an icon is as wide as this one, and afterwards.
        let all = mapView.afresh()
        let wide = all.add(0, 0) { $0.width = 1_000_000 }
        _ = try all.placement()
        wide.width = 10
        wide.isHidden = true
        for _ in 0..<20 {
            mapView.camera = Camera(
                center: LatLng(lat: random.number(-80...80), lng: random.number(-180...180)), zoom: random.number(0...6),
                bearing: random.one(of: [0, 90, random.number(0...360)]), tilt: random.one(of: [0, random.number(0...70)]))
            all.camera = mapView.camera
            try #require(try mapView.frame() == all.frame(), "\(mapView.camera)")
        }
    }

    @Test func copiesInARowAreAWorldApart() throws {
        let mapView = MapView(1600, 900, Camera(zoom: 0.5, bearing: 30))
        mapView.add(40, 70) { $0.iconImage = .solid(2, 2) }
        let sprites = try mapView.frame().sprites.sorted { $0.x < $1.x }
        #expect(sprites.count >= 2)
        let world = 512 * 2.0.squareRoot()
        for (a, b) in zip(sprites, sprites.dropFirst()) {
            #expect(abs(Double(b.x - a.x) - world * cos(.pi / 6)) <= 1)
            // East is up when northeast is up.
            #expect(abs(Double(a.y - b.y) - world * 0.5) <= 1)
        }
    }

    @Test func acrossTheAntimeridian() throws {
        let mapView = MapView(200, 100, Camera(center: LatLng(lat: 0, lng: 179), zoom: 5))
        mapView.add(0, -179)
        mapView.add(0, 181)
        mapView.add(0, -539)
        let expected = 100 + 2 / 360.0 * 16384
        for entry in try mapView.inspection().overlays {
            #expect(entry.copies == 1)
            #expect(abs(entry.anchor!.x - expected) < 1 / 1024.0)
        }
        mapView.camera.center.lng = -179
        mapView.add(0, 179)
        #expect(abs(try mapView.inspection().overlays[3].anchor!.x - (100 - 2 / 360.0 * 16384)) < 1 / 1024.0)
    }

    @Test(arguments: Seeds.all) func everyCopyInViewIsPlaced(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            var design = DesignCamera(random: &random, zoom: 0...2, tilt: 0...60)
            design.lat = random.number(-50...50)
            (design.width, design.height) = (random.number(100...1500).rounded(), random.number(100...700).rounded())
            (design.left, design.right, design.top, design.bottom) = (0, 0, 0, 0)
            let mapView = MapView(design)
            let (lat, lng) = (random.number(-70...70), random.number(-180...179))
            mapView.add(lat, lng) {
                $0.iconImage = .solid(1, 1)
                $0.anchor = CGPoint(x: 0.5, y: 0.5)
            }
            let near = (design.lng - lng) / 360
            let copies = (-3...3).filter { copy in
                let point = design.project(lat: lat, lng: lng + Double(copy) * 360)
                return point.depth > design.height / 50 && point.depth < 20 * design.distance && point.x >= 0 && point.x <= design.width
                    && point.y >= 0 && point.y <= design.height
            }
            // An icon of 1 px at the very edge may be on either side of it.
            let isAtEdge = (-3...3).contains { copy in
                let point = design.project(lat: lat, lng: lng + Double(copy) * 360)
                return min(abs(point.x), abs(point.x - design.width), abs(point.y), abs(point.y - design.height)) < 2
            }
            guard !isAtEdge, abs(near) < 0.45 || copies.allSatisfy({ abs($0) < 3 }) else { continue }
            let entry = try mapView.entry()
            #expect(entry.copies == copies.count, "\(design) \(lat) \(lng)")
            #expect(entry.isVisible == !copies.isEmpty)
        }
    }
}
