import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Random scenes, compared with a reference that compares all pairs.
@Suite struct CollisionReferenceTests {
    private static let seeds = Array(1...(Seeds.isFull ? UInt64(500) : 20))
    private static let words = ["Hello", "서울특별시청", "A longer caption\nof two lines", "東京", "Ⅳ", "مرحبا", "wrapped where there is no room"]

    private static func caption(_ marker: Marker, _ random: inout SplitMix64) {
        marker.captionText = random.one(of: words)
        marker.captionTextSize = random.one(of: [12, 8, 10.5, 17, 5])
        if random.once(in: 2) { marker.captionPadding = random.one(of: [0, 0.3, 5, 17, random.number(0...30)]) }
        if random.once(in: 4) { marker.captionLetterSpacing = random.one(of: [0.2, -0.1]) }
        if random.once(in: 4) { marker.captionHaloWidth = random.one(of: [0, 8]) }
        if random.once(in: 4) { marker.captionHaloBlur = 4 }
        marker.captionAligns = (0..<random.integer(1...4)).map { _ in random.one(of: AlignType.allCases) }
        marker.captionOffset = random.one(of: [0, 0, 4, -3, 2.25, -12])
        marker.captionPerspectiveEnabled = random.once(in: 4)
        if random.once(in: 4) { marker.captionRequestedWidth = 50 }
        if random.once(in: 4) { marker.captionFontWeight = .bold }
        if random.once(in: 3) {
            marker.subCaptionText = random.one(of: words)
            marker.subCaptionTextSize = random.one(of: [9, 12])
            if random.once(in: 4) { marker.subCaptionMinZoom = random.number(0...24) }
        }
        if random.once(in: 10) { marker.captionMaxZoom = random.number(0...24) }
        if random.once(in: 3) { marker.isCaptionRequired = true }
    }

    private static func marker(at position: LatLng, ratio: Double, _ random: inout SplitMix64) -> Marker {
        let marker = Marker(position: position)
        let (width, height) = (random.integer(6...40), random.integer(6...40))
        switch random.integer(0...5) {
        case 0: marker.iconImage = .empty
        case 1: (marker.width, marker.height) = (Double(width) + 0.25, Double(height))
        case 2, 3: marker.iconImage = .solid(width, height, scale: ratio)
        default: marker.iconImage = .solid(width, height)
        }
        let hasIcon = marker.iconImage != .empty
        marker.anchor = CGPoint(x: random.one(of: [0, 0.25, 0.5, 1]), y: random.one(of: [0, 0.5, 1, 1]))
        if random.once(in: 3) { marker.angle = random.one(of: [45, 90, 180, 270, -30, random.number(-400...400)]) }
        if hasIcon, random.once(in: 4) { marker.isFlat = true }
        if random.once(in: 4) { marker.iconPerspectiveEnabled = true }
        if random.once(in: 8) { marker.anchorOffset = CGPoint(x: random.one(of: [-6.5, 3]), y: random.one(of: [0, 12])) }
        if random.once(in: 8) { marker.alpha = 0 }
        if random.once(in: 12) { marker.isHidden = true }
        if random.once(in: 12) { marker.minZoom = random.number(0...24) }
        if random.once(in: 2) { marker.zIndex = random.integer(-1...1) }
        if random.once(in: 6) { marker.globalZIndex = random.one(of: [-5, 0, 7, 200_001]) }
        if random.once(in: 8) { marker.mapLayerType = random.one(of: MapLayerType.allCases) }
        marker.isHideCollidedMarkers = random.once(in: 3)
        marker.isHideCollidedCaptions = random.once(in: 3)
        marker.isHideCollidedSymbols = random.once(in: 3)
        marker.isForceShowIcon = random.once(in: 5)
        marker.isForceShowCaption = random.once(in: 5)
        if !random.once(in: 4) { caption(marker, &random) }
        return marker
    }

