import WaymarkImaging
import WaymarkScene

// The part of simplestyle-spec 1.1.0 for lines and polygons: `stroke`, `stroke-opacity`, `stroke-width`, `fill`, `fill-opacity`.
extension SimpleStyle {
    /// The style of a line or a polygon; properties that are not set have the specification's defaults.
    struct Shape {
        /// Whether the feature has any of the stroke properties.
        var isStroked = false
        var stroke = ShapeStandard.stroke
        /// The width in pt.
        var strokeWidth = ShapeStandard.strokeWidth
        /// Whether the feature has any of the fill properties.
        var isFilled = false
        var fill = ShapeStandard.fill
    }

    /// - Parameter hasFill: Whether there is an area; otherwise the fill properties are ignored.
    mutating func readShape(
        _ properties: JSONNode?, hasFill: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) -> Shape {
        var shape = Shape()
        guard let properties, var members = tape.members(of: properties) else { return shape }
        while let (key, value) = members.next(in: tape) {
            guard tape.kind(of: value) != .null else { continue }
            if tape.isString(key, "stroke") {
                shape.isStroked = true
                readColor(value, "stroke", of: "stroke", "#555555", document, tape) {
                    shape.stroke = Color(hex: $0, alpha: shape.stroke.alpha)
                }
            } else if tape.isString(key, "stroke-opacity") {
                shape.isStroked = true
                readNumber(value, "stroke-opacity", 0...1, "the line is opaque", "the lines are opaque", document, tape) {
                    shape.stroke.alpha = $0
                }
            } else if tape.isString(key, "stroke-width") {
                shape.isStroked = true
                readNumber(
                    value, "stroke-width", Polyline.widthRange, "the line is 2 pt wide", "the lines are 2 pt wide", document, tape
                ) { shape.strokeWidth = $0 }
            } else if hasFill, tape.isString(key, "fill") {
                shape.isFilled = true
                readColor(value, "fill", of: "fill", "#555555", document, tape) { shape.fill = Color(hex: $0, alpha: shape.fill.alpha) }
            } else if hasFill, tape.isString(key, "fill-opacity") {
                shape.isFilled = true
                readNumber(
                    value, "fill-opacity", 0...1, "the opacity of the fill is 0.6", "the opacity of the fills is 0.6", document, tape
                ) {
                    shape.fill.alpha = $0
                }
            }
        }
        return shape
    }

    /// A number, or a text that parses as one.
    private mutating func readNumber(
        _ value: JSONNode, _ key: String, _ range: ClosedRange<Double>, _ consequence: String, _ consequences: String,
        _ document: JSONDocument, _ tape: borrowing JSONTape, _ set: (Double) -> Void
    ) {
        if tape.isString(value, "") { return }
        let number = tape.double(of: value) ?? tape.string(of: value)?.plainNumber
        if let number, range.contains(number) {
            set(number)
        } else {
            let bounds = "a number in \(range.lowerBound.plainText)…\(range.upperBound.plainText)"
            note(value, key, bounds, consequence, consequences, document)
        }
    }
}
