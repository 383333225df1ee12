import WaymarkSystem

/// An SVG whose filters librsvg can draw.
///
/// librsvg skips filter primitives that it does not know, and does not draw an element whose filter has no other primitive. Version 2.54,
/// the one of Debian 12, does not know `feDropShadow`. It is replaced here by the primitives that define it: a blur, an offset, a flood
/// and a merge (Filter Effects Module Level 1, section 9.12). Syntax errors are not reported here, but by librsvg.
struct SVGFilters {
    /// The SVG with all drop shadows replaced. Without drop shadows, these are the original bytes.
    private(set) var bytes: [UInt8]
    /// The distinct names of the filter primitives that librsvg does not know, in the order of the document; at most `mostUnknown`.
    private(set) var unknown: [String] = []

    /// The maximum number of listed names, because a hostile file may have thousands.
    private static let mostUnknown = 4
    /// The filter primitives that librsvg has known since version 2.26.
    private static let known: Set<String> = [
        "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
        "feFlood", "feGaussianBlur", "feImage", "feMerge", "feMorphology", "feOffset", "feSpecularLighting", "feTile", "feTurbulence",
    ]

    init(of bytes: [UInt8]) {
        self.bytes = bytes
        guard SVGNesting.end(of: "filter", in: bytes, from: 0) < bytes.count else { return }
        var result: [UInt8] = []
        // The result contains everything before this index.
        var copied = 0
        var open = 0
        // The depth of the children of the innermost filter.
        var depthOfPrimitives: Int?
        // The index of the first byte of a drop shadow with contents, its replacement, and its depth.
        var shadow: (start: Int, replacement: String, depth: Int)?
        var shadows = 0
        var at = 0
        func replace(_ range: Range<Int>, by text: String) {
            result += bytes[copied..<range.lowerBound]
            result += text.utf8
            copied = range.upperBound
        }
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                at += 1
                continue
            }
            if let end = SVGNesting.endOfOther(in: bytes, from: at) {
                at = end
            } else if bytes[at...].starts(with: "</".utf8) {
                let end = SVGNesting.end(of: ">", in: bytes, from: at + 2)
                open = max(open - 1, 0)
                if let known = shadow, open < known.depth {
                    replace(known.start..<end, by: known.replacement)
                    shadow = nil
                }
                if let depth = depthOfPrimitives, open < depth { depthOfPrimitives = nil }
                at = end
            } else {
                let end = SVGNesting.endOfTag(in: bytes, from: at + 1)
                let name = SVGNesting.localName(bytes[at + 1..<end])
                let isClosed = end >= 2 && bytes[end - 2] == UInt8(ascii: "/")
                if open == depthOfPrimitives, Self.isPrimitive(name) {
                    if name.elementsEqual("feDropShadow".utf8), let tag = SVGTag(bytes[at..<end]) {
                        shadows += 1
                        let replacement = Self.replacement(for: tag, number: shadows)
                        if isClosed { replace(at..<end, by: replacement) } else { shadow = (at, replacement, open + 1) }
                    } else {
                        let name = String(decoding: name, as: UTF8.self)
                        if !Self.known.contains(name), unknown.count < Self.mostUnknown, !unknown.contains(name) { unknown.append(name) }
                    }
                }
                if !isClosed {
                    open += 1
                    if depthOfPrimitives == nil, name.elementsEqual("filter".utf8) { depthOfPrimitives = open }
                }
                at = end
            }
        }
        if copied > 0 { self.bytes = result + bytes[copied...] }
    }

    /// Warnings about the unknown primitives.
    var warnings: [String] {
        unknown.map { "librsvg does not know the filter primitive \($0.shortened(to: 40)) and skips it" }
    }
}

private extension SVGFilters {
    /// Whether a child of a filter is a primitive, known or not. The names of all primitives begin with "fe" and a capital letter.
    static func isPrimitive(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count > 2, name.starts(with: "fe".utf8) else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name[name.startIndex + 2])
    }

    /// The attributes that are not passed on to every primitive: the attributes of the drop shadow itself, and attributes of only one of
    /// its replacements. A second `in2` or `operator` would make the SVG invalid.
    static let ownAttributes: Set<String> = [
        "id", "in", "result", "dx", "dy", "stdDeviation", "x", "y", "width", "height", "in2", "operator", "edgeMode",
    ]

    /// The primitives that draw a drop shadow.
    static func replacement(for tag: SVGTag, number: Int) -> String {
        let (prefix, name) = (tag.prefix, "waymark-shadow-\(number)")
        func given(_ names: String...) -> String {
            names.reduce("") { text, name in tag[name].map { "\(text) \(name)=\($0)" } ?? text }
        }
        // The shared attributes are colors, opacities, the color space, and everything to which style sheets refer.
        let shared = tag.attributes.reduce("") { text, attribute in
            ownAttributes.contains(attribute.name) ? text : text + " \(attribute.name)=\(attribute.value)"
        }
        // A missing input stands for the result of the previous primitive. An offset by 0 gives this result a name.
        let naming = tag["in"] == nil ? "<\(prefix)feOffset\(shared) dx=\"0\" dy=\"0\" result=\"\(name)\"/>" : ""
        let input = tag["in"] ?? "\"\(name)\""
        let (dx, dy) = (tag["dx"] ?? "\"2\"", tag["dy"] ?? "\"2\"")
        return naming
            + "<\(prefix)feGaussianBlur\(shared) in=\(input) stdDeviation=\(tag["stdDeviation"] ?? "\"2\"")/>"
            + "<\(prefix)feOffset\(shared) dx=\(dx) dy=\(dy) result=\"\(name)-blur\"/>"
            + "<\(prefix)feFlood\(shared)\(given("id"))/>"
            + "<\(prefix)feComposite\(shared) in2=\"\(name)-blur\" operator=\"in\"/>"
            + "<\(prefix)feMerge\(shared)\(given("x", "y", "width", "height", "result"))>"
            + "<\(prefix)feMergeNode/><\(prefix)feMergeNode in=\(input)/></\(prefix)feMerge>"
    }
}

/// The start tag of an element.
private struct SVGTag {
    /// The prefix of the name with its colon; empty without one.
    let prefix: String
    /// The attributes in their order, each value with its quotation marks.
    private(set) var attributes: [(name: String, value: String)] = []

    /// Returns nil if the tag is not well-formed.
    /// - Parameter tag: The tag with its angle brackets.
    init?(_ tag: ArraySlice<UInt8>) {
        var rest = tag.dropFirst()
        func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
        func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") }
        let name = rest.prefix { !isSpace($0) && !isEnd($0) }
        rest = rest[name.endIndex...]
        prefix = name.lastIndex(of: UInt8(ascii: ":")).map { String(decoding: name[...$0], as: UTF8.self) } ?? ""
        while true {
            rest = rest.drop(while: isSpace)
            guard let first = rest.first else { return nil }
            if isEnd(first) { return }
            let key = rest.prefix { !isSpace($0) && !isEnd($0) && $0 != UInt8(ascii: "=") }
            rest = rest[key.endIndex...].drop(while: isSpace)
            guard !key.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst().drop(while: isSpace)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
            attributes.append((String(decoding: key, as: UTF8.self), String(decoding: rest[rest.startIndex...end], as: UTF8.self)))
            rest = rest[(end + 1)...]
        }
    }

    /// The value of an attribute, with its quotation marks.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
