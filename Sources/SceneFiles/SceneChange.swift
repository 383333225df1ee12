/// What is to be different of a scene: a merge patch (RFC 7396) on the whole of it, and three members about single overlays.
package struct SceneChange {
    /// The members of the patch.
    let members: [(key: String, value: JSONValue)]
    /// Patches of overlays by their id.
    let changes: [(id: String, patch: JSONValue)]
    /// A list of overlays that come to the scene's.
    let additions: JSONValue?
    /// Overlays that are taken out, and where the change names them.
    let removals: [(id: String, value: JSONValue)]

    /// Whether the scene must be decoded anew for it.
    var isOfWhole: Bool { members.contains { !SceneSettings.keys.contains($0.key) } }
    /// Whether it is about the picture as a whole.
    var hasSettings: Bool { !members.isEmpty }

    /// Reads a change from an object.
    /// - Parameter others: Keys of the object that are not about the scene.
    package init(_ value: JSONValue, without others: Set<String>) throws(SceneFileError) {
        var members: [(key: String, value: JSONValue)] = []
        var changes: [(id: String, patch: JSONValue)] = []
        var additions: JSONValue?
        var removals: [(id: String, value: JSONValue)] = []
        var ids = Set<String>()
        for (key, value) in try value.readMembers() where !others.contains(key) {
            switch key {
            // As everywhere in a merge patch, null is what is not there.
            case "change" where value.kind != .null:
                for (id, patch) in try value.readMembers() {
                    guard patch.kind == .object else {
                        throw patch.unexpected("an object: what is to be different of the overlay")
                    }
                    changes.append((id, patch))
                    ids.insert(id)
                }
            case "add" where value.kind != .null:
                guard value.kind == .array else { throw value.unexpected("an array of overlays") }
                additions = value
            case "remove" where value.kind != .null:
                for element in try value.readArray() {
                    let id = try element.readString()
                    guard ids.insert(id).inserted else { throw element.error("\(id.quotedBriefly) is changed or removed already") }
                    removals.append((id, element))
                }
            case "change", "add", "remove": break
            // The version that every scene has is no change.
            case "waymark" where value.int == 1: break
            default: members.append((key, value))
            }
        }
        self.members = members
        self.changes = changes
        self.additions = additions
        self.removals = removals
    }
}
