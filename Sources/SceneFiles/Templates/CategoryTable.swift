import Foundation

/// The categories of a scale, which are found by the bytes of their names without making a string. As in Swift, names that differ only in
/// the encoding of accents are equal, because names are compared in normalization form C.
struct CategoryTable {
    let names: [[UInt8]]
    /// The first category of each hash.
    private var places: [UInt64: Int] = [:]

    init(_ names: [String]) {
        self.names = names.map(Self.composed)
        for (index, name) in self.names.enumerated() {
            let hash = Self.hash(name.span)
            if places[hash] == nil { places[hash] = index }
        }
    }

    /// The index of the category with a UTF-8 name.
    func index(of name: Span<UInt8>) -> Int? {
        if let index = index(ofComposed: name) { return index }
        guard name.indices.contains(where: { name[$0] >= 0x80 }) else { return nil }
        let composed = name.withUnsafeBufferPointer { Self.composed(String(decoding: $0, as: UTF8.self)) }
        return index(ofComposed: composed.span)
    }

    private static func composed(_ name: String) -> [UInt8] { Array(name.precomposedStringWithCanonicalMapping.utf8) }

    private func index(ofComposed name: Span<UInt8>) -> Int? {
        guard let place = places[Self.hash(name)] else { return nil }
        // Other names of the same hash come later in the list.
        for index in place..<names.count where Self.isEqual(names[index], name) { return index }
        return nil
    }

    func index(of name: String) -> Int? {
        let bytes = Array(name.utf8)
        return index(of: bytes.span)
    }

    private static func isEqual(_ a: [UInt8], _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        for index in a.indices where a[index] != b[index] { return false }
        return true
    }

    /// FNV-1a of 64 bits (RFC 9923).
    private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
