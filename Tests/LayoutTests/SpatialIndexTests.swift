import Foundation
import Testing
import WaymarkClustering
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Maps with enough markers that close views use the index.
@Suite struct SpatialIndexTests {
    static let count = 5200
    private let icon = OverlayImage.solid(7, 9)

    /// A random marker, usually in a town.
    private func marker(_ random: inout SplitMix64) -> Marker {
        let marker = random.once(in: 10) ? Marker.random(&random, edits: 3) : Marker(position: place(&random))
        if !random.once(in: 8) { marker.iconImage = icon }
        lower(marker)
        return marker
    }

    /// A marker hundreds of kilometers high is visible from everywhere, so a map with one uses no index.
    private func lower(_ marker: Marker) {
        if marker.altitude > 50 { marker.altitude = 50 }
        if let altitude = marker.position?.altitude, altitude > 50, altitude.isFinite { marker.position?.altitude = 50 }
    }

    private func place(_ random: inout SplitMix64) -> LatLng {
        let towns = [(10.0, 20.0), (37.5, 127), (-33, 151), (1, 179.99), (0, -179.99), (60, -100)]
        let town = random.one(of: towns)
        return random.once(in: 3)
            ? LatLng(lat: random.number(-80...80), lng: random.number(-180...180))
            : LatLng(lat: town.0 + random.number(-1...1), lng: town.1 + random.number(-1...1))
    }

    private func map(_ random: inout SplitMix64, count: Int = Self.count) -> MapView {
        let mapView = MapView(300, 200, Camera(zoom: 1))
        mapView.add((0..<count).map { _ in marker(&random) })
        return mapView
    }

    private func expectAsAfresh(_ mapView: MapView, location: SourceLocation = #_sourceLocation) throws {
        let (placement, fresh) = (try mapView.placement(), mapView.afresh())
        let freshPlacement = try fresh.placement()
        let (known, expected) = (placement.inspection(), freshPlacement.inspection())
        #expect(known.overlays.map(\.reason) == expected.overlays.map(\.reason), sourceLocation: location)
        #expect(known.overlays.map(\.order) == expected.overlays.map(\.order), sourceLocation: location)
        #expect(known.overlays.map(\.copies) == expected.overlays.map(\.copies), sourceLocation: location)
        try #require(placement.frame == freshPlacement.frame, "\(mapView.camera)", sourceLocation: location)
    }

    private func camera(_ random: inout SplitMix64, isNear: Bool) -> Camera {
        Camera(
            center: place(&random), zoom: isNear ? random.number(6...14) : random.number(0...3),
            bearing: random.one(of: [0, 90, 180, random.number(0...360)]), tilt: random.one(of: [0, random.number(0...75)]))
    }

    @Test(arguments: Seeds.isFull ? Seeds.slow : Array(Seeds.slow.prefix(6)))
    func afterAnyEditsNearAndFarTheFrameIsThatOfAMapBuiltAfresh(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = map(&random)
        var removed: [Marker] = []
        var present = mapView.overlays.compactMap { $0 as? Marker }
        for _ in 0..<12 {
            // Rarely enough edits to discard the index.
            for _ in 0..<random.one(of: [0, 1, 5, 60, random.once(in: 5) ? 1500 : 3]) {
                switch random.integer(0...9) {
                case 0:
                    let marker = marker(&random)
                    present.append(marker)
                    mapView.add(marker)
                case 1:
                    let marker = present.remove(at: random.integer(0...present.count - 1))
                    mapView.remove(marker)
                    removed.append(marker)
                case 2 where !removed.isEmpty:
                    let marker = removed.remove(at: random.integer(0...removed.count - 1))
                    if marker.position == nil { marker.position = place(&random) }
                    marker.mapView = mapView
                    present.append(marker)
                case 3...6: random.one(of: present).position = place(&random)
                default:
                    let marker = random.one(of: present)
                    random.one(of: MarkerEdit.allCases).apply(to: marker, &random, invalid: 5)
                    lower(marker)
                }
            }
            mapView.camera = camera(&random, isNear: !random.once(in: 4))
            try expectAsAfresh(mapView)
        }
        #expect(Composer.of(mapView).statistics.indexBuilds > 0)
    }

    /// The work of the next frame: overlays read, sorts, merges, index builds.
    private func work(_ mapView: MapView, _ change: () -> Void) throws -> [Int] {
        let composer = Composer.of(mapView)
        func counts() -> [Int] {
            [
                composer.statistics.refreshedOverlays, composer.statistics.orderSorts, composer.statistics.orderMerges,
                composer.statistics.indexBuilds,
            ]
        }
        let before = counts()
        change()
        _ = try mapView.placement()
        return zip(counts(), before).map(-)
    }

