/// JSON merge patch (RFC 7396). An object changes the members that it lists, null removes a member, and any other value replaces the old
/// value.
package enum MergePatch {
    /// The result of applying a patch to a value, as JSON text; nil stands for an absent value.
    /// - Throws: If an object of the patch repeats a key.
    package static func merged(_ target: JSONValue?, _ patch: JSONValue) throws(SceneFileError) -> [UInt8] {
        var writer = JSONWriter()
        try write(patch, on: target, into: &writer)
        return writer.bytes
    }

    /// The result of patching an object, considering only the members whose keys are included.
    static func merged(
        _ target: JSONValue?, _ patch: [(key: String, value: JSONValue)], where isIncluded: (String) -> Bool
    ) throws(SceneFileError) -> [UInt8] {
        var writer = JSONWriter()
        try write(patch.filter { isIncluded($0.key) }, on: target, into: &writer, where: isIncluded)
        return writer.bytes
    }

    // The parser bounds the depth at 1,000.
    private static func write(_ patch: JSONValue, on target: JSONValue?, into writer: inout JSONWriter) throws(SceneFileError) {
        guard patch.kind == .object else { return writer.value(patch) }
        try write(patch.readMembers(), on: target, into: &writer, where: { _ in true })
    }

    private static func write(
        _ patch: [(key: String, value: JSONValue)], on target: JSONValue?, into writer: inout JSONWriter, where isIncluded: (String) -> Bool
    ) throws(SceneFileError) {
        var rest = Dictionary(uniqueKeysWithValues: patch.map { ($0.key, $0.value) })
        writer.beginObject()
        if let members = target?.members {
            for (key, value) in members where isIncluded(key) {
                guard let change = rest.removeValue(forKey: key) else {
                    writer.key(key)
                    writer.value(value)
                    continue
                }
                guard change.kind != .null else { continue }
                writer.key(key)
                try write(change, on: value, into: &writer)
            }
        }
        for (key, value) in patch where rest[key] != nil && value.kind != .null {
            writer.key(key)
            try write(value, on: nil, into: &writer)
        }
        writer.endObject()
    }
}
