import WaymarkGPU
import WaymarkImaging

/// The storage of a page's tiles.
enum TileStorage {
    /// A texture, which the shaders sample.
    case texture(Texture)
    /// Memory, from which `TilePainter` draws.
    case memory(TileMemory)

    /// Copies rows of pixels into a rectangle of a layer.
    func upload(_ pixels: [some BitwiseCopyable], to rect: PixelRect, layer: Int) throws(GPUError) {
        switch self {
        case .texture(let texture): try texture.upload(pixels, to: rect, layer: layer)
        case .memory(let memory): pixels.span.withUnsafeBytes { memory.copy($0, to: rect, layer: layer) }
        }
    }
}

/// Layers of RGBA pixels in memory, all of the same size.
final class TileMemory {
    let sheet: TileSheet
    let layers: Int
    private let pixels: UnsafeMutablePointer<UInt32>

    init(_ sheet: TileSheet, layers: Int) {
        (self.sheet, self.layers) = (sheet, layers)
        let count = sheet.width * sheet.height * layers
        pixels = .allocate(capacity: count)
        pixels.initialize(repeating: 0, count: count)
    }

    deinit { pixels.deallocate() }

    /// The first pixel of a layer.
    func first(ofLayer layer: Int) -> UnsafePointer<UInt32> {
        precondition(0..<layers ~= layer)
        return UnsafePointer(pixels + layer * sheet.width * sheet.height)
    }

    fileprivate func copy(_ bytes: UnsafeRawBufferPointer, to rect: PixelRect, layer: Int) {
        precondition(0..<layers ~= layer && rect.x >= 0 && rect.y >= 0)
        precondition(rect.x + rect.width <= sheet.width && rect.y + rect.height <= sheet.height)
        precondition(bytes.count >= rect.width * rect.height * 4)
        guard rect.width > 0, rect.height > 0, let source = bytes.baseAddress else { return }
        let first = pixels + (layer * sheet.height + rect.y) * sheet.width + rect.x
        for row in 0..<rect.height {
            UnsafeMutableRawPointer(first + row * sheet.width).copyMemory(from: source + row * rect.width * 4, byteCount: rect.width * 4)
        }
    }
}
