import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkText
import WaymarkTiles

/// The libraries for codecs, tiles and text, as reported by `doctor`.
struct LibrarySummary {
    let libraries = [JSONDocument.library, XMLLibrary.facts] + CodecLibraries.facts + [SQLiteLibrary.facts] + FontLibrary.libraries

    /// The missing libraries, except those already in the fonts' problems.
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
