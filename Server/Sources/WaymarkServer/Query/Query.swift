/// The parameters of a request's target, in order.
struct Query: Sendable {
    private(set) var items: [(name: String, value: String)] = []

    /// - Parameter text: The text after the question mark.
    init(_ text: Substring) throws(ServerError) {
        for item in text.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]) else { throw Self.undecodable("a name") }
            guard let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
                throw Self.undecodable("the value of \(Parameter.shown(name))")
            }
            items.append((name, value))
        }
    }

    private static func undecodable(_ what: String) -> ServerError {
        ServerError(.badRequest, "invalid-query", "the query is not percent-encoded UTF-8: \(what) cannot be decoded")
    }

    /// The text of percent-encoded UTF-8, with `+` for a space; nil if it is invalid.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension Query {
    /// The value of a parameter that may be given once; nil if it is not given.
    func value(_ name: String) throws(ServerError) -> String? {
        let values = values(name)
        guard values.count < 2 else { throw .parameter(name, "this parameter is given \(values.count) times") }
        return values.first
    }

    func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// Throws for the first parameter that the route does not have.
    func check(_ parameters: [Parameter]) throws(ServerError) {
        for (name, _) in items where !parameters.contains(where: { $0.name == name }) {
            let near = parameters.map(\.name).filter { $0.lowercased() == name.lowercased() || $0 == name + "s" || name == $0 + "s" }.first
            let known =
                parameters.isEmpty
                ? "this path has no parameters" : "known parameters are \(parameters.map(\.name).joined(separator: ", "))"
            throw .parameter(
                String(name.prefix(64)), "unknown parameter; " + (near.map { "did you mean \($0)?" } ?? known))
        }
    }
}
