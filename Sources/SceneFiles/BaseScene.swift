import WaymarkGeo
import WaymarkScene
import WaymarkSystem

/// The base of batch jobs: a scene that is read once, then changed and reverted repeatedly.
///
/// It holds its map, its source text and its images. A change of single overlays decodes only those overlays. A change of the camera, the
/// size and other settings decodes no overlay. Any other change decodes the whole changed scene once.
package final class BaseScene {
    package let mapView: MapView
    /// Problems that did not prevent reading.
    package let warnings: [Diagnostic]
    /// The scales that templates applied to the features of the scene itself.
    private let scales: [MapScale]
    let settings: SceneSettings
    /// The settings of a GeoJSON base, because GeoJSON itself contains none.
    private let settingsOfGeoJSON: JSONValue?
    let document: JSONDocument
    let folder: String
    let options: SceneFileOptions
    let known: SceneReader.KnownIDs
    /// Whether the file is GeoJSON, which contains no settings and no overlays.
    let isGeoJSON: Bool
    /// The overlays by id, indexed on first access.
    private lazy var overlays: [String: Overlay] = {
        var overlays: [String: Overlay] = [:]
        overlays.reserveCapacity(mapView.store.count)
        for case let overlay? in mapView.store.slots {
            if let id = overlay.id { overlays[id] = overlay }
        }
        return overlays
    }()
    /// The images, including images of changes.
    private var images: ImageTable
    private let ownImages: ImageTable
    /// The meshes of model files, including files of changes.
    private var models: ModelFileTable
    private let ownModels: ModelFileTable
    /// The tile sources, including sources of changes.
    private var tileSources: TileSourceTable
    private let ownTileSources: TileSourceTable
    /// The maximum number of open sources from changes that are kept.
    private static let mostTileSources = 16
    /// The scales of the current change.
    private var changedScales = ChangedScales()
    /// The changes to revert, the last one first.
    private var undo: [Undo] = []

    private enum Undo {
        case substitution(Substitution)
        case addition(Overlay)
        case viewOverlay(ViewOverlaySubstitution)
    }

    /// Reads a scene or GeoJSON file; paths in it and in its changes are relative to its folder.
    package convenience init(contentsOf path: String, options: SceneFileOptions, settings: JSONValue? = nil) throws(SceneError) {
        try self.init(
            bytes: SceneFile.read(path, options), name: path, folder: SceneFile.folder(of: path), options: options, settings: settings)
    }

    /// Reads the bytes of a scene or GeoJSON file. See ``SceneFile`` for the parameters.
    /// - Parameters:
    ///   - patch: A merge patch on the scene. If the file is GeoJSON, it may contain only settings.
    ///   - tileSources: Sources that are already open.
    package init(
        bytes: [UInt8], name: String, folder: String, options: SceneFileOptions, settings patch: JSONValue? = nil,
        tileSources: TileSourceTable = TileSourceTable()
    ) throws(SceneError) {
        var text = try SceneText(bytes, name: name, options: options)
        isGeoJSON = text.isGeoJSON
        settingsOfGeoJSON = isGeoJSON ? patch : nil
        var reader = SceneReader(file: name, folder: folder, options: options)
        reader.tileSources = tileSources
        var ownSettings: SceneSettings?
        do throws(SceneFileError) {
            if let patch, !isGeoJSON {
                text = .json(try JSONDocument(composed: MergePatch.merged(text.document.root, patch)))
            } else if let patch {
                ownSettings = try reader.readSettings(patch)
            }
        } catch {
            throw .invalid(error.inFile(name))
        }
        document = text.document
        let file = try reader.read(text)
        ownSettings?.defaultTheme = reader.settings.defaultTheme
        ownSettings?.apply(to: file.mapView)
        mapView = file.mapView
        warnings = file.warnings
        scales = file.mapView.scales
        settings = ownSettings ?? reader.settings
        known = SceneReader.KnownIDs(reader, document)
        images = reader.images
        ownImages = reader.images
        models = reader.models
        ownModels = reader.models
        self.tileSources = reader.tileSources
        ownTileSources = reader.tileSources
        self.folder = folder
        self.options = options
    }
}

