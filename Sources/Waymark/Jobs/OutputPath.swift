import WaymarkImaging
import WaymarkSystem

/// The path of a job's picture within the output folder, normalized.
package struct OutputPath: Hashable, Sendable {
    /// The folders below the output folder, then the file's name. No component is empty, `.` or `..`.
    package let components: [String]
    /// The format, from the extension.
    package let format: ImageFormat

    /// - Throws: For a path that is absolute, leads out of the folder, has an unknown extension or is longer than file systems allow.
    package init(_ text: String) throws(OutputPathError) {
        // Byte by byte, like the system: in Swift, a slash followed by a combining accent is one character, which differs from a slash.
        let slash = UInt8(ascii: "/")
        guard text.utf8.first != slash else { throw OutputPathError(problem: "is not relative to the output folder") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw OutputPathError(problem: "contains control characters")
        }
        var components: [String] = []
        for bytes in text.utf8.split(separator: slash) {
            let component = Substring(bytes)
            if component == "." { continue }
            guard component != ".." else { throw OutputPathError(problem: "leads out of the output folder") }
            guard component.utf8.count <= 255 else { throw OutputPathError(problem: "has a name of more than 255 bytes") }
            components.append(String(component))
        }
        guard text.utf8.count <= 4000 else { throw OutputPathError(problem: "is longer than 4000 bytes") }
        guard let name = components.last, text.utf8.last != slash, !text.utf8.suffix(2).elementsEqual("/.".utf8) else {
            throw OutputPathError(problem: "names no file")
        }
        guard !Self.isReserved(components[0]) else {
            throw OutputPathError(problem: "is inside \(components[0]), which the batch itself writes")
        }
        guard let format = ImageFormat(path: name) else {
            let known = ImageFormat.allCases.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
            throw OutputPathError(problem: "does not end in one of \(known)")
        }
        self.components = components
        self.format = format
    }

    /// Whether batches, or shards of them, use this file name in their output folder.
    private static func isReserved(_ name: String) -> Bool {
        name.hasPrefix(".waymark-") || name.hasSuffix(".jsonl") && ["failures", "warnings"].contains { name.hasPrefix($0) }
    }

    /// The path: the components joined by slashes.
    package var path: String { components.joined(separator: "/") }

    /// The file of the picture's inspection: the same name with the extension `json`.
    package var inspection: OutputPath { beside("json") }

    /// The file of the picture's hit map: the same name with `html`, or with `hits.json`.
    package func hitMap(_ format: HitMapFormat) -> OutputPath { beside(format == .html ? "html" : "hits.json") }

    /// The file's name without the extension.
    package var stem: String { FileSystem.stem(of: components[components.count - 1]) }

    private func beside(_ ending: String) -> OutputPath { OutputPath(components.dropLast() + ["\(stem).\(ending)"], format) }

    private init(_ components: [String], _ format: ImageFormat) {
        self.components = components
        self.format = format
    }
}

/// The reason why a text is not an output path.
package struct OutputPathError: Error, Equatable {
    /// The rest of a sentence that begins with the path: `leads out of the output folder`.
    package var problem: String
}
