import WaymarkSystem

/// The files that a scene may read besides itself: images, sources of features, models, and the files that these name.
public enum ResourcePolicy: Equatable, Sendable {
    /// No files: the scene contains everything.
    case none
    /// Files in a folder and its subfolders, after resolving links.
    case folder(String)
    /// Files in named folders and their subfolders, after resolving links. A scene writes `NAME/icons/shop.png`, and cannot find out the
    /// location of the folder or the files outside. A name is one component of a path. Paths in a scene are then relative only to these
    /// folders, and absolute paths are refused.
    case folders([String: String])
    /// Any file that the process may read.
    case any
}

extension ResourcePolicy {
    /// Whether the policy allows reading a file, after resolving links and dots. A missing file counts as outside, so that a scene cannot
    /// find out which files exist outside.
    func allows(_ path: String) -> Bool {
        switch self {
        case .none: return false
        case .any: return true
        case .folder(let folder): return Self.isFile(path, in: folder)
        // Paths begin with the name of a folder, which `path(of:)` replaces.
        case .folders: return false
        }
    }

    private static func isFile(_ path: String, in folder: String) -> Bool {
        guard let file = FileSystem.resolved(path), let top = FileSystem.resolved(folder) else { return false }
        return file.hasPrefix(top == "/" ? "/" : top + "/")
    }

    /// The path of a file in one of the named folders; nil if it is in none of them, after resolving links and dots.
    fileprivate static func path(of name: String, in folders: [String: String]) -> String? {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let folder = folders[String(parts[0])] else { return nil }
        let path = (folder.hasSuffix("/") ? folder : folder + "/") + parts[1]
        return isFile(path, in: folder) ? path : nil
    }

    /// Whether a text can be the name of a folder: one component of a path, without dots that lead out of it.
    public static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains {
                $0 == "/" || $0 == "\\" || $0 == "=" || $0 == ":" || $0.properties.generalCategory == .control
            }
    }
}

extension SceneFileOptions {
    /// The path of a file that a scene names, relative to the working directory. Nil when the scene may not read it, or when the text
    /// cannot be a file name. Every name in a scene passes through here before the file is opened.
    /// - Parameter folder: The folder for relative names, ending in `/`; empty for the working directory.
    package func path(of name: String, in folder: String) -> String? {
        // C would cut a name at a zero, and a `data:` URI is content.
        if name.holdsZero || name.hasPrefix("data:") { return nil }
        if case .folders(let folders) = resources { return ResourcePolicy.path(of: name, in: folders) }
        let path = name.hasPrefix("/") ? name : folder + name
        return resources.allows(path) ? path : nil
    }

    /// The name of a scene's file in messages: its path, unless the scene may not know it.
    func shownPath(of name: String, in folder: String) -> String {
        if case .folders = resources { return name }
        return name.hasPrefix("/") ? name : folder + name
    }

    /// The reason why a name has no path, as a sentence.
    package static func refusal(of name: String) -> String {
        if name.holdsZero { return "\(name.quotedBriefly) contains U+0000, which file names cannot" }
        if name.hasPrefix("data:") {
            return "\(name.shortened(to: 60)) is not a file name; only images and the buffers of models can be data: URIs"
        }
        return "this scene may not read \(name)"
    }
}
