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
        try options.validate()
        let whole = Camera(
            center: LatLng(lat: 0, lng: 0), zoom: 0, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
        let size = PointSize(width: size.width, height: size.height)
        // Throws for whatever is out of range, before anything is searched.
        let viewport = try Viewport(camera: whole, size: size, pixelRatio: pixelRatio)
        let (inset, padding) = (options.contentInset, options.padding(in: size))
        let free = ScreenBox(
            left: inset.left + padding, top: inset.top + padding, right: size.width - inset.right - padding,
            bottom: size.height - inset.bottom - padding)
        guard free.width > 0, free.height > 0 else {
            throw PropertyError(path: "camera.padding", problem: "\(plain(padding)) pt on every side leave nothing of the picture free")
        }
        guard let extent = Composer.of(self).extent(of: self, pixelRatio: viewport.pixelRatio) else {
            journal.report(
                Diagnostic(path: "camera.fit", message: "there is nothing to fit; the camera is at zoom 0 and (0, 0)"))
            return whole
        }
        var search = FitSearch(extent: extent, options: options, size: size, pixelRatio: pixelRatio, free: free)
        if let camera = try search.wholeCamera() { return camera }
        journal.report(
            Diagnostic(path: "camera.fit", message: "not everything is in the picture: no zoom of 0 or more shows it all"))
        return try search.nearest(zoom: 0)
    }
}

/// Looks for the highest zoom at which everything is inside the free box, and the centre that puts it there.
private struct FitSearch {
    var extent: Extent
    let options: FitOptions
    let size: PointSize
    let pixelRatio: Double
    let free: ScreenBox

    /// Zoom levels from one to the next while looking for one that fits.
    private static let stride = 0.5
    /// In pt: how well the box is centred, and how far it may reach over the free box: layout stands on a grid of 1/1024 px.
    private static let tolerance = 2e-3

    /// The camera that shows everything; nil when no zoom does.
    ///
    /// It is looked for by what is outermost as far as is known. What reaches farther in front of the camera found is taken in,
    /// and the search made again: that is few times, and everything is looked at once each time and not at every step.
    mutating func wholeCamera() throws(PropertyError) -> Camera? {
        while true {
            guard let camera = try camera() else { return nil }
            guard try takeIn(camera) else { return camera }
        }
    }

    /// Takes in what reaches farther in front of a camera than what is known to be outermost. Gives whether anything does.
    private mutating func takeIn(_ camera: Camera) throws(PropertyError) -> Bool {
        let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
        // The copy of the world that the search was on.
        let centerX = viewport.centerX + (extent.centerX - viewport.centerX).rounded()
        return extent.extend(in: viewport, centerX: centerX)
    }

    /// nil when no zoom shows everything that is known to be outermost.
    private func camera() throws(PropertyError) -> Camera? {
        // On a tilted map what is far grows with the zoom while it comes nearer, so whether it fits need not change only
        // once: the highest zoom that fits is found from above, and then refined.
        var zoom = options.maxZoom
        var tooHigh: Double?
        var best: Camera?
        while best == nil, zoom >= 0 {
            best = try fitting(zoom: zoom)
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
            if let camera = try fitting(zoom: middle) {
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
    private func fitting(zoom: Double) throws(PropertyError) -> Camera? {
        guard let found = try centred(zoom: zoom), found.error <= Self.tolerance else { return nil }
        let fits = found.box.width <= free.width + Self.tolerance && found.box.height <= free.height + Self.tolerance
        return fits ? found.camera : nil
    }

    /// The camera of a zoom that comes nearest to showing everything, when no zoom does.
    mutating func nearest(zoom: Double) throws(PropertyError) -> Camera {
        while true {
            let camera = try centred(zoom: zoom)?.camera ?? camera(zoom: zoom, x: extent.centerX, y: extent.centerY)
            guard try takeIn(camera) else { return camera }
        }
    }

    /// The camera of a zoom at which the middle of everything's box is the middle of the free box, or as near to it as can
    /// be; nil when something is behind the camera or beyond the far limit.
    private func centred(zoom: Double) throws(PropertyError) -> Fitting? {
        var (x, y) = try start(zoom: zoom)
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
    private func start(zoom: Double) throws(PropertyError) -> (x: Double, y: Double) {
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
