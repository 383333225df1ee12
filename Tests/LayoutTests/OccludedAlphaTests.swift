import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// `Marker.occludedAlpha`: the alpha of markers behind models.
@Suite struct OccludedAlphaTests {
    /// Meters per degree of latitude.
    private static let degree = 111_319.49

    /// A map with a tower of 20 m in the middle, seen from the south.
    private let mapView = MapView.city(LocalModel(.box([-5, -5, 0], [5, 5, 20]), id: "tower"))

    /// Adds a marker some meters east and north of the tower's middle.
    @discardableResult
    private func add(east: Double = 0, north: Double, _ alpha: Double = 0.25, altitude: Double = 0, _ change: (Marker) -> Void = { _ in })
        -> Marker
    {
        let lat = LatLng.city.lat + north / Self.degree
        let lng = LatLng.city.lng + east / Self.degree / cos(LatLng.city.lat * .pi / 180)
        return mapView.add(lat, lng) {
            $0.iconImage = .solid(10, 10)
            $0.altitude = altitude
            $0.occludedAlpha = alpha
            change($0)
        }
    }

    /// The alpha of each sprite, in drawing order.
    private func alphas() throws -> [Float] { try mapView.frame().sprites.map(\.alpha) }

    @Test(arguments: [(8.0, 0.25), (20, 0.25), (-8, 1), (60, 1)])
    func occludedAlphaMultipliesTheAlphaWhereAModelStandsInFrontOfThePosition(north: Double, factor: Double) throws {
        add(north: north) { $0.alpha = 0.5 }
        #expect(try alphas() == [Float(factor * 0.5)])
    }

    @Test func besideAModelNothingHappens() throws {
        add(east: 20, north: 10)
        #expect(try alphas() == [1])
        mapView.camera.tilt = 0
        #expect(try alphas() == [1])
    }

    @Test func onTheRoofAndOnTheGroundInFrontItIsNotOccluded() throws {
        add(north: 0, altitude: 20)
        add(north: -5)
        #expect(try alphas() == [1, 1])
        // A model that lies on the ground hides nothing on it.
        let map = MapView.city(LocalModel(.plate(100)))
        map.add(LatLng.city.lat, LatLng.city.lng) {
            $0.iconImage = .solid(10, 10)
            $0.occludedAlpha = 0
        }
        #expect(try map.frame().sprites.map(\.alpha) == [1])
    }

    @Test func anAltitudeAboveTheModelIsSeen() throws {
        add(north: 10, altitude: 30)
        add(north: 10, altitude: 1)
        #expect(try alphas().sorted() == [0.25, 1])
    }

    @Test func captionAndIconAreMultipliedAlike() throws {
        add(north: 10, 0.5) {
            $0.captionText = "behind"
            $0.captionAlign = .top
        }
        #expect(try alphas() == [0.5, 0.5])
        // Over one another, they are one group.
        mapView.overlays.compactMap { $0 as? Marker }.forEach { $0.captionAlign = .center }
        let frame = try mapView.frame()
        #expect(frame.sprites.map(\.alpha) == [1, 1])
        #expect(frame.commands.contains { if case .beginGroup(let group) = $0, group.depths == nil { group.alpha == 0.5 } else { false } })
    }

    @Test func aMarkerOfAClusterLayerIsOccludedToo() throws {
        let marker = Marker(position: LatLng(lat: LatLng.city.lat + 10 / Self.degree, lng: LatLng.city.lng))
        (marker.iconImage, marker.occludedAlpha) = (.solid(10, 10), 0.25)
        mapView.add(ClusterLayer([marker]))
        #expect(try alphas() == [0.25])
    }

    @Test func aHiddenModelOccludesNothing() throws {
        add(north: 10)
        let tower = try #require(mapView.overlay(withID: "tower") as? LocalModel)
        #expect(try alphas() == [0.25])
        tower.isHidden = true
        #expect(try alphas() == [1])
        tower.isHidden = false
        tower.minZoom = 18
        #expect(try alphas() == [1])
    }

