import WaymarkGeo
import WaymarkScene

/// Reads GeoJSON (RFC 7946) into overlays: points become markers, lines become polylines, and polygons become polygons, styled by
/// templates and by simplestyle.
///
/// Foreign members are ignored, as the standard requires. A feature without a geometry gives no overlay.
struct GeoJSONReader {
    /// The prefix that, together with a feature's index, names a feature without an id.
    private let prefix: String
    /// Whether the third number of a position is read as its altitude.
    let usesAltitude: Bool
    /// The name of the file in warnings; nil if it is the file passed to the reader.
    private let name: String?
    var templates: FeatureTemplates
    var simpleStyle = SimpleStyle()
    /// Invalid lines and rings.
    var degenerate = FirstErrors()
    /// The overlays of the file, if scales have to be determined from all features before the overlays are added to the map.
    private var collected: [Overlay] = []
    private let isCollecting: Bool
    /// The first overlay of each kind of the current feature. The feature's other overlays of that kind have the same style.
    var first = First()
    /// Draws a file without styles; nil for a file to which a scene refers.
    var plainFile: PlainFile?
    /// Whether points are left out, because a cluster layer shows them.
    var leavesOutPoints = false
    /// The last feature whose id was claimed, by index.
    private var claimed: (feature: Int, id: String?)?

    struct First {
        var marker: FirstOverlay<Marker>?
        var polyline: FirstOverlay<Polyline>?
        var polygon: FirstOverlay<Polygon>?
    }

    /// The overlay whose style the other overlays of its feature share.
    struct FirstOverlay<Kind: Overlay> {
        let overlay: Kind
        private let table: PropertyTable<Kind>
        private lazy var properties = PropertyCopy(of: overlay, table.list)

        init(_ overlay: Kind, _ table: PropertyTable<Kind>) {
            self.overlay = overlay
            self.table = table
        }

        mutating func copy() -> Kind {
            let copy = table.make()
            properties.apply(to: copy)
            return copy
        }
    }

    init(prefix: String, templates: FeatureTemplates, usesAltitude: Bool, name: String? = nil) {
        self.prefix = prefix
        self.templates = templates
        isCollecting = templates.isCollecting
        self.usesAltitude = usesAltitude
        self.name = name
    }

    mutating func read(
        _ chunks: FeatureChunks, into holder: OverlayHolder, _ scene: inout SceneReader
    ) throws(SceneFileError) {
        let type = try chunks.readType()
        let isGeometry = !type.isString("FeatureCollection") && !type.isString("Feature")
        let target = Target(holder: holder, chunks: chunks)
        try chunks.forEach { (feature, tape) throws(SceneFileError) in
            first = First()
            plainFile?.check(isGeometry ? nil : tape.member("properties", of: feature.node), tape)
            let geometry = isGeometry ? feature.node : try GeoJSONSyntax.geometry(ofFeature: feature.node, feature.document, tape)
            if let geometry { try readGeometry(geometry, "", feature, tape, target, &scene) }
        } endChunk: { inFile in
            func located(_ error: SceneFileError) -> SceneFileError { chunks.file.located(inFile(error)) }
            simpleStyle.locateErrors(located)
            degenerate.locate(located)
        }
        plainFile?.finish()
        if isCollecting {
            try templates.resolveScales(of: String(prefix.dropLast()), file: name ?? "", chunks, &scene)
            for overlay in collected { holder.add(overlay) }
            collected = []
        }
        let namePrefix = name.map { "\($0): " } ?? ""
        scene.warnings += templates.warnings.map { Diagnostic(message: namePrefix + $0) }
        scene.warnings += simpleStyle.warnings(prefix: namePrefix)
        scene.warnings += shapeWarnings(prefix: namePrefix)
    }

    /// The destination of a feature's overlays, and the source of the features.
    private struct Target {
        let holder: OverlayHolder
        let chunks: FeatureChunks
    }

