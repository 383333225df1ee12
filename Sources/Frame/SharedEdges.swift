import WaymarkImaging

/// How the edges of an image on the ground are drawn. Edges are antialiased, except where the image borders on another image of the same
/// drawing command, so that nothing shows through between the two. A pixel whose center is on the border belongs to only one of them.
public struct SharedEdges: Hashable, Sendable {
    public enum Side: UInt8, CaseIterable, Sendable {
        case left
        case top
        case right
        case bottom
    }

    /// The rule for a pixel at an edge.
    public enum Rule: UInt8, Sendable {
        /// A pixel is drawn in proportion to the area that the image covers.
        case antialiased
        /// A pixel is drawn if its center is inside the edge or on it.
        case inclusive
        /// A pixel is drawn if its center is inside the edge.
        case exclusive
        /// Like `inclusive`, but pixels up to 0.002 pt outside the edge are also drawn. This rule is used if the adjacent image begins
        /// slightly off the edge because positions are rounded.
        case adjoining
        /// Like `inclusive`, but pixels up to 1/16 pt outside the edge are also drawn. This rule is used if the adjacent image begins near
        /// the edge, but not on it.
        case overlapping
    }

    /// The rules, with three bits for each side.
    package private(set) var bits: UInt16

    /// The value for an image without shared edges.
    public static let none = SharedEdges()

    public init() { self.init(bits: 0) }

    package init(bits: UInt16) { self.bits = bits }

    public subscript(_ side: Side) -> Rule {
        get { Rule(rawValue: UInt8(bits >> (3 * side.rawValue) & 7)) ?? .antialiased }
        set { bits = bits & ~(7 << (3 * side.rawValue)) | UInt16(newValue.rawValue) << (3 * side.rawValue) }
    }
}

extension SharedEdges: CustomStringConvertible {
    public var description: String {
        Side.allCases.filter { self[$0] != .antialiased }.map { "\($0) \(self[$0])" }.joined(separator: ", ")
    }
}

extension Frame {
    /// Finds the edges that images on the ground share with other images of the same drawing command, and sets `Sprite.sharedEdges`. The
    /// earlier of two images takes the pixels on the border.
    package mutating func shareEdges() {
        // For each image, whether any part of its border is visible; determined when first needed.
        var hasBorder: [Bool?] = []
        for case .sprites(let range, .linear) in commands where sprites[range].contains(where: { $0.plane == .ground }) {
            if hasBorder.isEmpty { hasBorder = Array(repeating: nil, count: images.count) }
            var numbers: [Int] = []
            for number in range where sprites[number].plane == .ground {
                let image = Int(sprites[number].image)
                let isSeen = hasBorder[image] ?? images[image].bitmap.hasVisibleBorder
                hasBorder[image] = isSeen
                if isSeen { numbers.append(number) }
            }
            if numbers.count > 1 { shareEdges(of: numbers) }
        }
    }

    private mutating func shareEdges(of numbers: [Int]) {
        var table = EdgeTable(capacity: 4 * numbers.count)
        for number in numbers {
            for edge in GroundEdge.all(of: sprites[number], number: number) where edge.isNear {
                // Both outlines run clockwise, so two images on either side of an edge pass it in opposite directions.
                if let (other, distance) = table.find(edge) {
                    sprites[other.sprite].sharedEdges[other.side] = GroundEdge.rule(distance)
                    sprites[number].sharedEdges[edge.side] = .exclusive
                }
                table.insert(edge)
            }
        }
    }
}

/// An edge of an image on the ground, in pt, clockwise around the image.
private struct GroundEdge {
    var from: SIMD3<Float>
    var to: SIMD3<Float>
    var sprite: Int
    var side: SharedEdges.Side

    /// The maximum distance in pt between two endpoints that count as the same point.
    static let tolerance: Float = 0.0625

