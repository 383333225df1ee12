import Foundation
import Testing
import Waymark
import WaymarkImaging
import WaymarkTestSupport

/// One clear line, the right exit code, and no file.
@Suite struct BadInputTests {
    private let folder = ScratchFolder()

    /// Renders a scene of these bytes and expects it to fail with one line, leaving nothing behind.
    private func expect(
        _ bytes: [UInt8], _ message: String, status: Int32 = 65, _ name: String = "scene.json", location: SourceLocation = #_sourceLocation
    ) throws {
        try folder.write(bytes, name)
        let before = folder.names
        for command in ["render", "inspect"] {
            let arguments = command == "render" ? ["-o", "out.png"] : []
            let result = try Program.run([command, name] + arguments, in: folder)
            #expect(result.errors == "error: \(message)\n", "\(command)", sourceLocation: location)
            #expect(result.status == status && result.output.isEmpty, "\(command)", sourceLocation: location)
        }
        #expect(folder.names == before, sourceLocation: location)
    }

    private func expect(_ text: String, _ message: String, status: Int32 = 65, location: SourceLocation = #_sourceLocation) throws {
        try expect(Array(text.utf8), "scene.json: \(message)", status: status, location: location)
    }

    /// The same of a scene with these members.
    private func expect(scene members: String, _ message: String, status: Int32 = 65, location: SourceLocation = #_sourceLocation) throws {
        try expect(#"{"waymark": 1, \#(members)}"#, message, status: status, location: location)
    }

    /// The same of a scene with one marker.
    private func expect(marker members: String, _ message: String, status: Int32 = 65, location: SourceLocation = #_sourceLocation) throws {
        try expect(
            scene: #""overlays": [{"type": "marker", \#(members)}]"#, "overlays[0]\(message)", status: status, location: location)
    }

    @Test func notJSON() throws {
        try expect("", "byte 0 (line 1, column 1): empty file")
        try expect(" \n ", "byte 3 (line 2, column 2): empty file")
        try expect("{\"waymark\": 1,\n \"overlays\": [{\"ty", "byte 33 (line 2, column 19): unexpected end of file")
        try expect("{\"waymark\": 1", "byte 13 (line 1, column 14): unexpected end of file")
        try expect("{\"waymark\": 1}}", "byte 14 (line 1, column 15): unexpected character '}' after the end of the document")
        try expect("{\"waymark\": 1,}", "byte 13 (line 1, column 14): trailing comma")
        try expect([0x7B, 0x22, 0xFF, 0x22, 0x7D], "scene.json: byte 2 (line 1, column 3): invalid UTF-8")
        try expect(Array("{\"waymark\": 1, \"a\": \"".utf8) + [0xC3, 0x28], "scene.json: byte 21 (line 1, column 22): invalid UTF-8")
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000) + [UInt8](repeating: UInt8(ascii: "]"), count: 10_000)
        try expect(deep, "scene.json: byte 1000 (line 1, column 1001): the document is nested deeper than 1000 levels")
        try expect(
            Array(#"{"waymark": 1, "overlays": "#.utf8) + deep + Array("}".utf8),
            "scene.json: byte 1026 (line 1, column 1027): the document is nested deeper than 1000 levels")
        // A picture where a scene should be.
        try expect(
            Bitmap(width: 1, height: 1).encoded(as: .png),
            #"scene.json: this is a PNG image; name it in a scene, as the "iconImage" of a marker or the "image" of a ground overlay"#)
    }

    /// Files of other kinds where a scene should be, whatever their names, and as the source of an overlay.
    @Test func filesThatBelongElsewhere() throws {
        let baseMap = #"use it as a base map, with --basemap or the key "basemap" of a scene"#
        let image = #"image; name it in a scene, as the "iconImage" of a marker or the "image" of a ground overlay"#
        let svg = "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
        let database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        let files: [(String, [UInt8], String)] = [
            ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0], "this is a JPEG \(image)"), ("a.svg", Array(svg.utf8), "this is an SVG \(image)"),
            ("a.gif", Array("GIF89a".utf8), "this is a GIF image, which is not supported; convert it to PNG"),
            ("a.pmtiles", Array("PMTiles\u{3}".utf8), "this is a PMTiles archive of map tiles; \(baseMap)"),
            ("a.mbtiles", database, "this is a SQLite database; if it is an MBTiles archive of map tiles, \(baseMap)"),
            ("a.csv", [0x50, 0x4B, 3, 4, 0], "this is a ZIP archive; unpack it, and name a file in it"),
            ("a.glb", Array("glTF\u{2}".utf8), #"this is a 3D model (GLB); name it in a scene, as the "model" of a local model"#),
        ]
        for (name, bytes, problem) in files {
            try folder.write(bytes, name)
            for arguments in [["render", name], ["inspect", name], ["tiles", name, "-o", "out.pmtiles", "--zooms", "0"]] {
                let result = try Program.run(arguments, in: folder)
                #expect(result.status == 65 && result.errors == "error: \(name): \(problem)\n", "\(result.errors)")
            }
            try folder.write(#"{"waymark": 1, "overlays": [{"type": "geojson", "source": "\#(name)"}]}"#, "of.json")
            let source = try Program.run("inspect", "of.json", in: folder)
            #expect(source.status == 65 && source.errors == "error: of.json: overlays[0].source: \(name): \(problem)\n", "\(source.errors)")
        }
        // A compressed file is inflated only if its name says so.
        let gzip = try Gzip.deflated(Array(#"{"waymark": 1}"#.utf8))
        let piped = try Program.run("inspect", "-", input: gzip)
        let problem = "this is a gzip file; unpack it, or give it a name that ends in .gz"
        #expect(piped.status == 65 && piped.errors == "error: standard input: \(problem)\n", "\(piped.errors)")
    }

    @Test func shapesThatCannotBe() throws {
        try expect(
            scene: #""overlays": [{"type": "circle", "center": [0, 0], "radius": -1}]"#, "overlays[0].radius: -1 is outside 0…20000000")
        try expect(
            scene: #""overlays": [{"type": "polygon", "rings": [[[0, 0], [1, 1]]]}]"#,
            "overlays[0].rings[0]: a ring needs at least 3 points, not 2")
        try expect(
            scene: #""overlays": [{"type": "container", "children": [{"type": "polyline", "points": {"polyline": "_p~iF~ps|U_ul"}}]}]"#,
            "overlays[0].children[0].points.polyline: the encoded polyline ends in the middle of the number at offset 10")
        try expect(
            #"{"type": "LineString", "coordinates": [[0, 0], [0, -90.5]]}"#,
            "coordinates[1][1]: -90.5 is outside -90…90; the order is [longitude, latitude]")
    }

    @Test func numbersThatNoMapHolds() throws {
        try expect(marker: #""position": [0, 0], "altitude": 1e300"#, ".altitude: 1e+300 is outside -1000000…1000000000")
        try expect(marker: #""position": [0, 0, -2e6]"#, ".position[2]: -2000000 is outside -1000000…1000000000")
        try expect(marker: #""position": [0, 0], "anchor": [1e39, 0], "isFlat": true"#, ".anchor[0]: 1e+39 is outside -100…100")
        try expect(marker: #""position": [0, 0], "anchorOffset": [0, 1e300]"#, ".anchorOffset[1]: 1e+300 is outside -10000…10000")
    }

    @Test func namesWithControlCharactersStayOnOneLine() throws {
        try expect(
            marker: #""position": [0, 0], "iconImage": "a\nb\u001b[31m.png""#,
            #".iconImage: a\nb\u{1b}[31m.png: cannot read the file: No such file or directory"#, status: 66)
    }

    @Test func anSVGThatCannotBeDrawn() throws {
        let doubled = (1...40).map { level in
            let use = "<use href='#g\(level - 1)'/>"
            return "<g id='g\(level)'>\(use)\(use)</g>"
        }.joined()
        try folder.write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='g0'><rect width='9' height='9'/></g>\(doubled)</svg>",
            "uses.svg")
        let result = try Program.run(
            "render", "-", "-o", "out.png", in: folder,
            input: Array(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "uses.svg"}]}"#.utf8))
        #expect(result.status == 65 && result.errors.hasPrefix("error: standard input: overlays[0].iconImage: uses.svg: the SVG "))
    }

    @Test func theLargestIconsAreDrawn() throws {
        try folder.write(
            #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "width": 10000, "height": 10000}]}"#, "scene.json")
        let result = try Program.run(
            "render", "scene.json", "--zoom", "0", "--pixel-ratio", "8", "--size", "64x64", "-o", "out.png", in: folder)
        #expect(result.status == 0 && folder.names.contains("out.png"))
    }

    @Test func neitherASceneNorGeoJSON() throws {
        try expect("[]", "expected an object: a scene or GeoJSON, found an array")
        try expect("{}", "this is neither a scene (the key \"waymark\" is missing) nor GeoJSON (the key \"type\" is missing)")
        try expect(#"{"waymark": 2}"#, "waymark: version 2 is not supported; only version 1 is")
        try expect(#"{"waymark": "1"}"#, "waymark: expected a whole number, found the string \"1\"")
        let types = "Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection"
        try expect(#"{"type": "Sphere"}"#, "type: expected a geometry type: \(types), found the string \"Sphere\"")
        try expect(#"{"type": "FeatureCollection"}"#, "missing key \"features\"")
        try expect(
            #"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 95]}}]}"#,
            "features[0].geometry.coordinates[1]: 95 is outside -90…90; the order is [longitude, latitude]")
        try expect(#"{"type": "Point", "coordinates": ["1", 5]}"#, "coordinates[0]: expected a number, found the string \"1\"")
    }

    @Test func unknownKeys() throws {
        try expect(scene: #""overlay": []"#, "unknown key \"overlay\"; did you mean \"overlays\"?")
        try expect(scene: #""qqqqqqqqqqqq": []"#, "unknown key \"qqqqqqqqqqqq\"")
        try expect(scene: #""camera": {"centre": [0, 0]}"#, #"camera: unknown key "centre"; did you mean "center"?"#)
        try expect(scene: #""camera": {"center": [0, 0], "zom": 3}"#, "camera: unknown key \"zom\"; did you mean \"zoom\"?")
        try expect(marker: #""position": [0, 0], "icon": "builtin:red""#, ": unknown key \"icon\"; use \"iconImage\"")
        try expect(marker: #""position": [0, 0], "iconimage": "none""#, ": unknown key \"iconimage\"; did you mean \"iconImage\"?")
        try expect(
            marker: #""position": {"lat": 1, "lon": 2}"#, ".position: missing key \"lng\"")
        try expect(
            scene: #""overlays": [{"type": "maker"}]"#, "overlays[0].type: unknown overlay type \"maker\"; did you mean \"marker\"?")
        try expect(
            marker: #""position": [0, 0], "iconImage": "builtin:rad""#,
            ".iconImage: unknown built-in image \"rad\"; did you mean \"builtin:red\"?")
        try expect(marker: #""position": [0, 0], "alpha": 1, "alpha": 1"#, ": the key \"alpha\" appears twice")
    }

    @Test func numbersThatAreNone() throws {
        try expect(marker: #""position": [0, 0], "alpha": "1""#, ".alpha: expected a number, found the string \"1\"")
        try expect(
            "{\"waymark\": 1, \"pixelRatio\": NaN}", "byte 29 (line 1, column 30): NaN is not allowed in JSON")
        try expect("{\"waymark\": 1, \"pixelRatio\": -Infinity}", "byte 29 (line 1, column 30): -Infinity is not allowed in JSON")
        try expect("{\"waymark\": 1, \"pixelRatio\": 1e999}", "byte 29 (line 1, column 30): the number 1e999 is out of range")
        try expect(marker: #""position": [0, null]"#, ".position[1]: expected a number, found null")
        try expect(marker: #""position": [0, 0], "zIndex": 1.5"#, ".zIndex: expected a whole number, found 1.5")
        try expect(marker: #""position": [0, 0], "isFlat": 1"#, ".isFlat: expected true or false, found 1")
    }

    @Test func numbersOutOfRange() throws {
        try expect(marker: #""position": {"lat": 95, "lng": 0}"#, ".position.lat: 95 is outside -90…90")
        try expect(marker: #""position": [0, -90.5]"#, ".position[1]: -90.5 is outside -90…90; the order is [longitude, latitude]")
        try expect(marker: #""position": [0, 0], "alpha": 2"#, ".alpha: 2 is outside 0…1")
        try expect(marker: #""position": [0, 0], "width": -1"#, ".width: -1 is outside 0…10000")
        try expect(marker: #""position": [0, 0], "minZoom": 25"#, ".minZoom: 25 is outside 0…24")
        try expect(scene: #""camera": {"center": [0, 0], "zoom": 99}"#, "camera.zoom: 99 is outside 0…24")
        try expect(scene: #""camera": {"center": [0, 0], "tilt": -1}"#, "camera.tilt: -1 is outside 0…80")
        try expect(scene: #""camera": {"center": [0, 89]}"#, "camera.center: latitude 89 is outside -85.051129…85.051129")
        try expect(
            scene: #""size": {"width": 0, "height": 10}"#, "size.width: 0 pt at pixel ratio 1 is outside 1…65535 device pixels")
        try expect(
            scene: #""size": {"width": 65536, "height": 10}"#, "size.width: 65536 pt at pixel ratio 1 is outside 1…65535 device pixels")
        try expect(
            scene: #""size": {"width": 40000, "height": 40000}"#, "size: 40000 × 40000 device pixels exceed the limit of 999999999")
        try expect(scene: #""pixelRatio": 9"#, "pixelRatio: 9 is outside 0.5…8")
        try expect(scene: ##""background": "#12""##, "background: the string \"#12\" is not a CSS color such as \"#3388ff80\" or \"red\"")
    }

    @Test func aSideOfAMillion() throws {
        try folder.write(#"{"waymark": 1, "size": {"width": 10, "height": 1000000}}"#, "scene.json")
        let result = try Program.run("render", "scene.json", in: folder)
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix("error: scene.json: size.height: 1000000 "))
        #expect(folder.names == ["scene.json"])
    }

    @Test func idsAreUnique() throws {
        try expect(
            scene: #""overlays": [{"type": "marker", "id": "a", "position": [0, 0]}, {"type": "marker", "id": "a", "position": [0, 0]}]"#,
            "overlays[1]: the id \"a\" is already used by overlays[0]")
    }

    @Test func iconsThatCannotBeHad() throws {
        try expect(
            marker: #""position": [0, 0], "iconImage": "gone.png""#,
            ".iconImage: gone.png: cannot read the file: No such file or directory", status: 66)
        try FileManager.default.createDirectory(atPath: folder.path + "/folder.png", withIntermediateDirectories: false)
        try expect(
            marker: #""position": [0, 0], "iconImage": "folder.png""#, ".iconImage: folder.png: cannot read the file: Is a directory",
            status: 66)
        try folder.write("not a picture", "text.png")
        try expect(
            marker: #""position": [0, 0], "iconImage": "text.png""#, ".iconImage: text.png: this is not an image in a known format")
        try folder.write([], "empty.png")
        try expect(marker: #""position": [0, 0], "iconImage": "empty.png""#, ".iconImage: empty.png: the image is empty")
        let png = try Bitmap(width: 9, height: 9, fill: .red).encoded(as: .png)
        try folder.write(Array(png.prefix(png.count - 20)), "cut.png")
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "cut.png"}]}"#, "scene.json")
        let result = try Program.run("render", "scene.json", in: folder)
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix("error: scene.json: overlays[0].iconImage: cut.png: the PNG data is damaged: "))
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
        try expect(
            marker: #""position": [0, 0], "iconImage": "data:image/png;base64,?""#,
            ".iconImage: expected data:image/…;base64,… or data:image/…,…")
    }

    @Test func lenientDrawsTheRest() throws {
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0]}, "size": {"width": 60, "height": 60}, "overlays": ["#
                + #"{"type": "marker", "id": "lost", "position": [0, 0], "iconImage": "gone.png"}, {"type": "marker", "position": [0, 0]}]}"#,
            "scene.json")
        let result = try Program.run("render", "scene.json", "--lenient", in: folder)
        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("warning: scene.json: lost: iconImage: "))
        #expect(
            result.errors.hasSuffix("gone.png: cannot read the file: No such file or directory; the default icon is drawn in its place\n"))
        #expect(try Bitmap(contentsOf: folder.path + "/scene.png")[30, 17].alpha == 255)
    }

    @Test func latitude89IsAWarningAndTheRestIsDrawn() throws {
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0]}, "size": {"width": 60, "height": 60}, "overlays": ["#
                + #"{"type": "marker", "id": "pole", "position": [0, 89]}, {"type": "marker", "position": [0, 0]}]}"#,
            "scene.json")
        let result = try Program.run("render", "scene.json", in: folder)
        #expect(result.status == 0)
        #expect(
            result.errors
                == "warning: scene.json: pole: position.lat: not drawn, because the position lies outside the map, "
                + "which ends at 85.051129° north and south\n"
        )
        #expect(try Bitmap(contentsOf: folder.path + "/scene.png")[30, 17].alpha == 255)
    }

    @Test func scenesThatCannotBeRead() throws {
        for command in ["render", "inspect"] {
            var result = try Program.run(command, "gone.json", in: folder)
            #expect(result.status == 66)
            #expect(result.errors == "error: gone.json: cannot read the file: No such file or directory\n")
            result = try Program.run(command, folder.path)
            #expect(result.status == 66)
            #expect(result.errors == "error: \(folder.path): cannot read the file: Is a directory\n")
        }
        #expect(folder.names.isEmpty)
    }

    @Test func outputsThatCannotBeMade() throws {
        try folder.write(#"{"waymark": 1, "size": {"width": 80, "height": 80}}"#, "scene.json")
        var result = try Program.run("render", "scene.json", "-o", "gone/out.png", in: folder)
        #expect(result.status == 73)
        #expect(result.errors.hasSuffix("error: gone/out.png: cannot write the file: No such file or directory\n"))
        try FileManager.default.createDirectory(atPath: folder.path + "/folder.png", withIntermediateDirectories: false)
        result = try Program.run("render", "scene.json", "-o", "folder.png", in: folder)
        #expect(result.status == 73)
        #expect(result.errors.hasSuffix("error: folder.png: cannot write the file: Is a directory\n"))
        #expect(folder.names == ["folder.png", "scene.json"])
        #expect(try Program.run("render", "scene.json", "-o", "/dev/full", "--format", "png", in: folder).status == 73)
    }

    @Test func usage() throws {
        try folder.write(#"{"waymark": 1, "size": {"width": 80, "height": 80}}"#, "scene.json")
        let cases: [([String], String)] = [
            (["--zoom", "99"], "--zoom: 99 is outside 0…24"),
            (["--tilt", "-1"], "--tilt: -1 is outside 0…80"),
            (["--center", "95,0"], "--center: 95 is outside -85.051129…85.051129; the order is LATITUDE,LONGITUDE"),
            (["--pixel-ratio", "0"], "--pixel-ratio: 0 is outside 0.5…8"),
            (["--bearing", "inf"], "--bearing: inf is not a finite number"),
            (["--padding", "-3"], "--padding: -3 is less than 0"),
            (["--size", "0x5"], "--size: the width of 0 pt at pixel ratio 1 is outside 1…65535 device pixels"),
            (["--size", "1000000x5"], "--size: the width of 1000000 pt at pixel ratio 1 is outside 1…65535 device pixels"),
            (["--background", "bleu"], "--background: \"bleu\" is not a CSS color such as #3388ff80 or white"),
            (["--fit", "--zoom", "3"], "--fit: fit cannot be combined with center or zoom"),
            (["--format", "gif"], "--format: \"gif\" is not one of png, jpeg, webp, rgba"),
            (["-o", "out.tiff"], "out.tiff: the name does not end in one of .png, .jpg, .webp, .rgba; choose one with --format"),
            (["--device", "banana"], ""),
        ]
        for (arguments, message) in cases {
            let result = try Program.run(["render", "scene.json"] + arguments, in: folder)
            #expect(result.status == 64, "\(arguments)")
            if message.isEmpty {
                #expect(result.errors.contains("error: ") && result.errors.contains("banana"))
            } else {
                #expect(result.errors.hasSuffix("error: \(message)\n"), "\(arguments)")
            }
        }
        for arguments in [
            ["render", "scene.json", "--zom", "3"], ["render"], ["paint", "scene.json"], ["render", "scene.json", "--size", "5"],
        ] {
            let result = try Program.run(arguments, in: folder)
            #expect(result.status == 64 && result.output.isEmpty, "\(arguments)")
            #expect(result.errors.lowercased().hasPrefix("error: "), "\(arguments)")
        }
        #expect(folder.names == ["scene.json"])
    }
}