    /// - Parameter part: The suffix of the feature's id: the index of this part of a multi-part geometry.
    private mutating func readGeometry(
        _ geometry: JSONNode, _ part: String, _ feature: ChunkFeature, _ tape: borrowing JSONTape, _ target: Target,
        _ scene: inout SceneReader
    ) throws(SceneFileError) {
        let document = feature.document
        let type = try GeoJSONSyntax.type(ofGeometry: geometry, document, tape)
        if tape.isString(type, "Point") {
            let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
            // An empty geometry counts as missing.
            guard tape.count(of: list) > 0 else { return }
            let position = try GeoJSONSyntax.position(list, usesAltitude: usesAltitude, document, tape)
            try add(position, feature, part: part, tape, target, &scene)
        } else if tape.isString(type, "MultiPoint") {
            let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
            guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of positions") }
            var number = 0
            while let point = rest.next(in: tape) {
                let position = try GeoJSONSyntax.position(point, usesAltitude: usesAltitude, document, tape)
                try add(position, feature, part: "\(part)/\(number)", tape, target, &scene)
                number += 1
            }
        } else if tape.isString(type, "LineString") || tape.isString(type, "MultiLineString") {
            let parts = try readLines(geometry, isMany: tape.isString(type, "MultiLineString"), document, tape)
            guard !parts.isEmpty else { return }
            let polyline = try polyline(of: feature.node, document, tape, &scene)
            polyline.parts = parts
            try setValues(of: polyline, feature.node, document, tape)
            templates.polyline.collect(polyline)
            try add(polyline, feature, part: part, tape, target, &scene)
        } else if tape.isString(type, "Polygon") || tape.isString(type, "MultiPolygon") {
            let polygons = try readPolygons(geometry, isMany: tape.isString(type, "MultiPolygon"), document, tape)
            guard !polygons.isEmpty else { return }
            let polygon = try polygon(of: feature.node, document, tape, &scene)
            polygon.polygons = polygons
            templates.polygon.collect(polygon)
            try add(polygon, feature, part: part, tape, target, &scene)
        } else if tape.isString(type, "GeometryCollection") {
            for (member, part) in try GeoJSONSyntax.geometries(ofCollection: geometry, part: part, document, tape) {
                try readGeometry(member, part, feature, tape, target, &scene)
            }
        } else {
            throw GeoJSONSyntax.unknownType(type, document)
        }
    }

    private mutating func add(
        _ position: LatLng, _ feature: ChunkFeature, part: String, _ tape: borrowing JSONTape, _ target: Target,
        _ scene: inout SceneReader
    ) throws(SceneFileError) {
        guard !leavesOutPoints else { return }
        let marker = try marker(of: feature.node, feature.document, tape, &scene)
        marker.position = position
        templates.marker.collect(marker)
        try add(marker, feature, part: part, tape, target, &scene)
    }

    private mutating func add(
        _ overlay: Overlay, _ feature: ChunkFeature, part: String, _ tape: borrowing JSONTape, _ target: Target,
        _ scene: inout SceneReader
    ) throws(SceneFileError) {
        try scene.room.take()
        if let id = try claimID(of: feature, in: target.chunks, tape, &scene) {
            if part.isEmpty {
                overlay.id = id
            } else {
                overlay.setMadeUpID(id + part)
                scene.madeUpIDs.hasPartsOfGiven = true
            }
        } else if part.isEmpty, let index = Int32(exactly: feature.index) {
            overlay.setMadeUpID(OverlayID(start: prefix, feature: index))
        } else {
            overlay.setMadeUpID("\(prefix)\(feature.index)\(part)")
        }
        if isCollecting { collected.append(overlay) } else { target.holder.add(overlay) }
    }

    /// The id of a feature, claimed once for all its overlays; nil if it has no id.
    mutating func claimID(
        of feature: ChunkFeature, in chunks: FeatureChunks, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) -> String? {
        if let claimed, claimed.feature == feature.index { return claimed.id }
        let id = try GeoJSONSyntax.id(of: feature.node, feature.document, tape)
        if let id {
            let value = feature.document.value(at: feature.node)
            let place = SceneReader.IDPlace.feature(
                chunks.isList ? Int32(clamping: feature.index) : -1, frame: chunks.frame,
                isNumber: GeoJSONSyntax.isNumber(idOf: value) == true)
            try scene.claim(id, at: value, feature: place)
        }
        claimed = (feature.index, id)
        return id
    }

    /// A marker styled by the feature and the template; its position is set later.
    private mutating func marker(
        of feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) -> Marker {
        if let marker = first.marker?.copy() {
            plainFile?.add(marker, tape.member("properties", of: feature), tape)
            return marker
        }
        let properties = tape.member("properties", of: feature)
        let marker = try templates.marker.overlay(of: feature, properties: properties, document, tape, &scene)
        if let properties, simpleStyle.apply(properties, to: marker, templates.marker, document, tape) {
            templates.marker.noteStyle(of: "iconImage")
        }
        plainFile?.add(marker, properties, tape)
        first.marker = FirstOverlay(marker, MarkerProperties.table)
        return marker
    }
}