/// A base scene with a change applied, valid until the change is reverted.
package struct ChangedScene {
    package let mapView: MapView
    /// The options for fitting the camera; nil for an explicit camera, which is set on the map.
    package let fit: FitOptions?
    /// Problems of the change that did not prevent reading it.
    package let warnings: [Diagnostic]
}

extension BaseScene {
    /// Applies a change; if it throws, the scene is unchanged. It must be reverted before the next change.
    package func change(_ change: ScenePatch) throws(SceneError) -> ChangedScene {
        if change.isOfWhole {
            // The whole scene is decoded again, and then single overlays are changed in the result.
            var reader = SceneReader(file: "", folder: folder, options: options)
            let text: [UInt8]
            do throws(SceneFileError) { text = try wholeText(change) } catch { throw reader.sceneError(error) }
            let whole = try BaseScene(bytes: text, name: "", folder: folder, options: options, tileSources: tileSources)
            keep(whole.tileSources)
            reader = SceneReader(folder: folder, options: options, images: whole.images, models: whole.models, base: whole.known)
            reader.room.note(whole.mapView)
            do throws(SceneFileError) {
                try whole.apply(change, &reader)
                try reader.room.check(whole.mapView)
            } catch {
                throw reader.sceneError(error)
            }
            try whole.setScales(change, whole.settings, &reader)
            // The selection is repeated, because the change may have removed the marker.
            if let problem = whole.settings.select(on: whole.mapView) { throw reader.sceneError(change.selectionError(problem)) }
            return ChangedScene(mapView: whole.mapView, fit: whole.settings.fit, warnings: whole.warnings + reader.warnings)
        }
        images.forgetErrors()
        models.forgetErrors()
        tileSources.forgetErrors()
        var reader = SceneReader(folder: folder, options: options, images: images, models: models, base: known)
        reader.tileSources = tileSources
        reader.room.note(mapView)
        var settings = settings
        do throws(SceneError) {
            do throws(SceneFileError) {
                defer {
                    (images, models) = (reader.images, reader.models)
                    keep(reader.tileSources)
                }
                if change.hasSettings { settings = try readSettings(change, &reader) }
                try apply(change, &reader)
                try reader.room.check(mapView)
            } catch {
                throw reader.sceneError(error)
            }
            settings.apply(to: mapView)
            try setScales(change, settings, &reader)
            if let problem = settings.select(on: mapView) { throw reader.sceneError(change.selectionError(problem)) }
        } catch {
            takeBack()
            throw error
        }
        return ChangedScene(mapView: mapView, fit: settings.fit, warnings: reader.warnings)
    }

    /// Keeps the tile sources that a change has opened, unless there are too many, because each is an open file.
    private func keep(_ sources: TileSourceTable) {
        tileSources = sources.count > ownTileSources.count + Self.mostTileSources ? ownTileSources : sources
    }

    /// Reverts the last change.
    package func takeBack() {
        while let step = undo.popLast() {
            switch step {
            case .substitution(let substitution): mapView.putBack(substitution)
            case .addition(let overlay): mapView.withdraw(overlay)
            case .viewOverlay(let substitution): mapView.putBack(substitution)
            }
        }
        changedScales = ChangedScales()
        mapView.scales = scales
        settings.apply(to: mapView)
        _ = settings.select(on: mapView)
        _ = mapView.takeReports()
    }

    /// Sets the scales of all overlays of the changed scene, in the order of its document. Throws if a legend shows none of these scales.
    private func setScales(_ change: ScenePatch, _ settings: SceneSettings, _ reader: inout SceneReader) throws(SceneError) {
        reader.scales = (changedScales.isEmpty ? scales : changedScales.applied(to: scales, of: document)) + reader.scales
        mapView.scales = reader.scales
        do throws(SceneFileError) {
            try reader.checkLegends(settings.elements, change.members.first { $0.key == "elements" }?.value)
        } catch {
            throw reader.sceneError(error)
        }
    }

    /// Whether an image that cannot be loaded or drawn causes a warning instead of an error.
    package var isLenient: Bool { options.isLenient }

    /// Records the files that the scene and its changes read; nil if the options record none.
    package var inputs: InputRecord? { options.inputs }

