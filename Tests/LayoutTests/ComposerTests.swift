import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ComposerTests {
    @Test(arguments: Seeds.all) func afterAnyEditsTheFrameIsThatOfASceneBuiltAfresh(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(300, 200, Camera(zoom: 1))
        var removed: [Marker] = []
        var nextId = 0
        for _ in 0..<40 {
            for _ in 0..<random.integer(0...6) {
                let present = mapView.overlays.compactMap { $0 as? Marker }
                switch random.integer(0...9) {
                case 0, 1:
                    let marker = Marker.random(&random)
                    marker.id = "\(nextId)"
                    nextId += 1
                    mapView.add(marker)
                case 2 where !present.isEmpty:
                    let marker = random.one(of: present)
                    mapView.remove(marker)
                    removed.append(marker)
                case 3 where !removed.isEmpty:
                    let marker = removed.remove(at: random.integer(0...removed.count - 1))
                    // Edits to removed markers count as well.
                    random.one(of: MarkerEdit.allCases).apply(to: marker, &random, invalid: 5)
                    if marker.position == nil { marker.position = LatLng(lat: 1, lng: 2) }
                    marker.mapView = mapView
                case 4:
                    mapView.camera = Camera(
                        center: LatLng(lat: random.number(-50...50), lng: random.number(-180...180)), zoom: random.number(0...5),
                        bearing: random.one(of: [0, 90, random.number(0...360)]), tilt: random.number(0...70))
                case 5 where random.once(in: 4): mapView.pixelRatio = random.one(of: [1, 1.5, 2])
                case 6 where random.once(in: 20): mapView.removeAll()
                default:
                    guard !present.isEmpty else { continue }
                    random.one(of: MarkerEdit.allCases).apply(to: random.one(of: present), &random, invalid: 5)
                }
            }
            let (placement, fresh) = (try mapView.placement(), mapView.afresh())
            let freshPlacement = try fresh.placement()
            try #require(placement.frame == freshPlacement.frame)
            let (known, expected) = (placement.inspection(), freshPlacement.inspection())
            #expect(known.overlays.map(\.reason) == expected.overlays.map(\.reason))
            #expect(known.diagnostics == expected.diagnostics)
            for (a, b) in zip(known.overlays, expected.overlays) where a.isVisible {
                #expect(a == b)
            }
        }
    }

    /// The data that the next frame recomputes.
    private func work(_ mapView: MapView, _ change: () -> Void) throws -> [Int] {
        let composer = Composer.of(mapView)
        let before = (composer.statistics.refreshedOverlays, composer.statistics.orderRebuilds)
        change()
        _ = try mapView.placement()
        return [composer.statistics.refreshedOverlays - before.0, composer.statistics.orderRebuilds - before.1]
    }

    @Test func aFrameCostsWhatChanged() throws {
        let mapView = MapView(300, 200, Camera(zoom: 1))
        let markers = (0..<10).map { index in mapView.add(Double(index), 0) }
        let marker = markers[3]
        #expect(try work(mapView) {} == [10, 1])
        #expect(try work(mapView) {} == [0, 0])
        let cameras: [(inout Camera) -> Void] = [
            { $0.zoom = 3.5 }, { $0.tilt = 40 }, { $0.center = LatLng(lat: 20, lng: 40) }, { $0.contentInset.left = 20 },
        ]
        for change in cameras {
            #expect(try work(mapView) { change(&mapView.camera) } == [0, 0])
        }
        #expect(try work(mapView) { mapView.camera.bearing = 20 } == [0, 1])
        #expect(try work(mapView) { mapView.size.width = 400 } == [0, 0])
        #expect(try work(mapView) { mapView.background = .white } == [0, 0])
        let styles: [() -> Void] = [
            { marker.alpha = 0.5 }, { marker.angle = 30 }, { marker.width = 12 }, { marker.height = 12 }, { marker.anchor = .zero },
            { marker.isFlat = true }, { marker.iconPerspectiveEnabled = true }, { marker.iconImage = MarkerImage.red },
            { marker.minZoom = 1 },
            { marker.maxZoom = 9 }, { marker.id = "named" }, { marker.zIndex = 0 },
        ]
        for (index, change) in styles.enumerated() {
            #expect(try work(mapView, change) == [1, 0], "style \(index)")
        }
        let orders: [() -> Void] = [
            { marker.zIndex = 1 }, { marker.globalZIndex = 1 }, { marker.mapLayerType = .poi },
            { marker.position = LatLng(lat: 1, lng: 1) },
            { marker.isHidden = true }, { marker.isHidden = false }, { mapView.remove(marker) }, { mapView.add(marker) },
            { marker.alpha = 2 },
            { marker.alpha = 1 },
        ]
        for (index, change) in orders.enumerated() {
            #expect(try work(mapView, change) == [1, 1], "order \(index)")
        }
        let several = try work(mapView) {
            marker.alpha = 0.1
            marker.angle = 4
            marker.alpha = 0.2
            markers[5].alpha = 0.4
        }
        #expect(several == [2, 0])
        #expect(try work(mapView) { mapView.pixelRatio = 2 } == [10, 0])
    }

    @Test func oneComposerBelongsToOneMap() throws {
        let (a, b) = (MapView(100, 100), MapView(100, 100))
        #expect(Composer.of(a) === Composer.of(a))
        #expect(Composer.of(a) !== Composer.of(b))
        let marker = a.add(0, 0)
        _ = try (a.placement(), b.placement())
        b.add(marker)
        #expect(try a.frame().sprites.isEmpty)
        #expect(try b.frame().sprites.count == 1)
    }

    @Test func equalFramesPrintEqually() throws {
        var random = SplitMix64(seed: 5)
        let mapView = MapView(300, 200, Camera(zoom: 1, bearing: 33, tilt: 40))
        for _ in 0..<20 { mapView.add(Marker.random(&random)) }
        #expect(try mapView.frame().description == mapView.afresh().frame().description)
        #expect(try mapView.frame().description.hasPrefix("frame 300 × 200 px"))
    }

    @Test func runsShareTheirSampling() throws {
        let mapView = MapView(300, 200, Camera(zoom: 1))
        for index in 0..<9 {
            let image = try #require(MarkerImage.named(MarkerImage.names[index]))
            mapView.add(0, Double(index)) {
                $0.iconImage = image
                if (3..<5).contains(index) { $0.angle = 5 }
            }
        }
        #expect(try mapView.frame().commands == [.sprites(0..<3, .nearest), .sprites(3..<5, .linear), .sprites(5..<9, .nearest)])
        #expect(try mapView.frame().images.count == 9)
    }
}
