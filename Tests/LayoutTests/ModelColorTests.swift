import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Colors of vertices, samplers and alpha cutoffs of models.
@Suite struct ModelColorTests {
    /// A different color for each vertex of a box.
    private static let colors = (0..<8).map {
        Color(red: $0 & 1 == 0 ? 0 : 1, green: $0 & 2 == 0 ? 0.2 : 0.8, blue: $0 & 4 == 0 ? 0 : 0.5)
    }

    private func box(normals: Bool = false) -> FloatMesh {
        let mesh = FloatMesh.box()
        mesh.colors = Self.colors
        if normals { mesh.normals = mesh.vertices.map { $0 - [0, 0, 5] } }
        return mesh
    }

    /// The color of the box's vertex in the same corner.
    private func expected(_ vertex: MeshVertex) -> SIMD4<UInt8> {
        [vertex.x < 0 ? 0 : 255, vertex.y < 0 ? 51 : 204, vertex.z < 0 ? 0 : 128, 255]
    }

    @Test(arguments: [true, false], [1, 3]) func everyVertexKeepsItsColor(normals: Bool, surfaces: Int) throws {
        let mesh = box(normals: normals)
        if surfaces > 1 {
            mesh.surfaces = (0..<surfaces).map { .init(triangles: $0 * 4..<$0 * 4 + 4, diffuse: Color(white: Double($0) / 2)) }
        }
        // Belongs to no triangle.
        mesh.vertices.append([0, 0, 0])
        mesh.colors.append(.magenta)
        if normals { mesh.normals.append([0, 0, 1]) }
        let frame = try MapView.city(LocalModel(mesh)).frame()
        #expect(frame.meshes.count == surfaces)
        for mesh in frame.meshes {
            #expect(mesh.colors.count == mesh.vertices.count && zip(mesh.vertices, mesh.colors).allSatisfy { expected($0) == $1 })
        }
        #expect(frame.commands.contains(.meshes(0..<surfaces, .opaque)))
    }

    @Test func meshesWithoutColorsHaveNone() throws {
        #expect(try MapView.city(LocalModel()).frame().meshes.allSatisfy(\.colors.isEmpty))
    }

    @Test func aNewColorShowsInTheNextFrame() throws {
        let mesh = box()
        let map = MapView.city(LocalModel(mesh))
        let key = try map.frame().meshes[0].key
        mesh.colors = Array(repeating: .red, count: 8)
        let frame = try map.frame()
        #expect(frame.meshes[0].key != key && frame.meshes[0].colors.allSatisfy { $0 == [255, 0, 0, 255] })
        mesh.colors[3] = Color(white: 2)
        #expect(try map.inspection().diagnostics.map(\.message) == ["a channel is outside 0…1"])
    }

    @Test func piecesOfLargeMeshesHaveColorsInBetween() throws {
        let mesh = FloatMesh.plate(10)
        mesh.colors = mesh.vertices.map { Color(red: $0.x < 0 ? 0 : 1, green: $0.y < 0 ? 0 : 1, blue: 0.4) }
        // The origin is at the plate's middle, where red and green are half.
        let frame = try MapView.city(LocalModel(mesh) { $0.scale = 10_000 }, zoom: 20, tilt: 0).frame()
        let piece = frame.meshes[0]
        #expect(piece.name == "piece of local mesh" && piece.colors.count == piece.vertices.count)
        let (instance, pixels) = (frame.meshInstances[0], 100_000 * frame.pointsPerMeterAtCity)
        for (corner, color) in zip(frame.corners(instance), piece.colors) {
            let (red, green) = (0.5 + Double(corner.x) / pixels, 0.5 - Double(corner.y) / pixels)
            let off = SIMD2(Double(color.x) - red * 255, Double(color.y) - green * 255)
            #expect(max(off.x, -off.x, off.y, -off.y) <= 1)
            #expect(color.z == 102)
        }
    }

    @Test func geoMeshesHaveColors() throws {
        let mesh = GeoMesh.square(LatLng.city.lat, LatLng.city.lng, 0.001)
        mesh.colors = [.red, .green, .blue, .white]
        let colors = try MapView.city(GeoModel(mesh: mesh)).frame().meshes[0].colors
        let all: [SIMD4<UInt8>] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
        #expect(colors == [all[0], all[1], all[2], all[0], all[2], all[3]])
        // Around the world, where corners get separate vertices.
        let belt = GeoMesh(
            vertices: [[-120, 0, 0], [0, 0, 0], [120, 0, 0], [0, 40, 0]], triangles: [[0, 1, 3], [1, 2, 3], [2, 0, 3]],
            colors: [.red, .green, .blue, .white])
        let frame = try MapView(300, 200, Camera(center: LatLng(lat: 10, lng: 0), zoom: 1)).showing(GeoModel(mesh: belt)).frame()
        let found = frame.meshes[0]
        #expect(found.colors.count == found.vertices.count && found.colors.count == 9)
    }

    // MARK: Translucency and cutoffs

