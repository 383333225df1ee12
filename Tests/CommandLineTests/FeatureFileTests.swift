import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Files of features in the place of a scene, as a command, a base scene and standard input read them.
@Suite struct FeatureFileTests {
    private let folder = ScratchFolder()

    private static let texts = [
        "points.csv": "name,lat,lng\nHall,37.5,127\nGate,37.6,126.9\n",
        "points.tsv": "name\tlng\tlat\nHall\t127\t37.5\nGate\t126.9\t37.6\n",
        "points.gpx":
            "<gpx><wpt lat=\"37.5\" lon=\"127\"><name>Hall</name></wpt><wpt lat=\"37.6\" lon=\"126.9\"><name>Gate</name></wpt></gpx>",
        "points.geojsonl": features.map { $0 + "\n" }.joined(),
        "points.geojsons": features.map { "\u{1E}" + $0 }.joined(separator: "\n"),
    ]
    private static let features = [
        #"{"type": "Feature", "properties": {"name": "Hall"}, "geometry": {"type": "Point", "coordinates": [127, 37.5]}}"#,
        #"{"type": "Feature", "properties": {"name": "Gate"}, "geometry": {"type": "Point", "coordinates": [126.9, 37.6]}}"#,
    ]

    private func positions(_ inspection: [UInt8]) throws -> [[Double]] {
        let root = try #require(try JSONSerialization.jsonObject(with: Data(inspection)) as? [String: Any])
        return try #require(root["overlays"] as? [[String: Any]]).map { $0["anchor"] as? [Double] ?? [] }
    }

    @Test(arguments: texts.keys.sorted()) func everyFormat(name: String) throws {
        try folder.write(Self.texts[name] ?? "", name)
        let features = #"{"type": "FeatureCollection", "features": [\#(Self.features.joined(separator: ", "))]}"#
        try folder.write(features, "reference.geojson")
        let expected = try Program.run("inspect", "reference.geojson", in: folder)
        let direct = try Program.run("inspect", name, in: folder)
        #expect(direct.status == 0 && direct.errors.isEmpty, "\(direct.errors)")
        #expect(try positions(direct.output) == positions(expected.output) && positions(direct.output).count == 2)
        let piped = try Program.run("inspect", "-", in: folder, input: folder.read(name))
        #expect(piped.status == 0 && piped.output == direct.output, "\(piped.errors)")
        let rendered = try Program.run("render", name, "--zoom", "10", "-o", "a.png", in: folder)
        #expect(rendered.status == 0 && rendered.errors.isEmpty, "\(rendered.errors)")
        #expect(try Program.run("render", "reference.geojson", "--zoom", "10", "-o", "b.png", in: folder).status == 0)
        #expect(try folder.read("a.png") == folder.read("b.png"))
        try folder.write(#"{"id": "a", "camera": {"fit": "overlays", "zoom": 10}}"#, "jobs.jsonl")
        let batch = try Program.run("batch", "jobs.jsonl", "--scene", name, "-o", "out", in: folder)
        #expect(batch.status == 0, "\(batch.errors)")
        #expect(try folder.read("out/a.png") == folder.read("b.png"))
    }

    /// `diff` renders the same files.
    @Test func comparedFiles() throws {
        for (name, text) in Self.texts { try folder.write(text, name) }
        for name in Self.texts.keys.sorted() {
            let same = try Program.run("diff", name, "points.csv", in: folder)
            #expect(same.status == 0 && same.errors.isEmpty, "\(name): \(same.text)\(same.errors)")
        }
        try folder.write("name,lat,lng\nHall,37.5,127\nGate,37.7,126.9\n", "moved.CSV")
        let moved = try Program.run("diff", "points.gpx", "moved.CSV", in: folder)
        #expect(moved.status == 1 && moved.text.contains("moved by"), "\(moved.text)\(moved.errors)")
    }

    /// Errors name the line and the column of the file, as for sources.
    @Test func errorsNameTheLine() throws {
        try folder.write("name,lat,lng\nHall,95,127\n", "points.csv")
        let table = try Program.run("render", "points.csv", in: folder)
        #expect(table.status == 65 && table.errors == "error: points.csv: line 2: lat: 95 is outside -90…90\n", "\(table.errors)")
        try folder.write("name\nHall\n", "names.csv")
        let names = try Program.run("render", "names.csv", in: folder)
        #expect(
            names.status == 65
                && names.errors == "error: names.csv: line 1: the table has no column for the latitude (lat, latitude, y)\n",
            "\(names.errors)")
        try folder.write("<html></html>", "page.gpx")
        let page = try Program.run("render", "page.gpx", in: folder)
        #expect(page.status == 65 && page.errors == "error: page.gpx: line 1: expected the element gpx, found \"html\"\n", "\(page.errors)")
        // A text that is nothing else is a damaged scene.
        let text = try Program.run("inspect", "-", input: Array("hello".utf8))
        #expect(text.status == 65 && text.errors.hasPrefix("error: standard input: byte 0 (line 1, column 1): "), "\(text.errors)")
    }

