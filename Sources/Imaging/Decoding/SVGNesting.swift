/// The nesting depth of the elements of an SVG, computed in one fast pass without building a tree.
///
/// librsvg traverses elements and follows references to other elements by recursion. The recursion depth is at most the nesting depth
/// times the number of elements with references, because librsvg refuses cycles. librsvg's stack is made large enough for this depth, or
/// the file is refused. Syntax errors are not reported here, but by librsvg.
struct SVGNesting {
    /// The maximum nesting depth of elements. Files from drawing programs rarely exceed 30.
    static let deepest = 128
    /// The maximum nesting depth of parentheses in a style sheet, where selectors such as `:not()` are parsed recursively.
    static let deepestParentheses = 64
    /// The bytes of stack for each level of recursion. In librsvg 2.54, a level needs at most 6.5 KiB (for a pattern in a pattern), and a
    /// group needs 4.2 KiB.
    static let bytesPerLevel = 8 << 10
    /// The maximum stack size: 1 GiB of address space. Unused pages take no memory.
    static let largestStack = 1 << 30

    private(set) var depth = 0
    /// The number of elements that make librsvg follow references to other elements.
    private(set) var leads = 0

    private static let leading: [[UInt8]] = ["use", "pattern", "mask", "clipPath", "marker", "feImage"].map { Array($0.utf8) }

    init(of bytes: [UInt8]) throws(ImagingError) {
        var open = 0
        // Inside <style>: the number of open parentheses.
        var parentheses: Int?
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                if let count = parentheses { parentheses = try Self.count(count, bytes[at]) }
                at += 1
                continue
            }
            if let end = Self.endOfOther(in: bytes, from: at) {
                if var count = parentheses, bytes[at...].starts(with: "<![CDATA[".utf8) {
                    for byte in bytes[at..<end] { count = try Self.count(count, byte) }
                    parentheses = count
                }
                at = end
            } else if bytes[at...].starts(with: "</".utf8) {
                open = max(open - 1, 0)
                parentheses = nil
                at = Self.end(of: ">", in: bytes, from: at + 2)
            } else {
                let end = Self.endOfTag(in: bytes, from: at + 1)
                let name = Self.localName(bytes[at + 1..<end])
                if Self.leading.contains(where: name.elementsEqual) { leads += 1 }
                let isClosed = end >= 2 && bytes[end - 2] == UInt8(ascii: "/")
                depth = max(depth, open + 1)
                guard depth <= Self.deepest else { throw Self.tooDeep }
                if !isClosed {
                    open += 1
                    parentheses = name.elementsEqual("style".utf8) ? 0 : nil
                }
                at = end
            }
        }
    }

    /// The stack size in bytes that librsvg may need. Throws if that size exceeds the maximum.
    func stack() throws(ImagingError) -> Int {
        let least = 8 << 20
        let (levels, overflow) = (leads + 1).multipliedReportingOverflow(by: depth + 1)
        guard !overflow, levels <= (Self.largestStack - least) / Self.bytesPerLevel else { throw Self.tooDeep }
        return least + levels * Self.bytesPerLevel
    }
}

private extension SVGNesting {
    static var tooDeep: ImagingError { SVGImage.undrawable("its elements are nested too deeply") }

    static func count(_ open: Int, _ byte: UInt8) throws(ImagingError) -> Int {
        switch byte {
        case UInt8(ascii: "("):
            guard open < deepestParentheses else { throw SVGImage.undrawable("its style sheet has too many nested parentheses") }
            return open + 1
        case UInt8(ascii: ")"): return max(open - 1, 0)
        default: return open
        }
    }
}

// The parts of a document, also for `SVGFilters`.
extension SVGNesting {
    /// The index after a comment, a CDATA section, a processing instruction or a declaration; nil if a tag begins at `start`.
    static func endOfOther(in bytes: [UInt8], from start: Int) -> Int? {
        let rest = bytes[start...]
        if rest.starts(with: "<!--".utf8) { return end(of: "-->", in: bytes, from: start + 4) }
        if rest.starts(with: "<![CDATA[".utf8) { return end(of: "]]>", in: bytes, from: start + 9) }
        if rest.starts(with: "<?".utf8) { return end(of: "?>", in: bytes, from: start + 2) }
        if rest.starts(with: "<!".utf8) { return endOfDeclaration(in: bytes, from: start + 2) }
        return nil
    }

    /// The index after the next `mark`, or after the last byte if there is none.
    static func end(of mark: StaticString, in bytes: [UInt8], from start: Int) -> Int {
        mark.withUTF8Buffer { mark in
            var at = start
            while at + mark.count <= bytes.count {
                if bytes[at] == mark[0], bytes[at..<at + mark.count].elementsEqual(mark) { return at + mark.count }
                at += 1
            }
            return bytes.count
        }
    }

    /// The index after a tag's `>`, skipping any `>` inside quoted attribute values.
    static func endOfTag(in bytes: [UInt8], from start: Int) -> Int {
        var quote: UInt8?
        for at in start..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return at + 1
            }
        }
        return bytes.count
    }

    /// The index after a declaration's `>`. A DOCTYPE may contain other declarations in square brackets.
    static func endOfDeclaration(in bytes: [UInt8], from start: Int) -> Int {
        var quote: UInt8?
        var brackets = 0
        for at in start..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: ">") where brackets <= 0: return at + 1
            default: break
            }
        }
        return bytes.count
    }

    /// The name of an element without its prefix.
    static func localName(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
        return name[(colon + 1)...]
    }
}
