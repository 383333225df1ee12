import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

@Suite struct ShapeTests {
    private let a = LatLng(lat: 1, lng: 2)
    private let b = LatLng(lat: 3, lng: 4)
    private let c = LatLng(lat: 5, lng: 7)

    @Test func defaultsOfLines() {
        let line = Polyline()
        #expect(line.type == .polyline && line.globalZIndex == -200_000 && line.mapLayerType == .foreground && line.isVisible)
        #expect(line.points.isEmpty && line.parts.isEmpty && line.width == 2.5 && line.color == .black)
        #expect(line.capType == .butt && line.joinType == .miter && line.miterLimit == 4 && line.pattern.isEmpty)
        #expect(line.outlineWidth == 0 && line.outlineColor == .black && !line.isGeodesic && !line.isPerspectiveEnabled)
        #expect(line.startArrow == .none && line.endArrow == .none && line.arrowSize == 4)
        #expect(line.lineImage == nil && line.lineImageSize == 0 && line.lineImageSpacing == 80 && line.lineImageOffset == nil)
        #expect(line.lineText.isEmpty && line.lineTextSize == 12 && line.lineTextColor == .black && line.lineTextHaloColor == .white)
        #expect(line.lineTextHaloWidth == 1 && line.lineTextFontWeight == .regular && line.lineTextFont == nil)
        #expect(line.lineTextLetterSpacing == 0 && line.lineTextPadding == 2 && line.lineTextMinZoom == 0 && line.lineTextMaxZoom == 24)
        #expect(line.lineTextSpacing == 250 && line.lineTextOffset == 0 && line.lineTextMaxAngle == 45)
        let route = Route()
        #expect(route.type == .route && route.globalZIndex == -100_000 && route.width == 5 && route.color == .white)
        #expect(route.outlineWidth == 1 && route.outlineColor == .black && route.passedColor == .white && route.progress == 0)
    }

    @Test func defaultsOfAreas() {
        let polygon = Polygon()
        #expect(polygon.type == .polygon && polygon.globalZIndex == -200_000 && polygon.rings.isEmpty && polygon.polygons.isEmpty)
        #expect(polygon.fillColor == .white && polygon.outlineWidth == 0 && polygon.outlineColor == .black)
        #expect(!polygon.isPerspectiveEnabled && !Circle().isPerspectiveEnabled)
        let circle = Circle()
        #expect(circle.type == .circle && circle.globalZIndex == -200_000 && circle.center == nil && circle.radius == 1000)
        #expect(circle.fillColor == .white && circle.outlineWidth == 0 && circle.outlineColor == .black)
    }

    @Test func onePartIsThePoints() {
        let line = Polyline(points: [a, b])
        #expect(line.parts == [[a, b]])
        line.parts = [[b, c], [a, b]]
        #expect(line.points == [b, c])
        line.points = []
        #expect(line.parts.isEmpty)
        let polygon = Polygon(points: [a, b, c])
        #expect(polygon.rings == [[a, b, c]] && polygon.polygons == [[[a, b, c]]])
        polygon.polygons = [[[c, b, a]], [[a, b, c]]]
        #expect(polygon.rings == [[c, b, a]])
    }

