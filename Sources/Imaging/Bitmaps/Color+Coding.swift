/// Encoded as a CSS color if 8 bits per channel represent it exactly, otherwise as `{"red": …, "green": …, "blue": …, "alpha": …}`. Both
/// forms are decoded, and so are CSS color names. A missing `alpha` means 1.
extension Color: Codable {
    private enum CodingKeys: CodingKey { case red, green, blue, alpha }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer(), let text = try? container.decode(String.self) {
            guard let color = Color(css: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a CSS color")
            }
            self = color
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            red: try values.decode(Double.self, forKey: .red), green: try values.decode(Double.self, forKey: .green),
            blue: try values.decode(Double.self, forKey: .blue), alpha: try values.decodeIfPresent(Double.self, forKey: .alpha) ?? 1)
    }

    public func encode(to encoder: any Encoder) throws {
        if Color(css: description) == self {
            var container = encoder.singleValueContainer()
            return try container.encode(description)
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(red, forKey: .red)
        try values.encode(green, forKey: .green)
        try values.encode(blue, forKey: .blue)
        try values.encode(alpha, forKey: .alpha)
    }
}
