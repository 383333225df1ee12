import Foundation
import Testing

/// The examples in docs/Waymark.docc are files that this repository also builds, runs and tests.
@Suite struct CatalogTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The blocks of an article in a language, in their order.
    private func blocks(_ language: String, _ article: String) throws -> [String] {
        try text("docs/Waymark.docc/\(article).md").components(separatedBy: "```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    @Test func theSceneIsTheExample() throws {
        #expect(try blocks("json", "SceneFiles") == [text("Examples/hello.json")])
    }

    @Test func theLibrarysCodeIsTheExamples() throws {
        let code = try blocks("swift", "Library")
        #expect(code.count == 2)
        #expect(try text("docs/embedding.md").contains("```swift\n\(code[0])```"))
        #expect(try code.last == text("Examples/Embedding/Sources/Card/main.swift"))
    }

    @Test func theTestsCodeIsTheExamples() throws {
        let code = try blocks("swift", "Tests")
        #expect(code.count == 1)
        // The example also imports XCTest.
        let example = try text("Examples/Embedding/Tests/CardTests/CardTests.swift").replacingOccurrences(of: "import XCTest\n", with: "")
        #expect(code.allSatisfy(example.hasPrefix))
    }
}
