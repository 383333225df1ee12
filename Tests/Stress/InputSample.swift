import Foundation
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

/// Files that are read without an error, and become hostile by random damage.
struct InputSample {
    enum Kind: String, CaseIterable {
        /// A scene, which is also laid out and sometimes drawn.
        case scene
        /// A source of features of any format.
        case features
        /// PMTiles, MBTiles, with pictures or vector tiles.
        case archive
        /// A vector tile, not compressed.
        case vectorTile
        /// OBJ, glTF, GLB.
        case model
    }

    let kind: Kind
    /// The file that is opened.
    let name: String
    /// This file and the files that it names, by name.
    var files: [String: [UInt8]]
    /// The paths of other files that it names; nil if it names none.
    var folder: String?

    init(_ kind: Kind, _ name: String, _ files: [String: [UInt8]], folder: String? = nil) {
        self.kind = kind
        self.name = name
        self.files = files
        self.folder = folder
    }

    init(_ kind: Kind, _ name: String, _ text: String) { self.init(kind, name, [name: Array(text.utf8)]) }
}

extension InputSample {
    static func isJSON(_ name: String) -> Bool { name.hasSuffix("json") || name.hasSuffix(".gltf") }

    /// Whether a file contains offsets into itself.
    static func isBinary(_ name: String) -> Bool { ["tiles", ".mvt", ".glb", ".bin", ".png"].contains { name.hasSuffix($0) } }

    /// All samples of each kind, in an order that is the same on every machine.
    static func all() throws -> [Kind: [InputSample]] {
        [.scene: try scenes(), .features: features, .archive: try archives(), .vectorTile: try vectorTiles(), .model: try models()]
    }

    /// The folder of all tests, with the files that the scenes name.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

    /// The scenes of the picture cases: every kind of overlay with all its properties, at most a few KB each.
    private static func scenes() throws -> [InputSample] {
        let root = URL(fileURLWithPath: tests).appendingPathComponent("Pictures")
        var scenes: [InputSample] = []
        let kinds = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { !$0.contains(".") }.sorted()
        for kind in kinds {
            let cases = root.appendingPathComponent(kind)
            for name in try FileManager.default.contentsOfDirectory(atPath: cases.path).sorted() {
                let folder = cases.appendingPathComponent(name)
                guard let scene = try? Data(contentsOf: folder.appendingPathComponent("scene.json")) else { continue }
                scenes.append(InputSample(.scene, "scene.json", ["scene.json": [UInt8](scene)], folder: folder.path))
            }
        }
        guard scenes.count > 100 else { throw Mistake("there are only \(scenes.count) scenes in \(root.path)") }
        return scenes
    }

