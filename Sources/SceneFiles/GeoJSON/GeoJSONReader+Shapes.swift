import WaymarkGeo
import WaymarkScene

// Lines and polygons. An empty geometry counts as missing, as RFC 7946 allows. A line of one position or a ring of two is left out with a
// warning, so that the rest of the file is still drawn.
extension GeoJSONReader {
    /// The parts of a `LineString` or `MultiLineString`.
    mutating func readLines(
        _ geometry: JSONNode, isMany: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [[LatLng]] {
        let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
        guard isMany else { return try readLine(list, document, tape).map { [$0] } ?? [] }
        guard var rest = tape.elements(of: list) else { return [] }
        var lines: [[LatLng]] = []
        while let line = rest.next(in: tape) {
            if let points = try readLine(line, document, tape) { lines.append(points) }
        }
        return lines
    }

    private mutating func readLine(
        _ list: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [LatLng]? {
        let points = try readPositions(list, document, tape)
        if points.count == 1 {
            degenerate.note(at: list, document, "a line needs at least 2 positions, not 1; it is not drawn")
        }
        return points.count >= 2 ? points : nil
    }

    /// The areas of a `Polygon` or `MultiPolygon`.
    mutating func readPolygons(
        _ geometry: JSONNode, isMany: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [[[LatLng]]] {
        let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
        guard isMany else { return try readRings(list, document, tape).map { [$0] } ?? [] }
        guard var rest = tape.elements(of: list) else { return [] }
        var polygons: [[[LatLng]]] = []
        while let rings = rest.next(in: tape) {
            if let rings = try readRings(rings, document, tape) { polygons.append(rings) }
        }
        return polygons
    }

    /// The rings of one area; nil if its outer ring is invalid.
    private mutating func readRings(
        _ list: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [[LatLng]]? {
        guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of rings") }
        var rings: [[LatLng]] = []
        var isOuter = true
        var hasOuter = false
        while let ring = rest.next(in: tape) {
            let points = try readPositions(ring, document, tape)
            if let problem = points.isEmpty ? nil : points.ringProblem {
                degenerate.note(at: ring, document, "\(problem); the \(isOuter ? "polygon" : "hole") is not drawn")
            } else if !points.isEmpty {
                hasOuter = hasOuter || isOuter
                rings.append(points)
            }
            isOuter = false
        }
        return hasOuter ? rings : nil
    }

    private func readPositions(
        _ list: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [LatLng] {
        guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of positions") }
        var points: [LatLng] = []
        points.reserveCapacity(tape.count(of: list))
        while let position = rest.next(in: tape) {
            points.append(try GeoJSONSyntax.position(position, usesAltitude: usesAltitude, document, tape))
        }
        return points
    }
}

extension GeoJSONReader {
    /// The lines and rings with too few positions.
    /// - Parameter prefix: Text before the key path: the file name, when it is not the file passed to the reader.
    func shapeWarnings(prefix: String) -> [Diagnostic] {
        let (places, more) = degenerate.warnings(prefix: prefix)
        guard more > 0 else { return places }
        let what = more == 1 ? "1 more line or ring has" : "\(more) more lines and rings have"
        return places + [Diagnostic(message: "\(prefix)\(what) too few positions and \(more == 1 ? "is" : "are") not drawn")]
    }

    /// A polyline styled by the feature and the template; its points are set later.
    mutating func polyline(
        of feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) -> Polyline {
        if let polyline = first.polyline?.copy() {
            polyline.standard = first.polyline?.overlay.standard ?? .overlay
            plainFile?.add(polyline, tape.member("properties", of: feature), tape)
            return polyline
        }
        let properties = tape.member("properties", of: feature)
        let polyline = try templates.polyline.overlay(of: feature, properties: properties, document, tape, &scene)
        let style = simpleStyle.readShape(properties, hasFill: false, document, tape)
        if style.isStroked, !templates.polyline.sets("color") {
            polyline.color = style.stroke
            templates.polyline.noteStyle(of: "color")
        }
        if style.isStroked || templates.polyline.isPlain, !templates.polyline.sets("width") {
            polyline.width = style.strokeWidth
            templates.polyline.noteStyle(of: "width")
        }
        if templates.polyline.isPlain { polyline.standard = .feature }
        plainFile?.add(polyline, tape.member("properties", of: feature), tape)
        first.polyline = FirstOverlay(polyline, PolylineProperties.table)
        return polyline
    }

    /// A polygon styled by the feature and the template; its points are set later.
    mutating func polygon(
        of feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) -> Polygon {
        if let polygon = first.polygon?.copy() {
            polygon.standard = first.polygon?.overlay.standard ?? .overlay
            plainFile?.add(polygon, tape.member("properties", of: feature), tape)
            return polygon
        }
        let properties = tape.member("properties", of: feature)
        let polygon = try templates.polygon.overlay(of: feature, properties: properties, document, tape, &scene)
        let style = simpleStyle.readShape(properties, hasFill: true, document, tape)
        if style.isStroked {
            if !templates.polygon.sets("outlineColor") {
                polygon.outlineColor = style.stroke
                templates.polygon.noteStyle(of: "outlineColor")
            }
            if !templates.polygon.sets("outlineWidth") {
                polygon.outlineWidth = style.strokeWidth
                templates.polygon.noteStyle(of: "outlineWidth")
            }
        }
        if style.isFilled, !templates.polygon.sets("fillColor") {
            polygon.fillColor = style.fill
            templates.polygon.noteStyle(of: "fillColor")
        }
        if templates.polygon.isPlain { polygon.standard = .feature }
        plainFile?.add(polygon, tape.member("properties", of: feature), tape)
        first.polygon = FirstOverlay(polygon, PolygonProperties.table)
        return polygon
    }
}

// The values of a line's points, for a scale in its template.
extension GeoJSONReader {
    /// Sets the values of a line whose feature has a list for the scale of its color: a number for each point, in one list or in a list for
    /// each part. If the feature has a single number instead, the template gives the line one color.
    mutating func setValues(
        of polyline: Polyline, _ feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) {
        guard let scale = polyline.colorScale else { return }
        var found: [JSONNode?] = [nil]
        if let properties = tape.member("properties", of: feature) {
            tape.members([Array(scale.property.utf8)], of: properties, into: &found)
        }
        guard let node = found[0] else { return }
        let numbers = try document.value(at: node).readNumbersOfParts()
        let count = polyline.parts.reduce(0) { $0 + $1.count }
        guard numbers.count == count else {
            throw document.value(at: node).error("\(numbers.count) values are given for \(count) points")
        }
        polyline.values = [scale.property: numbers]
        templates.polyline.addPointValues(numbers, of: scale.property)
    }
}

extension JSONValue {
    /// The numbers in one list, or in a list for each part of a line. Parts of fewer than two points are not drawn.
    fileprivate func readNumbersOfParts() throws(SceneFileError) -> [Double?] {
        guard let first = try readArray().first(where: { _ in true }), first.kind == .array else { return try readNumbersOrNulls() }
        var numbers: [Double?] = []
        for part in try readArray() {
            let own = try part.readNumbersOrNulls()
            if own.count > 1 { numbers += own }
        }
        return numbers
    }
}
