import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The models of the reference document from their objects to their pixels, compared with the camera and lighting formulas of
/// docs/Waymark.docc/CoordinateSystems.md.
@Suite(.serialized) struct ModelMeasureTests {
    init() { PinnedRasterizer.pin }

    private static let place = LatLng(lat: 49.263, lng: -123.13)
    private static let diamondVertices: [SIMD3<Double>] = [
        [0, 0, 0], [-40, -40, 80], [40, -40, 80], [40, 40, 80], [-40, 40, 80], [0, 0, 160],
    ]
    private static let diamondTriangles: [SIMD3<UInt32>] = [
        [0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1],
    ]

    /// A view of the place, and the same camera in the terms of the specification.
    private func view(zoom: Double, bearing: Double, tilt: Double) -> (MapView, DesignCamera) {
        let mapView = MapView(300, 300, Camera(center: Self.place, zoom: zoom, bearing: bearing, tilt: tilt))
        mapView.modelSamples = 1
        var camera = DesignCamera()
        (camera.lat, camera.lng, camera.zoom, camera.bearing, camera.tilt) = (Self.place.lat, Self.place.lng, zoom, bearing, tilt)
        (camera.width, camera.height) = (300, 300)
        return (mapView, camera)
    }

    private func diamond() -> LocalModel {
        let mesh = FloatMesh(
            vertices: Self.diamondVertices.map { SIMD3<Float>($0) },
            textureCoordinates: [[0.5, 0.5], [0.5, 1], [1, 0.5], [0.5, 0], [0, 0.5], [0.5, 0.5]], triangles: Self.diamondTriangles)
        return LocalModel(mesh: mesh, coordinates: Self.place)
    }

    private func yawed(_ point: SIMD3<Double>, _ degrees: Double) -> SIMD3<Double> {
        let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return [point.x * c - point.y * s, point.x * s + point.y * c, point.z]
    }

    /// A point in meters east, north and up of the place on the screen.
    private func project(_ point: SIMD3<Double>, _ camera: DesignCamera) -> (x: Double, y: Double, depth: Double) {
        let scale = camera.pointsPerMeter(lat: camera.lat)
        return camera.project(point.x * scale, -point.y * scale, height: point.z * scale)
    }

    /// How many pixels two pictures of a shape have in common, and in all.
    private func overlap(_ picture: Bitmap, _ triangles: [[(x: Double, y: Double)]]) -> (both: Int, either: Int) {
        func side(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ x: Double, _ y: Double) -> Double {
            (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
        }
        var (both, either) = (0, 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                let isInside = triangles.contains { t in
                    let sides = [side(t[0], t[1], px, py), side(t[1], t[2], px, py), side(t[2], t[0], px, py)]
                    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
                }
                let isDrawn = picture[x, y].alpha > 127
                both += isInside && isDrawn ? 1 : 0
                either += isInside || isDrawn ? 1 : 0
            }
        }
        return (both, either)
    }

    @Test(arguments: [0, 30, 60, 80.0], [1, 4]) func theDiamondCoversItsProjectedTriangles(tilt: Double, samples: Int) throws {
        let (mapView, camera) = view(zoom: 15.5, bearing: 25, tilt: tilt)
        mapView.modelSamples = samples
        let model = diamond()
        model.yaw = 10
        mapView.add(model)
        let picture = try Renderer(device: .software).render(mapView).bitmap
        let corners = Self.diamondVertices.map { project(yawed($0, 10), camera) }.map { (x: $0.x, y: $0.y) }
        let triangles = Self.diamondTriangles.map { [corners[Int($0.x)], corners[Int($0.y)], corners[Int($0.z)]] }
        let (both, either) = overlap(picture, triangles)
        #expect(both > 3000 && Double(both) / Double(either) >= 0.99, "\(both) of \(either)")
    }

    /// A triangle seen from its front, and from its back: a corner order that is clockwise, or a mirrored node of a file.
    @Test(arguments: [1, 4]) func backFacesAreDrawnOnlyWhereTheyShallBe(samples: Int) throws {
        let renderer = try Renderer(device: .software)
        func isDrawn(_ triangle: SIMD3<UInt32>, surface: Bool? = nil, model: Bool? = nil, alpha: Double = 1) throws -> Bool {
            let (mapView, _) = view(zoom: 16, bearing: 25, tilt: 0)
            mapView.modelSamples = samples
            let mesh = FloatMesh(vertices: [[-60, -60, 0], [60, -60, 0], [0, 60, 0]], triangles: [triangle])
            if let surface { mesh.surfaces = [.init(triangles: 0..<1, isDoubleSided: surface)] }
            let shown = LocalModel(mesh: mesh, coordinates: Self.place)
            (shown.isDoubleSided, shown.alpha) = (model, alpha)
            mapView.add(shown)
            let picture = try renderer.render(mapView).bitmap
            let middle = picture[150, 150].alpha
            #expect(middle == 0 || middle == UInt8((alpha * 255).rounded()))
            return middle > 0
        }
        let (front, back): (SIMD3<UInt32>, SIMD3<UInt32>) = ([0, 1, 2], [0, 2, 1])
        for alpha in [1, 0.5] {
            for (surface, model, isBackDrawn) in [
                (nil, nil, true), (nil, false, false), (false, nil, false), (false, true, true), (true, false, false),
            ] as [(Bool?, Bool?, Bool)] {
                #expect(try isDrawn(front, surface: surface, model: model, alpha: alpha))
                #expect(try isDrawn(back, surface: surface, model: model, alpha: alpha) == isBackDrawn)
            }
        }
    }

