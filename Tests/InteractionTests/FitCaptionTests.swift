import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// `fit` includes captions, each at the first of its aligns.
@Suite struct FitCaptionTests {
    /// The bounding box of all icons and captions as drawn.
    private func box(_ mapView: MapView) throws -> ScreenBox {
        var box = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        func extend(_ x: Double, _ y: Double) {
            box.left = min(box.left, x)
            box.right = max(box.right, x)
            box.top = min(box.top, y)
            box.bottom = max(box.bottom, y)
        }
        for entry in try Composer.of(mapView).place(mapView).inspection().overlays {
            for point in try #require(entry.icon?.quad) { extend(point.x, point.y) }
            guard let rect = entry.caption?.rect else { continue }
            extend(rect.x, rect.y)
            extend(rect.x + rect.width, rect.y + rect.height)
        }
        return box
    }

    /// Fits, and expects everything to be within the padding, centered, and to touch it on two opposite sides.
    private func expectTight(
        _ mapView: MapView, _ options: FitOptions, slack: Double = 0.51, room: Double = 2.1, location: SourceLocation = #_sourceLocation
    ) throws {
        mapView.camera = try mapView.camera(fitting: options)
        let box = try box(mapView)
        let (width, height, padding) = (mapView.size.width, mapView.size.height, options.padding(in: mapView.pointSize))
        let gaps = [box.left - padding, box.top - padding, width - padding - box.right, height - padding - box.bottom]
        #expect(gaps.allSatisfy { $0 >= -slack }, "\(gaps) \(mapView.camera)", sourceLocation: location)
        #expect(gaps[0] + gaps[2] < room || gaps[1] + gaps[3] < room, "\(gaps) \(mapView.camera)", sourceLocation: location)
        // Centered in the free box.
        #expect(abs(gaps[0] - gaps[2]) <= room && abs(gaps[1] - gaps[3]) <= room, "\(gaps)", sourceLocation: location)
    }

    private func add(_ mapView: MapView, _ lat: Double, _ lng: Double, _ text: String, _ align: AlignType) {
        let marker = Marker(position: LatLng(lat: lat, lng: lng))
        marker.captionText = text
        marker.captionAligns = [align]
        mapView.add(marker)
    }

    @Test(arguments: [(0.0, 0.0), (30, 0), (0, 50), (130, 60), (270, 40)])
    func allFourSides(bearing: Double, tilt: Double) throws {
        for size in [CGSize(width: 500, height: 400), CGSize(width: 300, height: 700)] {
            let mapView = MapView(size: size)
            add(mapView, 0, -1, "West of all others", .left)
            add(mapView, 0, 1, "East of all others", .right)
            add(mapView, 1, 0, "North\nof\nall\nothers", .top)
            add(mapView, -1, 0, "South\nof\nall\nothers", .bottom)
            let options = FitOptions(bearing: bearing, tilt: tilt)
            try expectTight(mapView, options)
            let zoom = mapView.camera.zoom
            // Without texts, a higher zoom fits.
            for case let marker as Marker in mapView.overlays { marker.captionText = "" }
            #expect(try mapView.camera(fitting: options).zoom > zoom + (bearing == 0 ? 0.1 : -1e-6))
        }
    }

    @Test func onlyTheFirstAlignCounts() throws {
        let mapView = MapView(size: CGSize(width: 500, height: 400))
        add(mapView, 0, -1, "West of all others", .left)
        add(mapView, 0, 1, "East of all others", .right)
        let camera = try mapView.camera(fitting: FitOptions())
        let markers = mapView.overlays.compactMap { $0 as? Marker }
        markers[0].captionAligns = [.left, .right]
        markers[0].captionMinZoom = 24
        markers[1].minZoom = 24
        markers[1].captionMaxZoom = 0
        #expect(try mapView.camera(fitting: FitOptions()) == camera)
        for marker in markers { marker.isHideCollidedMarkers = true }
        #expect(try mapView.camera(fitting: FitOptions()) == camera)
        markers[0].captionAligns = [.right, .left]
        #expect(try mapView.camera(fitting: FitOptions()).zoom > camera.zoom)
        markers[0].isHidden = true
        #expect(try mapView.camera(fitting: FitOptions()).zoom == 17)
    }

    @Test(arguments: Seeds.all.prefix(Seeds.isFull ? 200 : 10)) func aThousandDifferentCaptions(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(size: CGSize(width: 900, height: 700), pixelRatio: random.one(of: [1, 2]))
        for index in 0..<1000 {
            let text = String(repeating: "\(index) ", count: random.once(in: 40) ? random.integer(3...6) : 1)
            add(mapView, random.number(-3...3), random.number(100...108), text, random.one(of: AlignType.allCases))
            let marker = try #require(mapView.overlays.last as? Marker)
            marker.captionTextSize = random.one(of: [9, 12, 20])
            marker.captionOffset = random.one(of: [0, 6])
            if random.once(in: 4) { marker.subCaptionText = "sub of \(index)" }
        }
        try expectTight(
            mapView, FitOptions(padding: 20, bearing: random.one(of: [0, random.number(0...360)]), tilt: random.one(of: [0, 30, 60])))
    }

    @Test(arguments: Seeds.all) func captionsInPerspective(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(size: CGSize(width: 600, height: 500))
        for index in 0..<random.integer(2...80) {
            add(mapView, random.number(-1...1), random.number(-1...1), "caption \(index)", random.one(of: AlignType.allCases))
            let marker = try #require(mapView.overlays.last as? Marker)
            marker.captionPerspectiveEnabled = true
            marker.iconPerspectiveEnabled = random.once(in: 2)
        }
        // Text sizes change in steps of a quarter pixel.
        try expectTight(mapView, FitOptions(bearing: random.number(0...360), tilt: 55), room: 8)
    }
}
