import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct FitModelTests {
    private func mesh(_ random: inout SplitMix64, corners count: Int, reach: Double) -> FloatMesh {
        let vertices = (0..<count).map { _ in
            SIMD3<Float>(SIMD3(random.number(-reach...reach), random.number(-reach...reach), random.number(0...reach)))
        }
        return FloatMesh(vertices: vertices, triangles: (0..<UInt32(count - 2)).map { [$0, $0 + 1, $0 + 2] })
    }

    /// The bounding box of all vertices of upright models, projected by the camera specified in docs/Waymark.docc/CoordinateSystems.md.
    private func box(_ models: [LocalModel], _ camera: Camera, _ size: CGSize) -> (left: Double, top: Double, right: Double, bottom: Double)
    {
        var design = DesignCamera()
        (design.lat, design.lng, design.zoom) = (camera.center.lat, camera.center.lng, camera.zoom)
        (design.bearing, design.tilt, design.width, design.height) = (camera.bearing, camera.tilt, size.width, size.height)
        let center = design.world(lat: design.lat, lng: design.lng)
        var box = (left: Double.infinity, top: Double.infinity, right: -Double.infinity, bottom: -Double.infinity)
        for model in models {
            let anchor = model.coordinates ?? LatLng(lat: 0, lng: 0)
            let place = design.world(lat: anchor.lat, lng: anchor.lng)
            let metre = design.pointsPerMeter(lat: anchor.lat)
            let unit = (model.isAutoscaled ? 1 : metre) * model.scale
            var offset = place.x - center.x
            offset -= (offset / design.worldSize).rounded() * design.worldSize
            for vertex in model.mesh.vertices {
                let point = design.project(
                    offset + Double(vertex.x) * unit, place.y - center.y - Double(vertex.y) * unit,
                    height: anchor.altitude * metre + Double(vertex.z) * unit)
                box = (min(box.left, point.x), min(box.top, point.y), max(box.right, point.x), max(box.bottom, point.y))
            }
        }
        return box
    }

    @Test(arguments: Seeds.all) func modelsAreFittedTightly(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let map = MapView(size: CGSize(width: random.number(200...600).rounded(), height: random.number(200...600).rounded()))
        let lng = random.one(of: [0.0, 127, 179.9999])
        var models: [LocalModel] = []
        for _ in 0..<random.integer(1...5) {
            let model = LocalModel(
                mesh: mesh(&random, corners: random.one(of: [5, 2000]), reach: random.number(5...100)),
                coordinates: LatLng(
                    lat: random.number(35...35.002), lng: lng + random.number(0...0.002),
                    altitude: random.one(of: [0, random.number(0...50)])))
            if random.once(in: 4) {
                model.isAutoscaled = true
                model.scale = 0.5
            }
            models.append(model)
        }
        map.add(models)
        let (padding, tilt) = (20.0, random.number(0...75))
        let options = FitOptions(padding: padding, maxZoom: 24, bearing: random.number(0...360), tilt: tilt)
        let camera = try map.camera(fitting: options)
        let box = box(models, camera, map.size)
        let (width, height) = (map.size.width - 2 * padding, map.size.height - 2 * padding)
        #expect(box.left >= padding - 0.01 && box.top >= padding - 0.01)
        #expect(box.right <= map.size.width - padding + 0.01 && box.bottom <= map.size.height - padding + 0.01)
        // Models of constant screen size need not fill the picture.
        guard models.contains(where: { !$0.isAutoscaled }) else { return }
        #expect(
            abs(box.right - box.left - width) < 0.02 || abs(box.bottom - box.top - height) < 0.02,
            "\(box) in \(map.size) at \(camera)")
    }

    @Test func autoscaledModelsDoNotShrink() throws {
        let map = MapView(size: CGSize(width: 300, height: 300))
        let mesh = FloatMesh(vertices: [[-40, -10, 0], [40, -10, 0], [0, 10, 0]], triangles: [[0, 1, 2]])
        for lng in [126.0, 128] {
            let model = LocalModel(mesh: mesh, coordinates: LatLng(lat: 37, lng: lng))
            model.isAutoscaled = true
            map.add(model)
        }
        let camera = try map.camera(fitting: FitOptions(padding: 10))
        // The models take 80 pt of the 280.
        let world = WebMercator.worldSize(zoom: camera.zoom)
        #expect(abs(world * 2 / 360 - 200) < 0.01)
    }

    @Test func geoModelsAreFitted() throws {
        let map = MapView(size: CGSize(width: 300, height: 300))
        map.add(GeoModel(mesh: GeoMesh(vertices: [[179, 0, 0], [-179, 0, 0], [-179, 1, 0]], triangles: [[0, 1, 2]])))
        let camera = try map.camera(fitting: FitOptions(padding: 10))
        #expect(abs(WebMercator.worldSize(zoom: camera.zoom) * 2 / 360 - 280) < 0.01)
        #expect(abs(abs(camera.center.lng) - 180) < 1e-6)
        // Hidden models are ignored.
        let hidden = LocalModel(
            mesh: FloatMesh(vertices: [[0, 0, 0], [9, 0, 0], [0, 9, 0]], triangles: [[0, 1, 2]]), coordinates: LatLng(lat: 60, lng: 0))
        hidden.isHidden = true
        map.add(hidden)
        #expect(try map.camera(fitting: FitOptions(padding: 10)) == camera)
    }

    @Test func manyModelsAreFittedAsOne() throws {
        var random = SplitMix64(seed: 9)
        let map = MapView(size: CGSize(width: 400, height: 300))
        let mesh = mesh(&random, corners: 500, reach: 30)
        var models: [LocalModel] = []
        for index in 0..<300 {
            let model = LocalModel(
                mesh: mesh, coordinates: LatLng(lat: 37 + random.number(-0.01...0.01), lng: 127 + random.number(-0.01...0.01)))
            model.isAutoscaled = index % 3 == 0
            models.append(model)
        }
        map.add(models)
        let camera = try map.camera(fitting: FitOptions(padding: 10, bearing: 30, tilt: 60))
        let box = box(models, camera, map.size)
        #expect(box.left >= 9.99 && box.top >= 9.99 && box.right <= 390.01 && box.bottom <= 290.01)
        #expect(box.right - box.left > 379.98 || box.bottom - box.top > 279.98)
    }
}
