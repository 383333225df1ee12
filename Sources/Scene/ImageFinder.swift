import Foundation
import WaymarkSystem

/// Finds images by name: in folders, then beside the program's resources.
package struct ImageFinder: Equatable, Sendable {
    private let folders: [String]
    private let pixelRatio: Double

    package init(folders: [String], pixelRatio: Double) {
        self.folders = folders
        self.pixelRatio = pixelRatio
    }

    /// The file of a name; nil when there is none. The first folder that has any of the names wins.
    package func path(of name: String) -> String? {
        let names = candidates(name)
        for folder in folders + [Bundle.main.resourcePath].compactMap({ $0 }) {
            for candidate in names {
                let path = folder.hasSuffix("/") ? folder + candidate : "\(folder)/\(candidate)"
                if FileSystem.isFile(path) { return path }
            }
        }
        return nil
    }

    /// File names that a name may stand for, the sharpest that the pixel ratio asks for first.
    private func candidates(_ name: String) -> [String] {
        let dot = name.lastIndex(of: ".")
        let ending = dot.map { String(name[name.index(after: $0)...]).lowercased() }
        let hasExtension = ending.map(Self.extensions.contains) ?? false
        let stem = hasExtension ? dot.map { String(name[..<$0]) } ?? name : name
        let endings = hasExtension ? dot.map { [String(name[name.index(after: $0)...])] } ?? [] : Self.extensions
        let wanted = max(1, Int(pixelRatio.rounded(.up)))
        // The scale asked for, then larger ones, which lose nothing, then smaller ones.
        let scales = [wanted] + (1...4).filter { $0 > wanted } + (1...4).filter { $0 < wanted }.reversed()
        return scales.flatMap { scale in
            endings.map { "\(stem)\(scale == 1 ? "" : "@\(scale)x").\($0)" }
        }
    }

    private static let extensions = ["png", "svg", "webp", "jpg", "jpeg", "bmp"]
}
