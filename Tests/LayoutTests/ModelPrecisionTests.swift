import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The precision of vertices in the frame's floats, compared with the camera specified in docs/Waymark.docc/CoordinateSystems.md.
@Suite struct ModelPrecisionTests {
    /// The tolerance for a vertex, in pt.
    private static let tolerance = 0.05

    /// The screen positions of all instances' vertices, transformed to the map in floats.
    private func seen(_ frame: Frame, _ design: DesignCamera) -> [(x: Double, y: Double, depth: Double)] {
        frame.meshInstances.flatMap { frame.corners($0) }.map {
            design.project(Double($0.x), Double($0.y), height: Double($0.z))
        }
    }

    /// The same with axes and origin rotated to the camera before conversion to floats, as on a GPU.
    private func drawn(_ frame: Frame, _ design: DesignCamera) -> [(x: Double, y: Double, depth: Double)] {
        let (b, t) = (design.bearing * .pi / 180, design.tilt * .pi / 180)
        func turned(_ step: SIMD3<Float>, _ distance: Double) -> SIMD3<Float> {
            let (x, y, z) = (Double(step.x), Double(step.y), Double(step.z))
            let u = x * sin(b) - y * cos(b)
            return SIMD3<Float>(SIMD3(x * cos(b) + y * sin(b), u * cos(t) + z * sin(t), distance + u * sin(t) - z * cos(t)))
        }
        return frame.meshInstances.flatMap { instance in
            let (x, y, z) = (turned(instance.axisX, 0), turned(instance.axisY, 0), turned(instance.axisZ, 0))
            let origin = turned(instance.origin, design.distance)
            return frame.meshes[Int(instance.mesh)].vertices.map { vertex in
                let place = SIMD3<Double>(x * vertex.x + y * vertex.y + z * vertex.z + origin)
                let scale = design.distance / place.z
                return (design.width / 2 + place.x * scale, design.height / 2 - place.y * scale, place.z)
            }
        }
    }

    private func isInPicture(_ point: (x: Double, y: Double, depth: Double), _ design: DesignCamera) -> Bool {
        let (near, far) = (design.height / 50, 20 * design.distance)
        return point.depth > near && point.depth < far && point.x >= 0 && point.y >= 0 && point.x <= design.width
            && point.y <= design.height
    }

    /// Checks every vertex in the picture against the tolerance; returns the number of checks.
    private func check(
        _ expected: [(x: Double, y: Double, depth: Double)], _ frame: Frame, _ design: DesignCamera, _ comment: @autoclosure () -> String
    ) -> Int {
        var count = 0
        for (kind, found) in [("seen", seen(frame, design)), ("drawn", drawn(frame, design))] {
            for point in expected where isInPicture(point, design) {
                count += 1
                let distance = found.map { max(abs($0.x - point.x), abs($0.y - point.y)) }.min() ?? .infinity
                #expect(distance < Self.tolerance, "\(comment()), \(kind): \(distance)")
            }
        }
        return count
    }

    /// Distances in meters, from less than a meter to hundreds of kilometers.
    private static let steps: [Double] = [-500_000, -40_000, -3_000, -200, -15, -1, 0, 0.6, 9, 170, 2_500, 35_000, 500_000]

    private func grid(_ steps: [Double], _ corner: (Double, Double) -> SIMD3<Double>) -> (
        vertices: [SIMD3<Double>], triangles: [SIMD3<UInt32>]
    ) {
        var (vertices, triangles): ([SIMD3<Double>], [SIMD3<UInt32>]) = ([], [])
        let count = UInt32(steps.count)
        for y in steps { for x in steps { vertices.append(corner(x, y)) } }
        for row in 0..<count - 1 {
            for column in 0..<count - 1 {
                let first = row * count + column
                triangles += [[first, first + 1, first + count + 1], [first, first + count + 1, first + count]]
            }
        }
        return (vertices, triangles)
    }

    @Test(arguments: [(37.5, 127.0, 1.0), (37.5, 127, 1e-6), (-33, 179.9999, 1), (60, -180, 1e-3), (0, 0, 0.1)]) func geoMeshes(
        lat: Double, lng: Double, scale: Double
    ) throws {
        var random = SplitMix64(seed: 2)
        let degree = Double.pi / 180 * 6_378_137
        let mesh = grid(Self.steps.map { $0 * scale }) { x, y in
            [lng + x / degree / cos(lat * .pi / 180), lat + y / degree, random.once(in: 3) ? random.number(0...5) : 0]
        }
        let model = GeoModel(mesh: GeoMesh(vertices: mesh.vertices, triangles: mesh.triangles))
        let map = MapView(600, 400)
        map.add(model)
        var count = 0
        for zoom in stride(from: 0.0, through: 22, by: 0.5) {
            var design = DesignCamera()
            (design.width, design.height) = (600, 400)
            // Centered at one of the vertices, or next to it.
            let vertex = random.one(of: mesh.vertices)
            (design.lat, design.lng) = (vertex.y + random.number(-1e-5...1e-5), vertex.x + random.number(-1e-5...1e-5))
            (design.zoom, design.tilt, design.bearing) = (zoom, random.number(0...80), random.number(0...360))
            map.camera = design.camera
            model.altitude = random.once(in: 4) ? 3 : 0
            let expected = mesh.vertices.map { design.project(lat: $0.y, lng: $0.x, altitude: $0.z + model.altitude) }
            count += check(expected, try map.frame(), design, "zoom \(zoom)")
        }
        #expect(count > 90)
    }

