import Foundation
import WaymarkTestSupport

/// Damages files so that they remain JSON. Most files with random bytes are refused before their values are read. A value is replaced by
/// another value of the same key, or by a strange one, and objects get members of other objects of their type.
struct JSONDamage {
    /// All values of a key, in all files.
    private var values: [String: [Any]] = [:]
    /// All members of the objects of a type.
    private var properties: [String: [(key: String, value: Any)]] = [:]
    private var overlays: [Any] = []

    private let strangeNumbers: [Any] = [
        -1, 0, 1, 2, 0.5, 1e308, -1e308, 1e-308, 9_007_199_254_740_993, 24, 80, 85.06, 90, 180, -180, 65535, 1_000_000,
    ]
    private let strangeTexts: [Any] = [
        "", "none", "{name}", "{count}", "\u{301}", "\u{600}<", "\u{202E}א", "\u{0}", "a\u{200D}b", String(repeating: "W ", count: 500),
        String(repeating: "\u{301}", count: 500), "builtin:red", "pin:#3388ff:A", "data:,x", "../scene.json",
    ]
    private let strangeOthers: [Any] = [NSNull(), true, false, [Any](), [String: Any](), [[Any]()]]
    /// The maximum number of bytes of a file: repeated contents take long everywhere.
    private static let byteLimit = 1 << 16

    init(_ files: [[UInt8]]) throws {
        for bytes in files { collect(try JSONSerialization.jsonObject(with: Data(bytes)), key: "") }
    }

    private mutating func collect(_ value: Any, key: String) {
        values[key, default: []].append(value)
        if let list = value as? [Any] {
            if key == "overlays" || key == "children" { overlays += list }
            for element in list { collect(element, key: "\(key)[]") }
        } else if let object = value as? [String: Any] {
            let type = object["type"] as? String
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                if let type { properties[type, default: []].append((key, value)) }
                collect(value, key: key)
            }
        }
    }

    func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) throws -> [UInt8] {
        var root = try JSONSerialization.jsonObject(with: Data(bytes))
        for _ in 0..<random.one(of: [1, 1, 1, 2, 2, 4]) {
            var left = random.integer(0...Self.count(root) - 1)
            if let changed = change(root, key: "", after: &left, &random) { root = changed }
        }
        guard root is [Any] || root is [String: Any] else { return bytes }
        let damaged = try JSONSerialization.data(withJSONObject: root, options: .sortedKeys)
        return damaged.count <= Self.byteLimit ? [UInt8](damaged) : bytes
    }

    /// The number of values in a value, itself included.
    private static func count(_ value: Any) -> Int {
        if let list = value as? [Any] { return list.reduce(1) { $0 + count($1) } }
        if let object = value as? [String: Any] { return object.values.reduce(1) { $0 + count($1) } }
        return 1
    }

    /// Changes the value that comes `left` values after this one; nil removes it.
    private func change(_ value: Any, key: String, after left: inout Int, _ random: inout SplitMix64) -> Any? {
        if left == 0 {
            left -= 1
            return changed(value, key: key, &random)
        }
        left -= 1
        if var list = value as? [Any] {
            for index in list.indices where left >= 0 {
                guard let element = change(list[index], key: "\(key)[]", after: &left, &random) else {
                    list.remove(at: index)
                    break
                }
                list[index] = element
            }
            return list
        }
        if var object = value as? [String: Any] {
            for (key, member) in object.sorted(by: { $0.key < $1.key }) where left >= 0 {
                object[key] = change(member, key: key, after: &left, &random)
            }
            return object
        }
        return value
    }

    /// Most often a value of the same type, which most often passes the reader.
    private func changed(_ value: Any, key: String, _ random: inout SplitMix64) -> Any? {
        switch random.integer(0...9) {
        case 0: return nil
        case 1: return random.one(of: random.one(of: [strangeNumbers, strangeTexts, strangeOthers]))
        case 2, 3: return random.one(of: values[key] ?? [value])
        default: break
        }
        if let list = value as? [Any] {
            switch random.integer(0...3) {
            case 0: return list + Array(repeating: list, count: random.integer(0...20)).flatMap { $0 }
            case 1: return Array(list.reversed())
            case 2 where key == "overlays" || key == "children": return list + [random.one(of: overlays)]
            default: return list + [random.one(of: values["\(key)[]"] ?? [NSNull()])]
            }
        }
        if var object = value as? [String: Any] {
            let others = (object["type"] as? String).flatMap { properties[$0] } ?? []
            guard !others.isEmpty else { return object }
            for _ in 0..<random.integer(1...4) {
                let other = random.one(of: others)
                object[other.key] = other.value
            }
            return object
        }
        if let text = value as? String {
            switch random.integer(0...3) {
            case 3: return random.one(of: strangeTexts)
            case 0: return text + random.one(of: ["\u{301}", "\u{600}", "\n", "\u{0}", " ", "{x}", "👩‍👩‍👧", "مرحبا"])
            case 1: return String(repeating: text, count: random.integer(2...40))
            default: return String(text.dropFirst())
            }
        }
        if let number = value as? NSNumber {
            if random.once(in: 3) { return random.one(of: strangeNumbers) }
            let factor = random.one(of: [-1, 0, 0.5, 0.999, 1.000001, 2, 10, 1000, 1e-6, 1e9])
            let product = number.doubleValue * factor
            return product.isFinite ? product : 0
        }
        return random.one(of: strangeOthers)
    }
}
