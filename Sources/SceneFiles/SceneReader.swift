import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

/// Reads one scene, and holds the state shared while its parts are decoded.
struct SceneReader {
    let file: String
    let folder: String
    let options: SceneFileOptions
    var images: ImageTable
    var models: ModelFileTable
    var tileSources = TileSourceTable()
    var warnings: [Diagnostic] = []
    /// The scales that templates applied to features.
    var scales: [MapScale] = []
    /// The scene's settings for the picture as a whole.
    private(set) var settings = SceneSettings()
    /// The ids given so far, each with its location, so that an error about a duplicate can name the first.
    private(set) var ids: [String: IDPlace] = [:]
    var room: OverlayRoom
    /// Whether the map of an inset is read, which cannot contain insets.
    var isInset = false
    var madeUpIDs = MadeUpIDs()
    /// The files of cluster layers, whose features' ids are not in `ids`.
    var featureSources: [FeaturePoints] = []
    /// The ids of the scene to which overlays are added.
    private let base: KnownIDs?
    /// The ids of `base` that have been released.
    private var released: Set<String> = []
    /// The files of `base`'s cluster layers that have been released.
    private var releasedSources: Set<ObjectIdentifier> = []
    /// Whether a file is missing or unreadable, which has its own exit code.
    var isUnreadable = false
    /// The reason why `options.view` cannot be the view of the scene.
    private var viewError: PropertyError?

    /// - Parameters:
    ///   - images: The images already loaded.
    ///   - models: The model files already read.
    ///   - base: The ids of the scene to which overlays are added; nil to read a whole scene.
    init(
        file: String = "", folder: String, options: SceneFileOptions, images: ImageTable? = nil, models: ModelFileTable? = nil,
        base: KnownIDs? = nil
    ) {
        self.file = file
        self.folder = folder
        self.options = options
        self.images = images ?? ImageTable(folder: folder, options: options)
        self.models = models ?? ModelFileTable(options: options)
        self.base = base
        room = OverlayRoom(options)
    }

    /// A reader of features that become markers later. It shares this reader's images.
    var forFeatures: SceneReader { SceneReader(file: file, folder: folder, options: options, images: images) }

    mutating func read(_ text: SceneText) throws(SceneError) -> SceneFile {
        do throws(SceneFileError) {
            var scene =
                switch text {
                case .json(let document): try readScene(document.root)
                case .features(let chunks): try readGeoJSON(chunks)
                }
            try room.check(scene.mapView)
            scene.warnings = warnings
            scene.mapView.scales = scales
            return scene
        } catch {
            throw sceneError(error)
        }
    }

    /// The error with the file, classified by the last file that was read.
    func sceneError(_ error: SceneFileError) -> SceneError {
        if let viewError { return .view(viewError) }
        let named = error.inFile(file)
        if images.isLibraryMissing { return .unavailable(named) }
        return isUnreadable || images.isUnreadable || models.isUnreadable || tileSources.isUnreadable
            ? .unreadable(named) : .invalid(named)
    }

    private mutating func readGeoJSON(_ chunks: FeatureChunks) throws(SceneFileError) -> SceneFile {
        let mapView = MapView(size: Self.defaultSize)
        try readFeatures(chunks, named: file) { (chunks, reader) throws(SceneFileError) in
            let root = chunks.frame.root
            guard root.member("type") != nil else {
                throw root.error("this is neither a scene (the key \"waymark\" is missing) nor GeoJSON (the key \"type\" is missing)")
            }
            var features = GeoJSONReader(prefix: "", templates: FeatureTemplates(), usesAltitude: false)
            features.plainFile = PlainFile()
            features.leavesOutPoints = reader.options.clustersPoints
            try features.read(chunks, into: .map(mapView), &reader)
            mapView.showsPlainFile = features.plainFile?.isPlain ?? false
            let names = features.plainFile?.areaNames ?? []
            if reader.room.fits(names.count) { mapView.symbols = names }
            if reader.options.clustersPoints { try reader.cluster(chunks, on: mapView) }
        }
        try setView(of: nil)
        settings.defaultTheme = mapView.showsPlainFile ? .light : nil
        settings.apply(to: mapView)
        madeUpIDs.settle(mapView, given: ids.keys, features: featureSources)
        settleFeatureSources()
        return SceneFile(mapView: mapView, fit: settings.fit, warnings: [])
    }