    /// Picking decides the same: the marker is occluded where the tower is nearer than its position.
    @Test(arguments: [0.0, 45, 200]) func theRaysOfPickingDecide(bearing: Double) throws {
        mapView.camera.bearing = bearing
        for east in stride(from: -30.0, through: 30, by: 5) {
            for north in stride(from: -30.0, through: 30, by: 6) { add(east: east, north: north) }
        }
        let markers = mapView.overlays.compactMap { $0 as? Marker }
        let placement = try mapView.placement()
        var behind = 0
        for marker in markers {
            guard let position = marker.position, let anchor = mapView.point(from: position), let viewport = try? mapView.viewport() else {
                continue
            }
            let offset = try #require(viewport.groundOffset(at: anchor))
            let depth = viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
            // Near an edge of the tower, the last bits decide.
            let hits = placement.modelHits(at: anchor).filter { $0.depth < depth - 0.3 }
            if !hits.isEmpty { behind += 1 }
        }
        let dimmed = placement.frame.sprites.count { $0.alpha == 0.25 }
        #expect(behind > 5 && abs(dimmed - behind) <= 1 && dimmed < markers.count, "\(dimmed) \(behind)")
    }

    /// Of a mesh with many triangles, all positions are tested together.
    @Test(arguments: Seeds.all) func manyMarkersBehindALargeMeshAreDimmedLikeEachAlone(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let model = LocalModel(.random(&random, triangles: 3000, reach: 30))
        let map = MapView.city(model, tilt: random.number(0...75), bearing: random.number(0...360))
        if random.once(in: 2) { model.isDoubleSided = false }
        // Some triangles extend behind the camera.
        if random.once(in: 3) { map.camera.zoom = 21 }
        let reach = random.number(1e-5...3e-4)
        for _ in 0..<100 {
            map.add(LatLng.city.lat + random.number(-reach...reach), LatLng.city.lng + random.number(-reach...reach)) {
                $0.iconImage = .solid(10, 10)
                $0.altitude = random.number(0...20)
                $0.occludedAlpha = 0.5
            }
        }
        func alphas() throws -> [Float] { try map.frame().sprites.map(\.alpha) }
        let together = try alphas()
        let markers = map.overlays.compactMap { $0 as? Marker }
        var alone: [Float] = []
        for marker in markers {
            for other in markers { other.isHidden = other !== marker }
            alone += try alphas()
        }
        #expect(together.sorted() == alone.sorted())
    }

    @Test func nothingIsComputedWhenAllValuesAreOne() throws {
        let marker = add(north: 10, 1)
        for _ in 0..<5 { add(north: 10, 1) { $0.captionText = "captioned" } }
        var tests: Int { Composer.of(mapView).statistics.occlusionTests }
        #expect(try Set(alphas()) == [1] && tests == 0)
        marker.occludedAlpha = 0.5
        #expect(try Set(alphas()) == [0.5, 1] && tests == 1)
        // Nor for picking.
        _ = try Composer.of(mapView).hits(PickRequest(.zero), on: mapView)
        #expect(tests == 1)
    }

    @Test func inspectionTellsWhichMarkersAreBehindAModel() throws {
        add(north: 10) { $0.id = "behind" }
        add(north: 60) { $0.id = "beyond" }
        add(north: 10, 1) { $0.id = "as usual" }
        add(north: 10) { ($0.id, $0.isHidden) = ("hidden", true) }
        let entries = try mapView.inspection().overlays
        let occluded = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.isOccluded) })
        #expect(occluded == ["tower": nil, "behind": true, "beyond": false, "as usual": nil, "hidden": nil])
        #expect(entries.allSatisfy { $0.isVisible == ($0.id != "hidden") })
    }

    @Test func aValueOutOfRangeIsInvalid() throws {
        add(north: 10, 1.5) { $0.id = "a" }
        let placement = try mapView.placement()
        #expect(placement.diagnostics.map(\.description) == ["a: occludedAlpha: 1.5 is outside 0…1"])
        #expect(placement.inspection().overlays.last?.reason == .invalid)
    }
}
