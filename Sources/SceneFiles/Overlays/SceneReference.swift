import WaymarkGeo
import WaymarkScene

/// The tables in `docs/scene.md`, which are generated from the property tables.
///
/// In that page, each table is between `<!-- properties: NAME -->` and `<!-- end -->`.
package enum SceneReference {
    /// Regenerates the tables in a page.
    /// - Returns: The page with its new tables; nil if the page names an unknown table, or if the end of a table is missing.
    package static func updated(_ page: String) -> String? {
        var lines: [Substring] = []
        var rest = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = rest.popFirst() {
            lines.append(line)
            guard line.hasPrefix(begin), line.hasSuffix(" -->") else { continue }
            guard let table = table(named: String(line.dropFirst(begin.count).dropLast(" -->".count))),
                let end = rest.firstIndex(of: "<!-- end -->")
            else { return nil }
            lines.append(Substring(table))
            rest = rest[end...]
        }
        return lines.joined(separator: "\n")
    }

    private static let begin = "<!-- properties: "

    private static func table(named name: String) -> String? {
        let overlay = OverlayProperties.table.list
        let model = ModelProperties.table.list
        switch name {
        case "scene": return table(SceneProperties.table.list)
        case "camera": return table(CameraProperties.table.list)
        case "fit": return table(FitProperties.table.list)
        case "overlay": return table(overlay, without: ["globalZIndex"])
        case "route": return table(RouteProperties.table.list, beside: PolylineProperties.table.list)
        case "model": return table(model, beside: overlay)
        case "localModel": return table(LocalModelProperties.table.list, beside: model)
        case "geoModel": return table(GeoModelProperties.table.list, beside: model)
        case "textureSampler": return table(TextureSamplerProperties.table.list)
        case "material": return table(MaterialProperties.table.list)
        case "light": return table(LightProperties.table.list)
        case "viewOverlay": return table(ViewOverlayProperties.table.list)
        case "label": return table(LabelProperties.table.list)
        case "image": return table(ImageContentProperties.table.list)
        case "svg": return table(SVGContentProperties.table.list)
        case "stack": return table(StackProperties.table.list, beside: LabelProperties.table.list)
        case "infoWindow": return table(SceneInfoWindowProperties.table.list)
        case "basemap": return table(BaseMapProperties.table.list)
        case "symbol": return table(SymbolProperties.table.list)
        case "basicClusterStyle": return table(ClusterStyleProperties.basic.list)
        case "imageClusterStyle": return table(ClusterStyleProperties.image.list)
        case "element": return table(ElementType.text.properties, without: ["type", "content"])
        case let name where name.hasSuffix("Element"):
            guard let type = ElementType(rawValue: String(name.dropLast("Element".count))) else { return nil }
            return table(type.sceneProperties, beside: ElementType.text.properties)
        case "geojson": return table(FeatureSourceProperties.table.list)
        default: return OverlayType(rawValue: name).map { table($0.properties, beside: overlay) }
        }
    }

    /// The properties of a list that the other list does not have, or has with a different default.
    private static func table(_ list: PropertyList, beside other: PropertyList) -> String {
        let (fresh, otherFresh) = (list.make(), other.make())
        let same = other.properties.filter { theirs in
            list.properties.contains { own in
                own.name == theirs.name && own.type.defaultValue(of: fresh) == theirs.type.defaultValue(of: otherFresh)
            }
        }
        return table(list, without: Set(same.map(\.name)))
    }

    private static func table(_ list: PropertyList, without left: Set<String> = []) -> String {
        let fresh = list.make()
        let rows = list.properties.compactMap { property -> String? in
            guard !left.contains(property.name), let value = text(of: property.type) else { return nil }
            let isExclusive = list.exclusive.contains { $0.missing != nil && $0.names.contains(property.name) }
            let standard =
                property.isRequired
                ? "required"
                : isExclusive ? "one of the two is required" : property.type.defaultValue(of: fresh).map { "`\($0.line)`" } ?? ""
            return "| `\(property.name)` | \(value) | \(standard) | \(property.summary) |"
        }
        return (["| key | value | default | |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    /// The values that a property accepts; nil for a key that the kind does not have.
    private static func text(of type: PropertyType) -> String? {
        switch type {
        case .number(_, let range): number(range)
        case .size(_, let range): "\(number(range)), or `\"auto\"`"
        case .integer(_, let allowed): allowed.map { $0.map { "\($0)" }.joined(separator: " or ") } ?? "integer"
        case .wholeNumber(_, let range): "integer, \(range.lowerBound) to \(range.upperBound)"
        case .boolean: "boolean"
        case .text: "text"
        case .color: "color"
        case .image: "image"
        case .point(_, let range): "`[x, y]`, each \(number(range, kind: ""))"
        case .direction: "`[x, y, z]`"
        case .position: "position"
        case .bounds: "`[west, south, east, north]`"
        case .choice(_, let names): names.map { "`\($0)`" }.joined(separator: ", ")
        case .choices(_, let names): "one or a list of " + names.map { "`\($0)`" }.joined(separator: ", ")
        case .zoomLevels: "list of integers, 0 to 24"
        case .pattern: "list of \(number(Polyline.patternRange, kind: "numbers, "))"
        case .lineColor: "color or scale"
        case .gradient: "list of `[share, color]`"
        case .pointValues: "object of lists of numbers"
        case .line: "points"
        case .lines, .rings: "list of lists of points"
        case .polygons: "list of lists of rings"
        case .content: "content"
        case .object(_, let list): "object: " + list.properties.map { "`\($0.name)`" }.joined(separator: ", ")
        case .objects(_, let list, let limit):
            "up to \(limit) objects: " + list.properties.map { "`\($0.name)`" }.joined(separator: ", ")
        case .part(let part): text(of: part)
        case .refused: nil
        }
    }

    private static func text(of part: ScenePart) -> String {
        switch part {
        case .type: "text"
        case .version: "1"
        case .fit: "`\"overlays\"`, list of ids, or object"
        case .camera, .images, .markerTemplate, .polylineTemplate, .polygonTemplate, .symbolTemplate, .infoWindow: "object"
        case .sky: "color or list of two colors"
        case .baseMap: "file, object or list of both"
        case .tileSource: "file or folder"
        case .languages: "text, or a list of two texts"
        case .symbols: "object or list of symbols"
        case .overlays: "list of overlays"
        case .source, .modelFile: "file"
        case .usesAltitude: "boolean"
        case .floatMesh, .geoMesh: "mesh"
        case .clusterMarkers: "list of markers"
        case .theme: "list of `{\"densityRange\": [first, last], \"style\": {…}}`"
        case .events: "list of events"
        case .elements: "list of elements"
        case .stack: "list of content"
        case .svg: "text or file"
        }
    }

    private static func number(_ range: ClosedRange<Double>, kind: String = "number, ") -> String {
        if range == .finite { return kind.isEmpty ? "any number" : String(kind.dropLast(2)) }
        if range.isPositive { return "\(kind)above 0, up to \(grouped(range.upperBound))" }
        if range.upperBound == .infinity { return "\(kind)\(grouped(range.lowerBound)) or more" }
        return "\(kind)\(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
    }
}

extension SceneFile {
    /// The JSON Schema (draft 2020-12) of scene files, as printed by `waymark schema`.
    public static var schema: String { SceneSchema.page }
}
