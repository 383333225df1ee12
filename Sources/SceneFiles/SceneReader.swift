import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

/// Reads one scene: what its parts share while they are decoded.
struct SceneReader {
    let file: String
    let folder: String
    let options: SceneFileOptions
    var images: ImageTable
    var models: ModelTable
    var warnings: [Diagnostic] = []
    /// What a scene said of the picture as a whole.
    private(set) var settings = SceneSettings()
    /// Ids met so far, with where each stands, so that a second one can name the first.
    private(set) var ids: [String: Place] = [:]
    /// Those of the scene that this one adds to.
    private let base: KnownIDs?
    /// Ids of `base` that are free again.
    private var released: Set<String> = []
    /// Files that are absent or unreadable: the exit code differs.
    private var isUnreadable = false

    init(file: String, folder: String, options: SceneFileOptions) {
        self.file = file
        self.folder = folder
        self.options = options
        images = ImageTable(folder: folder, options: options)
        models = ModelTable(options: options)
        base = nil
    }

    /// A reader of overlays that come to those of another scene, whose images and models it knows.
    init(folder: String, options: SceneFileOptions, images: ImageTable, models: ModelTable, base: KnownIDs) {
        file = ""
        self.folder = folder
        self.options = options
        self.images = images
        self.models = models
        self.base = base
    }

    mutating func read(_ document: JSONDocument) throws(SceneError) -> SceneFile {
        do throws(SceneFileError) {
            var scene = try readRoot(document)
            scene.warnings = warnings
            return scene
        } catch {
            throw sceneError(error)
        }
    }

    /// An error with the file, and the reason that goes by what was read last.
    func sceneError(_ error: SceneFileError) -> SceneError {
        let named = error.inFile(file)
        if images.isLibraryMissing { return .unavailable(named) }
        return isUnreadable || images.isUnreadable || models.isUnreadable ? .unreadable(named) : .invalid(named)
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
        try root.readObject { (object) throws(SceneFileError) in
            let version = try object.required("waymark")
            guard try version.readInteger() == 1 else { throw version.error("version \(version.brief) is not known; this is version 1") }
            try settings.read(&object)
            settings.apply(to: mapView)
            if let named = object["images"] { try images.readNamed(named) }
            if let symbols = object["symbols"] { try readSymbols(symbols, into: mapView) }
            if let overlays = object["overlays"] { try readOverlays(overlays, prefix: "", into: .map(mapView)) }
        }
        return SceneFile(mapView: mapView, fit: settings.fit, warnings: [])
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

    /// - Parameters:
    ///   - start: The place of the first among its like.
    ///   - prefix: What the names of overlays without an id begin with.
    mutating func readOverlays(
        _ value: JSONValue, from start: Int = 0, prefix: String, into holder: OverlayHolder
    ) throws(SceneFileError) {
        var index = start
        for element in try value.readArray() {
            try readOverlay(element, index: index, prefix: prefix, into: holder)
            index += 1
        }
    }

    private mutating func readOverlay(
        _ value: JSONValue, index: Int, prefix: String, into holder: OverlayHolder
    ) throws(SceneFileError) {
        let kind = try readKind(value)
        let place = "\(prefix)\(kind)-\(index)"
        guard kind != .geojson else { return try readGeoJSONOverlay(value, prefix: place + "/", into: holder) }
        holder.add(try readOverlay(value, kind, name: place))
    }

    /// One overlay that is no list of others.
    /// - Parameter name: What it is called when it has no id.
    mutating func readOverlay(_ value: JSONValue, name: String) throws(SceneFileError) -> Overlay {
        try readOverlay(value, try readKind(value), name: name)
    }

    private func readKind(_ value: JSONValue) throws(SceneFileError) -> Kind {
        guard value.kind == .object else { throw value.unexpected("an overlay object") }
        guard let type = value["type"] else { throw value.error("missing key \"type\"") }
        let name = try type.readString()
        guard let kind = Kind(rawValue: name) else {
            let known = Kind.allCases.map(\.rawValue)
            let hint =
                nearestName(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? "; known are \(known.joined(separator: ", "))"
            throw type.error("there is no overlay type \(type.brief.dropFirst("the string ".count))\(hint)")
        }
        return kind
    }

    private mutating func readOverlay(_ value: JSONValue, _ kind: Kind, name: String) throws(SceneFileError) -> Overlay {
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
        case .container: return try ContainerDecoder.container(value, name: name, &self)
        case .geojson: throw value.error("a geojson source is many overlays, and this can only be one")
        }
        let id = overlay.id ?? name
        overlay.id = id
        try claim(id, at: value)
        return overlay
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
        do throws(FileError) {
            bytes = try WholeFile.read(resolved, limit: SceneFile.byteLimit)
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
        let place = Place(document: value.document, node: value.node)
        var first = ids.updateValue(place, forKey: id)
        var file = first.map { $0.document === value.document ? "" : " of another file" } ?? ""
        if first == nil, let base, !released.contains(id), let known = base.places[id] {
            first = known
            file = known.document === base.document ? " of the base scene" : " of a file of the base scene"
        }
        guard let first else { return }
        let path = first.value.path
        throw value.error("the id \(id.quotedBriefly) is taken already, by \(path.isEmpty ? "the feature that the file is" : path)\(file)")
    }

    /// Frees an id: its overlay is gone.
    mutating func release(_ id: String) {
        if ids.removeValue(forKey: id) == nil { released.insert(id) }
    }

    /// Where a value stands, without the value.
    struct Place {
        let document: JSONDocument
        let node: JSONNode

        var value: JSONValue { document.value(at: node) }
    }

    /// The ids of a scene that has been read.
    final class KnownIDs {
        let document: JSONDocument
        let places: [String: Place]

        init(_ reader: SceneReader, _ document: JSONDocument) {
            self.document = document
            places = reader.ids
        }
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
            guard let file = FileSystem.resolved(path), let top = FileSystem.resolved(folder) else { return false }
            return file.hasPrefix(top == "/" ? "/" : top + "/")
        }
    }
}