    /// The rule for the earlier of two edges whose endpoints are this far apart. sprite.frag uses the same distances.
    static func rule(_ distance: Float) -> SharedEdges.Rule {
        distance < 0x1p-16 ? .inclusive : distance < 0.002 ? .adjoining : .overlapping
    }

    static func all(of sprite: Sprite, number: Int) -> [GroundEdge] {
        let corner = SIMD3(sprite.x, sprite.y, sprite.z)
        let (across, down) = (SIMD3(sprite.acrossX, sprite.acrossY, 0), SIMD3(sprite.downX, sprite.downY, 0))
        let corners = [corner, corner + across, corner + across + down, corner + down]
        return zip([SharedEdges.Side.top, .right, .bottom, .left], 0..<4).map { side, index in
            GroundEdge(from: corners[index], to: corners[(index + 1) % 4], sprite: number, side: side)
        }
    }

    /// Whether the edge lies where `Float` can still represent fractions of a pt.
    var isNear: Bool {
        func isNear(_ point: SIMD3<Float>) -> Bool { abs(point.x) < 0x1p18 && abs(point.y) < 0x1p18 && abs(point.z) < 0x1p18 }
        return isNear(from) && isNear(to)
    }

    /// The distance between this edge and an edge in the opposite direction.
    func distance(toReverse other: GroundEdge) -> Float {
        let (first, second) = (from - other.to, to - other.from)
        return max(abs(first.x), abs(first.y), abs(first.z), abs(second.x), abs(second.y), abs(second.z))
    }
}

/// The edges found so far, by the cell of 1 pt in which they begin. It is a hash table with a list in each slot.
private struct EdgeTable {
    private var edges: [GroundEdge] = []
    /// The previous edge in the same slot, for each edge, or -1.
    private var before: [Int32] = []
    /// The last edge entered in each slot, or -1.
    private var heads: [Int32]
    private let mask: Int

    init(capacity: Int) {
        var size = 16
        while size < capacity { size *= 2 }
        heads = [Int32](repeating: -1, count: size)
        mask = size - 1
        edges.reserveCapacity(capacity)
        before.reserveCapacity(capacity)
    }

    private func place(_ x: Float, _ y: Float) -> Int {
        var hash = UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(y)) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
        return Int(truncatingIfNeeded: (hash &* 0x94D0_49BB_1331_11EB) >> 20) & mask
    }

    mutating func insert(_ edge: GroundEdge) {
        let place = place(edge.from.x.rounded(.down), edge.from.y.rounded(.down))
        before.append(heads[place])
        heads[place] = Int32(edges.count)
        edges.append(edge)
    }

    /// The edge that is the reverse of the given one, and the distance between them.
    func find(_ edge: GroundEdge) -> (GroundEdge, Float)? {
        let (low, high) = (edge.to - GroundEdge.tolerance, edge.to + GroundEdge.tolerance)
        var best: (GroundEdge, Float)?
        var x = low.x.rounded(.down)
        while x <= high.x {
            var y = low.y.rounded(.down)
            while y <= high.y {
                var index = heads[place(x, y)]
                while index >= 0 {
                    let other = edges[Int(index)]
                    let distance = other.sprite == edge.sprite ? .infinity : edge.distance(toReverse: other)
                    if distance <= GroundEdge.tolerance, distance < best?.1 ?? .infinity { best = (other, distance) }
                    index = before[Int(index)]
                }
                y += 1
            }
            x += 1
        }
        return best
    }
}

extension Bitmap {
    /// Whether any pixel at the image's edges is not fully transparent.
    fileprivate var hasVisibleBorder: Bool {
        guard width > 0, height > 0 else { return false }
        func isVisible(_ x: Int, _ y: Int) -> Bool { pixels[(y * width + x) * 4 + 3] != 0 }
        return (0..<width).contains { isVisible($0, 0) || isVisible($0, height - 1) }
            || (0..<height).contains { isVisible(0, $0) || isVisible(width - 1, $0) }
    }
}
