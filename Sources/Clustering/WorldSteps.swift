/// A position in integer steps from the world's upper left corner. A step is 2⁻³⁶ of the world's size: an eighth of a pt at zoom 24.
///
/// Sums of integers do not depend on the order of addition, and the sum of ten million positions fits in 64 bits.
public struct WorldSteps: Hashable, Sendable {
    public var x: Int64
    public var y: Int64

    /// The number of steps across the world.
    public static let perWorld: Int64 = 1 << 36

    /// Creates the step that contains a position.
    /// - Parameters:
    ///   - x: The position as a fraction of the world's width, in 0..<1.
    ///   - y: The position as a fraction of the world's height. The map extends slightly beyond 0 and 1, by less than a hundred-millionth;
    ///     positions there belong to the first and the last step.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = Int64(min(max(x * 0x1p36, 0), 0x1p36 - 1))
        self.y = Int64(min(max(y * 0x1p36, 0), 0x1p36 - 1))
    }

    public init(x: Int64, y: Int64) {
        self.x = x
        self.y = y
    }
}

/// The grid of cells in which points are clustered. All cells have the same size in pt at every integer zoom level, and the grid starts
/// at the world's upper left corner.
///
/// Along each axis, the cell of a position at zoom z has the index floor(512 · 2^z · X / size), computed exactly, where X is the position
/// as a fraction of the world's size, and `size` is the cell size in pt. A cell at one zoom therefore contains exactly four cells of the
/// next zoom. The index of a position at zoom z is its index at zoom 24, halved and rounded down 24 − z times.
public struct CellGrid: Hashable, Sendable {
    /// The deepest zoom level at which positions have cells.
    public static let deepestZoom = 24
    /// The width of a cell at the deepest zoom, in steps.
    private let width: Double
    private let perWidth: Double

    /// - Parameter cellSize: The width and height of a cell in pt, at least 2.
    public init(cellSize: Double) {
        precondition(cellSize >= 2)
        width = 8 * cellSize
        perWidth = 1 / width
    }

    /// The index, along one axis at the deepest zoom, of the cell that contains a position.
    @inline(__always)
    func index(_ steps: Int64) -> UInt32 {
        let place = Double(steps)
        let cell = (place * perWidth).rounded(.down)
        let rest = place - cell * width
        // The error of the quotient is less than one cell. Near the border between two cells, the remainder is computed exactly.
        if rest > 1e-3, rest < width - 1e-3 { return UInt32(cell) }
        if place.addingProduct(-cell, width) < 0 { return UInt32(cell - 1) }
        if place.addingProduct(-(cell + 1), width) >= 0 { return UInt32(cell + 1) }
        return UInt32(cell)
    }

    /// The Morton code, at the deepest zoom, of the cell that contains a position.
    @inline(__always)
    public func code(_ steps: WorldSteps) -> UInt64 { Morton.code(x: index(steps.x), y: index(steps.y)) }

    /// The number of columns at a zoom level.
    func columns(zoom: Int) -> Int { Int(index(WorldSteps.perWorld - 1) >> UInt32(Self.deepestZoom - zoom)) + 1 }

    /// The cells that a range along one axis touches at a zoom level; nil if the range lies outside the world.
    /// - Parameters:
    ///   - low: The start of the range, as a fraction of the world's size.
    ///   - high: The end of the range, inclusive. A range with NaN counts as outside the world.
    public func cells(from low: Double, to high: Double, zoom: Int) -> ClosedRange<UInt32>? {
        guard low <= high, high >= 0, low < 1 else { return nil }
        let (first, last) = (WorldSteps(x: low, y: 0).x, WorldSteps(x: high, y: 0).x)
        let shift = UInt32(Self.deepestZoom - zoom)
        return index(first) >> shift...index(last) >> shift
    }
}

/// A rectangle of cells at one zoom level.
public struct CellRect: Hashable, Sendable {
    public var zoom: Int
    public var xs: ClosedRange<UInt32>
    public var ys: ClosedRange<UInt32>

    public init(zoom: Int, xs: ClosedRange<UInt32>, ys: ClosedRange<UInt32>) {
        self.zoom = zoom
        self.xs = xs
        self.ys = ys
    }

    /// The Morton codes of the upper left and the lower right cell.
    var low: UInt64 { Morton.code(x: xs.lowerBound, y: ys.lowerBound) }
    var high: UInt64 { Morton.code(x: xs.upperBound, y: ys.upperBound) }
    /// The number of bits by which a Morton code at the deepest zoom is longer than a code at this rectangle's zoom.
    var shift: UInt64 { UInt64(2 * (CellGrid.deepestZoom - zoom)) }
}

/// Tests whether a cell's code is in a rectangle, without decoding the code.
struct CodeBox {
    private let lowX, highX, lowY, highY: UInt64

    init(_ rect: CellRect) {
        lowX = rect.low & Morton.xMask
        highX = rect.high & Morton.xMask
        lowY = rect.low & ~Morton.xMask
        highY = rect.high & ~Morton.xMask
    }

    @inline(__always)
    func contains(_ code: UInt64) -> Bool {
        let (x, y) = (code & Morton.xMask, code & ~Morton.xMask)
        return x >= lowX && x <= highX && y >= lowY && y <= highY
    }
}
