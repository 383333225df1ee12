/// The part of a glTF mesh that is drawn with one material: triangles given by accessors.
struct GLTFPrimitive {
    enum Mode: Int {
        case triangles = 4
        case strip = 5
        case fan = 6
    }

    let mode: Mode
    let positions: GLTFData.Accessor
    let normals: GLTFData.Accessor?
    let textureCoordinates: GLTFData.Accessor?
    let colors: GLTFData.Accessor?
    let indices: GLTFData.Accessor?
    let material: GLTFMaterial

    var triangleCount: Int {
        let count = indices?.count ?? positions.count
        return mode == .triangles ? count / 3 : max(count - 2, 0)
    }

    /// The corners of a triangle, ordered so that all triangles of a strip have the same winding.
    func corners(_ triangle: Int) -> SIMD3<UInt32> {
        let number = UInt32(triangle)
        switch mode {
        case .triangles: return SIMD3(3 * number, 3 * number + 1, 3 * number + 2)
        case .strip: return number % 2 == 0 ? SIMD3(number, number + 1, number + 2) : SIMD3(number + 1, number, number + 2)
        case .fan: return SIMD3(0, number + 1, number + 2)
        }
    }
}

extension GLTFReader {
    /// Reads a primitive with its accessors; nil for points or lines, or without positions.
    mutating func readPrimitive(_ value: JSONValue) throws(SceneFileError) -> GLTFPrimitive? {
        let number = try value["mode"]?.readInteger(in: 0...6) ?? GLTFPrimitive.Mode.triangles.rawValue
        guard let mode = GLTFPrimitive.Mode(rawValue: number) else {
            warn(value, "points and lines are not drawn")
            return nil
        }
        guard let attributes = value["attributes"] else { throw value.error("missing key \"attributes\"") }
        guard let place = attributes["POSITION"] else {
            warn(attributes, "the triangles have no positions and are not drawn")
            return nil
        }
        if let targets = value["targets"] { warn(targets, "morph targets are not applied; the model is drawn without them") }
        let positions = try data.accessor(place, components: [3], &source)
        let material = try readMaterial(value["material"])
        let set = "TEXCOORD_\(material.textureTransform.set)"
        let coordinates = try attributes.readMembers().first { $0.key == set }?.value
        if coordinates == nil, appearances[material.appearance].texture != nil {
            warn(attributes, "\(set) is missing, so the texture's upper left pixel is drawn everywhere")
        }
        let normals = try perVertex(attributes["NORMAL"], of: positions) { (value) throws(SceneFileError) in
            try data.accessor(value, components: [3], &source)
        }
        let points = try perVertex(coordinates, of: positions) { (value) throws(SceneFileError) in
            try data.accessor(value, components: [2], &source)
        }
        let colors = try perVertex(attributes["COLOR_0"], of: positions) { (value) throws(SceneFileError) in
            try data.colorAccessor(value, &source)
        }
        var indices: GLTFData.Accessor?
        if let value = value["indices"] { indices = try data.indexAccessor(value, &source) }
        let corners = indices?.count ?? positions.count
        if mode == .triangles, corners % 3 != 0 {
            warn(value, "the number of corners is not a multiple of 3; the last corners are left out")
        }
        return GLTFPrimitive(
            mode: mode, positions: positions, normals: normals, textureCoordinates: points, colors: colors, indices: indices,
            material: material)
    }

    /// Reads an attribute, which has one element per vertex.
    private func perVertex(
        _ value: JSONValue?, of positions: GLTFData.Accessor, _ read: (JSONValue) throws(SceneFileError) -> GLTFData.Accessor
    ) throws(SceneFileError) -> GLTFData.Accessor? {
        guard let value else { return nil }
        let accessor = try read(value)
        guard accessor.count == positions.count else {
            throw value.error("the accessor has \(accessor.count) elements for \(positions.count) vertices")
        }
        return accessor
    }
}
