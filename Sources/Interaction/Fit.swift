import Foundation
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

extension MapView {
    /// The camera that shows all visible overlays inside the padding, their icon boxes included, as near as it can at the
    /// bearing and tilt asked for; zoom ranges and collisions are ignored. Longitudes go the shortest way round.
    ///
    /// Without anything to show it is zoom 0 at (0, 0), and the next frame warns.
    /// - Throws: What is out of range: the options, the size, the pixel ratio.
    public func camera(fitting options: FitOptions = FitOptions()) throws(RangeError) -> Camera {
        try options.validate()
        let whole = Camera(
            center: LatLng(lat: 0, lng: 0), zoom: 0, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
        let size = PointSize(width: size.width, height: size.height)
        // Throws for whatever is out of range, before anything is searched.
        let viewport = try Viewport(camera: whole, size: size, pixelRatio: pixelRatio)
        let inset = options.contentInset
        let free = ScreenBox(
            left: inset.left + options.padding, top: inset.top + options.padding,
            right: size.width - inset.right - options.padding, bottom: size.height - inset.bottom - options.padding)
        guard free.width > 0, free.height > 0 else {
            throw RangeError(
                path: "camera.padding", problem: "\(plain(options.padding)) pt on every side leave nothing of the picture free")
        }
        guard let extent = Composer.of(self).extent(of: self, pixelRatio: viewport.pixelRatio) else {
            pendingDiagnostics.append(
                Diagnostic(path: "camera.fit", message: "there is nothing to fit; the camera is at zoom 0 and (0, 0)"))
            return whole
        }
        var search = FitSearch(extent: extent, options: options, size: size, pixelRatio: pixelRatio, free: free)
        return try search.camera()
    }
}

/// Looks for the highest zoom at which everything is inside the free box, and the centre that puts it there.
private struct FitSearch {
    let extent: PlacedExtent
    let options: FitOptions
    let size: PointSize
    let pixelRatio: Double
    let free: ScreenBox

    mutating func camera() throws(RangeError) -> Camera {
        // The box of everything grows with the zoom, so halving finds the last zoom that fits.
        if let fitting = try centred(zoom: options.maxZoom), fits(fitting.box) { return fitting.camera }
        var low = 0.0
        var best = try centred(zoom: 0)?.camera
        var high = options.maxZoom
        while high - low > 1e-7 {
            let middle = (low + high) / 2
            if let fitting = try centred(zoom: middle), fits(fitting.box) {
                low = middle
                best = fitting.camera
            } else {
                high = middle
            }
        }
        return best ?? camera(zoom: 0, x: extent.centerX, y: extent.centerY)
    }

    private func fits(_ box: ScreenBox) -> Bool {
        box.width <= free.width + 1e-6 && box.height <= free.height + 1e-6
    }

    private func camera(zoom: Double, x: Double, y: Double) -> Camera {
        Camera(
            center: LatLng(
                lat: WebMercator.latitude(fromY: min(max(y, 0), 1)).clampedToMap, lng: WebMercator.longitude(fromX: WebMercator.wrap(x))),
            zoom: zoom, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
    }

    /// The camera of a zoom at which the middle of everything's box is the middle of the free box; nil when something is
    /// behind every camera tried.
    private func centred(zoom: Double) throws(RangeError) -> (camera: Camera, box: ScreenBox)? {
        var (x, y) = (extent.centerX, extent.centerY)
        var found: (camera: Camera, box: ScreenBox)?
        for _ in 0..<40 {
            let camera = camera(zoom: zoom, x: x, y: y)
            let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
            guard let box = extent.box(in: viewport, centerX: x) else { return found }
            found = (camera, box)
            let error = (x: box.middleX - free.middleX, y: box.middleY - free.middleY)
            guard abs(error.x) > 1e-4 || abs(error.y) > 1e-4 else { break }
            // The ground that should come to the optical centre.
            guard
                let shift = viewport.groundOffset(at: CGPoint(x: viewport.opticalX + error.x, y: viewport.opticalY + error.y))
            else { return found }
            x += shift.x / viewport.worldSize
            y = min(max(y + shift.y / viewport.worldSize, 0), 1)
        }
        return found
    }
}

extension Double {
    /// Latitudes of a centre end with the map.
    fileprivate var clampedToMap: Double {
        Swift.min(Swift.max(self, -WebMercator.maxLatitude), WebMercator.maxLatitude)
    }
}
