import Foundation
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Frames of meshes for tests, and their expected appearance, computed independently with plain numbers.
struct MeshScene {
    var frame: Frame
    let camera: DesignCamera

    init(_ width: Int, _ height: Int, tilt: Double = 0, bearing: Double = 0, background: Color = .clear) {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.tilt, camera.bearing) = (Double(width), Double(height), tilt, bearing)
        self.camera = camera
        frame = Frame(
            width: width, height: height, background: background,
            ground: GroundCamera(width: Double(width), height: Double(height), bearing: bearing, tilt: tilt))
    }

    var whole: PixelRect { .init(x: 0, y: 0, width: frame.width, height: frame.height) }

    /// Adds a mesh and gives its number.
    @discardableResult
    mutating func add(
        _ triangles: [[SIMD3<Float>]], normal: SIMD3<Float>? = nil, texture: (SIMD3<Float>) -> SIMD2<Float> = { _ in .zero },
        isWithinTexture: Bool = true, key: UInt64? = nil
    ) -> UInt32 {
        let vertices = triangles.flatMap { corners in
            let across = cross(corners[1] - corners[0], corners[2] - corners[0])
            return corners.map { MeshVertex($0, normal: normal ?? across.unit, texture: texture($0)) }
        }
        let number = UInt32(frame.meshes.count)
        frame.meshes.append(
            FrameMesh(
                key: key ?? UInt64(number), name: "mesh \(number)", vertices: vertices, indices: vertices.indices.map { UInt32($0) },
                isWithinTexture: isWithinTexture))
        return number
    }

    mutating func add(_ image: Bitmap) -> UInt32 {
        frame.images.append(FrameImage(key: UInt64(frame.images.count), name: "image", bitmap: image))
        return UInt32(frame.images.count - 1)
    }

    /// One group of all instances.
    mutating func group(_ blending: MeshBlending = .opaque, samples: Int = 1, depths: ClosedRange<Double>? = nil) {
        let depths = depths ?? camera.height / 50...20 * camera.distance
        frame.commands = [
            .beginGroup(Group(bounds: whole, samples: samples, depths: depths)), .meshes(frame.meshInstances.indices, blending), .endGroup,
        ]
    }

    /// A group as a separate layer: it contains another command that draws nothing.
    mutating func isolate() {
        frame.commands.insert(.sprites(0..<0, .nearest), at: 1)
    }

    func drawn() throws -> Bitmap { try FrameRenderer(Context.make()).render(frame) }
}

extension MeshScene {
    /// Where an instance puts a point of its mesh: a world offset (east, south, up).
    static func place(_ point: SIMD3<Float>, _ instance: MeshInstance) -> SIMD3<Double> {
        let (x, y, z) = (SIMD3<Double>(instance.axisX), SIMD3<Double>(instance.axisY), SIMD3<Double>(instance.axisZ))
        return x * Double(point.x) + y * Double(point.y) + z * Double(point.z) + SIMD3<Double>(instance.origin)
    }

    /// The triangles of an instance on the screen.
    func projected(_ instance: MeshInstance) -> [[SIMD2<Double>]] {
        let mesh = frame.meshes[Int(instance.mesh)]
        return stride(from: 0, to: mesh.indices.count, by: 3).map { first in
            (0..<3).map { corner in
                let vertex = mesh.vertices[Int(mesh.indices[first + corner])]
                let world = Self.place([vertex.x, vertex.y, vertex.z], instance)
                let screen = camera.project(world.x, world.y, height: world.z)
                return [screen.x, screen.y]
            }
        }
    }

    /// The hits of a pixel's ray on an instance: depths in pt, and how far inside of the triangle, in pixels, the pixel's center is
    /// (below 0: outside).
    func hits(_ x: Int, _ y: Int, _ instance: MeshInstance) -> [(depth: Double, margin: Double)] {
        let mesh = frame.meshes[Int(instance.mesh)]
        let screen = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        return stride(from: 0, to: mesh.indices.count, by: 3).compactMap { first -> (depth: Double, margin: Double)? in
            let corners: [SIMD3<Double>] = (0..<3).map { corner in
                let vertex = mesh.vertices[Int(mesh.indices[first + corner])]
                return Self.place([vertex.x, vertex.y, vertex.z], instance)
            }
            let normal = cross(corners[1] - corners[0], corners[2] - corners[0])
            // The ray is affine in the depth.
            let (near, far) = (onRay(screen, depth: 0), onRay(screen, depth: 1))
            let slope = ((far - near) * normal).sum()
            guard abs(slope) > 1e-12 else { return nil }
            let depth = ((corners[0] - near) * normal).sum() / slope
            // Behind the camera nothing is seen.
            guard depth > 0 else { return nil }
            let hit = near + (far - near) * depth
            // The smallest distance to an edge, in pt at that depth, is the given number of pixels.
            let margin: Double = (0..<3).map { edge -> Double in
                let (a, b) = (corners[edge], corners[(edge + 1) % 3])
                let inward = cross(normal, b - a)
                return ((hit - a) * inward).sum() / (inward * inward).sum().squareRoot()
            }.reduce(.infinity, min)
            return (depth, margin * camera.distance / depth * abs(slope) / (normal * normal).sum().squareRoot())
        }
    }