    /// Each instance's blending, alpha cutoff and diffuse alpha.
    private func instances(_ model: LocalModel) throws -> [String] {
        let frame = try MapView.city(model).frame()
        var list: [String] = []
        for case .meshes(let range, let blending) in frame.commands {
            for instance in frame.meshInstances[range] {
                list.append("\(blending) \(instance.alphaCutoff.map { "\($0)" } ?? "none") \(instance.diffuse.w)")
            }
        }
        return list
    }

    private func texture(alpha: Double) -> OverlayImage {
        OverlayImage(bitmap: Bitmap(width: 2, height: 2, fill: Color(red: 1, green: 0, blue: 0, alpha: alpha)))
    }

    @Test func alphaOfVerticesIsTranslucent() throws {
        let mesh = box()
        #expect(try instances(LocalModel(mesh)) == ["opaque none 1.0"])
        mesh.colors[7].alpha = 0.5
        #expect(try instances(LocalModel(mesh)) == ["translucent none 1.0"])
        // Only the surface that has the vertex: the upper side of the box, not the lower one.
        mesh.surfaces = [.init(triangles: 0..<2), .init(triangles: 2..<12, diffuse: .red)]
        #expect(try instances(LocalModel(mesh)) == ["opaque none 1.0", "translucent none 1.0"])
    }

    @Test func aCutoffMakesOpaque() throws {
        for (cutoff, diffuse, alpha, expected) in [
            (0.5, 1, 0.5, ["opaque 0.5 1.0"]), (0.25, 0.5, 0.5, ["opaque 0.5 1.0"]), (0, 0.5, 0.5, ["opaque 0.0 1.0"]),
            (0, 0, 0.5, ["opaque 0.0 1.0"]),
            // An opaque texture is cut nowhere or everywhere.
            (0.5, 0.75, 1, ["opaque none 1.0"]), (0.75, 0.5, 1, []), (0.75, 0.5, 0.5, []),
        ] as [(Double, Double, Double, [String])] {
            func model(_ change: (LocalModel) -> Void) -> LocalModel {
                LocalModel(.plate()) {
                    $0.texture = texture(alpha: alpha)
                    change($0)
                }
            }
            let color = Color(white: 1, alpha: diffuse)
            #expect(try instances(model { $0.material = Material(diffuse: color, alphaCutoff: cutoff) }) == expected)
            // The same of a surface, whose cutoff the model's overrides.
            let ofSurface = model { $0.mesh.surfaces = [.init(triangles: 0..<2, diffuse: color, alphaCutoff: cutoff)] }
            #expect(try instances(ofSurface) == expected)
            ofSurface.material.alphaCutoff = 0
            #expect(try instances(ofSurface) == [alpha < 1 ? "opaque 0.0 1.0" : "opaque none 1.0"])
        }
        // The opacity of the model is another matter.
        #expect(
            try instances(
                LocalModel(.plate()) { ($0.texture, $0.material.alphaCutoff, $0.alpha) = (texture(alpha: 0.5), 0.5, 0.5) })
                == ["translucent 0.5 1.0"])
    }

    @Test func surfacesThatAreNotLitHaveNoLights() throws {
        let mesh = FloatMesh.box()
        mesh.surfaces = [.init(triangles: 0..<4, isLit: false), .init(triangles: 4..<8), .init(triangles: 8..<12, isLit: false)]
        let model = LocalModel(mesh)
        let map = MapView.city(model)
        #expect(try map.frame().meshInstances.allSatisfy { $0.lighting == nil })
        model.addLight(DirectionalLight(direction: [0, 1, -1]))
        let frame = try map.frame()
        #expect(frame.lightings.count == 1 && frame.meshInstances.count == 3)
        #expect(frame.meshInstances.count { $0.lighting == nil } == 2 && frame.meshInstances.count { $0.lighting == 0 } == 1)
    }

    @Test func samplersComeWithTheirTextures() throws {
        let nearest = TextureSampler(wrapU: .clampToEdge, magFilter: .nearest)
        let mesh = FloatMesh.plate()
        mesh.surfaces = [.init(triangles: 0..<2, texture: texture(alpha: 1), sampler: nearest)]
        func samplers(_ change: (LocalModel) -> Void) throws -> [TextureSampler] {
            try MapView.city(LocalModel(mesh, change)).frame().meshInstances.map(\.sampler)
        }
        #expect(try samplers { _ in } == [nearest])
        // The model's own texture has the model's own sampler; the surface's keeps its own.
        #expect(try samplers { $0.texture = texture(alpha: 1) } == [TextureSampler()])
        let mirrored = TextureSampler(wrapV: .mirroredRepeat)
        #expect(try samplers { $0.textureSampler = mirrored } == [nearest])
        #expect(try samplers { ($0.texture, $0.textureSampler) = (texture(alpha: 1), mirrored) } == [mirrored])
    }
}

extension MapView {
    fileprivate func showing(_ overlay: Overlay) -> MapView {
        add(overlay)
        return self
    }
}

extension Frame {
    /// At zoom 20.
    fileprivate var pointsPerMeterAtCity: Double { WebMercator.pointsPerMeter(lat: LatLng.city.lat, worldSize: 512 * 0x1p20) }
}
