import Foundation
import WaymarkGeo
import WaymarkScene

/// Changes to a scene for one picture: new settings for the view, and overlays to change, add and remove.
///
/// A `RenderPool` applies a separate change to the scene for each picture, as `waymark batch` does for each job. The scene itself stays the
/// same:
///
///     var change = SceneChange()
///     change.view.zoom = 14
///     try change.set(\Marker.captionText, to: "Gate", of: "hall")
///     try change.add(Circle(center: LatLng(37.5670, 126.9784), radius: 150))
///     change.remove("palace")
///
/// If only the view, the selected marker and individual overlays change, no other part of the scene is decoded again. The ids refer to the
/// scene's overlays and to the features in its files. A change copies the values of the objects from which it is made, so later changes to
/// these objects do not affect it.
public struct SceneChange: Equatable, Sendable {
    /// The size, the background, the theme and the camera. Default: the scene's values.
    public var view = ViewChange()
    /// Members of the patch of the scene as a whole.
    private var settings = Members()
    private var patches: [OverlayPatch] = []
    /// The index in `patches` for each id.
    private var patchIndices: [String: Int] = [:]
    /// The added overlays as JSON.
    private var additions: [[UInt8]] = []
    private var removals: [String] = []
    /// The elements of `removals`.
    private var removedIDs: Set<String> = []

    /// Creates an empty change.
    public init() {}

    /// The patch of one overlay.
    private struct OverlayPatch: Equatable, Sendable {
        var id: String
        var members = Members()
    }

    /// The members of an object, with their values as JSON.
    private struct Members: Equatable, Sendable {
        private(set) var list: [Member] = []

        struct Member: Equatable, Sendable {
            var key: String
            var json: [UInt8]
        }

        subscript(key: String) -> [UInt8]? {
            get { list.first { $0.key == key }?.json }
            set {
                list.removeAll { $0.key == key }
                if let newValue { list.append(Member(key: key, json: newValue)) }
            }
        }

        func write(into writer: inout JSONWriter) {
            for member in list { writer.member(member.key, json: member.json) }
        }
    }
}

extension SceneChange {
    /// Sets a property of an overlay of the scene. If a property is set twice, the later value applies.
    ///
    /// Properties that have no key in scene files, such as touch handlers and `userInfo`, cannot be set. An image is stored as its path or
    /// its data. Colors are rounded to 8 bits per channel.
    /// - Parameters:
    ///   - property: The property, such as `\Marker.captionText`. It may also be a property of a value, such as
    ///     `\LocalModel.material.diffuse`.
    ///   - value: The new value. It may be the property's default.
    ///   - id: The id of the overlay. Drawing fails if no overlay of the scene has the id, or if the overlay's type does not have the
    ///     property.
    /// - Throws: `PropertyError` if the value is out of range, or cannot be written in a scene file.
    public mutating func set<Object: ViewObject, Value>(
        _ property: ReferenceWritableKeyPath<Object, Value>, to value: Value, of id: String
    ) throws(PropertyError) {
        let path = "change.\(id)"
        guard let list = PropertyList.list(of: Object.self) else {
            throw PropertyError(path: path, problem: "\(Object.self) is not an overlay type of scene files")
        }
        let assignment = list.assignment { ($0 as? Object)?[keyPath: property] = value }
        if let problem = assignment.problem { throw problem.within(path) }
        let members: [(String, JSONText)]
        do throws(PropertyError) {
            members = try OverlayWriter.patch(assignment, list)
        } catch {
            throw error.within(path)
        }
        guard !members.isEmpty else {
            throw PropertyError(path: path, problem: "\(property) cannot be set, because it has no key in scene files")
        }
        let index = patchIndices[id] ?? patches.count
        if index == patches.count { append(OverlayPatch(id: id)) }
        for (key, value) in members { patches[index].members[key] = Self.bytes(value, over: patches[index].members[key]) }
    }

    private mutating func append(_ patch: OverlayPatch) {
        patchIndices[patch.id] = patches.count
        patches.append(patch)
    }

