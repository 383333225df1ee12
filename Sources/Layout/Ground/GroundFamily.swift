import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// An image on the ground, as read from its overlay.
struct GroundImage: Sendable {
    /// The center of the image's bounds, and half the lengths of its sides, as fractions of the world.
    var center = WorldPoint(x: 0, y: 0)
    var halfWidth = 0.0
    var halfHeight = 0.0
    /// The sine and cosine of the image's bearing, exact at multiples of 90 degrees.
    var sin = 0.0
    var cos = 1.0
    /// The image's altitude as a fraction of the world's size.
    var height = 0.0
    var alpha: Float = 1
    /// The index of the image's raster in the catalog; -1 for none.
    var raster: Int32 = -1
    /// The center, at the altitude of the overlay.
    var anchor: LatLng?
    /// The reason why the image is excluded from every picture, regardless of the camera; nil if it is not.
    var exclusion: Reason?

    /// The corners relative to the image's center, as fractions of the world, clockwise from the upper left.
    var corners: [PlanePoint] {
        [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { right, down in
            let (x, y) = (right * halfWidth, down * halfHeight)
            return PlanePoint(x * cos - y * sin, x * sin + y * cos)
        }
    }
}

/// The ground overlays of a map.
final class GroundFamily {
    private var images: [Int32: GroundImage] = [:]
    /// The problems of images that are views, keyed by slot. The rest of the view is drawn.
    private var viewProblems: [Int32: ImageProblem] = [:]

    func read(_ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources) {
        for slot in changes.removed { (images[slot], viewProblems[slot]) = (nil, nil) }
        for change in changes.changed {
            // The table of kinds has only ground overlays in this family.
            guard let overlay = changes.overlays[Int(change.slot)] as? GroundOverlay else { preconditionFailure("no ground overlay") }
            read(overlay, slot: change.slot, &overlays, resources)
        }
    }

    private func read(_ overlay: GroundOverlay, slot: Int32, _ overlays: inout OverlayTable, _ resources: MapResources) {
        var image = GroundImage()
        var problem = overlay.firstProblem()
        viewProblems[slot] = nil
        if problem != nil {
            image.exclusion = .invalid
        } else if let bounds = overlay.bounds {
            if max(abs(bounds.south), abs(bounds.north)) > WebMercator.maxLatitude {
                problem = .beyondMap("bounds")
                image.exclusion = .outOfProjection
            } else {
                image.place(overlay, on: bounds, altitude: overlays.altitude(of: overlay))
                problem = Self.readImage(of: overlay, into: &image, resources)
                viewProblems[slot] = overlay.image.flatMap { resources.problem(ofView: $0, "image") }
            }
        } else {
            image.exclusion = .noPosition
        }
        image.exclusion = overlays.settle(overlay, slot: slot, problem, image.exclusion)
        images[slot] = image
    }

    /// Reads the image, or the reason why nothing is shown. Returns the problem of the image.
    private static func readImage(of overlay: GroundOverlay, into image: inout GroundImage, _ resources: MapResources) -> PropertyError? {
        image.alpha = Float(overlay.alpha)
        do throws(PropertyError) {
            image.raster =
                try overlay.image.flatMap { (given) throws(PropertyError) in
                    try resources.groundImage(given, "image")
                } ?? -1
        } catch {
            image.exclusion = .invalid
            return error
        }
        if image.raster < 0 || image.halfWidth == 0 || image.halfHeight == 0 {
            image.exclusion = .empty
        } else if image.height < 0 {
            image.exclusion = .underground
        }
        return nil
    }

    func place(_ pass: inout PlacingPass) -> PlacedGround {
        var placed = PlacedGround(viewport: pass.viewport, images: images)
        let order = pass.order
        for slot in images.keys.sorted(by: { order.isBefore($0, $1) }) {
            guard let image = images[slot], image.exclusion == nil, pass.isShown(slot) else { continue }
            let placer = GroundPlacer(image, pass.viewport)
            let first = pass.frame.beginItem()
            var copies: [Int] = []
            for copy in GroundPlacer.copies {
                guard let sprite = placer.sprite(copy: copy, of: pass.rasters[Int(image.raster)], &pass.frame) else { continue }
                pass.frame.append(sprite)
                copies.append(copy)
            }
            let commands = pass.frame.endItem(from: first)
            guard !copies.isEmpty else { continue }
            placed.placed.append(PlacedGround.Shown(slot: slot, copies: copies))
            placed.items.append(DrawItem(rank: order.rank(slot), sequence: order.sequence(slot), count: 1, commands: commands))
        }
        return placed
    }

    func report(into list: inout DiagnosticList) {
        for (slot, problem) in viewProblems {
            list.warn(problem.reported(isDrawn: images[slot].map { $0.exclusion == nil } ?? false), slot: slot)
        }
    }

    /// The extent of the corners of visible ground overlays; nil without any. Additional points along the edges prevent a range of
    /// longitudes that an edge crosses from seeming empty.
    func extent(of overlays: FittedOverlays) -> PointExtent? {
        let points = images.keys.filter(overlays.contains).sorted().flatMap { slot -> [PointExtent.Point] in
            guard let image = images[slot], image.exclusion == nil else { return [] }
            let corners = image.corners
            return corners.indices.flatMap { index in
                let (first, last) = (corners[index], corners[(index + 1) % 4])
                let steps = max(1, Int((abs(last.x - first.x) * 24).rounded(.up)))
                return (0..<steps).map { step in
                    let corner = first + (last - first) * (Double(step) / Double(steps))
                    let place = WorldPoint(x: WebMercator.wrap(image.center.x + corner.x), y: image.center.y + corner.y)
                    return PointExtent.Point(place: place, height: image.height, style: .position)
                }
            }
        }
        return PointExtent(points, CaptionColumns())
    }
}

extension GroundImage {
    fileprivate mutating func place(_ overlay: GroundOverlay, on bounds: LatLngBounds, altitude: Double) {
        let (north, south) = (WebMercator.uncheckedY(lat: bounds.north), WebMercator.uncheckedY(lat: bounds.south))
        halfWidth = bounds.width / 720
        halfHeight = (south - north) / 2
        center = WorldPoint(x: WebMercator.wrap(WebMercator.unwrappedX(bounds.west) + halfWidth), y: (north + south) / 2)
        (sin, cos) = sinCos(degrees: overlay.bearing)
        let lat = WebMercator.latitude(fromY: center.y)
        if altitude != 0 { height = altitude * WebMercator.pointsPerMeter(lat: lat, worldSize: 1) }
        anchor = LatLng(lat: lat, lng: WebMercator.longitude(fromX: center.x), altitude: altitude)
    }
}
