import ArgumentParser
import Foundation
import Waymark
import WaymarkSystem

/// The scene and what the command line changes of it, shared by all commands that read a scene.
struct SceneArguments: ParsableArguments {
    @Argument(help: "A scene or GeoJSON file; - is standard input.")
    var scene: String

    @Option(parsing: .unconditional, help: ArgumentHelp("The picture's size in pt.", valueName: "WxH"))
    var size: SizeArgument?

    @Option(parsing: .unconditional, help: "Device pixels for one pt, 0.5 to 8.")
    var pixelRatio: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The coordinate at the optical center, in degrees.", valueName: "LAT,LNG"))
    var center: CenterArgument?

    @Option(parsing: .unconditional, help: "0 to 24.")
    var zoom: Double?

    @Option(parsing: .unconditional, help: "Degrees clockwise from north that are up in the picture.")
    var bearing: Double?

    @Option(parsing: .unconditional, help: "Degrees from straight down, 0 to 80.")
    var tilt: Double?

    @Flag(help: "Show all overlays, whatever camera the scene has.")
    var fit = false

    @Option(parsing: .unconditional, help: "pt left free on every side when fitting. Default 32, or a quarter of a small picture.")
    var padding: Double?

    @Option(help: ArgumentHelp("What the picture is cleared to: CSS hex or name.", valueName: "COLOR"))
    var background: String?

    @Flag(help: "Draw what can be drawn when an image is missing or broken.")
    var lenient = false

    /// Reads the scene and sets its camera.
    /// - Parameter inputs: Notes the files that the scene reads.
    func load(_ fonts: FontSource, noting inputs: InputRecord? = nil) throws(Failure) -> MapView {
        let color = try backgroundColor()
        if fit, center != nil || zoom != nil { throw Failure(.usage, "--fit finds --center and --zoom itself; leave them out") }
        var options = SceneFileOptions()
        options.isLenient = lenient
        options.inputs = inputs
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
        if let size { mapView.size = CGSize(width: size.width, height: size.height) }
        if let pixelRatio { mapView.pixelRatio = pixelRatio }
        if let color { mapView.background = color }
        try placeCamera(mapView, file)
        return mapView
    }

    /// The scene's name in messages.
    var name: String { scene == "-" ? "standard input" : scene }

    private func backgroundColor() throws(Failure) -> Color? {
        guard let background else { return nil }
        guard let color = Color(css: background) else {
            throw Failure(.usage, "--background: \"\(background)\" is not a CSS color such as #3388ff80 or white")
        }
        return color
    }

    private func placeCamera(_ mapView: MapView, _ file: SceneFile) throws(Failure) {
        var camera = mapView.camera
        // Errors in options name the option.
        do throws(PropertyError) {
            if let zoom { try PropertyError.check(zoom, in: Camera.zoomRange, "--zoom") }
            if let tilt { try PropertyError.check(tilt, in: Camera.tiltRange, "--tilt") }
            if let center { try PropertyError.check(center.lat, in: Camera.centerLatitudeRange, "--center") }
            if let pixelRatio { try PropertyError.check(pixelRatio, in: Viewport.pixelRatioRange, "--pixel-ratio") }
            if let bearing, !bearing.isFinite { throw PropertyError(path: "--bearing", problem: "\(bearing) is not a finite number") }
            if let padding, !(padding >= 0 && padding.isFinite) {
                throw PropertyError(path: "--padding", problem: "\(plain(padding)) is not a length of 0 or more")
            }
            if size != nil { _ = try Viewport(camera: Camera(), size: mapView.pointSize, pixelRatio: mapView.pixelRatio) }
        } catch {
            throw Failure(.usage, error.description)
        }
        do throws(PropertyError) {
            if fit || file.fit != nil && center == nil && zoom == nil {
                var options = file.fit ?? FitOptions(bearing: camera.bearing, tilt: camera.tilt, contentInset: camera.contentInset)
                if let padding { options.padding = padding }
                if let bearing { options.bearing = bearing }
                if let tilt { options.tilt = tilt }
                camera = try mapView.camera(fitting: options)
            } else {
                if padding != nil {
                    throw PropertyError(
                        path: "--padding", problem: "there is nothing to fit: the scene has a camera, and no --fit is given")
                }
                if let request = file.fit, center == nil || zoom == nil {
                    // A center or a zoom alone replaces that half of the fitted camera.
                    camera = try mapView.camera(fitting: request)
                }
                if let center { camera.center = LatLng(lat: center.lat, lng: center.lng) }
                if let zoom { camera.zoom = zoom }
                if let bearing { camera.bearing = bearing }
                if let tilt { camera.tilt = tilt }
            }
        } catch {
            throw Failure(error, scene: name)
        }
        mapView.camera = camera
    }
}

/// `WxH` in pt.
struct SizeArgument: ExpressibleByArgument {
    var width: Double
    var height: Double

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]), width.isFinite, height.isFinite else {
            return nil
        }
        self.width = width
        self.height = height
    }
}

/// `LAT,LNG` in degrees.
struct CenterArgument: ExpressibleByArgument {
    var lat: Double
    var lng: Double

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let lat = Double(parts[0]), let lng = Double(parts[1]), lat.isFinite, lng.isFinite else { return nil }
        self.lat = lat
        self.lng = lng
    }
}
