import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct MTLTests {
    private let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\n"

    /// The surfaces of faces of materials that this library has.
    private func surfaces(_ library: String, _ names: String...) throws -> (surfaces: [FloatMesh.Surface], warnings: [String]) {
        let faces = names.map { "usemtl \($0)\nf 1/1 2/1 3/1\n" }.joined()
        let file = try model(obj: "mtllib a.mtl\n" + corners + faces, more: ["a.mtl": library])
        #expect(file.mesh.isValid && file.mesh.triangles.count == names.count)
        return (file.mesh.surfaces, file.warnings.map { $0.description.components(separatedBy: "/").last ?? "" })
    }

    /// "A car with 5 materials shows 5 colours."
    @Test func everyMaterialShows() throws {
        let names = ["body", "glass", "tyre", "lamp", "chrome"]
        let library = names.enumerated().map { "newmtl \($1)\nKd 0.\($0) 0.5 0.\(9 - $0)\n" }.joined()
        // Faces of one material are not adjacent; every triangle has vertices that identify it.
        var text = "mtllib car.mtl\n"
        for index in 0..<20 {
            text += "usemtl \(names[index % 5])\nv \(index % 5) 0 0\nv 0 \(index) 0\nv 0 0 1\nf -3 -2 -1\n"
        }
        let mesh = try model(obj: text, more: ["car.mtl": library]).mesh
        #expect(mesh.isValid && mesh.surfaces.map(\.triangles) == [0..<4, 4..<8, 8..<12, 12..<16, 16..<20])
        for (number, surface) in mesh.surfaces.enumerated() {
            #expect(abs(surface.diffuse.red - Double(number) / 10) < 1e-12 && surface.diffuse.green == 0.5)
            for triangle in surface.triangles {
                #expect(mesh.vertices[Int(mesh.triangles[triangle].x)].x == Float(number))
                // In the order of the file.
                #expect(mesh.vertices[Int(mesh.triangles[triangle].y)].z == Float(number + 5 * (triangle - surface.triangles.lowerBound)))
            }
        }
    }

    @Test func materialsThatLookTheSameAreOneSurface() throws {
        let library = "newmtl a\nKd 1 0 0\nnewmtl b\nKd 1 0 0\nnewmtl c\nKd 0 0 1\n"
        #expect(try surfaces(library, "a", "c", "b", "a").surfaces.map(\.triangles) == [0..<3, 3..<4])
        #expect(try surfaces("newmtl w\nKd 1 1 1\n", "w", "w").surfaces.isEmpty)
        #expect(try surfaces(library, "a").surfaces == [FloatMesh.Surface(triangles: 0..<1, diffuse: .red)])
    }

    @Test func coloursAndOpacity() throws {
        func look(_ lines: String) throws -> Color? { try surfaces("newmtl m\n" + lines, "m").surfaces.first?.diffuse }
        #expect(try look("Kd 0.2 0.4 0.6\nd 0.5\nKa 1 1 1\nillum 2\n") == Color(red: 0.2, green: 0.4, blue: 0.6, alpha: 0.5))
        #expect(try look("Tr 0.25\n") == Color(white: 1, alpha: 0.75))
        #expect(try look("Tr 1\nd 0.5\n") == Color(white: 1, alpha: 0.5) && look("d 0.5\nTr 0\n") == Color(white: 1, alpha: 0.5))
        #expect(try look("d -halo 0.5\n") == Color(white: 1, alpha: 0.5) && look("  Kd 0.5\r\n") == Color(white: 0.5))
        #expect(try look("Kd 0 0 0\nnewmtl m\nKd 1 0 0\n") == .black)
        let (found, warnings) = try surfaces("newmtl m\nKd 0 2 0\nnewmtl n\nKd spectral a.rfl\n", "m", "n", "gone", "n")
        #expect(found.map(\.diffuse) == [.green, .white] && found.map(\.triangles) == [0..<1, 1..<4])
        #expect(
            warnings == [
                "a.mtl: line 2: 2 is outside 0…1; 1 is used",
                "a.mtl: line 4: spectral and xyz colors are not supported; the material is drawn white",
                "model.obj: the material \"gone\" does not exist; its faces are drawn white",
            ])
    }

    @Test func texturesStandBesideTheLibrary() throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/cars/maps", withIntermediateDirectories: true)
        try folder.write(png(.red), "cars/maps/red paint.png")
        try folder.write(
            #"newmtl m"# + "\nKd 0.5 0.5 0.5\n" + #"map_Kd -clamp on -s 2 2 1 -o 0.5 -mm 0 1 maps\red paint.png"# + "\n",
            "cars/my materials.mtl")
        try folder.write("mtllib my materials.mtl\n" + corners + "usemtl m\nf 1/1 2/1 3/1\n", "cars/car.obj")
        try folder.write(
            #"{"waymark": 1, "overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "cars/car.obj"}]}"#, "scene.json")
        var options = SceneFileOptions()
        options.resources = .folder(folder.path)
        let scene = try SceneFile(contentsOf: folder.path + "/scene.json", options: options)
        let model = try #require(scene.mapView.overlays.first as? LocalModel)
        let surface = try #require(model.mesh.surfaces.first)
        #expect(surface.diffuse == Color(white: 0.5) && surface.texture?.reuseIdentifier == "cars/maps/red paint.png")
        #expect(scene.warnings.isEmpty)
        // The policy also applies to files that model files name.
        options.resources = .folder(folder.path + "/cars/maps")
        #expect(
            refusal(model: "cars/car.obj", in: folder, options: options) == "cars/car.obj: line 1: this scene is not allowed to read my")
    }

    @Test func whatIsWrong() throws {
        let text = "mtllib a.mtl\n" + corners + "usemtl m\nf 1/1 2/1 3/1\n"
        func problem(_ library: String) throws -> String? {
            let folder = ScratchFolder()
            try folder.write(library, "a.mtl")
            try folder.write(text, "model.obj")
            return refusal(model: "model.obj", in: folder)
        }
        #expect(try problem("newmtl m\nKd 1 x 1\n") == "a.mtl: line 2: expected a number, found \"x\"")
        #expect(try problem("newmtl m\nKd\n") == "a.mtl: line 2: a number is missing")
        #expect(try problem("newmtl m\nmap_Kd -clamp on\n") == "a.mtl: line 2: the map_Kd line names no file")
        #expect(
            try problem("newmtl m\nmap_Kd gone.png\n") == "a.mtl: line 2: gone.png: cannot read the file: No such file or directory")
        #expect(try problem("newmtl m\nmap_Kd a.mtl\n") == "a.mtl: line 2: a.mtl: this is not an image in a known format")
        // Properties before the first material are ignored.
        #expect(try problem("Kd x\n") == nil)
    }

    @Test func withoutItsLibraryAModelIsWhite() throws {
        let folder = ScratchFolder()
        try folder.write("mtllib gone.mtl\n" + corners + "usemtl m\nf 1/1 2/1 3/1\n", "model.obj")
        let file = try ModelFile(contentsOf: folder.path + "/model.obj")
        #expect(file.mesh.isValid && file.mesh.surfaces.isEmpty)
        #expect(
            file.warnings.map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") } == [
                "model.obj: line 1: gone.mtl: cannot read the file: No such file or directory"
            ])
        var options = SceneFileOptions()
        options.resources = .none
        #expect(
            refusal(model: "model.obj", in: folder, options: options) == "model.obj: line 1: this scene is not allowed to read gone.mtl")
    }
}
