import WaymarkImaging
import WaymarkSceneFiles

/// A job: its id, its output, and its changes to the base scene, which are decoded when it is drawn.
package struct BatchJob {
    package let id: String
    package let output: OutputPath
    /// The encoding options of the picture that apply to its format.
    package let encoding: EncodingOptions
    /// Whether the picture's inspection is written next to it, or returned with it.
    package let isInspected: Bool
    /// The format of the hit map that is written next to the picture; nil for no hit map.
    package let hitMap: HitMapFormat?
    /// The links of an HTML hit map.
    package let link: String
    /// The job's object, which keeps its document alive.
    let value: JSONValue

    /// The files that the job writes.
    package var files: [OutputPath] {
        [output] + (isInspected ? [output.inspection] : []) + (hitMap.map { [output.hitMap($0)] } ?? [])
    }

    /// The keys of a job that do not belong to its change of the scene.
    package static let keys: Set<String> = ["id", "output", "format", "quality", "progressive", "palette", "inspect", "hitMap", "link"]

    /// Reads a job from a line.
    package init(line: [UInt8], defaults: JobDefaults = JobDefaults()) throws(Failure) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: line)
        } catch {
            guard !Self.isObject(line), let text = Self.beginning(of: line) else {
                // The job is one line, so a column suffices.
                throw Failure(.badContent, "column \(error.column): \(error.reason)")
            }
            throw Failure(.badContent, "a job must be a JSON object on one line, such as \(Self.example), not \(text)")
        }
        try self.init(document.root, defaults: defaults)
    }

    /// Decodes a job.
    package init(_ value: JSONValue, defaults: JobDefaults = JobDefaults()) throws(Failure) {
        self.value = value
        do throws(SceneFileError) {
            guard value.kind == .object else { throw value.unexpected("a job object") }
            // Checks that no key is repeated.
            _ = try value.readMembers()
            guard let id = value["id"] else { throw value.error("missing key \"id\"") }
            let output = value.member("output")
            self.id = try Self.readID(id, isName: output == nil)
            let own = try JobDefaults(value)
            let path =
                try output.map { (output) throws(SceneFileError) in try output.readString() }
                ?? "\(self.id).\((own.format ?? defaults.format ?? .png).fileExtension)"
            do throws(OutputPathError) {
                self.output = try OutputPath(path)
            } catch {
                throw (output ?? id).error("\(path.quotedBriefly) \(error.problem)")
            }
            let format = self.output.format
            if let asked = own.format, asked != format {
                throw (value["format"] ?? value).error(
                    "the format is \(asked.rawValue.quotedBriefly), but the output is \(path.quotedBriefly)")
            }
            try own.check(format, value)
            encoding = defaults.encoding(format, own: own)
            isInspected = value.member("inspect") != nil ? own.isInspected : defaults.isInspected
            hitMap = own.hitMap ?? defaults.hitMap
            if let link = value.member("link"), hitMap != .html { throw link.error("a link requires \"hitMap\": \"html\"") }
            link = own.link ?? defaults.link ?? HitMap.standardLink
        } catch {
            throw Failure(error, root: value.path)
        }
    }

    /// An example of a job, for messages.
    package static let example = #"{"id": "seoul", "camera": {"center": [126.98, 37.57], "zoom": 12}}"#

    /// Whether a line looks like a JSON object, valid or not.
    package static func isObject(_ line: some Collection<UInt8>) -> Bool {
        let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : Array(line)
        return text.first { ![0x20, 0x09, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// The beginning of a line, for messages; nil if the line is empty or is not text.
    package static func beginning(of line: some Collection<UInt8>) -> String? {
        guard !line.isEmpty, !line.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        return String(text.prefix { $0 != "\r" && $0 != "\r\n" }).quotedBriefly
    }

    /// The id of a job, even of one that is otherwise invalid; nil if it has no valid id.
    package static func id(of value: JSONValue) -> String? {
        guard let id = value.member("id") else { return nil }
        return try? readID(id, isName: false)
    }

    /// - Parameter isName: Whether the picture's file name is the id.
    private static func readID(_ value: JSONValue, isName: Bool) throws(SceneFileError) -> String {
        let id = try value.readString()
        guard (1...255).contains(id.utf8.count) else { throw value.error("an id must have 1…255 bytes, not \(id.utf8.count)") }
        for scalar in id.unicodeScalars where scalar.properties.generalCategory == .control || isName && scalar == "/" {
            throw value.error(
                scalar == "/"
                    ? "\(id.quotedBriefly) contains a slash and cannot be a file name; add an \"output\""
                    : "\(id.quotedBriefly) contains control characters")
        }
        return id
    }
}
