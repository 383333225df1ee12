import WaymarkSystem

/// The files that a scene may read besides itself: images, sources of features, models and what these name in turn.
public enum ResourcePolicy: Equatable, Sendable {
    /// None: the scene has everything in it.
    case none
    /// Files in a folder and its subfolders, after resolving links.
    case folder(String)
    /// Any file that the process may read.
    case any
}

extension ResourcePolicy {
    /// Whether the policy allows reading a file, after resolving links and dots. What does not exist is in no folder, so that a scene cannot
    /// find out what there is outside.
    func allows(_ path: String) -> Bool {
        switch self {
        case .none: return false
        case .any: return true
        case .folder(let folder):
            guard let file = FileSystem.resolved(path), let top = FileSystem.resolved(folder) else { return false }
            return file.hasPrefix(top == "/" ? "/" : top + "/")
        }
    }
}

extension SceneFileOptions {
    /// The path of a file that a scene names, relative to the working directory; nil when the scene may not read it. Everything that a scene
    /// names goes through here before it is opened.
    /// - Parameter folder: What relative names refer to, ending in `/`; empty for the working directory.
    package func path(of name: String, in folder: String) -> String? {
        let path = name.hasPrefix("/") ? name : folder + name
        return resources.allows(path) ? path : nil
    }

    /// The sentence about a file that a scene may not read.
    package static func refusal(of name: String) -> String { "this scene may not read \(name)" }
}
