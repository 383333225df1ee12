import WaymarkGeo
import WaymarkImaging
import WaymarkScene

extension ImageTable {
    /// The prefix of pin names.
    static let pinPrefix = "pin:"
    /// The widths in pt by name, as in simplestyle.
    private static let pinWidths = [("small", 20.0), ("medium", 27), ("large", 34)]

    /// A pin by its name: `pin:COLOR`, `pin:COLOR:SYMBOL` or `pin:COLOR:SYMBOL:SIZE`, where the symbol may be empty.
    static func pin(_ name: String) throws(Refusal) -> OverlayImage {
        let parts = name.dropFirst(pinPrefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else {
            throw Refusal(text: "\(name.quotedBriefly) is not a pin such as \"pin:#3388ff\", \"pin:red:A\" or \"pin:red:7:small\"")
        }
        guard let color = Color(css: String(parts[0])) else {
            throw Refusal(text: "\(String(parts[0]).quotedBriefly) in \(name.quotedBriefly) is not a CSS color such as #3388ff or white")
        }
        let symbol = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        let size = parts.count > 2 ? parts[2] : "medium"
        guard let width = pinWidths.first(where: { $0.0 == size })?.1 else {
            throw Refusal(
                text: "\(String(size).quotedBriefly) in \(name.quotedBriefly) is not one of \(pinWidths.map(\.0).joined(separator: ", "))")
        }
        guard symbol.map({ $0.count == 1 }) ?? true,
            let image = MarkerImage.pin(color: color, symbol: symbol?.first, width: width)
        else {
            throw Refusal(
                text: "\(String(symbol ?? "").quotedBriefly) in \(name.quotedBriefly) is neither a digit nor a letter from a to z")
        }
        return image
    }
}
