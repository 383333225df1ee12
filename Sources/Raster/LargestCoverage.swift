/// The largest coverage of each pixel of a band among the layers of one path. One bit per pixel marks the covered pixels, so that the cost
/// of a thin line depends on the number of its pixels, however large its box is.
final class LargestCoverage {
    /// The coverage of each pixel, 0 between paths.
    private var bytes: UnsafeMutablePointer<UInt8>?
    private var byteCount = 0
    /// A bit for each pixel, each row in separate words; 0 between paths.
    private var words: UnsafeMutablePointer<UInt64>?
    private var wordCount = 0

    deinit {
        bytes?.deallocate()
        words?.deallocate()
    }

    /// The rows of a band of the given size, all empty.
    func lines(width: Int, rows: Int) -> Lines {
        let wordsPerRow = (width + 63) >> 6
        let bytes = Self.reserve(width * rows, &bytes, &byteCount)
        let words = Self.reserve(wordsPerRow * rows, &words, &wordCount)
        return Lines(bytes: bytes, words: words, width: width, wordsPerRow: wordsPerRow)
    }

    private static func reserve<Number: FixedWidthInteger>(
        _ count: Int, _ memory: inout UnsafeMutablePointer<Number>?, _ capacity: inout Int
    ) -> UnsafeMutablePointer<Number> {
        if let memory, count <= capacity { return memory }
        memory?.deallocate()
        let new = UnsafeMutablePointer<Number>.allocate(capacity: count)
        new.initialize(repeating: 0, count: count)
        (memory, capacity) = (new, count)
        return new
    }

    /// The rows of a band, without the access checks for each use of a class's variables.
    struct Lines {
        fileprivate let bytes: UnsafeMutablePointer<UInt8>
        fileprivate let words: UnsafeMutablePointer<UInt64>
        fileprivate let width: Int
        fileprivate let wordsPerRow: Int
    }
}

extension LargestCoverage.Lines {
    /// Adds a span of a layer.
    /// - Parameter coverage: 1…255.
    @inline(__always)
    func add(_ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32) {
        let (line, coverage) = (bytes + row &* width, UInt8(truncatingIfNeeded: coverage))
        var index = start
        repeat {
            line[index] = max(line[index], coverage)
            index &+= 1
        } while index < end
        let marks = words + row &* wordsPerRow
        let (first, last) = (start >> 6, (end &- 1) >> 6)
        var bits = UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        for word in first..<last {
            marks[word] |= bits
            bits = .max
        }
        marks[last] |= bits & UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63)
    }

    /// Calls `body` with the spans of a row, from left to right, and clears the row.
    /// - Parameter columns: A range that includes all spans.
    @inline(__always)
    func sweep(_ row: Int, _ columns: Range<Int>, _ body: (_ start: Int, _ end: Int, _ coverage: UInt32) -> Void) {
        let (line, marks) = (bytes + row &* width, words + row &* wordsPerRow)
        for word in columns.lowerBound >> 6...min(columns.upperBound >> 6, wordsPerRow &- 1) {
            var bits = marks[word]
            guard bits != 0 else { continue }
            marks[word] = 0
            while bits != 0 {
                let bit = bits.trailingZeroBitCount
                let start = word << 6 &+ bit
                let limit = start &+ (~(bits >> UInt64(truncatingIfNeeded: bit))).trailingZeroBitCount
                let coverage = line[start]
                line[start] = 0
                var end = start &+ 1
                while end < limit, line[end] == coverage {
                    line[end] = 0
                    end &+= 1
                }
                let next = end &- word << 6
                bits = next > 63 ? 0 : bits & UInt64.max << UInt64(truncatingIfNeeded: next)
                body(start, end, UInt32(coverage))
            }
        }
    }
}