    private static func feature(_ geometry: String, _ more: String = #""id": 7, "properties": {"name": "곳 1", "size": 12, "n": 7}"#)
        -> String
    {
        #"{"type": "Feature", \#(more), "geometry": \#(geometry)}"#
    }

    private static let features = {
        let features = [
            feature(#"{"type": "Point", "coordinates": [126.97, 37.56]}"#),
            feature(
                #"{"type": "MultiPoint", "coordinates": [[126.97, 37.56, 30], [126.98, 37.57]]}"#,
                #""id": "f", "properties": {"size": 1.5, "n": -3}"#),
            feature(#"{"type": "LineString", "coordinates": [[179, 1], [-179, 2.5e0], [-178, 3]]}"#, #""properties": {"stroke": "red"}"#),
            feature(
                #"{"type": "MultiPolygon", "coordinates": [[[[0, 0], [4, 0], [4, 4], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]]]]}"#,
                #""properties": {"fill": "red", "fill-opacity": 0.5}"#),
            feature(#"{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}"#, #""bbox": [1, 2, 1, 2]"#),
        ]
        let collection = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ",\n"))]}"#
        let table = "name,lat,lng,altitude,\"a \"\"b\",n\n\"x, \"\"y\"\"\",1.5,-2e1,7,,1\r\n서울,+37.,.5,1,2,3\n,,,,,\nq,0,0,\"\n\",5,6\n"
        let tabs = "id\tlatitude\tlongitude\tname\n1\t37.5\t127\tHall\n2\t35.1\t129.1\tPort\n3\t33.4\t126.5\t\n"
        let track = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="37.5" lon="127"><ele>38</ele><name>Hall &amp; Co</name><sym>Flag</sym></wpt>
            <rte><name>Way</name><rtept lat="1" lon="2"/><rtept lat="1.5" lon="2.5"><ele>4</ele></rtept></rte>
            <trk><name><![CDATA[Tour <1>]]></name><trkseg><trkpt lat="1" lon="2"><time>2024-01-01T00:00:00Z</time></trkpt>
            <trkpt lat="-1" lon="-2"/></trkseg><trkseg><trkpt lat="3" lon="4"/><trkpt lat="5" lon="6"/></trkseg></trk></gpx>
            """
        let utf16: [UInt8] = [0xFF, 0xFE] + table.utf16.flatMap { littleEndian($0) }
        return [
            InputSample(.features, "a.geojson", collection), InputSample(.features, "a.geojsonl", features.joined(separator: "\n")),
            InputSample(.features, "a.geojsons", features.map { "\u{1E}\($0)\n" }.joined()), InputSample(.features, "a.csv", table),
            InputSample(.features, "a.csv", ["a.csv": utf16]), InputSample(.features, "a.tsv", tabs),
            InputSample(.features, "a.gpx", track),
            InputSample(.features, "a", collection),
        ]
    }()

    private static func models() throws -> [InputSample] {
        [
            InputSample(.model, "house.obj", try ModelSamples.obj()), InputSample(.model, "a.glb", try ModelSamples.binaryGLTF()),
            InputSample(.model, "a.gltf", try ModelSamples.textGLTF()),
        ]
    }

    /// Archives written by Waymark, and archives with the tables of other programs.
    private static func archives() throws -> [InputSample] {
        let scratch = ScratchFolder()
        let spool = try TileSpool("\(scratch.path)/spool", fingerprint: 1, renderer: "none", isResuming: false)
        let formats: [ImageFormat] = [.png, .jpeg, .webp]
        var tiles: [(TileAddress, [UInt8])] = []
        for (index, address) in addresses.enumerated() {
            let color = Color(white: Double(index % 5) / 5)
            tiles.append((address, try Bitmap(width: 16, height: 16, fill: color).encoded(as: formats[index % 3])))
        }
        for (address, bytes) in tiles { try spool.add(bytes, at: address) }
        var info = TileSetInfo(minZoom: 0, maxZoom: 2, attribution: "© \"Me\"", name: "Test")
        info.bounds = TileBounds(west: -180, south: -85, east: 180, north: 85)
        let description = TileArchiveDescription(info: info, format: .png, isRetina: false)
        var samples: [InputSample] = []
        for (name, format) in [("a.pmtiles", TileArchiveFormat.pmtiles), ("a.mbtiles", .mbtiles)] {
            try TileArchiveWriter.write(spool, description, as: format, to: "\(scratch.path)/\(name)")
            samples.append(InputSample(.archive, name, [name: try scratch.read(name)]))
        }
        let column = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
        for (name, statements, insert) in [
            ("table.mbtiles", ["CREATE TABLE tiles (\(column), tile_data BLOB)"], "INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)"),
            (
                "view.mbtiles",
                [
                    "CREATE TABLE map (\(column), tile_id TEXT)", "CREATE TABLE images (tile_data BLOB, tile_id TEXT)",
                    "CREATE TRIGGER fill AFTER INSERT ON images BEGIN INSERT INTO map VALUES (2, new.rowid % 4, new.rowid / 4, new.tile_id); END",
                    "CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id",
                    "CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)",
                ], "INSERT INTO images VALUES (?4, ?1 * 16 + ?2 * 4 + ?3)"
            ),
        ] {
            do {
                let database = try SQLiteDatabase(try scratch.write([], name), .new)
                for statement in statements + [
                    "CREATE TABLE metadata (name TEXT, value TEXT)", "INSERT INTO metadata VALUES ('format', 'png')",
                ] {
                    try database.execute(statement)
                }
                let row = try database.prepare(insert)
                for (address, bytes) in tiles {
                    try row.bind(address.zoom, address.x, address.y)
                    try row.run(bytes: bytes, as: 4)
                }
            }
            samples.append(InputSample(.archive, name, [name: try scratch.read(name)]))
        }
        samples.append(
            InputSample(.archive, "vector.mbtiles", ["vector.mbtiles": [UInt8](try Data(contentsOf: URL(fileURLWithPath: helsinki)))]))
        return samples
    }

    /// An excerpt of the vector tiles of Helsinki.
    static let helsinki = "\(tests)/VectorTilesTests/Fixtures/helsinki.mbtiles"
    static let helsinkiTiles = [(9, 291, 148), (11, 1165, 592), (13, 4663, 2370), (14, 9326, 4741), (14, 9327, 4741)].map {
        TileAddress(zoom: $0.0, x: $0.1, y: $0.2)
    }

    private static func vectorTiles() throws -> [InputSample] {
        let source = try TileArchive.openArchive(helsinki)
        return try helsinkiTiles.compactMap { address in
            try source.bytes(at: address).map { InputSample(.vectorTile, "a.mvt", ["a.mvt": $0]) }
        }
    }

    /// The tiles of the archives, and a few that they lack.
    static let addresses = [0, 1, 2].flatMap { zoom in
        (0..<1 << zoom).flatMap { y in (0..<1 << zoom).map { x in TileAddress(zoom: zoom, x: x, y: y) } }
    }
}
