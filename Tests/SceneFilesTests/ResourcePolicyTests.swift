import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Every file that a scene can name is read only where the policy allows it.
@Suite struct ResourcePolicyTests {
    /// A folder with a scene's files, a link that leads out of it, and a sibling folder with the same files.
    private let top = ScratchFolder()
    private var inside: String { top.path + "/inside" }

    private static let points = #"{"type": "Point", "coordinates": [0, 0]}"#
    private static let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

    init() throws {
        let pixel = try Bitmap(width: 1, height: 1).encoded(as: .png)
        var triangle = TriangleGLTF()
        let buffer = triangle.bytes
        triangle.buffers = #"[{"byteLength": 42, "uri": "a.bin"}]"#
        for folder in ["inside", "outside"] {
            try FileManager.default.createDirectory(atPath: "\(top.path)/\(folder)", withIntermediateDirectories: false)
            try top.write(pixel, "\(folder)/a.png")
            try top.write(#"{"type": "Feature", "properties": {}, "geometry": \#(Self.points)}"#, "\(folder)/a.geojson")
            try top.write("lat,lng\n1,2\n", "\(folder)/a.csv")
            try top.write(Gzip.deflated(Array("lat,lng\n1,2\n".utf8)), "\(folder)/a.csv.gz")
            try top.write(#"<gpx><wpt lat="1" lon="2"/></gpx>"#, "\(folder)/a.gpx")
            try top.write(#"{"type": "Feature", "properties": {"icon": "a.png"}, "geometry": \#(Self.points)}"#, "\(folder)/icon.geojson")
            try top.write(Self.mesh, "\(folder)/a.obj")
            try top.write("newmtl m\nmap_Kd a.png\n", "\(folder)/a.mtl")
            try top.write(triangle.text, "\(folder)/a.gltf")
            try top.write(buffer, "\(folder)/a.bin")
        }
        try FileManager.default.createSymbolicLink(atPath: inside + "/link", withDestinationPath: top.path + "/outside")
    }

    /// The overlays that name a file, by the name of the file.
    private static let routes: [(file: String, members: String)] =
        [
            ("a.png", #""overlays": [{"type": "marker", "position": [0, 0], "iconImage": "FILE"}]"#),
            ("a.png", #""images": {"a": "FILE"}"#), ("a.png", #""images": {"a": {"path": "FILE"}}"#),
            ("a.png", #""overlays": [{"type": "groundOverlay", "bounds": [0, 0, 1, 1], "image": "FILE"}]"#),
            ("a.png", #""overlays": [{"type": "viewOverlay", "coordinates": [0, 0], "content": {"image": "FILE"}}]"#),
            ("a.png", #""overlays": [{"type": "marker", "position": [0, 0], "iconView": {"stack": [{"image": "FILE"}]}}]"#),
            ("a.png", #""symbols": [{"position": [0, 0], "iconImage": "FILE"}]"#),
            (
                "a.png",
                #""overlays": [{"type": "localModel", "coordinates": [0, 0], "texture": "FILE", "mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]], "textureCoordinates": [[0,0],[1,0],[0,1]]}}]"#
            ),
            (
                "a.png",
                #""overlays": [{"type": "clusterLayer", "markers": [], "theme": [{"densityRange": [2, 9], "style": {"image": "FILE"}}]}]"#
            ),
            ("a.geojson", #""symbols": {"source": "FILE"}"#),
            ("a.geojson", #""overlays": [{"type": "clusterLayer", "source": "FILE"}]"#),
            ("a.obj", #""overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "FILE"}]"#),
            ("a.gltf", #""overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "FILE"}]"#),
        ] + ["a.geojson", "a.csv", "a.csv.gz", "a.gpx"].map { ($0, #""overlays": [{"type": "geojson", "source": "FILE"}]"#) }

    private func problem(_ members: String, _ policy: ResourcePolicy) -> String? {
        var options = SceneFileOptions()
        options.resources = policy
        do throws(SceneError) {
            _ = try SceneFile(bytes: Array("{\"waymark\": 1, \(members)}".utf8), name: "scene.json", folder: inside + "/", options: options)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: routes.indices) func everyRouteAsksThePolicy(number: Int) {
        let route = Self.routes[number]
        func isAllowed(_ file: String, _ policy: ResourcePolicy) -> Bool {
            guard let problem = problem(route.members.replacing("FILE", with: file), policy) else { return true }
            #expect(problem.hasSuffix("this scene is not allowed to read \(file)"), "\(problem)")
            return false
        }
        let inTree = ResourcePolicy.folder(inside)
        for name in [route.file, "./\(route.file)", "\(inside)/\(route.file)", "../inside/\(route.file)"] {
            #expect(!isAllowed(name, .none) && isAllowed(name, inTree) && isAllowed(name, .any), "\(name)")
        }
        for name in [
            "../outside/\(route.file)", "\(top.path)/outside/\(route.file)", "link/\(route.file)", "\(inside)/../outside/\(route.file)",
        ] {
            #expect(!isAllowed(name, .none) && !isAllowed(name, inTree) && isAllowed(name, .any), "\(name)")
        }
        // A folder whose name begins like the tree's name is another folder.
        #expect(!isAllowed("\(inside)/\(route.file)", .folder(top.path + "/ins")))
        // Missing files outside are refused like existing ones.
        #expect(!isAllowed("../outside/gone", inTree))
        #expect(isAllowed(route.file, .folder("/")))
    }

    /// A scene names files by the names of folders only: it cannot find out where they are, or which files are next to them.
    @Test(arguments: routes.indices) func namedFolders(number: Int) {
        let route = Self.routes[number]
        let policy = ResourcePolicy.folders(["shops": inside, "other": top.path + "/outside/"])
        func problem(_ file: String) -> String? { self.problem(route.members.replacing("FILE", with: file), policy) }
        for name in ["shops/\(route.file)", "shops/./\(route.file)", "other/\(route.file)", "shops/../inside/\(route.file)"] {
            #expect(problem(name) == nil, "\(name)")
        }
        for name in [
            route.file, "./shops/\(route.file)", "shop/\(route.file)", "\(inside)/\(route.file)", "shops/../outside/\(route.file)",
            "shops/link/\(route.file)", "shops/../../\(route.file)", "other/../inside/\(route.file)", "../inside/\(route.file)", "shops",
        ] {
            let problem = problem(name) ?? "accepted"
            #expect(
                problem.hasSuffix("this scene is not allowed to read \(name)") && !problem.contains(inside + "/") || name.contains(inside),
                "\(problem)")
        }
        // A missing file outside is refused like an existing one; inside a folder it is missing.
        #expect(problem("shops/../outside/gone")?.hasSuffix("this scene is not allowed to read shops/../outside/gone") == true)
    }

    /// Messages about files in named folders do not reveal the folders' paths.
    @Test func placesOfNamedFoldersStayUnknown() throws {
        try top.write("{", "inside/bad.geojson")
        try top.write("mtllib ../../outside/a.mtl\n" + Self.mesh, "inside/bad.obj")
        try top.write("f 1 2 3\n", "inside/empty.obj")
        try top.write("nothing", "inside/bad.png")
        let model = #""overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "shops/FILE"}]"#
        for members in [
            #""overlays": [{"type": "geojson", "source": "shops/bad.geojson"}]"#,
            #""overlays": [{"type": "marker", "position": [0, 0], "iconImage": "shops/bad.png"}]"#,
            model.replacing("FILE", with: "bad.obj"), model.replacing("FILE", with: "empty.obj"),
        ] {
            let problem = problem(members, .folders(["shops": inside])) ?? "accepted"
            #expect(problem.contains("shops/") && !problem.contains(top.path), "\(problem)")
        }
    }

    @Test func namesOfFolders() {
        for name in ["shops", "a b", "data", "빵집", ".hidden"] { #expect(ResourcePolicy.isFolderName(name), "\(name)") }
        for name in ["", ".", "..", "a/b", "a=b", "data:x", "a\\b", "a\n"] { #expect(!ResourcePolicy.isFolderName(name), "\(name)") }
    }

    /// Files named by files that a scene names.
    @Test func whatOtherFilesNameIsCheckedToo() throws {
        try top.write("mtllib ../outside/a.mtl\n" + Self.mesh, "inside/out.obj")
        try top.write("newmtl m\nmap_Kd ../outside/a.png\n", "inside/out.mtl")
        try top.write("mtllib out.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n", "inside/texture.obj")
        var triangle = TriangleGLTF()
        triangle.buffers = #"[{"byteLength": 42, "uri": "../outside/a.bin"}]"#
        try top.write(triangle.text, "inside/out.gltf")
        let properties = #"{"type": "Feature", "properties": {"icon": "../outside/a.png"}, "geometry": \#(Self.points)}"#
        try top.write(properties, "inside/out.geojson")
        try top.write("lat,lng,icon\n1,2,../outside/a.png\n", "inside/out.csv")
        let model = #""overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "FILE"}]"#
        let template = #""overlays": [{"type": "geojson", "source": "FILE", "marker": {"iconImage": "{icon}"}}]"#
        let routes = [
            (model, "out.obj", "a.mtl"), (model, "texture.obj", "a.png"), (model, "out.gltf", "a.bin"), (template, "out.geojson", "a.png"),
            (template, "out.csv", "a.png"), (template.replacing("geojson", with: "clusterLayer"), "out.csv", "a.png"),
        ]
        for (members, file, named) in routes {
            let members = members.replacing("FILE", with: file)
            #expect(problem(members, .any) == nil)
            let problem = problem(members, .folder(inside)) ?? "accepted"
            #expect(problem.contains("this scene is not allowed to read ../outside/\(named)"), "\(file): \(problem)")
        }
        let allowed = template.replacing("FILE", with: "icon.geojson")
        #expect(problem(allowed, .folder(inside)) == nil && problem(allowed, .any) == nil)
    }

    /// Data inside a scene need no permission.
    @Test func whatIsInTheSceneIsAlwaysAllowed() throws {
        let data = Data(try Bitmap(width: 1, height: 1).encoded(as: .png)).base64EncodedString()
        for image in ["builtin:red", "none", "data:image/png;base64,\(data)"] {
            #expect(problem(#""overlays": [{"type": "marker", "position": [0, 0], "iconImage": "\#(image)"}]"#, .none) == nil)
        }
    }

    /// Jobs read by the policy of the scene that they change.
    @Test func changesOfABaseSceneAskThePolicy() throws {
        for (policy, isAllowed) in [(ResourcePolicy.none, [false, false]), (.folder(inside), [true, false]), (.any, [true, true])] {
            var options = SceneFileOptions()
            options.resources = policy
            let base = try BaseScene(
                bytes: Array(#"{"waymark": 1, "overlays": [{"type": "marker", "id": "m", "position": [0, 0]}]}"#.utf8), name: "base",
                folder: inside + "/", options: options)
            for (file, isAllowed) in zip(["a", "../outside/a"], isAllowed) {
                let jobs = [
                    #"{"change": {"m": {"iconImage": "FILE.png"}}}"#, #"{"add": [{"type": "geojson", "source": "FILE.csv"}]}"#,
                    #"{"symbols": {"source": "FILE.geojson"}}"#, #"{"images": {"x": "FILE.png"}}"#,
                ]
                for job in jobs {
                    let change = try ScenePatch(JSONDocument(parsing: Array(job.replacing("FILE", with: file).utf8)).root, without: [])
                    do throws(SceneError) {
                        _ = try base.change(change)
                        base.takeBack()
                        #expect(isAllowed, "\(policy) \(job)")
                    } catch {
                        #expect(!isAllowed && error.description.contains("this scene is not allowed to read \(file)"), "\(error)")
                    }
                }
            }
        }
    }
}
