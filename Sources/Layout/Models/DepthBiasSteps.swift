import WaymarkGeo

/// Which level models lie on which: those of one height whose boxes on the screen overlap are told apart by rising numbers, in the
/// order in which they come.
///
/// Each number moves a model a little nearer in the depth buffer, so they stay low: models apart from one another share them,
/// however many there are.
struct DepthBiasSteps {
    /// A model, or all that were in a cell.
    private struct LevelBox {
        var box: ScreenBox
        var step: UInt16

        func overlaps(_ other: ScreenBox) -> Bool {
            box.left <= other.right && other.left <= box.right && box.top <= other.bottom && other.top <= box.bottom
        }
    }

    /// What is at one height.
    private struct Level {
        /// As long as they are few; then they are in the cells.
        var few: [LevelBox] = []
        /// Of a grid over the picture, row by row: what may overlap a box that reaches into each.
        var cells: [[LevelBox]] = []
    }

    /// So many models of one height need no grid.
    private static let mostFew = 32
    /// Cells in a row and in a column.
    private static let side = 32
    /// So many are told apart in a cell; when there are more, those before count as one that fills it.
    private static let mostInCell = 64

    private let width: Double
    private let height: Double
    private var levels: [Double: Level] = [:]

    /// - Parameters:
    ///   - width: Of the picture, in pt.
    ///   - height: The same.
    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The number of a model that covers a box on the screen: above those of all before it that it overlaps.
    mutating func add(_ box: ScreenBox, at level: Double) -> UInt16 {
        // Taken out, so that nothing of it is copied.
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
        let (columns, rows) = reach(box)
        for row in rows {
            for column in columns { step = Self.step(above: known.cells[row * Self.side + column], box, step) }
        }
        put(LevelBox(box: box, step: step), into: &known.cells)
        return step
    }

    /// A number above those of what a box overlaps, at least the least; those beyond the last number share it.
    private static func step(above entries: [LevelBox], _ box: ScreenBox, _ least: UInt16) -> UInt16 {
        var step = least
        for entry in entries where entry.step >= step && entry.overlaps(box) { step = entry.step == .max ? .max : entry.step + 1 }
        return step
    }

    private func put(_ entry: LevelBox, into cells: inout [[LevelBox]]) {
        let (columns, rows) = reach(entry.box)
        for row in rows {
            for column in columns {
                let index = row * Self.side + column
                let cell = cell(column, row)
                if entry.box.left <= cell.left && entry.box.right >= cell.right && entry.box.top <= cell.top
                    && entry.box.bottom >= cell.bottom
                {
                    // It overlaps all that is in the cell, and is above it.
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
        // Those at the edges of the picture hold what is beyond them too.
        return ScreenBox(
            left: Double(column) * x, top: Double(row) * y, right: Double(column + 1) * x, bottom: Double(row + 1) * y)
    }

    /// The cells that a box reaches into.
    private func reach(_ box: ScreenBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func cells(_ low: Double, _ high: Double, _ size: Double) -> ClosedRange<Int> {
            // Cut to the picture it fits an Int.
            func cell(_ place: Double) -> Int { min(Int(min(max(place / size, 0), 1) * Double(Self.side)), Self.side - 1) }
            let first = cell(low)
            return first...max(first, cell(high))
        }
        return (cells(box.left, box.right, width), cells(box.top, box.bottom, height))
    }
}
