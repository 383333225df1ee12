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

    /// Throws when the value is not an object.
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
    /// The value of a key, or nil. The key counts as known from then on.
    package subscript(key: StaticString) -> JSONValue? {
        mutating get {
            knownKeys.append(key)
            var found: JSONValue?
            var isKnown = false
            for index in members.indices where object.document.tape.isString(members[index].key, key) {
                members[index].state = isKnown ? .repeated : .known
                guard !isKnown else { continue }
                isKnown = true
                found = JSONValue(document: object.document, node: members[index].value)
            }
            return found
        }
    }

    /// The value of a required key.
    package mutating func required(_ key: StaticString) throws(SceneFileError) -> JSONValue {
        guard let value = self[key] else { throw object.error("missing key \"\(key)\"") }
        return value
    }

    /// Throws for the first key in the file that was not requested, or is repeated.
    package consuming func finish() throws(SceneFileError) {
        for member in members where member.state != .known {
            let key = object.document.tape.string(of: member.key) ?? ""
            if member.state == .repeated { throw object.repeated(key) }
            let suggestion = nearestName(to: key, among: knownKeys.lazy.map(\.description)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw object.error("unknown key \(key.quotedBriefly)\(suggestion)")
        }
    }
}
