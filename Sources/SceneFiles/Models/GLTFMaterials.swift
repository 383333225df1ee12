import Glibc
import WaymarkImaging
import WaymarkScene

// The properties of glTF materials that Waymark draws: base color, its texture, and sidedness.
extension GLTFReader {
    /// The index of a material's appearance, and the transform of its texture.
    mutating func readAppearance(_ value: JSONValue?) throws(SceneFileError) -> (appearance: Int, TextureTransform) {
        guard let value else { return (0, TextureTransform()) }
        let (index, material) = try Self.element(value, of: materials, "material")
        if let known = knownLooks[index] { return known }
        let base = material["pbrMetallicRoughness"]
        // glTF 2.0, "Double Sided": back faces are culled unless the material says otherwise.
        let texture = base?["baseColorTexture"]
        var appearance = ModelParts.Appearance(isDoubleSided: try material["doubleSided"]?.readBoolean() ?? false)
        if let factor = base?["baseColorFactor"] { appearance.diffuse = try readFactor(factor) }
        let mode = try material["alphaMode"]?.readString() ?? "OPAQUE"
        if mode == "OPAQUE" { appearance.diffuse.alpha = 1 }
        if let texture { appearance.texture = try readTexture(texture, isOpaque: mode == "OPAQUE") }
        appearances.append(appearance)
        let known = (appearances.count - 1, try texture.map(TextureTransform.init) ?? TextureTransform())
        knownLooks[index] = known
        return known
    }

    /// Factors are linear light, and colors are sRGB-coded (IEC 61966-2-1).
    private func readFactor(_ value: JSONValue) throws(SceneFileError) -> Color {
        var factors: [Double] = []
        for element in try value.readArray(count: 4...4) { factors.append(try element.readNumber(in: 0...1)) }
        return Color(
            red: Self.coded(factors[0]), green: Self.coded(factors[1]), blue: Self.coded(factors[2]), alpha: factors[3])
    }

    private static func coded(_ linear: Double) -> Double {
        // 1 maps to exactly 1, so that white stays white.
        linear <= 0.003_130_8 ? 12.92 * linear : linear == 1 ? 1 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }

    private mutating func readTexture(_ value: JSONValue, isOpaque: Bool) throws(SceneFileError) -> OverlayImage? {
        guard let number = value["index"] else { throw value.error("missing key \"index\"") }
        let texture = try Self.element(number, of: textures, "texture").element
        guard let image = texture["extensions"]?["EXT_texture_webp"]?["source"] ?? texture["source"] else {
            warn(texture, "the texture has no image of a known format; it is left out")
            return nil
        }
        let (index, _) = try Self.element(image, of: images, "image")
        let loaded = try readImage(index)
        return isOpaque ? try opaque(loaded, index) : loaded
    }

    /// The image without its alpha, which opaque materials ignore.
    private mutating func opaque(_ image: OverlayImage, _ index: Int) throws(SceneFileError) -> OverlayImage {
        if let known = opaqueImages[index] { return known }
        var result = image
        // An image that cannot be decoded is reported when it is drawn.
        if let decoded = try? image.decoded(), case .raster(let bitmap, _) = decoded, !bitmap.isOpaque {
            var pixels = bitmap.straightPixels
            for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
            if let bitmap = Bitmap(width: bitmap.width, height: bitmap.height, premultipliedPixels: pixels) {
                result = OverlayImage(bitmap: bitmap)
            }
        }
        opaqueImages[index] = result
        return result
    }

    private mutating func readImage(_ index: Int) throws(SceneFileError) -> OverlayImage {
        let image = images[index]
        let loaded: OverlayImage
        if let known = loadedImages[index] {
            loaded = known
        } else if let view = image["bufferView"] {
            loaded = try source.texture(bytes: data.bytes(try data.view(view, &source)), at: image.path)
        } else if let uri = image["uri"] {
            if let bytes = try source.bytes(dataURI: uri) {
                loaded = try source.texture(bytes: bytes, at: uri.path)
            } else {
                loaded = try source.texture(try source.path(uri: uri), at: uri.path)
            }
        } else {
            throw image.error("missing key \"uri\" or \"bufferView\"")
        }
        loadedImages[index] = loaded
        return loaded
    }
}

/// The texture coordinate set of a texture, and the scale, rotation and offset of its coordinates (`KHR_texture_transform`).
struct TextureTransform {
    private(set) var set = 0
    private var scale = SIMD2(1.0, 1)
    private var (sine, cosine) = (0.0, 1.0)
    private var offset = SIMD2(0.0, 0)

    init() {}

    /// Reads the transform of a texture reference.
    init(_ value: JSONValue) throws(SceneFileError) {
        set = try value["texCoord"]?.readInteger(in: 0...99) ?? 0
        guard let moved = value["extensions"]?["KHR_texture_transform"] else { return }
        if let value = moved["texCoord"] { set = try value.readInteger(in: 0...99) }
        if let value = moved["scale"] { scale = try Self.pair(value) }
        if let value = moved["offset"] { offset = try Self.pair(value) }
        if let value = moved["rotation"] {
            let angle = try value.readNumber(in: -1e6...1e6)
            (sine, cosine) = (sin(angle), cos(angle))
        }
    }

    private static func pair(_ value: JSONValue) throws(SceneFileError) -> SIMD2<Double> {
        let point = try value.readPoint(in: -1e9...1e9)
        return SIMD2(point.x, point.y)
    }

    /// Rotation turns (1, 0) toward (0, -1).
    @inline(__always)
    func point(_ u: Float, _ v: Float) -> SIMD2<Double> {
        let (x, y) = (Double(u) * scale.x, Double(v) * scale.y)
        return SIMD2(cosine * x + sine * y + offset.x, cosine * y - sine * x + offset.y)
    }
}
