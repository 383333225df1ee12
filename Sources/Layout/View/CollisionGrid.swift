/// A convex quad on the screen in device pixels, its corners in order round it.
struct Quad {
    var x: (Double, Double, Double, Double)
    var y: (Double, Double, Double, Double)

    init(_ corners: [(x: Double, y: Double)]) {
        x = (corners[0].x, corners[1].x, corners[2].x, corners[3].x)
        y = (corners[0].y, corners[1].y, corners[2].y, corners[3].y)
    }

    init(_ box: Box) {
        x = (box.left, box.right, box.right, box.left)
        y = (box.top, box.top, box.bottom, box.bottom)
    }

    /// An upright box.
    struct Box {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        var hasArea: Bool { left < right && top < bottom }

        /// Whether two boxes overlap by more than a length on both axes.
        @inline(__always)
        func overlaps(_ other: Box, by least: Double) -> Bool {
            min(right, other.right) - max(left, other.left) > least && min(bottom, other.bottom) - max(top, other.top) > least
        }
    }

    var box: Box {
        Box(
            left: min(x.0, x.1, x.2, x.3), top: min(y.0, y.1, y.2, y.3), right: max(x.0, x.1, x.2, x.3),
            bottom: max(y.0, y.1, y.2, y.3))
    }

    /// Whether two quads overlap by more than a length along every axis across one of their edges (the separating axis
    /// theorem).
    func overlaps(_ other: Quad, by least: Double) -> Bool {
        !separates(other, least) && !other.separates(self, least)
    }

    private func separates(_ other: Quad, _ least: Double) -> Bool {
        let (a, b) = (corners, other.corners)
        for index in 0..<4 {
            let (from, to) = (a[index], a[(index + 1) & 3])
            let (acrossX, acrossY) = (from.y - to.y, to.x - from.x)
            let length = (acrossX * acrossX + acrossY * acrossY).squareRoot()
            guard length > 0 else { continue }
            var (low, high, otherLow, otherHigh) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
            for corner in 0..<4 {
                let mine = (a[corner].x * acrossX + a[corner].y * acrossY) / length
                let theirs = (b[corner].x * acrossX + b[corner].y * acrossY) / length
                (low, high) = (min(low, mine), max(high, mine))
                (otherLow, otherHigh) = (min(otherLow, theirs), max(otherHigh, theirs))
            }
            if min(high, otherHigh) - max(low, otherLow) <= least { return true }
        }
        return false
    }

    private var corners: [(x: Double, y: Double)] { [(x.0, y.0), (x.1, y.1), (x.2, y.2), (x.3, y.3)] }
}

/// What takes part of the screen and hides others there.
struct CollisionBox: Sendable {
    var shape: CollisionGrid.Shape
    /// Whose it is: nobody hides itself.
    var slot: Int32
    /// Its owner's index among the candidates.
    var owner: Int32
    var flags: IconStyle.Flags
}

/// The collision boxes on a screen. Masks answer at once for most places whether they are free; else the boxes nearby are compared, found
/// by squares.
struct CollisionGrid: Sendable {
    /// The shape of something that may collide.
    struct Shape: Sendable {
        var box: Quad.Box
        /// nil when the shape is its box.
        var quad: Quad?

        @inline(__always)
        func overlaps(_ other: Shape, by least: Double) -> Bool {
            guard box.overlaps(other.box, by: least) else { return false }
            guard quad != nil || other.quad != nil else { return true }
            return (quad ?? Quad(box)).overlaps(other.quad ?? Quad(other.box), by: least)
        }
    }

    private let side: Double
    private let columns: Int
    private let rows: Int
    /// What counts as an overlap.
    private let least: Double
    private(set) var boxes: [CollisionBox] = []
    /// By square: the first link and the last, or -1. Links lead to the box, and to the next one; boxes rise.
    private var heads: [Int32]
    private var tails: [Int32]
    private var links: [(box: Int32, next: Int32)] = []
    /// Of boxes that hide markers, captions, and symbols.
    private var masks: [CollisionMask]
    /// The last box of each slot, and by box the one before it of the same slot, or -1.
    private var lastOfSlot: [Int32: Int32] = [:]
    private var previousOfSlot: [Int32] = []

