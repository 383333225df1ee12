import ArgumentParser
import Foundation
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// The settings of a scene that a command line changes: the picture's size, its background, its camera and its base map.
struct ViewArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: PictureOption.size.help("WxH"))
    var size: CGSize?

    @Option(parsing: .unconditional, help: PictureOption.pixelRatio.help())
    var pixelRatio: Double?

    @Option(parsing: .unconditional, help: PictureOption.center.help("LAT,LNG"))
    var center: LatLng?

    @Option(parsing: .unconditional, help: PictureOption.zoom.help())
    var zoom: Double?

    @Option(parsing: .unconditional, help: PictureOption.bearing.help())
    var bearing: Double?

    @Option(parsing: .unconditional, help: PictureOption.tilt.help())
    var tilt: Double?

    @Flag(help: PictureOption.fit.help())
    var fit = false

    @Option(parsing: .unconditional, help: PictureOption.padding.help())
    var padding: Double?

    @Option(help: PictureOption.background.help("COLOR"))
    var background: String?

    @OptionGroup var baseMap: BaseMapArguments
}

extension ViewArguments {
    /// The settings that replace the scene's.
    private func makeChange() throws(PropertyError) -> ViewChange {
        var change = ViewChange()
        change.size = size
        change.pixelRatio = pixelRatio
        if let background { try change.setBackground(css: background) }
        change.theme = try baseMap.mapTheme()
        change.center = center
        (change.zoom, change.bearing, change.tilt) = (zoom, bearing, tilt)
        (change.isFitted, change.padding) = (fit, padding)
        return change
    }

    /// The settings that replace the scene's, after checking their values. Errors name the option.
    @discardableResult
    func checkedChange() throws(Failure) -> ViewChange {
        let change: ViewChange
        do throws(PropertyError) {
            change = try makeChange()
            try change.check()
        } catch {
            throw Failure(option: error)
        }
        return change
    }

    /// Checks the size, if given, with the pixel ratio of the picture.
    func checkSize(_ mapView: MapView) throws(Failure) {
        guard size != nil else { return }
        do throws(PropertyError) {
            _ = try Viewport(camera: Camera(), size: mapView.pointSize, pixelRatio: mapView.pixelRatio)
        } catch {
            throw Failure(
                .usage, error.path.hasPrefix("size.") ? "--size: the \(error.path.dropFirst(5)) of \(error.problem)" : error.description)
        }
    }

    /// The merge patch that applies these options to a base scene, as JSON; nil without options.
    /// - Parameter base: The bytes and the name of the base scene; nil for the empty scene. Workers report an invalid scene.
    func patch(of base: (bytes: [UInt8], name: String, folder: String)?) throws(Failure) -> [UInt8]? {
        let view: [UInt8]?
        do throws(PropertyError) {
            view = try makeChange().patch { base.map { CameraForm(ofFile: $0.bytes, name: $0.name) } ?? CameraForm(of: nil) }
        } catch {
            throw Failure(option: error)
        }
        guard try baseMap.layers() != nil else { return view }
        let written = JSONWriter.object { writer in
            writer.key("basemap")
            writer.beginArray()
            for path in baseMap.basemap {
                writer.beginObject()
                // Paths in a scene are relative to it, but paths in options are relative to the working directory.
                writer.member("source", FileSystem.resolved(path) ?? path)
                writer.endObject()
            }
            writer.endArray()
        }
        guard let view else { return written }
        return view.dropLast() + [UInt8(ascii: ",")] + written.dropFirst()
    }
}

extension PictureOption {
    /// The help of the program's option.
    func help(_ valueName: String? = nil) -> ArgumentHelp { ArgumentHelp(text, valueName: valueName) }
}

/// Two finite numbers with a separator between them.
private func pair(_ text: String, separator: Character) -> (Double, Double)? {
    let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let first = numbers[0], let second = numbers[1], first.isFinite, second.isFinite else { return nil }
    return (first, second)
}

extension CGSize: @retroactive ExpressibleByArgument {
    /// `WxH` in pt.
    public init?(argument: String) {
        guard let (width, height) = pair(argument, separator: "x") else { return nil }
        self.init(width: width, height: height)
    }
}

extension CGPoint: @retroactive ExpressibleByArgument {
    /// `X,Y` in pt.
    public init?(argument: String) {
        guard let (x, y) = pair(argument, separator: ",") else { return nil }
        self.init(x: x, y: y)
    }
}

extension LatLng: ExpressibleByArgument {
    /// `LAT,LNG` in degrees.
    public init?(argument: String) {
        guard let (lat, lng) = pair(argument, separator: ",") else { return nil }
        self.init(lat: lat, lng: lng)
    }
}
