/// Chooses the line breaks of a paragraph. There are as few lines as possible, and their longest line is then as short as possible. The
/// lines before and after the longest one are balanced in the same way. A segment wider than a line stands alone, and does not make other
/// lines longer.
///
/// The time is proportional to the number of segments, times the steps of a few searches.
struct LineBalancer {
    /// For each segment, which is the text between two break opportunities: the pen position before its first letter, and the pen
    /// position after the last ink up to its end. Positions are whole numbers of 1/1024 pt, so that a width does not depend on the
    /// position of its line in the paragraph.
    private var starts: [Int] = []
    private var inkEnds: [Int] = []
    /// The unit at the end of each segment.
    private var ends: [Int] = []
    /// The width of a line.
    private let limit: Int
    /// The ends of the lines found so far, in units.
    private var lineEnds: [Int] = []

    /// The number of units of width in a pt.
    private static let unitsPerPoint = 1024.0
    /// The widest paragraph in pt that is balanced. The sums stay far below the largest integer.
    private static let widest = 1e12
    /// The maximum depth at which the lines on both sides of a longest line are balanced. Usually, each depth has half as many lines as
    /// the previous one. The limit bounds the time if it has nearly as many.
    private static let deepest = 16

    /// - Parameters:
    ///   - breaks: Whether a line can begin at each unit.
    ///   - advances: The advance of each unit in pt.
    ///   - spacing: The spacing before each unit in pt; nil without spacing.
    /// - Returns: Nil if the paragraph is too wide.
    init?(_ text: [UInt16], breaks: [Bool], advances: [Double], spacing: [Double]?, wrapWidth: Double) {
        // One unit is added for the rounding of both ends.
        limit = Int((min(wrapWidth, Self.widest) * Self.unitsPerPoint).rounded(.up)) + 1
        var pen = 0.0
        var inkEnd = 0
        var isStart = true
        for unit in text.indices {
            let start = pen + (spacing?[unit] ?? 0)
            pen = start + advances[unit]
            guard abs(start) < Self.widest, abs(pen) < Self.widest else { return nil }
            if isStart { starts.append(Self.units(start)) }
            if !LineBreaker.isSpace(text[unit]) { inkEnd = Self.units(pen) }
            isStart = unit + 1 == text.count || breaks[unit + 1]
            guard isStart else { continue }
            inkEnds.append(inkEnd)
            ends.append(unit + 1)
        }
    }

    /// The ends of the lines, in units.
    mutating func balancedEnds() -> [Int] {
        lineEnds = []
        // The lines between two segments that are too wide are balanced separately.
        var start = 0
        var count = 0
        for line in packed(ends.indices, limit: limit) {
            count += 1
            guard width(line.lowerBound, line.upperBound - 1) > limit else { continue }
            balance(start..<line.lowerBound, into: count - 1, depth: 0)
            lineEnds.append(ends[line.upperBound - 1])
            (start, count) = (line.upperBound, 0)
        }
        balance(start..<ends.count, into: count, depth: 0)
        return lineEnds
    }

    private static func units(_ length: Double) -> Int { Int((length * unitsPerPoint + 0.5).rounded(.down)) }
}

private extension LineBalancer {
    /// The width of a line, without the spaces at its end.
    func width(_ first: Int, _ last: Int) -> Int { max(0, inkEnds[last] - starts[first]) }

    /// Balances segments that fit into a number of lines, and into no smaller one.
    mutating func balance(_ segments: Range<Int>, into count: Int, depth: Int) {
        guard !segments.isEmpty else { return }
        guard count > 1 else { return lineEnds.append(ends[segments.upperBound - 1]) }
        let lines = packed(segments, limit: shortest(segments, count))
        guard depth < Self.deepest else { return lineEnds += lines.map { ends[$0.upperBound - 1] } }
        var longest = 0
        for (index, line) in lines.enumerated()
        where width(line.lowerBound, line.upperBound - 1) > width(lines[longest].lowerBound, lines[longest].upperBound - 1) {
            longest = index
        }
        balance(segments.lowerBound..<lines[longest].lowerBound, into: longest, depth: depth + 1)
        lineEnds.append(ends[lines[longest].upperBound - 1])
        balance(lines[longest].upperBound..<segments.upperBound, into: lines.count - 1 - longest, depth: depth + 1)
    }

    /// The lines if each is as long as possible. A line is at most as wide as the limit, or has only one segment.
    func packed(_ segments: Range<Int>, limit: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var first = segments.lowerBound
        for segment in segments.dropFirst() where width(first, segment) > limit {
            lines.append(first..<segment)
            first = segment
        }
        lines.append(first..<segments.upperBound)
        return lines
    }

    /// The smallest possible width of the longest line. The segments must fit into `count` lines of the wrap width.
    func shortest(_ segments: Range<Int>, _ count: Int) -> Int {
        var least = segments.reduce(0) { max($0, width($1, $1)) }
        var fitting = limit
        while least < fitting {
            let middle = least + (fitting - least) / 2
            let attempt = attempt(segments, count, limit: middle)
            if attempt.fits { fitting = attempt.longest } else { least = max(middle + 1, attempt.next) }
        }
        return fitting
    }

    /// Whether segments fit into `count` lines of a width.
    /// - Returns: Also the longest line, and, if they do not fit, the next width for which the lines differ.
    func attempt(_ segments: Range<Int>, _ count: Int, limit: Int) -> (fits: Bool, longest: Int, next: Int) {
        var first = segments.lowerBound
        var longest = width(first, first)
        var next = Int.max
        var left = count
        for segment in segments.dropFirst() {
            var width = width(first, segment)
            if width > limit {
                next = min(next, width)
                left -= 1
                if left == 0 { return (false, longest, next) }
                first = segment
                width = self.width(segment, segment)
            }
            longest = max(longest, width)
        }
        return (true, longest, next)
    }
}
