import ArgumentParser
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// The files that scenes may read, for all commands that read a scene.
struct FileArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The files that a scene may read besides itself: none, any, or those in a folder and its subfolders. Default: any.",
            valueName: "none|FOLDER|any"))
    var allowFiles: String?

    @Flag(help: "Draw what can be drawn when an image is missing or broken.")
    var lenient = false

    /// The options of scenes.
    func sceneOptions() throws(Failure) -> SceneFileOptions {
        var options = SceneFileOptions()
        options.isLenient = lenient
        switch allowFiles {
        case nil, "any": break
        case "none": options.resources = .none
        case let folder?:
            guard (try? FileStatus(folder))?.form == .folder else {
                throw Failure(.noInput, "--allow-files: \(folder.quotedBriefly) is neither none, nor any, nor a folder")
            }
            options.resources = .folder(folder)
        }
        return options
    }
}
