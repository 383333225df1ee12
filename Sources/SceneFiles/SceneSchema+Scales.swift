import WaymarkGeo
import WaymarkScene

// The schemas of scales.
extension SceneSchema {
    /// Stops of a ramp.
    static func stops(at value: JSONText, _ output: JSONText, count: ClosedRange<Int>) -> JSONText {
        list(["type": "array", "prefixItems": [value, output], "minItems": 2, "maxItems": 2], count: count)
    }

    static var colorScale: JSONText {
        scale(reference("color"), "colors", named: reference("colorScheme"), "Colors", "The color")
    }

    static var numberScale: JSONText { scale(number(.finite), "numbers", "Numbers", "The number") }

    /// A scale.
    /// - Parameters:
    ///   - list: The key of the list of outputs.
    ///   - name: The schema of a named list.
    ///   - plural, singular: The outputs, at the beginning of a sentence.
    private static func scale(
        _ output: JSONText, _ key: String, named name: JSONText? = nil, _ plural: String, _ singular: String
    ) -> JSONText {
        let isColor = key == "colors"
        let forms = ["steps", "classes", "categories", "ramp"] + Scale<Double>.Axis.allCases.map(\.rawValue)
        let count = 1...Scale<Double>.countLimit
        func outputs(_ count: ClosedRange<Int>) -> JSONText {
            let given = list(output, count: count)
            return name.map { ["anyOf": [given, $0]] } ?? given
        }
        func described(_ words: String, _ schema: JSONText) -> JSONText {
            JSONText.object([("description", .string(words))]).adding(schema.orNull.members)
        }
        let names: JSONText = list(["type": ["string", "number", "boolean"]], count: count)
        let categories: JSONText = ["anyOf": [["type": "object", "additionalProperties": output], names]]
        let axes = [
            ("linear", "\(plural) that are spread evenly over the `domain`."), ("log", "Like `linear`, but on a logarithmic axis."),
            ("sqrt", "Like `linear`, but on a square-root scale."),
        ]
        let listed =
            "\(plural) for the classes or for the listed categories\(name == nil ? "" : ", as a list or as the name of a color scheme")."
        return .object([
            ("type", "object"),
            (
                "properties",
                .object(
                    [
                        ("by", ["description": "The name of the property that provides the values.", "type": "string"]),
                        (
                            "steps",
                            described(
                                "Numbers that separate classes, in ascending order. A class includes its upper bound.",
                                list(reference("scaleValue"), count: 1...count.upperBound - 1))
                        ),
                        ("classes", described("Classes that are computed from the data.", reference("scaleClasses"))),
                        ("categories", described("\(plural) by category, or a list of categories.", categories)),
                        (
                            "ramp",
                            described(
                                "A list of pairs, each with a value and \(singular.lowercased()) for it, in ascending order of the values.",
                                stops(at: reference("scaleValue"), output, count: count))
                        ),
                    ] + axes.map { ($0, described($1, outputs(count))) } + [
                        (key, described(listed, outputs(count))),
                        ("others", described("\(singular) for names that are not among the categories.", output)),
                        (
                            "domain",
                            described(
                                "The lowest and the highest value of `linear`, `log` or `sqrt`.",
                                list(reference("scaleValue"), count: 2...2))
                        ),
                        ("missing", described("\(singular) where the value is missing.", output)),
                        (
                            "legend",
                            described(
                                "Whether the map has a legend for the scale, or the properties of that legend.", reference("scaleLegend"))
                        ),
                    ]
                        + (isColor
                            ? [("alpha", described("The factor by which the opacity of all colors is multiplied.", number(0...1)))] : []))
            ),
            ("required", ["by"]),
            ("oneOf", .array(forms.map { present([$0]) })),
            ("additionalProperties", false),
        ])
    }

    /// A value of the data.
    static var scaleValue: JSONText {
        ["anyOf": [number(.finite), ["type": "string", "pattern": "^[0-9]{4}[-/][0-9]{2}"]]]
    }

    static var scaleClasses: JSONText {
        let range = ScaleClasses.countRange
        let count: JSONText = [
            "type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
        ]
        let words = [
            "quantiles": "The number of classes, each with about the same number of values.",
            "equal": "The number of classes of equal width.",
            "natural": "The number of classes to make with natural breaks (Fisher–Jenks).",
        ]
        let methods = ScaleClasses.Method.allCases.map(\.rawValue)
        return .object([
            ("type", "object"),
            (
                "properties",
                .object(methods.map { ($0, JSONText.object([("description", .string(words[$0] ?? ""))]).adding(count.orNull.members)) })
            ),
            ("oneOf", .array(methods.map { present([$0]) })),
            ("additionalProperties", false),
        ])
    }
}