    @Test func aFrameCostsWhatChanged() throws {
        var random = SplitMix64(seed: 3)
        let mapView = MapView(300, 200, Camera(zoom: 0))
        let markers = (0..<5000).map { _ in
            Marker(position: LatLng(lat: random.number(-60...60), lng: random.number(-170...170)))
        }
        mapView.add(markers)
        // Distant views use the order.
        #expect(try work(mapView) {} == [5000, 1, 0, 0])
        #expect(try work(mapView) { markers[9].position = LatLng(lat: 1, lng: 2) } == [1, 0, 1, 0])
        #expect(try work(mapView) { markers[9].alpha = 0.5 } == [1, 0, 0, 0])
        #expect(try work(mapView) { mapView.camera.center = LatLng(lat: 3, lng: 4) } == [0, 0, 0, 0])
        // Close views use the index, built once.
        #expect(try work(mapView) { mapView.camera.zoom = 7 } == [0, 0, 0, 1])
        let cameras: [(inout Camera) -> Void] = [
            { $0.center = LatLng(lat: 30, lng: -100) }, { $0.zoom = 12 }, { $0.bearing = 40 }, { $0.tilt = 50 }, { $0.bearing = 90 },
        ]
        for change in cameras { #expect(try work(mapView) { change(&mapView.camera) } == [0, 0, 0, 0]) }
        #expect(try work(mapView) { markers[9].position = LatLng(lat: 30, lng: -100) } == [1, 0, 0, 0])
        #expect(try work(mapView) { mapView.remove(markers[10]) } == [1, 0, 0, 0])
        #expect(try work(mapView) { mapView.add(markers[10]) } == [1, 0, 0, 0])
        #expect(try work(mapView) { markers[9].zIndex = 5 } == [1, 0, 0, 0])
        #expect(try mapView.frame().sprites.count < 5)
        // A distant view again, with the bearing of the order: the changes made meanwhile are merged.
        #expect(try work(mapView) { mapView.camera = Camera(zoom: 0) } == [0, 0, 1, 0])
        #expect(try work(mapView) { mapView.camera.zoom = 7 } == [0, 0, 0, 0])
        // After a large part has moved, the index is rebuilt.
        let much = try work(mapView) {
            for marker in markers.prefix(1500) { marker.position?.lat += 0.01 }
        }
        #expect(much == [1500, 0, 0, 1])
        try expectAsAfresh(mapView)
    }

    @Test func atTheAntimeridian() throws {
        var random = SplitMix64(seed: 8)
        let mapView = map(&random)
        for (lng, zoom, bearing, tilt) in [
            (180.0, 7.0, 0.0, 0.0), (-180, 7, 0, 0), (179.9, 9, 30, 0), (-179.9, 8, 120, 60), (180, 6, 270, 30), (540, 7, 0, 0),
        ] {
            mapView.camera = Camera(center: LatLng(lat: 0.5, lng: lng), zoom: zoom, bearing: bearing, tilt: tilt)
            try expectAsAfresh(mapView)
            #expect(try mapView.frame().sprites.count > 5)
        }
        #expect(Composer.of(mapView).statistics.indexBuilds == 1)
    }

    /// Both sides of the antimeridian are in one picture: two parts of the world, which may touch or overlap.
    @Test(arguments: [(1900, 180), (2000, 180), (2040, 180), (2044, 179), (2000, -170), (1500, -150), (1024, 180)] as [(Double, Double)])
    func theIndexFindsEachOnce(width: Double, lng: Double) throws {
        var random = SplitMix64(seed: 4)
        // Nearly as wide as the world, but not high, so that it shows few markers.
        let mapView = MapView(width, 60, Camera(center: LatLng(lat: 0, lng: lng), zoom: 2))
        func add(_ lat: Double, _ lng: Double) {
            mapView.add(lat, lng) {
                $0.iconImage = .solid(3, 3)
                $0.alpha = 0.5
            }
        }
        for _ in 0..<6000 { add(random.number(30...84) * (random.once(in: 2) ? 1 : -1), random.number(-180...180)) }
        for _ in 0..<150 { add(random.number(-3...3), random.number(-180...180)) }
        for lng in [180, -180, 179.999, 0.001, 0, -0.001, 90] { add(0, lng) }
        let entries = try mapView.inspection().overlays
        let composer = Composer.of(mapView)
        #expect(composer.statistics.indexBuilds == 1 && composer.statistics.orderRebuilds == 0)
        // The same few markers alone, for which no index is built.
        let few = MapView(width, 60, mapView.camera)
        let shown = zip(mapView.overlays, entries).filter { $1.isVisible }
        for case (let marker as Marker, _) in shown { few.add(marker.copy()) }
        #expect(try few.inspection().overlays.map(\.copies) == shown.map(\.1.copies))
        #expect(try few.frame().sprites == mapView.frame().sprites)
        #expect(shown.count > 50)
    }

    @Test(arguments: Seeds.all) func radixSortSortsStably(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for count in [0, 1, 2, 3, 100, 5000] {
            let bits = UInt64(random.integer(0...64))
            let mask = bits == 64 ? UInt64.max : (1 << bits) - 1
            let shift = UInt64(random.integer(0...40))
            // The keys of the values, by index.
            let keys = (0..<count).map { _ in (random.next() & mask) << shift }
            let values = (0..<Int32(count)).map { $0 }.shuffled(using: &random)
            var sorted = values
            radixSort(&sorted, by: keys)
            let expected = zip(keys, values).enumerated()
                .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
            #expect(sorted == expected)
        }
    }
}
