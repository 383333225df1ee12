import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Files of features without styles, given directly.
@Suite struct PlainFileTests {
    private func read(_ text: String, name: String = "a.geojson", _ change: (inout SceneFileOptions) -> Void = { _ in }) throws -> MapView {
        var options = SceneFileOptions()
        change(&options)
        return try SceneFile(bytes: Array(text.utf8), name: name, options: options).mapView
    }

    private func features(_ geometries: [(properties: String, geometry: String)]) -> String {
        let list = geometries.map { #"{"type": "Feature", "properties": \#($0.properties), "geometry": \#($0.geometry)}"# }
        return #"{"type": "FeatureCollection", "features": [\#(list.joined(separator: ", "))]}"#
    }

    private let point = #"{"type": "Point", "coordinates": [1, 2]}"#
    private let line = #"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#
    private let area = #"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#

    @Test func aFileWithoutStylesIsAMapInThemeLight() throws {
        let text = features([("{}", area), ("null", line), (#"{"name": "Hall", "title": "City Hall"}"#, point)])
        for theme in [nil, MapTheme.light, .dark, .gray] {
            let map = try read(text) { $0.view.theme = theme }
            let values = (theme ?? .light).defaults
            #expect(map.theme == theme ?? .light && map.background == values.ground && map.sky == nil)
            let polygon = try #require(map.overlays[0] as? Polygon)
            #expect(polygon.fillColor == values.area && polygon.outlineColor == values.hairline && polygon.outlineWidth == 0.75)
            let line = try #require(map.overlays[1] as? Polyline)
            #expect(line.color == values.accent && line.width == 2)
            let marker = try #require(map.overlays[2] as? Marker)
            #expect(marker.iconImage.reuseIdentifier == "pin:\(values.pin.description.dropFirst())-26" && marker.title == "City Hall")
            #expect(marker.captionText == "Hall" && marker.captionAligns.count == 8 && marker.isHideCollidedCaptions)
            // Over a base map, areas are translucent.
            map.baseMap = [BaseMapLayer(source: HandmadeTiles([:], layers: []))]
            #expect(polygon.fillColor == values.accentFill && polygon.outlineWidth == 1.5 && map.background == values.background)
        }
    }

    @Test(arguments: [
        ##"{"name": "Hall", "marker-color": "#f00"}"##, #"{"marker-size": "small"}"#, #"{"marker-symbol": "a"}"#, ##"{"stroke": "#f00"}"##,
        #"{"stroke-width": 3}"#, #"{"stroke-opacity": 1}"#, ##"{"fill": "#f00"}"##, #"{"fill-opacity": 0}"#,
    ])
    func oneStyleMakesItAFileWithStyles(properties: String) throws {
        for last in [point, line, area, "null"] {
            let map = try read(features([("{}", area), ("{}", line), (#"{"name": "Hall"}"#, point), (properties, last)]))
            #expect(map.theme == nil && map.background == .clear)
            let polygon = try #require(map.overlays[0] as? Polygon)
            let gray = Color(hex: 0x555555)
            #expect(polygon.fillColor == gray.withAlpha(0.6) && polygon.outlineColor == gray && polygon.outlineWidth == 2)
            #expect((map.overlays[1] as? Polyline)?.color == gray && (map.overlays[1] as? Polyline)?.width == 2)
            let marker = try #require(map.overlays[2] as? Marker)
            #expect(marker.captionText.isEmpty && marker.captionAligns == [.bottom] && !marker.isHideCollidedCaptions)
            #expect(marker.iconImage === MarkerImage.green)
        }
    }

    @Test func otherPropertiesAreNoStyles() throws {
        for properties in [#"{"title": "a", "description": "b"}"#, #"{"stroke": null, "fillColor": "red", "marker": 1, "size": 2}"#] {
            #expect(try read(features([(properties, point)])).theme == .light)
        }
        #expect(try read(point).theme == .light && read(#"{"type": "FeatureCollection", "features": []}"#).theme == .light)
        #expect(try read(#"{"waymark": 1, "overlays": []}"#).theme == nil)
    }

    @Test(arguments: [
        (#"{"NAME": "A", "title": "B"}"#, "A"), (#"{"title": "B", "name_en": "C"}"#, "C"), (#"{"name": " ", "title": "B"}"#, "B"),
        (#"{"name": 7, "label": "L"}"#, "7"), (#"{"name": true, "label": 1984.5}"#, "1984.5"), (#"{"name": ["A"], "title": 1e3}"#, "1000"),
        (#"{"kind": "A"}"#, ""), (#"{"name": null}"#, ""),
    ])
    func theNameIsTheFirstTextOrNumber(properties: String, caption: String) throws {
        #expect((try read(features([(properties, point)])).overlays[0] as? Marker)?.captionText == caption)
        #expect(try clustered(features([(properties, point)])).map(\.captionText) == [caption])
    }

    /// Each feature has its own name, also if another one has it in another property.
    @Test func namesInDifferentProperties() throws {
        let names = [#"{"title": "T"}"#, #"{"name": "N", "title": "T"}"#, "{}", #"{"label": 4}"#]
        let text = features(names.map { ($0, point) })
        #expect(try read(text).overlays.map { ($0 as? Marker)?.captionText } == ["T", "N", "", "4"])
        let markers = try clustered(text)
        #expect(markers.map(\.captionText) == ["T", "N", "", "4"])
        #expect(markers.map(\.isHideCollidedCaptions) == [true, true, false, true])
    }

    /// The markers that the cluster layer of a file shows alone.
    private func clustered(_ text: String) throws -> [Marker] {
        let layer = try #require(try read(text) { $0.clustersPoints = true }.overlays.last as? ClusterLayer)
        let source = try #require(layer.source)
        return (0..<layer.count).map { source.makeMarker($0) }
    }

    @Test(arguments: [(100, 0.0), (101, 9), (1001, 5), (20_001, 3)]) func manyPointsAreDots(count: Int, width: Double) throws {
        let rows = (0..<count).map { "\(Double($0) / 1000),1,Place \($0)" }
        let map = try read("lng,lat,name\n" + rows.joined(separator: "\n"), name: "a.csv")
        let marker = try #require(map.overlays.last as? Marker)
        #expect(marker.width == width && marker.height == width && (marker.anchor == .center) == (width > 0))
        let name = marker.iconImage.reuseIdentifier ?? ""
        #expect(name.hasPrefix(width > 0 ? "disc:" : "pin:"), "\(name)")
        // The rings of crowded dots would cover the others.
        #expect((marker.iconImage === MapTheme.light.defaults.denseDotIcon) == (count > 1000))
        #expect(marker.captionText == (count <= 10_000 ? "Place \(count - 1)" : ""))
        #expect((map.overlays.first as? Marker)?.captionText == (count <= 10_000 ? "Place 0" : ""))
    }

    @Test func tracksAndTables() throws {
        let gpx = """
            <gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"><name>Pass</name></wpt>
            <trk><trkseg><trkpt lat="1" lon="2"></trkpt><trkpt lat="2" lon="3"></trkpt></trkseg></trk></gpx>
            """
        let track = try read(gpx, name: "a.gpx")
        #expect(track.theme == .light && track.overlays.compactMap { ($0 as? Marker)?.captionText } == ["Pass"])
        #expect(track.overlays.compactMap { ($0 as? Polyline)?.color } == [MapTheme.light.defaults.accent])
        let table = "name,lat,lng\nHall,1,2\n1984,2,3\n007,3,4\n"
        #expect(try read(table, name: "a.csv").overlays.compactMap { ($0 as? Marker)?.captionText } == ["Hall", "1984", "007"])
        #expect(try read("name,lat,lng,marker-color\nHall,1,2,#f00\n", name: "a.csv").theme == nil)
    }

    /// The theme of a job, and the lack of one, which is light.
    @Test func aJobChangesTheTheme() throws {
        let text = features([("{}", area), (#"{"name": "Hall"}"#, point)])
        let base = try BaseScene(bytes: Array(text.utf8), name: "a.geojson", folder: "", options: SceneFileOptions())
        func fill(_ json: String) throws -> Color? {
            defer { base.takeBack() }
            let map = try base.change(try ScenePatch(JSONDocument(parsing: Array(json.utf8)).root, without: [])).mapView
            return (map.overlays[0] as? Polygon)?.fillColor
        }
        #expect(try fill("{}") == MapTheme.light.defaults.area)
        #expect(try fill(#"{"theme": "dark"}"#) == MapTheme.dark.defaults.area)
        #expect(try fill(#"{"theme": null}"#) == MapTheme.light.defaults.area && base.mapView.theme == .light)
    }

    /// `--cluster`: points become a cluster layer, and the rest stays.
    @Test func pointsBecomeAClusterLayer() throws {
        let text = features([("{}", area), (#"{"name": "Hall"}"#, point), ("{}", line), ("{}", point)])
        let map = try read(text) { $0.clustersPoints = true }
        #expect(map.theme == .light && map.overlays.map(\.type) == [.polygon, .polyline, .clusterLayer])
        let layer = try #require(map.overlays.last as? ClusterLayer)
        #expect(layer.count == 2 && layer.id == "clusterLayer-0")
        let marker = try #require(layer.source?.makeMarker(0))
        #expect(marker.captionText == "Hall" && marker.captionAligns.count == 8)
        // Names keep off clusters, and names of areas do so, too, as they keep off points.
        let style = try #require(layer.theme?.style(forDensity: 2))
        #expect(style.isHideCollidedCaptions && !style.isHideCollidedSymbols && !style.isHideCollidedMarkers)
        let withAreas = try read(features([(#"{"name": "Park"}"#, area), ("{}", point)])) { $0.clustersPoints = true }
        #expect((withAreas.overlays.last as? ClusterLayer)?.theme?.style(forDensity: 1_000_000)?.isHideCollidedSymbols == true)
        let styled = try read(features([(##"{"marker-color": "#f00", "name": "Hall"}"##, point)])) { $0.clustersPoints = true }
        #expect((styled.overlays.first as? ClusterLayer)?.theme == nil)
        let own = try #require((styled.overlays.first as? ClusterLayer)?.source?.makeMarker(0))
        #expect(styled.theme == nil && own.captionText.isEmpty && own.iconImage.reuseIdentifier == "pin:ff0000-27")
        #expect(try read(features([("{}", line)])) { $0.clustersPoints = true }.overlays.map(\.type) == [.polyline])
        #expect(throws: SceneError.self) { try read(#"{"waymark": 1}"#) { $0.clustersPoints = true } }
    }

    // MARK: Names of areas and lines

    /// The name of an area is in the middle of its largest part, from the zoom at which it fits.
    @Test func namesOfAreas() throws {
        let square = #"[[[10, -5], [20, -5], [20, 5], [10, 5], [10, -5]]]"#
        let island = #"[[[40, 0], [41, 0], [41, 1], [40, 0]]]"#
        // A ring around its middle, and an area across the antimeridian.
        let ring = #"[[[-40, -20], [0, -20], [0, 20], [-40, 20], [-40, -20]], [[-36, -16], [-36, 16], [-10, 16], [-10, -16], [-36, -16]]]"#
        let across = #"[[[170, 40], [-170, 40], [-170, 50], [170, 50], [170, 40]]]"#
        let map = try read(
            features([
                (#"{"name": "Square"}"#, #"{"type": "MultiPolygon", "coordinates": [\#(island), \#(square)]}"#),
                (#"{"name": "Square with a name that is longer"}"#, #"{"type": "Polygon", "coordinates": \#(square)}"#),
                (#"{"name": "Ring"}"#, #"{"type": "Polygon", "coordinates": \#(ring)}"#),
                (#"{"name": "Across"}"#, #"{"type": "Polygon", "coordinates": \#(across)}"#), ("{}", area), (#"{"name": "P"}"#, point),
            ]))
        #expect(map.symbols.map(\.captionText) == ["Square", "Square with a name that is longer", "Ring", "Across"])
        #expect(map.symbols.allSatisfy { $0.kind == "area" && $0.iconImage == nil })
        func isNear(_ index: Int, _ lat: ClosedRange<Double>, _ lng: ClosedRange<Double>) -> Bool {
            lat.contains(map.symbols[index].position.lat) && lng.contains(map.symbols[index].position.lng)
        }
        #expect(isNear(0, -0.6...0.6, 14.4...15.6) && isNear(1, -0.6...0.6, 14.4...15.6))
        #expect(isNear(2, -14...14, -6...(-4)))
        #expect(isNear(3, 44...46.5, 176...180) || isNear(3, 44...46.5, -180...(-176)))
        // 10 degrees are 14 pt at zoom 0. The name is 40 pt wide and 14 pt high.
        #expect((1.4...2.1).contains(map.symbols[0].minZoom) && map.symbols[1].minZoom > map.symbols[0].minZoom + 0.5)
        // Large areas come first.
        #expect(map.symbols[3].rank < map.symbols[0].rank)
        let marker = try #require(map.overlays.compactMap { $0 as? Marker }.first)
        #expect(marker.isHideCollidedSymbols)
        let unnamed = try read(features([("{}", area), (#"{"name": "P"}"#, point)]))
        #expect(unnamed.overlays.compactMap { ($0 as? Marker)?.isHideCollidedSymbols } == [false])
    }

    /// The name of an area has more room in its middle than nearly anywhere else.
    @Test func middlesAreFarFromEdges() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<40 {
            // A star around the origin.
            let count = random.integer(5...40)
            let points = (0..<count).map { index -> SIMD2<Double> in
                let (angle, radius) = (2 * .pi * Double(index) / Double(count), random.number(1...8))
                return SIMD2(radius * cos(angle), radius * sin(angle) / 2)
            }
            let ring = (points + [points[0]]).map { "[\($0.x), \($0.y)]" }.joined(separator: ", ")
            let map = try read(features([(#"{"name": "Abcdef"}"#, #"{"type": "Polygon", "coordinates": [[\#(ring)]]}"#)]))
            let position = try #require(map.symbols.first?.position)
            // Near the equator, degrees are the same in both directions. The name is wider than high.
            let scale = SIMD2(14.4 / 40, 1)
            func distance(_ place: SIMD2<Double>) -> Double {
                var (isInside, least) = (false, Double.infinity)
                let point = place * scale
                for index in points.indices {
                    let (a, b) = (points[index] * scale, points[(index + 1) % count] * scale)
                    if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) { isInside.toggle() }
                    let share = min(max(((point - a) * (b - a)).sum() / ((b - a) * (b - a)).sum(), 0), 1)
                    let offset = a + (b - a) * share - point
                    least = min(least, (offset * offset).sum().squareRoot())
                }
                return isInside ? least : -least
            }
            let best = (0..<2000).reduce(0.0) { best, _ in max(best, distance(SIMD2(random.number(-8...8), random.number(-4...4)))) }
            #expect(distance(SIMD2(position.lng, position.lat)) > best * 0.75)
        }
    }

    @Test func namesOfLines() throws {
        let map = try read(features([(#"{"name": "Elm Street"}"#, line), ("{}", line), (#"{"title": "A"}"#, area)]))
        let lines = map.overlays.compactMap { $0 as? Polyline }
        #expect(lines.map(\.lineText) == ["Elm Street", ""])
        let many = features((0...1000).map { _ in (#"{"name": "Elm Street"}"#, line) })
        #expect(try read(many).overlays.allSatisfy { ($0 as? Polyline)?.lineText.isEmpty == true })
        // A file with styles has no names.
        let styled = try read(features([(#"{"name": "B"}"#, area), (#"{"name": "Elm Street", "stroke": "red"}"#, line)]))
        #expect(styled.symbols.isEmpty && styled.overlays.allSatisfy { ($0 as? Polyline)?.lineText.isEmpty ?? true })
    }

    /// Names do not count against a limit of overlays that the file itself keeps.
    @Test func namesThatExceedTheLimitAreLeftOut() throws {
        let text = features([(#"{"name": "A"}"#, area), (#"{"name": "B"}"#, area)])
        #expect(try read(text) { $0.overlayLimit = 4 }.symbols.count == 2)
        #expect(try read(text) { $0.overlayLimit = 3 }.symbols.isEmpty)
    }
}
