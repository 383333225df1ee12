import ArgumentParser
import Waymark
import WaymarkSystem
import WaymarkTiles

/// What a command line changes of the settings of a scene: the picture's size, its background and its camera.
struct ViewArguments: ParsableArguments {
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

    /// Why padding is refused where nothing is fitted.
    static let nothingToPad = "--padding: nothing is fitted, because the camera's center or zoom is given; --fit fits it"

    @Option(parsing: .unconditional, help: "pt left free on every side when fitting. Default 32, or a quarter of a small picture.")
    var padding: Double?

    @Option(help: ArgumentHelp("What the picture is cleared to: CSS hex or name.", valueName: "COLOR"))
    var background: String?

    @Option(
        help: ArgumentHelp(
            "The base map instead of the scene's: a PMTiles or MBTiles file, or a folder of tiles; several times for several layers.",
            valueName: "SOURCE"))
    var basemap: [String] = []
}

extension ViewArguments {
    /// Checks the values; errors name the option.
    func check() throws(Failure) {
        if fit, center != nil || zoom != nil { throw Failure(.usage, "--fit finds --center and --zoom itself; leave them out") }
        _ = try backgroundColor()
        do throws(PropertyError) {
            if let zoom { try PropertyError.check(zoom, in: Camera.zoomRange, "--zoom") }
            if let tilt { try PropertyError.check(tilt, in: Camera.tiltRange, "--tilt") }
            if let center { try PropertyError.check(center.lat, in: Camera.centerLatitudeRange, "--center") }
            if let pixelRatio { try PropertyError.check(pixelRatio, in: Viewport.pixelRatioRange, "--pixel-ratio") }
            if let bearing, !bearing.isFinite { throw PropertyError(path: "--bearing", problem: "\(bearing) is not a finite number") }
            if let padding, !(padding >= 0 && padding.isFinite) {
                throw PropertyError(path: "--padding", problem: "\(plain(padding)) is not a length of 0 or more")
            }
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// Checks the size, if it is given, with the pixel ratio that the picture has.
    func checkSize(_ mapView: MapView) throws(Failure) {
        guard size != nil else { return }
        do throws(PropertyError) {
            _ = try Viewport(camera: Camera(), size: mapView.pointSize, pixelRatio: mapView.pixelRatio)
        } catch {
            throw Failure(
                .usage, error.path.hasPrefix("size.") ? "--size: the \(error.path.dropFirst(5)) of \(error.problem)" : error.description)
        }
    }

    /// The layers of the base map; nil to keep the scene's.
    /// - Parameter inputs: Notes the files.
    func baseMapLayers(noting inputs: InputRecord? = nil) throws(Failure) -> [BaseMapLayer]? {
        guard !basemap.isEmpty else { return nil }
        var layers: [BaseMapLayer] = []
        for path in basemap {
            inputs?.note(source: path)
            do throws(TileError) {
                layers.append(BaseMapLayer(source: try TileArchive.open(path), name: path))
            } catch {
                throw Failure(error.reason == .cannotRead ? .noInput : .badContent, "--basemap: \(error)")
            }
        }
        return layers
    }

    func backgroundColor() throws(Failure) -> Color? {
        guard let background else { return nil }
        guard let color = Color(css: background) else {
            throw Failure(.usage, "--background: \"\(background)\" is not a CSS color such as #3388ff80 or white")
        }
        return color
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
