/// An axis-aligned box on the screen in pt, y down from the top left.
package struct ScreenBox: Equatable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// The empty box: extending it by a box gives that box.
    static let none = ScreenBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)

    mutating func extend(to point: SIMD2<Double>) {
        extend(to: ScreenBox(left: point.x, top: point.y, right: point.x, bottom: point.y))
    }

    mutating func extend(to other: ScreenBox) {
        left = min(left, other.left)
        top = min(top, other.top)
        right = max(right, other.right)
        bottom = max(bottom, other.bottom)
    }

    package var width: Double { right - left }
    package var height: Double { bottom - top }
    package var middleX: Double { (left + right) / 2 }
    package var middleY: Double { (top + bottom) / 2 }
}
