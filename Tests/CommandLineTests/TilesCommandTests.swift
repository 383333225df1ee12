import Foundation
import Testing
import Waymark
import WaymarkTestSupport
import WaymarkTiles

/// `waymark tiles`: archives that `TileArchive` reads, and messages for invalid requests.
@Suite struct TilesCommandTests {
    private let folder = ScratchFolder()

    init() throws {
        try folder.write(
            """
            {"waymark": 1, "overlays": [
              {"type": "marker", "id": "hall", "position": [1, 2], "captionText": "Hall"},
              {"type": "polygon", "rings": [[[10, 10], [80, 10], [80, 60], [10, 60]]], "fillColor": "#2a6"}]}
            """, "scene.json")
    }

    private func tiles(_ arguments: String...) throws -> Program { try Program.run(["tiles", "scene.json"] + arguments, in: folder) }

    @Test(arguments: ["land.pmtiles", "land.mbtiles", "land"]) func archives(name: String) throws {
        let result = try tiles("-o", name, "--zooms", "0-2", "--attribution", "© Me", "--whole-world")
        #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
        #expect(
            result.errors.hasPrefix("\(name): up to 21 tiles at zooms 0-2, about ") && result.errors.contains(" empty tiles left out; "),
            "\(result.errors)")
        #expect(folder.names == [name, "scene.json"].sorted())
        let source = try TileArchive.open("\(folder.path)/\(name)")
        #expect(source.info == TileSetInfo(minZoom: 0, maxZoom: 2, tileSize: 512, attribution: "© Me", name: "land"))
        // The picture that `render` draws of the same square.
        let picture = try Program.run(
            "render", "scene.json", "--size", "512x512", "--center", "0,0", "--zoom", "0", "-o", "world.png", in: folder)
        #expect(picture.status == 0)
        guard case .encoded(let bytes)? = try source.tile(at: TileAddress(zoom: 0, x: 0, y: 0)) else {
            Issue.record("the tile is missing")
            return
        }
        #expect(try Bitmap(decoding: bytes) == Bitmap(contentsOf: "\(folder.path)/world.png"))
        #expect(try source.tile(at: TileAddress(zoom: 2, x: 0, y: 3)) == nil)
    }

    @Test func formatsSizesAndBackgrounds() throws {
        let result = try tiles(
            "-o", "a", "--zooms", "1", "--tile-size", "256", "--pixel-ratio", "2", "--format", "webp", "--quality", "60", "--background",
            "white", "--whole-world")
        #expect(result.status == 0, "\(result.errors)")
        let source = try TileArchive.open("\(folder.path)/a")
        var info = TileSetInfo(minZoom: 1, maxZoom: 1, tileSize: 256, name: "a")
        info.pixelsPerPoint = 2
        #expect(source.info == info)
        let tile = try Bitmap(contentsOf: "\(folder.path)/a/1/0/1@2x.webp")
        #expect(tile.width == 512 && tile.isOpaque)
        #expect(try tiles("-o", "b.pmtiles", "--zooms", "0", "--format", "jpeg", "--workers", "1").status == 0)
    }

    @Test func whatIsRefused() throws {
        let cases: [([String], Int32, String)] = [
            (["-o", "a.png", "--zooms", "0"], 64, "a.png: the name must end in .pmtiles or .mbtiles, or have no extension (for a folder)"),
            (
                ["-o", "a", "--zooms", "x"], 64,
                "--zooms: \"x\" is neither a zoom (such as 5) nor a range from a lower to a higher zoom (such as 0-6)"
            ),
            (
                ["-o", "a", "--zooms", "3-1"], 64,
                "--zooms: \"3-1\" is neither a zoom (such as 5) nor a range from a lower to a higher zoom (such as 0-6)"
            ),
            (["-o", "a", "--zooms", "0-17"], 64, "--zooms: 17 is outside 0…16"),
            (["-o", "a", "--zooms", "0", "--tile-size", "300"], 64, "--tile-size: 300 is neither 256 nor 512"),
            (["-o", "a", "--zooms", "0", "--pixel-ratio", "9"], 64, "--pixel-ratio: 9 is outside 0.5…8"),
            (["-o", "a", "--zooms", "0", "--format", "rgba"], 64, "--format: \"rgba\" is not one of png, jpeg, webp"),
            (["-o", "a", "--zooms", "0", "--quality", "50"], 64, "--quality: this option applies to JPEG and WebP, not to PNG"),
            (["-o", "a", "--zooms", "0", "--workers", "0"], 64, "--workers: 0 is outside 1…1024"),
            (["-o", "a", "--zooms", "0", "--bounds", "1,2,3,91"], 64, "--bounds: 91.0 is outside -90…90"),
            (
                ["-o", "a", "--zooms", "0", "--bounds", "33,124,39,132"], 64,
                "--bounds: 124.0 is outside -90…90; the order is WEST,SOUTH,EAST,NORTH; for example, 124,33,132,39\n"
            ),
            (["-o", "a", "--zooms", "0", "--bounds", "1,2,3,1"], 64, "--bounds: the south edge, 2.0, is above the north edge, 1.0\n"),
            (
                ["-o", "a", "--zooms", "0", "--bounds", "1,2,3,4", "--whole-world"], 64,
                "--bounds and --whole-world are mutually exclusive"
            ),
            (["-o", "scene.json/a.pmtiles", "--zooms", "0"], 73, "scene.json/a.pmtiles.partial: cannot write the file: Not a directory"),
        ]
        for (arguments, status, message) in cases {
            let result = try Program.run(["tiles", "scene.json"] + arguments, in: folder)
            #expect(result.status == status && result.errors.hasPrefix("error: \(message)"), "\(arguments): \(result.errors)")
        }
        let input = try Program.run("tiles", "-", "-o", "a", "--zooms", "0", "--resume", in: folder)
        #expect(input.status == 64 && input.errors.hasPrefix("error: --resume cannot be used with a scene from standard input"))
        let missing = try Program.run("tiles", "none.json", "-o", "a", "--zooms", "0", in: folder)
        #expect(missing.status == 66)
        #expect(folder.names == ["scene.json"])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/full/1", withIntermediateDirectories: true)
        let full = try tiles("-o", "full", "--zooms", "0")
        #expect(full.status == 64 && full.errors.hasPrefix("error: full: the folder is not empty"))
    }

    @Test func nothingToShow() throws {
        try folder.write(#"{"waymark": 1}"#, "scene.json")
        let result = try tiles("-o", "a.pmtiles", "--zooms", "0-1")
        #expect(
            result.status == 64
                && result.errors
                    == "error: scene.json: no overlay determines the area; choose it with --bounds, or draw everything with --whole-world\n"
        )
        let world = try tiles("-o", "a.pmtiles", "--zooms", "0-1", "--whole-world")
        #expect(world.status == 65 && world.errors.hasSuffix("\nerror: a.pmtiles: the archive has no tiles\n"), "\(world.errors)")
        #expect(world.errors.hasPrefix("a.pmtiles: up to 5 tiles at zooms 0-1, about 0 bytes\n"))
        #expect(folder.names == ["scene.json"])
    }

    /// Without a scene, a base map is drawn in a theme. The area, the zooms and the credits are those of its archive.
    @Test func aBaseMapAlone() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let city = "\(tests)/VectorTilesTests/Fixtures/helsinki.mbtiles"
        func run(_ arguments: String...) throws -> Program { try Program.run(["tiles"] + arguments, in: folder) }
        let done = try run("--basemap", city, "--theme", "dark", "-o", "dark.pmtiles")
        #expect(done.status == 0 && done.errors.hasPrefix("dark.pmtiles: up to 14 tiles at zooms 5-14, about "), "\(done.errors)")
        let (source, archive) = (try TileArchive.open("\(folder.path)/dark.pmtiles"), try TileArchive.open(city))
        #expect(source.info.minZoom == 5 && source.info.maxZoom == 14 && source.info.tileSize == 512)
        #expect(source.info.attribution == archive.info.attribution && source.info.attribution?.isEmpty == false)
        #expect(source.info.bounds == archive.info.bounds)
        // A scene with this base map gives the same tile, unless its theme differs.
        let center = TileAddress(zoom: 14, x: 9327, y: 4741)
        let tile = try #require(try source.tile(at: center))
        try folder.write(#"{"waymark": 1, "theme": "dark", "basemap": "\#(city)"}"#, "city.json")
        let scenes: [(String, [String], Bool)] = [
            ("city.json", [], true), ("city.json", ["--theme", "gray"], false),
            ("scene.json", ["--basemap", city, "--theme", "dark"], true),
        ]
        for (scene, options, isEqual) in scenes {
            let bounds = ["--zooms", "14", "--bounds", "24.9352,60.1642,24.9534,60.1791"]
            if scene == "scene.json" { try folder.write(#"{"waymark": 1}"#, scene) }
            let done = try Program.run(["tiles", scene, "-o", "other.mbtiles"] + options + bounds, in: folder)
            #expect(done.status == 0, "\(done.errors)")
            let other = try TileArchive.open("\(folder.path)/other.mbtiles")
            #expect(try (other.tile(at: center) == tile) == isEqual, "\(scene) \(options)")
            #expect(other.info.attribution == archive.info.attribution)
        }
        let few = try run("--basemap", city, "-o", "few.pmtiles", "--zooms", "5", "--attribution", "© Me")
        #expect(few.status == 0 && few.errors.hasPrefix("few.pmtiles: up to 1 tile at zoom 5"), "\(few.errors)")
        #expect(try TileArchive.open("\(folder.path)/few.pmtiles").info.attribution == "© Me")

        let refused: [([String], Int32, String)] = [
            (["-o", "a.pmtiles"], 64, "name a scene, or a base map with --basemap"),
            (
                ["scene.json", "-o", "a.pmtiles", "--whole-world"], 64,
                "--zooms: this option is required with a scene; for example, use --zooms 0-6"
            ),
            (["--basemap", "none.pmtiles", "-o", "a.pmtiles"], 66, "--basemap: none.pmtiles: cannot read the file"),
            (
                ["--basemap", "dark.pmtiles", "-o", "a.pmtiles", "--theme", "dark"], 64,
                "--theme: a theme applies only to vector tiles, and the base map has none"
            ),
            (
                ["--basemap", "dark.pmtiles", "-o", "dark.pmtiles"], 64,
                "dark.pmtiles: the output would replace this file, which is the base map"
            ),
        ]
        for (arguments, status, message) in refused {
            let result = try Program.run(["tiles"] + arguments, in: folder)
            #expect(result.status == status && result.errors.hasPrefix("error: \(message)"), "\(arguments): \(result.errors)")
        }
    }

    /// The land of a theme does not fill tiles: they can be laid over a map. A background that is stated does.
    @Test func theLandOfAThemeIsLeftOut() throws {
        try folder.write("lat,lng,name\n60,10,A\n-40,100,B\n", "far.csv")
        let overlays = #""overlays": [{"type": "marker", "position": [1, 2]}]"#
        try folder.write(#"{"waymark": 1, "theme": "dark", \#(overlays)}"#, "themed.json")
        try folder.write(#"{"waymark": 1, "theme": "dark", "background": "red", \#(overlays)}"#, "red.json")
        let cases: [(scene: String, options: [String], isFilled: Bool)] = [
            ("far.csv", [], false), ("far.csv", ["--theme", "gray"], false), ("themed.json", [], false),
            ("far.csv", ["--background", "#f5f3ee"], true), ("red.json", [], true),
        ]
        for (scene, options, isFilled) in cases {
            let done = try Program.run(
                ["tiles", scene, "-o", "far.mbtiles", "--zooms", "2", "--whole-world"] + options, in: folder)
            #expect(done.status == 0 && done.errors.contains(" left out") != isFilled, "\(scene) \(options): \(done.errors)")
            let archive = try TileArchive.open("\(folder.path)/far.mbtiles")
            let corner = try archive.tile(at: TileAddress(zoom: 2, x: 0, y: 3))
            #expect((corner != nil) == isFilled, "\(scene) \(options)")
        }
    }

    /// One city is a few tiles, even at high zooms.
    @Test func theExtentOfTheOverlays() throws {
        try folder.write(
            """
            {"waymark": 1, "overlays": [
              {"type": "marker", "position": [126.9784, 37.5670], "captionText": "Hall"},
              {"type": "marker", "position": [127.0590, 37.5126]}]}
            """, "scene.json")
        let result = try tiles("-o", "city.pmtiles", "--zooms", "10-12")
        #expect(result.status == 0, "\(result.errors)")
        let count = try #require(
            result.errors.firstMatch(of: /^city.pmtiles: up to ([0-9]+) tiles at zooms 10-12, about [0-9.]+ (kB|bytes)\n/))
        #expect((3...24).contains(try #require(Int(count.1))), "\(result.errors)")
        let bounds = try TileArchive.open("\(folder.path)/city.pmtiles").info.bounds
        #expect(bounds.west < 126.9784 && bounds.east > 127.0590 && bounds.south < 37.5126 && bounds.north > 37.5670)
        #expect(bounds.east - bounds.west < 0.5 && bounds.north - bounds.south < 0.5, "\(bounds)")
    }

    @Test func chosenBounds() throws {
        let result = try tiles("-o", "a.mbtiles", "--zooms", "3", "--background", "white", "--bounds", "179,-1,-179,1")
        #expect(result.status == 0 && result.errors.hasPrefix("a.mbtiles: up to 4 tiles at zoom 3, about "), "\(result.errors)")
        let source = try TileArchive.open("\(folder.path)/a.mbtiles")
        #expect(source.info.bounds == TileBounds(west: 179, south: -1, east: -179, north: 1))
        for x in 0..<8 {
            for y in 0..<8 {
                let isDrawn = try source.tile(at: TileAddress(zoom: 3, x: x, y: y)) != nil
                #expect(isDrawn == ([0, 7].contains(x) && [3, 4].contains(y)), "\(x)/\(y)")
            }
        }
    }

    @Test func manyTilesNeedAnAnswer() throws {
        let result = try tiles("-o", "a.pmtiles", "--zooms", "10-12", "--whole-world")
        #expect(
            result.status == 64
                && result.errors == "error: 22,020,096 tiles at zooms 10-12 exceed the limit of 100,000; choose fewer zooms, choose "
                    + "a smaller area with --bounds, or add --yes to draw them all\n",
            "\(result.errors)")
        #expect(folder.names == ["scene.json"])
        let many = ["-o", "a.pmtiles", "--zooms", "9", "--tile-size", "256", "--pixel-ratio", "0.5", "--whole-world"]
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [1, 2]}]}"#, "scene.json")
        #expect(try Program.run(["tiles", "scene.json"] + many, in: folder).status == 64)
        let drawn = try Program.run(["tiles", "scene.json", "--yes"] + many, in: folder)
        #expect(drawn.status == 0 && drawn.errors.hasPrefix("a.pmtiles: up to 262,144 tiles at zoom 9, about "), "\(drawn.errors)")
    }

    /// The tiles of a run depend on the extent of the data that a scene names, so an interrupted run of another extent is not continued.
    @Test func resumingAnotherExtent() throws {
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "geojson", "source": "a.geojson"}]}"#, "scene.json")
        try folder.write(#"{"type": "Point", "coordinates": [10, 20]}"#, "a.geojson")
        // The archive cannot be written, so the tiles remain.
        try FileManager.default.createDirectory(atPath: "\(folder.path)/a.pmtiles", withIntermediateDirectories: false)
        #expect(try tiles("-o", "a.pmtiles", "--zooms", "5-6").status == 73)
        #expect(folder.names.contains("a.pmtiles.partial"))
        try folder.write(#"{"type": "Point", "coordinates": [50, 20]}"#, "a.geojson")
        let other = try tiles("-o", "a.pmtiles", "--zooms", "5-6", "--resume")
        #expect(other.status == 64 && other.errors.contains("the interrupted run used another scene or base map; "), "\(other.errors)")
        let others = try tiles("-o", "a.pmtiles", "--zooms", "5-6", "--resume", "--background", "red")
        #expect(others.errors.contains("the interrupted run used another scene or base map or other options; "), "\(others.errors)")
        try folder.write(#"{"type": "Point", "coordinates": [10, 20]}"#, "a.geojson")
        let options = try tiles("-o", "a.pmtiles", "--zooms", "5-6", "--resume", "--background", "red")
        #expect(options.errors.contains("the interrupted run used other options; "), "\(options.errors)")
    }

    /// The tiles of a run without a scene depend on the base map.
    @Test func resumingAnotherBaseMap() throws {
        #expect(try tiles("-o", "small.pmtiles", "--zooms", "0").status == 0)
        #expect(try tiles("-o", "large.pmtiles", "--zooms", "0-2").status == 0)
        try folder.write(folder.read("small.pmtiles"), "base.pmtiles")
        // The archive cannot be written, so the tiles remain.
        try FileManager.default.createDirectory(atPath: "\(folder.path)/a.pmtiles", withIntermediateDirectories: false)
        let arguments = ["tiles", "--basemap", "base.pmtiles", "-o", "a.pmtiles", "--zooms", "0"]
        #expect(try Program.run(arguments, in: folder).status == 73)
        #expect(folder.names.contains("a.pmtiles.partial"))
        try folder.write(folder.read("large.pmtiles"), "base.pmtiles")
        let other = try Program.run(arguments + ["--resume"], in: folder)
        #expect(other.status == 64 && other.errors.contains("the interrupted run used another scene or base map; "), "\(other.errors)")
    }

    /// Only an unfinished run of the same scene with the same options is taken up.
    @Test func resuming() throws {
        try folder.write(Array("Waymark tiles 3\n".utf8) + [UInt8](repeating: 9, count: 16), "a.pmtiles.partial")
        let other = try tiles("-o", "a.pmtiles", "--zooms", "0-1", "--resume")
        #expect(other.status == 64)
        #expect(
            other.errors
                == "error: a.pmtiles.partial: the interrupted run used another scene or base map or other options; "
                + "without --resume, tiles are drawn from the start\n"
        )
        #expect(try tiles("-o", "a.pmtiles", "--zooms", "0-1", "--name", "land").status == 0)
        // Nothing is left to continue.
        let whole = try tiles("-o", "b.pmtiles", "--zooms", "0-1", "--name", "land", "--resume")
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.errors.hasPrefix("b.pmtiles.partial does not exist, so all tiles are drawn\n"), "\(whole.errors)")
        #expect(folder.names == ["a.pmtiles", "b.pmtiles", "scene.json"])
        #expect(try folder.read("a.pmtiles") == folder.read("b.pmtiles"))
    }
}
