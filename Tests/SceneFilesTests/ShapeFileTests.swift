import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles

@Suite struct ShapeFileTests {
    /// The overlays of a scene with these.
    private func overlays(_ texts: String...) throws -> [Overlay] {
        let text = #"{"waymark": 1, "overlays": [\#(texts.joined(separator: ", "))]}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json").mapView.overlays
    }

    /// The error for one overlay that is refused.
    private func refusal(_ text: String) -> String? {
        do {
            _ = try overlays(text)
            return nil
        } catch {
            return "\(error)".replacingOccurrences(of: "scene.json: overlays[0]", with: "")
        }
    }

    private func refusal(line: String) -> String? { refusal(#"{"type": "polyline", "points": [[0, 0], [1, 1]], \#(line)}"#) }

    @Test func everyKeyOfALine() throws {
        let read = try overlays(
            """
            {"type": "route", "id": "way", "points": [[1, 2], [3, 4, 50], {"lat": 6, "lng": 5}], "width": 7, "color": "#ff000080",
            "capType": "round", "joinType": "bevel", "miterLimit": 9, "pattern": [4, 2.5], "outlineWidth": 1.5, "outlineColor": "blue",
            "isGeodesic": true, "isPerspectiveEnabled": true, "zIndex": 3, "globalZIndex": -7, "altitude": 12, "isHidden": true,
            "minZoom": 2, "maxZoom": 20, "hiddenZooms": [5], "tag": 8, "mapLayerType": "road", "passedColor": "gray", "progress": -0.25,
            "startArrow": "open", "endArrow": "filled", "arrowSize": 3.5}
            """)
        let route = try #require(read.first as? Route)
        #expect(
            route.id == "way" && route.points == [LatLng(lat: 2, lng: 1), LatLng(lat: 4, lng: 3, altitude: 50), LatLng(lat: 6, lng: 5)])
        #expect(route.width == 7 && route.color == Color(css: "#ff000080") && route.capType == .round && route.joinType == .bevel)
        #expect(
            route.miterLimit == 9 && route.pattern == [4, 2.5] && route.outlineWidth == 1.5 && route.outlineColor == Color(css: "blue"))
        #expect(route.isGeodesic && route.isPerspectiveEnabled && route.zIndex == 3 && route.globalZIndex == -7 && route.altitude == 12)
        #expect(route.isHidden && route.minZoom == 2 && route.maxZoom == 20 && route.hiddenZooms == ZoomLevels(from: 5, through: 5))
        #expect(route.startArrow == .open && route.endArrow == .filled && route.arrowSize == 3.5)
        #expect(route.tag == 8 && route.mapLayerType == .road && route.passedColor == Color(css: "gray") && route.progress == -0.25)
    }

