import WaymarkGeo

/// Depth bias steps for level models. Models at the same height whose screen boxes overlap get ascending steps in the order in which they
/// are added.
///
/// Each step moves a model slightly nearer in the depth buffer, so steps are kept low. Any number of models share a step as long as they do
/// not overlap.
struct DepthBiasSteps {
    /// A model, or all models of a full cell.
    private struct LevelBox {
        var box: ScreenBox
        var step: UInt16

        func overlaps(_ other: ScreenBox) -> Bool {
            box.left <= other.right && other.left <= box.right && box.top <= other.bottom && other.top <= box.bottom
        }
    }

    /// The models at one height.
    private struct Level {
        /// The models while there are few of them. Later, they move to `cells`.
        var few: [LevelBox] = []
        /// The boxes that overlap each cell of a grid over the picture, row by row.
        var cells: [[LevelBox]] = []
    }

    /// The maximum number of models at one height without a grid.
    private static let mostFew = 32
    /// The number of cells in a row and in a column.
    private static let side = 32
    /// The maximum number of boxes in a cell. More boxes are replaced by one box that fills the cell.
    private static let mostInCell = 64

    private let width: Double
    private let height: Double
    private var levels: [Double: Level] = [:]

    /// - Parameters:
    ///   - width: The picture's width in pt.
    ///   - height: The picture's height in pt.
    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Adds a model by its screen box. Returns its step, which is above the steps of all earlier models that it overlaps.
    mutating func add(_ box: ScreenBox, at level: Double) -> UInt16 {
        // The level is removed from the dictionary while it is modified, to avoid a copy.
        var known = levels.removeValue(forKey: level) ?? Level()
        defer { levels[level] = known }
        if known.cells.isEmpty {
            let entry = LevelBox(box: box, step: Self.step(above: known.few, box, 0))
            known.few.append(entry)
            if known.few.count > Self.mostFew {
                known.cells = [[LevelBox]](repeating: [], count: Self.side * Self.side)
                for entry in known.few { put(entry, into: &known.cells) }
                known.few = []
            }
            return entry.step
        }
        var step = UInt16(0)
        let (columns, rows) = cellRange(box)
        for row in rows {
            for column in columns { step = Self.step(above: known.cells[row * Self.side + column], box, step) }
        }
        put(LevelBox(box: box, step: step), into: &known.cells)
        return step
    }

    /// The lowest step, at least `least`, above all entries that a box overlaps; limited to the largest UInt16.
    private static func step(above entries: [LevelBox], _ box: ScreenBox, _ least: UInt16) -> UInt16 {
        var step = least
        for entry in entries where entry.step >= step && entry.overlaps(box) { step = entry.step == .max ? .max : entry.step + 1 }
        return step
    }

    private func put(_ entry: LevelBox, into cells: inout [[LevelBox]]) {
        let (columns, rows) = cellRange(entry.box)
        for row in rows {
            for column in columns {
                let index = row * Self.side + column
                let cell = cell(column, row)
                if entry.box.left <= cell.left && entry.box.right >= cell.right && entry.box.top <= cell.top
                    && entry.box.bottom >= cell.bottom
                {
                    // The box covers the cell, so it is above everything in the cell.
                    cells[index] = [entry]
                } else {
                    if cells[index].count == Self.mostInCell {
                        cells[index] = [LevelBox(box: cell, step: cells[index].reduce(0) { max($0, $1.step) })]
                    }
                    cells[index].append(entry)
                }
            }
        }
    }

    private func cell(_ column: Int, _ row: Int) -> ScreenBox {
        let (x, y) = (width / Double(Self.side), height / Double(Self.side))
        // Cells at the edges of the picture also hold boxes beyond them.
        return ScreenBox(
            left: Double(column) * x, top: Double(row) * y, right: Double(column + 1) * x, bottom: Double(row + 1) * y)
    }

    /// The cells that a box overlaps.
    private func cellRange(_ box: ScreenBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func cells(_ low: Double, _ high: Double, _ size: Double) -> ClosedRange<Int> {
            // The place is clamped to the picture, so that it fits in an Int.
            func cell(_ place: Double) -> Int { min(Int(min(max(place / size, 0), 1) * Double(Self.side)), Self.side - 1) }
            let first = cell(low)
            return first...max(first, cell(high))
        }
        return (cells(box.left, box.right, width), cells(box.top, box.bottom, height))
    }
}
