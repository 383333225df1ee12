/// The text of a cluster's disc, parsed: literal characters, the count, and aggregates of properties.
package struct ClusterText: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case literal(String)
        case count
        case aggregate(Aggregate, property: String)
    }

    package enum Aggregate: String, CaseIterable, Sendable {
        case sum, min, max
    }

    package let parts: [Part]

    /// Parses a text. If the text is invalid, throws its problem as one sentence.
    package init(_ text: String) throws(BracedText.Problem) {
        var parts: [Part] = []
        for piece in try BracedText.pieces(of: text) {
            switch piece {
            case .literal(let literal): parts.append(.literal(literal))
            case .name(let name): parts.append(try Self.part(name))
            }
        }
        self.parts = parts
    }

    private static func part(_ name: String) throws(BracedText.Problem) -> Part {
        if name == "count" { return .count }
        if let colon = name.firstIndex(of: ":"), let aggregate = Aggregate(rawValue: String(name[..<colon])) {
            let property = name[name.index(after: colon)...]
            if !property.isEmpty { return .aggregate(aggregate, property: String(property)) }
        }
        throw BracedText.Problem(text: "{\(name)} is unknown; use {count}, {sum:NAME}, {min:NAME} or {max:NAME}")
    }

    /// The properties that the text aggregates.
    package var properties: [String] {
        parts.compactMap { if case .aggregate(_, let property) = $0 { property } else { nil } }
    }
}

/// Numbers in the form that clusters show.
package enum ClusterNumber {
    /// A count, in full up to 9,999. Larger counts are truncated, not rounded: 10k … 999k, 1M, 1.1M … 9.9M, 10M … 999M, 1B.
    package static func text(_ count: Int) -> String {
        let magnitude = count.magnitude
        let sign = count < 0 ? "-" : ""
        switch magnitude {
        case ..<10_000: return "\(count)"
        case ..<1_000_000: return "\(sign)\(magnitude / 1000)k"
        case ..<1_000_000_000: return sign + cut(magnitude / 100_000, "M")
        default: return sign + cut(magnitude / 100_000_000, "B")
        }
    }

    /// A value that is given in millionths. Values below 10,000 are truncated to two decimal places, without trailing zeros.
    package static func text(millionths value: Int64) -> String {
        let whole = value / 1_000_000
        let hundredths = (value % 1_000_000).magnitude / 10_000
        guard whole.magnitude < 10_000, hundredths > 0 else { return text(Int(whole)) }
        let sign = value < 0 ? "-" : ""
        let decimals = hundredths % 10 == 0 ? "\(hundredths / 10)" : hundredths < 10 ? "0\(hundredths)" : "\(hundredths)"
        return "\(sign)\(whole.magnitude).\(decimals)"
    }

    private static func cut(_ tenths: UInt, _ unit: String) -> String {
        tenths % 10 == 0 || tenths >= 100 ? "\(tenths / 10)\(unit)" : "\(tenths / 10).\(tenths % 10)\(unit)"
    }
}
