import Foundation
import HTTPTypes
import Testing
import Waymark

@testable import WaymarkServer

extension ServerTests {
    /// Markers and paths of a query are overlays of a scene.
    @Suite struct StaticRouteTests {
        private static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }

        private static func scene(_ overlays: String, _ settings: String) -> String {
            #"{"waymark": 1, "size": {"width": 200, "height": 150}, \#(settings) "overlays": [\#(overlays)]}"#
        }

        @Test func markersAndPaths() async throws {
            try await TestServer.run { _, client in
                let cases: [(query: String, scene: String)] = [
                    (
                        "center=37.5,127&zoom=12&size=200x150&scale=2&background=white",
                        Self.scene("", #""pixelRatio": 2, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},"#)
                    ),
                    (
                        "size=200x150&marker=" + Self.encoded("color:0x3388ff|label:A|37.5,127|37.6,127.1"),
                        Self.scene(
                            #"{"type": "marker", "position": [127, 37.5], "iconImage": "pin:#3388ff:A:medium"}, {"type": "marker", "position": [127.1, 37.6], "iconImage": "pin:#3388ff:A:medium"}"#,
                            "")
                    ),
                    (
                        "size=200x150&zoom=10&marker=" + Self.encoded("size:small|caption:Zoë & co|37.5,127") + "&path="
                            + Self.encoded("color:red|weight:3|dash:4|37.5,127|37.55,127.2"),
                        Self.scene(
                            #"{"type": "polyline", "points": [[127, 37.5], [127.2, 37.55]], "color": "red", "width": 3, "joinType": "round", "capType": "round", "pattern": [4, 4]}, {"type": "marker", "position": [127, 37.5], "iconImage": "pin:#d9342b::small", "captionText": "Zoë & co"}"#,
                            "")
                    ),
                    (
                        "size=200x150&path=" + Self.encoded("fill:#00ff0040|color:green|weight:2|enc:_p~iF~ps|U_ulLnnqC_mqNvxq`@"),
                        Self.scene(
                            ##"{"type": "polygon", "rings": [{"polyline": "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "precision": 5}], "fillColor": "#00ff0040", "outlineColor": "green", "outlineWidth": 2}"##,
                            "")
                    ),
                    (
                        "size=200x150&path=" + Self.encoded("geodesic:true|enc6:_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"),
                        Self.scene(
                            ##"{"type": "polyline", "points": {"polyline": "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", "precision": 6}, "color": "#2a6fdbd0", "width": 5, "joinType": "round", "capType": "round", "isGeodesic": true}"##,
                            "")
                    ),
                ]
                for (query, scene) in cases {
                    let response = try await client.get("/static?" + query)
                    let expected = try Scenes.picture(scene) { if query.contains("zoom=10") { $0.camera.zoom = 10 } }
                    #expect(
                        response.status == .ok && response.bytes == expected, "\(query): \(response.error?.message ?? "another picture")")
                    #expect(response.headers[.cacheControl] == "public, max-age=3600")
                }
            }
        }

