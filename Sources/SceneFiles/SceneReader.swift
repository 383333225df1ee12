import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Reads one scene: what its parts share while they are decoded.
struct SceneReader {
    let file: String
    let folder: String
    let options: SceneFileOptions
    var images: ImageTable
    var models: ModelTable
    var warnings: [Diagnostic] = []
    /// Ids met so far, with where each stands, so that a second one can name the first.
    private var ids: [String: Place] = [:]
    /// Files that are absent or unreadable: the exit code differs.
    private var isUnreadable = false

    init(file: String, folder: String, options: SceneFileOptions) {
        self.file = file
        self.folder = folder
        self.options = options
        images = ImageTable(folder: folder, options: options)
        models = ModelTable(options: options)
    }

    mutating func read(_ document: JSONDocument) throws(SceneError) -> SceneFile {
        do throws(SceneFileError) {
            var scene = try readRoot(document)
            scene.warnings = warnings
            return scene
        } catch {
            let named = error.inFile(file)
            if images.isLibraryMissing { throw .unavailable(named) }
            throw isUnreadable || images.isUnreadable || models.isUnreadable ? .unreadable(named) : .invalid(named)
        }
    }

    /// The two dialects: `waymark` among the keys makes a scene, else `type` makes GeoJSON.
    private mutating func readRoot(_ document: JSONDocument) throws(SceneFileError) -> SceneFile {
        let root = document.root
        guard root.kind == .object else { throw root.unexpected("an object: a scene or GeoJSON") }
        if root["waymark"] != nil {
            return try readScene(root)
        }
        guard root["type"] != nil else {
            throw root.error("neither a scene (it has no key \"waymark\") nor GeoJSON (it has no key \"type\")")
        }
        let mapView = MapView(size: Self.defaultSize)
        var features = GeoJSONReader(prefix: "", templates: FeatureTemplates(), usesAltitude: false)
        try features.read(document, into: .map(mapView), &self)
        return SceneFile(mapView: mapView, fit: FitOptions(), warnings: [])
    }

    static let defaultSize = CGSize(width: 512, height: 512)

    private mutating func readScene(_ root: JSONValue) throws(SceneFileError) -> SceneFile {
        let mapView = MapView(size: Self.defaultSize)
        var scene = SceneFile(mapView: mapView, fit: FitOptions(), warnings: [])
        try root.readObject { (object) throws(SceneFileError) in
            let version = try object.required("waymark")
            guard try version.readInteger() == 1 else { throw version.error("version \(version.brief) is not known; this is version 1") }
            if let size = object["size"] { mapView.size = try readSize(size) }
            if let ratio = object["pixelRatio"] { mapView.pixelRatio = try ratio.readNumber(in: Viewport.pixelRatioRange) }
            if let language = object["language"] { mapView.language = try readLanguage(language) }
            if let background = object["background"] { mapView.background = try background.readColor() }
            if let samples = object["modelSamples"] { mapView.modelSamples = try readModelSamples(samples) }
            if let camera = object["camera"] { try readCamera(camera, into: &scene) }
            if let named = object["images"] { try images.readNamed(named) }
            if let symbols = object["symbols"] { try readSymbols(symbols, into: mapView) }
            if let overlays = object["overlays"] { try readOverlays(overlays, prefix: "", into: .map(mapView)) }
        }
        return scene
    }

    /// A BCP 47 tag, as far as its form goes.
    private func readLanguage(_ value: JSONValue) throws(SceneFileError) -> String {
        let tag = try value.readString()
        guard MapView.isLanguageTag(tag) else {
            throw value.error("\(value.brief) is no language tag such as \"ko\" or \"zh-Hant\"")
        }
        return tag
    }

    private func readModelSamples(_ value: JSONValue) throws(SceneFileError) -> Int {
        let count = try value.readInteger()
        guard MapView.modelSampleCounts.contains(count) else { throw value.error("\(count) is neither 1 nor 4") }
        return count
    }