    /// A closed body looks the same without its backs, but for the samples at its edges.
    @Test func aClosedBodyNeedsNoBacks() throws {
        let renderer = try Renderer(device: .software)
        let (mapView, _) = view(zoom: 15.5, bearing: 25, tilt: 50)
        let model = diamond()
        model.addLight(DirectionalLight(direction: [1, 1, -1]))
        mapView.add(model)
        let both = try renderer.render(mapView).bitmap
        model.isDoubleSided = false
        let fronts = try renderer.render(mapView).bitmap
        #expect(zip(both.pixels, fronts.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        // Turned inside out, its inside is seen.
        model.mesh.triangles = model.mesh.triangles.map { [$0.x, $0.z, $0.y] }
        #expect(try renderer.render(mapView).bitmap != fronts)
    }

    @Test(arguments: [0, 30, 60, 80.0]) func thePyramidOverVancouverCoversItsProjectedTriangles(tilt: Double) throws {
        let (mapView, camera) = view(zoom: 13, bearing: -40, tilt: tilt)
        mapView.add(pyramid().model)
        let picture = try Renderer(device: .software).render(mapView).bitmap
        let corners = pyramid().vertices.map { camera.project(lat: $0.y, lng: $0.x, altitude: $0.z) }.map { (x: $0.x, y: $0.y) }
        let triangles = [[0, 4, 1], [2, 3, 4], [0, 2, 4], [1, 4, 3]].map { $0.map { corners[$0] } }
        let (both, either) = overlap(picture, triangles)
        #expect(both > 1500 && Double(both) / Double(either) >= 0.99, "\(both) of \(either)")
    }

