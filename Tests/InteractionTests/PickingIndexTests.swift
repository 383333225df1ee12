import Foundation
import Testing
import WaymarkImaging
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// Picks among enough markers to use an index, compared with the positions of the markers.
@Suite struct PickingIndexTests {
    @Test(arguments: [false, true]) func whatIsFoundIsWhatIsThere(hasCaptions: Bool) throws {
        var random = SplitMix64(seed: 7)
        let mapView = MapView(city: 400, 400)
        var places: [String: (x: Double, y: Double, isHidden: Bool)] = [:]
        for number in 0..<6_000 {
            let place = (x: random.number(-40...440), y: random.number(-40...440), isHidden: random.once(in: 3))
            try mapView.put("\(number)", place.x, place.y) {
                $0.isHidden = place.isHidden
                if hasCaptions, number % 10 == 0 { $0.captionText = "A" }
            }
            places["\(number)"] = place
        }
        // One icon is larger than many cells of a grid.
        try mapView.put("large", 200, 200) { ($0.width, $0.height) = (300, 300) }
        places["large"] = (200, 200, false)
        for _ in 0..<40 {
            let point = CGPoint(x: random.number(0...400), y: random.number(0...400))
            func names(_ isAll: Bool) -> Set<String> {
                Set(
                    mapView.hits(at: point, HitOptions(tolerance: 0, includesInvisible: isAll)).filter { $0.part == .icon }
                        .compactMap { ($0.object as? Marker)?.id })
            }
            // Icons stand on whole pixels: a point within one pixel of an edge may or may not be a hit.
            func near(_ half: Double, _ isAll: Bool) -> Set<String> {
                Set(
                    places.filter { name, place in
                        let half = name == "large" ? half + 140 : half
                        return max(abs(place.x - point.x), abs(place.y - point.y)) < half && (isAll || !place.isHidden)
                    }.map(\.key))
            }
            for isAll in [false, true] {
                let found = names(isAll)
                #expect(found.isSuperset(of: near(9, isAll)) && found.isSubset(of: near(11, isAll)))
            }
        }
        // Changes are found immediately.
        let moved = try #require(mapView.overlay(withID: "1") as? Marker)
        (moved.isHidden, moved.zIndex) = (true, 1)
        moved.position = mapView.camera.center
        #expect(mapView.all(200, 200).first == "1" && !mapView.visible(200, 200).contains("1"))
        moved.isHidden = false
        #expect(mapView.visible(200, 200).first == "1")
    }

    /// Icons of all kinds at all tilts, compared with maps of so few of them that all are visited.
    @Test(arguments: [0.0, 30, 60, 75]) func theIndexFindsWhatAVisitOfAllFinds(tilt: Double) throws {
        var random = SplitMix64(seed: UInt64(tilt) + 1)
        let bearing = random.number(0...360)
        let images = [(20, 20), (4, 40), (60, 8)].map { OverlayImage(bitmap: Bitmap(width: $0.0, height: $0.1, fill: .red)) }
        func map() -> MapView {
            let mapView = MapView(city: 400, 300, bearing: bearing, tilt: tilt)
            mapView.pixelRatio = 0.5
            return mapView
        }
        let whole = map()
        let parts = (0..<5).map { _ in map() }
        for number in 0..<4_000 {
            // The ground beyond the picture, on which icons stand that reach into it.
            let place = (x: random.number(-60...460), y: random.number(-20...380))
            guard whole.geoCoordinates(from: CGPoint(x: place.x, y: place.y)) != nil else { continue }
            let pose = (isFlat: random.once(in: 2), hasPerspective: random.once(in: 2), angle: random.number(0...360))
            let (image, isTurned, isHidden) = (random.one(of: images), random.once(in: 2), random.once(in: 4))
            let anchor = CGPoint(x: random.number(0...1), y: random.number(0...1))
            let offset = CGPoint(x: random.number(-9...9), y: random.number(-9...9))
            for mapView in [whole, parts[number % 5]] {
                try mapView.put("\(number)", place.x, place.y) { marker in
                    (marker.iconImage, marker.anchor, marker.anchorOffset, marker.isHidden) = (image, anchor, offset, isHidden)
                    (marker.isFlat, marker.iconPerspectiveEnabled) = (pose.isFlat, pose.hasPerspective)
                    if isTurned { marker.angle = pose.angle }
                }
            }
        }
        var found = 0
        for _ in 0..<60 {
            let point = CGPoint(x: random.number(0...400), y: random.number(0...300))
            for options in [HitOptions(tolerance: 0), HitOptions(tolerance: 5), HitOptions(includesInvisible: true)] {
                func names(_ mapView: MapView) -> [String] { mapView.hits(at: point, options).compactMap { ($0.object as? Marker)?.id } }
                let all = names(whole)
                found += all.count
                for (number, part) in parts.enumerated() {
                    #expect(all.filter { (Int($0) ?? 0) % 5 == number } == names(part))
                }
            }
        }
        #expect(found > 300)
    }
}
