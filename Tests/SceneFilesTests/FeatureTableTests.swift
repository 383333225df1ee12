import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct FeatureTableTests {
    private let caption = #", "marker": {"captionText": "{name}"}"#

    private func places(_ text: String, _ name: String = "a.csv") throws -> [LatLng?] {
        try features(text, name).overlays.markers.map(\.position)
    }

    @Test func rowsBecomeMarkers() throws {
        let text = """
            \u{FEFF}name,lat,lng,population,code,share,note\r
            Seoul,37.5665,126.978,9411000,007,1.50,"a ""big"" city,\r
            with a river"\r
            "São Paulo",-23.55,-46.633,12325232,1e5,0.25,\r
            \r
            Nowhere,,,1,2,3,4\r
            Quito,0,-78.5,,,,

            """
        let more = #", "marker": {"captionText": "{name}|{population}|{code}|{share}", "title": "{note}", "zIndex": "{population}"}"#
        let (overlays, warnings) = try features(text, "cities.csv", more: more)
        #expect(overlays.markers.map(\.captionText) == ["Seoul|9411000|007|1.50", "São Paulo|12325232|1e5|0.25", "Quito|||"])
        #expect(overlays.markers.map(\.position) == [LatLng(37.5665, 126.978), LatLng(-23.55, -46.633), LatLng(0, -78.5)])
        #expect(overlays.markers.map(\.title) == ["a \"big\" city,\r\nwith a river", "", ""])
        #expect(overlays.markers.map(\.zIndex) == [9_411_000, 12_325_232, 0])
        // The row without a place is a feature without one.
        #expect(overlays.markers.map(\.id) == ["geojson-0/0", "geojson-0/1", "geojson-0/3"])
        #expect(warnings.contains { $0.contains("\"population\" is missing in 1 feature") })
    }

    @Test(arguments: [
        "name,lat,lng\na,1,2", "LATITUDE;Name;Longitude\n1;a;2", "name\tY\tX\na\t1\t2\n", "\"lng\" , \"lat\"\r2 , 1\r", "lon|lat\n2|1",
        "sep=;\r\nBreitengrad;Längengrad\r\n1,0;2,0", "x,latitude,y\n2,+1.,9", "위도,경도\n01,2.0e0", "lat,lng\n\"1\",\"2\"\n\n\n",
        "lat,lng,,\n1,2,,\n",
    ])
    func separatorsNamesAndNumbers(text: String) throws {
        #expect(try places(text) == [LatLng(1, 2)])
        #expect(try places(text, "table.txt") == [LatLng(1, 2)])
        let layer = try #require(features(text, "a.csv", type: "clusterLayer").overlays.first as? ClusterLayer)
        #expect(layer.markers.map(\.position) == [LatLng(1, 2)])
    }

    @Test func coordinatesAreReadExactly() throws {
        let numbers = ["-0.5", ".25", "+7.", "00012.5", "1e1", "1.5E-3", "-1.25e+1", "0", "-0", "000", "37.56650000000000000001"]
        let text = "lat,lng\n" + numbers.map { "\($0),\($0)" }.joined(separator: "\n")
        #expect(
            try places(text).map { $0?.lat } == numbers.map { Double($0.hasPrefix(".") ? "0\($0)" : $0.hasSuffix(".") ? "\($0)0" : $0) })
    }

    @Test func altitudesWhenAskedFor() throws {
        let text = "lat,lng,ele\n1,2,30.5\n1,2,\n1,2,n/a"
        #expect(try features(text, "a.csv").overlays.markers.map { $0.position?.altitude } == [0, 0, 0])
        #expect(refusal(text, "a.csv", more: #", "useAltitude": true"#) == #"a.csv: line 4: ele: "n/a" is not a number"#)
        let more = #", "useAltitude": true, "marker": {"captionText": "{ele}"}"#
        let markers = try features(text.replacing("n/a", with: "-3"), "a.csv", more: more).overlays.markers
        #expect(markers.map { $0.position?.altitude } == [30.5, 0, -3] && markers.map(\.captionText) == ["30.5", "", "-3"])
        #expect(refusal(text.replacing("n/a", with: "1e99"), "a.csv", more: more).hasPrefix("a.csv: line 4: ele: 1e+99 is outside "))
    }

    /// A cell that is printed as written when read as a number is a number in templates; everything else keeps its digits.
    @Test func valuesKeepTheirDigits() throws {
        let values = [
            "1", "-1", "0", "-0", "007", "1.5", "1.50", "0.0001", "0.00001", "-0.5", "123456789012345", "1234567890123456", "1e5", "1.",
            ".5",
            "+1", "true", "null", "12:30", "\"7\"", "NaN", "0x10", "1.5.2", "-", "\\", "\u{7}",
        ]
        let text = "lat;lng;v\n" + values.map { "1;2;\($0)" }.joined(separator: "\n")
        let markers = try features(text, "a.csv", more: #", "marker": {"captionText": "{v}"}"#).overlays.markers
        #expect(markers.map(\.captionText) == values.map { $0 == "\"7\"" ? "7" : $0 })
    }

    /// Many rows, so that they are read in several chunks.
    @Test func aClusterLayerReadsRowsWhenTheirMarkersAreAskedFor() throws {
        let rows = (0..<30_000).map { "\"p,\($0)\nx\",\(Double($0) / 1000),1,\($0)" }
        let (overlays, warnings) = try features(
            "name,lng,lat,n\n" + rows.joined(separator: "\n"), "many.csv", type: "clusterLayer", more: caption)
        let layer = try #require(overlays.first as? ClusterLayer)
        #expect(layer.count == 30_000 && layer.members.count == 0 && warnings.isEmpty)
        for number in [0, 1, 9_999, 29_999] {
            let marker = try #require(layer.marker(numbered: Int32(number)))
            #expect(marker.captionText == "p,\(number)\nx" && marker.position?.lng == Double(number) / 1000)
            #expect(marker.id == "clusterLayer-0/\(number)")
        }
        #expect(layer.source?.values(of: ["n"])[0].millionths[12_345] == 12_345_000_000)
    }

    @Test func symbolsOfATable() throws {
        let folder = ScratchFolder()
        try folder.write("name,lat,lng,phone\nHall,1,2,02-120\n", "pois.csv")
        let text = #"{"waymark": 1, "symbols": {"source": "pois.csv"}}"#
        let map = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        #expect(map.symbols.map(\.captionText) == ["Hall"] && map.symbols[0].phone == "02-120" && map.symbols[0].position == LatLng(1, 2))
    }

    /// Names in upper case are the same names, unless two columns differ only in case.
    @Test func namesInUpperCase() throws {
        for header in ["Lat,Lng", "LATITUDE,LONGITUDE", "Latitude,Lon", "Y,X", "LAT,Long"] {
            #expect(try features("\(header)\n1,2\n", "a.csv").overlays.markers.map(\.position) == [LatLng(1, 2)], "\(header)")
        }
        #expect(try features("Lat,lat,lng,LNG\n5,1,2,5\n", "a.csv").overlays.markers.map(\.position) == [LatLng(1, 2)])
        #expect(
            refusal("LAT,Lat,lng\n1,2,3\n", "a.csv")
                == #"a.csv: line 1: the latitude could be in the column "LAT" or "Lat"; rename one of them"#)
        #expect(
            refusal("lat,Lon,LON\n1,2,3\n", "a.csv")
                == #"a.csv: line 1: the longitude could be in the column "Lon" or "LON"; rename one of them"#)
    }

    @Test func problemsTellTheLine() {
        let problems = [
            ("name,lat,lng\na,1,2\n\"b\nc\",95,2\n", "line 3: lat: 95 is outside -90…90"),
            ("name;lat\na;1", "line 1: the table has no column for the longitude (lng, lon, longitude, x)"),
            ("name,lon\na,1", "line 1: the table has no column for the latitude (lat, latitude, y)"),
            ("lat,lng\n1,2\n1,east\n", "line 3: lng: \"east\" is not a number"),
            ("lat,lng\n1,2\n1,\n", "line 3: lng: the cell is empty"),
            ("lat,lng\n1\n", "line 2: lng: the cell is empty"),
            ("lat,lng,a\n1,2,3,4\n", "line 2: the row has 4 cells, but the header has 3"),
            ("lat,lng,a\n1,2,\"3\n1,2,3", "line 2: a quote is not closed"),
            ("lat,lng,a\n1,2,\"3\"4\n", "line 2: text follows a closing quote"),
            ("lat,lng\n1,1e999\n", "line 2: lng: \"1e999\" is not a number"),
            ("lat,lng\n1,inf\n", "line 2: lng: \"inf\" is not a number"),
            ("lat,lng\n52,5,13\n", "line 2: the row has 3 cells, but the header has 2"),
            ("", "the file is empty"), ("\u{FEFF} \n", "the file is empty"),
            ("hello", "line 1: the table has no column for the latitude (lat, latitude, y)"),
            ("lat,lng\n1,2\u{0}", "this is not a text file such as GeoJSON, GPX or a table: byte 11 is 0"),
        ]
        for (text, problem) in problems { #expect(refusal(text, "a.csv") == "a.csv: \(problem)") }
        #expect(
            refusal("lat,lng,size\n1,2,3\n1,2,big", "a.csv", more: #", "marker": {"width": "{size}"}"#)
                == #"a.csv: line 3: size: expected a number, found the string "big"; the value is for "width": "{size}""#)
        #expect(
            refusal(Array("lat,lng,n\n1,2,a\n1,2,\u{e9}".unicodeScalars.map { UInt8($0.value) }), "a.csv")
                == "a.csv: line 3: the text is not UTF-8; save the file as UTF-8")
        let wide = (0..<1_000_000).map { "c\($0)" }.joined(separator: ",")
        #expect(refusal("lat,lng,\(wide)\n1,2", "a.csv") == "a.csv: line 1: the row has more than 4096 cells")
        let long = (0..<100).map { _ in String(repeating: "n", count: 1000) }.joined(separator: ",")
        #expect(
            refusal("lat,lng,\(long)\n1,2", "a.csv")
                == "a.csv: line 1: the column names have 100006 bytes; at most 65536 are allowed")
    }

    @Test func stylesOfRowsAreToldWithTheirLines() throws {
        let text = "lat,lng,marker-size\n1,2,small\n1,2,\n1,2,huge"
        for type in ["geojson", "clusterLayer"] {
            let (_, warnings) = try features(text, "a.csv", type: type)
            #expect(warnings.count == 1 && warnings[0].hasPrefix("a.csv: line 4: marker-size: "), "\(warnings)")
        }
    }

    @Test func utf16WithAMark() throws {
        let text = "name,lat,lng\n서울 🏛,1,2\n"
        for isBig in [false, true] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
            #expect(try features(bytes, "a.csv", more: caption).overlays.markers.map(\.captionText) == ["서울 🏛"])
            #expect(refusal(bytes + [0x41], "a.csv") == "a.csv: the text is UTF-16 and ends within a character")
            #expect(refusal(bytes + [0xD8, 0xD8], "a.csv") == "a.csv: the text is UTF-16 with an unpaired surrogate")
        }
        #expect(refusal([0xFF, 0xFE, 0, 0], "a.csv") == "a.csv: the text is UTF-32, which is not supported; save the file as UTF-8")
    }

    /// Tables with random bytes end in a sentence or in overlays, and in nothing else; the same as an overlay and in a cluster layer.
    @Test func damagedTables() throws {
        var random = SplitMix64(seed: 2)
        let bytes = Array("name,lat,lng,\"a \"\"b\"\n\"x, \"\"y\"\"\",1.5,-2e1,7\r\n서울,+37.,.5,\n,,,\nq,0,0,\"\n\"\n".utf8)
        let strange = Array(",;\t\"\"\r\n.e+-09\0".utf8)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<random.integer(1...4) {
                damaged[random.integer(0...damaged.count - 1)] =
                    random.once(in: 2) ? random.one(of: strange) : UInt8(random.integer(0...255))
            }
            if random.once(in: 4) { damaged.removeLast(random.integer(0...damaged.count - 1)) }
            let ends = ["geojson", "clusterLayer"].map { type in
                do {
                    let overlays = try features(damaged, "a.csv", type: type).overlays
                    return "\((overlays.first as? ClusterLayer)?.count ?? overlays.count)"
                } catch {
                    return (error as? Refusal)?.text ?? ""
                }
            }
            #expect(ends[0] == ends[1] && !ends[0].isEmpty)
        }
    }
}