    /// Replaces settings of the scene by `options.view`.
    /// - Parameter root: The scene; nil for GeoJSON, which has no settings.
    private mutating func setView(of root: JSONValue?) throws(SceneFileError) {
        let patch: [UInt8]?
        do throws(PropertyError) {
            patch = try options.view.patch(of: root)
        } catch {
            viewError = error
            throw SceneFileError(path: error.path, problem: error.problem)
        }
        guard let patch else { return }
        let change = try JSONDocument(composed: patch).root.readMembers()
        let text = try MergePatch.merged(root, change) { ViewChange.keys.contains($0) }
        settings = try readSettings(JSONDocument(composed: text).root, over: settings)
    }

    /// Reads an object that contains only settings, which replace earlier ones.
    mutating func readSettings(_ value: JSONValue, over earlier: SceneSettings = SceneSettings()) throws(SceneFileError) -> SceneSettings {
        let settings = Box(earlier)
        try decode(value, SettingsProperties.table.list, into: settings) { (part, value, reader) throws(SceneFileError) in
            try reader.readSetting(part, value, into: settings)
        }
        return settings.value
    }

    mutating func readSetting(_ part: ScenePart, _ value: JSONValue, into settings: Box<SceneSettings>) throws(SceneFileError) {
        if case .camera = part { try readCamera(value, into: settings) }
        if case .sky = part { settings.value.sky = try value.readSky() }
        if case .baseMap = part, options.readsBaseMap { try readBaseMap(value, into: settings) }
        if case .infoWindow = part { settings.value.infoWindow = try readInfoWindow(value) }
        if case .elements = part { settings.value.elements = try readElements(value) }
    }

    static let defaultSize = CGSize(width: 512, height: 512)

    private mutating func readScene(_ root: JSONValue) throws(SceneFileError) -> SceneFile {
        guard root.kind == .object else { throw root.unexpected("an object: a scene or GeoJSON") }
        if options.clustersPoints {
            let error = PropertyError(
                path: "cluster", problem: "only the points in a file of features can be clustered; in a scene, use a clusterLayer")
            viewError = error
            throw SceneFileError(path: error.path, problem: error.problem)
        }
        let mapView = MapView(size: Self.defaultSize)
        if let version = root["waymark"], try version.readInteger() != 1 {
            throw version.error("version \(version.brief) is not supported; only version 1 is")
        }
        let box = Box(SceneSettings())
        try decode(root, SceneProperties.table.list, into: box) { (part, value, reader) throws(SceneFileError) in
            switch part {
            case .images: try reader.images.readNamed(value)
            case .symbols: try reader.readSymbols(value, into: mapView)
            case .overlays: try reader.readOverlays(value, prefix: "", into: .map(mapView))
            case .camera, .sky, .baseMap, .infoWindow, .elements: try reader.readSetting(part, value, into: box)
            case .events: box.value.events = try value.readEvents()
            // The version is read above, and the other parts belong to other tables.
            case .version, .type, .fit, .source, .tileSource, .languages, .markerTemplate, .polylineTemplate, .polygonTemplate,
                .symbolTemplate, .floatMesh, .geoMesh, .modelFile, .clusterMarkers, .theme, .usesAltitude, .stack, .svg:
                break
            }
        }
        settings = box.value
        try setView(of: root)
        settings.apply(to: mapView)
        try checkLegends(settings.elements, root["elements"])
        madeUpIDs.settle(mapView, given: ids.keys, features: featureSources)
        settleFeatureSources()
        if let problem = settings.select(on: mapView) { throw (root["selectedMarker"] ?? root).error(problem) }
        return SceneFile(mapView: mapView, fit: settings.fit, warnings: [], events: settings.events)
    }
}

extension SceneReader {
    /// - Parameters:
    ///   - start: The index of the first overlay, for the names of overlays without an id.
    ///   - prefix: The prefix of the names of overlays without an id.
    mutating func readOverlays(
        _ value: JSONValue, from start: Int = 0, prefix: String, into holder: OverlayHolder
    ) throws(SceneFileError) {
        for (index, element) in zip(start..., try value.readArray()) {
            try readOverlay(element, index: index, prefix: prefix, into: holder)
        }
    }

