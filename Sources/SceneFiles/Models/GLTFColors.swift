import Glibc
import WaymarkImaging

// The factors and vertex colors of glTF are linear light. Waymark's colors are sRGB-encoded, and the encoded values are multiplied. This
// equals multiplying light and encoding the product, except in the short straight part of sRGB's curve near black.
extension Color {
    /// Creates a color from linear light, with each component in 0…1.
    init(linearRed red: Double, green: Double, blue: Double, alpha: Double) {
        self.init(red: Self.coded(red), green: Self.coded(green), blue: Self.coded(blue), alpha: alpha)
    }

    /// The sRGB-encoded value of linear light (IEC 61966-2-1).
    private static func coded(_ linear: Double) -> Double {
        // 1 maps to exactly 1, so that white stays white.
        linear <= 0.003_130_8 ? 12.92 * linear : linear == 1 ? 1 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}

extension GLTFReader {
    /// The colors of a primitive's vertices; nil without any. Numbers outside 0…1 are clamped (glTF 2.0, "Meshes").
    func readColors(of primitive: GLTFPrimitive) throws(SceneFileError) -> [Color]? {
        guard let accessor = primitive.colors else { return nil }
        let numbers = try data.numbers(accessor)
        let hasAlpha = accessor.components == 4 && !primitive.material.isOpaque
        var colors: [Color] = []
        colors.reserveCapacity(accessor.count)
        for start in stride(from: 0, to: numbers.count, by: accessor.components) {
            func channel(_ index: Int) -> Double { Double(min(max(numbers[start + index], 0), 1)) }
            colors.append(
                Color(linearRed: channel(0), green: channel(1), blue: channel(2), alpha: hasAlpha ? channel(3) : 1))
        }
        return colors
    }
}
