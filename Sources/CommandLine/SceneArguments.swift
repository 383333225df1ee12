import ArgumentParser
import Foundation
import Waymark
import WaymarkSystem

/// The scene and what the command line changes of it, shared by all commands that read a scene.
struct SceneArguments: ParsableArguments {
    @Argument(help: "A scene or GeoJSON file; - is standard input.")
    var scene: String

    @OptionGroup var view: ViewArguments

    @OptionGroup var files: FileArguments

    var lenient: Bool { files.lenient }

    /// Reads the scene and sets its camera.
    /// - Parameter inputs: Notes the files that the scene reads.
    func load(_ fonts: FontSource, noting inputs: InputRecord? = nil) throws(Failure) -> MapView {
        try loadFile(fonts, noting: inputs).mapView
    }

    /// Reads the scene with its events, and sets its camera.
    func loadFile(_ fonts: FontSource, noting inputs: InputRecord? = nil) throws(Failure) -> SceneFile {
        try view.check()
        var options = try files.sceneOptions()
        options.inputs = inputs
        options.readsBaseMap = view.basemap.isEmpty
        let input = scene == "-" ? try Pipes.readInput(as: .scene) : []
        let file: SceneFile
        do throws(SceneError) {
            if scene == "-" {
                file = try SceneFile(bytes: input, name: name, options: options)
            } else {
                file = try SceneFile(contentsOf: scene, options: options)
            }
        } catch {
            throw Failure(error)
        }
        try warn(file.warnings, scene: name, isLenient: lenient)
        let mapView = file.mapView
        mapView.fontSource = fonts
        if let size = view.size { mapView.size = CGSize(width: size.width, height: size.height) }
        if let pixelRatio = view.pixelRatio { mapView.pixelRatio = pixelRatio }
        if let color = try view.backgroundColor() { mapView.background = color }
        if let layers = try view.baseMapLayers(noting: inputs) { mapView.baseMap = layers }
        try view.checkSize(mapView)
        try placeCamera(mapView, file)
        return file
    }

    /// The scene's name in messages.
    var name: String { scene == "-" ? "standard input" : scene }

    /// Sets the camera that the file and the options say.
    func placeCamera(_ mapView: MapView, _ file: SceneFile) throws(Failure) {
        var camera = mapView.camera
        let isFitted = view.fit || file.fit != nil && view.center == nil && view.zoom == nil
        if view.padding != nil, !isFitted { throw Failure(.usage, ViewArguments.nothingToPad) }
        do throws(PropertyError) {
            if isFitted {
                var options = file.fit ?? FitOptions(bearing: camera.bearing, tilt: camera.tilt, contentInset: camera.contentInset)
                if let padding = view.padding { options.padding = padding }
                if let bearing = view.bearing { options.bearing = bearing }
                if let tilt = view.tilt { options.tilt = tilt }
                camera = try mapView.camera(fitting: options)
            } else {
                if let request = file.fit, view.center == nil || view.zoom == nil {
                    // A center or a zoom alone replaces that half of the fitted camera.
                    camera = try mapView.camera(fitting: request)
                }
                if let center = view.center { camera.center = LatLng(lat: center.lat, lng: center.lng) }
                if let zoom = view.zoom { camera.zoom = zoom }
                if let bearing = view.bearing { camera.bearing = bearing }
                if let tilt = view.tilt { camera.tilt = tilt }
            }
        } catch {
            throw Failure(error, scene: name)
        }
        mapView.camera = camera
    }
}