    private mutating func readOverlay(
        _ value: JSONValue, index: Int, prefix: String, into holder: OverlayHolder
    ) throws(SceneFileError) {
        if let type = value.kind == .object ? value["type"] : nil, try type.readString() == ViewOverlayProperties.type {
            guard holder.takesViewOverlays else { throw value.error("a view overlay cannot be in a container") }
            room.note()
            return holder.add(
                try readViewOverlay(value, name: OverlayID(start: "\(prefix)\(ViewOverlayProperties.type)-", element: index)))
        }
        guard let type = try Self.readType(value) else {
            return try readGeoJSONOverlay(value, prefix: "\(prefix)\(Self.featureSourceType)-\(index)/", into: holder)
        }
        holder.add(try readOverlay(value, type, name: OverlayID(start: "\(prefix)\(type.rawValue)-", element: index)))
    }

    /// Reads one overlay that does not expand to several.
    /// - Parameter name: The name of an overlay without an id.
    mutating func readOverlay(_ value: JSONValue, name: OverlayID) throws(SceneFileError) -> Overlay {
        guard let type = try Self.readType(value) else {
            throw value.error("a geojson overlay adds several overlays, but only one is possible here")
        }
        return try readOverlay(value, type, name: name)
    }

    /// The type used for the overlays of a GeoJSON file.
    static let featureSourceType = "geojson"

