import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Models in scenes.
@Suite struct ModelSceneTests {
    private let mesh = #""mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}"#

    private func scene(_ overlays: String, more: String = "", folder: String = "") throws(SceneError) -> SceneFile {
        let text = #"{"waymark": 1\#(more), "overlays": [\#(overlays)]}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder)
    }

    /// The error for one overlay that is refused.
    private func refusal(_ text: String, folder: ScratchFolder? = nil) -> String? {
        do throws(SceneError) {
            _ = try scene(text, folder: folder.map { $0.path + "/" } ?? "")
            return nil
        } catch {
            let text = error.description.replacingOccurrences(of: "scene.json: overlays[0]", with: "")
            return folder.map { text.replacingOccurrences(of: $0.path + "/", with: "") } ?? text
        }
    }

    private func refusal(local: String) -> String? {
        refusal(#"{"type": "localModel", "coordinates": [0, 0], \#(mesh), \#(local)}"#)
    }

    private func refusal(mesh: String) -> String? {
        refusal(#"{"type": "localModel", "coordinates": [0, 0], "mesh": {\#(mesh)}}"#)
    }

    @Test func everyKeyOfALocalModel() throws {
        let file = try scene(
            """
            {"type": "localModel", "id": "car", "coordinates": [126.9784, 37.5666, 7], "altitude": 3, "scale": 2.5, "pitch": 10, "roll": -20,
            "yaw": 370, "isAutoscaled": true, "isDoubleSided": false, "smoothingAngle": 30.5, "alpha": 0.5, "texture": "builtin:red", "material": {"diffuse": "#ff000080", "ambient": "gray", "alphaCutoff": 0.25},
            "textureSampler": {"wrapU": "clampToEdge", "wrapV": "mirroredRepeat", "magFilter": "nearest", "minFilter": "nearest", "mipmapFilter": "none"},
            "lights": [{"direction": [0, 0.5, -1]}, {"direction": [1, 0, 0], "color": "red", "intensity": 0.25}],
            "mesh": {"vertices": [[0, 0, 0], [1.5, 0, 0], [0, 1e3, 0], [-1, -1, 2]], "textureCoordinates": [[0, 0], [1, 0], [0, 1], [2, -1]],
            "triangles": [[0, 1, 2], [3, 2, 1.0]], "normals": [[0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 0, 0]],
            "colors": ["red", "#00ff0080", "white", "#ABC"]},
            "zIndex": 3, "globalZIndex": -7, "isHidden": true, "minZoom": 2, "maxZoom": 20, "tag": 8, "mapLayerType": "road"}
            """, more: #", "modelSamples": 1"#)
        let model = try #require(file.mapView.overlays.first as? LocalModel)
        #expect(model.id == "car" && model.coordinates == LatLng(lat: 37.5666, lng: 126.9784, altitude: 7) && model.altitude == 3)
        #expect(model.scale == 2.5 && model.pitch == 10 && model.roll == -20 && model.yaw == 370 && model.isAutoscaled)
        #expect(model.alpha == 0.5 && model.isDoubleSided == false && model.smoothingAngle == 30.5 && model.texture == MarkerImage.red)
        #expect(model.material.diffuse == Color(css: "#ff000080") && model.material.ambient == Color(css: "gray"))
        #expect(model.material.alphaCutoff == 0.25)
        #expect(
            model.textureSampler
                == TextureSampler(
                    wrapU: .clampToEdge, wrapV: .mirroredRepeat, magFilter: .nearest, minFilter: .nearest, mipmapFilter: .none))
        #expect(model.mesh.colors == ["red", "#00ff0080", "white", "#ABC"].compactMap { Color(css: $0) })
        #expect(model.lights.map(\.direction) == [SIMD3(0, 0.5, -1), SIMD3(1, 0, 0)])
        #expect(model.lights.map(\.color) == [.white, .red] && model.lights.map(\.intensity) == [1, 0.25])
        #expect(model.mesh.vertices == [[0, 0, 0], [1.5, 0, 0], [0, 1000, 0], [-1, -1, 2]])
        #expect(
            model.mesh.textureCoordinates == [[0, 0], [1, 0], [0, 1], [2, -1]] && model.mesh.triangles == [[0, 1, 2], [3, 2, 1]])
        #expect(model.mesh.normals == [[0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 0, 0]] && model.firstProblem() == nil)
        #expect(model.zIndex == 3 && model.globalZIndex == -7 && model.isHidden && model.minZoom == 2 && model.maxZoom == 20)
        #expect(model.tag == 8 && model.mapLayerType == .road && file.mapView.modelSamples == 1)
    }

    @Test func geoModelsAndDefaults() throws {
        let file = try scene(
            """
            {"type": "geoModel", "mesh": {"vertices": [[-123.133392, 49.265275, 0], [540, 90, 1250.5], [0, -90, -3]], "triangles": [[0, 1, 2]]},
            "lights": [{"direction": [0, 0, -1]}]}, {"type": "localModel", "coordinates": {"lat": 1, "lng": 2}, \(mesh)},
            {"type": "container", "children": [{"type": "geoModel", "mesh": {"vertices": [[0, 0, 0]], "triangles": [[0, 0, 0]]}}]}
            """)
        let overlays = file.mapView.overlays
        let geo = try #require(overlays[0] as? GeoModel)
        #expect(geo.mesh.vertices == [[-123.133392, 49.265275, 0], [540, 90, 1250.5], [0, -90, -3]] && geo.lights.count == 1)
        #expect(geo.id == "geoModel-0" && geo.material == Material() && geo.alpha == 1 && geo.texture == nil && geo.firstProblem() == nil)
        let local = try #require(overlays[1] as? LocalModel)
        #expect(local.id == "localModel-1" && local.scale == 1 && local.lights.isEmpty && local.mesh.normals.isEmpty)
        #expect((overlays[2] as? Container)?.children.map(\.id) == ["container-2/geoModel-0"] && file.mapView.modelSamples == 4)
    }

    @Test func whatCannotBeIsRefused() {
        #expect(refusal(#"{"type": "localModel", \#(mesh)}"#) == ": missing key \"coordinates\"")
        #expect(refusal(#"{"type": "localModel", "coordinates": [0, 0]}"#) == ": missing key \"mesh\" or \"model\"")
        #expect(refusal(local: #""model": "car.glb""#) == ".model: mesh and model are mutually exclusive")
        #expect(refusal(#"{"type": "geoModel"}"#) == ": missing key \"mesh\"")
        #expect(
            refusal(#"{"type": "geoModel", "model": "car.glb"}"#)
                == ".model: the vertices of model files are in meters, not coordinates; use a localModel, or give a mesh")
        #expect(refusal(local: #""scale": 0"#) == ".scale: the value must be above 0 and at most 1000000000, not 0")
        #expect(refusal(local: #""scale": -1"#) == ".scale: the value must be above 0 and at most 1000000000, not -1")
        #expect(refusal(local: #""alpha": 1.5"#) == ".alpha: 1.5 is outside 0…1")
        #expect(refusal(local: #""smoothingAngle": 181"#) == ".smoothingAngle: 181 is outside 0…180")
        #expect(refusal(local: #""pich": 1"#) == ": unknown key \"pich\"; did you mean \"pitch\"?")
        #expect(refusal(local: #""material": {"difuse": "red"}"#) == ".material: unknown key \"difuse\"; did you mean \"diffuse\"?")
        #expect(refusal(local: #""material": {"ambient": 1}"#) == ".material.ambient: expected a string, found 1")
        #expect(refusal(local: #""material": {"alphaCutoff": 2}"#) == ".material.alphaCutoff: 2 is outside 0…1")
        #expect(
            refusal(local: #""textureSampler": {"wrapU": "clamp"}"#)?.hasPrefix(".textureSampler.wrapU: unknown name \"clamp\"; ") == true)
        #expect(refusal(local: #""textureSampler": "nearest""#) == ".textureSampler: expected an object, found the string \"nearest\"")
        let light = #"{"direction": [0, 0, -1]}"#
        let nine = Array(repeating: light, count: 9).joined(separator: ", ")
        #expect(refusal(local: "\"lights\": [\(nine)]") == ".lights: a model may have at most 8 lights, not 9")
        #expect(refusal(local: #""lights": {}"#) == ".lights: expected an array, found an object")
        #expect(refusal(local: #""lights": [{}]"#) == ".lights[0]: missing key \"direction\"")
        #expect(refusal(local: #""lights": [{"direction": [0, 0, 0]}]"#) == ".lights[0].direction: [0, 0, 0] has no direction")
        #expect(refusal(local: #""lights": [{"direction": [0, 1]}]"#) == ".lights[0].direction: expected 3 elements, found 2")
        #expect(
            refusal(local: #""lights": [{"direction": [0, 0, -1], "intensity": -1}]"#) == ".lights[0].intensity: -1 is outside 0…1000000")
        let file = { (samples: String) -> String? in
            do throws(SceneError) {
                _ = try self.scene("", more: #", "modelSamples": \#(samples)"#)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(file("2") == "scene.json: modelSamples: 2 is neither 1 nor 4" && file("4") == nil)
        #expect(file("true") == "scene.json: modelSamples: expected a whole number, found true")
    }

    @Test func meshesThatCannotBe() {
        let vertices = #""vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"#
        let triangles = #""triangles": [[0, 1, 2]]"#
        #expect(refusal(mesh: triangles) == ".mesh: missing key \"vertices\"")
        #expect(refusal(mesh: vertices) == ".mesh: missing key \"triangles\"")
        #expect(refusal(mesh: #""vertices": [], "triangles": []"#) == ".mesh.vertices: expected at least one vertex")
        #expect(refusal(mesh: vertices + #", "triangles": []"#) == ".mesh.triangles: expected at least one triangle")
        #expect(refusal(mesh: vertices + #", "triangles": [[0, 1, 2], [0, 3, 1]]"#) == ".mesh.triangles[1][1]: 3 is outside 0…2")
        #expect(refusal(mesh: vertices + #", "triangles": [[0, 1, -1]]"#) == ".mesh.triangles[0][2]: -1 is outside 0…2")
        #expect(refusal(mesh: vertices + #", "triangles": [[0, 1, 0.5]]"#) == ".mesh.triangles[0][2]: expected a whole number, found 0.5")
        #expect(refusal(mesh: vertices + #", "triangles": [[0, 1]]"#) == ".mesh.triangles[0]: expected 3 elements, found 2")
        #expect(refusal(mesh: vertices + #", "triangles": [0, 1, 2]"#) == ".mesh.triangles[0]: expected an array, found 0")
        #expect(
            refusal(mesh: #""vertices": [[0, 0, 1e38]], "triangles": [[0, 0, 0]]"#)
                == ".mesh.vertices[0][2]: 1e+38 is outside -1000000000…1000000000")
        #expect(
            refusal(mesh: #""vertices": [[0, 0, "1"]], "triangles": []"#)
                == ".mesh.vertices[0][2]: expected a number, found the string \"1\"")
        #expect(refusal(mesh: #""vertices": [[0, 0]], "triangles": []"#) == ".mesh.vertices[0]: expected 3 elements, found 2")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "textureCoordinates": [[0, 0]]"#)
                == ".mesh.textureCoordinates: expected 3 elements, one for each vertex, found 1")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "textureCoordinates": [[0, 0, 0]]"#)
                == ".mesh.textureCoordinates[0]: expected 2 elements, found 3")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "normals": [[0, 0, 1], [0, 0, 1]]"#)
                == ".mesh.normals: expected 3 elements, one for each vertex, found 2")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "normals": [[0, 0, 1], [0, 0, 0], [0, 0, 1]]"#)
                == ".mesh.normals[1]: the normal has length 0 and thus no direction")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "colors": ["red"]"#)
                == ".mesh.colors: expected 3 elements, one for each vertex, found 1")
        #expect(
            refusal(mesh: vertices + ", " + triangles + #", "colors": ["red", "blue", "rde"]"#)
                == ".mesh.colors[2]: the string \"rde\" is not a CSS color such as \"#3388ff80\" or \"red\"")
        #expect(
            refusal(#"{"type": "geoModel", "mesh": {"vertices": [[0, 95, 0]], "triangles": [[0, 0, 0]]}}"#)
                == ".mesh.vertices[0][1]: 95 is outside -90…90")
        #expect(
            refusal(#"{"type": "geoModel", "mesh": {"vertices": [[0, 5, -2e6]], "triangles": [[0, 0, 0]]}}"#)
                == ".mesh.vertices[0][2]: -2000000 is outside -1000000…1000000000")
    }

    private let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n"

    @Test func oneFileIsReadOnce() throws {
        let folder = ScratchFolder()
        try folder.write(obj + "usemtl gone\nf 1 2 3\n", "car.obj")
        let car = #"{"type": "localModel", "coordinates": [0, 0], "model": "car.obj"}"#
        let file = try scene("\(car), \(car), {\"type\": \"container\", \"children\": [\(car)]}", folder: folder.path + "/")
        let models = file.mapView.overlays.flatMap { ($0 as? Container)?.children ?? [$0] }.compactMap { $0 as? LocalModel }
        #expect(models.count == 3 && models.allSatisfy { $0.mesh === models[0].mesh } && models[0].mesh.triangles.count == 2)
        #expect(file.warnings.map(\.description) == ["car.obj: the material \"gone\" does not exist; its faces are drawn white"])
    }

    @Test func filesThatCannotBe() throws {
        let folder = ScratchFolder()
        try folder.write("v 0 0 0\nf 1 2 3\n", "broken.obj")
        try folder.write("solid\n", "car.stl")
        func problem(_ name: String) -> String? {
            refusal(#"{"type": "localModel", "coordinates": [0, 0], "model": "\#(name)"}"#, folder: folder)
        }
        #expect(problem("broken.obj") == ".model: broken.obj: line 2: vertex 2 does not exist; only 1 precede this line")
        #expect(problem("gone.obj") == ".model: gone.obj: cannot read the file: No such file or directory")
        #expect(problem("car.stl") == ".model: car.stl: the file name has no known model extension (obj, glb, gltf)")
        #expect(problem("") == ".model: a model's path is empty")
        // Missing files are distinguished from invalid ones.
        func isUnreadable(_ name: String) -> Bool {
            do throws(SceneError) {
                _ = try scene(#"{"type": "localModel", "coordinates": [0, 0], "model": "\#(name)"}"#, folder: folder.path + "/")
                return false
            } catch {
                if case .unreadable = error { return true }
                return false
            }
        }
        #expect(isUnreadable("gone.obj") && !isUnreadable("broken.obj") && !isUnreadable("car.stl"))
    }

    @Test func aSceneReadsOnlyWhatItMay() throws {
        let folder = ScratchFolder()
        try folder.write(obj, "car.obj")
        let text = #"{"waymark": 1, "overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "car.obj"}]}"#
        for (policy, isAllowed) in [(ResourcePolicy.none, false), (.folder(folder.path), true), (.folder("/usr"), false), (.any, true)] {
            var options = SceneFileOptions()
            options.resources = policy
            do throws(SceneError) {
                _ = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/", options: options)
                #expect(isAllowed)
            } catch {
                #expect(!isAllowed && error.description == "scene.json: overlays[0].model: this scene is not allowed to read car.obj")
            }
        }
    }
}
