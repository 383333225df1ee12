import WaymarkImaging

/// Where a job's picture goes: a path within the output folder, in the one form that it has.
package struct OutputPath: Hashable, Sendable {
    /// The folders from the output folder inward, and last the file's name: none empty, `.` or `..`.
    package let components: [String]
    /// By the name's extension.
    package let format: ImageFormat

    /// - Throws: For a path that is not relative, climbs, ends in no known extension or is longer than file systems allow.
    package init(_ text: String) throws(OutputPathError) {
        // Byte by byte, as the system reads it: to Swift, a slash and an accent behind it are one character, and no slash.
        let slash = UInt8(ascii: "/")
        guard text.utf8.first != slash else { throw OutputPathError(problem: "is not relative to the output folder") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw OutputPathError(problem: "holds control characters")
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
        guard let format = ImageFormat(path: name) else {
            let known = ImageFormat.allCases.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
            throw OutputPathError(problem: "ends in none of \(known)")
        }
        self.components = components
        self.format = format
    }

    /// The path, its components joined by slashes.
    package var path: String { components.joined(separator: "/") }
}

/// Why a text is no output path.
package struct OutputPathError: Error, Equatable {
    /// What comes after the path in a sentence: `leads out of the output folder`.
    package var problem: String

    package init(problem: String) {
        self.problem = problem
    }
}
