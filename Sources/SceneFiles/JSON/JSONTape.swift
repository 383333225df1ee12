import Glibc

/// The type of a JSON value.
package enum JSONKind: Sendable {
    case object, array, string, number, boolean, null
}

/// The index of a value in its document, meaningful only for the document or tape that returned it.
package struct JSONNode: Comparable, Sendable {
    fileprivate let index: Int

    /// Nodes are in document order.
    package static func < (a: JSONNode, b: JSONNode) -> Bool { a.index < b.index }
}

/// simdjson's tape. Traversing it requires no function call, allocation or reference counting per value.
///
/// A word has a type in the top byte and a payload in the lower 56 bits:
///
///     r                   root, first and last word
///     { [                 index after the matching } or ] (32 bits) and the number of elements or members (24 bits, saturated)
///     "                   offset of the string: four bytes of length, then UTF-8
///     l u d               integer, unsigned integer beyond Int64, double: in the next word
///     t f n               true, false, null
package struct JSONTape: ~Copyable {
    // The buffers belong to the document, which owns the tape and outlives every borrow of it.
    private let words: UnsafePointer<UInt64>
    private let wordCount: Int
    private let strings: UnsafePointer<UInt8>

    init(words: UnsafePointer<UInt64>, wordCount: Int, strings: UnsafePointer<UInt8>) {
        self.words = words
        self.wordCount = wordCount
        self.strings = strings
    }
}

// MARK: Values

extension JSONTape {
    package var root: JSONNode { JSONNode(index: 1) }

    package func kind(of node: JSONNode) -> JSONKind {
        switch tag(node.index) {
        case Tag.object: .object
        case Tag.array: .array
        case Tag.string: .string
        case Tag.integer, Tag.unsigned, Tag.double: .number
        case Tag.true, Tag.false: .boolean
        default: .null
        }
    }

    /// The value as a number; nil for another type. Integers beyond 2⁵³ are rounded.
    @inline(__always)
    package func double(of node: JSONNode) -> Double? {
        switch tag(node.index) {
        case Tag.double: Double(bitPattern: word(node.index + 1))
        case Tag.integer: Double(Int64(bitPattern: word(node.index + 1)))
        case Tag.unsigned: Double(word(node.index + 1))
        default: nil
        }
    }

    /// The value as an integer, in any notation (`3`, `3.0`, `3e0`); nil unless it is integral and fits.
    package func int(of node: JSONNode) -> Int? {
        switch tag(node.index) {
        case Tag.integer: Int(Int64(bitPattern: word(node.index + 1)))
        case Tag.double: Int(wholeNumber: Double(bitPattern: word(node.index + 1)))
        default: nil
        }
    }

    package func bool(of node: JSONNode) -> Bool? {
        switch tag(node.index) {
        case Tag.true: true
        case Tag.false: false
        default: nil
        }
    }

