import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// After many edits, a map gives the same frame as a new map with the same contents.
@Suite struct ModelEditTests {
    private static let images = [
        OverlayImage(bitmap: Bitmap(width: 2, height: 2, fill: .red), reuseIdentifier: "opaque"),
        OverlayImage(bitmap: Bitmap(width: 2, height: 2, fill: .clear), reuseIdentifier: "clear"),
        OverlayImage(path: "/nonexistent/skin.png"),
    ]

    private func edit(_ model: Model, _ lights: [DirectionalLight], _ random: inout SplitMix64) {
        switch random.integer(0...13) {
        case 0: model.zIndex = random.integer(-2...2)
        case 1: model.globalZIndex = random.one(of: [Model.defaultGlobalZIndex, -300_000, 500_000])
        case 2: model.isHidden.toggle()
        case 3: model.altitude = random.one(of: [0, 0, 30, -1])
        case 4: model.alpha = random.one(of: [1, 0.5, 0, 2])
        case 5: model.material.diffuse = random.one(of: [nil, .red, Color(white: 0.5, alpha: 0.5)])
        case 6: model.texture = random.once(in: 3) ? nil : random.one(of: Self.images)
        case 7: _ = model.addLight(random.one(of: lights))
        case 8: model.removeLight(random.one(of: lights))
        case 9: random.one(of: lights).intensity = random.number(0...2)
        case 10: model.minZoom = random.one(of: [0, 0, 17])
        case 11: model.mapLayerType = random.one(of: MapLayerType.allCases)
        default:
            if let model = model as? LocalModel {
                switch random.integer(0...6) {
                case 0: model.coordinates?.lat = random.one(of: [37.567, 37.5675, 88])
                case 1: model.scale = random.one(of: [1, 3, 0])
                case 2: model.yaw = random.number(0...360)
                case 3: model.pitch = random.one(of: [0, 20])
                case 4: model.isAutoscaled.toggle()
                case 5: model.mesh.vertices[0].z = Float(random.number(-5...5))
                default:
                    let count = model.mesh.triangles.count
                    model.mesh.surfaces = random.once(in: 2) ? [] : [.init(triangles: 0..<2, diffuse: .blue), .init(triangles: 2..<count)]
                }
            } else if let model = model as? GeoModel {
                model.mesh.vertices[0].z = random.number(0...20)
                if random.once(in: 3) { model.mesh.vertices[1].x = random.one(of: [126.979, 130]) }
            }
        }
    }

    private func twin(_ model: Model) -> Model {
        let twin: Model
        if let local = model as? LocalModel {
            let mesh = FloatMesh(
                vertices: local.mesh.vertices, textureCoordinates: local.mesh.textureCoordinates, triangles: local.mesh.triangles)
            mesh.surfaces = local.mesh.surfaces
            let copy = LocalModel(mesh: mesh, coordinates: local.coordinates ?? .city)
            (copy.scale, copy.yaw, copy.pitch, copy.isAutoscaled) = (local.scale, local.yaw, local.pitch, local.isAutoscaled)
            twin = copy
        } else {
            let shape = model.shape
            twin = GeoModel(mesh: GeoMesh(vertices: (shape as? GeoMesh)?.vertices ?? [], triangles: shape.triangles))
        }
        twin.copyProperties(of: model)
        (twin.texture, twin.material, twin.alpha) = (model.texture, model.material, model.alpha)
        for light in model.lights { _ = twin.addLight(light) }
        return twin
    }

    @Test(arguments: Seeds.all) func afterRandomEditsTheFrameEqualsThatOfANewMap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lights = (0..<3).map { DirectionalLight(direction: [Double($0), 1, -1]) }
        let meshes = [FloatMesh.box(), .plate(20), .random(&random, triangles: 5, reach: 20)]
        var models: [Model] = []
        let map = MapView.city(zoom: 16.5)
        for index in 0..<8 {
            let model: Model = index < 6 ? LocalModel(random.one(of: meshes)) : GeoModel(mesh: .square(37.567, 126.978, 0.001))
            models.append(model)
            map.add(model)
        }
        for _ in 0..<25 {
            for _ in 0..<random.integer(1...4) {
                if random.once(in: 10) {
                    let model = random.one(of: models)
                    map.remove(model)
                    models.removeAll { $0 === model }
                    map.add(model)
                    models.append(model)
                } else {
                    edit(random.one(of: models), lights, &random)
                }
            }
            map.camera.bearing = random.one(of: [0, 40])
            map.camera.zoom = random.one(of: [16.5, 17.5])
            let fresh = MapView(size: map.size)
            fresh.camera = map.camera
            // Models that share a mesh share one in the new map, too, so that the frame contains it once.
            var shared: [ObjectIdentifier: FloatMesh] = [:]
            for model in models {
                let copy = twin(model)
                if let local = model as? LocalModel, let copy = copy as? LocalModel {
                    copy.mesh = shared[ObjectIdentifier(local.mesh)] ?? copy.mesh
                    shared[ObjectIdentifier(local.mesh)] = copy.mesh
                }
                fresh.add(copy)
            }
            let (a, b) = (try map.inspection(), try fresh.inspection())
            #expect(a.overlays == b.overlays)
            #expect(a.diagnostics == b.diagnostics)
            #expect(try map.frame() == fresh.frame())
        }
    }
}
