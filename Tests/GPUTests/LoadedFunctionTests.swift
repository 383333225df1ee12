import Foundation
import Testing

/// The loader requires only functions that are called: a driver that lacks an unused function must work.
@Suite struct LoadedFunctionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of all files of a folder with these extensions, with comments.
    private static func text(_ folder: String, _ extensions: Set<String>) throws -> String {
        try FileManager.default.contentsOfDirectory(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            .filter { extensions.contains($0.pathExtension) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    /// The matches of a regular expression's first group.
    private static func matches(_ pattern: String, in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    /// Without comments, in which functions are only spoken of.
    private static func code(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { line in
            guard let comment = line.range(of: "//") else { return line }
            return line[..<comment.lowerBound]
        }
        return lines.joined(separator: "\n")
    }

    @Test func whatIsLoadedIsCalled() throws {
        let header = try Self.text("Sources/C/GLES/include", ["h"])
        let required = try Self.matches(#"^\s*X\(REQUIRED, [^(]*?\b(e?gl[A-Z]\w+), \("#, in: header)
        let optional = try Self.matches(#"^\s*X\(OPTIONAL, [^(]*?\b(e?gl[A-Z]\w+), \("#, in: header)
        let entries = try Self.matches(#"^\s*(X\((?:REQUIRED|OPTIONAL),)"#, in: header).count
        try #require(entries > 80 && required.count + optional.count == entries, "every line of the table is read")
        #expect(Set(required + optional).count == entries, "a function is in the table once")

        let swift = Self.code(try Self.text("Sources/GPU", ["swift"]))
        let loader = Self.code(try Self.text("Sources/C/GLES", ["c", "cpp"]))
        let called = Set(
            try Self.matches(#"\bwm_(e?gl[A-Z]\w+)"#, in: swift + "\n" + loader)
                + Self.matches(#"\bwm_functions\.(e?gl[A-Z]\w+)\("#, in: loader))
        #expect(required.filter { !called.contains($0) } == [], "required and never called")
        #expect(optional.filter { !called.contains($0) } == [], "looked up and never called")
        let asked = Set(try Self.matches(#"\bwm_has_(e?gl[A-Z]\w+)\("#, in: swift + "\n" + loader))
        #expect(Set(optional).subtracting(asked).isEmpty, "optional, and called without asking whether it is there")
        #expect(asked.isSubset(of: optional), "required, and asked for")
    }
}