    @Test func everyKeyOfALabelAlongALine() throws {
        let read = try overlays(
            """
            {"type": "polyline", "points": [[0, 0], [1, 1]], "lineImage": "builtin:blue", "lineImageSize": 12, "lineImageSpacing": 30,
            "lineImageOffset": 5, "lineText": "Way", "lineTextSize": 9, "lineTextColor": "red", "lineTextHaloColor": "blue",
            "lineTextHaloWidth": 2, "lineTextFontWeight": "bold", "lineTextFont": "Noto Serif", "lineTextLetterSpacing": 0.5,
            "lineTextPadding": 4, "lineTextMinZoom": 3, "lineTextMaxZoom": 20, "lineTextSpacing": 90, "lineTextOffset": -8,
            "lineTextMaxAngle": 30}
            """,
            #"{"type": "polyline", "points": [[0, 0], [1, 1]], "lineImageSize": "auto", "lineImageOffset": null}"#)
        let line = try #require(read[0] as? Polyline)
        #expect(line.lineImage == MarkerImage.blue && line.lineImageSize == 12 && line.lineImageSpacing == 30 && line.lineImageOffset == 5)
        #expect(line.lineText == "Way" && line.lineTextSize == 9 && line.lineTextColor == Color(css: "red"))
        #expect(line.lineTextHaloColor == Color(css: "blue") && line.lineTextHaloWidth == 2 && line.lineTextFontWeight == .bold)
        #expect(line.lineTextFont == "Noto Serif" && line.lineTextLetterSpacing == 0.5 && line.lineTextPadding == 4)
        #expect(line.lineTextMinZoom == 3 && line.lineTextMaxZoom == 20 && line.lineTextSpacing == 90)
        #expect(line.lineTextOffset == -8 && line.lineTextMaxAngle == 30)
        let plain = try #require(read[1] as? Polyline)
        #expect(plain.lineImage == nil && plain.lineImageSize == 0 && plain.lineImageOffset == nil && plain.lineText.isEmpty)
    }

    @Test func areasAndDefaults() throws {
        let read = try overlays(
            #"{"type": "polygon", "rings": [[[0, 0], [9, 0], [9, 9]], [[1, 1], [2, 1], [2, 2], [1, 1]]], "fillColor": "red"}"#,
            #"{"type": "polygon", "polygons": [[[[0, 0], [9, 0], [9, 9]]], [[[1, 1], [2, 1], [2, 2]]]], "outlineWidth": 2, "outlineColor": "red"}"#,
            ##"{"type": "circle", "center": [126.9784, 37.5666], "radius": 500, "fillColor": "#3388ff40", "outlineWidth": 1}"##,
            #"{"type": "polyline", "parts": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]}"#, #"{"type": "circle", "center": {"lat": 1, "lng": 2}}"#)
        #expect(read.map(\.id) == ["polygon-0", "polygon-1", "circle-2", "polyline-3", "circle-4"])
        let first = try #require(read[0] as? Polygon)
        #expect(first.rings.map(\.count) == [3, 4] && first.fillColor == .red && first.outlineWidth == 0)
        let second = try #require(read[1] as? Polygon)
        #expect(second.polygons.map { $0.map(\.count) } == [[3], [3]] && second.fillColor == .white && second.outlineColor == .red)
        let circle = try #require(read[2] as? Circle)
        #expect(circle.center == LatLng(lat: 37.5666, lng: 126.9784) && circle.radius == 500 && circle.outlineWidth == 1)
        let line = try #require(read[3] as? Polyline)
        #expect(line.parts.map(\.count) == [2, 2] && line.width == 2.5 && line.color == .black)
        #expect((read[4] as? Circle)?.radius == 1000)
        #expect(read.allSatisfy { $0.firstProblem() == nil })
    }

    @Test func whatCannotBeIsRefused() {
        #expect(refusal(#"{"type": "polyline"}"#) == #": missing key "points""#)
        #expect(refusal(#"{"type": "polyline", "points": []}"#) == ".points: a line needs at least 2 points, not 0")
        #expect(refusal(#"{"type": "polyline", "points": [[0, 0]]}"#) == ".points: a line needs at least 2 points, not 1")
        #expect(refusal(#"{"type": "polyline", "parts": []}"#) == ".parts: expected at least one part")
        #expect(
            refusal(#"{"type": "polyline", "parts": [[[0, 0], [1, 1]], [[0, 0]]]}"#) == ".parts[1]: a line needs at least 2 points, not 1")
        #expect(
            refusal(#"{"type": "polyline", "points": [[0, 0], [1, 1]], "parts": []}"#) == ".points: points and parts are mutually exclusive"
        )
        #expect(refusal(#"{"type": "polyline", "points": 7}"#) == #".points: expected an array of positions or {"polyline": …}, found 7"#)
        #expect(
            refusal(#"{"type": "polyline", "points": [[0, 0], [0, 95]]}"#)
                == ".points[1][1]: 95 is outside -90…90; the order is [longitude, latitude]")
        #expect(refusal(#"{"type": "polyline", "points": [[0, 0], [1]]}"#) == ".points[1]: expected 2…3 elements, found 1")
        #expect(
            refusal(#"{"type": "polyline", "points": [[0, 0], ["a", 1]]}"#) == #".points[1][0]: expected a number, found the string "a""#)
        #expect(refusal(line: #""width": -1"#) == ".width: -1 is outside 0…1000")
        #expect(refusal(line: #""width": 1000.5"#) == ".width: 1000.5 is outside 0…1000")
        #expect(refusal(line: #""width": 1000"#) == nil && refusal(line: #""width": 0"#) == nil)
        #expect(refusal(line: #""capType": "rond""#) == #".capType: unknown name "rond"; did you mean "round"?"#)
        #expect(refusal(line: #""endArrow": "fill""#) == #".endArrow: unknown name "fill"; did you mean "filled"?"#)
        #expect(refusal(line: #""arrowSize": 0"#) == ".arrowSize: 0 is outside 1…100")
        for key in ["lineImageSpacing", "lineTextSpacing"] {
            for value in ["0", "-5", "0.5", "10000.5"] {
                #expect(refusal(line: #""\#(key)": \#(value)"#) == ".\(key): \(value) is outside 1…10000")
            }
        }
        #expect(refusal(line: #""lineImageOffset": -1"#) == ".lineImageOffset: -1 is outside 0…10000")
        #expect(refusal(line: #""lineTextMaxAngle": 181"#) == ".lineTextMaxAngle: 181 is outside 0…180")
        #expect(refusal(line: #""lineTextSize": 0"#) == ".lineTextSize: 0 is outside 1…512")
        #expect(refusal(line: #""lineTextSpacing": NaN"#) != nil)
        #expect(refusal(line: #""lineText": 5"#) == ".lineText: expected a string, found 5")
        #expect(refusal(line: #""joinType": 3"#) == ".joinType: expected a string, found 3")
        #expect(refusal(line: #""pattern": [4, -2]"#) == ".pattern[1]: -2 is outside 0…10000")
        #expect(refusal(line: #""pattern": [0, 0.05]"#) == ".pattern: the lengths add up to 0.05 pt; at least 0.1 are required")
        let many = Array(repeating: "1", count: 1025).joined(separator: ",")
        #expect(refusal(line: "\"pattern\": [\(many)]") == ".pattern: the pattern has 1025 lengths; at most 1024 are allowed")
        #expect(refusal(line: #""colour": "red""#) == #": unknown key "colour"; did you mean "color"?"#)
        #expect(refusal(line: #""progress": 0.5"#) == #": unknown key "progress""#)
        #expect(
            refusal(#"{"type": "route", "points": [[0, 0], [1, 1]], "progress": 1.5}"#) == ".progress: 1.5 is outside -1…1")
        #expect(refusal(#"{"type": "polygon", "rings": []}"#) == ".rings: expected at least one ring")
        #expect(refusal(#"{"type": "polygon", "polygons": []}"#) == ".polygons: expected at least one polygon")
        #expect(refusal(#"{"type": "polygon", "rings": [[[0, 0], [1, 1]]]}"#) == ".rings[0]: a ring needs at least 3 points, not 2")
        #expect(
            refusal(#"{"type": "polygon", "rings": [[[0, 0], [1, 1], [0, 0]]]}"#)
                == ".rings[0]: a ring needs at least 3 points before it closes, not 2")
        #expect(
            refusal(#"{"type": "polygon", "rings": [[[0, 0], [1, 1], [2, 0]]], "polygons": []}"#)
                == ".rings: rings and polygons are mutually exclusive")
        #expect(refusal(#"{"type": "circle"}"#) == #": missing key "center""#)
        #expect(refusal(#"{"type": "circle", "center": [0, 0], "radius": -1}"#) == ".radius: -1 is outside 0…20000000")
        #expect(refusal(#"{"type": "circle", "center": [0, 0], "radius": 0}"#) == nil)
        #expect(
            refusal(#"{"type": "circle", "center": [0, 91]}"#) == ".center[1]: 91 is outside -90…90; the order is [longitude, latitude]")
        #expect(refusal(#"{"type": "cirle"}"#) == #".type: unknown overlay type "cirle"; did you mean "circle"?"#)
    }

    @Test func aRingOfManyPoints() throws {
        let points = (0..<65_536).map { "[\($0 % 360), \($0 % 90)]" }.joined(separator: ",")
        let polygon = try #require(try overlays(#"{"type": "polygon", "rings": [[\#(points)]]}"#).first as? Polygon)
        #expect(polygon.rings[0].count == 65_536 && polygon.rings[0][1000] == LatLng(lat: 10, lng: 280))
    }

    // MARK: Encoded polylines

    private func points(_ encoded: String, precision: Int? = nil) throws -> [LatLng] {
        let more = precision.map { ", \"precision\": \($0)" } ?? ""
        let text = encoded.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        let read = try overlays(#"{"type": "polyline", "points": {"polyline": "\#(text)"\#(more)}}"#)
        return try #require(read.first as? Polyline).points
    }

    /// The format as Google describes it, the other way round.
    private func encode(_ points: [(lat: Int, lng: Int)]) -> String {
        var text = ""
        var last = (lat: 0, lng: 0)
        for point in points {
            for difference in [point.lat - last.lat, point.lng - last.lng] {
                var bits = difference < 0 ? ~(difference << 1) : difference << 1
                while bits >= 32 {
                    text.unicodeScalars.append(Unicode.Scalar(UInt8(bits & 31 | 32) + 63))
                    bits >>= 5
                }
                text.unicodeScalars.append(Unicode.Scalar(UInt8(bits) + 63))
            }
            last = point
        }
        return text
    }

    @Test func theExampleOfTheFormat() throws {
        let expected = [LatLng(lat: 38.5, lng: -120.2), LatLng(lat: 40.7, lng: -120.95), LatLng(lat: 43.252, lng: -126.453)]
        #expect(try points("_p~iF~ps|U_ulLnnqC_mqNvxq`@") == expected)
        #expect(try points("_p~iF~ps|U_ulLnnqC_mqNvxq`@", precision: 5) == expected)
        #expect(try points("_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", precision: 6) == expected)
    }

    @Test func pointsComeBackFromTheirEncoding() throws {
        for precision in [5, 6] {
            let scale = precision == 5 ? 1e5 : 1e6
            let whole: [(lat: Int, lng: Int)] = (0..<500).map { index in
                (
                    lat: (index * 7_919_113) % Int(180 * scale) - Int(90 * scale),
                    lng: (index * 104_729_311) % Int(360 * scale) - Int(180 * scale)
                )
            }
            let expected = whole.map { LatLng(lat: Double($0.lat) / scale, lng: Double($0.lng) / scale) }
            #expect(try points(encode(whole), precision: precision) == expected)
        }
    }

    @Test func encodedPolylinesStandWhereverPointsDo() throws {
        let line = encode([(0, 0), (100_000, 0), (100_000, 200_000)])
        let encoded = #"{"polyline": "\#(line)"}"#
        let read = try overlays(
            #"{"type": "route", "points": \#(encoded)}"#, #"{"type": "polyline", "parts": [\#(encoded), [[0, 0], [1, 1]]]}"#,
            #"{"type": "polygon", "rings": [\#(encoded)]}"#, #"{"type": "polygon", "polygons": [[\#(encoded)]]}"#)
        let expected = [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 0), LatLng(lat: 1, lng: 2)]
        #expect((read[0] as? Route)?.points == expected && (read[1] as? Polyline)?.parts[0] == expected)
        #expect((read[2] as? Polygon)?.rings == [expected] && (read[3] as? Polygon)?.polygons == [[expected]])
    }

    @Test func encodingsThatAreNone() {
        func problem(_ value: String) -> String? {
            refusal(#"{"type": "polyline", "points": \#(value)}"#)?.replacingOccurrences(of: ".points", with: "")
        }
        func problem(encoded: String) -> String? { problem(#"{"polyline": "\#(encoded)"}"#) }
        #expect(problem(encoded: "") == ": a line needs at least 2 points, not 0")
        #expect(problem(encoded: "_p~iF~ps|U") == ": a line needs at least 2 points, not 1")
        #expect(problem(encoded: "_p~iF~ps|U_ul") == ".polyline: the encoded polyline ends in the middle of the number at offset 10")
        #expect(
            problem(encoded: "_p~iF~ps|U_ulL")
                == ".polyline: the encoded polyline ends after the latitude at offset 10, without its longitude")
        #expect(
            problem(encoded: "_p~iF ps|U")
                == ".polyline: the byte 32 at offset 5 is not a character of an encoded polyline; only '?' to '~' are allowed")
        #expect(
            problem(encoded: "_p~iF5ps|U")
                == ".polyline: '5' at offset 5 is not a character of an encoded polyline; only '?' to '~' are allowed")
        #expect(
            problem(encoded: "_p~é")
                == ".polyline: the byte 195 at offset 3 is not a character of an encoded polyline; only '?' to '~' are allowed")
        #expect(
            problem(encoded: "??~~~~~~~~?")
                == ".polyline: the number at offset 2 of the encoded polyline has more than 7 characters")
        #expect(
            problem(encoded: "_izlhA~rlgdF??")
                == ".polyline: the latitude at offset 0 of the encoded polyline, 385, is outside -90…90; is the precision 6?")
        #expect(
            problem(encoded: "~~~~~~F???")
                == ".polyline: the latitude at offset 0 of the encoded polyline, -42949.67296, is outside -90…90")
        #expect(problem(#"{"polyline": "??_ibE_ibE", "precision": 7}"#) == ".precision: 7 is outside 5…6")
        #expect(problem(#"{"polyline": 5}"#) == ".polyline: expected a string, found 5")
        #expect(problem(#"{"encoded": "??"}"#) == #": missing key "polyline""#)
        #expect(problem(#"{"polyline": "??_ibE_ibE", "levels": "B"}"#) == #": unknown key "levels""#)
    }
}
