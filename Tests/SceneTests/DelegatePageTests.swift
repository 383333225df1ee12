import Foundation
import Testing

/// Misspelled callbacks compile, so the page of events lists how they are declared.
@Suite struct DelegatePageTests {
    @Test func thePageListsEveryCallback() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func callbacks(_ path: String) throws -> [String] {
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            return text.components(separatedBy: "extension MapViewObserver")[0].split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("func mapView(") }
        }
        let declared = try callbacks("Sources/Scene/Map/MapViewDelegate.swift")
        #expect(try declared.count > 10 && callbacks("docs/events.md") == declared)
    }
}
