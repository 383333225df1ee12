import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct GPXTests {
    private let tour = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- A tour. -->
        <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://example.com/x">
          <metadata><name>All</name></metadata>
          <wpt lat="37.5" lon="127">
            <ele>38.25</ele><time>2024-05-01T08:00:00Z</time>
            <name> City &amp; Hall </name><desc><![CDATA[<b>old</b>]]></desc><sym>Flag, Blue</sym><type>office</type>
            <extensions><x:name>no</x:name><x:deep><ele>9</ele></x:deep></extensions>
          </wpt>
          <wpt lon='-1e1' lat=' 0 '/>
          <rte><name>Way</name><rtept lat="1" lon="2"><name>a</name><ele>5</ele></rtept><rtept lat="1" lon="3"/></rte>
          <trk>
            <name>Walk</name>
            <trkseg><trkpt lat="1" lon="2"><ele>10</ele><time>t</time></trkpt><trkpt lat="1.5" lon="2.5"><ele>20</ele></trkpt></trkseg>
            <trkseg><trkpt lat="3" lon="4"/><trkpt lat="3" lon="5"/><trkpt lat="3" lon="6"/></trkseg>
            <trkseg/>
            <type>hike</type>
          </trk>
        </gpx>
        """

    @Test func waypointsRoutesAndTracks() throws {
        let more = #", "marker": {"captionText": "{name}|{desc}|{sym}|{type}|{time}|{ele}"}, "polyline": {"tag": 7}"#
        let (overlays, _) = try features(tour, "tour.gpx", more: more)
        #expect(
            overlays.markers.map(\.captionText) == [
                "City & Hall|<b>old</b>|Flag, Blue|office|2024-05-01T08:00:00Z|38.25", "|||||",
            ])
        #expect(overlays.markers.map(\.position) == [LatLng(37.5, 127), LatLng(0, -10)])
        #expect(overlays.markers.map(\.title) == ["City & Hall", nil] && overlays.markers[0].snippet == "<b>old</b>")
        let lines = overlays.compactMap { $0 as? Polyline }
        #expect(lines.map(\.tag) == [7, 7] && overlays.count == 4)
        #expect(
            lines.map(\.parts) == [
                [[LatLng(1, 2), LatLng(1, 3)]],
                [[LatLng(1, 2), LatLng(1.5, 2.5)], [LatLng(3, 4), LatLng(3, 5), LatLng(3, 6)]],
            ])
        #expect(overlays.map(\.id) == (0..<4).map { "geojson-0/\($0)" })
    }

    @Test func altitudesWhenAskedFor() throws {
        let (overlays, _) = try features(tour, "tour.gpx", more: #", "useAltitude": true"#)
        #expect(overlays.markers.map { $0.position?.altitude } == [38.25, 0])
        let lines = overlays.compactMap { $0 as? Polyline }
        #expect(lines.map { $0.parts.map { $0.map(\.altitude) } } == [[[5, 0]], [[10, 20], [0, 0, 0]]])
    }

    @Test func tracksHaveTheirNamesAlongThem() throws {
        let track =
            "<gpx><trk><name>Over the pass</name><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/></trkseg></trk></gpx>"
        let (overlays, _) = try features(track, "a.gpx", more: #", "polyline": {"lineText": "{name}", "lineTextSize": 15}"#)
        let line = try #require(overlays.first as? Polyline)
        #expect(line.lineText == "Over the pass" && line.lineTextSize == 15)
    }

    /// Elevations, and speeds of the file or, without any, from the times of the neighbors.
    @Test func pointsHaveElevationsAndSpeeds() throws {
        func values(_ text: String, _ name: String) throws -> [Double?]? {
            let more = #", "polyline": {"color": {"by": "\#(name)", "linear": ["red", "blue"]}}"#
            let line = try #require(try features("<gpx>\(text)</gpx>", "a.gpx", more: more).overlays.first as? Polyline)
            return line.colorScale.flatMap { line.values[$0.property] }
        }
        func point(_ lng: Double, _ more: String = "") -> String { "<trkpt lat=\"0\" lon=\"\(lng)\">\(more)</trkpt>" }
        func track(_ segments: [String]...) -> String { "<trk>\(segments.map { "<trkseg>\($0.joined())</trkseg>" }.joined())</trk>" }
        let heights = track(
            [point(0, "<ele>5</ele>"), point(1)], [], [point(2, "<ele>-7.5</ele>")], [point(3), point(4, "<ele>9</ele>")])
        #expect(try values(heights, "elevation") == [5, nil, nil, 9])
        #expect(try values(heights, "speed") == nil)
        let extended = "<extensions><x:Point xmlns:x=\"u\"><x:speed>4.5</x:speed></x:Point></extensions>"
        let given = track([point(0, "<speed>3</speed>"), point(1, extended), point(2, "<speed>fast</speed>")])
        #expect(try values(given, "speed") == [3, 4.5, nil])
        // A thousandth of a degree is 111.3 m.
        func timed(_ times: [String]) -> String {
            track(times.enumerated().map { point(Double($0) / 1000, "<time>\($1)</time>") })
        }
        let times = ["2024-02-29T10:00:00Z", "2024-02-29T10:00:10.5Z", "2024-02-29T10:01:00Z", "late"]
        let speeds = try #require(try values(timed(times), "speed"))
        let meters = 6_378_137 * Double.pi / 180_000
        for (speed, expected) in zip(speeds, [meters / 10.5, meters / 30, nil, nil]) {
            #expect((speed == nil) == (expected == nil) && abs((speed ?? 0) - (expected ?? 0)) < 1e-6)
        }
        // Other time zones, across the end of a year.
        let zones = try values(timed(["2023-12-31T23:59:50Z", "2024-01-01T01:00:00+01:00"]), "speed")
        #expect(zones?.count == 2 && zones?.allSatisfy { abs(($0 ?? 0) - meters / 10) < 1e-6 } == true)
        let route = "<rte><rtept lat=\"0\" lon=\"1\"><ele>1</ele></rtept><rtept lat=\"0\" lon=\"2\"><ele>2</ele></rtept></rte>"
        #expect(try values(route, "elevation") == [1, 2])
    }

    @Test func version10AndOtherNamesAndEncodings() throws {
        let text = tour.replacing("1.1\"", with: "1.0\"").replacing("GPX/1/1", with: "GPX/1/0")
        #expect(try features(text, "tour").overlays.count == 4)
        let prefixed = #"<g:gpx xmlns:g="u"><g:wpt lat="1" lon="2"><g:name>é</g:name></g:wpt></g:gpx>"#
        let caption = #", "marker": {"captionText": "{name}"}"#
        #expect(try features(prefixed, "a.csv", more: caption).overlays.markers.map(\.captionText) == ["é"])
        let latin = Array(#"<?xml version="1.0" encoding="ISO-8859-1"?>"#.utf8) + prefixed.unicodeScalars.map { UInt8($0.value) }
        #expect(try features(latin, "a.gpx", more: caption).overlays.markers.map(\.captionText) == ["é"])
        let wide = ("\u{FEFF}" + #"<?xml version="1.0" encoding="UTF-16"?>"# + prefixed).utf16.flatMap {
            [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        #expect(try features(wide, "a.gpx", more: caption).overlays.markers.map(\.captionText) == ["é"])
        #expect(
            refusal(#"<?xml version="1.0" encoding="x-none"?>\#(prefixed)"#, "a.gpx") == "a.gpx: line 1, column 31: unknown encoding")
    }

    @Test func aClusterLayerTakesTheWaypoints() throws {
        let (overlays, warnings) = try features(tour, "t.gpx", type: "clusterLayer", more: #", "marker": {"captionText": "{name}"}"#)
        let layer = try #require(overlays.first as? ClusterLayer)
        #expect(layer.markers.map(\.captionText) == ["City & Hall", ""] && layer.markers[0].title == "City & Hall")
        #expect(warnings.contains("t.gpx: 2 geometries are not points, so the cluster layer leaves them out"))
    }

    @Test func problemsTellTheLine() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE gpx [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <gpx><wpt lat="1" lon="1"><name>&b;</name></wpt></gpx>
            """
        let problems = [
            (bomb, "line 2, column 27: the document declares the entity \"a\", which is not allowed"),
            (
                "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx/>",
                "line 1, column 54: the document declares the entity \"x\", which is not allowed"
            ),
            ("<!DOCTYPE gpx SYSTEM \"gpx.dtd\"><gpx>&x;</gpx>", "line 1, column 37: the entity \"x\" is not known"),
            ("<gpx>\n<wpt lat=\"95\" lon=\"1\"/></gpx>", "line 2: lat: 95 is outside -90…90"),
            ("<gpx>\n<trk><trkseg>\n<trkpt lat=\"-91\" lon=\"1\"/></trkseg></trk></gpx>", "line 3: lat: -91 is outside -90…90"),
            ("<gpx><wpt lat=\"1\" lon=\"nan\"/></gpx>", "line 1: lon: \"nan\" is not a number"),
            ("<gpx><wpt lat=\"1\"/></gpx>", "line 1: a point has no attribute lon"),
            ("<gpx><wpt lat=\"1\" lon=\"1\"><ele>high</ele></wpt></gpx>", "line 1: ele: \"high\" is not a number"),
            ("<rss>\n</rss>", "line 1: expected the element gpx, found \"rss\""),
            ("<kml>\n</kml>", "this is KML, which is not supported; convert the file: ogr2ogr -lco RFC7946=YES a.geojson a.gpx"),
            ("<gpx>\n<wpt lat=\"1\" lon=\"1\">", "line 2, column 22: no element found"),
            ("<gpx>\n<wpt lat=\"1\" lon=\"1\"></rte></gpx>", "line 2, column 24: mismatched tag"),
            ("<gpx>\u{0}</gpx>", "line 1, column 6: not well-formed (invalid token)"),
        ]
        for (text, problem) in problems { #expect(refusal(text, "a.gpx") == "a.gpx: \(problem)") }
        let high = "<gpx>\n\n<wpt lat=\"1\" lon=\"1\"><ele>1e99</ele></wpt></gpx>"
        #expect(refusal(high, "a.gpx", more: #", "useAltitude": true"#).hasPrefix("a.gpx: line 3: 1e+99 is outside "))
        let size = "<gpx>\n<wpt lat=\"1\" lon=\"1\"><type>big</type></wpt></gpx>"
        #expect(
            refusal(size, "a.gpx", more: #", "marker": {"width": "{type}"}"#)
                == #"a.gpx: line 2: type: expected a number, found the string "big"; the value is for "width": "{type}""#)
    }

    @Test func aTrackOfOnePointIsToldWithItsLine() throws {
        let (overlays, warnings) = try features(
            "<gpx>\n<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>", "a.gpx")
        #expect(overlays.isEmpty && warnings == ["a.gpx: line 2: a line needs at least 2 positions, not 1; it is not drawn"])
    }

    /// Deep and damaged documents give an error sentence or overlays, and nothing else.
    @Test func damagedDocuments() throws {
        #expect(
            try features("<gpx>" + String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000) + "</gpx>", "a.gpx")
                .overlays.isEmpty)
        var random = SplitMix64(seed: 1)
        let bytes = Array(tour.utf8)
        var refused = 0
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<random.integer(1...4) { damaged[random.integer(0...damaged.count - 1)] = UInt8(random.integer(0...255)) }
            if random.once(in: 4) { damaged.removeLast(random.integer(0...damaged.count - 1)) }
            do { _ = try features(damaged, "a.gpx") } catch {
                refused += 1
                #expect((error as? Refusal)?.text.hasPrefix("scene.json: overlays[0].source: a.gpx: ") == true)
            }
        }
        #expect(refused > 100)
    }
}