    private func pyramid() -> (model: GeoModel, vertices: [SIMD3<Double>]) {
        let vertices: [SIMD3<Double>] = [
            [-123.133392, 49.265275, 0], [-123.127813, 49.265275, 0], [-123.133392, 49.261803, 0], [-123.127813, 49.261803, 0],
            [-123.130903, 49.263931, 1250],
        ]
        let mesh = GeoMesh(
            vertices: vertices, textureCoordinates: [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]],
            triangles: [[0, 4, 1], [2, 3, 4], [0, 2, 4], [1, 4, 3]])
        return (GeoModel(mesh: mesh), vertices)
    }

    /// The north-west corner shows the texture's upper left, and so on round.
    @Test func theTextureDrapesThePyramid() throws {
        var flag = Bitmap(width: 64, height: 64)
        let (red, green) = (Bitmap.Pixel(red: 200, green: 0, blue: 0, alpha: 255), Bitmap.Pixel(red: 0, green: 160, blue: 0, alpha: 255))
        let (blue, grey) = (Bitmap.Pixel(red: 0, green: 0, blue: 220, alpha: 255), Bitmap.Pixel(red: 90, green: 90, blue: 90, alpha: 255))
        for y in 0..<64 {
            for x in 0..<64 { flag[x, y] = y < 32 ? (x < 32 ? red : green) : (x < 32 ? blue : grey) }
        }
        let (mapView, camera) = view(zoom: 13.5, bearing: 0, tilt: 0)
        let (model, vertices) = pyramid()
        model.texture = OverlayImage(bitmap: flag)
        mapView.add(model)
        let picture = try Renderer(device: .software).render(mapView).bitmap
        let centre = camera.world(lat: camera.lat, lng: camera.lng)
        let world = vertices.map { vertex in
            let point = camera.world(lat: vertex.y, lng: vertex.x)
            return SIMD3(point.x - centre.x, point.y - centre.y, vertex.z * camera.pointsPerMeter(lat: vertex.y))
        }
        for (corner, neighbour, color) in [(0, 1, red), (1, 0, green), (2, 3, blue), (3, 2, grey)] {
            let point = world[corner] * 0.7 + world[4] * 0.2 + world[neighbour] * 0.1
            let screen = camera.project(point.x, point.y, height: point.z)
            #expect(picture[Int(screen.x), Int(screen.y)] == color, "corner \(corner)")
        }
    }

    /// The colors of the faces that are seen, by their numbers, where their middles are.
    private func faces(_ mapView: MapView, _ camera: DesignCamera, yaw: Double) throws -> [Int: Bitmap.Pixel] {
        let picture = try Renderer(device: .software).render(mapView).bitmap
        var colors: [Int: Bitmap.Pixel] = [:]
        for (number, triangle) in Self.diamondTriangles.enumerated() {
            let corners = [triangle.x, triangle.y, triangle.z].map { project(yawed(Self.diamondVertices[Int($0)], yaw), camera) }
            let (a, b, c) = (corners[0], corners[1], corners[2])
            // On the screen, y down, the document's faces go counterclockwise from outside.
            let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
            guard abs(area) > 200, area < 0 else { continue }
            colors[number] = picture[Int((a.x + b.x + c.x) / 3), Int((a.y + b.y + c.y) / 3)]
        }
        return colors
    }

    /// The outward normal of a face of the diamond.
    private func normal(_ face: Int, yaw: Double) -> SIMD3<Double> {
        let triangle = Self.diamondTriangles[face]
        let corners = [triangle.x, triangle.y, triangle.z].map { yawed(Self.diamondVertices[Int($0)], yaw) }
        let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
        let cross = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
        let middle = (corners[0] + corners[1] + corners[2]) / 3 - [0, 0, 80]
        return cross / (cross * cross).sum().squareRoot() * ((cross * middle).sum() < 0 ? -1 : 1)
    }

    private static let directions: [SIMD3<Double>] = [
        [0, 0.5, -1], [1, 0.2, -0.3], [-1, -1, 0.4], [0.1, 0, -1],
    ]

    private func expected(_ model: LocalModel, base: SIMD3<Double>, face: Int, yaw: Double) -> SIMD3<Double> {
        let normal = normal(face, yaw: yaw)
        var light = SIMD3(repeating: model.material.ambient.red)
        for lamp in model.lights {
            let direction = SIMD3(lamp.direction.x, lamp.direction.y, lamp.direction.z)
            let source = -direction / (direction * direction).sum().squareRoot()
            light += SIMD3(lamp.color.red, lamp.color.green, lamp.color.blue) * lamp.intensity * max(0, (normal * source).sum())
        }
        return pointwiseMin(base * light, .one) * 255
    }

    private func expect(_ pixel: Bitmap.Pixel, _ wanted: SIMD3<Double>, _ comment: Comment) {
        let off = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue)) - wanted
        #expect(max(abs(off.x), abs(off.y), abs(off.z)) <= 1 && pixel.alpha == 255, comment)
    }

    @Test(arguments: directions, [0, 130.0]) func eachFaceOfTheDiamondHasTheFormulasColour(direction: SIMD3<Double>, yaw: Double) throws {
        let base = SIMD3(0.8, 0.6, 0.4)
        for (bearing, tilt) in [(0.0, 60.0), (100, 75), (200, 20), (290, 45)] {
            let (mapView, camera) = view(zoom: 15.5, bearing: bearing, tilt: tilt)
            let model = diamond()
            model.yaw = yaw
            model.material.diffuse = Color(red: base.x, green: base.y, blue: base.z)
            model.addLight(DirectionalLight(direction: direction, color: Color(red: 1, green: 0.9, blue: 0.7)))
            mapView.add(model)
            let faces = try faces(mapView, camera, yaw: yaw)
            #expect(faces.count >= 2)
            for (face, pixel) in faces {
                expect(pixel, expected(model, base: base, face: face, yaw: yaw), "face \(face) from \(bearing)°, tilt \(tilt)")
            }
        }
    }

    @Test func lightsAddUpAndAreCutOff() throws {
        let base = SIMD3(0.9, 0.5, 0.2)
        let (mapView, camera) = view(zoom: 15.5, bearing: 20, tilt: 55)
        let model = diamond()
        model.material.diffuse = Color(red: base.x, green: base.y, blue: base.z)
        model.addLight(
            DirectionalLight(direction: [0, 1, -0.2], color: Color(red: 1, green: 0.5, blue: 0), intensity: 1.5))
        model.addLight(DirectionalLight(direction: [-0.3, 1, -1], color: .white, intensity: 0.8))
        mapView.add(model)
        let faces = try faces(mapView, camera, yaw: 0)
        var isCutOff = false
        for (face, pixel) in faces {
            let wanted = expected(model, base: base, face: face, yaw: 0)
            isCutOff = isCutOff || wanted.x == 255
            expect(pixel, wanted, "face \(face)")
        }
        #expect(isCutOff && faces.count >= 2)
    }

    @Test func turningTheCameraTurnsNoShading() throws {
        var seen: [Int: Bitmap.Pixel] = [:]
        var again = 0
        for bearing in stride(from: 0.0, to: 360, by: 40) {
            let (mapView, camera) = view(zoom: 15.5, bearing: bearing, tilt: 60)
            let model = diamond()
            model.addLight(DirectionalLight(direction: [0.4, 0.8, -0.6]))
            mapView.add(model)
            for (face, pixel) in try faces(mapView, camera, yaw: 0) {
                if let known = seen[face] {
                    again += 1
                    #expect(known == pixel, "face \(face) at bearing \(bearing)")
                }
                seen[face] = pixel
            }
        }
        #expect(again > 10 && Set(seen.values.map { "\($0)" }).count > 3)
    }
}
