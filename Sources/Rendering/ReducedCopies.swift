/// The copies of an image in one strip, each half the size of the previous one, down to one pixel. Each side is halved and rounded down,
/// and is at least 1. The strip is as long as the longer side of the image, because the halves of a length add up to less than it.
struct ReducedCopies: Equatable {
    /// The image in pixels.
    let width: Int
    let height: Int

    /// The number of the last copy; 0 is the image itself.
    var last: Int { Int.bitWidth - 1 - max(width, height, 1).leadingZeroBitCount }

    /// The size of a copy.
    func size(_ number: Int) -> (width: Int, height: Int) { (max(1, width >> number), max(1, height >> number)) }

    /// The position of a copy, 1 or more, in the strip. The sprites' fragment shader has the same formula.
    func position(_ number: Int) -> (x: Int, y: Int) {
        let side = max(width, height)
        let start = side - side >> (number - 1)
        return isTall ? (0, start) : (start, 0)
    }

    /// The size of the strip. It is to the right of an image that is square or taller than wide, and below a wider image.
    var strip: (width: Int, height: Int) {
        guard last > 0 else { return (0, 0) }
        let (width, height) = size(1)
        return isTall ? (width, self.height) : (self.width, height)
    }

    /// The upper left of the strip relative to the image's.
    var stripPosition: (x: Int, y: Int) { isTall ? (width, 0) : (0, height) }

    /// The size of the image and the strip together.
    var whole: (width: Int, height: Int) { isTall ? (width + strip.width, height) : (width, height + strip.height) }

    private var isTall: Bool { height >= width }
}