    /// Adds an overlay with its contents, above the scene's overlays with the same z indexes. An overlay without an id gets an id made from
    /// its type.
    ///
    /// The properties that are stored are the same as for `set`. A model from a file, and a cluster layer whose points come from a file,
    /// cannot be added in this way; add them as JSON.
    /// - Throws: `PropertyError` if the overlay is invalid, has no position, or cannot be written in a scene file.
    public mutating func add(_ overlay: Overlay) throws(PropertyError) {
        do throws(PropertyError) {
            additions.append(try OverlayWriter.overlay(overlay).bytes)
        } catch {
            throw error.within("add[\(additions.count)]")
        }
    }

    /// Adds a view overlay.
    /// - Throws: `PropertyError` if the overlay is invalid, or shows a custom drawing.
    public mutating func add(_ overlay: ViewOverlay) throws(PropertyError) {
        do throws(PropertyError) {
            additions.append(try OverlayWriter.overlay(overlay).bytes)
        } catch {
            throw error.within("add[\(additions.count)]")
        }
    }

    /// Removes an overlay of the scene, with everything in it. Drawing fails if no overlay of the scene has the id, or if the change also
    /// sets a property of the overlay. Removing an overlay again has no effect.
    public mutating func remove(_ id: String) {
        if removedIDs.insert(id).inserted { removals.append(id) }
    }

    /// Opens the info window of a marker in place of the scene's open info window. The change itself may add the marker.
    /// - Parameter id: The id of the marker; nil to show no info window.
    public mutating func selectMarker(_ id: String?) {
        settings["selectedMarker"] = (id.map(JSONText.string) ?? .null).bytes
        settings["infoWindow"] = JSONText.null.bytes
    }
}

// The form of a batch job.
extension SceneChange {
    /// Creates a change from JSON in the form of a batch job without an id: a merge patch on the scene, with `change`, `add` and `remove`
    /// for overlays. The change can set every key of a scene, such as the base map. Drawing fails if the JSON sets a key that `view` also
    /// sets. For this check, all settings of the camera count as the key `camera`.
    /// - Throws: `SceneError.invalid` if the text is not JSON, is not a change, or has a key that no scene or overlay has. Values are
    ///   checked when the change is applied.
    public init(json: Data) throws(SceneError) {
        do throws(SceneFileError) {
            let document: JSONDocument
            do throws(JSONSyntaxError) { document = try JSONDocument(parsing: [UInt8](json)) } catch { throw SceneFileError(error) }
            let patch = try ScenePatch(document.root, without: [])
            try patch.checkKeys(of: document.root)
            for (key, value) in patch.members { settings[key] = value.bytes }
            for (id, value) in patch.changes {
                var members = Members()
                for (key, value) in try value.readMembers() { members[key] = value.bytes }
                append(OverlayPatch(id: id, members: members))
            }
            additions = patch.additions?.elements.map { $0.map(\.bytes) } ?? []
            for (id, _) in patch.removals { remove(id) }
        } catch {
            throw .invalid(error.inFile("change"))
        }
    }

    /// The change without its view, as JSON in the form of a batch job without an id.
    public var json: Data { Data(JSONWriter.object { write(into: &$0) }) }

    /// Writes the members of the JSON form, without the members of the view.
    package func write(into writer: inout JSONWriter) {
        settings.write(into: &writer)
        if !patches.isEmpty {
            writer.key("change")
            writer.beginObject()
            for patch in patches {
                writer.key(patch.id)
                writer.beginObject()
                patch.members.write(into: &writer)
                writer.endObject()
            }
            writer.endObject()
        }
        if !additions.isEmpty {
            writer.key("add")
            writer.beginArray()
            for addition in additions { writer.text(addition) }
            writer.endArray()
        }
        if !removals.isEmpty { writer.member("remove", removals) }
    }

    /// A value that replaces an earlier value of the same property. Objects such as `material` keep the members that the new value does
    /// not set.
    private static func bytes(_ value: JSONText, over earlier: [UInt8]?) -> [UInt8] {
        guard case .object(let changes) = value, let earlier, let known = (try? JSONDocument(parsing: earlier))?.root.members else {
            return value.bytes
        }
        var members = Members()
        for (key, value) in known { members[key] = value.bytes }
        for (key, value) in changes { members[key] = bytes(value, over: members[key]) }
        return JSONWriter.object { members.write(into: &$0) }
    }
}
