import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct GLTFVertexColorTests {
    /// The triangle with a `COLOR_0` of these bytes, as a third accessor.
    private func triangle(
        _ bytes: [UInt8], type: Int, components: Int, stride: Int? = nil, normalized: Bool = true, material: String? = nil
    ) -> TriangleGLTF {
        var triangle = TriangleGLTF()
        triangle.bytes += [0, 0] + bytes
        let size = [5120: 1, 5121: 1, 5122: 2, 5123: 2][type] ?? 4
        triangle.views =
            triangle.views.dropLast()
            + #", {"buffer": 0, "byteOffset": 44, "byteLength": \#(bytes.count), "byteStride": \#(stride ?? size * components)}]"#
        triangle.accessors =
            triangle.accessors.dropLast()
            + #", {"bufferView": 2, "componentType": \#(type), "type": "VEC\#(components)", "count": 3, "normalized": \#(normalized)}]"#
        let primitive = #""attributes": {"POSITION": 0, "COLOR_0": 2}, "indices": 1"#
        if let material { triangle.root += #", "materials": [\#(material)]"# }
        triangle.meshes = #"[{"primitives": [{\#(primitive)\#(material == nil ? "" : #", "material": 0"#)}]}]"#
        return triangle
    }

    private func isNear(_ a: Color, _ b: Color) -> Bool {
        max(abs(a.red - b.red), abs(a.green - b.green), abs(a.blue - b.blue), abs(a.alpha - b.alpha)) < 1e-4
    }

    private static let blend = #"{"alphaMode": "BLEND"}"#
    /// The sRGB code of the linear light 0.2140411: the middle gray of the sRGB standard.
    private static let half = 0.5
    private static let expected = [
        Color(red: 1, green: 0, blue: half, alpha: 1), Color(red: 0, green: 1, blue: half, alpha: 0.4),
        Color(red: half, green: half, blue: half, alpha: 0),
    ]
    private static let linear: [SIMD4<Double>] = [
        [1, 0, 0.2140411, 1], [0, 1, 0.2140411, 0.4], [0.2140411, 0.2140411, 0.2140411, 0],
    ]

    private static func bytes(type: Int, components: Int, padding: Int = 0) -> [UInt8] {
        linear.flatMap { color in
            (0..<components).flatMap { index -> [UInt8] in
                switch type {
                case 5126: littleEndian([Float(color[index])])
                case 5123: littleEndian(UInt16((color[index] * 65535).rounded()))
                default: littleEndian(UInt8((color[index] * 255).rounded()))
                }
            } + Array(repeating: 99, count: padding)
        }
    }

    @Test(arguments: [5126, 5123, 5121], [3, 4]) func linearColorsBecomeCodedOnes(type: Int, components: Int) throws {
        // Elements of three bytes or three shorts are padded to whole words.
        let padding = [5126: 0, 5123: 2, 5121: 1][type].map { components == 3 ? $0 : 0 } ?? 0
        let bytes = Self.bytes(type: type, components: components, padding: padding)
        for normalized in [true, false] where normalized || type != 5126 {
            let file = try triangle(
                bytes, type: type, components: components, stride: bytes.count / 3, normalized: normalized, material: Self.blend
            ).read()
            let colors = file.mesh.colors
            #expect(colors.count == 3 && file.warnings.isEmpty && file.mesh.isValid)
            for (color, expected) in zip(colors, Self.expected) {
                let wanted = expected.withAlpha(components == 3 ? 1 : expected.alpha)
                // Steps of a byte of linear light are coarser where it is dark.
                let tolerance = type == 5121 ? 0.005 : 1e-4
                let off = [color.red - wanted.red, color.green - wanted.green, color.blue - wanted.blue, color.alpha - wanted.alpha]
                #expect(off.allSatisfy { abs($0) < tolerance }, "\(color) \(wanted)")
            }
            #expect(colors[0].red == 1 && colors[0].green == 0)
        }
    }

    @Test func alphaOfOpaqueMaterialsHasNoEffect() throws {
        let bytes = Self.bytes(type: 5126, components: 4)
        for (material, hasAlpha) in [
            (nil, false), (#"{}"#, false), (#"{"alphaMode": "OPAQUE"}"#, false), (Self.blend, true), (#"{"alphaMode": "MASK"}"#, true),
            (#"{"alphaMode": "MASK", "alphaCutoff": 0}"#, false),
        ] as [(String?, Bool)] {
            let mesh = try triangle(bytes, type: 5126, components: 4, material: material).read().mesh
            #expect(zip(mesh.colors, Self.expected).allSatisfy { isNear($0, hasAlpha ? $1 : $1.withAlpha(1)) })
        }
    }

    @Test func numbersOutsideAreClamped() throws {
        let mesh = try triangle(
            littleEndian([-1, 2, 0.2140411, 3, 1, 0, 0, -0.5, 0, 0, 0, 1] as [Float]), type: 5126, components: 4, material: Self.blend
        ).read().mesh
        #expect(isNear(mesh.colors[0], Color(red: 0, green: 1, blue: 0.5)) && mesh.colors[1] == Color.red.withAlpha(0))
    }

    @Test func primitivesWithoutColorsAreWhite() throws {
        for isFirst in [true, false] {
            var triangle = triangle(Self.bytes(type: 5126, components: 3), type: 5126, components: 3)
            let (with, without) = (#"{"attributes": {"POSITION": 0, "COLOR_0": 2}}"#, #"{"attributes": {"POSITION": 0}}"#)
            triangle.meshes = #"[{"primitives": [\#(isFirst ? with : without), \#(isFirst ? without : with)]}]"#
            let colors = try triangle.read().mesh.colors
            #expect(colors.count == 6 && (isFirst ? colors.suffix(3) : colors.prefix(3)) == [.white, .white, .white])
            #expect((isFirst ? colors[0] : colors[3]).red == 1 && (isFirst ? colors[0] : colors[3]).green == 0)
        }
        #expect(try TriangleGLTF().read().mesh.colors.isEmpty)
    }

    /// Corners without a normal get their triangle's, on separate vertices.
    @Test func duplicatedVerticesKeepTheirColor() throws {
        // Two triangles that share an edge at an angle; the file has normals of no length.
        var triangle = TriangleGLTF()
        let positions: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
        let colors: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0]
        triangle.bytes = littleEndian(positions) + littleEndian(colors) + littleEndian([0, 1, 2, 0, 2, 3] as [UInt16])
        triangle.bytes += littleEndian([Float](repeating: 0, count: 12))
        triangle.views = """
            [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48},
            {"buffer": 0, "byteOffset": 96, "byteLength": 12}, {"buffer": 0, "byteOffset": 108, "byteLength": 48}]
            """
        triangle.accessors = """
            [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
            {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 4},
            {"bufferView": 2, "componentType": 5123, "type": "SCALAR", "count": 6},
            {"bufferView": 3, "componentType": 5126, "type": "VEC3", "count": 4}]
            """
        triangle.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1, "NORMAL": 3}, "indices": 2}]}]"#
        let mesh = try triangle.read().mesh
        #expect(mesh.vertices.count == 6 && mesh.colors.count == 6 && mesh.isValid)
        let byPlace: [SIMD3<Float>: Color] = [[0, 0, 0]: .red, [1, 0, 0]: .green, [0, 0, 1]: .blue, [0, -1, 0]: .yellow]
        #expect(zip(mesh.vertices, mesh.colors).allSatisfy { byPlace[$0] == $1 })
    }

    @Test func whatIsWrong() throws {
        let floats = Self.bytes(type: 5126, components: 3)
        func refusal(_ change: (inout TriangleGLTF) -> Void, type: Int = 5126) throws -> String? {
            var triangle = triangle(floats, type: type, components: 3, stride: 12)
            change(&triangle)
            return try triangle.refusal()
        }
        #expect(try refusal { _ in } == nil)
        #expect(
            try refusal({ _ in }, type: 5125) == "accessors[2]: colors must be floats, or unsigned whole numbers of one or two bytes")
        #expect(
            try refusal({ _ in }, type: 5120) == "accessors[2]: colors must be floats, or unsigned whole numbers of one or two bytes")
        #expect(
            try refusal {
                $0.accessors = $0.accessors.replacingOccurrences(of: #""VEC3", "count": 3, "normal"#, with: #""VEC2", "count": 3, "normal"#)
            }
                == "accessors[2].type: expected \"VEC3\" or \"VEC4\", found the string \"VEC2\"")
        #expect(
            try refusal { $0.accessors = $0.accessors.replacingOccurrences(of: #""count": 3, "normal"#, with: #""count": 2, "normal"#) }
                == "meshes[0].primitives[0].attributes.COLOR_0: the accessor has 2 elements for 3 vertices")
        #expect(
            try refusal { $0.bytes.replaceSubrange(44..<48, with: littleEndian([Float.nan])) } == "accessors[2]: element 0 is not finite")
    }
}
