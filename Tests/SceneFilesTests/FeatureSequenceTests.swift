import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct FeatureSequenceTests {
    private func feature(_ lng: Double, _ more: String = "\"properties\": {}") -> String {
        "{\"type\": \"Feature\", \(more), \"geometry\": {\"type\": \"Point\", \"coordinates\": [\(lng), 1]}}"
    }

    /// The texts of three features in each form.
    private var forms: [String] {
        let all = [
            feature(1, #""properties": {"n": "}\n{"}"#.replacing("\n", with: "\\n")), feature(2, #""id": "two", "properties": null"#),
            feature(3),
        ]
        let pretty = all.map { $0.replacing(", ", with: ",\n  ") }
        return [
            all.joined(separator: "\n"), "\u{FEFF}" + all.joined(separator: "\r\n") + "\n\n", "\n" + all.joined(separator: "\n \n\n"),
            all.map { "\u{1E}\($0)\n" }.joined(), pretty.map { "\u{1E}\($0)\n" }.joined(),
            "\u{1E}\u{1E}" + pretty.joined(separator: "\u{1E}"),
        ]
    }

    @Test func featuresOneAfterAnother() throws {
        for text in forms {
            let (overlays, warnings) = try features(text, "a.geojsonl")
            #expect(overlays.markers.map { $0.position?.lng } == [1, 2, 3] && warnings.isEmpty)
            #expect(overlays.markers.map(\.id) == ["geojson-0/0", "two", "geojson-0/2"])
            let layer = try #require(features(text, "a", type: "clusterLayer").overlays.first as? ClusterLayer)
            #expect(layer.markers.map(\.id) == ["clusterLayer-0/0", "two", "clusterLayer-0/2"])
        }
    }

    @Test func oneTextIsNoSequence() throws {
        let text = "{\"type\": \"FeatureCollection\", \"features\": [\(feature(1)), \(feature(2))]}"
        for text in [text, text + "\n\n", text.replacing("[{", with: "[\n{"), "\u{1E}\(feature(1))\n\u{1E}\(feature(2))\n"] {
            #expect(try features(text, "a.geojson").overlays.markers.count == 2)
        }
    }

    @Test func problemsTellTheLine() {
        let good = feature(1)
        let problems = [
            (
                "\(good)\n\(good.replacing("1]", with: "95]"))",
                "line 2: geometry.coordinates[1]: 95 is outside -90…90; the order is [longitude, latitude]"
            ),
            ("\(good)\n\n\(good.replacing("Feature", with: "Point"))", "line 3: type: expected \"Feature\", found the string \"Point\""),
            ("\(good)\n{\"type\": \"Feature\",", "byte 113 (line 2, column 20): unexpected end of file"),
            ("\(good)\n{\"a\": 1}, {\"a\": 2}", "byte 102 (line 2, column 9): unexpected character ',' after the end of the document"),
            ("\u{1E}\(good)\n\u{1E}{\n\"type\":}", "byte 105 (line 3, column 8): unexpected character '}'"),
        ]
        for (text, problem) in problems { #expect(refusal(text, "a.ndjson") == "a.ndjson: \(problem)") }
        #expect(
            refusal("\(good)\n\(feature(1, #""properties": {"size": true}"#))", "a.ndjson", more: #", "marker": {"width": "{size}"}"#)
                == #"a.ndjson: line 2: properties.size: expected a number, found true; the value is for "width": "{size}""#)
        #expect(
            refusal("\(good)\n[1]", "a.ndjson").hasPrefix("a.ndjson: byte 94 (line 2, column 1): unexpected character '[' after the end"))
    }

    /// Sequences with random bytes, packed and not, end in a sentence or in overlays, and in nothing else; the same as an overlay and in a cluster
    /// layer.
    @Test func damagedSequences() throws {
        var random = SplitMix64(seed: 3)
        let strange = Array("{}[],:\"\\\n\r\u{1E}\0-9eE".utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<500 {
            var damaged = Array(random.one(of: forms).utf8)
            func damage(_ bytes: inout [UInt8]) {
                for _ in 0..<random.integer(1...4) {
                    bytes[random.integer(0...bytes.count - 1)] =
                        random.once(in: 2) ? random.one(of: strange) : UInt8(random.integer(0...255))
                }
                if random.once(in: 4) { bytes.removeLast(random.integer(0...bytes.count - 1)) }
            }
            damage(&damaged)
            if random.once(in: 3) {
                damaged = try Gzip.deflated(damaged)
                if random.once(in: 2) { damage(&damaged) }
            }
            let ends = ["geojson", "clusterLayer"].map { type in
                do {
                    let overlays = try features(damaged, "a.geojsonl", type: type).overlays
                    return "\((overlays.first as? ClusterLayer)?.count ?? overlays.count)"
                } catch {
                    return (error as? Refusal)?.text ?? ""
                }
            }
            #expect(ends[0] == ends[1] && !ends[0].isEmpty)
            if ends[0].hasPrefix("scene.json: overlays[0].source: a.geojsonl: ") { refused += 1 } else { accepted += 1 }
        }
        #expect(accepted > 0 && refused > 100)
    }

    @Test func gzip() throws {
        for text in forms + ["lat,lng\n1,1\n1,2\n1,3\n"] {
            let bytes = Array(text.utf8)
            let half = bytes.count / 2
            let members = try Gzip.deflated(Array(bytes[..<half])) + Gzip.deflated(Array(bytes[half...]))
            for packed in [try Gzip.deflated(bytes), members] {
                #expect(try features(packed, "a.gz").overlays.markers.map { $0.position?.lng } == [1, 2, 3])
                let layer = try #require(features(packed, "a.gz", type: "clusterLayer").overlays.first as? ClusterLayer)
                #expect(layer.markers.map { $0.position?.lng } == [1, 2, 3])
                for end in [3, packed.count - 1] {
                    #expect(refusal(Array(packed[..<end]), "a.gz") == "a.gz: the gzip file is damaged or cut off")
                }
                var damaged = packed
                damaged[packed.count / 3] ^= 0x10
                #expect(refusal(damaged, "a.gz").hasPrefix("a.gz: "))
            }
        }
        // Half a megabyte that inflates to more than half a gigabyte.
        let part = try Gzip.deflated([UInt8](repeating: 0x20, count: 64 << 20))
        let bomb = (0..<9).flatMap { _ in part }
        #expect(refusal(bomb, "a.gz") == "a.gz: the file is larger than 512 MiB when it is inflated")
    }
}
