import WaymarkGeo

/// Finds the points of a picture that may be near a pixel, without visiting the others. Flat arrays list the icons and captions that touch
/// each cell of the picture.
struct CandidateGrid: Sendable {
    /// The side of a cell in device pixels.
    private static let cellSide = 32.0
    /// The maximum number of cells that list a candidate. Candidates that touch more cells are visited for every pixel.
    private static let mostCells = 16

    private let columnCount: Int
    private let rowCount: Int
    /// The start of each cell's candidates in `members`, followed by the end of the last.
    private var starts: [Int32]
    private var members: [Int32] = []
    private var large: [Int32] = []

    /// - Parameter candidates: The candidates in any order. Their indices identify them.
    init(_ candidates: [PointCandidate], _ viewport: Viewport) {
        columnCount = max(1, Int((Double(viewport.deviceWidth) / Self.cellSide).rounded(.up)))
        rowCount = max(1, Int((Double(viewport.deviceHeight) / Self.cellSide).rounded(.up)))
        starts = [Int32](repeating: 0, count: columnCount * rowCount + 1)
        let boxes = candidates.map { $0.isSeen(in: viewport) ? $0.pickedBox : nil }
        for (index, box) in boxes.enumerated() {
            guard let cells = box.map({ cells(of: $0) }) else { continue }
            guard cells.columns.count * cells.rows.count <= Self.mostCells else {
                large.append(Int32(index))
                continue
            }
            for cell in indices(of: cells) { starts[cell + 1] += 1 }
        }
        for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
        members = [Int32](repeating: 0, count: Int(starts[starts.count - 1]))
        var ends = starts
        for (index, box) in boxes.enumerated() {
            guard let cells = box.map({ cells(of: $0) }), cells.columns.count * cells.rows.count <= Self.mostCells else { continue }
            for cell in indices(of: cells) {
                members[Int(ends[cell])] = Int32(index)
                ends[cell] += 1
            }
        }
    }

    /// Calls `body` with the index of every candidate that may be within `radius` device pixels of a point, possibly more than once.
    func forEach(nearX x: Double, y: Double, radius: Double, _ body: (Int) -> Void) {
        for index in large { body(Int(index)) }
        for cell in indices(of: cells(of: PixelBox(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius))) {
            for place in starts[cell]..<starts[cell + 1] { body(Int(members[Int(place)])) }
        }
    }

    private typealias Cells = (columns: ClosedRange<Int>, rows: ClosedRange<Int>)

    /// The cells that a box touches. Cells at the edges also hold boxes outside the picture.
    private func cells(of box: PixelBox) -> Cells {
        func range(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
            func cell(_ place: Double) -> Int { Int(min(Double(count - 1), max(0, (place / Self.cellSide).rounded(.down)))) }
            return cell(low)...max(cell(low), cell(high))
        }
        return (range(box.left, box.right, columnCount), range(box.top, box.bottom, rowCount))
    }

    private func indices(of cells: Cells) -> some Sequence<Int> {
        cells.rows.lazy.flatMap { row in cells.columns.lazy.map { row * columnCount + $0 } }
    }
}

extension PointCandidate {
    /// The bounding box of its shown icon and caption, in device pixels; nil when neither is shown.
    fileprivate var pickedBox: PixelBox? {
        let icon = isIconDrawn ? box : nil
        guard isCaptionShown else { return icon }
        return icon?.union(captionBox) ?? captionBox
    }
}