        @Test func theBaseLiesUnderThem() async throws {
            let base =
                ##"{"waymark": 1, "background": "#123456", "size": {"width": 100, "height": 60}, "camera": {"center": [127, 37.5], "zoom": 12}}"##
            try await TestServer.run {
                $0.base = Array(base.utf8)
            } _: { _, client in
                #expect(try await client.get("/static").bytes == Scenes.picture(base))
                let marked = try await client.get("/static?marker=37.5,127")
                let scene = base.dropLast() + #", "overlays": [{"type": "marker", "position": [127, 37.5], "iconImage": "pin:#d9342b"}]}"#
                #expect(try marked.bytes == Scenes.picture(String(scene)))
            }
            let error = await #expect(throws: RenderPoolError.self) {
                try await TestServer.run {
                    $0.base = Array("{".utf8)
                } _: { _, _ in
                }
            }
            #expect(error == .invalid("byte 1 (line 1, column 2): unexpected end of file", path: "byte 1 (line 1, column 2)"))
        }

        /// `theme` is that of the base map's vector tiles.
        @Test func themes() async throws {
            let fixtures = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Tests/VectorTilesTests/Fixtures")
                .standardized
            @Sendable func scene(_ folder: String, _ settings: String) -> String {
                #"{"waymark": 1, "basemap": "\#(folder)/helsinki.mbtiles", \#(settings) "size": {"width": 90, "height": 60}, "#
                    + #""camera": {"center": [24.9495, 60.1759], "zoom": 14.6}}"#
            }
            try await TestServer.run {
                $0.folders = ["maps": fixtures.path]
                $0.base = Array(scene("maps", "").utf8)
            } _: { _, client in
                var pictures: Set<[UInt8]> = []
                for theme in ["light", "dark", "gray"] {
                    let answer = try await client.get("/static?theme=\(theme)")
                    #expect(answer.status == .ok, "\(answer.text)")
                    #expect(try answer.bytes == Scenes.picture(scene(fixtures.path, #""theme": "\#(theme)","#)))
                    pictures.insert(answer.bytes)
                }
                #expect(pictures.count == 3)
                #expect(try await client.get("/static").bytes == client.get("/static?theme=light").bytes)
            }
        }

        @Test func whatIsWrongIsSaid() async throws {
            try await TestServer.run { _, client in
                let cases: [(String, String)] = [
                    ("", "center: give center and zoom, or at least one marker or path"),
                    ("zoom=3", "center: give center and zoom, or at least one marker or path"),
                    ("marker=", "marker: at least one point is required (LATITUDE,LONGITUDE)"),
                    ("marker=1", "marker: \"1\" is neither a setting (NAME:VALUE) nor a point (LATITUDE,LONGITUDE)"),
                    ("marker=95,1", "marker: the latitude 95 is outside -90…90"),
                    ("marker=nan,1", "marker: \"nan,1\" is neither a setting (NAME:VALUE) nor a point (LATITUDE,LONGITUDE)"),
                    ("marker=1,1e9", "marker: the longitude 1000000000 is outside -36000…36000"),
                    ("marker=colour:red|1,2", "marker: \"colour\" is not one of the settings color, label, size, caption"),
                    ("marker=color:rot|1,2", "marker: color: \"rot\" is not a CSS color, 0xRRGGBB or 0xRRGGBBAA"),
                    ("marker=label:AB|1,2", "marker: label: \"AB\" is neither a digit nor a letter from a to z"),
                    ("marker=label:a|label:b|1,2", "marker: the setting \"label\" is given twice"),
                    ("marker=size:mid|1,2", "marker: size: \"mid\" is not one of small, medium, large"),
                    ("path=1,2", "path: a line needs at least 2 points, not 1"),
                    ("path=weight:-1|1,2|2,3", "path: weight: \"-1\" is not a number within 0…1000"),
                    ("path=1,2|enc:abc", "path: both points and an encoded polyline are given; give only one of them"),
                    ("path=fill:red|dash:2|1,2|2,3|3,4", "path: dash: this setting applies to lines, but a path with a fill is an area"),
                    ("center=1,2&zoom=3&scale=2&pixelRatio=2", "scale: scale is another name for pixelRatio; give only one of them"),
                    ("markers=1,2", "markers: unknown parameter; did you mean marker?"),
                ]
                for (query, message) in cases {
                    let response = try await client.get("/static?" + query.replacing("|", with: "%7C"))
                    #expect(response.status == .badRequest && response.error?.message == message, "\(query): \(response.text)")
                }
                let encoded = try await client.get("/static?path=enc:!!")
                #expect(
                    encoded.status == .unprocessableContent && encoded.error?.path?.hasPrefix("add[0].points") == true, "\(encoded.text)")
            }
        }
    }
}