    /// The model matrix of docs/Waymark.docc/CoordinateSystems.md: M = yaw · pitch · roll · scale, right-handed rotations about up (yaw),
    /// east (pitch) and north (roll).
    private func place(_ v: SIMD3<Double>, pitch: Double, roll: Double, yaw: Double, scale: Double) -> SIMD3<Double> {
        let (p, r, y) = (pitch * .pi / 180, roll * .pi / 180, yaw * .pi / 180)
        let a = SIMD3(v.x * cos(r) + v.z * sin(r), v.y, v.z * cos(r) - v.x * sin(r))
        let b = SIMD3(a.x, a.y * cos(p) - a.z * sin(p), a.y * sin(p) + a.z * cos(p))
        return SIMD3(b.x * cos(y) - b.y * sin(y), b.x * sin(y) + b.y * cos(y), b.z) * scale
    }

    @Test(arguments: [1.0, 1e-3, 30]) func localMeshes(scale: Double) throws {
        var random = SplitMix64(seed: 4)
        let mesh = grid(Self.steps.map { $0 / 30 }) { x, y in [Double(Float(x)), Double(Float(y)), Double(Float(random.number(-2...4)))] }
        let model = LocalModel(FloatMesh(vertices: mesh.vertices.map { SIMD3<Float>($0) }, triangles: mesh.triangles))
        model.scale = scale
        let map = MapView(600, 400)
        map.add(model)
        var count = 0
        for zoom in stride(from: 0.0, through: 22, by: 0.5) {
            model.pitch = random.one(of: [0, 90, random.number(-30...30)])
            model.roll = random.one(of: [0, random.number(-30...30)])
            model.yaw = random.one(of: [0, -90, random.number(-720...720)])
            model.isAutoscaled = random.once(in: 5)
            model.coordinates = LatLng(
                lat: random.number(-80...80), lng: random.one(of: [180, -179.99999, random.number(-180...180)]),
                altitude: random.one(of: [0, 2]))
            let anchor = try #require(model.coordinates)
            var design = DesignCamera()
            (design.width, design.height) = (600, 400)
            (design.zoom, design.tilt, design.bearing) = (zoom, random.number(0...80), random.number(0...360))
            let unit = model.isAutoscaled ? 1 : design.pointsPerMeter(lat: anchor.lat)
            let corners = mesh.vertices.map { vertex -> SIMD3<Double> in
                let step = place(vertex, pitch: model.pitch, roll: model.roll, yaw: model.yaw, scale: scale)
                let world = design.world(lat: anchor.lat, lng: anchor.lng)
                return SIMD3(
                    world.x + step.x * unit, world.y - step.y * unit,
                    anchor.altitude * design.pointsPerMeter(lat: anchor.lat) + step.z * unit)
            }
            // Centered at one of the vertices on the map.
            let target = random.one(of: corners)
            let y = (target.y + random.number(-1...1)) / design.worldSize
            guard y > 0.001, y < 0.999 else { continue }
            design.lat = atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
            design.lng = (target.x + random.number(-1...1)) / design.worldSize * 360 - 180
            map.camera = design.camera
            let center = design.world(lat: design.lat, lng: design.lng)
            let expected = corners.map { design.project($0.x - center.x, $0.y - center.y, height: $0.z) }
            count += check(expected, try map.frame(), design, "zoom \(zoom), \(model.isAutoscaled)")
        }
        #expect(count > 80)
    }

    @Test func meshesAcrossTheDateLineStayConnected() throws {
        // Single triangles, connected pairs, and a strip around the world.
        let across = GeoMesh(
            vertices: [
                [179, 0, 0], [-179, 0, 0], [-179, 2, 0], [179, 2, 0], [178, 1, 0], [-178, 3, 0], [-177, 3, 0], [-178, 4, 0],
            ],
            triangles: [[0, 1, 2], [0, 2, 3], [3, 4, 0], [5, 6, 7]])
        let map = MapView(400, 300, Camera(center: LatLng(lat: 1, lng: 180), zoom: 5))
        map.add(GeoModel(mesh: across))
        let frame = try map.frame()
        #expect(frame.meshInstances.count == 1)
        let xs = frame.corners(frame.meshInstances[0]).map { Double($0.x) }
        let degree = 512.0 * 32 / 360
        #expect(abs(xs.min()! + 2 * degree) < 0.01 && abs(xs.max()! - 3 * degree) < 0.01)
        map.camera.center.lng = -180
        #expect(try map.frame() == frame)

        let columns = stride(from: -180.0, to: 180, by: 30).map { $0 }
        let count = UInt32(columns.count)
        let ring = GeoMesh(
            vertices: columns.map { [$0, -10, 0] } + columns.map { [$0, 10, 0] },
            triangles: (0..<count).flatMap { number -> [SIMD3<UInt32>] in
                let next = (number + 1) % count
                return [[number, next, next + count], [number, next + count, number + count]]
            })
        let world = MapView(512, 512, Camera(zoom: 0))
        world.add(GeoModel(mesh: ring))
        let drawn = try world.frame()
        let widths = stride(from: 0, to: drawn.meshes[0].vertices.count, by: 3).map { first -> Float in
            let corners = drawn.corners(drawn.meshInstances[0])[first..<first + 3].map(\.x)
            return corners.max()! - corners.min()!
        }
        #expect(widths.count == 24 && widths.allSatisfy { abs($0 - 512.0 / 12) < 0.01 })
    }

    @Test func meshesAreCutWhereTheMapEnds() throws {
        let map = MapView(512, 512, Camera(zoom: 0))
        map.add(GeoModel(mesh: GeoMesh(vertices: [[-10, 80, 0], [10, 80, 0], [0, 90, 0]], triangles: [[0, 1, 2]])))
        let frame = try map.frame()
        let ys = frame.corners(frame.meshInstances[0]).map(\.y)
        #expect(abs(ys.min()! + 256) < 1e-3)
        #expect(try map.inspection().overlays[0].triangles == 1)
    }
}
