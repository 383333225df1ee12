import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkTiles

@Suite struct PrintTests {
    @Test func printsEveryPrimitive() {
        var frame = Frame(width: 20, height: 10, background: .white)
        frame.images = [FrameImage(key: 1, name: "dot", bitmap: Bitmap(width: 2, height: 3))]
        frame.sprites = [
            Sprite(x: 1, y: 2, across: (2, 0), down: (0, 3), image: 0, sampling: .nearest),
            Sprite(x: -0.25, y: 4, z: 5, across: (1.5, 0.5), down: (-0.5, 1.5), alpha: 0.5, image: 0, plane: .ground),
        ]
        frame.commands = [
            .sprites(0..<1, .nearest), .beginGroup(Group(alpha: 0.5, bounds: PixelRect(x: 1, y: 2, width: 3, height: 4))),
            .sprites(1..<2, .linear), .endGroup,
        ]
        let lines = frame.description.split(separator: "\n").dropFirst(2)
        #expect(
            Array(lines) == [
                "image 0: dot, 2 × 3 px", "1 sprite, nearest", "  image 0 at 1.000 2.000, across 2.000 0.000, down 0.000 3.000",
                "group alpha 0.500, bounds 1 2 3 × 4, samples 1", "  1 sprite, linear",
                "    image 0 on ground at -0.250 4.000 up 5.000, across 1.500 0.500, down -0.500 1.500, alpha 0.500",
            ])
    }

    @Test func printsTilesAndSky() {
        var frame = Frame(width: 20, height: 10)
        frame.tileSets = [FrameTileSet(TileSet(NoTiles()))]
        frame.tiles = [
            GroundTile(
                TileAddress(zoom: 3, x: 4, y: 5), west: -1, middleX: 0, east: 1, north: 2, middleY: 3, south: 4,
                splitSides: [.north, .west])
        ]
        let fade = GroundFade(edges: [GroundFade.Edge(x: 0, y: -0.1, offset: 1.5)])
        let sky = FrameSky(horizon: .red, zenith: .blue, fade: fade)
        frame.commands = [.tiles(0..<1, TileDrawing(set: 0, alpha: 0.25, filter: .mipmapped)), .sky(sky)]
        #expect(
            frame.description.split(separator: "\n").dropFirst(2) == [
                "tile set 0: nowhere", "1 tile, set 0, mipmapped, alpha 0.250",
                "  3/4/5 from -1.000 2.000 to 1.000 4.000, split: north west",
                "sky #ff0000 to #0000ff, edges 0.000000 -0.100000 1.500",
            ])
    }

    private final class NoTiles: TileSource {
        let info = TileSetInfo(name: "nowhere")
        func tile(at address: TileAddress) -> TileData? { nil }
    }

    @Test func printsMeshes() {
        var frame = Frame(width: 20, height: 10)
        frame.images = [FrameImage(key: 1, name: "wood", bitmap: Bitmap(width: 2, height: 3))]
        let corners: [SIMD3<Float>] = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        frame.meshes = [
            FrameMesh(
                key: 1, name: "sail", vertices: corners.map { MeshVertex($0, normal: [0, 0, 1]) },
                colors: corners.map { _ in [255, 0, 0, 255] }, indices: [0, 1, 2], isWithinTexture: true)
        ]
        frame.lightings = [Lighting(ambient: [0.3, 0.3, 0.3], lights: [.init(source: [0, 0.6, 0.8], color: [1, 0.5, 2])])]
        frame.meshInstances = [
            MeshInstance(mesh: 0),
            MeshInstance(
                mesh: 0, texture: 0, sampler: TextureSampler(wrapV: .clampToEdge, magFilter: .nearest, mipmapFilter: .none),
                alphaCutoff: 0.5, lighting: 0, axisX: [2, 0, 0], axisY: [0, -2, 0], axisZ: [0, 0, 2], origin: [1, -2.5, 3],
                diffuse: [1, 0, 0.5, 1], alpha: 0.25, faces: .front, depthBiasStep: 3),
        ]
        frame.commands = [
            .beginGroup(Group(bounds: PixelRect(x: 1, y: 2, width: 3, height: 4), samples: 4, depths: 2...30.5)),
            .meshes(0..<1, .opaque), .meshes(1..<2, .translucent), .endGroup,
        ]
        let lines = frame.description.split(separator: "\n").dropFirst(2).map(String.init)
        let sampling = "wrap repeat clampToEdge, filter nearest linear, mipmaps none, alpha cutoff 0.500"
        let second: String =
            "    mesh 0, image 0, \(sampling), lighting 0 at 1.000 -2.500 3.000, x 2.000 0.000 0.000, y 0.000 -2.000 0.000, "
            + "z 0.000 0.000 2.000, diffuse 1.000 0.000 0.500 1.000, alpha 0.250, front faces, tier 3"
        #expect(
            lines == [
                "image 0: wood, 2 × 3 px", "mesh 0: sail, 3 vertices with colors, 1 triangles",
                "lighting 0: ambient 0.300 0.300 0.300, 1.000 0.500 2.000 from 0.000 0.600 0.800",
                "group alpha 1.000, bounds 1 2 3 × 4, samples 4, depths 2.000…30.500", "  1 mesh instance, opaque",
                "    mesh 0 at 0.000 0.000 0.000, x 1.000 0.000 0.000, y 0.000 -1.000 0.000, z 0.000 0.000 1.000, "
                    + "diffuse 1.000 1.000 1.000 1.000",
                "  1 mesh instance, translucent",
                second,
            ])
    }

    @Test func meshEqualityIgnoresKeys() {
        let vertices = [MeshVertex([1, 2, 3], normal: [0, 0, 1], texture: [0.5, 1])]
        let mesh = FrameMesh(key: 1, name: "a", vertices: vertices, indices: [0, 0, 0], isWithinTexture: true)
        var other = mesh
        other.key = 2
        #expect(other == mesh)
        other.colors = [[0, 0, 0, 255]]
        #expect(other != mesh)
        other.colors = []
        other.vertices[0].v = 0
        #expect(other != mesh)
        // The stride in the vertex buffer.
        #expect(MemoryLayout<MeshVertex>.stride == 32)
    }
}
