import WaymarkSystem

/// The files that a scene may read in addition to the scene file: images, feature files, models, and the files to which these files refer.
public enum ResourcePolicy: Equatable, Sendable {
    /// The scene may read no files, and must contain everything itself.
    case none
    /// The scene may read files in a folder and its subfolders. Symbolic links are resolved before this is checked.
    case folder(String)
    /// The scene may read files in named folders and their subfolders. The dictionary maps the name of each folder to its path. Symbolic
    /// links are resolved before access is checked. A scene refers to a file as, for example, `NAME/icons/shop.png`, and cannot find out
    /// where the folder is or which files exist outside it. Every relative path in the scene must begin with such a name, and absolute
    /// paths are refused.
    case folders([String: String])
    /// The scene may read any file that the process may read.
    case any
}

extension ResourcePolicy {
    /// Whether the policy allows a file to be read, after links and dots are resolved. A missing file counts as outside, so that a scene
    /// cannot find out which files exist there.
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

    /// Whether a string can be the name of a folder in `folders`. The name must not be empty, `.` or `..`, and must not contain `/`, `\`,
    /// `=`, `:` or control characters.
    public static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains {
                $0 == "/" || $0 == "\\" || $0 == "=" || $0 == ":" || $0.properties.generalCategory == .control
            }
    }
}

extension SceneFileOptions {
    /// The path, relative to the working directory, of a file to which a scene refers. Nil if the scene may not read the file, or if the
    /// string cannot be a file name. Every file name in a scene is checked here before the file is opened.
    /// - Parameter folder: The folder to which relative names refer, ending in `/`; empty for the working directory.
    package func path(of name: String, in folder: String) -> String? {
        // C would cut a name at a zero, and a `data:` URI is content.
        if name.holdsZero || name.hasPrefix("data:") { return nil }
        if case .folders(let folders) = resources { return ResourcePolicy.path(of: name, in: folders) }
        let path = name.hasPrefix("/") ? name : folder + name
        return resources.allows(path) ? path : nil
    }

    /// The name that messages give to a file of a scene: its path, unless the scene must not learn it.
    func shownPath(of name: String, in folder: String) -> String {
        if case .folders = resources { return name }
        return name.hasPrefix("/") ? name : folder + name
    }

    /// A sentence that explains why a name has no path.
    package static func refusal(of name: String) -> String {
        if name.holdsZero { return "\(name.quotedBriefly) contains U+0000, which file names cannot contain" }
        if name.hasPrefix("data:") {
            return "\(name.shortened(to: 60)) is not a file name; only images and the buffers of models can be data: URIs"
        }
        return "this scene is not allowed to read \(name)"
    }
}
