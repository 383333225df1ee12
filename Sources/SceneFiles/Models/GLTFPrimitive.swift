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
    let indices: GLTFData.Accessor?
    /// Index in the reader's `appearances`.
    let appearance: Int
    /// The transform of its texture coordinates.
    let textureTransform: TextureTransform

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
            warn(attributes, "triangles without positions are not drawn")
            return nil
        }
        if let targets = value["targets"] { warn(targets, "morph targets are not shown; the model is at rest") }
        if let colors = attributes["COLOR_0"] { warn(colors, "the colors of vertices are not shown, only those of materials") }
        let positions = try data.accessor(place, components: 3, &source)
        let (appearance, transform) = try readAppearance(value["material"])
        let coordinates = try attributes.readMembers().first { $0.key == "TEXCOORD_\(transform.set)" }?.value
        let normals = try accessor(attributes["NORMAL"], components: 3, count: positions.count)
        let points = try accessor(coordinates, components: 2, count: positions.count)
        var indices: GLTFData.Accessor?
        if let value = value["indices"] { indices = try data.indexAccessor(value, &source) }
        let corners = indices?.count ?? positions.count
        if mode == .triangles, corners % 3 != 0 { warn(value, "its corners are no multiple of three; the last are left out") }
        return GLTFPrimitive(
            mode: mode, positions: positions, normals: normals, textureCoordinates: points, indices: indices, appearance: appearance,
            textureTransform: transform)
    }

    /// Reads an accessor with one element per vertex.
    private mutating func accessor(
        _ value: JSONValue?, components: Int, count: Int
    ) throws(SceneFileError) -> GLTFData.Accessor? {
        guard let value else { return nil }
        let accessor = try data.accessor(value, components: components, &source)
        guard accessor.count == count else { throw value.error("the accessor has \(accessor.count) elements for \(count) vertices") }
        return accessor
    }
}