    private static func symbol(at position: LatLng, ratio: Double, _ random: inout SplitMix64) -> Symbol {
        var symbol = Symbol(position: position)
        symbol.captionText = random.once(in: 5) ? "" : random.one(of: words)
        symbol.captionTextSize = random.one(of: [12, 9.5])
        if random.once(in: 4) { symbol.captionPadding = random.one(of: [2, 11.5]) }
        if random.once(in: 4) { symbol.captionLetterSpacing = 0.25 }
        symbol.rank = Double(random.integer(0...4))
        if symbol.captionText.isEmpty || random.once(in: 2) {
            symbol.iconImage = .solid(random.integer(5...30), random.integer(5...30), scale: random.once(in: 2) ? ratio : 1)
        }
        if random.once(in: 8) { symbol.minZoom = random.number(0...24) }
        return symbol
    }

    /// A place inside the picture or near it; anywhere in the world at low zooms.
    private static func position(_ mapView: MapView, _ random: inout SplitMix64) -> LatLng {
        if mapView.camera.zoom < 3 { return LatLng(lat: random.number(-70...70), lng: random.number(-180...180)) }
        while true {
            let point = CGPoint(x: random.number(-60...mapView.size.width + 60), y: random.number(-60...mapView.size.height + 60))
            if let position = mapView.geoCoordinates(from: point) { return position }
        }
    }