    /// The approximate size in bytes of the images and meshes loaded by changes.
    package var imageByteCount: Int { images.byteCount - ownImages.byteCount + models.byteCount - ownModels.byteCount }

    /// Evicts the images and meshes loaded by changes, and everything that the layout has cached.
    package func forgetImages() {
        (images, models) = (ownImages, ownModels)
        tileSources = ownTileSources
        mapView.forgetLayout()
    }
}

extension ScenePatch {
    /// The error if the marker selected by this change, or by the base, cannot be selected.
    fileprivate func selectionError(_ problem: String) -> SceneFileError {
        members.first { $0.key == "selectedMarker" }?.value.error(problem) ?? SceneFileError(path: "selectedMarker", problem: problem)
    }
}

// MARK: The picture as a whole

extension BaseScene {
    private func wholeText(_ change: ScenePatch) throws(SceneFileError) -> [UInt8] {
        if isGeoJSON, let member = change.members.first(where: { !SceneSettings.keys.contains($0.key) }) {
            throw member.value.error("the base scene is GeoJSON, which cannot have this key; use a scene with the GeoJSON file as a source")
        }
        return try MergePatch.merged(document.root, change.members) { _ in true }
    }

    private func readSettings(_ change: ScenePatch, _ reader: inout SceneReader) throws(SceneFileError) -> SceneSettings {
        let own = isGeoJSON ? settingsOfGeoJSON : document.root
        // Elements that stay the same are not read again, because an inset may have many overlays.
        let keepsElements = !change.members.contains { $0.key == "elements" }
        let text = try MergePatch.merged(own, change.members) { key in
            SceneSettings.keys.contains(key) && !(keepsElements && key == "elements")
        }
        var read = try reader.readSettings(JSONDocument(composed: text).root)
        if keepsElements { read.elements = settings.elements }
        read.defaultTheme = settings.defaultTheme
        return read
    }

    /// The options for fitting the camera; nil if the scene has an explicit camera.
    package var fit: FitOptions? { settings.fit }
}

// MARK: Single overlays

extension BaseScene {
    /// The change of one overlay of the base.
    private struct Step {
        var id: String
        /// The patch; nil removes the overlay.
        var patch: JSONValue?
        /// The location of the patch in the change.
        var place: JSONValue
        /// The number of containers around the overlay.
        var depth: Int
    }

    private func apply(_ change: ScenePatch, _ reader: inout SceneReader) throws(SceneFileError) {
        try applyToViewOverlays(change, &reader)
        let steps = try steps(of: change)
        // All ids are released first, so that the order of steps does not matter when ids move from one container to another.
        for step in steps { if let overlay = overlays[step.id] { reader.release(overlay) } }
        var inside = ChangedContainers()
        for step in steps { try take(step, &inside, &reader) }
        defer { reader.settleFeatureSources() }
        guard let additions = change.additions else { return }
        let list = OverlayList()
        try reader.readOverlays(additions, from: document.root["overlays"]?.count ?? 0, prefix: "", into: .list(list))
        reader.madeUpIDs.settle(list, isGiven: reader.isGiven)
        for overlay in list.overlays {
            mapView.adopt(overlay)
            undo.append(.addition(overlay))
        }
        for overlay in list.viewOverlays { undo.append(.viewOverlay(mapView.substitute(overlay, for: nil))) }
    }

    /// Changes and removes the view overlays that a change names.
    private func applyToViewOverlays(_ change: ScenePatch, _ reader: inout SceneReader) throws(SceneFileError) {
        for (id, _) in change.changes + change.removals where mapView.viewOverlay(withID: id) != nil { reader.release(id) }
        for (id, _) in change.removals {
            if let overlay = mapView.viewOverlay(withID: id) { undo.append(.viewOverlay(mapView.substitute(nil, for: overlay))) }
        }
        for (id, patch) in change.changes {
            guard let overlay = mapView.viewOverlay(withID: id) else { continue }
            let element = overlay.keptID?.elementIndex.flatMap { document.root["overlays"]?.elements?.dropFirst($0).first { _ in true } }
            guard let original = known.places[id]?.jsonValue ?? element else { continue }
            let merged = try JSONDocument(composed: MergePatch.merged(original, patch))
            if let own = merged.root["id"], own.string != id {
                throw (patch["id"] ?? patch).error("the id of an overlay cannot be changed; remove the overlay and add another")
            }
            let substitute: ViewOverlay
            do throws(SceneFileError) {
                substitute = try reader.readViewOverlay(merged.root, name: OverlayID(madeUp: id, replacing: overlay.keptID))
            } catch {
                throw error.within(patch.path)
            }
            undo.append(.viewOverlay(mapView.substitute(substitute, for: overlay)))
        }
    }

