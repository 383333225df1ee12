import Foundation
import Waymark

/// Workload W5: a lit, textured, bumpy sphere on a picture of 1024 × 1024, drawn repeatedly with the camera turned each time.
struct MeshCase {
    /// The numbers of vertices and triangles as Int64; positions, normals and texture coordinates as Float32; triangles as UInt32.
    let mesh: String
    /// 512 × 512 straight RGBA.
    let texture: String
    /// Whether back faces are left out.
    var isCulled = false
    /// Whether the texture is filtered by mipmaps, and along the view; otherwise each pixel is one bilinear sample.
    var hasMipmaps = true
    /// The samples per pixel.
    var samples = 1
    var budget = Duration.seconds(3)

    struct Figures: Encodable {
        var device: String
        var triangles: Int
        var culled: Bool
        var mipmaps: Bool
        var samples: Int
        /// From the arrays to the first finished picture; the device is already open.
        var setup_ms: Double
        /// Frames of the same view, and with the camera turned by a degree each time.
        var still_ms: Times
        var turned_ms: Times
        var layout_ms: Times
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    private static let textureSide = 512
    /// The sphere's radius in pt: as large in the picture as the peers' from 3.2 radii.
    private static let radius = 443.0

    func run() throws -> Figures {
        let mesh = try readMesh()
        let image = try readTexture()
        let renderer = try Renderer()
        var picture = Picture()
        var watch = Stopwatch()
        let mapView = MapView(size: CGSize(width: MarkersCase.side, height: MarkersCase.side))
        mapView.modelSamples = samples
        mapView.camera = camera(step: 0)
        mapView.add(model(mesh, image))
        try renderer.render(mapView, into: &picture)
        let setup = watch.lap()
        let meanByte = picture.bitmap.meanByte
        if let path = ProcessInfo.processInfo.environment["WAYMARK_BENCH_PICTURE"] { try picture.write(to: path) }
        let still = try FrameTimes(renderer, budget: budget / 2) { _ in try renderer.render(mapView, into: &picture) }
        let turned = try FrameTimes(renderer, budget: budget / 2) { step in
            mapView.camera = camera(step: step)
            try renderer.render(mapView, into: &picture)
        }
        return Figures(
            device: renderer.deviceName, triangles: mesh.triangles.count, culled: isCulled, mipmaps: hasMipmaps, samples: samples,
            setup_ms: setup, still_ms: still.frame_ms, turned_ms: turned.frame_ms, layout_ms: turned.layout_ms, peak_rss_mib: peakMemory(),
            mean_byte: meanByte)
    }

    private func camera(step: Int) -> Camera {
        Camera(center: MarkersCase.center, zoom: MarkersCase.zoom, bearing: step.isMultiple(of: 2) ? 0 : 1, tilt: 60)
    }

    private func model(_ mesh: FloatMesh, _ texture: OverlayImage) -> LocalModel {
        let model = LocalModel(mesh: mesh)
        model.coordinates = MarkersCase.center
        model.isAutoscaled = true
        model.isDoubleSided = !isCulled
        model.scale = Self.radius
        model.texture = texture
        if !hasMipmaps { model.textureSampler.mipmapFilter = .none }
        model.material.ambient = Color(red: 0.2, green: 0.2, blue: 0.2)
        _ = model.addLight(DirectionalLight(direction: [-0.48, -0.64, -0.6], intensity: 0.8))
        return model
    }

    private func readMesh() throws -> FloatMesh {
        let data = try Data(contentsOf: URL(filePath: mesh))
        return try data.withUnsafeBytes { bytes in
            guard bytes.count >= 16 else { throw Arguments.Mistake("\(mesh) is too short for a mesh") }
            let vertices = bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)
            let triangles = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
            let limit = Int64(1) << 32
            guard 0..<limit ~= vertices, 0..<limit ~= triangles, Int64(bytes.count) == 16 + vertices * 32 + triangles * 12 else {
                throw Arguments.Mistake("\(mesh): \(bytes.count) bytes are not a mesh")
            }
            var offset = 16
            func next<Number: BitwiseCopyable>(_ count: Int64) -> [Number] {
                defer { offset += Int(count) * MemoryLayout<Number>.size }
                return (0..<Int(count)).map {
                    bytes.loadUnaligned(fromByteOffset: offset + $0 * MemoryLayout<Number>.size, as: Number.self)
                }
            }
            let (positions, normals, textures): ([Float], [Float], [Float]) = (next(vertices * 3), next(vertices * 3), next(vertices * 2))
            let corners: [UInt32] = next(triangles * 3)
            let result = FloatMesh()
            result.setVertices(positions, count: Int(vertices))
            result.setNormals(normals, count: Int(vertices))
            result.setTextureCoordinates(textures, count: Int(vertices))
            result.setTriangles(corners, count: Int(triangles))
            return result
        }
    }

    private func readTexture() throws -> OverlayImage {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: texture)))
        guard let bitmap = Bitmap(width: Self.textureSide, height: Self.textureSide, straightPixels: bytes) else {
            throw Arguments.Mistake("\(texture): \(bytes.count) bytes are not \(Self.textureSide) × \(Self.textureSide) pixels")
        }
        return OverlayImage(bitmap: bitmap)
    }
}
