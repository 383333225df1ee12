import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Large meshes, which the software rasterizer draws in pieces.
@Suite(.serialized) struct MeshPiecesTests {
    init() { PinnedRasterizer.pin }

    /// 19,600 triangles.
    private static let mesh = ball(70)

    @Test(arguments: [[0, 0, 1], [0.3, -0.9, 0.1], [-1, 0.2, -0.4]] as [SIMD3<Float>]) func piecesAreTheWholeFromFrontToBack(
        view: SIMD3<Float>
    ) throws {
        let ranges = try #require(MeshPieces(Self.mesh)).ranges(along: view)
        #expect(ranges.count == 20)
        #expect(ranges.allSatisfy { $0.count.isMultiple(of: 3) })
        #expect(ranges.flatMap { $0 }.sorted() == Array(Self.mesh.indices.indices))
        let depths = ranges.map { range in
            let points = Self.mesh.indices[range].map { index in
                let vertex = Self.mesh.vertices[Int(index)]
                return SIMD3(vertex.x, vertex.y, vertex.z)
            }
            let (low, high) = (points.reduce(points[0], pointwiseMin), points.reduce(points[0], pointwiseMax))
            return ((low + high) * view).sum()
        }
        #expect(depths == depths.sorted())
    }

    /// Buildings may share walls, and the order of coinciding walls decides which one is visible.
    @Test func buildingsKeepTheirOrder() throws {
        var mesh = Self.mesh
        mesh.hasFaceNormals = true
        let ranges = try #require(MeshPieces(mesh)).ranges(along: [0, 0, -1])
        #expect(ranges.map(\.lowerBound) == ranges.map(\.lowerBound).sorted())
    }

    @Test func smallMeshesAreOnePiece() {
        #expect(MeshPieces(ball(45)) == nil)
    }

    @Test(arguments: [0.0, 80, 170, 260], [MeshBlending.opaque, .translucent]) func thePictureIsThatOfOnePiece(
        yaw: Double, blending: MeshBlending
    ) throws {
        var random = SplitMix64(seed: 5)
        var scene = MeshScene(110, 100, tilt: 40, bearing: 10, background: .white)
        scene.frame.meshes = [Self.mesh]
        _ = scene.add(Bitmap.noise(16, 16, &random, isOpaque: true))
        scene.frame.lightings = [Lighting(ambient: [0.2, 0.2, 0.2], lights: [.init(source: [0.6, 0, 0.8], color: [0.8, 0.8, 0.8])])]
        var instance = MeshInstance(mesh: 0, texture: 0, lighting: 0).turned(yaw: yaw, pitch: yaw / 2, scale: 30)
        if blending == .translucent { instance.alpha = 0.6 }
        scene.frame.meshInstances = [instance]
        scene.group(blending)
        let inPieces = try FrameRenderer(Context.make(.software, limits: [])).render(scene.frame)
        let atOnce = try FrameRenderer(Context.make(.software, limits: [.gpuSprites])).render(scene.frame)
        #expect(inPieces == atOnce)
        #expect(inPieces != Bitmap(width: 110, height: 100, fill: .white))
    }
}