    /// The steps from the outermost overlays inward, so that a container is changed before its contents.
    private func steps(of change: ScenePatch) throws(SceneFileError) -> [Step] {
        guard !change.changes.isEmpty || !change.removals.isEmpty else { return [] }
        var steps: [Step] = []
        // View overlays have already been changed.
        let views = Set(undo.compactMap { if case .viewOverlay(let step) = $0 { step.original?.id } else { nil } })
        func add(_ id: String, _ patch: JSONValue?, _ place: JSONValue) throws(SceneFileError) {
            if views.contains(id) { return }
            guard let overlay = overlays[id] else {
                throw place.error("no overlay has the id \(id.quotedBriefly)\(hint(id, overlays))")
            }
            let depth = sequence(first: overlay) { $0.parent }.reduce(0) { sum, _ in sum + 1 }
            steps.append(Step(id: id, patch: patch, place: place, depth: depth))
        }
        for (id, value) in change.changes { try add(id, value, value) }
        for (id, value) in change.removals { try add(id, nil, value) }
        // A stable sort keeps errors in file order.
        return steps.enumerated().sorted { ($0.element.depth, $0.offset) < ($1.element.depth, $1.offset) }.map(\.element)
    }

    /// A hint for an id that names no overlay.
    private func hint(_ id: String, _ overlays: [String: Overlay]) -> String {
        if let layer = (mapView.overlay(withID: id) as? Marker)?.clusterLayer {
            return "; it belongs to a marker of \(layer.label), and a cluster layer can only be changed as a whole"
        }
        guard known.places[id] != nil else { return "" }
        if overlays["\(id)/0"] != nil { return "; each part of that feature is a separate overlay, such as \("\(id)/0".quotedBriefly)" }
        return "; it belongs to a symbol, and a single symbol cannot be changed or removed: set the key \"symbols\", which replaces all of "
            + "them"
    }

    /// The overlays that came into the scene inside changed containers.
    private struct ChangedContainers {
        var overlays: [String: Overlay] = [:]
        /// The documents that contain these overlays, and the containers' values in the documents by id.
        var documents: [JSONDocument] = []
        var places: [String: JSONValue] = [:]
    }

    private func take(_ step: Step, _ inside: inout ChangedContainers, _ reader: inout SceneReader) throws(SceneFileError) {
        guard let (overlay, place) = find(step.id, inside, reader) else {
            throw step.place.error(reasonOfAbsence(step.id))
        }
        let ids = ([overlay] + overlay.descendants).compactMap(\.id)
        changedScales.remove(scalesOf: ids)
        // Ids of the base have already been released.
        if inside.overlays[step.id] === overlay { reader.release(overlay) }
        guard let patch = step.patch else {
            undo.append(.substitution(mapView.substitute(nil, for: overlay)))
            return
        }
        guard let place, place.document === document && !isGeoJSON || inside.documents.contains(where: { $0 === place.document }) else {
            throw step.place.error("\(step.id.quotedBriefly) is a feature of a GeoJSON file; it can be removed, but not changed")
        }
        let merged = try JSONDocument(composed: MergePatch.merged(place, patch))
        if let id = merged.root["id"], id.string != step.id {
            throw (patch["id"] ?? patch).error("the id of an overlay cannot be changed; remove the overlay and add another")
        }
        let substitute: Overlay
        do throws(SceneFileError) {
            substitute = try reader.readOverlay(merged.root, name: OverlayID(madeUp: step.id, replacing: overlay.keptID))
        } catch {
            throw error.within(step.place.path)
        }
        changedScales.take(&reader.scales, of: step.id)
        undo.append(.substitution(mapView.substitute(substitute, for: overlay)))
        guard let container = substitute as? Container else { return }
        // The overlays keep the names given by the base.
        reader.madeUpIDs.settle(container, isGiven: known.isGiven)
        inside.documents.append(merged)
        inside.places[step.id] = merged.root
        for overlay in container.descendants { if let id = overlay.id { inside.overlays[id] = overlay } }
    }

