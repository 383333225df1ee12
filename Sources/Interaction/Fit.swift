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
    public func camera(fitting options: FitOptions = FitOptions()) throws(PropertyError) -> Camera {
        let search = try FitSearch(options, size: PointSize(width: size.width, height: size.height), pixelRatio: pixelRatio)
        let fit = try search.fit(Composer.of(self).extent(of: self, pixelRatio: pixelRatio))
        if let warning = fit.warning { journal.report(Diagnostic(path: "camera.fit", message: warning)) }
        return fit.camera
    }
}

extension Placement {
    /// The camera that shows everything that was visible on the map when it was placed, in a picture of the same size:
    /// `MapView.camera(fitting:)` of that moment.
    /// - Throws: The option that is out of range.
    package func camera(fitting options: FitOptions = FitOptions()) throws(PropertyError) -> Camera {
        try FitSearch(options, size: viewport.size, pixelRatio: viewport.pixelRatio).fit(extent).camera
    }
}

/// Looks for the highest zoom at which everything is inside the free box, and the centre that puts it there.
private struct FitSearch {
    private let options: FitOptions
    private let size: PointSize
    private let pixelRatio: Double
    /// The part of the picture inside the content inset and the padding.
    private let free: ScreenBox
    /// The camera when there is nothing to fit.
    private let whole: Camera

