/// The first lines by which two printed frames differ.
package struct FrameTextDifference {
    /// The beginning of the line with a view's name, in a text with several views.
    static let heading = "view "
    /// The maximum number of lines that are reported.
    package static let mostLines = 12
    /// The maximum number of lines of each text that are compared, from the first difference. This is far more than the number of reported
    /// lines, but small enough to be fast.
    private static let mostComparedLines = 300

    /// Lines that are only in the expected text begin with `- `, and lines that are only in the actual text with `+ `. Each view's lines
    /// are preceded by its name. The last line states whether there are more.
    package let lines: [String]

    package init(expected: String, actual: String) {
        let (old, new) = (Self.lines(of: expected), Self.lines(of: actual))
        let same = zip(old, new).prefix { $0 == $1 }.count
        var lines: [String] = []
        var view = old[..<same].last { $0.hasPrefix(Self.heading) }
        var isViewTold = false
        var rest = LineMerge(
            old: Array(old[same...].prefix(Self.mostComparedLines)), new: Array(new[same...].prefix(Self.mostComparedLines)))
        var count = 0
        while let (line, side) = rest.next() {
            if line.hasPrefix(Self.heading), side == .both { (view, isViewTold) = (line, false) }
            guard side != .both else { continue }
            if let view, !isViewTold { lines.append(String(view)) }
            isViewTold = true
            lines.append("\(side == .old ? "-" : "+") \(line)")
            count += 1
            guard count < Self.mostLines else { break }
        }
        let isAll = max(old.count, new.count) - same <= Self.mostComparedLines && !rest.hasDifferences
        self.lines = isAll ? lines : lines + ["…"]
    }

    private static func lines(of text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}

/// Walks through two texts in parallel. Lines that are only in the old text come before lines that are only in the new text.
private struct LineMerge {
    enum Side { case old, new, both }

    private let old: [Substring]
    private let new: [Substring]
    private var removed: Set<Int> = []
    private var inserted: Set<Int> = []
    private var place = (old: 0, new: 0)

    init(old: [Substring], new: [Substring]) {
        (self.old, self.new) = (old, new)
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
    }

    /// Whether lines that are in only one text remain.
    var hasDifferences: Bool {
        removed.contains { $0 >= place.old } || inserted.contains { $0 >= place.new }
    }

    mutating func next() -> (line: Substring, side: Side)? {
        if removed.contains(place.old) {
            place.old += 1
            return (old[place.old - 1], .old)
        }
        if inserted.contains(place.new) {
            place.new += 1
            return (new[place.new - 1], .new)
        }
        guard place.old < old.count, place.new < new.count else { return nil }
        place = (place.old + 1, place.new + 1)
        return (old[place.old - 1], .both)
    }
}
