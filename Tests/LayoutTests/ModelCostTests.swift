import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ModelCostTests {
    @Test func aThousandModelsAreOneMesh() throws {
        let mesh = FloatMesh.box()
        let map = MapView.city(zoom: 15)
        for index in 0..<1000 {
            map.add(
                LocalModel(mesh) {
                    $0.coordinates?.lat += Double(index % 40) * 1e-4
                    $0.coordinates?.lng += Double(index / 40) * 1e-4
                    $0.yaw = Double(index)
                })
        }
        let composer = Composer.of(map)
        let key = try #require(map.frame().meshes.first).key
        #expect(composer.statistics.meshPreparations == 1)
        let refreshed = composer.statistics.refreshedOverlays
        for step in 0..<20 {
            map.camera.bearing = Double(step) * 7
            map.camera.zoom = 14 + Double(step) / 10
            let frame = try map.frame()
            #expect(frame.meshes.map(\.key) == [key])
            #expect(frame.commands.count == 3)
        }
        #expect(composer.statistics.meshPreparations == 1)
        #expect(composer.statistics.refreshedOverlays == refreshed)
        // Lights, colors and positions prepare no mesh.
        let light = DirectionalLight(direction: [1, 0, -1])
        for case let model as LocalModel in map.overlays {
            model.addLight(light)
            model.scale = 2
            model.material.diffuse = .red
        }
        _ = try map.frame()
        #expect(composer.statistics.meshPreparations == 1)
        // Another map shares the prepared mesh.
        let other = MapView.city(LocalModel(mesh))
        #expect(try other.frame().meshes.map(\.key) == [key])
        #expect(Composer.of(other).statistics.meshPreparations == 0)
        mesh.vertices[0].z = -1
        #expect(try map.frame().meshes.map(\.key) != [key])
        #expect(composer.statistics.meshPreparations == 2)
    }

    @Test func geoMeshesAreMadeOnceForEachAltitude() throws {
        let mesh = GeoMesh.square(37.567, 126.978, 0.001)
        let models = (0..<10).map { _ in GeoModel(mesh: mesh) }
        let map = MapView.city()
        map.add(models)
        let composer = Composer.of(map)
        _ = try map.frame()
        #expect(composer.statistics.meshPreparations == 1)
        models[3].altitude = 7
        models[4].altitude = 7
        #expect(try map.frame().meshes.count == 2)
        #expect(composer.statistics.meshPreparations == 2)
    }

    @Test func largeMeshesAreCutOnceForEachZoomLevelAndCell() throws {
        let map = MapView.city(GeoModel(mesh: .square(37.567, 126.978, 10)), zoom: 18.2, tilt: 60)
        let composer = Composer.of(map)
        let first = try map.frame()
        #expect(composer.statistics.meshCuts == 1)
        for step in 0..<30 {
            map.camera.zoom = 18 + Double(step) / 31
            map.camera.bearing = Double(step) * 10
            map.camera.center.lng += 1e-5
            #expect(try map.frame().meshes.map(\.key) == first.meshes.map(\.key))
        }
        #expect(composer.statistics.meshCuts == 1)
        map.camera.zoom = 19
        _ = try map.frame()
        #expect(composer.statistics.meshCuts == 2)
        map.camera.center.lng += 1
        let moved = try map.frame()
        #expect(composer.statistics.meshCuts == 3)
        #expect(moved.meshInstances.count == 1)
        #expect(composer.statistics.meshPreparations == 1)
    }
}
