import Foundation
import WaymarkGeo
import WaymarkScene

/// The reason why a fitted camera does not show everything.
package enum FitWarning {
    case nothing
    case isNotAll
    case arePositions
    /// An item is larger than the available space. The values are the item, the number of other such items, and the size of the space in
    /// pt.
    case isOversized(OversizedItem, others: Int, width: Double, height: Double)
}

/// Searches for the highest zoom at which everything is inside the free box, and the center that puts it there.
package struct FitSearch {
    private let options: FitOptions
    private let size: PointSize
    private let pixelRatio: Double
    /// The part of the picture inside the content inset and the padding.
    private let free: ScreenBox
    /// The camera if there is nothing to fit.
    private let whole: Camera
    /// The amount in pt by which the box of everything may exceed the free box.
    private var leeway = 0.0

    /// - Throws: `PropertyError` for the first value that is out of range.
    package init(_ options: FitOptions, size: PointSize, pixelRatio: Double) throws(PropertyError) {
        try options.validate()
        whole = Camera(
            center: options.center ?? LatLng(lat: 0, lng: 0), zoom: options.zoom ?? 0, bearing: options.bearing, tilt: options.tilt,
            contentInset: options.contentInset)
        _ = try Viewport(camera: whole, size: size, pixelRatio: pixelRatio)
        let (inset, padding) = (options.contentInset, options.padding(in: size))
        free = ScreenBox(
            left: inset.left + padding, top: inset.top + padding, right: size.width - inset.right - padding,
            bottom: size.height - inset.bottom - padding)
        guard free.width > 0, free.height > 0 else {
            throw PropertyError(path: "camera.padding", problem: "a padding of \(plain(padding)) pt leaves no room in the picture")
        }
        (self.options, self.size, self.pixelRatio) = (options, size, pixelRatio)
    }

    /// The camera that shows an extent, with the given center or zoom instead of a fitted one. A warning is returned if the camera does
    /// not show everything.
    package func fit(_ visible: Extent?) throws(PropertyError) -> (camera: Camera, warning: FitWarning?) {
        guard let visible else { return (whole, .nothing) }
        var fit = try fitAll(visible)
        if options.center == nil, options.zoom == nil, fit.camera.zoom < 1 { fit.camera = try withoutStrips(fit.camera, visible) }
        if let center = options.center { fit.camera.center = center }
        if let zoom = options.zoom { fit.camera.zoom = zoom }
        return fit
    }

    private func fitAll(_ visible: Extent) throws(PropertyError) -> (camera: Camera, warning: FitWarning?) {
        var extent = visible
        if let camera = try wholeCamera(&extent) { return (camera, nil) }
        // The boxes of icons and captions are half a pixel larger on every side, for snapping. A subject that is exactly as wide as the
        // free box fits without this allowance.
        var closer = self
        closer.leeway = 1 / pixelRatio
        if let camera = try closer.wholeCamera(&extent) { return (camera, nil) }
        var reduced = extent
        let oversized = reduced.reduce(to: closer.room)
        if let first = oversized.first, let camera = try closer.wholeCamera(&reduced) {
            let warning = FitWarning.isOversized(first, others: oversized.count - 1, width: free.width, height: free.height)
            return (try closer.balanced(camera, reduced, extent), warning)
        }
        reduced.reduceToPositions()
        for search in [self, closer] {
            if let camera = try search.wholeCamera(&reduced) { return (try search.balanced(camera, reduced, extent), .arePositions) }
        }
        // No zoom shows everything; zoom 0 comes nearest to that.
        while true {
            let camera = try centered(extent, zoom: 0)?.camera ?? camera(zoom: 0, x: extent.centerX, y: extent.centerY)
            guard try takeIn(camera, &extent) else { return (camera, .isNotAll) }
        }
    }

    /// A camera of zoom level 0, moved north or south so that the picture shows no strip beyond the world. It moves only so far that
    /// nothing extends farther beyond the free box than before.
    private func withoutStrips(_ camera: Camera, _ visible: Extent) throws(PropertyError) -> Camera {
        let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
        let rows = viewport.groundCorners.map { viewport.centerY + $0.y / viewport.worldSize }
        guard rows.count == 4, let north = rows.min(), let south = rows.max(), south - north <= 1 else { return camera }
        let shift = north < 0 ? -north : min(0, 1 - south)
        guard abs(shift) * viewport.worldSize > Self.tolerance else { return camera }
        var extent = visible
        while try takeIn(camera, &extent) {}
        let centerX = viewport.centerX + (extent.centerX - viewport.centerX).rounded()
        /// The lengths by which everything extends beyond the free box: at the left, top, right and bottom.
        func excess(_ camera: Camera) throws(PropertyError) -> SIMD4<Double>? {
            let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
            guard let box = extent.box(in: viewport, centerX: centerX) else { return nil }
            let beyond = SIMD4(free.left - box.left, free.top - box.top, box.right - free.right, box.bottom - free.bottom)
            return pointwiseMax(beyond, .zero)
        }
        guard let allowed = try excess(camera) else { return camera }
        func moved(_ share: Double) -> Camera { self.camera(zoom: camera.zoom, x: viewport.centerX, y: viewport.centerY + share * shift) }
        func isAllowed(_ share: Double) throws(PropertyError) -> Bool {
            guard let beyond = try excess(moved(share)) else { return false }
            return (beyond - allowed).max() <= Self.tolerance
        }
        var (low, high) = (0.0, 1.0)
        if try isAllowed(high) {
            low = high
        } else {
            while (high - low) * abs(shift) * viewport.worldSize > Self.tolerance {
                let middle = (low + high) / 2
                if try isAllowed(middle) { low = middle } else { high = middle }
            }
        }
        let result = moved(low)
        // On a tilted map, other points may now be outermost.
        return try takeIn(result, &extent) ? camera : result
    }

    /// The room for the subject, with a camera over each position.
    private var room: FitRoom {
        FitRoom(width: free.width + leeway, height: free.height + leeway) { x, y in
            try? Viewport(camera: camera(zoom: options.maxZoom, x: x, y: y), size: size, pixelRatio: pixelRatio)
        }
    }

    /// A camera that shows an extent, moved so that as much as possible of a larger extent around it is also in the picture.
    private func balanced(_ camera: Camera, _ extent: Extent, _ larger: Extent) throws(PropertyError) -> Camera {
        var extent = extent
        guard let found = try centered(extent, within: larger, zoom: camera.zoom), isFitting(found), try !takeIn(found.camera, &extent)
        else {
            return camera
        }
        return found.camera
    }

    /// The step in zoom levels of the search for a zoom that fits.
    private static let stride = 0.5
    /// The tolerance in pt for centering the box and for fitting it into the free box; layout is quantized to 1/1024 px.
    private static let tolerance = 2e-3

    /// The camera that shows everything; nil if it is impossible at every zoom.
    ///
    /// The search considers only points known to be outermost. If something extends farther for the camera found, it is added and the
    /// search is repeated. That is rarely necessary, and everything is checked once per search instead of at every step.
    private func wholeCamera(_ extent: inout Extent) throws(PropertyError) -> Camera? {
        while true {
            guard let camera = try camera(extent) else { return nil }
            guard try takeIn(camera, &extent) else { return camera }
        }
    }

    /// Adds points that extend farther for a camera than those known to be outermost; returns whether there are any.
    private func takeIn(_ camera: Camera, _ extent: inout Extent) throws(PropertyError) -> Bool {
        let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
        // The center is on the copy of the world that the search used.
        let centerX = viewport.centerX + (extent.centerX - viewport.centerX).rounded()
        return extent.extend(in: viewport, centerX: centerX)
    }

    /// The camera that shows everything known to be outermost; nil if no zoom does.
    private func camera(_ extent: Extent) throws(PropertyError) -> Camera? {
        // On a tilted map, whether everything fits may change more than once with the zoom, because distant overlays grow and approach
        // together. The highest zoom that fits is therefore searched from above, and then refined by bisection.
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

    /// A camera, the screen box of everything in pt, and the distance in pt of the box's center from its target.
    private struct Fitting {
        var camera: Camera
        var box: ScreenBox
        var error: Double
    }

    /// The camera at a zoom that shows everything; nil if no center does.
    private func fitting(_ extent: Extent, zoom: Double) throws(PropertyError) -> Camera? {
        try centered(extent, zoom: zoom).flatMap { isFitting($0) ? $0.camera : nil }
    }

    private func isFitting(_ found: Fitting) -> Bool {
        let allowed = leeway + Self.tolerance
        return found.error <= Self.tolerance && found.box.width <= free.width + allowed && found.box.height <= free.height + allowed
    }

    /// The camera at a zoom that centers the box of everything in the free box as well as possible; nil if something is behind the camera
    /// or beyond the far limit.
    /// - Parameter larger: An extent around this one, or nil. Its box is centered as far as the box of this extent stays in the free box.
    private func centered(_ extent: Extent, within larger: Extent? = nil, zoom: Double) throws(PropertyError) -> Fitting? {
        var (x, y) = try start(extent, zoom: zoom)
        var found: Fitting?
        var (across, along) = (Approach(), Approach())
        var before = (x: x, y: y)
        for _ in 0..<80 {
            let camera = camera(zoom: zoom, x: x, y: y)
            let viewport = try Viewport(camera: camera, size: size, pixelRatio: pixelRatio)
            guard let box = extent.box(in: viewport, centerX: x) else {
                guard found != nil else { return nil }
                // The step was too long, and something is no longer visible.
                (x, y) = ((x + before.x) / 2, (y + before.y) / 2)
                continue
            }
            let around = larger?.box(in: viewport, centerX: x) ?? box
            let right = Self.offset(box.left, box.right, around.middleX, free.left, free.right)
            let down = Self.offset(box.top, box.bottom, around.middleY, free.top, free.bottom)
            let error = max(abs(right), abs(down))
            if error < found?.error ?? .infinity { found = Fitting(camera: camera, box: box, error: error) }
            guard error > Self.tolerance / 4 else { break }
            // The screen point of the ground to move to the optical center.
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

    /// The distance by which a box is too far right or down.
    /// - Parameter middle: The middle of a larger box around the box. It is centered as far as the box itself stays within `first` and
    ///   `last`.
    private static func offset(_ low: Double, _ high: Double, _ middle: Double, _ first: Double, _ last: Double) -> Double {
        guard high - low < last - first else { return (low + high - first - last) / 2 }
        return min(max(middle - (first + last) / 2, high - last), low - first)
    }

    /// An iteration toward an error of 0. Each step is a share of the error, and the share is adapted after each step. The reason is that
    /// on a tilted map, near overlays move farther than the center, and distant overlays barely move.
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
        // The latitude is clamped to the map's latitudes, as the center requires.
        let lat = min(max(WebMercator.latitude(fromY: y), -WebMercator.maxLatitude), WebMercator.maxLatitude)
        return Camera(
            center: LatLng(lat: lat, lng: WebMercator.longitude(fromX: WebMercator.wrap(x))),
            zoom: zoom, bearing: options.bearing, tilt: options.tilt, contentInset: options.contentInset)
    }

    /// A center at which nothing is behind the camera: the nearest point is at the lower edge of the free box.
    private func start(_ extent: Extent, zoom: Double) throws(PropertyError) -> (x: Double, y: Double) {
        let middle = (x: extent.centerX, y: extent.centerY)
        guard options.tilt > 0 else { return middle }
        let viewport = try Viewport(camera: camera(zoom: zoom, x: middle.x, y: middle.y), size: size, pixelRatio: pixelRatio)
        guard let edge = viewport.groundOffset(at: CGPoint(x: viewport.opticalX, y: free.bottom)) else { return middle }
        let (east, south) = (edge.x / viewport.worldSize, edge.y / viewport.worldSize)
        let length = (east * east + south * south).squareRoot()
        guard length > 0 else { return middle }
        // The center moves only along the view direction, because the nearest point may be far to the side.
        let along = extent.nearest(up: (x: -edge.x, y: -edge.y)) - length
        return (middle.x + along * east / length, min(max(middle.y + along * south / length, 0), 1))
    }
}