    private func readSize(_ value: JSONValue) throws(SceneFileError) -> CGSize {
        try value.readObject { (object) throws(SceneFileError) in
            CGSize(width: try object.required("width").readNumber(), height: try object.required("height").readNumber())
        }
    }

    private func readCamera(_ value: JSONValue, into scene: inout SceneFile) throws(SceneFileError) {
        try value.readObject { (object) throws(SceneFileError) in
            let bearing = try object["bearing"]?.readNumber() ?? 0
            let tilt = try object["tilt"]?.readNumber(in: Camera.tiltRange) ?? 0
            let inset = try object["contentInset"].map(readInsets) ?? EdgeInsets()
            if let fit = object["fit"] {
                guard fit.isString("overlays") else { throw fit.unexpected("\"overlays\"") }
                var request = FitOptions()
                request.bearing = bearing
                request.tilt = tilt
                request.contentInset = inset
                if let padding = object["padding"] { request.padding = try padding.readNumber(in: 0...Double.infinity) }
                if let maxZoom = object["maxZoom"] { request.maxZoom = try maxZoom.readNumber(in: Camera.zoomRange) }
                scene.fit = request
            } else {
                let center = try object.required("center")
                let position = try center.readPosition()
                guard Camera.centerLatitudeRange.contains(position.lat) else {
                    throw center.error(
                        "latitude \(plain(position.lat)) is outside \(Camera.centerLatitudeRange.lowerBound)…"
                            + "\(Camera.centerLatitudeRange.upperBound)")
                }
                scene.mapView.camera = Camera(
                    center: position, zoom: try object["zoom"]?.readNumber(in: Camera.zoomRange) ?? 0, bearing: bearing, tilt: tilt,
                    contentInset: inset)
                scene.fit = nil
            }
        }
    }

    private func readInsets(_ value: JSONValue) throws(SceneFileError) -> EdgeInsets {
        try value.readObject { (object) throws(SceneFileError) in
            EdgeInsets(
                top: try object["top"]?.readNumber(in: 0...Double.infinity) ?? 0,
                left: try object["left"]?.readNumber(in: 0...Double.infinity) ?? 0,
                bottom: try object["bottom"]?.readNumber(in: 0...Double.infinity) ?? 0,
                right: try object["right"]?.readNumber(in: 0...Double.infinity) ?? 0)
        }
    }
}

extension SceneReader {
    /// The kinds of overlays that a scene may have.
    private enum Kind: String, CaseIterable {
        case marker
        case polyline
        case polygon
        case circle
        case route
        case container
        case localModel
        case geoModel
        case geojson
    }

    /// - Parameter prefix: What the names of overlays without an id begin with.
    mutating func readOverlays(_ value: JSONValue, prefix: String, into holder: OverlayHolder) throws(SceneFileError) {
        var index = 0
        for element in try value.readArray() {
            try readOverlay(element, index: index, prefix: prefix, into: holder)
            index += 1
        }
    }

