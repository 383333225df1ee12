import WaymarkGeo

/// A legend: which scale of the map it shows.
public struct Legend: Hashable, Sendable {
    /// The name of the overlay; nil for the first with a scale.
    public var overlay: String?
    /// The property that the scale determines; nil for the first.
    public var property: String?
    /// The title; nil for the name of the values.
    public var title: String?

    public init() {}
}

package enum LegendProperties {
    package static let synonyms: [String: String] = [:]

    package static func lines<Kind: AnyObject>(
        _ get: @escaping @Sendable (Kind) -> Legend, _ set: @escaping @Sendable (Kind, Legend) -> Void
    ) -> [PropertyLine<Kind>] {
        [
            .text(
                "overlay", { get($0).overlay },
                { kind, value in
                    var legend = get(kind)
                    legend.overlay = value
                    set(kind, legend)
                }, "The overlay with the scale."),
        ]
    }
}