    /// The world offset (east, south, up) that a screen point shows at a depth.
    func onRay(_ screen: SIMD2<Double>, depth: Double) -> SIMD3<Double> {
        let (t, b) = (camera.tilt * .pi / 180, camera.bearing * .pi / 180)
        let dx = (screen.x - camera.width / 2) * depth / camera.distance
        let v = (camera.height / 2 - screen.y) * depth / camera.distance
        let (u, a) = (v * cos(t) + (depth - camera.distance) * sin(t), v * sin(t) - (depth - camera.distance) * cos(t))
        return [dx * cos(b) + u * sin(b), dx * sin(b) - u * cos(b), a]
    }
}

/// Twice the area of the triangle, seen from where it turns counterclockwise: more than 0 when it does so in the picture, y down.
func turn(_ triangle: [SIMD2<Double>]) -> Double {
    let (a, b) = (triangle[1] - triangle[0], triangle[2] - triangle[0])
    return a.y * b.x - a.x * b.y
}

/// How far a point is inside of a triangle of either turn, in its units; below 0 outside.
func inside(_ triangle: [SIMD2<Double>], _ point: SIMD2<Double>) -> Double {
    let sign: Double = turn(triangle) < 0 ? -1 : 1
    return (0..<3).map { edge in
        let (a, b) = (triangle[edge], triangle[(edge + 1) % 3])
        let along = b - a
        let way = point - a
        return sign * (along.y * way.x - along.x * way.y) / max((along * along).sum().squareRoot(), 1e-12)
    }.reduce(.infinity, min)
}

func cross<Scalar: BinaryFloatingPoint & SIMDScalar>(_ a: SIMD3<Scalar>, _ b: SIMD3<Scalar>) -> SIMD3<Scalar> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}

extension SIMD3 where Scalar: BinaryFloatingPoint {
    var unit: Self { self / (self * self).sum().squareRoot() }
}

/// Two triangles between four corners that run counterclockwise.
func quad(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ d: SIMD3<Float>) -> [[SIMD3<Float>]] { [[a, b, c], [a, c, d]] }

/// A level square whose corners are the given number of units from the middle.
func square(_ half: Float, z: Float = 0) -> [[SIMD3<Float>]] {
    quad([-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z])
}

/// A cube from −1 to 1, its faces turned outward.
let cube: [[SIMD3<Float>]] = {
    func face(_ turn: (SIMD3<Float>) -> SIMD3<Float>) -> [[SIMD3<Float>]] { square(1, z: 1).map { $0.map(turn) } }
    return face { $0 } + face { [$0.x, -$0.y, -$0.z] } + face { [$0.z, $0.x, $0.y] } + face { [-$0.z, -$0.x, $0.y] }
        + face { [$0.y, $0.z, $0.x] } + face { [-$0.y, -$0.z, $0.x] }
}()

/// A ball of radius 1 of bands of triangles, its faces turned outward, with its own normals.
func ball(_ bands: Int) -> FrameMesh {
    var vertices: [MeshVertex] = []
    for row in 0...bands {
        for column in 0...2 * bands {
            let (latitude, longitude) = (Double(row) / Double(bands) * .pi, Double(column) / Double(bands) * .pi)
            let point = SIMD3<Float>(
                Float(sin(latitude) * cos(longitude)), Float(sin(latitude) * sin(longitude)), Float(cos(latitude)))
            vertices.append(
                MeshVertex(point, normal: point, texture: [Float(column) / Float(2 * bands), Float(row) / Float(bands)]))
        }
    }
    var indices: [UInt32] = []
    let width = UInt32(2 * bands + 1)
    for row in 0..<UInt32(bands) {
        for column in 0..<width - 1 {
            let a = row * width + column
            indices += [a, a + width, a + width + 1, a, a + width + 1, a + 1]
        }
    }
    return FrameMesh(key: UInt64(9000 + bands), name: "ball", vertices: vertices, indices: indices, isWithinTexture: true)
}

extension MeshInstance {
    /// Turned by degrees about up, then east, and scaled.
    func turned(yaw: Double, pitch: Double, scale: Double = 1) -> Self {
        let (y, p) = (yaw * .pi / 180, pitch * .pi / 180)
        // A mesh vector (east, north, up) where the instance puts it: (east, south, up).
        func turn(_ v: SIMD3<Double>) -> SIMD3<Float> {
            let pitched: SIMD3<Double> = [v.x, v.y * cos(p) - v.z * sin(p), v.y * sin(p) + v.z * cos(p)]
            let yawed: SIMD3<Double> = [pitched.x * cos(y) - pitched.y * sin(y), pitched.x * sin(y) + pitched.y * cos(y), pitched.z]
            return SIMD3<Float>([yawed.x, -yawed.y, yawed.z] * scale)
        }
        var copy = self
        (copy.axisX, copy.axisY, copy.axisZ) = (turn([1, 0, 0]), turn([0, 1, 0]), turn([0, 0, 1]))
        return copy
    }
}
