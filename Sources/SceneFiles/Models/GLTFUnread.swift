// The parts of glTF files that are not drawn. Each kind gives one warning, whatever the number of occurrences.
extension GLTFReader {
    /// Extensions that are read, and that a file may require.
    static let knownExtensions: Set<String> = [
        "KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform", "EXT_texture_webp",
    ]

    mutating func warnOfUnread() throws(SceneFileError) {
        let kinds: [(StaticString, String)] = [
            ("animations", "animations are not shown; the model is at rest"),
            ("skins", "skins are not applied; the model is drawn without them"),
            ("cameras", "cameras are not read; the scene has its own"),
        ]
        for (key, problem) in kinds {
            if let value = root[key], value.count > 0 { warn(value, problem) }
        }
        guard let used = root["extensionsUsed"] else { return }
        for value in try used.readArray() {
            let name = try value.readString()
            if !Self.knownExtensions.contains(name) { warn(value, "the extension \(name.quotedBriefly) is not supported") }
        }
    }

    mutating func warnOfUnread(in material: JSONValue) throws(SceneFileError) {
        if let texture = material["normalTexture"] { warn(texture, "normal maps are not read; vertex normals are used instead") }
        if let texture = material["occlusionTexture"] { warn(texture, "occlusion textures are not read") }
        if let texture = material["pbrMetallicRoughness"]?["metallicRoughnessTexture"] {
            warn(texture, "metallic-roughness textures are not read; surfaces are matte")
        }
        let emission = "emission is not read; surfaces do not glow"
        if let texture = material["emissiveTexture"] {
            warn(texture, emission)
        } else if let factor = material["emissiveFactor"] {
            for element in try factor.readArray(count: 3...3) where try element.readNumber() != 0 { warn(factor, emission) }
        }
    }
}
