import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// The camera with the highest zoom at which everything in `options.subject` lies in the free part of the picture, inside the content
    /// inset and the padding. The default subject is all visible overlays, with their icons and captions. The camera's bearing and tilt
    /// come from the options. The overlays' zoom ranges and collisions are ignored. The picture shows the shortest arc of longitudes that
    /// contains everything.
    ///
    /// If an overlay does not fit in the free part at any zoom, only its position is fitted. The position lies in the free part, the
    /// picture shows as much of the overlay as possible, and a warning of the next frame names the overlay. If there is nothing to show,
    /// the camera is at zoom 0 and (0, 0), and a warning of the next frame reports this.
    /// - Throws: `PropertyError` if a value of the options, the size or the pixel ratio is out of range, or if an id is unknown.
    public func camera(fitting options: FitOptions = FitOptions()) throws(PropertyError) -> Camera {
        let search = try FitSearch(options, size: pointSize, pixelRatio: pixelRatio)
        if let camera = options.givenCamera { return camera }
        return report(
            try search.fit(
                Composer.of(self).extent(of: self, options.subject, withInfoWindow: options.includeInfoWindow, pixelRatio: pixelRatio)))
    }

    /// The camera that shows the given overlays of this map, regardless of `isFitted`. A container stands for its contents.
    /// - Parameter options: The options for fitting; their subject is ignored.
    /// - Throws: The same errors as `camera(fitting:)`, and `PropertyError` for an overlay that is not on this map or is in a cluster
    ///   layer.
    public func camera(fitting overlays: [Overlay], options: FitOptions = FitOptions()) throws(PropertyError) -> Camera {
        for (index, overlay) in overlays.enumerated() where overlay.mapView !== self {
            throw PropertyError(path: "camera.fit[\(index)]", problem: "\(overlay.label) is not on this map")
        }
        for (index, overlay) in overlays.enumerated() {
            guard let layer = (overlay as? Marker)?.clusterLayer else { continue }
            throw PropertyError(
                path: "camera.fit[\(index)]", problem: "\(overlay.label) is in \(layer.label); fit the layer, or the marker's position")
        }
        let search = try FitSearch(options, size: pointSize, pixelRatio: pixelRatio)
        let slots = Set(overlays.map(\.slot))
        return report(
            try search.fit(
                Composer.of(self).extent(
                    of: self, overlays: slots, withInfoWindow: options.includeInfoWindow, pixelRatio: pixelRatio)))
    }

    /// The camera that shows a box of latitudes and longitudes; see `FitSubject.bounds`.
    /// - Parameter options: The options for fitting; their subject is ignored.
    /// - Throws: The same errors as `camera(fitting:)`.
    public func camera(fitting bounds: LatLngBounds, options: FitOptions = FitOptions()) throws(PropertyError) -> Camera {
        var options = options
        options.subject = .bounds(bounds)
        return try camera(fitting: options)
    }

    private func report(_ fit: (camera: Camera, warning: FitWarning?)) -> Camera {
        if let warning = fit.warning { report(Diagnostic(path: "camera.fit", message: message(warning))) }
        return fit.camera
    }

    private func message(_ warning: FitWarning) -> String {
        switch warning {
        case .nothing: return "there is nothing to fit; the zoom defaults to 0, and the center to (0, 0)"
        case .isNotAll: return "the overlays do not fit into the picture at any zoom"
        case .arePositions:
            return "the overlays do not fit inside the padding at any zoom; all positions are shown, but icons and captions may be cut off"
        case .isOversized(let first, let others, let width, let height):
            let size = "\(fixed(first.width, 0)) × \(fixed(first.height, 0)) pt"
            let more = others == 0 ? "" : others == 1 ? ", and so is 1 other" : ", and so are \(others) others"
            return
                "\(label(first.owner)) is larger (\(size)) than the \(fixed(width, 0)) × \(fixed(height, 0)) pt inside the padding\(more); "
                + "all positions are shown, but icons and captions may be cut off"
        }
    }

    private func label(_ owner: OversizedItem.Owner) -> String {
        switch owner {
        case .overlay(let slot): store.slots[Int(slot)]?.label ?? "an overlay"
        case .viewOverlay(let id): id.map { "the view overlay \"\($0)\"" } ?? "a view overlay"
        case .infoWindow: "the info window"
        case .clustered: "a marker of a cluster layer"
        }
    }
}
