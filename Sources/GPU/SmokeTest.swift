/// Draws a triangle on 8 × 8 pixels and compares each pixel, because a driver that loads may still fail to draw.
struct SmokeTest {
    private static let size = 8
    private static let vertex = """
        out vec4 color;
        void main() {
            vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
            color = vec4(1.0, 0.0, 0.0, 1.0);
            gl_Position = vec4(corner * vec2(0.5, 1.0) - vec2(0.5, 0.0), 0.0, 1.0);
        }
        """
    private static let fragment = """
        precision highp float;
        in vec4 color;
        out vec4 pixel;
        void main() { pixel = color; }
        """

    /// The time for compiling, and for drawing including reading back.
    private(set) var compileMilliseconds = 0.0
    private(set) var drawMilliseconds = 0.0
    /// The difference; empty when all pixels are right.
    private(set) var detail = ""

    init(_ context: Context) {
        do throws(GPUError) {
            let pixels = try draw(context)
            let wrong = (0..<Self.size * Self.size).filter { Array(pixels[$0 * 4..<$0 * 4 + 4]) != Self.expected($0) }
            if !wrong.isEmpty { detail = "\(wrong.count) of \(Self.size * Self.size) pixels are wrong" }
        } catch {
            detail = error.description
        }
    }
}

extension SmokeTest {
    fileprivate mutating func draw(_ context: Context) throws(GPUError) -> [UInt8] {
        var start = ContinuousClock.now
        var descriptor = Pipeline.Descriptor()
        descriptor.name = "smoke test"
        descriptor.vertex = Self.vertex
        descriptor.fragment = Self.fragment
        let pipeline = try Pipeline(context, descriptor)
        compileMilliseconds = start.millisecondsUntilNow
        start = .now
        let target = try Target(context, width: Self.size, height: Self.size)
        try target.clear([0, 0, 1, 1])
        try context.draw(DrawCommand(pipeline, count: 3), into: target)
        let pixels = try target.pixels()
        drawMilliseconds = start.millisecondsUntilNow
        return pixels
    }

    /// The triangle is (-1, -1), (1, -1), (-1, 3) in clip space, which is (0, 0), (8, 0), (0, 16) in pixels. A pixel is therefore red if x
    /// / 8 + y / 16 is below 1 at its center. No center lies on the edge.
    fileprivate static func expected(_ index: Int) -> [UInt8] {
        let (x, y) = (Double(index % size) + 0.5, Double(index / size) + 0.5)
        return x / 8 + y / 16 < 1 ? [255, 0, 0, 255] : [0, 0, 255, 255]
    }
}