    /// The current overlay with an id, which is the base's overlay or its replacement in a changed container; and its value in the scene,
    /// nil for a feature without an id.
    private func find(_ id: String, _ inside: ChangedContainers, _ reader: SceneReader) -> (overlay: Overlay, place: JSONValue?)? {
        if let overlay = overlays[id], overlay.mapView === mapView {
            return (overlay, place(of: overlay) { known.places[$0] })
        }
        // A container that came with a change may since have been changed or removed, with its contents.
        guard let overlay = inside.overlays[id], overlay.mapView === mapView else { return nil }
        return (overlay, place(of: overlay) { id in inside.places[id].map { .value($0) } ?? reader.ids[id] })
    }

    /// The value that describes an overlay in the scene or in the patch of a container; nil for the overlay of a feature. An overlay
    /// without an id is found by its index.
    private func place(of overlay: Overlay, known: (_ id: String) -> SceneReader.IDPlace?) -> JSONValue? {
        // The search goes outward from the overlay, to the first container whose value is known.
        var indexes: [Int] = []
        var next: Overlay? = overlay
        var place = document.root
        while let overlay = next, let id = overlay.keptID {
            // Given ids never equal generated ones.
            if let known = known(id.text) {
                guard let value = known.jsonValue else { return nil }
                place = value
                break
            }
            guard let index = id.elementIndex else { return nil }
            indexes.append(index)
            next = overlay.parent
        }
        for index in indexes.reversed() {
            let list = place["children"] ?? place["overlays"]
            guard let element = list?.elements?.dropFirst(index).first(where: { _ in true }) else { return nil }
            place = element
        }
        return place
    }

    /// The reason why an overlay of the base no longer exists: a container around it was removed, or was changed to one without the
    /// overlay.
    private func reasonOfAbsence(_ id: String) -> String {
        let around = sequence(first: overlays[id]?.parent) { $0?.parent }.prefix { $0 != nil }.compactMap { $0?.id }
        // The last step that changed the container's contents.
        for step in undo.reversed() {
            guard case .substitution(let substitution) = step, let container = substitution.originalID, around.contains(container) else {
                continue
            }
            return substitution.isRemoval
                ? "\(id.quotedBriefly) is already removed with \(container.quotedBriefly), which contained it"
                : "\(id.quotedBriefly) is no longer in \(container.quotedBriefly), because this job changed its children"
        }
        return "\(id.quotedBriefly) is already removed"
    }
}

extension SceneReader {
    /// Releases the ids of an overlay and of all its descendants.
    fileprivate mutating func release(_ overlay: Overlay) {
        for overlay in [overlay] + overlay.descendants {
            room.note(-1)
            if !overlay.hasMadeUpID, let id = overlay.id { release(id) }
            guard let layer = overlay as? ClusterLayer else { continue }
            room.notePoints(-layer.count)
            if let source = layer.source as? FeaturePoints { release(source) }
            for case let marker? in layer.members.slots where !marker.hasMadeUpID {
                if let id = marker.id { release(id) }
            }
        }
    }
}

extension JSONDocument {
    /// Parses text composed from valid JSON, such as the result of a merge patch. Only the nesting depth can be invalid.
    convenience init(composed text: [UInt8]) throws(SceneFileError) {
        do throws(JSONSyntaxError) {
            try self.init(parsing: text)
        } catch {
            throw SceneFileError(path: "", problem: error.reason)
        }
    }
}

extension SceneFileError {
    /// This error with a key path prepended, unless it is about another file.
    fileprivate func within(_ path: String) -> SceneFileError {
        guard file == nil else { return self }
        var error = self
        error.path = self.path.isEmpty ? path : self.path.hasPrefix("[") ? path + self.path : "\(path).\(self.path)"
        return error
    }
}
