import WaymarkImaging

// The samplers of glTF textures, whose properties are constants of OpenGL.
extension GLTFReader {
    /// Reads a sampler. A texture without a sampler repeats, and is filtered with mipmaps.
    func readSampler(_ value: JSONValue?) throws(SceneFileError) -> TextureSampler {
        var result = TextureSampler()
        guard let value else { return result }
        let sampler = try Self.element(value, of: samplers, "sampler").element
        if let wrap = sampler["wrapS"] { result.wrapU = try readWrap(wrap) }
        if let wrap = sampler["wrapT"] { result.wrapV = try readWrap(wrap) }
        if let filter = sampler["magFilter"] {
            switch try filter.readInteger() {
            case 9728: result.magFilter = .nearest
            case 9729: result.magFilter = .linear
            default: throw filter.error("unknown magnification filter \(filter.brief)")
            }
        }
        if let filter = sampler["minFilter"] {
            switch try filter.readInteger() {
            case 9728: (result.minFilter, result.mipmapFilter) = (.nearest, .none)
            case 9729: (result.minFilter, result.mipmapFilter) = (.linear, .none)
            case 9984: (result.minFilter, result.mipmapFilter) = (.nearest, .nearest)
            case 9985: (result.minFilter, result.mipmapFilter) = (.linear, .nearest)
            case 9986: (result.minFilter, result.mipmapFilter) = (.nearest, .linear)
            case 9987: (result.minFilter, result.mipmapFilter) = (.linear, .linear)
            default: throw filter.error("unknown minification filter \(filter.brief)")
            }
        }
        return result
    }

    private func readWrap(_ value: JSONValue) throws(SceneFileError) -> TextureSampler.Wrap {
        switch try value.readInteger() {
        case 10497: .repeat
        case 33648: .mirroredRepeat
        case 33071: .clampToEdge
        default: throw value.error("unknown wrapping mode \(value.brief)")
        }
    }
}
