import Foundation
import WaymarkImaging

/// A scale that determines the numbers or the colors of a property.
public enum PropertyScale: Equatable, Sendable {
    case numbers(Scale<Double>)
    case colors(Scale<Color>)
}

/// A scale of a scene, with the data that a legend shows. It belongs to a template for the features of a file, or to a line.
public struct MapScale: Equatable, Sendable {
    /// The name of the overlay in the scene: the id of a line or a cluster layer, the generated name of a geojson overlay (such as
    /// `geojson-0`), or `symbols`.
    public var overlay: String
    /// The template: `marker`, `polyline`, `polygon` or `symbol`. For a line, its type: `polyline` or `route`.
    public var template: String
    /// The property that the scale determines, such as `fillColor`.
    public var property: String
    /// The scale as it was specified, before its domain or steps were determined.
    public var given: PropertyScale
    /// The scale that is used, with the domain or the steps that were determined from the data.
    public var resolved: PropertyScale
    /// The smallest and the largest number in the data; nil without numbers, and for categories.
    public var range: ClosedRange<Double>?
    /// The number of features whose value is missing, or is a text instead of a number. For a line, the number of points without a value,
    /// or 0 if the scale has no output for missing values.
    public var missingCount: Int
    /// The number of features whose value is not one of the categories.
    public var othersCount: Int
    /// Whether the values are dates in the data. If so, the numbers of this scale are seconds since 1970. Default false.
    public var hasDates = false
    /// Whether the scale applies to any features. Default true.
    package var hasFeatures = true
    /// The symbol that a legend shows for the features. It has the constant properties of the template. Default nil: an area for colors, a
    /// line for numbers that style `polyline` and `polygon`, a sample of text for `captionTextSize`, and a disc for other numbers.
    public var symbol: LegendSymbol? { didSet { themedSymbols = [:] } }
    /// The legend's symbols by theme, each with the theme's defaults. A map with no theme, or a theme not listed here, uses `symbol`.
    private(set) var themedSymbols: [MapTheme: LegendSymbol] = [:]
    /// The legend that the scene requests for the scale. Default nil.
    public var legend: LegendElement?

    public init(
        overlay: String, template: String, property: String, given: PropertyScale, resolved: PropertyScale,
        range: ClosedRange<Double>? = nil, missingCount: Int = 0, othersCount: Int = 0, symbol: LegendSymbol? = nil
    ) {
        (self.overlay, self.template, self.property) = (overlay, template, property)
        (self.given, self.resolved, self.range) = (given, resolved, range)
        (self.missingCount, self.othersCount) = (missingCount, othersCount)
        self.symbol = symbol
    }

    /// Sets the legend's symbol for each theme.
    /// - Parameters:
    ///   - sample: An overlay with the constant properties of the features. It is on no map.
    ///   - make: Reads the symbol from the sample.
    package mutating func setSymbol(of sample: AnyObject, _ make: () -> LegendSymbol) {
        symbol = make()
        if let symbol = sample as? Box<Symbol> {
            let own = symbol.value
            for theme in MapTheme.allCases {
                symbol.value.captionColor = own.ownCaptionColor ?? theme.defaults.text
                symbol.value.captionHaloColor = own.ownCaptionHaloColor ?? theme.defaults.halo
                themedSymbols[theme] = make()
            }
            symbol.value = own
        }
        guard let overlay = sample as? Overlay, overlay.mapView == nil, overlay.parent == nil else { return }
        // The properties of an overlay on a map return the defaults of the map's theme.
        let map = MapView(size: CGSize(width: 1, height: 1))
        map.adopt(overlay)
        for theme in MapTheme.allCases {
            map.theme = theme
            themedSymbols[theme] = make()
        }
        map.withdraw(overlay)
    }
}

extension MapScale {
    /// A color of the scale as the map draws it: the alpha of a tint is ignored, except that `.clear` adds nothing.
    package func drawn(_ color: Color) -> Color { property == "iconTintColor" && color != .clear ? color.withAlpha(1) : color }

    /// The key path of the legend that the scene requests for the scale.
    package var legendPath: String { "\(overlay).\(template).\(property).legend" }
}