    @Test(arguments: [
        ("a.kml", Array("<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"></kml>".utf8), "KML"),
        ("a.kmz", [0x50, 0x4B, 3, 4], "KML"), ("b b.parquet", Array("PAR1abc".utf8), "GeoParquet"),
        ("a.shp", [0, 0, 0x27, 0x0A, 0, 0], "a shapefile"), ("a.json", Array(#"{"type": "Topology", "objects": {}}"#.utf8), "TopoJSON"),
        ("-a.fgb", Array("fgb\u{3}fgb".utf8), "FlatGeobuf"),
        ("a.gpkg", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52) + Array("GPKG".utf8), "a GeoPackage"),
    ]) func formatsThatAreNotRead(name: String, bytes: [UInt8], format: String) throws {
        try folder.write(bytes, name)
        let (input, output) =
            switch name {
            case "b b.parquet": ("'b b.parquet'", "'b b.geojson'")
            case "-a.fgb": ("./-a.fgb", "./-a.geojson")
            default: (name, "a.geojson")
            }
        let path = name.hasPrefix("-") ? "./\(name)" : name
        let problem = "\(path): this is \(format), which is not supported; convert the file: ogr2ogr -lco RFC7946=YES \(output) \(input)\n"
        for command in ["render", "inspect"] {
            let result = try Program.run(command, path, in: folder)
            #expect(result.status == 65 && result.errors == "error: \(problem)", "\(result.errors)")
        }
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "geojson", "source": "\#(path)"}]}"#, "scene.json")
        let source = try Program.run("inspect", "scene.json", in: folder)
        #expect(source.status == 65 && source.errors == "error: scene.json: overlays[0].source: \(problem)", "\(source.errors)")
    }

    @Test func addressesThatAreNotFiles() throws {
        let address = "https://example.org/data/places.kml?x=1"
        let problem =
            "\(address): this is a URL, but only files can be read; fetch and convert its data: "
            + "ogr2ogr -lco RFC7946=YES places.geojson '/vsicurl/\(address)'\n"
        for arguments in [["render", address], ["inspect", address], ["batch", "jobs.jsonl", "-o", "out", "--scene", address]] {
            try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
            let result = try Program.run(arguments, in: folder)
            #expect(result.status == 66 && result.errors == "error: \(problem)", "\(result.errors)")
        }
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "geojson", "source": "\#(address)"}]}"#, "scene.json")
        let source = try Program.run("inspect", "scene.json", in: folder)
        #expect(source.status == 66 && source.errors == "error: scene.json: overlays[0].source: \(problem)", "\(source.errors)")
        // GDAL names the storage services' buckets.
        for (address, place) in [("s3://maps/a/b.kml", "/vsis3/maps/a/b.kml"), ("gs://maps/b.kml", "/vsigs/maps/b.kml")] {
            let result = try Program.run("render", address, in: folder)
            #expect(result.errors.hasSuffix("ogr2ogr -lco RFC7946=YES b.geojson \(place)\n"), "\(result.errors)")
        }
    }
}
