import WaymarkGeo
import WaymarkImaging

extension MapView {
    /// The scale that a legend shows.
    /// - Throws: `PropertyError` if there is none. Its path is a property of the legend, or empty.
    package func scale(of legend: Legend) throws(PropertyError) -> MapScale {
        var scale = try legend.scale(among: scales)
        if let theme, let symbol = scale.themedSymbols[theme] { scale.symbol = symbol }
        return scale
    }
}

extension Legend {
    /// The scale that the legend shows.
    /// - Parameter scales: The map's scales.
    /// - Throws: `PropertyError` if there is none. Its path is a property of the legend, or empty.
    package func scale(among scales: [MapScale]) throws(PropertyError) -> MapScale {
        if let unknown = unknownName(among: scales) {
            let known = unknown.known.prefix(Self.mostNames).map { "\"\($0)\"" }.joined(separator: ", ")
            throw PropertyError(path: unknown.key, problem: unknown.problem + (known.isEmpty ? "" : "; scales exist for \(known)"))
        }
        let named = scales.filter { scale in names.allSatisfy { $0.name == nil || $0.name == scale[keyPath: $0.path] } }
        guard let first = named.first else { throw PropertyError(path: "", problem: "the map has no scales") }
        // Templates without features have scales, too.
        guard let shown = named.first(where: { $0.isShown && $0.hasFeatures }) ?? named.first(where: \.isShown) else {
            throw PropertyError(
                path: property == nil ? "" : "property",
                problem: "a legend cannot show \"\(first.property)\"; it can show colors and the properties "
                    + LegendSymbol.numberNames.joined(separator: ", "))
        }
        return shown
    }

    /// A name in a legend that no scale has.
    package struct UnknownName {
        /// The key of the name.
        package var key: String
        package var name: String
        /// The names that scales have.
        package var known: [String]

        /// The beginning of a message.
        package var problem: String { known.isEmpty ? "the map has no scales" : "the \(key) \"\(name)\" has no scale" }
    }

    /// The maximum number of names in a message.
    private static let mostNames = 8

    /// The first name in the legend that no scale has; nil if a scale has all of them.
    package func unknownName(among scales: [MapScale]) -> UnknownName? {
        var rest = scales
        for (key, name, path) in names {
            guard let name else { continue }
            let fitting = rest.filter { $0[keyPath: path] == name }
            guard !fitting.isEmpty else {
                var known: [String] = []
                for scale in rest where !known.contains(scale[keyPath: path]) { known.append(scale[keyPath: path]) }
                return UnknownName(key: key, name: name, known: known)
            }
            rest = fitting
        }
        return nil
    }

    private var names: [(key: String, name: String?, path: KeyPath<MapScale, String>)] {
        [("overlay", overlay, \.overlay), ("template", template, \.template), ("property", property, \.property)]
    }
}

extension MapScale {
    /// Whether a legend can show the scale.
    package var isShown: Bool {
        switch given {
        case .colors: true
        case .numbers: LegendSymbol.numberNames.contains(property)
        }
    }

    /// The symbol that a legend shows for the features.
    package var shownSymbol: LegendSymbol {
        if let symbol { return symbol }
        if case .colors = given { return LegendSymbol(.area) }
        if template == "polyline" || template == "polygon" { return LegendSymbol(.line) }
        var symbol = LegendSymbol(property == "captionTextSize" ? .text : .icon(Self.disc))
        symbol.isProportional = true
        return symbol
    }

    /// A black disc, which legends tint.
    static let disc = OverlayImage(
        bytes: Array(
            ##"<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle cx="12" cy="12" r="12"/></svg>"##.utf8),
        reuseIdentifier: "legend disc")
}