// Evaluation on columns. It is here, so that the loops are compiled for numbers and for colors.
extension PropertyScale {
    /// The name of the attribute in the data.
    package var by: String {
        switch self {
        case .numbers(let scale): scale.property
        case .colors(let scale): scale.property
        }
    }

    /// The names of the categories; nil for a scale of numbers.
    package var categories: [String]? {
        switch self {
        case .numbers(let scale): scale.categoryNames
        case .colors(let scale): scale.categoryNames
        }
    }

    /// The method and the number of the classes, if the data determine them; nil for other scales.
    package var classes: ScaleClasses? {
        switch self {
        case .numbers(let scale): if case .classes(let classes, _) = scale.form { classes } else { nil }
        case .colors(let scale): if case .classes(let classes, _) = scale.form { classes } else { nil }
        }
    }

    /// The number of classes that steps separate; nil for other scales.
    package var stepClassCount: Int? {
        switch self {
        case .numbers(let scale): if case .steps(let steps, _) = scale.form { steps.count + 1 } else { nil }
        case .colors(let scale): if case .steps(let steps, _) = scale.form { steps.count + 1 } else { nil }
        }
    }

    /// Whether the scale has a logarithmic axis without a domain.
    package var needsPositiveData: Bool {
        switch self {
        case .numbers(let scale): if case .axis(.log, _, domain: nil) = scale.form { true } else { false }
        case .colors(let scale): if case .axis(.log, _, domain: nil) = scale.form { true } else { false }
        }
    }

    /// Whether the scale has a square-root axis without a domain.
    package var hasRootsOfData: Bool {
        switch self {
        case .numbers(let scale): if case .axis(.sqrt, _, domain: nil) = scale.form { true } else { false }
        case .colors(let scale): if case .axis(.sqrt, _, domain: nil) = scale.form { true } else { false }
        }
    }

    /// Whether features without a value, or with a name that is not a category, keep the default of the property.
    package var keepsDefault: (ofMissing: Bool, ofOthers: Bool) {
        switch self {
        case .numbers(let scale): scale.keepsDefault
        case .colors(let scale): scale.keepsDefault
        }
    }

    /// The same scale with its domain or its classes, determined from the data.
    /// - Parameter values: The numbers in the data, with NaN for missing values.
    package func resolved(for values: [Double]) -> PropertyScale {
        switch self {
        case .numbers(let scale): .numbers(scale.resolved(for: values))
        case .colors(let scale): .colors(scale.resolved(for: values))
        }
    }

    /// The same scale with the given breaks between its classes; unchanged if it has no classes.
    package func resolved(withBreaks breaks: [Double]) -> PropertyScale {
        switch self {
        case .numbers(let scale): .numbers(scale.resolved(withBreaks: breaks))
        case .colors(let scale): .colors(scale.resolved(withBreaks: breaks))
        }
    }

    /// The number for a value of a column; nil if the property keeps its default.
    package func number(at value: Double, steps: Int) -> Double? {
        if case .numbers(let scale) = self { scale.output(ofColumn: value, steps: steps) } else { nil }
    }

    /// The color for a value of a column; nil if the property keeps its default.
    package func color(at value: Double, steps: Int) -> Color? {
        if case .colors(let scale) = self { scale.output(ofColumn: value, steps: steps) } else { nil }
    }

    /// The column value that represents a name that is not a category.
    package static let others = -1.0
}

extension Scale {
    fileprivate var categoryNames: [String]? {
        if case .categories(let categories, _) = form { categories.map(\.name) } else { nil }
    }

    fileprivate var keepsDefault: (ofMissing: Bool, ofOthers: Bool) {
        guard case .categories(_, let others) = form else { return (missing == nil, false) }
        return (missing == nil && others == nil, others == nil)
    }

    /// The output for a value of a column: a number, or the index of a category.
    /// - Parameter steps: The number of steps to which outputs between two neighbors are rounded; 0 for exact outputs.
    fileprivate func output(ofColumn value: Double, steps: Int) -> Output? {
        if value.isNaN { return outputOfMissing }
        guard case .categories(let categories, let others) = form else { return output(atPosition: position(of: value), steps: steps) }
        return value < 0 ? others : categories[Int(value)].output
    }
}
