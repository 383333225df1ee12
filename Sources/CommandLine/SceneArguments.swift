import ArgumentParser
import Foundation
import Waymark
import WaymarkSystem

/// The scene and the command line's changes to it, shared by all commands that read a scene.
struct SceneArguments: ParsableArguments {
    @Argument(help: "A scene, or a file of features (GeoJSON, GPX, CSV); - is standard input.", completion: .scene)
    var scene: String

    @OptionGroup(title: "Picture and camera") var view: ViewArguments

    @OptionGroup(title: "Files of the scene") var files: FileArguments

    var lenient: Bool { files.lenient }

    /// Reads the scene and sets its camera.
    /// - Parameter inputs: Records the files that the scene reads.
    func load(_ fonts: FontSource, noting inputs: InputRecord? = nil) throws(Failure) -> MapView {
        try loadFile(fonts, noting: inputs).mapView
    }

    /// Reads the scene with its events, and sets its camera.
    func loadFile(_ fonts: FontSource, noting inputs: InputRecord? = nil) throws(Failure) -> SceneFile {
        let change = try view.checkedChange()
        var options = try files.sceneOptions()
        options.inputs = inputs
        options.view = change
        options.readsBaseMap = view.baseMap.basemap.isEmpty
        let input = scene == "-" ? try Pipes.readInput(as: .scene) : []
        let file: SceneFile
        do throws(SceneError) {
            if scene == "-" {
                file = try SceneFile(bytes: input, name: name, options: options)
            } else {
                file = try SceneFile(contentsOf: scene, options: options)
            }
        } catch {
            if case .view(let error) = error { throw Failure(option: error) }
            var failure = Failure(error)
            // The message also identifies a file with an empty name.
            if scene.isEmpty { failure.message = "\(scene.quotedIfEmpty): \(failure.message)" }
            throw failure
        }
        try warn(file.warnings, scene: name, isLenient: lenient)
        let mapView = file.mapView
        mapView.fontSource = fonts
        if let layers = try view.baseMap.layers(noting: inputs) { mapView.baseMap = layers }
        try view.checkSize(mapView)
        try fitCamera(file)
        // The code after this relies on a valid picture size.
        do throws(PropertyError) { _ = try mapView.viewport() } catch { throw Failure(error, scene: name) }
        return file
    }

    /// The scene's name in messages.
    var name: String { scene == "-" ? "standard input" : scene }

    /// Runs code that lays out or draws the scene.
    func drawing<Result>(_ body: () throws(RenderError) -> Result) throws(Failure) -> Result {
        do throws(RenderError) { return try body() } catch { throw Failure(error, scene: name) }
    }

    /// The clause about the use of an input file.
    func use(of input: ReplacedInput) -> String { input.name == scene ? "is the scene" : "the scene reads" }

    /// Sets the fitted camera, if the file has no explicit one.
    func fitCamera(_ file: SceneFile) throws(Failure) {
        do throws(PropertyError) {
            if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        } catch {
            throw Failure(error, scene: name)
        }
    }
}