    package func string(of node: JSONNode) -> String? {
        guard tag(node.index) == Tag.string else { return nil }
        let (start, count) = utf8(node.index)
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Passes the unescaped bytes of a string to `body`; nil for another type.
    package func withUTF8<Result, Failure: Error>(
        of node: JSONNode, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard tag(node.index) == Tag.string else { return nil }
        let (start, count) = utf8(node.index)
        return try body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Whether the value is this string.
    @inline(__always)
    package func isString(_ node: JSONNode, _ text: StaticString) -> Bool {
        guard tag(node.index) == Tag.string else { return false }
        let (start, count) = utf8(node.index)
        return text.withUTF8Buffer { $0.count == count && (count == 0 || $0.baseAddress.map { memcmp($0, start, count) } == 0) }
    }
}

// MARK: Arrays and objects

extension JSONTape {
    /// An iteration over the elements of an array:
    ///
    ///     while let element = elements.next(in: tape) { … }
    package struct Elements {
        fileprivate var index: Int
        fileprivate let end: Int

        @inline(__always)
        package mutating func next(in tape: borrowing JSONTape) -> JSONNode? {
            guard index < end else { return nil }
            defer { index = tape.end(of: index) }
            return JSONNode(index: index)
        }
    }

    /// An iteration over the members of an object in file order, like ``Elements``. Keys are string nodes.
    package struct Members {
        fileprivate var index: Int
        fileprivate let end: Int

        @inline(__always)
        package mutating func next(in tape: borrowing JSONTape) -> (key: JSONNode, value: JSONNode)? {
            guard index < end else { return nil }
            let key = JSONNode(index: index)
            let value = JSONNode(index: index + 1)
            index = tape.end(of: value.index)
            return (key, value)
        }
    }

    /// The elements of an array; nil for another type.
    @inline(__always)
    package func elements(of node: JSONNode) -> Elements? {
        guard tag(node.index) == Tag.array else { return nil }
        return Elements(index: node.index + 1, end: end(of: node.index) - 1)
    }

    /// The members of an object; nil for another type.
    @inline(__always)
    package func members(of node: JSONNode) -> Members? {
        guard tag(node.index) == Tag.object else { return nil }
        return Members(index: node.index + 1, end: end(of: node.index) - 1)
    }

    /// The first member of an object with this key; nil if it is missing, and for another type.
    package func member(_ key: StaticString, of node: JSONNode) -> JSONNode? {
        guard var members = members(of: node) else { return nil }
        while let member = members.next(in: self) {
            if isString(member.key, key) { return member.value }
        }
        return nil
    }

    /// The first member of an object with each of the given UTF-8 keys; nil if it is missing, and for another type.
    package func members(_ keys: [[UInt8]], of node: JSONNode, into values: inout [JSONNode?]) {
        for index in keys.indices { values[index] = nil }
        guard var members = members(of: node) else { return }
        while let member = members.next(in: self) {
            let (start, count) = utf8(member.key.index)
            for (index, key) in keys.enumerated() where key.count == count && values[index] == nil && memcmp(key, start, count) == 0 {
                values[index] = member.value
            }
        }
    }

    /// The number of elements or members; 0 for another type.
    package func count(of node: JSONNode) -> Int {
        guard tag(node.index) == Tag.array || tag(node.index) == Tag.object else { return 0 }
        let count = Int(word(node.index) >> 32 & 0xFF_FFFF)
        guard count == 0xFF_FFFF else { return count }
        var total = 0
        if var elements = elements(of: node) {
            while elements.next(in: self) != nil { total += 1 }
        } else if var members = members(of: node) {
            while members.next(in: self) != nil { total += 1 }
        }
        return total
    }
}

// MARK: Paths

extension JSONTape {
    /// The key path, such as `overlays[3].position.lat`; empty for the root. A key has the same path as its value.
    ///
    /// The path is computed only for errors, by searching from the root, so that reading has no cost. The search takes time proportional
    /// to the number of elements and members before the value in each enclosing array and object.
    package func path(to node: JSONNode) -> String {
        var path = ""
        var current = root
        while current != node {
            if var elements = elements(of: current) {
                var position = 0
                guard var child = elements.next(in: self) else { return path }
                while end(of: child.index) <= node.index {
                    guard let next = elements.next(in: self) else { return path }
                    child = next
                    position += 1
                }
                path += "[\(position)]"
                current = child
            } else if var members = members(of: current) {
                guard var member = members.next(in: self) else { return path }
                while end(of: member.value.index) <= node.index {
                    guard let next = members.next(in: self) else { return path }
                    member = next
                }
                let key = string(of: member.key) ?? ""
                if !key.isPlainName {
                    path += "[\(key.quotedBriefly)]"
                } else {
                    path += path.isEmpty ? key : ".\(key)"
                }
                if member.key == node { return path }
                current = member.value
            } else {
                return path
            }
        }
        return path
    }
}

// MARK: Words

extension JSONTape {
    private enum Tag {
        static let object = UInt8(ascii: "{")
        static let array = UInt8(ascii: "[")
        static let string = UInt8(ascii: "\"")
        static let integer = UInt8(ascii: "l")
        static let unsigned = UInt8(ascii: "u")
        static let double = UInt8(ascii: "d")
        static let `true` = UInt8(ascii: "t")
        static let `false` = UInt8(ascii: "f")
    }

    @inline(__always)
    private func word(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < wordCount, "a node of another document")
        return words[index]
    }

    @inline(__always)
    private func tag(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word(index) >> 56) }

    /// The index after the value at `index`.
    @inline(__always)
    fileprivate func end(of index: Int) -> Int {
        switch tag(index) {
        case Tag.object, Tag.array: Int(word(index) & 0xFFFF_FFFF)
        case Tag.integer, Tag.unsigned, Tag.double: index + 2
        default: index + 1
        }
    }

    /// The bytes of the string at `index`, whose type the caller has checked.
    @inline(__always)
    private func utf8(_ index: Int) -> (start: UnsafePointer<UInt8>, count: Int) {
        let start = strings + Int(word(index) & 0x00FF_FFFF_FFFF_FFFF)
        let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return (start + 4, Int(count))
    }
}

extension Int {
    /// A number in a notation with a point or an exponent, or beyond Int64; nil unless it is integral and fits. -2⁶³ is refused, because
    /// integers just below it are rounded to it.
    init?(wholeNumber: Double) {
        guard wholeNumber != -0x1p63 else { return nil }
        self.init(exactly: wholeNumber)
    }
}
