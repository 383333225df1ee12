import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Which faces of models are drawn.
@Suite struct ModelFaceTests {
    private func faces(_ model: LocalModel, zoom: Double = 17) throws -> [VisibleFaces] {
        try MapView.city(model, zoom: zoom).frame().meshInstances.map(\.faces)
    }

    @Test func bothUnlessTheModelOrItsSurfaceSaysOtherwise() throws {
        for (surface, model, expected) in [
            (nil, nil, VisibleFaces.all), (nil, true, .all), (nil, false, .front), (true, nil, .all), (true, false, .front),
            (false, nil, .front),
            (false, true, .all),
        ] as [(Bool?, Bool?, VisibleFaces)] {
            let mesh = FloatMesh.box()
            if let surface { mesh.surfaces = [.init(triangles: 0..<12, isDoubleSided: surface)] }
            #expect(try faces(LocalModel(mesh) { $0.isDoubleSided = model }) == [expected])
        }
        let mesh = FloatMesh.box()
        mesh.surfaces = [.init(triangles: 0..<4, isDoubleSided: false), .init(triangles: 4..<12, diffuse: .red)]
        #expect(try faces(LocalModel(mesh)) == [.front, .all])
        // Regardless of its appearance and of the camera.
        #expect(try faces(LocalModel { ($0.isDoubleSided, $0.alpha) = (false, 0.5) }) == [.front])
        #expect(try faces(LocalModel { ($0.isDoubleSided, $0.scale) = (false, 20) }, zoom: 18) == [.front])
    }

    @Test func aChangeShowsInTheNextFrame() throws {
        let model = LocalModel()
        let map = MapView.city(model)
        let key = try map.frame().meshes[0].key
        model.isDoubleSided = false
        var frame = try map.frame()
        #expect(frame.meshInstances.map(\.faces) == [.front] && frame.meshes.map(\.key) == [key])
        model.isDoubleSided = nil
        frame = try map.frame()
        #expect(frame.meshInstances.map(\.faces) == [.all])
    }

    /// The front of a triangle is determined by its winding: where normals point the other way, the frame's mesh is reversed, so that its
    /// back faces are the fronts.
    @Test func frontsGoByTheWindingWhateverNormalsSay() throws {
        func model(_ mesh: FloatMesh) -> LocalModel {
            mesh.normals = mesh.vertices.map { ($0 - [0, 0, 5]) * 3 }
            return LocalModel(mesh) { $0.isDoubleSided = false }
        }
        #expect(try faces(model(.box())) == [.front])
        #expect(try faces(model(.box(isInsideOut: true))) == [.back])
        let mixed = FloatMesh.box()
        for index in [1, 5, 6] { mixed.triangles[index] = [mixed.triangles[index].x, mixed.triangles[index].z, mixed.triangles[index].y] }
        let map = MapView.city(model(mixed))
        var frame = try map.frame()
        #expect(frame.meshInstances.map(\.faces) == [.front, .back] && !frame.meshInstances[1].isJoined)
        #expect(frame.meshes.map { $0.indices.count } == [27, 9])
        #expect(
            frame.meshes[1].indices
                == [1, 5, 6].flatMap { (number: Int) -> [UInt32] in
                    let triangle = mixed.triangles[number]
                    return [triangle.x, triangle.z, triangle.y]
                })
        for case let model as LocalModel in map.overlays { model.alpha = 0.5 }
        frame = try map.frame()
        #expect(frame.meshInstances.map(\.isJoined) == [false, true])
        for case let model as LocalModel in map.overlays { model.isDoubleSided = nil }
        frame = try map.frame()
        #expect(frame.meshInstances.map(\.faces) == [.all] && frame.meshes.map { $0.indices.count } == [36])
    }

    @Test func piecesOfLargeMeshesKeepTheirFaces() throws {
        let map = MapView.city(
            LocalModel(.plate(10)) { ($0.scale, $0.isDoubleSided) = (10_000, false) },
            LocalModel(.plate(10)) { $0.scale = 10_000 }, zoom: 20, tilt: 0)
        #expect(try map.frame().meshInstances.map(\.faces) == [.front, .all])
    }
}
