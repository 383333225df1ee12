/// A part of an `Accept` field (RFC 9110, 12.5.1): `image/webp`, `image/*;q=0.8`.
struct MediaRange: Equatable {
    /// `*` for any.
    var type: Substring
    var subtype: Substring
    var quality: Double
}

extension MediaRange {
    /// The parts of an `Accept` field; invalid ones are left out.
    static func list(_ field: String) -> [MediaRange] {
        field.split(separator: ",").compactMap { part in
            let pieces = part.split(separator: ";").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
            guard let names = pieces.first?.split(separator: "/", omittingEmptySubsequences: false), names.count == 2 else { return nil }
            var quality = 1.0
            for parameter in pieces.dropFirst() where parameter.lowercased().hasPrefix("q=") {
                quality = Double(parameter.dropFirst(2)).map { min(max($0, 0), 1) } ?? 1
            }
            return MediaRange(type: names[0], subtype: names[1], quality: quality)
        }
    }

    /// How exactly it names a media type, 0 to 2; nil if it does not.
    func precision(type: String, subtype: String) -> Int? {
        if self.type == "*", self.subtype == "*" { return 0 }
        guard self.type.lowercased() == type else { return nil }
        if self.subtype == "*" { return 1 }
        return self.subtype.lowercased() == subtype ? 2 : nil
    }
}
