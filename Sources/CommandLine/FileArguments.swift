import ArgumentParser
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

extension NameSpecification {
    /// `-o FILE`, `-oFILE` or `--output FILE`.
    static let output: NameSpecification = [.customShort("o", allowingJoined: true), .customLong("output")]
}

extension CompletionKind {
    /// Files that may be scenes.
    static let scene = CompletionKind.file(extensions: SceneFile.fileExtensions + ["gz"])
}

/// How scenes and the files that they name are read, for all commands that read a scene.
struct FileArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The files that a scene may read: none, any, or only files in FOLDER and its subfolders. Default: any.",
            valueName: "none|FOLDER|any"), completion: .custom { _, _, start in Self.completions(ofAllowedFiles: start) })
    var allowFiles: String?

    @Flag(help: "If an image is missing or broken, draw the rest of the scene.")
    var lenient = false

    @Flag(help: "Group the points of a file of features into clusters.")
    var cluster = false

    /// The fixed words and the folders that begin with a text.
    private static func completions(ofAllowedFiles start: String) -> [String] {
        let folder = start.lastIndex(of: "/").map { String(start[...$0]) } ?? ""
        let names = (try? FileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
        let folders = names.map { folder + $0 }.filter { (try? FileStatus($0))?.form == .folder }
        return (["none", "any"] + folders).filter { $0.hasPrefix(start) }
    }

    /// The options of scenes.
    func sceneOptions() throws(Failure) -> SceneFileOptions {
        var options = SceneFileOptions()
        options.isLenient = lenient
        options.clustersPoints = cluster
        switch allowFiles {
        case nil, "any": break
        case "none": options.resources = .none
        case let folder?:
            guard (try? FileStatus(folder))?.form == .folder else {
                throw Failure(.noInput, "--allow-files: \(folder.quotedBriefly) is not an existing folder, and not the word none or any")
            }
            options.resources = .folder(folder)
        }
        return options
    }
}
