import Waymark
import WaymarkText

/// The fonts of captions, as reported by `doctor`.
struct FontSummary: Encodable {
    /// `system`, or the folder.
    let source: String
    /// The versions of FreeType, HarfBuzz and ICU.
    var versions: String?
    /// The number of font files found.
    var files = 0
    var families: [Family] = []
    /// The problems, and the packages to install.
    var problems: [String] = []

    struct Family: Encodable {
        let name: String
        let scripts: [String]
        let regular: String
        let bold: String?
    }

    /// The Debian packages that are missing.
    private(set) var missingPackages: [String] = []
    /// The reason why no caption can be drawn.
    private(set) var failure: FontError?

    private enum CodingKeys: CodingKey {
        case source, versions, files, families, problems
    }

    init(_ source: FontSource) {
        switch source {
        case .system: self.source = "system"
        case .folder(let path): self.source = path
        }
        do throws(FontError) {
            let library = try FontLibrary.of(source)
            read(library.report)
            problems += library.warnings
        } catch {
            failure = error
            problems = [error.description]
            if case .system = source { missingPackages = NotoFonts.packages }
        }
    }

    private mutating func read(_ report: FontReport) {
        versions = report.versions
        files = report.fileCount
        families = report.families.compactMap { family in
            family.regularFile.map { Family(name: family.name, scripts: family.scripts, regular: $0, bold: family.boldFile) }
        }
        missingPackages = report.missingPackages
        if !report.missingPackages.isEmpty {
            problems.append("install \(report.missingPackages.joined(separator: " ")) for captions in every script")
        }
        if !report.incompletePackages.isEmpty {
            let these = report.incompletePackages.count == 1 ? "this package" : "these packages"
            problems.append("\(report.incompletePackages.joined(separator: " ")): some fonts from \(these) are missing")
        }
        let uncovered = report.uncoveredScripts
        if !uncovered.isEmpty { problems.append("characters of these scripts are drawn as boxes: \(uncovered.joined(separator: ", "))") }
    }

    var text: String {
        var lines = ["fonts", "  source         \(source), \(files) \(files == 1 ? "file" : "files")"]
        if let versions { lines.append("  drawn with     \(versions)") }
        let scripts = FontReport.distinct(families.flatMap(\.scripts))
        if !scripts.isEmpty { lines.append("  scripts        \(scripts.joined(separator: ", "))") }
        lines += problems.map { "  problem        \($0)" }
        return lines.joined(separator: "\n")
    }
}
