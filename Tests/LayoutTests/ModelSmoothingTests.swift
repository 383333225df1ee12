import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ModelSmoothingTests {
    private func normals(_ model: Model) throws -> [SIMD3<Float>] {
        let frame = try MapView.city(model).frame()
        return try #require(frame.meshes.first).vertices.map { SIMD3($0.normalX, $0.normalY, $0.normalZ) }
    }

    @Test func aBoxIsSmoothBeyondItsAngle() throws {
        #expect(try normals(LocalModel()).count == 36)
        let flat = try normals(LocalModel { $0.smoothingAngle = 60 })
        #expect(flat.count == 24 && flat.allSatisfy { abs($0.x) + abs($0.y) + abs($0.z) == 1 })
        let smooth = try normals(LocalModel { $0.smoothingAngle = 120 })
        #expect(smooth.count == 8 && smooth.allSatisfy { abs(abs($0.x) - 0.57735) < 1e-4 && abs(abs($0.z) - 0.57735) < 1e-4 })
    }

    @Test func aRoundTowerOnTheMap() throws {
        // Twelve walls, 30 degrees apart, of a mesh in coordinates, and a roof.
        let (lat, lng, sides) = (37.567, 126.978, 12)
        var mesh: (vertices: [SIMD3<Double>], triangles: [SIMD3<UInt32>]) = ([], [])
        for column in 0..<sides {
            let angle = Double(column) / Double(sides) * 2 * .pi
            for z in [0.0, 30] {
                mesh.vertices.append([lng + 1e-4 * cos(angle) / cos(lat * .pi / 180), lat + 1e-4 * sin(angle), z])
            }
            let (a, b) = (UInt32(2 * column), UInt32(2 * (column + 1) % (2 * sides)))
            mesh.triangles += [[a, b, b + 1], [a, b + 1, a + 1]]
            if column > 1 { mesh.triangles.append([1, a - 1, a + 1]) }
        }
        let model = GeoModel(mesh: GeoMesh(vertices: mesh.vertices, triangles: mesh.triangles))
        model.smoothingAngle = 35
        let frame = try MapView.city(model).frame()
        let vertices = try #require(frame.meshes.first).vertices
        #expect(vertices.count == 3 * sides)
        for vertex in vertices where vertex.normalZ < 0.5 {
            // Straight away from the middle, for the small square that the tower stands on.
            let (length, slack) = ((vertex.x * vertex.x + vertex.y * vertex.y).squareRoot(), Float(1e-4))
            #expect(abs(vertex.normalX - vertex.x / length) < slack && abs(vertex.normalY - vertex.y / length) < slack)
        }
        #expect(vertices.count { $0.normalZ > 0.9999 } == sides)
    }

    @Test func meshesWithNormalsKeepThem() throws {
        let mesh = FloatMesh.plate()
        mesh.normals = [[1, 0, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]]
        let own = try normals(LocalModel(mesh))
        #expect(try normals(LocalModel(mesh) { $0.smoothingAngle = 180 }) == own)
    }

    @Test func aMeshIsPreparedOnceForEachAngle() throws {
        let mesh = FloatMesh.box()
        let models = (0..<10).map { _ in LocalModel(mesh) }
        let map = MapView.city()
        map.add(models)
        let composer = Composer.of(map)
        #expect(try map.frame().meshes.count == 1)
        for model in models[..<5] { model.smoothingAngle = 100 }
        #expect(try map.frame().meshes.count == 2)
        #expect(composer.statistics.meshPreparations == 2)
        map.camera.bearing = 40
        _ = try map.frame()
        #expect(composer.statistics.meshPreparations == 2)
        for model in models { model.smoothingAngle = 0 }
        #expect(try map.frame().meshes.count == 1)
    }

    @Test(arguments: [-1, 180.5, .nan, .infinity]) func anglesThatCannotBe(angle: Double) throws {
        let model = LocalModel(id: "box") { $0.smoothingAngle = angle }
        let frame = try MapView.city(model).frame()
        #expect(frame.meshes.isEmpty)
        #expect(model.firstProblem()?.path == "smoothingAngle")
    }
}
