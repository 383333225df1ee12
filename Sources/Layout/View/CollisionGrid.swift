import WaymarkGeo

/// An axis-aligned box on the screen in device pixels.
struct PixelBox {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var hasArea: Bool { left < right && top < bottom }

    /// The box with every edge moved outward by `length` device pixels.
    @inline(__always)
    func grown(by length: Double) -> PixelBox {
        PixelBox(left: left - length, top: top - length, right: right + length, bottom: bottom + length)
    }

    /// The box around two boxes.
    @inline(__always)
    func union(_ other: PixelBox) -> PixelBox {
        PixelBox(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right), bottom: max(bottom, other.bottom))
    }

    /// Whether two boxes overlap by more than `least` device pixels on both axes.
    @inline(__always)
    func overlaps(_ other: PixelBox, by least: Double) -> Bool {
        min(right, other.right) - max(left, other.left) > least && min(bottom, other.bottom) - max(top, other.top) > least
    }

    /// Whether a part of the box is in the picture.
    func isSeen(in viewport: Viewport) -> Bool {
        right > 0 && bottom > 0 && left < Double(viewport.deviceWidth) && top < Double(viewport.deviceHeight)
    }
}

/// A convex quad on the screen in device pixels, its corners in order around it.
struct Quad {
    var x: (Double, Double, Double, Double)
    var y: (Double, Double, Double, Double)

    init(_ corners: [(x: Double, y: Double)]) {
        x = (corners[0].x, corners[1].x, corners[2].x, corners[3].x)
        y = (corners[0].y, corners[1].y, corners[2].y, corners[3].y)
    }

    init(_ box: PixelBox) {
        x = (box.left, box.right, box.right, box.left)
        y = (box.top, box.top, box.bottom, box.bottom)
    }

    var box: PixelBox {
        PixelBox(
            left: min(x.0, x.1, x.2, x.3), top: min(y.0, y.1, y.2, y.3), right: max(x.0, x.1, x.2, x.3),
            bottom: max(y.0, y.1, y.2, y.3))
    }

    /// Whether two quads overlap by more than `least` device pixels along the normal of every edge of either (separating axis theorem).
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

/// The area of an icon or caption that hides others.
struct CollisionBox: Sendable {
    var shape: CollisionGrid.Shape
    /// The owner's slot; an overlay does not hide itself.
    var slot: Int32
    /// The owner's index among the candidates.
    var owner: Int32
    var flags: IconStyle.Flags
}

/// A target that a collision box may hide.
enum CollisionTarget: Int {
    case icon
    case caption
    case symbol
}

/// The collision boxes on a screen, in a uniform grid of cells. Bit masks answer most queries; the others are compared with the boxes in
/// the same cells.
struct CollisionGrid: Sendable {
    /// The shape of an icon or caption for collisions.
    struct Shape: Sendable {
        var box: PixelBox
        /// The exact shape; nil if it is the box.
        var quad: Quad?
        /// The space to keep free around the shape, in device pixels.
        var padding: Double

        /// Whether two shapes overlap when one of them is grown by the larger padding.
        @inline(__always)
        func overlaps(_ other: Shape, by least: Double) -> Bool {
            let isWider = padding >= other.padding
            let (mine, theirs) = isWider ? (grownBox, other.box) : (box, other.grownBox)
            guard mine.overlaps(theirs, by: least) else { return false }
            guard quad != nil || other.quad != nil else { return true }
            let own = quad.map { isWider ? $0.grown(by: padding) : $0 } ?? Quad(mine)
            let others = other.quad.map { isWider ? $0 : $0.grown(by: other.padding) } ?? Quad(theirs)
            return own.overlaps(others, by: least)
        }

        /// The box with its padding added.
        @inline(__always)
        var grownBox: PixelBox {
            // The corners of a turned quad move farther than its edges.
            guard padding > 0, let quad else { return box.grown(by: padding) }
            return quad.grown(by: padding).box
        }
    }

    private let side: Double
    private let columns: Int
    private let rows: Int
    /// The smallest overlap that counts, in device pixels.
    private let least: Double
    private(set) var boxes: [CollisionBox] = []
    /// The first and last link of each cell, or -1. A link holds a box and the next link; box indices ascend along the list.
    private var heads: [Int32]
    private var tails: [Int32]
    private var links: [(box: Int32, next: Int32)] = []
    /// Masks of the boxes, including their padding, that hide markers, captions, and symbols.
    private var masks: [CollisionMask]
    /// The smallest padding of the boxes in each mask.
    private var leastPaddings: [Double]
    /// The last box of each slot, and the previous box of the same slot for each box, or -1.
    private var lastOfSlot: [Int32: Int32] = [:]
    private var previousOfSlot: [Int32] = []

