import Foundation
import Testing
import WaymarkTestSupport

/// Messages about names that are as long as a file.
@Suite struct LongMessageTests {
    private let folder = ScratchFolder()
    private static let long = String(repeating: "long ", count: 20_000)
    private static let data = "data:application/geo+json;base64," + String(repeating: "A", count: 600_000)

    /// The program's message about a scene.
    private func messages(_ overlay: String, _ settings: String = "", status: Int32 = 65) throws -> String {
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0], "zoom": 3}, \#(settings) "overlays": [\#(overlay)]}"#, "scene.json")
        let result = try Program.run("pick", "scene.json", "--at", "1,1", in: folder)
        #expect(result.status == status, "\(result.errors.prefix(1000))")
        for line in result.errors.split(separator: "\n") { #expect(line.unicodeScalars.count <= 300, "\(line.prefix(1000))") }
        return result.errors
    }

    @Test func aSourceThatIsItsContent() throws {
        let shown = "data:application/geo+json;base…AAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let refusal = "\(shown) is not a file name; only images and the buffers of models can be data: URIs\n"
        for (overlay, settings, path) in [
            (#"{"type": "geojson", "source": "\#(Self.data)"}"#, "", "overlays[0].source"),
            (#"{"type": "clusterLayer", "source": "\#(Self.data)"}"#, "", "overlays[0].source"),
            (#"{"type": "localModel", "coordinates": [0, 0], "model": "\#(Self.data)"}"#, "", "overlays[0].model"),
            ("", #""basemap": "\#(Self.data)","#, "basemap"), ("", #""symbols": {"source": "\#(Self.data)"},"#, "symbols.source"),
        ] {
            #expect(try messages(overlay, settings) == "error: scene.json: \(path): \(refusal)")
        }
    }

    @Test func aSourceOfALongName() throws {
        let name = String(repeating: "a", count: 5000) + ".geojson"
        let message = try messages(#"{"type": "geojson", "source": "\#(name)"}"#, status: 66)
        #expect(message.hasPrefix("error: scene.json: overlays[0].source: aaaa") && message.contains("aaa…aaa"))
        #expect(message.hasSuffix("aaa.geojson: cannot read the file: File name too long\n"))
    }

    @Test func idsKeysAndCaptions() throws {
        let wide = #""coordinates": [0, 0], "content": {"label": {"text": "\#(Self.long.prefix(500))"}}"#
        for id in [Self.long, Self.long.filter { $0 != " " }] {
            let warning = try messages(#"{"type": "viewOverlay", "id": "\#(id)", \#(wide)}"#, status: 0)
            #expect(warning.hasPrefix("warning: scene.json: \(id.prefix(40))") && warning.contains("…"), "\(warning)")
            #expect(
                warning.contains(": content: the content is ") && warning.hasSuffix(" are allowed; the overlay is not drawn\n"),
                "\(warning)")
        }
        let position = #""type": "marker", "position": [0, 5]"#
        #expect(try messages(#"{\#(position), "\#(Self.long)": 1}"#).contains("unknown key \"long long"))
        #expect(try messages(#"{\#(position), "iconImage": "builtin:\#(Self.long)"}"#).contains("unknown built-in image \"long"))
        let nested = String(repeating: #"{"type": "container", "children": ["#, count: 200)
        let path = try messages("\(nested){\(position), \"alpha\": 2}\(String(repeating: "]}", count: 200))")
        #expect(path.hasPrefix("error: scene.json: overlays[0].children[0].") && path.hasSuffix("children[0].alpha: 2 is outside 0…1\n"))
    }

    @Test func argumentsAndJobs() throws {
        let name = String(repeating: "n", count: 600)
        let option = try Program.run(["render", "scene.json", "--\(name)"], in: folder)
        #expect(option.status == 64 && option.errors.unicodeScalars.count <= 301 && option.errors.hasPrefix("error: Unknown option '--nnn"))
        try folder.write(#"{"id": "a", "\#(name)": 1}"# + "\n" + #"{"id": "b", "remove": ["\#(name)"]}"#, "jobs.jsonl")
        let batch = try Program.run(["batch", "jobs.jsonl", "-o", "out"], in: folder)
        #expect(batch.status == 75)
        let failures = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self).split(separator: "\n")
        for line in batch.errors.split(separator: "\n") + failures { #expect(line.unicodeScalars.count <= 400, "\(line)") }
    }
}