    /// An overlap of up to so many pt is none.
    static let tolerance = 1.0 / 64

    /// - Parameters:
    ///   - width: The picture in device pixels; what lies beside it counts as in the outermost squares.
    ///   - pixelRatio: Device pixels for one pt.
    init(width: Double, height: Double, pixelRatio: Double) {
        side = max(8, 32 * pixelRatio)
        columns = Int(width / side) + 1
        rows = Int(height / side) + 1
        least = Self.tolerance * pixelRatio
        heads = [Int32](repeating: -1, count: columns * rows)
        tails = heads
        masks = [CollisionMask](repeating: CollisionMask(width: width, height: height), count: Self.maskFlags.count)
    }

    @inline(__always)
    private func squares(_ box: Quad.Box) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func square(_ value: Double, _ count: Int) -> Int { Int(max(0, min(value / side, Double(count - 1)))) }
        let (left, top) = (square(box.left, columns), square(box.top, rows))
        return (left...max(left, square(box.right, columns)), top...max(top, square(box.bottom, rows)))
    }

    private static let maskFlags: [IconStyle.Flags] = [.hideMarkers, [.hideMarkers, .hideCaptions], .hideSymbols]

    mutating func add(_ box: CollisionBox) {
        for index in masks.indices where !box.flags.isDisjoint(with: Self.maskFlags[index]) {
            masks[index].add(box.shape.box, isFilled: box.shape.quad == nil)
        }
        let number = Int32(boxes.count)
        boxes.append(box)
        previousOfSlot.append(lastOfSlot.updateValue(number, forKey: box.slot) ?? -1)
        let (columns, rows) = squares(box.shape.box)
        for row in rows {
            for column in columns {
                let square = row * self.columns + column
                let link = Int32(links.count)
                links.append((number, -1))
                if tails[square] < 0 { heads[square] = link } else { links[Int(tails[square])].next = link }
                tails[square] = link
            }
        }
    }

    /// What boxes hide.
    enum Kind: Int {
        case icon
        case caption
        case symbol
    }

    /// Whether a shape overlaps any box that hides its kind, its owner's own left out.
    @inline(__always)
    func isTaken(_ shape: Shape, slot: Int32, _ kind: Kind) -> Bool {
        switch masks[kind.rawValue].answer(shape.box) {
        case .free: return false
        case .taken where shape.quad == nil && !isOwn(shape, slot): return true
        case .taken, .unknown: return first(over: shape, slot: slot, kind) != nil
        }
    }

    /// Whether a shape may be in the way of what its owner has: its icon, or itself on another copy of the world.
    private func isOwn(_ shape: Shape, _ slot: Int32) -> Bool {
        var box = lastOfSlot[slot] ?? -1
        while box >= 0 {
            if boxes[Int(box)].shape.box.overlaps(shape.box, by: 0) { return true }
            box = previousOfSlot[Int(box)]
        }
        return false
    }

    /// The owner of the first box that hides a kind and that a shape overlaps, the shape's own left out; nil when its place is free.
    /// - Parameter count: How many boxes are looked at, from the first.
    func first(over shape: Shape, slot: Int32, _ kind: Kind, of count: Int32 = .max) -> Int32? {
        var first = count
        let flags = Self.maskFlags[kind.rawValue]
        let (columns, rows) = squares(shape.box)
        heads.withUnsafeBufferPointer { heads in
            links.withUnsafeBufferPointer { links in
                boxes.withUnsafeBufferPointer { boxes in
                    for row in rows {
                        for column in columns {
                            var link = heads[row * self.columns + column]
                            // Where much is taken the first that is in the way comes soon.
                            while link >= 0, links[Int(link)].box < first {
                                let (number, next) = links[Int(link)]
                                link = next
                                guard !boxes[Int(number)].flags.isDisjoint(with: flags), boxes[Int(number)].slot != slot else { continue }
                                if boxes[Int(number)].shape.overlaps(shape, by: least) { first = number }
                            }
                        }
                    }
                }
            }
        }
        return first == count ? nil : boxes[Int(first)].owner
    }
}
