import Foundation
import WaymarkSystem

/// Finds image files by name: in the given folders, then among the program's resources.
package struct ImageFinder: Equatable, Sendable {
    private let folders: [String]
    private let resourceFolders: [String]
    private let pixelRatio: Double

    package init(folders: [String], resourceFolders: [String] = Self.programResources, pixelRatio: Double) {
        self.folders = folders
        self.resourceFolders = resourceFolders
        self.pixelRatio = pixelRatio
    }

    /// The main bundle's folder, then the resource bundles that SwiftPM places next to the program.
    package static let programResources: [String] = {
        // Foundation finds the main bundle through this link, and crashes without it.
        guard FileSystem.resolved("/proc/self/exe") != nil else { return [] }
        guard let main = Bundle.main.resourcePath else { return [] }
        let names = (try? FileSystem.names(in: main)) ?? []
        return [main] + names.filter { $0.hasSuffix(".resources") }.map { "\(main)/\($0)" }
    }()

    /// The path of the file with the given name, or nil. The first folder with any of the candidate files wins.
    package func path(of name: String) -> String? {
        path(of: name, in: folders) ?? path(of: name, in: resourceFolders)
    }

    /// The path of the file with the given name in the first of the folders that has one.
    package func path(of name: String, in folders: [String]) -> String? {
        let names = candidates(name)
        for folder in folders {
            for candidate in names {
                let path = folder.hasSuffix("/") ? folder + candidate : "\(folder)/\(candidate)"
                if FileSystem.isFile(path) { return path }
            }
        }
        return nil
    }

    /// The file names to try for a name, best match for the pixel ratio first.
    private func candidates(_ name: String) -> [String] {
        var (stem, endings) = (name, Self.extensions)
        if let dot = name.lastIndex(of: ".") {
            let ending = String(name[name.index(after: dot)...])
            if Self.extensions.contains(ending.lowercased()) { (stem, endings) = (String(name[..<dot]), [ending]) }
        }
        let wanted = max(1, Int(pixelRatio.rounded(.up)))
        // The wanted scale first, then larger ones, which lose no detail, then smaller ones.
        let scales = [wanted] + (1...4).filter { $0 > wanted } + (1...4).filter { $0 < wanted }.reversed()
        return scales.flatMap { scale in
            endings.map { "\(stem)\(scale == 1 ? "" : "@\(scale)x").\($0)" }
        }
    }

    private static let extensions = ["png", "svg", "webp", "jpg", "jpeg", "bmp"]
}
