import WaymarkGeo

/// The scale that a legend shows, and how the legend presents it. The scale is one of `MapView.scales`, which come from the templates and
/// the lines of scene files.
///
///     var legend = Legend(overlay: "geojson-0", property: "fillColor")
///     legend.title = "Population"
///     mapView.elements.append(.legend(LegendElement(legend)))
///
/// A smooth scale of colors is shown as a bar. All other scales are shown as a list of entries, with symbols that look like the features:
/// areas, lines, icons or texts. If the data contain missing values, or names that are not among the categories, their entries come last.
public struct Legend: Hashable, Sendable {
    /// The name of the overlay with the scale; see ``MapScale/overlay``. Default nil: the first overlay with a scale.
    public var overlay: String?
    /// The template of the overlay, or the type of a line; see ``MapScale/template``. Default nil: the first template with the property.
    public var template: String?
    /// The property that the scale determines, such as `fillColor`. Default nil: the first property that a legend can show, preferably one
    /// whose scale applies to at least one feature.
    public var property: String?
    /// The title. Default nil: the name of the attribute that the scale uses. An empty title is not drawn.
    public var title: String?
    /// How numbers are written. With `compact`, the default, values that are dates in the data are written as dates.
    public var format = NumberFormat.compact
    /// The number of decimals, valid in 0…10. Default nil: as many as the numbers need. If rounding would make two different numbers equal,
    /// all numbers get more decimals.
    public var decimals: Int?
    /// The unit, written after numbers. Default: empty.
    public var unit = ""
    /// The label of missing values. Default "no data".
    public var missingLabel = "no data"
    /// The label of names that are not among the categories. Default "other".
    public var othersLabel = "other"
    /// The number of columns, valid in 0…20. Default 0: as many as the height requires.
    public var columns = 0
    /// Whether the order is reversed: the highest class first, the lowest value of a bar at the top. Default false.
    public var isReversed = false
    /// Whether icons of several sizes are drawn one inside another instead of in a list. The icons then share their bottom edge, and a line
    /// leads from the top of each icon to its label. This has no effect on other legends. Default false.
    public var isNested = false

    public init(overlay: String? = nil, property: String? = nil) {
        (self.overlay, self.property) = (overlay, property)
    }

    /// Creates a legend of one of the map's scales.
    public init(of scale: MapScale) {
        showScale(scale)
    }

    /// Makes this the legend of one of the map's scales.
    package mutating func showScale(_ scale: MapScale) {
        (overlay, template, property) = (scale.overlay, scale.template, scale.property)
    }

    package static let decimalRange = 0...10
    package static let columnRange = 0...20
}

/// The properties of legends.
package enum LegendProperties {
    package static let synonyms = [
        "layer": "overlay", "source": "overlay", "name": "title", "label": "title", "heading": "title", "numberFormat": "format",
        "precision": "decimals", "digits": "decimals", "units": "unit", "suffix": "unit", "ncols": "columns", "ncol": "columns",
        "columnCount": "columns", "noData": "missingLabel", "missing": "missingLabel", "others": "othersLabel", "other": "othersLabel",
        "reverse": "isReversed", "reversed": "isReversed", "nested": "isNested", "by": "property", "column": "property",
    ]

    /// The properties of a legend. Those that name the scale come first.
    package static let lines: [PropertyLine<Box<LegendElement>>] = [
        .text(
            "overlay", { $0.value.legend.overlay }, { $0.value.legend.overlay = $1 }, form: .identifier,
            "The overlay with the scale: the id of a line or a cluster layer, `geojson-` followed by the index of a geojson overlay, or "
                + "`symbols`. By default, the first overlay with a scale."),
        .text(
            "template", { $0.value.legend.template }, { $0.value.legend.template = $1 }, form: .identifier,
            "The template with the scale: `marker`, `polyline`, `polygon` or `symbol`; for a line, its type. Default: the first one."),
        .text(
            "property", { $0.value.legend.property }, { $0.value.legend.property = $1 }, form: .identifier,
            "The property that the scale determines, such as `fillColor`. By default, the first one that a legend can show."),
        .text(
            "title", { $0.value.legend.title }, { $0.value.legend.title = $1 },
            "The title. By default, it is the property name in the scale's `by`; an empty title is not drawn."),
        .choice(
            "format", { $0.value.legend.format }, { $0.value.legend.format = $1 }, changes: [],
            "How numbers are written: `compact` (1.2k, 34M), `plain` (12 345), `percent` (0.25 is 25%) or `date` (seconds or "
                + "milliseconds since 1970). Values that are dates in the data are written as dates by default."),
        .wholeNumber(
            "decimals", { $0.value.legend.decimals }, { $0.value.legend.decimals = $1 }, in: Legend.decimalRange,
            "The number of decimals. By default, as many as the numbers need."),
        .text("unit", { $0.value.legend.unit }, { $0.value.legend.unit = $1 ?? "" }, "The unit, written after numbers."),
        .text(
            "missingLabel", { $0.value.legend.missingLabel }, { $0.value.legend.missingLabel = $1 ?? "" },
            "The label of missing values."),
        .text(
            "othersLabel", { $0.value.legend.othersLabel }, { $0.value.legend.othersLabel = $1 ?? "" },
            "The label of names that are not among the categories."),
        .wholeNumber(
            "columns", { $0.value.legend.columns }, { $0.value.legend.columns = $1 }, in: Legend.columnRange,
            "The number of columns. 0 makes as many columns as the height of the list requires."),
        .boolean(
            "isReversed", { $0.value.legend.isReversed }, { $0.value.legend.isReversed = $1 },
            "Whether the order is reversed: the highest class first, the lowest value of a bar at the top."),
        .boolean(
            "isNested", { $0.value.legend.isNested }, { $0.value.legend.isNested = $1 },
            "Whether icons of several sizes are drawn one inside another instead of in a list. The icons then share their "
                + "bottom edge, and a line leads from the top of each icon to its label."),
    ]
}
