import Testing
import WaymarkGPU
import WaymarkImaging

/// One pixel, RGBA.
typealias Pixel = [UInt8]

let red: Pixel = [255, 0, 0, 255]
let green: Pixel = [0, 255, 0, 255]
let blue: Pixel = [0, 0, 255, 255]
let clear: Pixel = [0, 0, 0, 0]

extension Target {
    /// Rows of pixels, top row first.
    func rows() throws(GPUError) -> [[Pixel]] {
        let bytes = try pixels()
        return (0..<height).map { y in (0..<width).map { x in Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4]) } }
    }
}

/// A picture of one color, with the other pixels given by the closure.
func picture(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel) -> [[Pixel]] {
    (0..<height).map { y in (0..<width).map { x in pixel(x, y) } }
}

/// A rectangle in pixels from the upper left, the layer and tint it is drawn with.
struct Quad {
    var x: Float
    var y: Float
    var width: Float
    var height: Float
    /// Texture coordinates of the corners.
    var left: Float = 0
    var top: Float = 0
    var right: Float = 1
    var bottom: Float = 1
    /// The layer of the texture.
    var layer: Float = 0
    /// RGBA, premultiplied.
    var tint: (UInt8, UInt8, UInt8, UInt8) = (255, 255, 255, 255)

    static let layout = VertexLayout(
        stride: MemoryLayout<Quad>.stride, step: .instance,
        attributes: [
            .init(location: 0, .float, count: 4, offset: 0),
            .init(location: 1, .float, count: 4, offset: 16),
            .init(location: 2, .float, count: 1, offset: 32),
            .init(location: 3, .uint8, count: 4, .normalized, offset: 36),
        ])
}

extension Pipeline.Descriptor {
    /// Instanced rectangles with a texture array.
    static var quad: Self {
        var descriptor = Self()
        descriptor.name = "quad"
        descriptor.layouts = [Quad.layout]
        descriptor.topology = .triangleStrip
        descriptor.vertex = """
            precision highp float;
            layout(location = 0) in vec4 rect;
            layout(location = 1) in vec4 source;
            layout(location = 2) in float layer;
            layout(location = 3) in vec4 tint;
            uniform vec2 sizePixels;
            out vec3 place;
            out vec4 color;
            void main() {
                vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
                place = vec3(mix(source.xy, source.zw, corner), layer);
                color = tint;
                gl_Position = vec4((rect.xy + corner * rect.zw) / sizePixels * 2.0 - 1.0, 0.0, 1.0);
            }
            """
        descriptor.fragment = """
            precision highp float;
            precision highp sampler2DArray;
            uniform sampler2DArray atlas;
            in vec3 place;
            in vec4 color;
            out vec4 pixel;
            void main() { pixel = texture(atlas, place) * color; }
            """
        return descriptor
    }

    /// Triangles of positions in clip space and one color.
    static var flat: Self {
        var descriptor = Self()
        descriptor.name = "flat"
        descriptor.layouts = [VertexLayout(stride: 12, attributes: [.init(location: 0, .float, count: 3, offset: 0)])]
        descriptor.vertex = """
            layout(location = 0) in vec3 position;
            void main() { gl_Position = vec4(position, 1.0); }
            """
        descriptor.fragment = """
            precision highp float;
            uniform vec4 color;
            out vec4 pixel;
            void main() { pixel = color; }
            """
        return descriptor
    }
}

extension Buffer {
    /// A buffer of a copy of the elements.
    convenience init<Element: BitwiseCopyable>(_ context: Context, _ elements: [Element], usage: Usage = .fixed) throws(GPUError) {
        try self.init(context, usage: usage)
        try fill(elements)
    }

    /// Uploads the elements.
    func fill<Element: BitwiseCopyable>(_ elements: [Element]) throws(GPUError) {
        var failure: GPUError?
        elements.withUnsafeBytes { bytes in
            do throws(GPUError) { try upload(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension Texture {
    /// Fills a rectangle of a layer with pixels.
    func fill(_ pixels: [Pixel], _ rect: PixelRect? = nil, layer: Int = 0) throws(GPUError) {
        let bytes = pixels.flatMap { $0 }
        var failure: GPUError?
        bytes.withUnsafeBytes { bytes in
            let rect = rect ?? PixelRect(x: 0, y: 0, width: width, height: height)
            do throws(GPUError) { try upload(bytes, to: rect, layer: layer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension DrawCommand {
    /// Rectangles with a texture.
    static func quads(_ pipeline: Pipeline, _ buffer: Buffer, count: Int, texture: TextureBinding, size: SIMD2<Float>) -> Self {
        var command = Self(pipeline, count: 4)
        command.vertices = [VertexBinding(buffer)]
        command.textures = [texture]
        command.uniforms = [Uniform("sizePixels", .vector2(size))]
        command.instances = count
        return command
    }

    /// Triangles of one color.
    static func flat(_ pipeline: Pipeline, _ buffer: Buffer, count: Int, color: SIMD4<Float>) -> Self {
        var command = Self(pipeline, count: count)
        command.vertices = [VertexBinding(buffer)]
        command.uniforms = [Uniform("color", .vector4(color))]
        return command
    }
}

/// The positions of one triangle that covers everything at a depth in clip space.
func everywhere(depth: Float) -> [Float] {
    [-1, -1, depth, 3, -1, depth, -1, 3, depth]
}