    /// The type of an overlay; nil stands for ``featureSourceType``.
    static func readType(_ value: JSONValue) throws(SceneFileError) -> OverlayType? {
        guard value.kind == .object else { throw value.unexpected("an overlay object") }
        guard let type = value["type"] else { throw value.error("missing key \"type\"") }
        let name = try type.readString()
        if let known = OverlayType(rawValue: name) { return known }
        if name == featureSourceType { return nil }
        let known = OverlayType.allCases.map(\.rawValue) + [ViewOverlayProperties.type, featureSourceType]
        let hint =
            nearestName(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? "; known names are \(known.joined(separator: ", "))"
        throw type.error("unknown overlay type \(name.quotedBriefly)\(hint)")
    }

    private mutating func readOverlay(_ value: JSONValue, _ type: OverlayType, name: OverlayID) throws(SceneFileError) -> Overlay {
        let overlay = type.makeOverlay()
        room.note()
        if let layer = overlay as? ClusterLayer { return try readClusterLayer(value, into: layer, name: name) }
        try decode(value, type.properties, into: overlay) { (part, member, reader) throws(SceneFileError) in
            switch (part, overlay) {
            case (.floatMesh, let model as LocalModel): model.mesh = try MeshDecoder.floatMesh(member)
            case (.modelFile, let model as LocalModel): model.mesh = try reader.models.mesh(member, &reader.images, &reader.warnings)
            case (.geoMesh, let model as GeoModel): model.mesh = try MeshDecoder.geoMesh(member)
            case (.overlays, let container as Container):
                // The container's id is claimed before its children's ids.
                try reader.claimID(of: container, name: name, at: value)
                try reader.readOverlays(member, prefix: "\(container.id ?? "")/", into: .container(container))
            default: break
            }
        }
        if let line = overlay as? Polyline { try line.checkValues(value) }
        if type != .container { try claimID(of: overlay, name: name, at: value) }
        if let line = overlay as? Polyline, let scale = line.colorScale { try noteScale(scale, of: line, value) }
        return overlay
    }

    /// Claims the id that the file gives an overlay, or gives it a name.
    mutating func claimID(of overlay: some Identified, name: OverlayID, at value: JSONValue) throws(SceneFileError) {
        guard let id = overlay.keptID else { return overlay.setMadeUpID(name) }
        try claim(id.text, at: value)
    }

    private mutating func readGeoJSONOverlay(_ value: JSONValue, prefix: String, into holder: OverlayHolder) throws(SceneFileError) {
        var source: JSONValue?
        var templates = FeatureTemplates()
        let usesAltitude = FeatureSourceProperties.table.make()
        try decode(value, FeatureSourceProperties.table.list, into: usesAltitude) { (part, member, reader) throws(SceneFileError) in
            switch part {
            case .source: source = member
            case .markerTemplate: templates.marker = try MarkerTemplate(member, MarkerProperties.table, &reader)
            case .polylineTemplate: templates.polyline = try PolylineTemplate(member, PolylineProperties.table, &reader)
            case .polygonTemplate: templates.polygon = try PolygonTemplate(member, PolygonProperties.table, &reader)
            case .type, .version, .fit, .camera, .images, .sky, .baseMap, .tileSource, .languages, .symbols, .overlays, .symbolTemplate,
                .floatMesh,
                .geoMesh, .modelFile, .clusterMarkers, .theme, .usesAltitude, .stack, .svg, .infoWindow, .events, .elements:
                break
            }
        }
        guard let source else { return }
        var features = GeoJSONReader(
            prefix: prefix, templates: templates, usesAltitude: usesAltitude.value, name: try source.readString())
        try withFeatures(source, usesAltitude: usesAltitude.value) { (chunks, scene) throws(SceneFileError) in
            try features.read(chunks, into: holder, &scene)
        }
    }

    /// Reads a file of features that the scene references. An error in it names the key in the scene, and then the place in the file.
    /// - Parameter areClustered: Whether the features become the points of a cluster layer.
    mutating func withFeatures(
        _ source: JSONValue, usesAltitude: Bool, areClustered: Bool = false,
        _ body: (FeatureChunks, inout SceneReader) throws(SceneFileError) -> Void
    ) throws(SceneFileError) {
        let path = try source.readString()
        guard !path.isEmpty else { throw source.error("the path of the source is empty") }
        guard let resolved = options.path(of: path, in: folder) else { throw source.error(SceneFileOptions.refusal(of: path)) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try options.read(resolved, as: .source)
        } catch {
            isUnreadable = error.reason == .cannotRead
            throw source.error("\(path): \(SceneFile.problem(reading: path, error))")
        }
        let name = options.shownPath(of: path, in: folder)
        do throws(SceneFileError) {
            let file = try FeatureFile(consume bytes, name: name, usesAltitude: usesAltitude, room: areClustered ? room.ofPoints : room)
            let chunks: FeatureChunks
            do throws(JSONSyntaxError) { chunks = try FeatureChunks(file) } catch { throw SceneFileError(error) }
            try readFeatures(chunks, named: name, body)
        } catch {
            // An error in a template is already located in the scene.
            throw error.file == file ? error : source.error("\(error.inFile(name))")
        }
    }

    /// Reads the features of a file.
    private mutating func readFeatures(
        _ chunks: FeatureChunks, named name: String, _ body: (FeatureChunks, inout SceneReader) throws(SceneFileError) -> Void
    ) throws(SceneFileError) {
        do throws(SceneFileError) {
            if chunks.frame.root.kind == .object, chunks.frame.root["type"]?.isString("Topology") == true {
                throw ForeignFormat.topoJSON.error(name)
            }
            do throws(SceneFileError) {
                try body(chunks, &self)
            } catch {
                // If the text itself is invalid, that error comes first, regardless of its position. A file that exceeds the limit is not
                // read to its end.
                if !room.isFull { try chunks.check() }
                throw error
            }
        } catch {
            throw chunks.file.located(error)
        }
    }

    /// Claims an id that the scene gives; throws if it is already in use.
    /// - Parameter featurePlace: The place of a feature, which is not stored as a value.
    mutating func claim(_ id: String, at value: JSONValue, feature featurePlace: IDPlace? = nil) throws(SceneFileError) {
        if id.holdsZero { throw value.error("the id \(id.quotedBriefly) contains U+0000") }
        let place = featurePlace ?? .value(value)
        let known = ids.updateValue(place, forKey: id)
        if let first = known ?? (released.contains(id) ? nil : base?.places[id]) {
            let owner = first.name + (first.isInFile(of: place) ? "" : file(of: first, isOwn: known != nil))
            throw value.error(
                "the id \(id.quotedBriefly) is already used by \(owner)\(GeoJSONSyntax.hint(place.isNumber, first.isNumber))")
        }
        if let (source, point) = feature(withID: id) {
            let owner = source.place(ofPoint: point) + source.hint(place.isNumber, ofPoint: point)
            throw value.error("the id \(id.quotedBriefly) is already used by \(owner)")
        }
    }

    /// Message suffix naming the file that defines an id.
    /// - Parameter isOwn: Whether the id was given since the base was read.
    private func file(of place: IDPlace, isOwn: Bool) -> String {
        switch place {
        case .value(let place):
            if isOwn { return place.document.root.member("waymark") == nil ? " of another file" : " of the scene" }
            return place.document === base?.document ? " of the base scene" : " of a file of the base scene"
        case .feature(_, let frame, _):
            if isOwn { return " of another file" }
            return frame === base?.document ? " of the base scene" : " of a file of the base scene"
        }
    }

    /// The point of a cluster layer's file whose feature has an id.
    private func feature(withID id: String) -> (source: FeaturePoints, point: Int)? {
        for source in otherSources {
            if let point = source.point(ofFeatureID: id) { return (source, point) }
        }
        return nil
    }

    /// The files of cluster layers, including files of the base that have not been released.
    var otherSources: [FeaturePoints] {
        guard let base, !base.sources.isEmpty else { return featureSources }
        return featureSources + base.sources.filter { !releasedSources.contains(ObjectIdentifier($0)) }
    }

    /// The place where an id is given, in this scene or in the base. Nil if it is not given, and for features of a cluster layer's file.
    func place(ofID id: String) -> IDPlace? { ids[id] ?? (released.contains(id) ? nil : base?.places[id]) }

    /// Whether an id is given.
    func isGiven(_ id: String) -> Bool { place(ofID: id) != nil || feature(withID: id) != nil }

    /// The first of the ids given so far that the features of a file also use, and its owner.
    func firstShared(with points: FeaturePoints) -> (id: String, point: Int, owner: String)? {
        func first(_ ids: some Sequence<String>) -> String? { ids.lazy.filter { points.point(ofFeatureID: $0) != nil }.min() }
        let own = first(ids.keys)
        let released = released
        guard let id = own ?? base.flatMap({ first($0.places.keys.lazy.filter { !released.contains($0) }) }),
            let point = points.point(ofFeatureID: id), let place = place(ofID: id)
        else { return nil }
        return (id, point, place.name + file(of: place, isOwn: own != nil) + points.hint(place.isNumber, ofPoint: point))
    }

    /// Gives the generated names of points of cluster layers' files a suffix if they conflict with given ids.
    func settleFeatureSources() {
        guard !featureSources.isEmpty else { return }
        let others = otherSources.dropFirst(featureSources.count)
        FeaturePoints.settle(featureSources, given: [ids.keys] + (base.map { [$0.places.keys] } ?? []), others: Array(others)) { name in
            place(ofID: name) != nil
        }
    }

    /// Releases the id of a removed overlay.
    mutating func release(_ id: String) {
        if ids.removeValue(forKey: id) == nil { released.insert(id) }
    }

    /// Releases the ids of the features of a removed cluster layer.
    mutating func release(_ source: FeaturePoints) { releasedSources.insert(ObjectIdentifier(source)) }

    /// The place where an id is given.
    enum IDPlace {
        case value(JSONValue)
        /// A feature, given by its index in a file of features; the index is -1 if the file is a single feature. Of the file, only the
        /// document around the list is kept.
        case feature(Int32, frame: JSONDocument, isNumber: Bool)

        var name: String {
            switch self {
            case .value(let place):
                let path = place.path
                return path.isEmpty ? "the only feature" : path
            case .feature(let index, _, _): return index < 0 ? "the only feature" : "features[\(index)]"
            }
        }

        /// The value with the id; nil for a feature.
        var jsonValue: JSONValue? { if case .value(let place) = self { place } else { nil } }

        /// Whether the id is a number; nil for a value without a member `id`.
        var isNumber: Bool? {
            switch self {
            case .value(let place): GeoJSONSyntax.isNumber(idOf: place)
            case .feature(_, _, let isNumber): isNumber
            }
        }

        /// Whether another place is in the same file.
        func isInFile(of other: IDPlace) -> Bool {
            switch (self, other) {
            case (.value(let place), .value(let other)): place.document === other.document
            case (.feature(_, let frame, _), .feature(_, let other, _)): frame === other
            default: false
            }
        }
    }

    /// The ids given by a scene that was already read.
    final class KnownIDs {
        let document: JSONDocument
        let places: [String: IDPlace]
        /// The files of cluster layers.
        let sources: [FeaturePoints]

        init(_ reader: SceneReader, _ document: JSONDocument) {
            self.document = document
            places = reader.ids
            sources = reader.featureSources
        }

        /// Whether the scene gives an id.
        func isGiven(_ id: String) -> Bool { places[id] != nil || sources.contains { $0.point(ofFeatureID: id) != nil } }
    }
}
