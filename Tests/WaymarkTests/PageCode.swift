import Foundation
import Testing

/// Checks that a test file contains all Swift code of a page, exactly as printed there, but for the indentation.
/// - Parameters:
///   - page: The path of the page in the repository.
///   - first: Code of the page that begins like this is not checked.
func expectCode(ofPage page: String, besides first: String? = nil, in file: String = #filePath) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(contentsOfFile: file, encoding: .utf8)
    let blocks = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8).components(separatedBy: "```swift\n")
        .dropFirst()
        .map { $0.components(separatedBy: "```")[0] }.filter { block in first.map { !block.hasPrefix($0) } ?? true }
    #expect(!blocks.isEmpty)
    for block in blocks {
        let indented = block.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "        \($0)" }
        #expect(source.contains(indented.joined(separator: "\n")), "\(page) has code that its test does not: \(block)")
    }
}
