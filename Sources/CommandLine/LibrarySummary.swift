import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkText
import WaymarkTiles

/// The libraries of codecs, tiles and text, as `doctor` reports them.
struct LibrarySummary {
    let libraries = [JSONDocument.library, XMLLibrary.facts] + CodecLibraries.facts + [SQLiteLibrary.facts] + FontLibrary.libraries

    /// What is missing, less what the fonts' problems say.
    let warnings: [String]

    init(besides fonts: FontSummary) {
        warnings = libraries.compactMap(\.problem).filter { problem in !fonts.problems.contains { $0.contains(problem) } }
    }

    var text: String {
        let lines = libraries.map { library in
            let name = "  " + library.name + String(repeating: " ", count: max(1, 15 - library.name.count))
            let state = library.problem == nil ? library.version.map { "\($0), " } ?? "" : "missing, "
            return name + state + library.purpose
        }
        return (["libraries"] + lines + warnings.map { "  warning        \($0)" }).joined(separator: "\n")
    }
}
