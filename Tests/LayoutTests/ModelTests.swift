import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ModelTests {
    @Test func aModelIsAnInstanceOfItsMesh() throws {
        let model = LocalModel()
        let frame = try MapView.city(model).frame()
        #expect(frame.meshes.count == 1 && frame.meshes[0].indices.count == 36 && frame.meshes[0].vertices.count == 36)
        let instance = try #require(frame.meshInstances.first)
        #expect(frame.meshInstances.count == 1)
        #expect(instance.faces == .all && instance.alpha == 1 && instance.diffuse == [1, 1, 1, 1])
        #expect(instance.lighting == nil && instance.texture == nil && frame.lightings.isEmpty)
        guard case .beginGroup(let group) = frame.commands.first else {
            Issue.record("no group")
            return
        }
        #expect(Array(frame.commands.dropFirst()) == [.meshes(0..<1, .opaque), .endGroup])
        #expect(group.alpha == 1 && group.samples == 4)
        // A box of 10 m at zoom 17, in the center of a picture 200 pt high.
        let metre = Float(WebMercator.pointsPerMeter(lat: 37.5670135, worldSize: 512 * 131_072))
        #expect(abs(instance.axisX.x - metre) < 1e-5 && abs(instance.axisY.y + metre) < 1e-5 && abs(instance.axisZ.z - metre) < 1e-5)
        #expect(abs(instance.origin.z - 5 * metre) < 1e-4)
        let depths = try #require(group.depths)
        #expect(depths.lowerBound > 270 && depths.upperBound < 310)
    }

    @Test func groupBoundsAreTight() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<60 {
            let map = MapView.city(zoom: random.number(14...18), tilt: random.number(0...80), bearing: random.number(0...360))
            map.camera.center.lat += random.number(-0.0005...0.0005)
            map.modelSamples = random.one(of: [1, 4])
            for _ in 0..<random.integer(1...4) {
                map.add(LocalModel { $0.coordinates?.lng += random.number(-0.001...0.001) })
            }
            let frame = try map.frame()
            guard let group = frame.meshGroups.first, let depths = group.depths else { continue }
            #expect(group.samples == map.modelSamples)
            let viewport = try map.viewport()
            var box: (left: Double, top: Double, right: Double, bottom: Double) = (.infinity, .infinity, -.infinity, -.infinity)
            var isNear = false
            for instance in frame.meshInstances {
                for corner in frame.corners(instance) {
                    let seen = viewport.project(offsetX: Double(corner.x), offsetY: Double(corner.y), height: Double(corner.z))
                    isNear = isNear || seen.depth < viewport.nearDepth
                    guard seen.depth > viewport.nearDepth, seen.depth < viewport.farDepth else { continue }
                    #expect(depths.contains(seen.depth))
                    box = (min(box.left, seen.x), min(box.top, seen.y), max(box.right, seen.x), max(box.bottom, seen.y))
                }
            }
            guard !isNear else { continue }
            let bounds = group.bounds
            #expect(Double(bounds.x) <= max(0, box.left) && Double(bounds.x) >= min(max(0, box.left), 300) - 2)
            #expect(Double(bounds.y) <= max(0, box.top) && Double(bounds.y) >= min(max(0, box.top), 200) - 2)
            #expect(abs(Double(bounds.x + bounds.width) - min(300, box.right)) <= 2)
            #expect(abs(Double(bounds.y + bounds.height) - min(200, box.bottom)) <= 2)
        }
    }

    @Test func normalsOrientTrianglesAndStayShared() throws {
        let mesh = FloatMesh.box(isInsideOut: true)
        mesh.normals = mesh.vertices.map { ($0 - [0, 0, 5]) * 3 }
        let frame = try MapView.city(LocalModel(mesh)).frame()
        #expect(frame.meshInstances[0].faces == .all)
        #expect(frame.meshes[0].vertices.count == 8)
        for vertex in frame.meshes[0].vertices {
            let normal = SIMD3(vertex.normalX, vertex.normalY, vertex.normalZ)
            #expect(abs((normal * normal).sum() - 1) < 1e-6)
            #expect((normal * [vertex.x, vertex.y, vertex.z]).sum() > 0)
        }
    }

    @Test func equalLightingsAreStoredOnce() throws {
        let sun = DirectionalLight(direction: [0, 0, -2], color: Color(red: 1, green: 0.5, blue: 0), intensity: 2)
        let map = MapView.city()
        for index in 0..<3 {
            let model = LocalModel()
            model.material = Material(diffuse: Color(red: 0, green: 0.5, blue: 1), ambient: Color(white: 0.2))
            if index < 2 { model.addLight(sun) }
            map.add(model)
        }
        var frame = try map.frame()
        #expect(
            frame.lightings == [Lighting(ambient: [0.2, 0.2, 0.2], lights: [.init(source: [0, 0, 1], color: [2, 1, 0])])])
        #expect(frame.meshInstances.map(\.lighting) == [0, 0, nil])
        #expect(frame.meshInstances.allSatisfy { $0.diffuse == [0, 0.5, 1, 1] })
        for step in 0..<300 {
            sun.direction = [Double(step) - 150.5, 1e200, 0]
            frame = try map.frame()
        }
        #expect(frame.lightings.count == 1)
        #expect(abs(frame.lightings[0].lights[0].source.y + 1) < 1e-6)
    }

    @Test func texturesAreWholeImages() throws {
        let opaque = OverlayImage(bitmap: Bitmap(width: 3, height: 2, fill: .red), scale: 2)
        let mesh = FloatMesh.plate()
        let map = MapView.city(LocalModel(mesh) { $0.texture = opaque }, LocalModel(mesh) { $0.texture = MarkerImage.red })
        map.add(37.567, 126.978)
        let frame = try map.frame()
        let textures = frame.meshInstances.compactMap { $0.texture.map { frame.images[Int($0)] } }
        #expect(textures[0].bitmap.width == 3 && textures[0].bitmap.height == 2)
        #expect(max(textures[1].bitmap.width, textures[1].bitmap.height) == 1024)
        #expect(frame.images[Int(frame.sprites[0].image)].bitmap.height == 36)
        // Partly transparent surfaces come after opaque ones.
        #expect(frame.commands.contains(.meshes(0..<1, .opaque)) && frame.commands.contains(.meshes(1..<2, .translucent)))
        let missing = LocalModel(id: "missing") { $0.texture = OverlayImage(path: "/nonexistent/skin.png") }
        map.add(missing)
        let inspection = try map.inspection()
        #expect(inspection.overlays.last?.reason == nil)
        #expect(inspection.diagnostics.map(\.path) == ["texture"])
        missing.texture = opaque
        #expect(try map.inspection().diagnostics.isEmpty)
    }

    @Test func surfacesAreInstancesOfTheirOwn() throws {
        let mesh = FloatMesh.box()
        mesh.surfaces = [
            .init(triangles: 0..<4, diffuse: .red), .init(triangles: 4..<4, diffuse: .white),
            .init(triangles: 4..<12, diffuse: Color(white: 0.5), texture: OverlayImage(bitmap: Bitmap(width: 2, height: 2, fill: .red))),
        ]
        let model = LocalModel(mesh)
        let map = MapView.city(model)
        var frame = try map.frame()
        #expect(frame.meshes.map { $0.indices.count } == [12, 24])
        #expect(frame.meshInstances.map(\.diffuse) == [[1, 0, 0, 1], [0.5, 0.5, 0.5, 1]])
        #expect(frame.meshInstances.map(\.texture) == [nil, 0])
        mesh.surfaces[0].diffuse = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        frame = try map.frame()
        #expect(frame.commands.dropFirst().dropLast() == [.meshes(0..<1, .opaque), .meshes(1..<2, .translucent)])
        model.material.diffuse = .blue
        #expect(try map.frame().meshInstances.allSatisfy { $0.diffuse == [0, 0, 1, 1] })
    }

    @Test func piecesOfLargeMeshesKeepTheirSurfaces() throws {
        let mesh = FloatMesh.plate(10)
        mesh.surfaces = [.init(triangles: 0..<1, diffuse: .red), .init(triangles: 1..<2, diffuse: .blue)]
        let map = MapView.city(LocalModel(mesh) { $0.scale = 10_000 }, zoom: 20, tilt: 0)
        let frame = try map.frame()
        #expect(frame.meshes.map(\.name) == ["piece of local mesh, surface 0", "piece of local mesh, surface 1"])
        #expect(frame.meshInstances.map(\.diffuse) == [[1, 0, 0, 1], [0, 0, 1, 1]])
        // One point below the diagonal, one above it.
        let hits = try [(170.0, 120.0), (130, 80)].map { try map.placement().modelHits(at: CGPoint(x: $0.0, y: $0.1)).map(\.triangle) }
        #expect(hits == [[0], [1]])
    }

    @Test func theNearestCopyIsDescribed() throws {
        let map = MapView(1200, 200, Camera(center: LatLng(lat: 0, lng: 100), zoom: 0))
        map.add(LocalModel(.box([-1e6, -1e6, 0], [1e6, 1e6, 10])) { $0.coordinates = LatLng(lat: 0, lng: -170) })
        let entry = try map.entry()
        #expect(entry.copies == 2)
        // 90° east of the center.
        #expect(entry.anchor == .init(x: 728, y: 100))
        let quad = try #require(entry.quad)
        #expect(quad[0].x < 728 && quad[1].x > 728 && quad[2].x - quad[0].x < 30)
    }

    @Test func modelsNotDrawnHaveAReason() throws {
        let map = MapView.city(zoom: 16, tilt: 70)
        func expect(_ reason: Reason?, _ overlay: Overlay, line: Int = #line) throws {
            map.add(overlay)
            let entry = try #require(try map.inspection().overlays.last)
            #expect(entry.reason == reason, "line \(line)")
            #expect(entry.isVisible == (reason == nil))
            map.remove(overlay)
        }
        try expect(nil, LocalModel())
        try expect(.outOfView, LocalModel { $0.coordinates?.lng += 1 })
        try expect(.behindCamera, LocalModel { $0.coordinates?.lat -= 0.05 })
        try expect(.outOfProjection, LocalModel { $0.coordinates?.lat = 88 })
        try expect(.outOfProjection, GeoModel(mesh: .square(88, 0, 1)))
        try expect(nil, GeoModel(mesh: .square(37.567, 126.978, 0.01)))
        try expect(.hidden, LocalModel { $0.isHidden = true })
        try expect(.outOfZoom, LocalModel { $0.minZoom = 17 })
        try expect(.underground, LocalModel { $0.coordinates?.altitude = -1 })
        try expect(nil, LocalModel(.plate(at: -1)))
        try expect(.invalid, LocalModel { $0.scale = 0 })
        try expect(.invalid, LocalModel(FloatMesh(vertices: [[0, 0, 0]], triangles: [[0, 0, 1]])))
        try expect(nil, LocalModel { $0.scale = 1e-9 })
        // Rejected overlays leave nothing in the frame.
        #expect(try map.frame().meshInstances.isEmpty)
    }

    @Test func aModelShownAgainIsWhereItWas() throws {
        let low = LocalModel { $0.altitude = -1 }
        let map = MapView.city(low)
        #expect(try map.entry().reason == .underground)
        low.isHidden = true
        #expect(try map.entry().reason == .hidden)
        low.isHidden = false
        #expect(try map.entry().reason == .underground)
        low.altitude = 0
        #expect(try map.entry().reason == nil)
    }

    @Test func containersLiftAndHideModels() throws {
        let local = LocalModel()
        let geo = GeoModel(mesh: .square(37.567, 126.978, 0.001))
        let group = Container([local, geo])
        let map = MapView.city(group)
        let before = try map.frame().meshInstances.map(\.origin.z)
        group.altitude = 10
        let metre = Float(WebMercator.pointsPerMeter(lat: 37.567, worldSize: 512 * 131_072))
        let after = try map.frame().meshInstances.map(\.origin.z)
        #expect(zip(before, after).allSatisfy { abs($1 - $0 - 10 * metre) < 0.01 })
        group.isHidden = true
        #expect(try map.frame().meshInstances.isEmpty)
        #expect(try map.inspection().overlays.dropFirst().allSatisfy { $0.reason == .hidden })
        group.isHidden = false
        group.altitude = -1
        #expect(try map.inspection().overlays.dropFirst().allSatisfy { $0.reason == .underground })
    }

    /// Models of one (band, globalZIndex, z path) share a depth buffer; the group stands after the shapes and before the points of its rank.
    @Test func modelsOfOneZPathAreOneGroup() throws {
        let map = MapView.city(zoom: 18, tilt: 0)
        func line(_ id: String, z: Int, global: Int = Model.defaultGlobalZIndex) {
            let line = Polyline(points: [LatLng(lat: 37.566, lng: 126.978), LatLng(lat: 37.568, lng: 126.979)])
            line.id = id
            (line.zIndex, line.globalZIndex) = (z, global)
            map.add(line)
        }
        map.add(LocalModel(id: "high") { $0.zIndex = 7 })
        map.add(37.567, 126.9784) {
            ($0.id, $0.globalZIndex, $0.zIndex) = ("point", Model.defaultGlobalZIndex, 1)
        }
        map.add(LocalModel(id: "low") { $0.zIndex = 1 })
        map.add(Container([LocalModel(id: "beside") { $0.altitude = 4 }]))
        map.overlays.last?.zIndex = 1
        line("between", z: 3)
        line("under", z: 0)
        line("after", z: 1)
        map.add(37.567, 126.9784) { $0.id = "marker" }
        map.add(37.567, 126.9784) {
            ($0.id, $0.globalZIndex) = ("beneath", Model.defaultGlobalZIndex - 1)
        }
        map.add(LocalModel(id: "top") { $0.globalZIndex = 300_000 })
        map.add(
            LocalModel(id: "hidden") {
                ($0.zIndex, $0.isHidden) = (-5, true)
            })
        let order = ["beneath", "under", "after", "low", "beside", "point", "between", "high", "marker", "top"]
        #expect(try map.drawn() == order)
        // One number for a group.
        let orders = try map.inspection().overlays.reduce(into: [:]) { $0[$1.id] = $1.order }
        #expect(orders["low"] == 3 && orders["beside"] == 3 && orders["point"] == 4 && orders["top"] == 8)
        let commands = try map.frame().commands
        #expect(commands.count { if case .beginGroup = $0 { true } else { false } } == 3)
        #expect(commands.contains(.meshes(0..<2, .opaque)) && commands.contains(.meshes(2..<3, .opaque)))
        // The same with captions, which take another code path.
        map.add(37.567, 126.9784) {
            ($0.id, $0.captionText, $0.zIndex) = ("text", "a", 1)
        }
        #expect(try map.drawn() == order.dropLast() + ["text", "top"])
        let kinds = try map.frame().commands.map { command -> String in
            switch command {
            case .sprites: "sprites"
            case .paths: "paths"
            case .meshes: "meshes"
            case .tiles: "tiles"
            case .sky: "sky"
            case .beginGroup: "begin"
            case .endGroup: "end"
            }
        }
        let group = ["begin", "meshes", "end"]
        #expect(kinds.filter { $0 != "sprites" } == ["paths"] + group + ["paths"] + group + group)
    }

    @Test func translucentModelsAreDrawnBackToFront() throws {
        let map = MapView.city(zoom: 18, tilt: 60)
        for (index, step) in [0.0, 3e-4, 1e-4, 2e-4].enumerated() {
            map.add(
                LocalModel {
                    $0.coordinates?.lat += step; $0.alpha = 0.5; $0.material.diffuse = Color(white: Double(index) / 4)
                })
        }
        map.add(LocalModel { $0.coordinates?.lat += 5e-4 })
        map.add(LocalModel { $0.alpha = 0 })
        let frame = try map.frame()
        #expect(frame.commands.dropFirst().dropLast() == [.meshes(0..<1, .opaque), .meshes(1..<5, .translucent)])
        #expect(frame.meshInstances.map(\.diffuse.x) == [1, 0.25, 0.75, 0.5, 0])
        // Level models keep their order.
        map.removeAll()
        for (index, step) in [0.0, 3e-4, 1e-4].enumerated() {
            map.add(
                LocalModel(.plate(200)) {
                    ($0.alpha, $0.material.diffuse) = (0.5, Color(white: Double(index) / 4))
                    $0.coordinates?.lat += step
                })
        }
        #expect(try map.frame().meshInstances.map(\.diffuse.x) == [0, 0.25, 0.5])
    }

    @Test func overlappingLevelModelsGetAscendingTiers() throws {
        let mesh = FloatMesh.plate()
        let map = MapView.city()
        map.add(LocalModel(mesh))
        map.add(LocalModel(mesh) { $0.yaw = 30 })
        map.add(LocalModel(mesh) { $0.altitude = 1 })
        map.add(LocalModel(mesh) { $0.pitch = 1 })
        map.add(GeoModel(mesh: .square(37.567, 126.978, 0.001)))
        map.add(LocalModel())
        #expect(try map.frame().meshInstances.sorted { $0.mesh < $1.mesh }.map(\.depthBiasStep) == [0, 1, 0, 0, 2, 0])
    }

    @Test func disjointLevelModelsShareTiers() throws {
        let mesh = FloatMesh.plate(1)
        let map = MapView.city(tilt: 30)
        for index in 0..<400 {
            map.add(
                LocalModel(mesh) {
                    $0.coordinates?.lat += 0.00003 * Double(index / 20 - 10)
                    $0.coordinates?.lng += 0.00003 * Double(index % 20 - 10)
                })
        }
        let tiers = try map.frame().meshInstances.map(\.depthBiasStep)
        #expect(tiers == [UInt16](repeating: 0, count: 400))
        // A model that overlaps all of them is above all.
        map.add(LocalModel(.plate(500)))
        #expect(try map.frame().meshInstances.last?.depthBiasStep == 1)
    }

    @Test func worldCopiesAreDrawn() throws {
        let model = LocalModel(.box([-1e6, -1e6, 0], [1e6, 1e6, 10])) { $0.coordinates = LatLng(lat: 0, lng: 0) }
        let map = MapView(1600, 400, Camera(zoom: 0))
        map.add(model)
        let frame = try map.frame()
        #expect(frame.meshes.count == 1)
        let places = frame.meshInstances.map(\.origin.x)
        #expect(places == [-512, 0, 512])
        #expect(try map.entry().copies == frame.meshInstances.count)
        #expect(try map.entry().anchor == .init(x: 800, y: 200))
        // A model nearly as wide as the world reaches into the picture from distant copies.
        let strip = stride(from: -160.0, through: 160, by: 80).enumerated().map { SIMD3($1, $0 % 2 == 0 ? 10 : -10, 0) }
        map.add(GeoModel(mesh: GeoMesh(vertices: strip, triangles: [[0, 1, 2], [1, 2, 3], [2, 3, 4]])))
        #expect(try map.inspection().overlays[1].copies == 5)
    }

    @Test func inspectionReportsTheScreenBox() throws {
        let map = MapView.city(LocalModel(.plate(20)), GeoModel(mesh: .square(37.567, 126.978, 0.0002, altitude: 5)), tilt: 0)
        let entries = try map.inspection().overlays
        let half = 10 * WebMercator.pointsPerMeter(lat: 37.5670135, worldSize: 512 * 131_072)
        let quad = try #require(entries[0].quad)
        #expect(
            quad.isNear(
                [(150 - half, 100 - half), (150 + half, 100 - half), (150 + half, 100 + half), (150 - half, 100 + half)], within: 1e-3))
        #expect(entries[0].anchor == .init(x: 150, y: 100))
        #expect(entries.map(\.triangles) == [2, 2])
        let viewport = try map.viewport()
        let center = try #require(viewport.point(from: LatLng(lat: 37.567, lng: 126.978)))
        #expect(abs(entries[1].anchor!.x - center.x) < 2e-3 && abs(entries[1].anchor!.y - center.y) < 2e-3)
        let corner = try #require(viewport.point(from: LatLng(lat: 37.5671, lng: 126.9779, altitude: 5)))
        #expect(abs(entries[1].quad![0].x - corner.x) < 2e-3 && abs(entries[1].quad![0].y - corner.y) < 2e-3)
    }
}