    /// The largest overlap in pt that does not count.
    static let tolerance = 1.0 / 64

    /// - Parameter viewport: The view. Boxes outside its picture are stored in the outermost cells.
    init(_ viewport: Viewport) {
        let (width, height, pixelRatio) = (Double(viewport.deviceWidth), Double(viewport.deviceHeight), viewport.pixelRatio)
        side = max(8, 32 * pixelRatio)
        columns = Int(width / side) + 1
        rows = Int(height / side) + 1
        least = Self.tolerance * pixelRatio
        heads = [Int32](repeating: -1, count: columns * rows)
        tails = heads
        masks = [CollisionMask](repeating: CollisionMask(width: width, height: height), count: Self.maskFlags.count)
        leastPaddings = [Double](repeating: .infinity, count: Self.maskFlags.count)
    }

    @inline(__always)
    private func squares(_ box: PixelBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func square(_ value: Double, _ count: Int) -> Int { Int(max(0, min(value / side, Double(count - 1)))) }
        let (left, top) = (square(box.left, columns), square(box.top, rows))
        return (left...max(left, square(box.right, columns)), top...max(top, square(box.bottom, rows)))
    }

    private static let maskFlags: [IconStyle.Flags] = [.hideMarkers, [.hideMarkers, .hideCaptions], .hideSymbols]

    mutating func add(_ box: CollisionBox) {
        let grown = box.shape.grownBox
        for index in masks.indices where !box.flags.isDisjoint(with: Self.maskFlags[index]) {
            masks[index].add(grown, isFilled: box.shape.quad == nil)
            leastPaddings[index] = min(leastPaddings[index], box.shape.padding)
        }
        let number = Int32(boxes.count)
        boxes.append(box)
        previousOfSlot.append(lastOfSlot.updateValue(number, forKey: box.slot) ?? -1)
        let (columns, rows) = squares(grown)
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

    /// Whether a shape overlaps a box that hides `target`, ignoring boxes of the same slot.
    @inline(__always)
    func isOccupied(_ shape: Shape, slot: Int32, _ target: CollisionTarget) -> Bool {
        // A mask contains boxes with their own paddings. These suffice unless one is smaller than the shape's padding.
        let isWider = shape.padding > leastPaddings[target.rawValue]
        switch masks[target.rawValue].answer(shape.box, around: isWider ? shape.grownBox : shape.box) {
        case .free: return false
        case .taken where shape.quad == nil && !isOwn(shape, slot): return true
        case .taken, .unknown: return first(over: shape, slot: slot, target) != nil
        }
    }

    /// Whether a shape touches a box of the same slot, which is the overlay's icon, or the same overlay on another copy of the world.
    private func isOwn(_ shape: Shape, _ slot: Int32) -> Bool {
        var box = lastOfSlot[slot] ?? -1
        while box >= 0 {
            if boxes[Int(box)].shape.grownBox.overlaps(shape.box, by: 0) { return true }
            box = previousOfSlot[Int(box)]
        }
        return false
    }

    /// The owner of the first box that hides `target` and overlaps a shape, ignoring boxes of the same slot; nil without one.
    /// - Parameter count: Only the first `count` boxes are considered.
    func first(over shape: Shape, slot: Int32, _ target: CollisionTarget, of count: Int32 = .max) -> Int32? {
        firstBox(over: shape, slot: slot, target, of: count).map { boxes[Int($0)].owner }
    }

    /// The index of the box that `first` finds.
    func firstBox(over shape: Shape, slot: Int32, _ target: CollisionTarget, of count: Int32 = .max) -> Int32? {
        var first = count
        let flags = Self.maskFlags[target.rawValue]
        let (columns, rows) = squares(shape.grownBox)
        heads.withUnsafeBufferPointer { heads in
            links.withUnsafeBufferPointer { links in
                boxes.withUnsafeBufferPointer { boxes in
                    for row in rows {
                        for column in columns {
                            var link = heads[row * self.columns + column]
                            // In crowded cells, the first overlapping box is found early.
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
        return first == count ? nil : first
    }
}
