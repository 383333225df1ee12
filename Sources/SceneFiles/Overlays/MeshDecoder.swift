import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Reads inline meshes of a scene: `vertices`, `textureCoordinates`, `triangles` and `normals`, each a list of short lists, and `colors`.
enum MeshDecoder {
    static func floatMesh(_ value: JSONValue) throws(SceneFileError) -> FloatMesh {
        try value.readObject { (object) throws(SceneFileError) in
            let range = FloatMesh.coordinateRange
            let list = try object.required("vertices")
            var vertices: [SIMD3<Float>] = []
            try readTriples(list, in: (range, range, range), into: &vertices) { SIMD3<Float>($0) }
            try check(count: vertices.count, list)
            return FloatMesh(
                vertices: vertices, textureCoordinates: try readTextureCoordinates(&object, count: vertices.count),
                triangles: try readTriangles(&object, count: vertices.count), normals: try readNormals(&object, count: vertices.count),
                colors: try readColors(&object, count: vertices.count))
        }
    }

    static func geoMesh(_ value: JSONValue) throws(SceneFileError) -> GeoMesh {
        try value.readObject { (object) throws(SceneFileError) in
            let list = try object.required("vertices")
            var vertices: [SIMD3<Double>] = []
            try readTriples(list, in: (anyNumber, JSONValue.latitudes, Overlay.altitudeRange), into: &vertices) { $0 }
            try check(count: vertices.count, list)
            return GeoMesh(
                vertices: vertices, textureCoordinates: try readTextureCoordinates(&object, count: vertices.count),
                triangles: try readTriangles(&object, count: vertices.count), normals: try readNormals(&object, count: vertices.count),
                colors: try readColors(&object, count: vertices.count))
        }
    }

    private static let anyNumber = -Double.infinity...Double.infinity

    private static func check(count: Int, _ value: JSONValue) throws(SceneFileError) {
        guard count > 0 else { throw value.error("expected at least one vertex") }
        guard count <= Mesh.maximumNumberOfVertices else {
            throw value.error("a mesh may have at most \(Mesh.maximumNumberOfVertices) vertices, not \(count)")
        }
    }

    private static func check(count: Int, of vertices: Int, _ value: JSONValue) throws(SceneFileError) {
        guard count == vertices else { throw value.error("expected \(vertices) elements, one for each vertex, found \(count)") }
    }

    private static func readTextureCoordinates(_ object: inout ObjectReader, count: Int) throws(SceneFileError) -> [SIMD2<Float>] {
        guard let list = object["textureCoordinates"] else { return [] }
        let range = Mesh.textureCoordinateRange
        var points: [SIMD2<Float>] = []
        points.reserveCapacity(list.count)
        for element in try list.readArray() {
            if let (u, v) = element.twoNumbers, range.contains(u), range.contains(v) {
                points.append(SIMD2(Float(u), Float(v)))
            } else {
                let point = try element.readPoint(in: range)
                points.append(SIMD2(Float(point.x), Float(point.y)))
            }
        }
        try check(count: points.count, of: count, list)
        return points
    }

    private static func readNormals(_ object: inout ObjectReader, count: Int) throws(SceneFileError) -> [SIMD3<Float>] {
        guard let list = object["normals"] else { return [] }
        let range = FloatMesh.coordinateRange
        var normals: [SIMD3<Float>] = []
        try readTriples(list, in: (range, range, range), into: &normals) { SIMD3<Float>($0) }
        try check(count: normals.count, of: count, list)
        guard let zero = normals.firstIndex(of: .zero) else { return normals }
        throw Array(try list.readArray())[zero].error("the normal has length 0 and thus no direction")
    }

    private static func readColors(_ object: inout ObjectReader, count: Int) throws(SceneFileError) -> [Color] {
        guard let list = object["colors"] else { return [] }
        var colors: [Color] = []
        colors.reserveCapacity(list.count)
        for element in try list.readArray() { colors.append(try element.readColor()) }
        try check(count: colors.count, of: count, list)
        return colors
    }

    private static func readTriangles(_ object: inout ObjectReader, count: Int) throws(SceneFileError) -> [SIMD3<UInt32>] {
        let list = try object.required("triangles")
        var triangles: [SIMD3<UInt32>] = []
        let last = Double(count - 1)
        try readTriples(list, in: (0...last, 0...last, 0...last), isWhole: true, into: &triangles) {
            SIMD3(UInt32($0.x), UInt32($0.y), UInt32($0.z))
        }
        guard !triangles.isEmpty else { throw list.error("expected at least one triangle") }
        guard triangles.count <= Mesh.maximumNumberOfTriangles else {
            throw list.error("a mesh may have at most \(Mesh.maximumNumberOfTriangles) triangles, not \(triangles.count)")
        }
        return triangles
    }

    private typealias Ranges = (ClosedRange<Double>, ClosedRange<Double>, ClosedRange<Double>)

    /// Reads a list of lists of three numbers.
    private static func readTriples<Element>(
        _ value: JSONValue, in ranges: Ranges, isWhole: Bool = false, into list: inout [Element], _ make: (SIMD3<Double>) -> Element
    ) throws(SceneFileError) {
        list.reserveCapacity(value.count)
        for element in try value.readArray() {
            if let triple = element.threeNumbers, ranges.0.contains(triple.x), ranges.1.contains(triple.y), ranges.2.contains(triple.z),
                !isWhole || triple.rounded(.towardZero) == triple
            {
                list.append(make(triple))
            } else {
                list.append(make(try readTriple(element, in: ranges, isWhole: isWhole)))
            }
        }
    }

    /// The slow path, which reports the error.
    private static func readTriple(_ value: JSONValue, in ranges: Ranges, isWhole: Bool) throws(SceneFileError) -> SIMD3<Double> {
        let numbers = Array(try value.readArray(count: 3...3))
        var triple = SIMD3<Double>()
        for (index, range) in [ranges.0, ranges.1, ranges.2].enumerated() {
            triple[index] =
                isWhole ? Double(try numbers[index].readInteger(in: 0...Int(range.upperBound))) : try numbers[index].readNumber(in: range)
        }
        return triple
    }
}

extension JSONValue {
    /// The numbers of a list of two numbers; nil for anything else.
    fileprivate var twoNumbers: (Double, Double)? {
        guard var rest = document.tape.elements(of: node), let first = number(&rest), let second = number(&rest),
            rest.next(in: document.tape) == nil
        else { return nil }
        return (first, second)
    }

    /// The numbers of a list of three numbers; nil for anything else.
    fileprivate var threeNumbers: SIMD3<Double>? {
        guard var rest = document.tape.elements(of: node), let first = number(&rest), let second = number(&rest),
            let third = number(&rest), rest.next(in: document.tape) == nil
        else { return nil }
        return SIMD3(first, second, third)
    }

    @inline(__always)
    private func number(_ rest: inout JSONTape.Elements) -> Double? {
        guard let node = rest.next(in: document.tape) else { return nil }
        return document.tape.double(of: node)
    }
}