    private func isNear(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 0.003 } }

    @Test(arguments: seeds) func visibilityAlignsAndCollisionsMatchTheReference(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var camera = DesignCamera()
        (camera.width, camera.height) = (random.one(of: [200, 320, 700]), random.one(of: [200, 260]))
        camera.zoom = random.one(of: [0, 1, random.number(0...2), 14, random.number(4...19)])
        (camera.lat, camera.lng) = (random.number(-60...60), random.number(-180...180))
        camera.bearing = random.one(of: [0, 0, 90, -90, 180, random.number(0...360)])
        camera.tilt = random.one(of: [0, 0, 30, 60, random.number(0...65)])
        if random.once(in: 4) { camera.left = 40 }
        let ratio = random.one(of: [1, 1.5, 2, 0.75])
        let mapView = MapView(camera, pixelRatio: ratio)
        mapView.captionsAvoidEdges = random.once(in: 3)
        let containers = [Container(), Container()]
        mapView.add(containers[0])
        containers[0].add(containers[1])
        containers[0].zIndex = random.integer(-1...1)
        containers[1].zIndex = random.integer(-1...1)
        if random.once(in: 4) { containers[1].mapLayerType = .poi }
        for container in containers where random.once(in: 3) {
            container.isOrderedAsOne = true
            container.globalZIndex = random.one(of: [0, -1, 200_000, 200_001])
        }
        var markers: [Marker] = []
        for index in 0..<random.integer(5...45) {
            let marker = Self.marker(at: Self.position(mapView, &random), ratio: ratio, &random)
            marker.id = "marker \(index)"
            markers.append(marker)
            if random.once(in: 4) {
                random.one(of: containers).add(marker)
            } else {
                mapView.add(marker)
            }
        }
        mapView.symbols = (0..<random.integer(0...20)).map { index in
            var symbol = Self.symbol(at: Self.position(mapView, &random), ratio: ratio, &random)
            symbol.id = "symbol \(index)"
            return symbol
        }
        try compare(mapView, camera, ratio, markers, seed)
    }

    /// Thousands of markers, few of them near the picture, so that the spatial index is used.
    @Test(arguments: seeds.prefix(Seeds.isFull ? 60 : 5)) func fewVisibleAmongThousandsMatchTheReference(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var camera = DesignCamera()
        (camera.zoom, camera.lat, camera.lng) = (
            random.number(9...10), random.number(-40...40), random.one(of: [-179.9, 179.9, random.number(-180...180)])
        )
        camera.bearing = random.one(of: [0, random.number(0...360)])
        camera.tilt = random.one(of: [0, 0, 30, random.number(40...65)])
        let ratio: Double = random.one(of: [1, 2])
        let mapView = MapView(camera, pixelRatio: ratio)
        // Within 8 degrees of longitude on each side.
        let markers = (0..<4500).map { index in
            var lng = camera.lng + random.number(-8...8)
            if lng >= 180 { lng -= 360 }
            if lng < -180 { lng += 360 }
            let marker = Self.marker(at: LatLng(lat: camera.lat + random.number(-8...8), lng: lng), ratio: ratio, &random)
            if index % 5 == 0 { marker.captionText = "A caption that reaches far into the picture from one side of it or the other" }
            marker.id = "marker \(index)"
            return marker
        }
        mapView.add(markers)
        try compare(mapView, camera, ratio, markers, seed)
        #expect(Composer.of(mapView).statistics.indexBuilds == 1 || camera.tilt > 0)
    }

    private func compare(_ mapView: MapView, _ camera: DesignCamera, _ ratio: Double, _ markers: [Marker], _ seed: UInt64) throws {
        let reference = try CollisionReference(
            camera, ratio: ratio, markers, mapView.symbols, fonts(), avoidsEdges: mapView.captionsAvoidEdges)
        let inspection = try mapView.inspection()
        let entries = Dictionary(uniqueKeysWithValues: inspection.overlays.map { ($0.id, $0) })
        for index in markers.indices {
            let entry = try #require(entries["marker \(index)"])
            let comment = Comment(rawValue: "seed \(seed), marker \(index): \(entry)")
            let seen = reference.bodies.filter { $0.marker == index && reference.isSeen($0) }
            #expect(entry.copies == seen.count && entry.isVisible == !seen.isEmpty, comment)
            guard let body = reference.described(index) else {
                #expect(entry.icon?.hiddenBy == nil && entry.caption?.hiddenBy == nil && entry.reason != .collided, comment)
                continue
            }
            let isHidden = !body.isIconShown || body.captionHider != nil
            let isOutOfZoom = body.isIconInPicture && reference.hasText(body) && !body.hasCaption && !body.isTooSmall
            let reason: Reason = isHidden ? .collided : isOutOfZoom ? .outOfZoom : .outOfView
            #expect(entry.caption?.isCutByEdge ?? false == body.isCut, comment)
            #expect(entry.reason == (reference.isSeen(body) ? nil : reason), comment)
            #expect(entry.icon?.hiddenBy == body.iconHider.map { "marker \($0)" }, comment)
            #expect(entry.icon?.isVisible == (body.hasIcon && body.isIconShown && body.isIconInPicture), comment)
            #expect(entry.caption?.hiddenBy == body.captionHider.map { "marker \($0)" }, comment)
            if body.hasCaption {
                #expect(entry.caption?.isVisible == reference.isCaptionSeen(body), comment)
                if body.iconHider == nil {
                    let rect = try #require(entry.caption?.rect)
                    #expect(entry.caption?.align == markers[index].captionAligns[body.align], comment)
                    let expected = reference.rect(body.captions[body.align])
                    #expect(isNear([rect.x, rect.y, rect.width, rect.height], expected), "\(comment) \(expected)")
                }
            } else {
                #expect(entry.caption?.rect == nil, comment)
            }
            let expected = body.icon.flatMap { [$0.x / ratio, $0.y / ratio] }
            #expect(entry.icon?.quad.map { isNear($0.flatMap { [$0.x, $0.y] }, expected) } == true, "\(comment) \(expected)")
        }
        for (index, entry) in inspection.symbols.enumerated() {
            let comment = Comment(rawValue: "seed \(seed), symbol \(index): \(entry)")
            guard let body = reference.describedSymbol(index) else {
                #expect(!entry.isVisible && entry.hiddenBy == nil && entry.rect == nil, comment)
                continue
            }
            #expect(entry.isVisible == body.isShown && entry.hiddenBy == body.hider && entry.isCutByEdge == body.isCut, comment)
            let rect = try #require(entry.rect)
            #expect(isNear([rect.x, rect.y, rect.width, rect.height], reference.box(body)), comment)
            #expect(entry.anchor.map { isNear([$0.x, $0.y], [body.anchor.x, body.anchor.y]) } == true, comment)
        }
        // The drawing order.
        var order: [Int: Int] = [:]
        for (place, body) in reference.bodies.filter(reference.isSeen).enumerated() where order[body.marker] == nil {
            if body.copy == reference.described(body.marker)?.copy { order[body.marker] = place }
        }
        #expect(markers.indices.map { entries["marker \($0)"]?.order } == markers.indices.map { order[$0] }, "seed \(seed)")
    }
}
