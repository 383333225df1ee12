import WaymarkImaging
import WaymarkScene

/// Reads Wavefront OBJ: vertices with their colors, texture coordinates, normals, faces and their materials. Objects, groups, smoothing,
/// lines and curves are skipped.
///
/// Files are y-up, with texture coordinates from the lower left; both are converted. `ModelFile` explains why no library is used.
struct OBJReader {
    private var scanner = ByteScanner()
    private var source: ModelSource
    private var positions: [SIMD3<Float>] = []
    /// The colors, one per position once a position has a color; empty before.
    private var colors: [Color] = []
    private var textureCoordinates: [SIMD2<Float>] = []
    private var normals: [SIMD3<Float>] = []
    private var parts = ModelParts()
    /// The last vertex created from each position, or -1.
    private var newest: [Int32] = []
    /// The corner of each vertex: the indices of its texture coordinates and normal, or -1, and the previous vertex with the same position.
    private var corners: [Corner] = []
    private var materials: [String: Int] = [:]
    private var materialNames: [String] = []
    private var library = MTLReader()

    private struct Corner {
        var texture: Int32
        var normal: Int32
        var previous: Int32
    }

    /// The number of vertices per position that are searched for an equal one. Files with more vertices at a position get some
    /// duplicates.
    private static let longestSearch = 32

    private init(_ source: consuming ModelSource) {
        self.source = source
    }

    static func read(_ bytes: [UInt8], _ source: inout ModelSource) throws(SceneFileError) -> FloatMesh {
        var reader = OBJReader(source)
        // The source gets its state back even if this throws.
        defer { source = reader.source }
        return try reader.readAll(bytes.span)
    }
}

extension OBJReader {
    private mutating func readAll(_ bytes: Span<UInt8>) throws(SceneFileError) -> FloatMesh {
        while !scanner.isAtEnd(bytes) {
            if scanner.hasWord(bytes) { try readLine(bytes) }
            scanner.skipLine(bytes)
        }
        var appearances: [FloatMesh.Surface] = []
        for name in materialNames {
            if let appearance = library.appearances[name] {
                appearances.append(appearance)
            } else {
                appearances.append(.plain)
                // Faces before any `usemtl` have no material name.
                if !name.isEmpty, !library.isIncomplete {
                    source.warn("", "the material \(name.quotedBriefly) does not exist; its faces are drawn white")
                }
            }
        }
        do throws(ModelParts.Excess) {
            let finished = parts
            parts = ModelParts()
            return try finished.mesh(appearances: appearances)
        } catch {
            throw source.error("", error.text)
        }
    }

    @inline(__always)
    private mutating func readLine(_ bytes: Span<UInt8>) throws(SceneFileError) {
        let word = scanner.word(bytes)
        switch (word.count, bytes[word.lowerBound]) {
        case (1, UInt8(ascii: "v")): try readPosition(bytes)
        case (1, UInt8(ascii: "f")): try readFace(bytes)
        case (2, UInt8(ascii: "v")):
            switch bytes[word.lowerBound + 1] {
            case UInt8(ascii: "t"): try readTextureCoordinate(bytes)
            case UInt8(ascii: "n"): try readNormal(bytes)
            default: break
            }
        case (6, UInt8(ascii: "u")) where ByteScanner.isWord(word, "usemtl", bytes):
            use(ByteScanner.text(scanner.rest(bytes), bytes))
        case (6, UInt8(ascii: "m")) where ByteScanner.isWord(word, "mtllib", bytes):
            try library.read(files: ByteScanner.text(scanner.rest(bytes), bytes), at: "line \(scanner.line)", &source)
        default: break
        }
    }

    private mutating func use(_ name: String) {
        let number = materials[name] ?? materialNames.count
        if number == materialNames.count {
            materials[name] = number
            materialNames.append(name)
        }
        parts.use(material: number)
    }

    private mutating func readPosition(_ bytes: Span<UInt8>) throws(SceneFileError) {
        let range = FloatMesh.coordinateRange
        let x = try readNumber(bytes, "x", in: range)
        let y = try readNumber(bytes, "y", in: range)
        let z = try readNumber(bytes, "z", in: range)
        guard positions.count < Int(Int32.max) else { throw error("the file has more than \(Int32.max) positions") }
        if scanner.hasWord(bytes) || !colors.isEmpty { readColor(bytes) }
        positions.append(SIMD3(Float(x), Float(0 - z), Float(y)))
        newest.append(-1)
    }

    /// Reads the color after a position: red, green and blue in 0…1, sRGB-coded, as written by MeshLab and other programs. Anything else,
    /// such as the weight of a curve's control point, is not a color.
    private mutating func readColor(_ bytes: Span<UInt8>) {
        var channels = SIMD3<Double>(repeating: 1)
        var count = 0
        while count < 3, scanner.hasWord(bytes), let number = scanner.number(bytes) {
            channels[count] = number
            count += 1
        }
        guard count == 3 || !colors.isEmpty else { return }
        if colors.isEmpty { colors = Array(repeating: .white, count: positions.count) }
        let clamped = count == 3 ? channels.clamped(lowerBound: .zero, upperBound: .one) : .one
        if count == 3, clamped != channels {
            source.warn("line \(scanner.line)", "a vertex color is outside 0…1 and is clamped")
        }
        colors.append(Color(red: clamped.x, green: clamped.y, blue: clamped.z))
    }