    /// - Throws: What is out of range, before anything is searched.
    init(_ options: FitOptions, size: PointSize, pixelRatio: Double) throws(PropertyError) {
        try options.validate()
        whole = Camera(
            center: LatLng(lat: 0, lng: 0), zoom: 0, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
        _ = try Viewport(camera: whole, size: size, pixelRatio: pixelRatio)
        let (inset, padding) = (options.contentInset, options.padding(in: size))
        free = ScreenBox(
            left: inset.left + padding, top: inset.top + padding, right: size.width - inset.right - padding,
            bottom: size.height - inset.bottom - padding)
        guard free.width > 0, free.height > 0 else {
            throw PropertyError(path: "camera.padding", problem: "\(plain(padding)) pt on every side leave nothing of the picture free")
        }
        (self.options, self.size, self.pixelRatio) = (options, size, pixelRatio)
    }

    /// The camera that shows an extent, and a warning when it does not show all of it.
    func fit(_ visible: Extent?) throws(PropertyError) -> (camera: Camera, warning: String?) {
        guard var extent = visible else { return (whole, "there is nothing to fit; the camera is at zoom 0 and (0, 0)") }
        if let camera = try wholeCamera(&extent) { return (camera, nil) }
        return (try nearest(&extent, zoom: 0), "not everything is in the picture: no zoom of 0 or more shows it all")
    }

    /// Zoom levels from one to the next while looking for one that fits.
    private static let stride = 0.5
    /// In pt: how well the box is centred, and how far it may reach over the free box: layout stands on a grid of 1/1024 px.
    private static let tolerance = 2e-3

    /// The camera that shows everything; nil when no zoom does.
    ///
    /// It is looked for by what is outermost as far as is known. What reaches farther in front of the camera found is taken in,
    /// and the search made again: that is few times, and everything is looked at once each time and not at every step.
    private func wholeCamera(_ extent: inout Extent) throws(PropertyError) -> Camera? {
        while true {
            guard let camera = try camera(extent) else { return nil }
            guard try takeIn(camera, &extent) else { return camera }
        }
    }

    /// Takes in what reaches farther in front of a camera than what is known to be outermost. Gives whether anything does.
    private func takeIn(_ camera: Camera, _ extent: inout Extent) throws(PropertyError) -> Bool {
        let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
        // The copy of the world that the search was on.
        let centerX = viewport.centerX + (extent.centerX - viewport.centerX).rounded()
        return extent.extend(in: viewport, centerX: centerX)
    }

    /// nil when no zoom shows everything that is known to be outermost.
    private func camera(_ extent: Extent) throws(PropertyError) -> Camera? {
        // On a tilted map what is far grows with the zoom while it comes nearer, so whether it fits need not change only
        // once: the highest zoom that fits is found from above, and then refined.
        var zoom = options.maxZoom
        var tooHigh: Double?
        var best: Camera?
        while best == nil, zoom >= 0 {
            best = try fitting(extent, zoom: zoom)
            if best == nil {
                if zoom == 0 { return nil }
                tooHigh = zoom
                zoom = max(0, zoom - Self.stride)
            }
        }
        guard var high = tooHigh else { return best }
        var low = zoom
        while high - low > 1e-7 {
            let middle = (low + high) / 2
            if let camera = try fitting(extent, zoom: middle) {
                low = middle
                best = camera
            } else {
                high = middle
            }
        }
        return best
    }

    /// A camera, the box of everything in front of it, and how far in pt their middle is from where it should be.
    private struct Fitting {
        var camera: Camera
        var box: ScreenBox
        var error: Double
    }

    /// The camera of a zoom that shows everything, if there is one.
    private func fitting(_ extent: Extent, zoom: Double) throws(PropertyError) -> Camera? {
        guard let found = try centered(extent, zoom: zoom), found.error <= Self.tolerance else { return nil }
        let fits = found.box.width <= free.width + Self.tolerance && found.box.height <= free.height + Self.tolerance
        return fits ? found.camera : nil
    }

    /// The camera of a zoom that comes nearest to showing everything, when no zoom does.
    private func nearest(_ extent: inout Extent, zoom: Double) throws(PropertyError) -> Camera {
        while true {
            let camera = try centered(extent, zoom: zoom)?.camera ?? camera(zoom: zoom, x: extent.centerX, y: extent.centerY)
            guard try takeIn(camera, &extent) else { return camera }
        }
    }

    /// The camera of a zoom at which the middle of everything's box is the middle of the free box, or as near to it as can
    /// be; nil when something is behind the camera or beyond the far limit.
    private func centered(_ extent: Extent, zoom: Double) throws(PropertyError) -> Fitting? {
        var (x, y) = try start(extent, zoom: zoom)
        var found: Fitting?
        var (across, along) = (Approach(), Approach())
        var before = (x: x, y: y)
        for _ in 0..<80 {
            let camera = camera(zoom: zoom, x: x, y: y)
            let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
            guard let box = extent.box(in: viewport, centerX: x) else {
                guard found != nil else { return nil }
                // A step too long, beyond what can be seen.
                (x, y) = ((x + before.x) / 2, (y + before.y) / 2)
                continue
            }
            let (right, down) = (box.middleX - free.middleX, box.middleY - free.middleY)
            let error = max(abs(right), abs(down))
            if error < found?.error ?? .infinity { found = Fitting(camera: camera, box: box, error: error) }
            guard error > Self.tolerance / 4 else { break }
            // The ground that should come to the optical centre.
            let aim = CGPoint(
                x: viewport.opticalX + across.step(right),
                y: max(viewport.opticalY + along.step(down), ((viewport.horizonY ?? -.infinity) + viewport.opticalY) / 2))
            guard let shift = viewport.groundOffset(at: aim) else { return found }
            before = (x, y)
            x += shift.x / viewport.worldSize
            y = min(max(y + shift.y / viewport.worldSize, 0), 1)
        }
        return found
    }

    /// Steps towards an error of 0. On a tilted map what is near moves farther than the centre does, and what is far hardly
    /// at all, so the share of the error to go by is learnt on the way.
    private struct Approach {
        private var share = 1.0
        private var last = 0.0

        mutating func step(_ error: Double) -> Double {
            if error * last < 0 {
                share *= abs(error) > 0.3 * abs(last) ? 0.5 : 1
            } else if abs(error) > 0.5 * abs(last), last != 0 {
                share = min(share * 1.4, 8)
            }
            last = error
            return error * share
        }
    }

    private func camera(zoom: Double, x: Double, y: Double) -> Camera {
        Camera(
            center: LatLng(lat: WebMercator.latitude(fromY: y).clampedToMap, lng: WebMercator.longitude(fromX: WebMercator.wrap(x))),
            zoom: zoom, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
    }

    /// A centre from which nothing is behind the camera: the nearest place stands at the lower edge of the free box.
    private func start(_ extent: Extent, zoom: Double) throws(PropertyError) -> (x: Double, y: Double) {
        let middle = (x: extent.centerX, y: extent.centerY)
        guard options.tilt > 0 else { return middle }
        let viewport = try Viewport(camera: camera(zoom: zoom, x: middle.x, y: middle.y), size: size, pixelRatio: pixelRatio)
        guard let edge = viewport.groundOffset(at: CGPoint(x: viewport.opticalX, y: free.bottom)) else { return middle }
        let (east, south) = (edge.x / viewport.worldSize, edge.y / viewport.worldSize)
        let length = (east * east + south * south).squareRoot()
        guard length > 0 else { return middle }
        // Along the view only: the nearest place may stand far aside.
        let along = extent.nearest(up: (x: -edge.x, y: -edge.y)) - length
        return (middle.x + along * east / length, min(max(middle.y + along * south / length, 0), 1))
    }
}

extension Double {
    /// Latitudes of a centre end with the map.
    fileprivate var clampedToMap: Double {
        Swift.min(Swift.max(self, -WebMercator.maxLatitude), WebMercator.maxLatitude)
    }
}
