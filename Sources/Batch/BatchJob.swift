import WaymarkSceneFiles

/// One job: its id, its output, and its changes to the base scene, which are decoded when it is drawn.
package struct BatchJob {
    package let id: String
    package let output: OutputPath
    /// The job's object, which keeps its document alive.
    let value: JSONValue

    /// Reads a job's line.
    package init(line: [UInt8]) throws(JobError) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: line)
        } catch {
            // The job is one line, so a column is enough.
            throw JobError(.badContent, "column \(error.column): \(error.reason)")
        }
        try self.init(document.root)
    }

    /// Decodes a job.
    package init(_ value: JSONValue) throws(JobError) {
        self.value = value
        do throws(SceneFileError) {
            guard value.kind == .object else { throw value.unexpected("a job object") }
            var (id, output): (JSONValue?, JSONValue?)
            for member in try value.readMembers() {
                switch member.key {
                case "id": id = member.value
                case "output": output = member.value
                default: break
                }
            }
            guard let id else { throw value.error("missing key \"id\"") }
            self.id = try Self.readID(id, isName: output == nil)
            let path = try output.map { (output) throws(SceneFileError) in try output.readString() } ?? self.id + ".png"
            do throws(OutputPathError) {
                self.output = try OutputPath(path)
            } catch {
                throw (output ?? id).error("\(path.quotedBriefly) \(error.problem)")
            }
        } catch {
            throw JobError(error, root: value.path)
        }
    }

    /// The id of a job, even of one that is invalid elsewhere; nil when it has no valid one.
    package static func id(of value: JSONValue) -> String? {
        guard let id = value["id"] else { return nil }
        return try? readID(id, isName: false)
    }

    /// - Parameter isName: Whether the picture is named after it.
    private static func readID(_ value: JSONValue, isName: Bool) throws(SceneFileError) -> String {
        let id = try value.readString()
        guard (1...255).contains(id.utf8.count) else { throw value.error("an id has 1…255 bytes, this one \(id.utf8.count)") }
        for scalar in id.unicodeScalars where scalar.properties.generalCategory == .control || isName && scalar == "/" {
            throw value.error(
                scalar == "/"
                    ? "\(id.quotedBriefly) holds a slash, and the picture is called after it; give it an \"output\""
                    : "\(id.quotedBriefly) holds control characters")
        }
        return id
    }
}
