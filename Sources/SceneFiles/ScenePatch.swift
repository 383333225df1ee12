/// A change of a scene as JSON: a merge patch (RFC 7396) for the scene as a whole, and three members for single overlays.
package struct ScenePatch {
    /// The members of the patch.
    private(set) var members: [(key: String, value: JSONValue)] = []
    /// Patches of overlays by id.
    private(set) var changes: [(id: String, patch: JSONValue)] = []
    /// A list of overlays to add to the scene.
    private(set) var additions: JSONValue?
    /// The ids of overlays to remove, and the values in the change that name them.
    private(set) var removals: [(id: String, value: JSONValue)] = []

    /// Whether the whole scene must be decoded again.
    var isOfWhole: Bool { members.contains { !SceneSettings.keys.contains($0.key) } }
    /// Whether the change sets members of the scene as a whole, besides single overlays.
    var hasSettings: Bool { !members.isEmpty }

    /// Reads a change from an object.
    /// - Parameter others: Keys of the object that do not belong to the change.
    package init(_ value: JSONValue, without others: Set<String>) throws(SceneFileError) {
        var ids = Set<String>()
        func claim(_ id: String, _ place: JSONValue) throws(SceneFileError) {
            guard ids.insert(id).inserted else {
                throw place.error("\(id.quotedBriefly) occurs more than once among the overlays to change or remove")
            }
        }
        for (key, value) in try value.readMembers() where !others.contains(key) {
            switch key {
            // In a merge patch, null means absent.
            case "change" where value.kind != .null:
                for (id, patch) in try value.readMembers() {
                    switch patch.kind {
                    case .object: changes.append((id, patch))
                    // In a merge patch, null removes the member.
                    case .null: removals.append((id, patch))
                    default: throw patch.unexpected("an object with the keys to change")
                    }
                    try claim(id, patch)
                }
            case "add" where value.kind != .null:
                guard value.kind == .array else { throw value.unexpected("an array of overlays") }
                additions = value
            case "remove" where value.kind != .null:
                for element in try value.readArray() {
                    let id = try element.readString()
                    try claim(id, element)
                    removals.append((id, element))
                }
            case "change", "add", "remove": break
            // Every scene has this version, so it changes nothing.
            case "waymark" where value.int == 1: break
            default: members.append((key, value))
            }
        }
    }
}
