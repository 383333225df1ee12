import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ModelHitTests {
    /// Compares with all triangles in front of the camera specified in docs/Waymark.docc/CoordinateSystems.md.
    @Test(arguments: Seeds.all) func hitsAreWhatTheScreenShows(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var design = DesignCamera()
        (design.lat, design.lng) = (random.number(-60...60), random.one(of: [0.0, 180, 127]))
        (design.zoom, design.tilt, design.bearing) = (random.number(15...19), random.number(0...75), random.number(0...360))
        let map = MapView(design)
        var models: [LocalModel] = []
        for _ in 0..<random.integer(1...5) {
            let model = LocalModel(.random(&random, triangles: 12, reach: 60))
            model.coordinates = LatLng(lat: design.lat + random.number(-1e-4...1e-4), lng: design.lng + random.number(-1e-4...1e-4))
            model.yaw = random.number(0...360)
            if random.once(in: 3) { model.isDoubleSided = false }
            map.add(model)
            models.append(model)
        }
        let placement = try map.placement()
        for _ in 0..<60 {
            let point = CGPoint(x: random.number(0...design.width), y: random.number(0...design.height))
            var expected: [(slot: Int32, triangle: Int, depth: Double)] = []
            for model in models {
                let corners = model.mesh.vertices.map { corner(of: model, $0, design) }
                for (number, triangle) in model.mesh.triangles.enumerated() {
                    let (a, b, c) = (corners[Int(triangle.x)], corners[Int(triangle.y)], corners[Int(triangle.z)])
                    // Triangles that reach behind the camera are not compared.
                    guard min(a.depth, b.depth, c.depth) > design.height / 50 else { continue }
                    func area(_ a: (x: Double, y: Double, depth: Double), _ b: (x: Double, y: Double, depth: Double)) -> Double {
                        (a.x - point.x) * (b.y - point.y) - (a.y - point.y) * (b.x - point.x)
                    }
                    let (u, v, w) = (area(b, c), area(c, a), area(a, b))
                    let isFront = u < 0 && v < 0 && w < 0
                    guard isFront || u > 0 && v > 0 && w > 0 && model.isDoubleSided != false else { continue }
                    // On the screen, 1 / depth is linear.
                    let depth = (u + v + w) / (u / a.depth + v / b.depth + w / c.depth)
                    guard depth < 20 * design.distance else { continue }
                    expected.append((model.slot, number, depth))
                }
            }
            let hits = placement.modelHits(at: point).filter { hit in
                guard let model = models.first(where: { $0.slot == hit.slot }) else { return false }
                let triangle = model.mesh.triangles[hit.triangle]
                return [triangle.x, triangle.y, triangle.z].allSatisfy {
                    corner(of: model, model.mesh.vertices[Int($0)], design).depth > design.height / 50
                }
            }
            expected.sort { $0.depth < $1.depth }
            #expect(hits.map(\.triangle) == expected.map(\.triangle))
            #expect(hits.map(\.slot) == expected.map(\.slot))
            #expect(zip(hits, expected).allSatisfy { abs($0.depth - $1.depth) < 1e-3 * $1.depth })
        }
    }

    private func corner(of model: LocalModel, _ vertex: SIMD3<Float>, _ design: DesignCamera) -> (x: Double, y: Double, depth: Double) {
        let anchor = model.coordinates ?? LatLng(lat: 0, lng: 0)
        let (unit, yaw) = (design.pointsPerMeter(lat: anchor.lat), model.yaw * .pi / 180)
        let (x, y, z) = (Double(vertex.x), Double(vertex.y), Double(vertex.z))
        let (place, center) = (design.world(lat: anchor.lat, lng: anchor.lng), design.world(lat: design.lat, lng: design.lng))
        return design.project(
            place.x - center.x + (x * cos(yaw) - y * sin(yaw)) * unit, place.y - center.y - (x * sin(yaw) + y * cos(yaw)) * unit,
            height: z * unit)
    }

    @Test func hitsAtEqualDepthAreInReverseDrawingOrder() throws {
        let map = MapView.city(LocalModel(.plate(), id: "lower"), LocalModel(.plate(), id: "upper"), tilt: 0)
        let hits = try map.placement().modelHits(at: CGPoint(x: 151, y: 102))
        #expect(hits.map { map.store.slots[Int($0.slot)]?.id } == ["upper", "lower"])
        #expect(hits.map(\.triangle) == [0, 0])
        #expect(abs(hits[0].depth - 300) < 1e-9)
        #expect(try map.placement().modelHits(at: CGPoint(x: 10, y: 10)).isEmpty)
    }

    /// Visible faces are picked: the top of a box without back faces, and the floor inside a box that is inside out.
    @Test func backFacesThatAreNotDrawnAreNotHit() throws {
        func triangles(_ mesh: FloatMesh, _ isDoubleSided: Bool?) throws -> [Int] {
            let map = MapView.city(LocalModel(mesh) { $0.isDoubleSided = isDoubleSided }, tilt: 0)
            return try map.placement().modelHits(at: CGPoint(x: 151, y: 102)).map(\.triangle)
        }
        let both = try triangles(.box(), nil)
        #expect(both.count == 2)
        #expect(try triangles(.box(), false) == [both[0]])
        #expect(try triangles(.box(isInsideOut: true), false) == [both[1]])
        // The winding decides, whatever the normals are.
        let turned = FloatMesh.box(isInsideOut: true)
        turned.normals = turned.vertices.map { ($0 - [0, 0, 5]) * 3 }
        #expect(try triangles(turned, false) == [both[1]])
        // Each surface by itself.
        let mixed = FloatMesh.box()
        mixed.surfaces = mixed.triangles.indices.map { .init(triangles: $0..<$0 + 1, isDoubleSided: $0 == both[1]) }
        #expect(try triangles(mixed, nil) == both)
    }

    @Test func piecesHaveTheSameFaces() throws {
        func count(_ mesh: GeoMesh) throws -> Int {
            let model = GeoModel(mesh: mesh)
            model.isDoubleSided = false
            let map = MapView.city(model, zoom: 20, tilt: 50)
            #expect(try map.frame().meshes.map(\.name) == ["piece of geo mesh"])
            return try map.placement().modelHits(at: CGPoint(x: 100, y: 150)).count
        }
        let square = GeoMesh.square(37.567, 126.978, 20)
        let turned = GeoMesh(vertices: square.vertices, triangles: square.triangles.map { [$0.x, $0.z, $0.y] })
        #expect(try [count(square), count(turned)] == [1, 0])
    }

    @Test func hitsOnPiecesReportTheTriangleOfTheWholeMesh() throws {
        let map = MapView.city(GeoModel(mesh: .square(37.567, 126.978, 20)), zoom: 20, tilt: 50)
        let hits = try map.placement().modelHits(at: CGPoint(x: 100, y: 150))
        #expect(hits.count == 1 && [0, 1].contains(hits[0].triangle))
        #expect(try map.frame().meshes.map(\.name) == ["piece of geo mesh"])
    }
}