    private mutating func readOverlay(
        _ value: JSONValue, index: Int, prefix: String, into holder: OverlayHolder
    ) throws(SceneFileError) {
        guard value.kind == .object else { throw value.unexpected("an overlay object") }
        guard let type = value["type"] else { throw value.error("missing key \"type\"") }
        let name = try type.readString()
        guard let kind = Kind(rawValue: name) else {
            let known = Kind.allCases.map(\.rawValue)
            let hint =
                nearestName(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? "; known are \(known.joined(separator: ", "))"
            throw type.error("there is no overlay type \(type.brief.dropFirst("the string ".count))\(hint)")
        }
        let place = "\(prefix)\(kind)-\(index)"
        let overlay: Overlay
        switch kind {
        case .marker: overlay = try MarkerDecoder.marker(value, &images)
        case .polyline: overlay = try PolylineDecoder.polyline(value)
        case .polygon: overlay = try PolygonDecoder.polygon(value)
        case .circle: overlay = try CircleDecoder.circle(value)
        case .route: overlay = try RouteDecoder.route(value)
        case .localModel: overlay = try ModelDecoder.localModel(value, &self)
        case .geoModel: overlay = try ModelDecoder.geoModel(value, &images)
        // Its id is claimed before those of what is in it.
        case .container: return holder.add(try ContainerDecoder.container(value, name: place, &self))
        case .geojson: return try readGeoJSONOverlay(value, prefix: place + "/", into: holder)
        }
        let id = overlay.id ?? place
        overlay.id = id
        try claim(id, at: value)
        holder.add(overlay)
    }

    private mutating func readGeoJSONOverlay(_ value: JSONValue, prefix: String, into holder: OverlayHolder) throws(SceneFileError) {
        var source: JSONValue?
        var templates = FeatureTemplates()
        var usesAltitude = false
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            source = try object.required("source")
            if let value = object["useAltitude"] { usesAltitude = try value.readBoolean() }
            if let value = object["marker"] { templates.marker = try MarkerTemplate(value, &images) }
            if let value = object["polyline"] { templates.polyline = try PolylineTemplate(value, &images) }
            if let value = object["polygon"] { templates.polygon = try PolygonTemplate(value, &images) }
        }
        guard let source else { return }
        var features = GeoJSONReader(
            prefix: prefix, templates: templates, usesAltitude: usesAltitude, name: try source.readString())
        try withFile(source) { (document, scene) throws(SceneFileError) in try features.read(document, into: holder, &scene) }
    }

    /// Reads a JSON file that the scene names.
    mutating func withFile(
        _ source: JSONValue, _ body: (JSONDocument, inout SceneReader) throws(SceneFileError) -> Void
    ) throws(SceneFileError) {
        let path = try source.readString()
        let resolved = try resolve(path, source)
        let bytes: [UInt8]
        do throws(ImagingError) {
            bytes = try WholeFile.read(resolved, limits: .scene)
        } catch {
            isUnreadable = true
            throw source.error("\(path): \(error.problem)")
        }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw SceneFileError(error, file: resolved)
        }
        do throws(SceneFileError) {
            try body(document, &self)
        } catch {
            throw error.inFile(resolved)
        }
    }

    /// Makes room for ids to come.
    mutating func reserve(ids count: Int) {
        ids.reserveCapacity(ids.count + count)
    }

    /// Takes an id for an overlay: the user's, which must be new, or one from its place.
    mutating func claim(_ id: String, at value: JSONValue) throws(SceneFileError) {
        guard let first = ids.updateValue(Place(document: value.document, node: value.node), forKey: id) else { return }
        let path = first.document.value(at: first.node).path
        let place = path.isEmpty ? "the feature that the file is" : path
        let file = first.document === value.document ? "" : " of another file"
        throw value.error("the id \(id.quotedBriefly) is taken already, by \(place)\(file)")
    }

    /// Where a value stands, without the value.
    private struct Place {
        let document: JSONDocument
        let node: JSONNode
    }

    /// The path of a file that the scene names, where the policy allows it.
    private func resolve(_ path: String, _ value: JSONValue) throws(SceneFileError) -> String {
        let resolved = path.hasPrefix("/") ? path : folder + path
        guard options.resources.allows(resolved) else { throw value.error("this scene may not read \(path)") }
        return resolved
    }
}

extension ResourcePolicy {
    /// Whether a file may be read; links count as what they lead to.
    func allows(_ path: String) -> Bool {
        switch self {
        case .none: return false
        case .any: return true
        case .folder(let folder):
            guard let real = realpath(path, nil), let root = realpath(folder, nil) else { return false }
            defer {
                free(real)
                free(root)
            }
            let (file, top) = (String(cString: real), String(cString: root))
            return file.hasPrefix(top == "/" ? "/" : top + "/")
        }
    }
}
