import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Accessors with some replaced elements (glTF 2.0, "Sparse Accessors").
@Suite struct GLTFSparseTests {
    /// The positions with some replaced: their indices, and their new places.
    private func triangle(
        _ places: [Int], _ values: [Float], indexType: Int = 5123, hasView: Bool = true, count: Int? = nil, of total: Int = 3
    ) -> TriangleGLTF {
        var triangle = TriangleGLTF()
        let indices = places.flatMap { place -> [UInt8] in
            switch indexType {
            case 5121: [UInt8(place)]
            case 5123: littleEndian(UInt16(place))
            default: littleEndian(UInt32(place))
            }
        }
        triangle.bytes += [0, 0] + indices + [UInt8](repeating: 0, count: -indices.count & 3) + littleEndian(values)
        let start = 44 + (indices.count + 3) & ~3
        triangle.views =
            triangle.views.dropLast() + """
                , {"buffer": 0, "byteOffset": 44, "byteLength": \(indices.count)},
                {"buffer": 0, "byteOffset": \(start), "byteLength": \(4 * values.count)}]
                """
        let sparse = """
            "sparse": {"count": \(count ?? places.count), "indices": {"bufferView": 2, "componentType": \(indexType)},
            "values": {"bufferView": 3}}
            """
        triangle.accessors = """
            [{\(hasView ? #""bufferView": 0, "# : "")"componentType": 5126, "type": "VEC3", "count": \(total), \(sparse)},
            {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3}]
            """
        return triangle
    }

    @Test(arguments: [5121, 5123, 5125]) func someElementsAreReplaced(indexType: Int) throws {
        let mesh = try triangle([0, 2], [5, 6, 7, 8, 9, 10], indexType: indexType).read().mesh
        #expect(mesh.vertices == [[5, -7, 6], [1, 0, 0], [8, -10, 9]])
    }

    @Test func withoutAViewTheRestAreZeros() throws {
        let mesh = try triangle([1, 2], [1, 0, 0, 0, 0, -2], hasView: false).read().mesh
        #expect(mesh.vertices == [[0, 0, 0], [1, 0, 0], [0, 2, 0]])
    }

    @Test func indicesMayBeSparse() throws {
        var triangle = triangle([0, 1], [0, 0, 0, 0, 0, 0])
        triangle.bytes += littleEndian([1, 2] as [UInt16])
        triangle.views = triangle.views.dropLast() + #", {"buffer": 0, "byteOffset": 72, "byteLength": 4}]"#
        triangle.accessors = """
            [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
            {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3,
            "sparse": {"count": 2, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 4}}}]
            """
        #expect(try triangle.read().mesh.triangles == [[1, 2, 2]])
    }

    @Test func whatIsWrong() throws {
        func problem(_ places: [Int], count: Int? = nil, _ change: (inout TriangleGLTF) -> Void = { _ in }) throws -> String? {
            var triangle = triangle(places, [Float](repeating: 1, count: 3 * places.count), count: count)
            change(&triangle)
            return try triangle.refusal()
        }
        func replacing(_ old: String, _ new: String) -> (inout TriangleGLTF) -> Void {
            { $0.accessors = $0.accessors.replacingOccurrences(of: old, with: new) }
        }
        #expect(try problem([0, 1, 2]) == nil)
        #expect(try problem([0, 3]) == "accessors[0].sparse.indices: element 1 has the index 3, which is outside 0…2")
        #expect(try problem([1, 1]) == "accessors[0].sparse.indices: element 1 has the index 1, which is not above the previous index")
        #expect(try problem([2, 0]) == "accessors[0].sparse.indices: element 1 has the index 0, which is not above the previous index")
        #expect(try problem([0], count: 0) == "accessors[0].sparse.count: 0 is outside 1…3")
        #expect(try problem([0], count: 4) == "accessors[0].sparse.count: 4 is outside 1…3")
        #expect(try problem([0], count: 2) == "accessors[0].sparse.indices: 2 elements take 4 bytes, but the buffer view has 2")
        #expect(
            try problem([0, 1], replacing(#""bufferView": 3"#, #""bufferView": 3, "byteOffset": 4"#))
                == "accessors[0].sparse.values: 2 elements take 28 bytes, but the buffer view has 24")
        #expect(
            try problem([0], replacing(#""bufferView": 2, "componentType": 5123"#, #""bufferView": 2, "componentType": 5126"#))
                == "accessors[0].sparse.indices.componentType: indices must be unsigned whole numbers")
        #expect(
            try problem([0], replacing(#""values": {"bufferView": 3}"#, #""values": {}"#))
                == "accessors[0].sparse.values: missing key \"bufferView\"")
        #expect(
            try problem([0], replacing(#""values""#, #""value""#))
                == "accessors[0].sparse: missing key \"count\", \"indices\" or \"values\"")
        #expect(
            try problem([0]) { $0.bytes.replaceSubrange(48..<52, with: littleEndian([Float.infinity])) }
                == "accessors[0]: element 0 is not finite")
    }

    /// A few bytes that represent a great many zeros.
    @Test func zerosAreBounded() throws {
        #expect(
            try triangle([0], [1, 1, 1], hasView: false, of: 1 << 33).refusal()
                == "accessors[0].count: 8589934592 elements without a bufferView exceed the limit of 16777216")
    }
}