    private mutating func readTextureCoordinate(_ bytes: Span<UInt8>) throws(SceneFileError) {
        let range = Mesh.textureCoordinateRange
        let u = try readNumber(bytes, "u", in: range)
        let v = scanner.hasWord(bytes) ? try readNumber(bytes, "v", in: range) : 0
        textureCoordinates.append(SIMD2(Float(u), Float(1 - v)))
    }

    private mutating func readNormal(_ bytes: Span<UInt8>) throws(SceneFileError) {
        let x = try readNumber(bytes, "x", in: .finite)
        let y = try readNumber(bytes, "y", in: .finite)
        let z = try readNumber(bytes, "z", in: .finite)
        normals.append(ModelParts.unit(SIMD3(x, 0 - z, y)) ?? .zero)
    }

    @inline(__always)
    private mutating func readNumber(
        _ bytes: Span<UInt8>, _ name: StaticString, in range: ClosedRange<Double>
    ) throws(SceneFileError) -> Double {
        guard scanner.hasWord(bytes) else { throw error("\(name) is missing") }
        guard let number = scanner.number(bytes) else {
            throw error("\(name): expected a number, found \(ByteScanner.text(scanner.word(bytes), bytes).quotedBriefly)")
        }
        guard range.contains(number) else {
            throw error("\(name): \(number.plainText) is outside \(range.lowerBound.plainText)…\(range.upperBound.plainText)")
        }
        return number
    }

    /// Divides a face into a triangle fan around its first corner.
    private mutating func readFace(_ bytes: Span<UInt8>) throws(SceneFileError) {
        if materialNames.isEmpty { use("") }
        var count = 0
        var (first, last) = (UInt32(0), UInt32(0))
        while scanner.hasWord(bytes) {
            let corner = try readCorner(bytes)
            count += 1
            if count == 1 {
                first = corner
            } else if count > 2 {
                do throws(ModelParts.Excess) {
                    try parts.add(triangle: SIMD3(first, last, corner))
                } catch {
                    throw self.error(error.text)
                }
            }
            last = corner
        }
        guard count >= 3 else { throw error("a face needs at least 3 corners, not \(count)") }
    }

    /// Reads a corner: `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    @inline(__always)
    private mutating func readCorner(_ bytes: Span<UInt8>) throws(SceneFileError) -> UInt32 {
        let start = scanner.offset
        guard let number = scanner.integer(bytes) else { throw notACorner(start, bytes) }
        let position = try index(number, of: positions.count, "vertex")
        var (texture, normal) = (-1, -1)
        if scanner.slash(bytes) {
            if let number = scanner.integer(bytes) { texture = try index(number, of: textureCoordinates.count, "texture coordinate") }
            if scanner.slash(bytes), let number = scanner.integer(bytes) { normal = try index(number, of: normals.count, "normal") }
        }
        guard scanner.word(bytes).isEmpty else { throw notACorner(start, bytes) }
        return try vertex(position, Int32(truncatingIfNeeded: texture), Int32(truncatingIfNeeded: normal))
    }

    private mutating func notACorner(_ start: Int, _ bytes: Span<UInt8>) -> SceneFileError {
        scanner.offset = start
        return error("expected a corner such as 1/2/3, found \(ByteScanner.text(scanner.word(bytes), bytes).quotedBriefly)")
    }

    /// Reads an index counted from 1, or backward from the last element so far.
    @inline(__always)
    private func index(_ number: Int, of count: Int, _ name: StaticString) throws(SceneFileError) -> Int {
        let index = number < 0 ? count + number : number - 1
        guard index >= 0, index < count else { throw error("\(name) \(number) does not exist; only \(count) precede this line") }
        return index
    }

    private mutating func vertex(_ position: Int, _ texture: Int32, _ normal: Int32) throws(SceneFileError) -> UInt32 {
        var known = newest[position]
        var tries = 0
        while known >= 0, tries < Self.longestSearch {
            let corner = corners[Int(known)]
            if corner.texture == texture, corner.normal == normal { return UInt32(known) }
            known = corner.previous
            tries += 1
        }
        do throws(ModelParts.Excess) {
            let vertex = try parts.add(
                positions[position], texture: texture < 0 ? nil : textureCoordinates[Int(texture)],
                normal: normal < 0 ? nil : normals[Int(normal)], color: colors.isEmpty ? nil : colors[position])
            corners.append(Corner(texture: texture, normal: normal, previous: newest[position]))
            newest[position] = Int32(vertex)
            return vertex
        } catch {
            throw self.error(error.text)
        }
    }

    private func error(_ problem: String) -> SceneFileError { source.error("line \(scanner.line)", problem) }
}
