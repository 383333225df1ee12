import Glibc
import WaymarkImaging
import WaymarkScene

/// The properties of a glTF material that Waymark draws.
struct GLTFMaterial {
    /// The index in the reader's `appearances`. The first appearance is glTF's default material.
    var appearance = 0
    /// The transform of the texture's coordinates.
    var textureTransform = TextureTransform()
    /// Whether the alpha of the texture, the factor and the vertices has no effect.
    var isOpaque = true
}

// The properties of glTF materials that Waymark draws: base color, its texture, alpha mode, sidedness, and whether it is lit.
extension GLTFReader {
    private enum AlphaMode: String, CaseIterable {
        case opaque = "OPAQUE"
        case mask = "MASK"
        case blend = "BLEND"
    }

    /// Reads a material, or glTF's default one.
    mutating func readMaterial(_ value: JSONValue?) throws(SceneFileError) -> GLTFMaterial {
        guard let value else { return GLTFMaterial() }
        let (index, material) = try Self.element(value, of: materials, "material")
        if let known = knownMaterials[index] { return known }
        try warnOfUnread(in: material)
        let base = material["pbrMetallicRoughness"]
        let texture = base?["baseColorTexture"]
        // glTF 2.0, "Double Sided": back faces are culled unless the material says otherwise.
        var appearance = FloatMesh.Surface(triangles: 0..<0, isDoubleSided: try material["doubleSided"]?.readBoolean() ?? false)
        if let factor = base?["baseColorFactor"] { appearance.diffuse = try readFactor(factor) }
        appearance.isLit = material["extensions"]?["KHR_materials_unlit"] == nil
        let isOpaque = try readAlpha(of: material, into: &appearance)
        if let texture { (appearance.texture, appearance.sampler) = try readTexture(texture, isOpaque: isOpaque) }
        appearances.append(appearance)
        let known = GLTFMaterial(
            appearance: appearances.count - 1, textureTransform: try texture.map(TextureTransform.init) ?? TextureTransform(),
            isOpaque: isOpaque)
        knownMaterials[index] = known
        return known
    }

    /// Reads the alpha mode.
    /// - Returns: Whether alpha has no effect.
    private func readAlpha(of material: JSONValue, into appearance: inout FloatMesh.Surface) throws(SceneFileError) -> Bool {
        var mode = AlphaMode.opaque
        if let value = material["alphaMode"] {
            guard let known = AlphaMode(rawValue: try value.readString()) else {
                throw value.error("expected \"OPAQUE\", \"MASK\" or \"BLEND\", found \(value.brief)")
            }
            mode = known
        }
        switch mode {
        case .blend: return false
        case .opaque: break
        case .mask:
            let cutoff = try material["alphaCutoff"]?.readNumber(in: .notNegative) ?? 0.5
            // With a cutoff of 0, every alpha passes. With a cutoff above 1, no alpha passes for any texture (glTF 2.0, "Alpha
            // Coverage").
            if cutoff > 0 {
                appearance.alphaCutoff = min(cutoff, 1)
                if cutoff > 1 { appearance.diffuse.alpha = 0 }
                return false
            }
        }
        appearance.diffuse.alpha = 1
        return true
    }

    private func readFactor(_ value: JSONValue) throws(SceneFileError) -> Color {
        let factors = try value.readArray(count: 4...4).map { (element) throws(SceneFileError) in try element.readNumber(in: 0...1) }
        return Color(linearRed: factors[0], green: factors[1], blue: factors[2], alpha: factors[3])
    }

    private mutating func readTexture(
        _ value: JSONValue, isOpaque: Bool
    ) throws(SceneFileError) -> (OverlayImage?, TextureSampler) {
        guard let number = value["index"] else { throw value.error("missing key \"index\"") }
        let texture = try Self.element(number, of: textures, "texture").element
        guard let image = texture["extensions"]?["EXT_texture_webp"]?["source"] ?? texture["source"] else {
            warn(texture, "the texture has no image in a known format; the texture is left out")
            return (nil, TextureSampler())
        }
        let (index, _) = try Self.element(image, of: images, "image")
        let loaded = try readImage(index)
        return (isOpaque ? try opaque(loaded, index) : loaded, try readSampler(texture["sampler"]))
    }

    /// The image without its alpha, which opaque materials ignore.
    private mutating func opaque(_ image: OverlayImage, _ index: Int) throws(SceneFileError) -> OverlayImage {
        if let known = opaqueImages[index] { return known }
        var result = image
        // An image that cannot be decoded is reported when it is drawn.
        if let decoded = try? image.decoded(), case .raster = decoded, case let bitmap = image.bitmap, !bitmap.isOpaque {
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
