import WaymarkScene

/// An affine transform in three dimensions.
struct Transform {
    /// The images of the axes.
    var x = SIMD3(1.0, 0, 0)
    var y = SIMD3(0.0, 1, 0)
    var z = SIMD3(0.0, 0, 1)
    var origin = SIMD3<Double>.zero
    /// The images of the axes for normals: the cofactor matrix, which keeps normals perpendicular to their surfaces.
    private var normalX = SIMD3(1.0, 0, 0)
    private var normalY = SIMD3(0.0, 1, 0)
    private var normalZ = SIMD3(0.0, 0, 1)
    private(set) var isMirroring = false

    init() {}

    init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>, origin: SIMD3<Double>) {
        (self.x, self.y, self.z, self.origin) = (x, y, z, origin)
        isMirroring = (x * Self.cross(y, z)).sum() < 0
        let sign = isMirroring ? -1.0 : 1
        normalX = sign * Self.cross(y, z)
        normalY = sign * Self.cross(z, x)
        normalZ = sign * Self.cross(x, y)
    }

    static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    @inline(__always)
    func point(_ p: SIMD3<Double>) -> SIMD3<Double> { direction(p) + origin }

    @inline(__always)
    private func direction(_ p: SIMD3<Double>) -> SIMD3<Double> { x * p.x + y * p.y + z * p.z }

    /// The transformed normal, of any length.
    @inline(__always)
    func normal(_ n: SIMD3<Double>) -> SIMD3<Double> { normalX * n.x + normalY * n.y + normalZ * n.z }

    /// The composition: applies `other` first, then this.
    func after(_ other: Transform) -> Transform {
        Transform(x: direction(other.x), y: direction(other.y), z: direction(other.z), origin: point(other.origin))
    }
}

// The nodes of a glTF file. They form trees, because each node has at most one parent.
extension GLTFReader {
    /// The nodes of the displayed scene with their global transforms, each after its parent.
    func placedNodes() throws(SceneFileError) -> [(node: Int, Transform)] {
        let children = try readChildren()
        var isChild = [Bool](repeating: false, count: nodes.count)
        for list in children {
            for child in list { isChild[child] = true }
        }
        // Each node has at most one parent, so nodes that are unreachable from a root form cycles.
        let roots = nodes.indices.filter { !isChild[$0] }
        var isReached = [Bool](repeating: false, count: nodes.count)
        var rest = roots
        while let node = rest.popLast() {
            isReached[node] = true
            rest += children[node]
        }
        if let lost = isReached.firstIndex(of: false) { throw nodes[lost].error("the node's ancestors form a cycle") }

        var result: [(Int, Transform)] = []
        var waiting = try sceneNodes(roots: roots, isChild: isChild).reversed().map { ($0, Transform()) }
        while let (node, outer) = waiting.popLast() {
            let transform = outer.after(try readTransform(nodes[node]))
            result.append((node, transform))
            for child in children[node].reversed() { waiting.append((child, transform)) }
        }
        return result
    }

    private func readChildren() throws(SceneFileError) -> [[Int]] {
        var hasParent = [Bool](repeating: false, count: nodes.count)
        var children: [[Int]] = []
        children.reserveCapacity(nodes.count)
        for node in nodes {
            var list: [Int] = []
            if let value = node["children"] {
                for child in try value.readArray() {
                    let (index, _) = try Self.element(child, of: nodes, "node")
                    guard !hasParent[index] else { throw child.error("node \(index) has two parents") }
                    hasParent[index] = true
                    list.append(index)
                }
            }
            children.append(list)
        }
        return children
    }

    /// The root nodes of the file's scene; all root nodes if the file has no scenes.
    private func sceneNodes(roots: [Int], isChild: [Bool]) throws(SceneFileError) -> [Int] {
        let scenes = try Self.list("scenes", of: root)
        let chosen = try root["scene"].map { (value) throws(SceneFileError) in try Self.element(value, of: scenes, "scene").element }
        guard let scene = chosen ?? scenes.first else { return roots }
        guard let list = scene["nodes"] else { return [] }
        var found: [Int] = []
        var isListed = [Bool](repeating: false, count: nodes.count)
        for value in try list.readArray() {
            let (index, _) = try Self.element(value, of: nodes, "node")
            guard !isChild[index] else { throw value.error("node \(index) is the child of another node") }
            guard !isListed[index] else { throw value.error("node \(index) is listed twice") }
            isListed[index] = true
            found.append(index)
        }
        return found
    }

    private func readTransform(_ node: JSONValue) throws(SceneFileError) -> Transform {
        if let matrix = node["matrix"] {
            let m = try numbers(matrix, count: 16)
            guard m[3] == 0, m[7] == 0, m[11] == 0, m[15] == 1 else { throw matrix.error("the last row of the matrix is not 0, 0, 0, 1") }
            return Transform(
                x: SIMD3(m[0], m[1], m[2]), y: SIMD3(m[4], m[5], m[6]), z: SIMD3(m[8], m[9], m[10]), origin: SIMD3(m[12], m[13], m[14]))
        }
        let place = try node["translation"].map { (value) throws(SceneFileError) in try numbers(value, count: 3) } ?? [0, 0, 0]
        let turn = try node["rotation"].map { (value) throws(SceneFileError) in try readRotation(value) } ?? Transform()
        let scale = try node["scale"].map { (value) throws(SceneFileError) in try numbers(value, count: 3) } ?? [1, 1, 1]
        return Transform(
            x: turn.x * scale[0], y: turn.y * scale[1], z: turn.z * scale[2], origin: SIMD3(place[0], place[1], place[2]))
    }

    private func numbers(_ value: JSONValue, count: Int) throws(SceneFileError) -> [Double] {
        try value.readArray(count: count...count).map { (element) throws(SceneFileError) in
            try element.readNumber(in: Self.transformRange)
        }
    }

    /// The valid range of numbers in transforms; the transformed vertices are checked separately.
    private static let transformRange = -1e30...1e30

    /// Reads a quaternion x, y, z, w, and normalizes it.
    private func readRotation(_ value: JSONValue) throws(SceneFileError) -> Transform {
        let q = try numbers(value, count: 4)
        let length = q.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 1e-6 else { throw value.error("the rotation has length 0 and thus no axis") }
        let (x, y, z, w) = (q[0] / length, q[1] / length, q[2] / length, q[3] / length)
        return Transform(
            x: SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
            y: SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
            z: SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)), origin: .zero)
    }
}
