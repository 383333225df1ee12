import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

@Suite struct ModelTests {
    private let mapView = MapView(size: .init(width: 10, height: 10))
    private let place = LatLng(lat: 37.5, lng: 127)

    private func mesh() -> FloatMesh { FloatMesh(vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]) }

    private func geoMesh() -> GeoMesh { GeoMesh(vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]) }

    /// The changes that the map has noted since the last call.
    private func changes() -> ChangedProperties {
        var all: ChangedProperties = []
        mapView.store.changes.drain { _, change in all.formUnion(change) }
        return all
    }

    @Test func defaults() {
        let local = LocalModel(mesh: mesh())
        #expect(local.type == .localModel && local.globalZIndex == 100_000 && local.mapLayerType == .foreground && local.isVisible)
        #expect(local.coordinates == nil && local.scale == 1 && !local.isAutoscaled && local.altitude == 0)
        #expect(local.pitch == 0 && local.roll == 0 && local.yaw == 0)
        let geo = GeoModel(mesh: geoMesh())
        #expect(geo.type == .geoModel && geo.globalZIndex == 100_000)
        for model in [local, geo] {
            #expect(model.texture == nil && model.alpha == 1 && model.lights.isEmpty && model.isDoubleSided == nil)
            #expect(model.smoothingAngle == 0 && Model.smoothingAngleRange == 0...180)
            #expect(model.material == Material() && model.material.diffuse == nil && model.material.ambient == Color(white: 0.3))
            #expect(model.material.alphaCutoff == nil && model.textureSampler == TextureSampler())
            let whole = FloatMesh.Surface(triangles: 0..<1)
            #expect(model.appearance(of: whole) == whole && whole.diffuse == .white && whole.texture == nil && whole.isDoubleSided)
        }
        let light = DirectionalLight(direction: [0, 0.5, -1])
        #expect(light.color == .white && light.intensity == 1 && light.direction == [0, 0.5, -1])
        #expect(mapView.modelSamples == 4)
    }

    @Test func modelsWithoutAPlaceAreNotAdded() {
        let local = LocalModel(mesh: mesh())
        let geo = GeoModel(mesh: GeoMesh())
        mapView.add([local, geo])
        #expect(mapView.overlays.isEmpty)
        #expect(
            mapView.reports.map(\.description) == [
                "localModel: coordinates: not added to the map, because the overlay has no coordinates",
                "geoModel: vertices: not added to the map, because the overlay has no vertices",
            ])
        local.coordinates = place
        geo.mesh = geoMesh()
        let container = Container([local, geo])
        mapView.add(container)
        #expect(container.children == [local, geo] && local.mapView === mapView && geo.parent === container)
    }

    @Test func eightLightsAndNoMore() {
        let model = LocalModel(mesh: mesh())
        let lights = (1...9).map { DirectionalLight(direction: [0, 0, -Double($0)]) }
        #expect(lights.prefix(8).allSatisfy(model.addLight) && Model.maximumNumberOfLights == 8)
        #expect(!model.addLight(lights[8]) && model.lights.count == 8)
        model.removeLight(lights[8])
        model.removeLight(lights[3])
        #expect(model.lights.count == 7 && !model.lights.contains { $0 === lights[3] })
        // A light that the model already has is not added again.
        #expect(!model.addLight(lights[0]) && model.addLight(lights[8]) && model.lights.last === lights[8])
        model.removeAllLights()
        #expect(model.lights.isEmpty && model.addLight(lights[0]))
    }

    @Test func valuesThatCannotBe() {
        func problem(_ change: (LocalModel) -> Void) -> String? {
            let model = LocalModel(mesh: mesh(), coordinates: place)
            change(model)
            return model.firstProblem()?.description
        }
        #expect(problem { _ in } == nil)
        #expect(problem { $0.coordinates?.lat = 95 } == "coordinates.lat: 95 is outside -90…90")
        #expect(problem { $0.coordinates?.altitude = .nan } == "coordinates.altitude: nan is outside -1000000…1000000000")
        for scale in [0, -1, .nan, .infinity, 2e9] {
            #expect(problem { $0.scale = scale } == "scale: the value must be above 0 and at most 1000000000, not \(plain(scale))")
        }
        #expect(problem { $0.scale = 1e9 } == nil)
        #expect(problem { $0.pitch = .nan } == "pitch: nan is not a finite number")
        #expect(problem { $0.roll = .infinity } == "roll: inf is not a finite number")
        #expect(problem { $0.yaw = -.infinity } == "yaw: -inf is not a finite number")
        #expect(problem { $0.yaw = 1e6 } == nil)
        #expect(problem { $0.alpha = 2 } == "alpha: 2 is outside 0…1")
        #expect(problem { $0.material.diffuse = Color(white: 2) } == "material.diffuse: a channel is outside 0…1")
        #expect(problem { $0.material.ambient = Color(white: -1) } == "material.ambient: a channel is outside 0…1")
        #expect(problem { $0.material.alphaCutoff = 1.5 } == "material.alphaCutoff: 1.5 is outside 0…1")
        #expect(problem { $0.material.alphaCutoff = 0 } == nil)
        #expect(problem { $0.altitude = .nan } == "altitude: nan is outside -1000000…1000000000")
        #expect(problem { $0.mesh.triangles = [[0, 1, 9]] } == "mesh.triangles[0]: 9 is outside 0…2")
        func light(_ change: (DirectionalLight) -> Void) -> String? {
            problem { model in
                model.addLight(DirectionalLight(direction: [0, 0, -1]))
                let light = DirectionalLight(direction: [1, 0, 0])
                model.addLight(light)
                change(light)
            }
        }
        #expect(light { $0.direction = .zero } == "lights[1].direction: (0, 0, 0) has no direction")
        #expect(light { $0.direction.y = .nan } == "lights[1].direction.y: nan is not a finite number")
        #expect(light { $0.color = Color(white: 3) } == "lights[1].color: a channel is outside 0…1")
        #expect(light { $0.intensity = -1 } == "lights[1].intensity: -1 is outside 0…1000000")
        #expect(light { $0.direction = [1e-300, 0, 0] } == nil)
    }

    @Test func samplesAreOneOrFour() throws {
        for count in [-1, 0, 2, 3, 5, 8, .max] {
            mapView.modelSamples = count
            #expect(throws: PropertyError(path: "modelSamples", problem: "\(count) is neither 1 nor 4")) { try mapView.checkModelSamples() }
        }
        for count in MapView.modelSampleCounts {
            mapView.modelSamples = count
            try mapView.checkModelSamples()
        }
    }

    @Test func whatChangesIsNoted() {
        let model = LocalModel(mesh: mesh(), coordinates: place)
        mapView.add(model)
        _ = changes()
        let light = DirectionalLight(direction: [0, 0, -1])
        func noted(_ change: () -> Void) -> ChangedProperties {
            change()
            return changes()
        }
        #expect(noted { model.coordinates = LatLng(lat: 1, lng: 2) } == .position)
        #expect(noted { model.scale = 2 } == .position && noted { model.isAutoscaled = true } == .position)
        #expect(noted { (model.pitch, model.roll, model.yaw) = (1, 2, 3) } == .position && noted { model.altitude = 3 } == .position)
        #expect(noted { model.texture = MarkerImage.red } == .style && noted { model.alpha = 0.5 } == .style)
        #expect(noted { model.material.ambient = .black } == .style && noted { model.addLight(light) } == .style)
        #expect(noted { light.intensity = 2 } == .style && noted { light.color = .red } == .style)
        #expect(noted { light.direction.x = 1 } == .style)
        #expect(noted { model.mesh.vertices[0].x = 1 } == .geometry && noted { model.mesh.surfaces = [] } == .geometry)
        #expect(noted { model.mesh.setTriangles([0, 1, 2], count: 1) } == .geometry)
        let old = model.mesh
        #expect(noted { model.mesh = mesh() } == .geometry && noted { old.vertices[0].x = 5 } == [])
        #expect(noted { model.removeLight(light) } == .style && noted { light.intensity = 3 } == [])
        #expect(noted { model.addLight(light) } == .style && noted { model.removeAllLights() } == .style)
        #expect(noted { light.intensity = 4 } == [])
        let geo = GeoModel(mesh: geoMesh())
        #expect(noted { mapView.add(geo) } == .membership)
        #expect(noted { geo.mesh.vertices[0].z = 1 } == .geometry && noted { geo.mesh = geoMesh() } == .geometry)
    }

    /// Many models share a mesh and a light, and are added and removed.
    @Test func sharedMeshesTellEveryModel() {
        let shared = mesh()
        let light = DirectionalLight(direction: [0, 0, -1])
        func told(_ change: () -> Void) -> Int {
            mapView.store.changes.drain { _, _ in }
            change()
            var count = 0
            mapView.store.changes.drain { _, _ in count += 1 }
            return count
        }
        for round in 1...50 {
            // These are removed at the end of the round.
            let passing = (0..<40).map { _ in LocalModel(mesh: shared, coordinates: place) }
            for model in passing { model.addLight(light) }
            let model = LocalModel(mesh: shared, coordinates: place)
            model.addLight(light)
            model.removeLight(light)
            model.addLight(light)
            mapView.add(model)
            #expect(told { shared.vertices[0].x = Float(round) } == round)
            #expect(told { light.intensity = Double(round) } == round)
        }
        let other = mesh()
        for case let model as LocalModel in mapView.overlays.prefix(20) { model.mesh = other }
        #expect(told { shared.vertices[0].x = 0 } == 30 && told { other.vertices[0].x = 0 } == 20)
    }

    @Test func ofSurfacesTheModelsOwnLookWins() {
        let image = OverlayImage(bitmap: Bitmap(width: 1, height: 1))
        let sampler = TextureSampler(wrapU: .clampToEdge)
        let surface = FloatMesh.Surface(triangles: 0..<1, diffuse: .red, texture: image, sampler: sampler, alphaCutoff: 0.5)
        let model = LocalModel(mesh: mesh(), coordinates: place)
        model.mesh.surfaces = [surface]
        #expect(model.appearance(of: surface).diffuse == .red && model.appearance(of: surface).texture == image)
        model.material.ambient = .black
        #expect(model.appearance(of: surface).diffuse == .red)
        model.material.diffuse = .blue
        model.texture = MarkerImage.red
        #expect(model.appearance(of: surface).diffuse == .blue && model.appearance(of: surface).texture == MarkerImage.red)
        #expect(model.appearance(of: surface).sampler == TextureSampler() && model.appearance(of: surface).alphaCutoff == 0.5)
        model.material.alphaCutoff = 0.25
        #expect(model.appearance(of: surface).alphaCutoff == 0.25)
        model.texture = .empty
        #expect(model.appearance(of: surface).texture == nil)
    }
}
