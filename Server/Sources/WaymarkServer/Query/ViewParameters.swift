import Foundation
import Waymark

/// The parameters that change the view of a scene: those of the program's options.
enum ViewParameters {
    static let size = Parameter(
        "size", .pair(separator: "x", 0...65_535, 0...65_535), "The picture's size in pt, WIDTHxHEIGHT. Default: the scene's, or 512x512.",
        example: "600x400")
    static let pixelRatio = Parameter("pixelRatio", .number(Viewport.pixelRatioRange), "Device pixels for one pt.")
    static let center = Parameter(
        "center", .pair(separator: ",", Camera.centerLatitudeRange, Parameter.finite),
        "The coordinate at the optical center, LATITUDE,LONGITUDE in degrees.", example: "37.5666,126.9784")
    static let zoom = Parameter("zoom", .number(Camera.zoomRange), "The zoom of the camera.")
    static let bearing = Parameter("bearing", .number(Parameter.finite), "Degrees clockwise from north that are up in the picture.")
    static let tilt = Parameter("tilt", .number(Camera.tiltRange), "Degrees from straight down.")
    static let fit = Parameter("fit", .flag, "Whether all overlays are shown, whatever camera the scene has.")
    static let padding = Parameter(
        "padding", .number(0...65_535), "pt left free on every side when fitting. Default 32, or a quarter of a small picture.")
    static let background = Parameter("background", .text, "What the picture is cleared to: CSS hex or name.", example: "#f2efe9")

    static let all = [size, pixelRatio, center, zoom, bearing, tilt, fit, padding, background]

    /// Reads them.
    static func view(_ query: Query) throws(ServerError) -> ViewChange {
        var view = ViewChange()
        if let size = try size.pair(in: query) {
            guard size.0 > 0, size.1 > 0 else { throw .parameter("size", "a picture has a width and a height of more than 0") }
            view.size = CGSize(width: size.0, height: size.1)
        }
        view.pixelRatio = try pixelRatio.number(in: query)
        view.center = try center.pair(in: query).map { LatLng(lat: $0.0, lng: $0.1) }
        view.zoom = try zoom.number(in: query)
        view.bearing = try bearing.number(in: query)
        view.tilt = try tilt.number(in: query)
        view.isFitted = try fit.flag(in: query) ?? false
        view.padding = try padding.number(in: query)
        view.background = try background.value(in: query)
        if let color = view.background, Color(css: color) == nil {
            throw .parameter("background", "\(Parameter.shown(color)) is not a CSS color such as #3388ff80 or white")
        }
        if view.isFitted, view.center != nil || view.zoom != nil {
            throw .parameter("fit", "it finds center and zoom itself; leave them out")
        }
        if view.padding != nil, !view.isFitted, view.center != nil || view.zoom != nil { throw nothingToPad }
        return view
    }

    static let nothingToPad = ServerError.parameter(
        "padding", "nothing is fitted, because the camera's center or zoom is given; fit=true fits it")
}

extension Parameter {
    /// The text of a query.
    func value(in query: Query) throws(ServerError) -> String? { try query.value(name) }
}
