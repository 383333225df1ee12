extension PreciseMesh {
    /// The same mesh with positions relative to a point, in units of a length.
    package func relative(to origin: SIMD3<Double>, unit: Double = 1) -> TriangleMesh {
        TriangleMesh(
            positions: positions.map { SIMD3<Float>(($0 - origin) / unit) }, normals: normals, textureCoordinates: textureCoordinates,
            colors: colors, triangles: triangles, sources: sources)
    }

    /// The part of the mesh within a rectangle of x and y, at any height. Vertices created at its sides have interpolated normals, texture
    /// coordinates and colors; vertices no longer used by any triangle are removed.
    package func clipped(low: SIMD2<Double>, high: SIMD2<Double>) -> PreciseMesh {
        let codes = positions.map { position -> UInt8 in
            (position.x < low.x ? 1 : 0) | (position.x > high.x ? 2 : 0) | (position.y < low.y ? 4 : 0) | (position.y > high.y ? 8 : 0)
        }
        var clip = SquareClip(self, low: low, high: high)
        for (number, triangle) in triangles.enumerated() {
            let (a, b, c) = (codes[Int(triangle.x)], codes[Int(triangle.y)], codes[Int(triangle.z)])
            guard a & b & c == 0 else { continue }
            let source = sources.isEmpty ? UInt32(number) : sources[number]
            if a | b | c == 0 {
                clip.keep(triangle, source)
            } else {
                clip.cut(triangle, crossing: a | b | c, source)
            }
        }
        return clip.result
    }
}

/// Clips a mesh triangle by triangle (Sutherland and Hodgman, 1974).
private struct SquareClip {
    private struct Corner {
        var position: SIMD3<Double>
        var normal: SIMD3<Float>
        var texture: SIMD2<Float>
        var color: SIMD4<UInt8>
    }

    private let mesh: PreciseMesh
    private let low: SIMD2<Double>
    private let high: SIMD2<Double>
    /// The index of each vertex in the result; `max` while it is not used.
    private var kept: [UInt32]
    private(set) var result = PreciseMesh()
    private var polygon: [Corner] = []
    private var scratch: [Corner] = []

    init(_ mesh: PreciseMesh, low: SIMD2<Double>, high: SIMD2<Double>) {
        self.mesh = mesh
        self.low = low
        self.high = high
        kept = [UInt32](repeating: .max, count: mesh.positions.count)
    }

    private func corner(_ index: UInt32) -> Corner {
        let index = Int(index)
        return Corner(
            position: mesh.positions[index], normal: mesh.normals.isEmpty ? .zero : mesh.normals[index],
            texture: mesh.textureCoordinates.isEmpty ? .zero : mesh.textureCoordinates[index],
            color: mesh.colors.isEmpty ? .zero : mesh.colors[index])
    }

    private mutating func add(_ corner: Corner) -> UInt32 {
        result.positions.append(corner.position)
        if !mesh.normals.isEmpty { result.normals.append(corner.normal) }
        if !mesh.textureCoordinates.isEmpty { result.textureCoordinates.append(corner.texture) }
        if !mesh.colors.isEmpty { result.colors.append(corner.color) }
        return UInt32(result.positions.count - 1)
    }

    mutating func keep(_ triangle: SIMD3<UInt32>, _ source: UInt32) {
        var corners = triangle
        for index in 0..<3 {
            let old = triangle[index]
            if kept[Int(old)] == .max { kept[Int(old)] = add(corner(old)) }
            corners[index] = kept[Int(old)]
        }
        result.triangles.append(corners)
        result.sources.append(source)
    }

    mutating func cut(_ triangle: SIMD3<UInt32>, crossing codes: UInt8, _ source: UInt32) {
        polygon.removeAll(keepingCapacity: true)
        for index in 0..<3 { polygon.append(corner(triangle[index])) }
        let sides: [(axis: Int, bound: Double, sign: Double)] = [(0, low.x, 1), (0, high.x, -1), (1, low.y, 1), (1, high.y, -1)]
        for (number, side) in sides.enumerated() where codes & 1 << UInt8(number) != 0 {
            scratch.removeAll(keepingCapacity: true)
            for index in polygon.indices {
                let (a, b) = (polygon[index], polygon[index + 1 == polygon.count ? 0 : index + 1])
                let (from, to) = (
                    (a.position[side.axis] - side.bound) * side.sign, (b.position[side.axis] - side.bound) * side.sign
                )
                if from >= 0 { scratch.append(a) }
                guard (from < 0) != (to < 0) else { continue }
                // The edge is cut starting at its outer end, so that the triangle on its other side is clipped at the same point.
                let (outer, inner, share) = from < 0 ? (a, b, from / (from - to)) : (b, a, to / (to - from))
                var made = Self.between(outer, inner, share)
                made.position[side.axis] = side.bound
                scratch.append(made)
            }
            swap(&polygon, &scratch)
            guard polygon.count > 2 else { return }
        }
        let first = add(polygon[0])
        var before = add(polygon[1])
        for corner in polygon.dropFirst(2) {
            let next = add(corner)
            result.triangles.append(SIMD3(first, before, next))
            result.sources.append(source)
            before = next
        }
    }

    private static func between(_ a: Corner, _ b: Corner, _ share: Double) -> Corner {
        let normal = SIMD3<Double>(a.normal) + (SIMD3<Double>(b.normal) - SIMD3<Double>(a.normal)) * share
        let length = (normal * normal).sum().squareRoot()
        // The result is between the bytes of both.
        let mixed = SIMD4<Double>(a.color) + (SIMD4<Double>(b.color) - SIMD4<Double>(a.color)) * share
        let color = SIMD4<UInt8>(mixed.rounded(.toNearestOrAwayFromZero))
        return Corner(
            position: a.position + (b.position - a.position) * share, normal: length > 0 ? SIMD3<Float>(normal / length) : a.normal,
            texture: SIMD2<Float>(SIMD2<Double>(a.texture) + (SIMD2<Double>(b.texture) - SIMD2<Double>(a.texture)) * share),
            color: color)
    }
}
