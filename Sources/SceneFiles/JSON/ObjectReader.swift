/// Reads an object with known keys. Remembers which were asked for, so that ``finish()`` can tell what nobody knows:
///
///     try value.readObject { (object) throws(SceneFileError) in
///         LatLng(lat: try object.required("lat").readNumber(in: -90...90), lng: try object.required("lng").readNumber())
///     }
package struct ObjectReader: ~Copyable {
    /// The object, for errors about it as a whole.
    package let object: JSONValue
    private var members: [Member] = []
    /// What is read in place of the members' own values, in their order; empty when nothing is.
    private var replacements: [JSONValue?] = []
    private var knownKeys: [StaticString] = []
    /// The key that was found last: an error is about its value.
    private(set) var lastKey: StaticString?

    /// Throws when the value is not an object.
    package init(_ value: JSONValue) throws(SceneFileError) {
        object = value
        let document = value.document
        guard var rest = document.tape.members(of: value.node) else { throw value.unexpected("an object") }
        members.reserveCapacity(value.count)
        while let (key, value) = rest.next(in: document.tape) { members.append(Member(key: key, value: value)) }
    }

    /// Other values for some keys of an object.
    init(_ object: JSONValue, values: [(key: JSONNode, value: JSONValue)]) {
        self.object = object
        members = values.map { Member(key: $0.key, value: $0.value.node) }
        replacements = values.map(\.value)
    }

    private struct Member {
        let key: JSONNode
        let value: JSONNode
        var state = State.unknown
        var isDeferred = false

        enum State {
            case unknown, known, repeated
        }
    }
}

extension ObjectReader {
    /// Gives other values to members, or defers them: a key of a deferred member is known, but has no value yet.
    mutating func replace(_ body: (JSONNode, JSONValue) throws(SceneFileError) -> Replacement) throws(SceneFileError) {
        for index in members.indices {
            switch try body(members[index].key, JSONValue(document: object.document, node: members[index].value)) {
            case .none: break
            case .value(let value):
                if replacements.isEmpty { replacements = members.map { _ in nil } }
                replacements[index] = value
            case .deferral: members[index].isDeferred = true
            }
        }
    }

    enum Replacement {
        case none
        case value(JSONValue)
        case deferral
    }
}

extension ObjectReader {
    /// The value of a key, nil without one. The key is known from now on.
    package subscript(key: StaticString) -> JSONValue? {
        mutating get {
            knownKeys.append(key)
            var found: JSONValue?
            var isKnown = false
            for index in members.indices where object.document.tape.isString(members[index].key, key) {
                members[index].state = isKnown ? .repeated : .known
                guard !isKnown else { continue }
                isKnown = true
                if members[index].isDeferred { continue }
                let replacement = replacements.isEmpty ? nil : replacements[index]
                found = replacement ?? JSONValue(document: object.document, node: members[index].value)
            }
            if found != nil { lastKey = key }
            return found
        }
    }

    /// The value of a key that must be there.
    package mutating func required(_ key: StaticString) throws(SceneFileError) -> JSONValue {
        guard let value = self[key] else { throw object.error("missing key \"\(key)\"") }
        return value
    }

    /// Throws for the first key in the file that was not asked for, or that appears a second time.
    package consuming func finish() throws(SceneFileError) {
        for member in members where member.state != .known {
            let key = object.document.tape.string(of: member.key) ?? ""
            if member.state == .repeated { throw object.repeated(key) }
            let suggestion = nearestName(to: key, among: knownKeys.lazy.map(\.description)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw object.error("unknown key \(key.quotedBriefly)\(suggestion)")
        }
    }
}
