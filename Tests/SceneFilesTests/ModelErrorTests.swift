import Foundation
import Testing
import WaymarkSceneFiles
import WaymarkTestSupport

/// An error in a model file is reported with the scene and the key path that name the file.
@Suite struct ModelErrorTests {
    private let folder = ScratchFolder()

    private func fault(_ model: String, in scene: String = "scene.json") throws -> String {
        let text = """
            {"waymark": 1, "overlays": [{"type": "container", "children": [
            {"type": "localModel", "coordinates": [0, 0], "model": "\(model)"}]}]}
            """
        let path = try folder.write(text, scene)
        let error = #expect(throws: SceneError.self) { try SceneFile(contentsOf: path) }
        return error?.description.replacingOccurrences(of: folder.path + "/", with: "") ?? ""
    }

    private let place = "overlays[0].children[0].model: "

    @Test func objAndGLB() throws {
        try folder.write("v 0 0 0\nf 1 2 3\n", "broken.obj")
        try folder.write("glTF", "cut.glb")
        #expect(try fault("broken.obj") == "scene.json: \(place)broken.obj: line 2: vertex 2 does not exist; only 1 precede this line")
        #expect(try fault("cut.glb") == "scene.json: \(place)cut.glb: byte 4: the file ends before its first chunk")
        #expect(try fault("gone.glb") == "scene.json: \(place)gone.glb: cannot read the file: No such file or directory")
        // Once more from the beginning, since a file that could not be read is not kept.
        #expect(try fault("broken.obj").hasPrefix("scene.json: \(place)broken.obj: "))
    }

    /// The file is named as the scene names it, and so is one that it names itself.
    @Test func inOtherFolders() throws {
        for name in ["scenes", "scenes/cars"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try folder.write("newmtl m\nKd 1 x 1\n", "scenes/cars/paint.mtl")
        try folder.write("mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n", "scenes/cars/car.obj")
        let fault = try fault("cars/car.obj", in: "scenes/scene.json")
        #expect(fault.hasPrefix("scenes/scene.json: \(place)cars/paint.mtl: line 2: "), "\(fault)")
    }
}
