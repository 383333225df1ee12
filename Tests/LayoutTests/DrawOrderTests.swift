import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct DrawOrderTests {
    /// The specified drawing order: (layer band, globalZIndex, z path, points farther up the ground first, insertion), where "farther up"
    /// means the larger u = X sin b - Y cos b.
    private func expected(_ mapView: MapView, bearing: Double) -> [String] {
        let quarter: [Double: (sin: Double, cos: Double)] = [0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)]
        let (s, c) = quarter[bearing] ?? (sin(bearing * .pi / 180), cos(bearing * .pi / 180))
        let bands: [MapLayerType] = [.background, .area, .road, .transitStop, .poi, .foreground]
        var world = DesignCamera()
        world.zoom = 0
        struct Key {
            var band: Int, globalZIndex: Int, zIndex: Int, u: Double, insertion: Int, id: String
        }
        var keys = mapView.overlays.enumerated().compactMap { index, overlay -> Key? in
            guard let marker = overlay as? Marker, let position = marker.position else { return nil }
            let place = world.world(lat: position.lat, lng: position.lng)
            return Key(
                band: bands.firstIndex(of: marker.mapLayerType)!, globalZIndex: marker.globalZIndex, zIndex: marker.zIndex,
                u: place.x * s - place.y * c, insertion: index, id: marker.id!)
        }
        keys.sort { a, b in
            if a.band != b.band { return a.band < b.band }
            if a.globalZIndex != b.globalZIndex { return a.globalZIndex < b.globalZIndex }
            if a.zIndex != b.zIndex { return a.zIndex < b.zIndex }
            if a.u != b.u { return a.u > b.u }
            return a.insertion < b.insertion
        }
        return keys.map(\.id)
    }

    /// Markers on a lattice with few different z indexes, so that many share a row or a column.
    private func lattice(_ random: inout SplitMix64, count: Int = 60) -> MapView {
        let mapView = MapView(600, 500, Camera(zoom: 1))
        for index in 0..<count {
            mapView.add(Double(random.integer(-4...4)) * 10, Double(random.integer(-5...5)) * 10) { marker in
                marker.id = "\(index)"
                if random.once(in: 3) { marker.zIndex = random.integer(-1...1) }
                if random.once(in: 5) { marker.globalZIndex = random.one(of: [-5, 0, 300_000]) }
                if random.once(in: 5) { marker.mapLayerType = random.one(of: MapLayerType.allCases) }
                if random.once(in: 5) { marker.altitude = random.number(0...1000) }
            }
        }
        return mapView
    }

    @Test(arguments: Seeds.all) func quarterTurns(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = lattice(&random)
        for bearing in [0.0, 90, 180, 270] {
            for equal in [bearing, bearing - 360, bearing + 720] {
                mapView.camera.bearing = equal
                #expect(try mapView.drawn() == expected(mapView, bearing: bearing))
            }
        }
    }

    @Test(arguments: Seeds.all) func anyBearingWhateverTheRestOfTheCamera(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = lattice(&random)
        for _ in 0..<10 {
            let bearing = random.number(0...360)
            let all = expected(mapView, bearing: bearing)
            for _ in 0..<4 {
                mapView.camera = Camera(
                    center: LatLng(lat: random.number(-40...40), lng: random.number(-20...20)), zoom: random.number(1.5...6),
                    bearing: bearing, tilt: random.one(of: [0, random.number(0...60)]))
                let inspection = try mapView.inspection()
                // A neighboring copy of the world is farther up or down as a whole.
                guard inspection.overlays.allSatisfy({ $0.copies <= 1 }) else { continue }
                let drawn = try mapView.drawn()
                let visible = Set(drawn)
                #expect(drawn == all.filter(visible.contains))
            }
        }
    }

    @Test func lowerPointsAreDrawnAboveAtEveryQuarterTurn() throws {
        let mapView = MapView(300, 300, Camera(zoom: 2))
        for (id, lat, lng) in [("north", 20.0, 0.0), ("east", 0, 20), ("south", -20, 0), ("west", 0, -20)] {
            mapView.add(lat, lng) { $0.id = id }
        }
        for (bearing, bottom, top) in [(0.0, "north", "south"), (90, "east", "west"), (180, "south", "north"), (270, "west", "east")] {
            mapView.camera.bearing = bearing
            let drawn = try mapView.drawn()
            #expect(drawn.first == bottom && drawn.last == top)
            #expect(drawn.count == 4)
        }
    }

    @Test func eachPartOfTheKeyBeatsTheNext() throws {
        // The first of each pair is beneath, although all later parts of the key would put it above.
        func drawn(_ first: (Marker) -> Void, _ second: (Marker) -> Void) throws -> [String] {
            let mapView = MapView(300, 300, Camera(zoom: 2))
            mapView.add(0, 0) {
                $0.id = "second"
                second($0)
            }
            mapView.add(0, 0) {
                $0.id = "first"
                first($0)
            }
            return try mapView.drawn()
        }
        let order = ["first", "second"]
        for (low, high) in zip(MapLayerType.allCases, MapLayerType.allCases.dropFirst()) {
            let bands = try drawn(
                {
                    $0.mapLayerType = low
                    $0.globalZIndex = 900_000
                }, { $0.mapLayerType = high })
            #expect(bands == order)
        }
        let globals = try drawn(
            {
                $0.globalZIndex = -1
                $0.zIndex = 9
            }, { $0.globalZIndex = 0 })
        #expect(globals == order)
        let zIndexes = try drawn(
            {
                $0.zIndex = -1
                $0.position = LatLng(lat: -10, lng: 0)
            }, { _ in })
        #expect(zIndexes == order)
        #expect(try drawn({ $0.position = LatLng(lat: 1e-6, lng: 0) }, { _ in }) == order)
        #expect(try drawn({ _ in }, { _ in }) == ["second", "first"])
        let extremes = try drawn({ $0.zIndex = .min }, { $0.zIndex = .max })
        #expect(extremes == order)
    }

    @Test func altitudeAndTiltDoNotAffectTheOrder() throws {
        let mapView = MapView(300, 300, Camera(zoom: 6, tilt: 60))
        mapView.add(0.5, 0) { $0.id = "far" }
        mapView.add(-0.5, 0) {
            // So high that it appears above the other on the screen.
            $0.id = "near"
            $0.altitude = 120_000
        }
        let entries = try mapView.inspection().overlays
        #expect(entries[1].anchor!.y < entries[0].anchor!.y)
        #expect(try mapView.drawn() == ["far", "near"])
    }

    @Test func addingAgainGoesAboveItsEquals() throws {
        let mapView = MapView(300, 300, Camera(zoom: 6))
        let markers = ["a", "b", "c"].map { id in mapView.add(0, 0) { $0.id = id } }
        #expect(try mapView.drawn() == ["a", "b", "c"])
        mapView.remove(markers[0])
        #expect(try mapView.drawn() == ["b", "c"])
        mapView.add(markers[0])
        #expect(try mapView.drawn() == ["b", "c", "a"])
    }

    @Test func copiesOfTheWorldAreOneOrder() throws {
        // With east up, the copy to the east is farther up as a whole.
        let mapView = MapView(400, 1400, Camera(bearing: 90))
        mapView.add(0, 100) { $0.iconImage = .solid(3, 3) }
        mapView.add(0, -100) { $0.iconImage = .solid(5, 5) }
        let sprites = try mapView.frame().sprites
        #expect(sprites.count > 4)
        #expect(sprites.map(\.y) == sprites.map(\.y).sorted())
    }
}
