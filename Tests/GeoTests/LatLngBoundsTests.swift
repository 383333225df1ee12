import Testing
import WaymarkGeo
import WaymarkTestSupport

@Suite struct LatLngBoundsTests {
    @Test func boundsOfPointsTakeTheShortestArc() throws {
        let points = [LatLng(10, 170), LatLng(-5, -175), LatLng(3, 540)]
        let bounds = try #require(LatLngBounds(points: points))
        #expect(bounds == LatLngBounds(south: -5, west: 170, north: 10, east: -175))
        #expect(LatLngBounds(points: []) == nil)
        #expect(LatLngBounds(points: [LatLng(95, 0)]) == nil)
        #expect(LatLngBounds(points: [LatLng(1, 2)]) == LatLngBounds(south: 1, west: 2, north: 1, east: 2))
    }

    /// The edges may be written as any number of degrees, and a position on an edge is inside.
    @Test(arguments: [
        (170.0, 180.0, -180.0, true), (170, 180, 180, true), (-180, -170, 180, true), (0, 360, -90, true), (-180, 180, 180, true),
        (170, 190, -175, true), (170, 190, 169, false), (170, -170, 540, true), (170, -170, 0, false), (350, 370, 5, true),
        (10, 20, 380, true),
        (10, 20, 21, false),
    ])
    func longitudesAreTakenModulo360(west: Double, east: Double, lng: Double, isInside: Bool) throws {
        let bounds = try #require(LatLngBounds(south: -10, west: west, north: 10, east: east))
        #expect(bounds.contains(LatLng(0, lng)) == isInside)
    }

    @Test(arguments: Seeds.all) func boundsOfPointsHoldThemAndAreNoWiderThanNecessary(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let points = (0..<random.integer(1...8)).map { _ in LatLng(random.number(-90...90), random.number(-400...400)) }
            let bounds = try #require(LatLngBounds(points: points))
            #expect(points.allSatisfy { bounds.contains($0) })
            // Every arc that begins at one of the points and holds all is as wide or wider.
            for start in points {
                let widest =
                    points.map { point in
                        let way = (point.lng - start.lng).truncatingRemainder(dividingBy: 360)
                        return way < 0 ? way + 360 : way
                    }.max() ?? 0
                #expect(bounds.width <= widest + 1e-9)
            }
        }
    }

    @Test func unionsGoTheShortWay() throws {
        func bounds(_ west: Double, _ east: Double) throws -> LatLngBounds {
            try #require(LatLngBounds(south: 0, west: west, north: 1, east: east))
        }
        #expect(try bounds(160, 170).union(bounds(-175, -170)) == bounds(160, -170))
        #expect(try bounds(-175, -170).union(bounds(160, 170)) == bounds(160, -170))
        #expect(try bounds(0, 10).union(bounds(20, 30)) == bounds(0, 30))
        #expect(try bounds(0, 30).union(bounds(10, 20)) == bounds(0, 30))
        #expect(try bounds(170, -170).union(bounds(175, -175)) == bounds(170, -170))
        #expect(try bounds(-180, 180).union(bounds(5, 6)) == bounds(-180, 180))
        #expect(try bounds(-170, 100).union(bounds(90, -160)) == bounds(-180, 180))
    }

    @Test(arguments: Seeds.all) func unionsHoldBoth(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let boxes = try (0..<2).map { _ in
                let (south, west) = (random.number(-80...70), random.number(-180...180))
                return try #require(
                    LatLngBounds(south: south, west: west, north: south + 5, east: WebMercatorDegrees.normal(west + random.number(0...300)))
                )
            }
            let union = boxes[0].union(boxes[1])
            for box in boxes {
                for share in [0.0, 0.25, 0.5, 1] {
                    let lng = box.west + box.width * share
                    #expect(union.contains(LatLng(box.north, lng + (share == 0 ? 1e-9 : -1e-9))), "\(boxes) \(union)")
                }
            }
        }
    }
}

private enum WebMercatorDegrees {
    static func normal(_ lng: Double) -> Double { LatLng(0, lng).normalizedLng }
}
