import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkSceneFiles
import WaymarkTestSupport

@MainActor @Suite(.serialized) struct JobRendererTests {
    @Test("the picture of a job equals the picture of the patched scene, byte for byte", arguments: Seeds.slow)
    func exactness(seed: UInt64) throws {
        var scenes = RandomScenes(seed: seed)
        let scene = try TestScene(scenes.scene(), files: RandomScenes.files)
        let alone = try scene.expected([:])
        for number in 0..<12 {
            var job = scenes.job(on: scene.tree)
            if scenes.random.once(in: 4), scene.tree.text.contains("geojson"), job["overlays"] == nil {
                // Features are removed by id, too. The plain way cannot do this, so the test checks only that the base is unchanged afterwards.
                job["remove"] = .array((job["remove"]?.elements ?? []) + ["f1", "f4"])
                _ = try? scene.draw(job)
                #expect(try scene.draw([:]) == alone)
                continue
            }
            let expected: [UInt8]
            do {
                expected = try scene.expected(job)
            } catch {
                #expect(throws: Failure.self, "\(job.text)") { try scene.draw(job) }
                continue
            }
            #expect(try scene.draw(job) == expected, "job \(number): \(job.text)\non \(scene.tree.text)")
        }
        #expect(try scene.draw([:]) == alone)
    }

    private static let hall: JSONTree = [
        "waymark": 1, "size": ["width": 96, "height": 96], "camera": ["center": [126.97, 37.56], "zoom": 12],
        "symbols": [["id": "label", "position": [126.96, 37.55], "captionText": "점"]],
        "overlays": [
            ["type": "marker", "id": "hall", "position": ["lat": 37.56, "lng": 126.97], "captionText": "시청"],
            [
                "type": "container", "id": "group",
                "children": [
                    ["type": "marker", "id": "inner", "position": [126.98, 37.56]],
                    ["type": "container", "id": "room", "children": [["type": "marker", "id": "desk", "position": [126.98, 37.55]]]],
                ],
            ],
            ["type": "geojson", "source": "places.geojson"],
        ],
    ]

