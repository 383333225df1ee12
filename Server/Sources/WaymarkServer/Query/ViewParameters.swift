import Foundation
import Waymark

/// The parameters that change the view of a scene, in the form of the program's options.
enum ViewParameters {
    static let size = Parameter(.size, example: "600x400")
    static let pixelRatio = Parameter(.pixelRatio)
    static let center = Parameter(.center, example: "37.5666,126.9784")
    static let zoom = Parameter(.zoom)
    static let bearing = Parameter(.bearing)
    static let tilt = Parameter(.tilt)
    static let fit = Parameter(.fit)
    static let padding = Parameter(.padding)
    static let background = Parameter(.background, example: "#f2efe9")

    static let theme = Parameter(.theme, example: "dark")

    static let all = [size, pixelRatio, center, zoom, bearing, tilt, fit, padding, background, theme]

    /// Reads them.
    static func view(_ query: Query) throws(ServerError) -> ViewChange {
        var view = ViewChange()
        if let size = try size.pair(in: query) {
            guard size.0 > 0, size.1 > 0 else { throw .parameter("size", "the width and the height must be more than 0") }
            view.size = CGSize(width: size.0, height: size.1)
        }
        view.pixelRatio = try pixelRatio.number(in: query)
        view.center = try center.pair(in: query).map { LatLng(lat: $0.0, lng: $0.1) }
        view.zoom = try zoom.number(in: query)
        view.bearing = try bearing.number(in: query)
        view.tilt = try tilt.number(in: query)
        view.isFitted = try fit.flag(in: query) ?? false
        view.padding = try padding.number(in: query)
        view.theme = try theme.choice(in: query).flatMap { MapTheme(rawValue: $0) }
        let color = try query.value(background.name)
        do throws(PropertyError) {
            if let color { try view.setBackground(css: color) }
            try view.check()
        } catch {
            throw .parameter(error.path, error.problem)
        }
        return view
    }
}
