import WaymarkGeo
import WaymarkScene

extension SceneReader {
    /// The maximum number of elements in a scene.
    static let elementLimit = 100

    /// Reads the elements of a map.
    mutating func readElements(_ value: JSONValue) throws(SceneFileError) -> [MapElement] {
        let list = try value.readArray()
        guard value.count <= Self.elementLimit else {
            throw value.error("a map may have at most \(Self.elementLimit) elements, not \(value.count)")
        }
        return try list.map { (element) throws(SceneFileError) in try readElement(element) }
    }

    private mutating func readElement(_ value: JSONValue) throws(SceneFileError) -> MapElement {
        switch try Self.readElementType(value) {
        case .title: .title(try decoded(value, TitleElementProperties.table))
        case .legend: .legend(try decoded(value, LegendElementProperties.table))
        case .scaleBar: .scaleBar(try decoded(value, ScaleBarElementProperties.table))
        case .northArrow: .northArrow(try decoded(value, NorthArrowElementProperties.table))
        case .image: .image(try decoded(value, ImageElementProperties.table))
        case .text: .text(try decoded(value, TextElementProperties.table))
        case .inset: .inset(try readInset(value))
        }
    }

    private mutating func decoded<Element>(_ value: JSONValue, _ table: PropertyTable<Box<Element>>) throws(SceneFileError) -> Element {
        let box = table.make()
        try decode(value, table.list, into: box)
        return box.value
    }

    private static func readElementType(_ value: JSONValue) throws(SceneFileError) -> ElementType {
        guard value.kind == .object else { throw value.unexpected("an element object") }
        guard let type = value["type"] else { throw value.error("missing key \"type\"") }
        let name = try type.readString()
        if let known = ElementType(rawValue: name) { return known }
        let known = ElementType.allCases.map(\.rawValue)
        let hint =
            nearestName(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? "; known names are \(known.joined(separator: ", "))"
        throw type.error("unknown element type \(name.quotedBriefly)\(hint)")
    }
}

extension ElementType {
    /// The properties of the type in scene files, including those of an inset's map.
    var sceneProperties: PropertyList { self == .inset ? InsetMapProperties.table.list : properties }
}