    @Test func withoutPointsNothingIsAdded() {
        let mapView = MapView(size: .init(width: 10, height: 10))
        let line = Polyline()
        line.parts = [[], []]
        let polygon = Polygon(rings: [[]])
        for shape in [line, Route(), polygon, Circle()] { mapView.add(shape) }
        #expect(mapView.overlays.isEmpty)
        #expect(
            mapView.reports.map(\.description) == [
                "polyline: points: not added to the map, because the overlay has no points",
                "route: points: not added to the map, because the overlay has no points",
                "polygon: rings: not added to the map, because the overlay has no rings",
                "circle: center: not added to the map, because the overlay has no center",
            ])
        line.points = [a, b]
        line.mapView = mapView
        #expect(mapView.overlays == [line])
    }

    @Test func pointsThatCannotBe() {
        func problem(_ points: [LatLng]) -> String? { Polyline(points: points).firstProblem()?.description }
        #expect(problem([a]) == "points: a line needs at least 2 points, not 1")
        #expect(problem([a, a]) == nil)
        #expect(problem([a, b, LatLng(lat: 95, lng: 0)]) == "points[2].lat: 95 is outside -90…90")
        #expect(problem([LatLng(lat: .nan, lng: 0), b]) == "points[0].lat: nan is outside -90…90")
        #expect(problem([a, LatLng(lat: 0, lng: .infinity)]) == "points[1].lng: inf is not a finite number")
        #expect(problem([a, LatLng(lat: 0, lng: 1e9)]) == nil)
        #expect(problem([LatLng(lat: 0, lng: 0, altitude: -2e6), b]) == "points[0].altitude: -2000000 is outside -1000000…1000000000")
        let line = Polyline()
        line.parts = [[a, b], [a]]
        #expect(line.firstProblem()?.description == "parts[1]: a line needs at least 2 points, not 1")
        line.parts = [[a, b], [a, LatLng(lat: -91, lng: 0)]]
        #expect(line.firstProblem()?.description == "parts[1][1].lat: -91 is outside -90…90")
        line.points = [a, b]
        #expect(line.firstProblem() == nil)
    }

    @Test func ringsThatCannotBe() {
        func problem(_ rings: [[LatLng]]) -> String? { Polygon(rings: rings).firstProblem()?.description }
        #expect(problem([[a, b]]) == "rings[0]: a ring needs at least 3 points, not 2")
        #expect(problem([[a, b, a]]) == "rings[0]: a ring needs at least 3 points before it closes, not 2")
        #expect(problem([[a, b, c]]) == nil && problem([[a, b, c, a]]) == nil && problem([[a, a, a, b]]) == nil)
        #expect(problem([[a, b, c], [a]]) == "rings[1]: a ring needs at least 3 points, not 1")
        #expect(problem([[a, b, LatLng(lat: 99, lng: 0)]]) == "rings[0][2].lat: 99 is outside -90…90")
        let polygon = Polygon()
        polygon.polygons = [[[a, b, c]], [[a, b, c], [a, b]]]
        #expect(polygon.firstProblem()?.description == "polygons[1][1]: a ring needs at least 3 points, not 2")
        polygon.polygons = [[[a, b, c]], []]
        #expect(polygon.firstProblem()?.description == "polygons[1]: a polygon needs at least one ring")
        // Many points are as good as few.
        let ring = (0..<65_536).map { LatLng(lat: Double($0 % 180 - 90), lng: Double($0 % 359)) }
        #expect(problem([ring]) == nil)
    }

    @Test(arguments: [
        (-1.0, "radius: -1 is outside 0…20000000"), (.nan, "radius: nan is outside 0…20000000"),
        (.infinity, "radius: inf is outside 0…20000000"), (0, nil), (2e7, nil),
    ])
    func radii(radius: Double, problem: String?) {
        #expect(Circle(center: a, radius: radius).firstProblem()?.description == problem)
        #expect(Circle(center: LatLng(lat: 91, lng: 0)).firstProblem()?.description == "center.lat: 91 is outside -90…90")
    }

    @Test(arguments: [
        (0.0, nil), (1000, nil), (-0.5, "-0.5 is outside 0…1000"), (1001, "1001 is outside 0…1000"), (.nan, "nan is outside 0…1000"),
    ])
    func widths(width: Double, problem: String?) {
        let line = Polyline(points: [a, b])
        line.width = width
        #expect(line.firstProblem()?.description == problem.map { "width: \($0)" })
        line.width = 1
        line.outlineWidth = width
        #expect(line.firstProblem()?.description == problem.map { "outlineWidth: \($0)" })
        let circle = Circle(center: a)
        circle.outlineWidth = width
        #expect(circle.firstProblem()?.description == problem.map { "outlineWidth: \($0)" })
        let polygon = Polygon(points: [a, b, c])
        polygon.outlineWidth = width
        #expect(polygon.firstProblem()?.description == problem.map { "outlineWidth: \($0)" })
    }

    @Test func otherNumbersThatCannotBe() {
        func problem(_ change: (Route) -> Void) -> String? {
            let route = Route(points: [a, b])
            change(route)
            return route.firstProblem()?.description
        }
        #expect(problem { $0.pattern = [4, 2, 0] } == nil)
        #expect(problem { $0.pattern = [4, -1] } == "pattern[1]: -1 is outside 0…10000")
        #expect(problem { $0.pattern = [.nan] } == "pattern[0]: nan is outside 0…10000")
        #expect(problem { $0.pattern = [0, 0] } == "pattern: the lengths add up to 0 pt; at least 0.1 are required")
        #expect(
            problem { $0.pattern = Array(repeating: 1, count: 1025) } == "pattern: the pattern has 1025 lengths; at most 1024 are allowed")
        #expect(problem { $0.pattern = Array(repeating: 1, count: 1024) } == nil)
        #expect(problem { $0.miterLimit = 0.5 } == "miterLimit: 0.5 is outside 1…1000")
        #expect(problem { $0.color = Color(white: 2) } == "color: a channel is outside 0…1")
        #expect(problem { $0.outlineColor = Color(white: .nan) } == "outlineColor: a channel is outside 0…1")
        #expect(problem { $0.passedColor = Color(white: -1) } == "passedColor: a channel is outside 0…1")
        #expect(problem { $0.progress = 1.5 } == "progress: 1.5 is outside -1…1")
        #expect(problem { $0.progress = -1 } == nil)
        #expect(problem { $0.minZoom = 30 } == "minZoom: 30 is outside 0…24")
        let polygon = Polygon(points: [a, b, c])
        polygon.fillColor = Color(white: 2)
        #expect(polygon.firstProblem()?.description == "fillColor: a channel is outside 0…1")
    }

    @Test func copyingTakesEverythingOver() {
        // Mirrors also find forgotten properties. Values belong to points, and the defaults of a template to its overlays.
        func state(_ overlay: Overlay) -> [String] {
            Mirror(reflecting: overlay).children.filter { !["geometry", "values", "standard"].contains($0.label) }.map {
                "\($0.label ?? "") \($0.value)"
            }
                + [
                    "\(overlay.zIndex) \(overlay.globalZIndex) \(overlay.minZoom) \(overlay.altitude) \(overlay.mapLayerType) \(overlay.tag)"
                ]
        }
        func shared(_ overlay: Overlay) {
            (overlay.zIndex, overlay.globalZIndex, overlay.minZoom, overlay.altitude, overlay.tag) = (3, 4, 5, 6, 7)
            overlay.mapLayerType = .road
        }
        let (line, lineCopy) = (Polyline(points: [a, b]), Polyline())
        shared(line)
        (line.width, line.color, line.capType, line.joinType, line.miterLimit) = (9, .red, .round, .bevel, 7)
        (line.pattern, line.outlineWidth, line.outlineColor) = ([1, 2], 3, .blue)
        (line.isGeodesic, line.isPerspectiveEnabled) = (true, true)
        (line.gradient, line.colorScale) = ([.init(0.5, .red)], Scale(by: "a", linear: [.blue]))
        (line.startArrow, line.endArrow, line.arrowSize, line.outlineGroup) = (.open, .filled, 6, "roads")
        (line.lineImage, line.lineImageSize, line.lineImageSpacing, line.lineImageOffset) = (MarkerImage.blue, 9, 50, 4)
        (line.lineText, line.lineTextSize, line.lineTextColor, line.lineTextHaloColor) = ("Way", 9, .red, .blue)
        (line.lineTextHaloWidth, line.lineTextFontWeight, line.lineTextFont, line.lineTextLetterSpacing) = (2, .bold, "Noto Serif", 0.5)
        (line.lineTextPadding, line.lineTextMinZoom, line.lineTextMaxZoom) = (4, 3, 20)
        (line.lineTextSpacing, line.lineTextOffset, line.lineTextMaxAngle) = (90, -8, 30)
        let plain = state(lineCopy)
        #expect(zip(state(line), plain).allSatisfy { $0 != $1 })
        lineCopy.copyProperties(of: line)
        #expect(state(lineCopy) == state(line) && lineCopy.points.isEmpty)
        let (polygon, polygonCopy) = (Polygon(points: [a, b, c]), Polygon())
        shared(polygon)
        (polygon.fillColor, polygon.outlineWidth, polygon.outlineColor) = (.red, 3, .blue)
        polygon.isPerspectiveEnabled = true
        #expect(zip(state(polygon), state(polygonCopy)).allSatisfy { $0 != $1 })
        polygonCopy.copyProperties(of: polygon)
        #expect(state(polygonCopy) == state(polygon) && polygonCopy.rings.isEmpty)
    }

    @Test func onlyPointsAreGeometry() {
        func changes(_ overlay: Overlay, _ change: () -> Void) -> ChangedProperties {
            let mapView = MapView(size: .init(width: 10, height: 10))
            mapView.add(overlay)
            mapView.store.changes.drain { _, _ in }
            change()
            var all: ChangedProperties = []
            mapView.store.changes.drain { _, change in all.formUnion(change) }
            return all
        }
        let (line, polygon) = (Polyline(points: [a, b]), Polygon(points: [a, b, c]))
        let (circle, route) = (Circle(center: a), Route(points: [a, b]))
        for overlay in [line, polygon, circle, route] {
            #expect(changes(overlay) { overlay.zIndex = 2 } == .order)
            #expect(changes(overlay) { overlay.isHidden = true } == .visibility)
            #expect(changes(overlay) { overlay.altitude = 2 } == .position)
        }
        #expect(changes(line) { line.points = [b, c] } == .geometry)
        #expect(changes(line) { line.isGeodesic = true } == .geometry)
        #expect(changes(line) { (line.color, line.width, line.pattern) = (.red, 3, [1, 2]) } == .style)
        #expect(changes(polygon) { polygon.rings = [[c, b, a]] } == .geometry)
        #expect(changes(polygon) { (polygon.fillColor, polygon.outlineWidth) = (.red, 3) } == .style)
        #expect(changes(circle) { circle.radius = 3 } == .geometry)
        #expect(changes(circle) { circle.outlineColor = .red } == .style)
        #expect(changes(route) { route.progress = 0.5 } == .style)
    }
}
