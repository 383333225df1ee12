import Foundation
import WaymarkScene

extension JSONValue {
    /// Reads a list of events, which are sent one after another.
    func readEvents() throws(SceneFileError) -> [PointerEvent] {
        try readArray().map { (element) throws(SceneFileError) in try element.readEvent() }
    }

    /// `{"tap": [x, y]}`, `{"longPress": [x, y]}`, `{"drag": [[x, y], …]}` or `{"drag": {"from": [x, y], "to": [x, y]}}`.
    private func readEvent() throws(SceneFileError) -> PointerEvent {
        guard kind == .object else { throw unexpected("an event, such as {\"tap\": [120, 80]}") }
        let members = try readMembers().filter { $0.value.kind != .null }
        let known = PointerEvent.Kind.allCases.map(\.rawValue)
        for member in members where !known.contains(member.key) {
            let suggestion = hint(for: member.key, [:], among: known)
            throw error(
                "unknown key \(member.key.quotedBriefly)"
                    + (suggestion.isEmpty ? "; known keys are \(known.joined(separator: ", "))" : suggestion))
        }
        guard members.count == 1, let kind = PointerEvent.Kind(rawValue: members[0].key) else {
            let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
            throw error(
                members.isEmpty
                    ? "an event needs one of the keys \(names)"
                    : "an event may have only one of the keys \(names); \(members.count) are given")
        }
        let value = members[0].value
        switch kind {
        case .tap: return .tap(try value.readPoint(in: .finite))
        case .longPress: return .longPress(try value.readPoint(in: .finite))
        case .drag: return .drag(along: try value.readPath())
        }
    }

    /// A list of points, or an object with two of them: `from` and `to`.
    private func readPath() throws(SceneFileError) -> [CGPoint] {
        switch kind {
        case .array:
            var points: [CGPoint] = []
            for point in try readArray() {
                // A single point, such as [10, 20], is not a list of points.
                if point.kind == .number { throw unexpectedPath() }
                points.append(try point.readPoint(in: .finite))
            }
            guard !points.isEmpty else { throw error("a drag needs at least one point") }
            return points
        case .object:
            return try readObject(synonyms: ["start": "from", "end": "to"]) { (object) throws(SceneFileError) in
                [try object.required("from").readPoint(in: .finite), try object.required("to").readPoint(in: .finite)]
            }
        default: throw unexpectedPath()
        }
    }

    private func unexpectedPath() -> SceneFileError {
        let found = kind == .array ? "an array of numbers" : brief
        return error(
            "expected an array of points, such as [[10, 20], [60, 40]], or an object with the keys \"from\" and \"to\", found \(found)")
    }
}

extension [PointerEvent] {
    /// Reads a JSON list of events in the format of `events` in scene files.
    /// - Parameter name: The name of the list in errors.
    public init(bytes: [UInt8], name: String) throws(SceneError) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .invalid(SceneFileError(error, file: name))
        }
        do throws(SceneFileError) {
            self = try document.root.readEvents()
        } catch {
            var error = error.inFile(name)
            // The key path is the same as for this list in a scene file.
            if !error.path.isEmpty { error.path = "events" + error.path }
            throw .invalid(error)
        }
    }

    /// Reads a file that contains a JSON list of events in the format of `events` in scene files.
    public init(contentsOf path: String) throws(SceneError) {
        try self.init(bytes: SceneFile.read(path, SceneFileOptions(), as: .events), name: path)
    }
}