    @Test(
        "a job that fails reports the reason, and changes nothing else",
        arguments: [
            (#""change": {"hall": {"position": {"lat": 95}}}"#, "change.hall.position.lat: 95 is outside -90…90"),
            (#""change": {"hall": {"captionTxt": "a"}}"#, "change.hall: unknown key \"captionTxt\"; did you mean \"captionText\"?"),
            (#""change": {"a b": {}}"#, "change[\"a b\"]: no overlay has the id \"a b\""),
            (
                #""change": {"hall": {"id": "town"}}"#,
                "change.hall.id: the id of an overlay cannot be changed; remove the overlay and add another"
            ),
            (#""change": {"hall": {"position": null}}"#, "change.hall: missing key \"position\""),
            (#""change": {"f1": {"zIndex": 1}}"#, "change.f1: \"f1\" is a feature of a GeoJSON file; it can be removed, but not changed"),
            (
                #""change": {"label": {}}"#,
                "change.label: no overlay has the id \"label\"; it belongs to a symbol, and a single symbol cannot be changed or removed: set the key \"symbols\", which replaces all of them"
            ), (#""change": {"hall": {"zIndex": 1, "zIndex": 2}}"#, "change.hall: the key \"zIndex\" appears twice"),
            (
                #""change": {"inner": {"zIndex": 1}}, "remove": ["group"]"#,
                "change.inner: \"inner\" is already removed with \"group\", which contained it"
            ),
            (
                #""change": {"group": {"zIndex": 1}, "room": {"children": []}}, "remove": ["desk"]"#,
                "remove[0]: \"desk\" is no longer in \"room\", because this job changed its children"
            ),
            (
                #""change": {"group": {"zIndex": 1}, "desk": {"zIndex": 1}}, "remove": ["room"]"#,
                "change.desk: \"desk\" is already removed with \"room\", which contained it"
            ),
            (
                #""change": {"group": {"children": [{"type": "marker", "id": "hall", "position": [1, 2]}]}}"#,
                "change.group.children[0]: the id \"hall\" is already used by overlays[0] of the base scene"
            ),
            (
                #""change": {"hall": {"type": "geojson"}}"#,
                "change.hall: a geojson overlay adds several overlays, but only one is possible here"
            ),
            (#""remove": ["hall", "town"]"#, "remove[1]: no overlay has the id \"town\""),
            (#""remove": ["hall", "hall"]"#, "remove[1]: \"hall\" occurs more than once among the overlays to change or remove"),
            (#""remove": "hall""#, "remove: expected an array, found the string \"hall\""),
            (#""add": {}"#, "add: expected an array of overlays, found an object"),
            (
                #""add": [{"type": "marker", "position": [1, 2]}, {"type": "marker", "id": "hall", "position": [1, 2]}]"#,
                "add[1]: the id \"hall\" is already used by overlays[0] of the base scene"
            ),
            (
                #""add": [{"type": "marker", "position": [1, 91]}]"#,
                "add[0].position[1]: 91 is outside -90…90; the order is [longitude, latitude]"
            ),
            (#""add": [{"type": "maker"}]"#, "add[0].type: unknown overlay type \"maker\"; did you mean \"marker\"?"),
            (
                #""add": [{"type": "geojson", "source": "none.geojson"}]"#,
                "add[0].source: none.geojson: cannot read the file: No such file or directory"
            ),
            (#""camera": {"zoom": 25}"#, "camera.zoom: 25 is outside 0…24"), (#""size": {"width": null}"#, "size: missing key \"width\""),
            (#""size": {"width": 40000, "height": 40000}"#, "size: 40000 × 40000 device pixels exceed the limit of 999999999"),
            (#""pixelRatio": 9"#, "pixelRatio: 9 is outside 0.5…8"), (#""sizes": 1"#, "unknown key \"sizes\"; did you mean \"size\"?"),
            (
                #""overlays": [{"type": "marker", "position": [1, 91]}]"#,
                "overlays[0].position[1]: 91 is outside -90…90; the order is [longitude, latitude]"
            ),
            (#""waymark": 2"#, "waymark: version 2 is not supported; only version 1 is"),
            (#""images": {"a": "none.png"}"#, "images.a: none.png"),
        ])
    func failures(members: String, message: String) throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let before = try scene.draw([:])
        let line = "{\"id\": \"a\", \"output\": \"a.rgba\", \(members)}"
        let error = #expect(throws: Failure.self) { try scene.jobs.render(BatchJob(line: Array(line.utf8))) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect(try scene.draw([:]) == before)
        #expect(try before == scene.expected([:]))
        #expect(try scene.draw(["remove": ["hall"], "change": ["inner": ["zIndex": 3]]]) == scene.expected(["remove": ["hall"]]))
    }

    @Test(
        "a picture that could not be written or sent back is refused before it is drawn",
        arguments: [
            ("a.jpg", 65_501, 15_000, "output: a.jpg: a picture of 65501 × 15000 pixels cannot be written as JPEG"),
            ("a.webp", 30_000, 30_000, "output: a.webp: a picture of 30000 × 30000 pixels cannot be written as WebP"),
            (
                "a.rgba", 30_000, 30_000,
                "output: a.rgba: the picture has 3600000000 bytes, but at most 1073741824 can be returned; write it to a folder instead"
            ),
        ])
    func tooLarge(output: String, width: Int, height: Int, message: String) throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let line = #"{"id": "a", "output": "\#(output)", "size": {"width": \#(width), "height": \#(height)}}"#
        let error = #expect(throws: Failure.self) { try scene.jobs.render(BatchJob(line: Array(line.utf8))) }
        #expect(error == Failure(.badContent, message))
        #expect(try scene.draw([:]) == scene.expected([:]))
    }

    @Test("features of a source are removed by their ids")
    func features() throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        var without = Self.hall
        without["overlays"] = .array(Self.hall["overlays"]?.elements.dropLast() ?? [])
        let expected = try Drawing.pixels(without, folder: scene.folder.path + "/")
        #expect(try scene.draw(["remove": .array((0..<6).map { .string("f\($0)") })]) == expected)
        #expect(try scene.draw([:]) != expected)
    }

    @Test("an id that is removed may come again, elsewhere too")
    func movedIDs() throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let marker: JSONTree = ["type": "marker", "id": "hall", "position": [126.975, 37.562]]
        var job: JSONTree = ["remove": ["hall"], "add": [marker]]
        #expect(try scene.draw(job) == scene.expected(job))
        job = ["remove": ["hall"], "change": ["group": ["children": [marker]]]]
        var expected = Self.hall
        expected["overlays"] = [["type": "container", "id": "group", "children": [marker]], Self.hall["overlays"]?.elements[2] ?? nil]
        #expect(try scene.draw(job) == Drawing.pixels(expected, folder: scene.folder.path + "/"))
        #expect(try scene.draw([:]) == scene.expected([:]))
    }

    @Test("overlays without ids are changed and removed by their names in the inspection, which get a suffix on conflicts")
    func madeUpIDs() throws {
        let marker: JSONTree = ["type": "marker", "position": [126.975, 37.562]]
        func given(_ id: String) -> JSONTree { ["type": "marker", "id": .string(id), "position": [126.98, 37.57]] }
        let group: JSONTree = ["type": "container", "children": [marker, given("group-1")]]
        let base: JSONTree = [
            "waymark": 1, "size": ["width": 64, "height": 64],
            "overlays": [marker, group, given("marker-0"), given("container-1/marker-0")],
        ]
        let scene = try TestScene(base)
        func expected(_ overlays: [JSONTree]) throws -> [UInt8] {
            var tree = base
            tree["overlays"] = .array(overlays)
            return try Drawing.pixels(tree, folder: scene.folder.path + "/")
        }
        let red: JSONTree = ["type": "marker", "position": [126.975, 37.562], "iconImage": "builtin:red"]
        let overlays = base["overlays"]?.elements ?? []
        #expect(try scene.draw(["change": ["marker-0~2": ["iconImage": "builtin:red"]]]) == expected([red] + overlays.dropFirst()))
        let child = ["container-1/marker-0~2": ["iconImage": "builtin:red"] as JSONTree] as JSONTree
        let changed: JSONTree = ["type": "container", "children": [red, given("group-1")]]
        #expect(try scene.draw(["change": child]) == expected([overlays[0], changed] + overlays.dropFirst(2)))
        // The child of a container that is changed, too, keeps its name.
        let both: JSONTree = ["change": ["container-1": ["zIndex": 1], "container-1/marker-0~2": ["iconImage": "builtin:red"]]]
        let raised: JSONTree = ["type": "container", "zIndex": 1, "children": [red, given("group-1")]]
        #expect(try scene.draw(both) == expected([overlays[0], raised] + overlays.dropFirst(2)))
        #expect(try scene.draw(["remove": ["marker-0~2", "container-1"]]) == expected(Array(overlays.dropFirst(2))))
        // A job may use an id that the base generated.
        let added: JSONTree = ["add": [["type": "marker", "id": "container-1", "position": [126.97, 37.565]]]]
        #expect(try scene.draw(added) == scene.expected(added))
        // Null in a patch of overlays removes one.
        #expect(try scene.draw(["change": ["marker-0": nil]]) == scene.draw(["remove": ["marker-0"]]))
        let null: JSONTree = ["change": ["marker-0": ["angle": nil, "captionText": nil]], "background": nil, "remove": nil]
        #expect(try scene.draw(null) == scene.draw([:]))
    }

    @Test("GeoJSON is a base too: cameras change, and overlays come and go")
    func geoJSON() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RandomScenes.files[0].1, "places.geojson")
        let jobs = JobRenderer(
            base: try BaseScene(contentsOf: path, options: SceneFileOptions()), renderer: try Drawing.shared.get())
        func draw(_ job: String) throws -> [UInt8] { try jobs.render(BatchJob(line: Array(job.utf8))).bytes }
        let file = try SceneFile(contentsOf: path)
        file.mapView.size = CGSize(width: 64, height: 64)
        file.mapView.camera = try file.mapView.camera(fitting: FitOptions(bearing: 30))
        let expected = try Drawing.shared.get().render(file.mapView).bitmap.encoded(as: .rgba)
        let camera = #""size": {"width": 64, "height": 64}, "camera": {"fit": "overlays", "bearing": 30}"#
        #expect(try draw(#"{"id": "a", "output": "a.rgba", \#(camera)}"#) == expected)
        let job =
            #"{"id": "a", "output": "a.rgba", \#(camera), "remove": ["f0"], "#
            + #""add": [{"type": "marker", "id": "f0", "position": [126.97, 37.565]}]}"#
        file.mapView.overlay(withID: "f0")?.mapView = nil
        let marker = Marker(position: LatLng(lat: 37.565, lng: 126.97))
        file.mapView.add(marker)
        file.mapView.camera = try file.mapView.camera(fitting: FitOptions(bearing: 30))
        #expect(try draw(job) == Drawing.shared.get().render(file.mapView).bitmap.encoded(as: .rgba))
        let error = #expect(throws: Failure.self) { try draw(#"{"id": "a", "images": {}}"#) }
        #expect(
            error?.description
                == "images: the base scene is GeoJSON, which cannot have this key; use a scene with the GeoJSON file as a source")
        #expect(throws: Failure.self) { try draw(#"{"id": "a", "change": {"f1": {}}}"#) }
    }

    @Test("a job reports what could not be drawn, and its background")
    func warnings() throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let beyond = #"{"id": "a", "output": "a.jpg", "change": {"hall": {"position": [126.97, 89]}}}"#
        let job = try scene.jobs.render(BatchJob(line: Array(beyond.utf8)))
        #expect(
            job.warnings == [
                "hall: position.lat: not drawn, because the position lies outside the map, which ends at 85.051129° north and south",
                "JPEG has no transparency: the picture is drawn on white; set a background for another color",
            ])
        #expect(job.bytes.starts(with: [0xFF, 0xD8]))
        #expect(job.width == 96 && job.height == 96)
        #expect(job.times.encode > 0 && job.times.draw > 0)
    }

    @Test("warnings of the base are reported once, separately from a job's warnings")
    func baseWarnings() throws {
        let base: JSONTree = [
            "waymark": 1, "size": ["width": 64, "height": 64], "background": "white",
            "camera": ["center": [0, 0], "zoom": 3],
            "overlays": [["type": "marker", "id": "pole", "position": [0, 89]], ["type": "marker", "id": "a", "position": [0, 0]]],
        ]
        func line(_ id: String, _ change: String) -> [UInt8] { Array("{\"id\": \"\(id)\"\(change)}".utf8) }
        let scene = try TestScene(base)
        let beyond = "position.lat: not drawn, because the position lies outside the map, which ends at 85.051129° north and south"
        let first = try scene.jobs.render(BatchJob(line: line("1", "")))
        #expect(first.warnings.isEmpty && first.sceneWarnings == ["pole: \(beyond)"])
        let second = try scene.jobs.render(BatchJob(line: line("2", #", "change": {"a": {"position": [0, 88]}}"#)))
        #expect(second.warnings == ["a: \(beyond)"] && second.sceneWarnings.isEmpty)
        let strict = JobRenderer(
            base: try BaseScene(bytes: base.bytes, name: "base.json", folder: "", options: SceneFileOptions()),
            renderer: try Drawing.shared.get(), isStrict: true)
        let error = #expect(throws: Failure.self) { try strict.render(BatchJob(line: line("3", ""))) }
        #expect(error == Failure(.badContent, "pole: \(beyond)"))
        #expect(try strict.render(BatchJob(line: line("4", #", "remove": ["pole"]"#))).warnings.isEmpty)
    }

    @Test("settings of a base hold where a job says nothing, also for GeoJSON")
    func settingsOfAllJobs() throws {
        let patch = try JSONDocument(
            parsing: Array(#"{"size": {"width": 40, "height": 30}, "pixelRatio": 2, "camera": {"fit": "overlays", "bearing": 30}}"#.utf8))
        let geoJSON = #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [126.97, 37.56]}}"#
        for text in [geoJSON, #"{"waymark": 1, "size": {"width": 9, "height": 9}, "overlays": []}"#] {
            let base = try BaseScene(
                bytes: Array(text.utf8), name: "base", folder: "", options: SceneFileOptions(), settings: patch.root)
            let jobs = JobRenderer(base: base, renderer: try Drawing.shared.get())
            let plain = try jobs.render(BatchJob(line: Array(#"{"id": "a"}"#.utf8)))
            #expect(plain.width == 80 && plain.height == 60)
            let own = try jobs.render(BatchJob(line: Array(#"{"id": "b", "pixelRatio": 1, "size": {"width": 20}}"#.utf8)))
            #expect(own.width == 20 && own.height == 30)
        }
    }

    @Test("the inspection of a job equals the inspection of its patched scene")
    func inspectionOfAJob() throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let change: JSONTree = ["change": ["hall": ["angle": 30]], "camera": ["bearing": 20]]
        var job = change
        job["id"] = "a"
        job["inspect"] = true
        let rendered = try scene.jobs.render(BatchJob(line: job.bytes))
        let file = try SceneFile(bytes: scene.patched(change).bytes, name: "scene", folder: scene.folder.path + "/")
        if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        func tree(_ bytes: [UInt8]) throws -> NSDictionary? { try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary }
        let expected = try tree([UInt8](JSONEncoder().encode(file.mapView.inspection())))
        #expect(try expected != nil && tree(#require(rendered.inspection)) == expected)
        // Written to a file next to the picture, in the program's form.
        let written = try scene.jobs.render(BatchJob(line: job.bytes), into: scene.folder.path + "/out")
        #expect(written.inspection == nil)
        #expect(try tree(scene.folder.read("out/a.json")) == expected)
        #expect(try scene.folder.read("out/a.png") == rendered.bytes)
    }

    @Test("images that jobs bring are let go when they are many, and pictures stay the same")
    func imageBound() throws {
        let scene = try TestScene(Self.hall, files: RandomScenes.files, cacheBytes: 20000)
        for number in 0..<12 {
            let job: JSONTree = ["change": ["hall": ["width": .number(Double(20 + 3 * (number % 7))), "iconTintColor": "#102030"]]]
            #expect(try scene.draw(job) == scene.expected(job))
            let other: JSONTree = ["add": [["type": "marker", "position": [126.96, 37.56], "iconImage": .string(Self.picture(number))]]]
            #expect(try scene.draw(other) == scene.expected(other))
        }
    }

    @Test("warnings about an image are reported only for jobs that show it")
    func imageWarnings() throws {
        let animation = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ImagingTests/Fixtures/animation.webp").path
        let scene = try TestScene(Self.hall, files: RandomScenes.files)
        let plain = #"{"id": "a", "output": "a.rgba"}"#
        let told = #"{"id": "a", "output": "a.rgba", "change": {"hall": {"iconImage": "\#(animation)"}}}"#
        for job in [plain, told, plain, told, told, plain] {
            let warnings = try scene.jobs.render(BatchJob(line: Array(job.utf8))).warnings
            #expect(warnings.count == (job == told ? 1 : 0))
            #expect(warnings.allSatisfy { $0.contains("only the first frame is shown") })
        }
    }

    @Test("damaged jobs fail or are drawn, and change nothing else", arguments: Seeds.slow)
    func hostile(seed: UInt64) throws {
        var scenes = RandomScenes(seed: seed)
        let scene = try TestScene(scenes.scene(), files: RandomScenes.files)
        let alone = try scene.draw([:])
        let words = ["null", "-1", "1e308", "[]", "{}", "\"\"", "true", "\"o1\"", "[[[[]]]]", "\"builtin:red\"", "9007199254740993"]
        for _ in 0..<40 {
            var job = scenes.job(on: scene.tree)
            job["id"] = "a"
            job["output"] = "a.rgba"
            // A value somewhere becomes another one.
            var parts = job.text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let place = scenes.random.integer(0...parts.count - 1)
            if let end = parts[place].firstIndex(where: { ",]}".contains($0) }) {
                parts[place] = " " + scenes.random.one(of: words) + parts[place][end...]
            }
            let line = Array(parts.joined(separator: ":").utf8)
            if let damaged = try? BatchJob(line: line) { _ = try? scene.jobs.render(damaged) }
        }
        #expect(try scene.draw([:]) == alone)
    }

    /// A data URI of 40 × 40 pixels of some color.
    private static func picture(_ number: Int) -> String {
        let color = Color(red: Double(number % 5) / 5, green: 0.5, blue: Double(number % 3) / 3)
        let png = (try? Bitmap(width: 40, height: 40, fill: color).encoded(as: .png)) ?? []
        return "data:image/png;base64,\(Data(png).base64EncodedString())"
    }

    /// Leaves out jobs that decode the whole scene: each has new captions, which fill the renderer's textures up to their limit before memory
    /// stays flat.
    @Test("ten thousand pictures do not increase the memory", .enabled(if: Seeds.isFull))
    func soak() async {
        // In another process: other tests would take and free memory meanwhile.
        await #expect(processExitsWith: .success) { try await MainActor.run { try JobRendererTests.drawTenThousandPictures() } }
    }

    private static func drawTenThousandPictures() throws {
        var scenes = RandomScenes(seed: 7)
        let scene = try TestScene(scenes.scene(), files: RandomScenes.files)
        let jobs = (0..<500).map { _ in
            var job = scenes.job(on: scene.tree)
            for key in ["images", "symbols", "overlays"] { job[key] = nil }
            return job
        }
        var after: [Int] = []
        for _ in 0..<20 {
            for job in jobs { _ = try? scene.draw(job) }
            after.append(residentBytes)
        }
        let drift = (after.last ?? 0) - after[4]
        #expect(drift < 2 << 20, "\(after.map { $0 >> 10 }) KiB")
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var numbers = [CChar](repeating: 0, count: 128)
        guard fgets(&numbers, 128, file) != nil else { return 0 }
        let fields = String(decoding: numbers.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return (Int(fields[1]) ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE)))
    }
}
