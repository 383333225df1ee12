/// Reads an object with known keys. Records the requested keys, so that ``finish()`` can report unknown ones:
///
///     try value.readObject { (object) throws(SceneFileError) in
///         LatLng(lat: try object.required("lat").readNumber(in: -90...90), lng: try object.required("lng").readNumber())
///     }
package struct ObjectReader: ~Copyable {
    /// The object, for errors about it as a whole.
    package let object: JSONValue
    private var members: [Member] = []
    private var knownKeys: [StaticString] = []

    /// Throws if the value is not an object.
    package init(_ value: JSONValue) throws(SceneFileError) {
        object = value
        let document = value.document
        guard var rest = document.tape.members(of: value.node) else { throw value.unexpected("an object") }
        members.reserveCapacity(value.count)
        while let (key, value) = rest.next(in: document.tape) { members.append(Member(key: key, value: value)) }
    }

    private struct Member {
        let key: JSONNode
        let value: JSONNode
        var state = State.unknown

        enum State {
            case unknown, known, repeated
        }
    }
}

extension ObjectReader {
    /// The value of a key, or nil if it is missing or null. The key counts as known from then on.
    package subscript(key: StaticString) -> JSONValue? {
        mutating get {
            guard let value = value(of: key), value.kind != .null else { return nil }
            return value
        }
    }

    /// The value of a required key, which may be null.
    package mutating func required(_ key: StaticString) throws(SceneFileError) -> JSONValue {
        guard let value = value(of: key) else { throw object.error("missing key \"\(key)\"") }
        return value
    }

    private mutating func value(of key: StaticString) -> JSONValue? {
        knownKeys.append(key)
        var found: JSONValue?
        for index in members.indices where object.document.tape.isString(members[index].key, key) {
            members[index].state = found != nil ? .repeated : .known
            found = found ?? JSONValue(document: object.document, node: members[index].value)
        }
        return found
    }

    /// Throws for the first key in the file that was not requested, or is repeated.
    /// - Parameter synonyms: Names used by other libraries, mapped to the keys here.
    package consuming func finish(synonyms: [String: String] = [:]) throws(SceneFileError) {
        for member in members where member.state != .known {
            let key = object.document.tape.string(of: member.key) ?? ""
            if member.state == .repeated { throw object.repeated(key) }
            throw object.error("unknown key \(key.quotedBriefly)\(hint(for: key, synonyms, among: knownKeys.lazy.map(\.description)))")
        }
    }
}

/// The end of a message about an unknown key: the name that a synonym has here, or the nearest known one.
/// - Parameter synonyms: Names used by other libraries, mapped to the keys here.
func hint(for key: String, _ synonyms: [String: String], among names: some Sequence<String>) -> String {
    if let name = synonyms[key] { return "; use \"\(name)\"" }
    return nearestName(to: key, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
}
