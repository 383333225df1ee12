import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// The state of a map's points between pictures: their columns, their drawing order and their spatial index.
struct PointState {
    private(set) var columns = PointColumns()
    private(set) var order = PointOrder()
    private(set) var index = SpatialIndex()
    /// By slot: why the image of a marker is missing, in whose place the default icon is drawn, or a part of it, without which the rest is.
    private(set) var missingImages: [Int32: ImageProblem] = [:]

    /// Below this number of points, visiting all of them costs less than an index.
    private static let indexedCount = 4096

    /// The points that may be in a picture, from bottom to top.
    /// - Parameter boxes: The visible parts of the world; nil for all of it.
    mutating func ordered(_ pass: PlacingPass, in boxes: [SpatialIndex.Box]?) -> OrderedColumns {
        let view = pass.viewport.projection
        let guests = columns.guests.map { Int32($0) }
        if let few = few(in: boxes) { return PointOrder.sorted(few, view, columns, pass.order).with(guests, view, columns, pass.order) }
        order.update(view, bearing: pass.viewport.camera.bearing, columns, pass.order)
        return order.all.with(guests, view, columns, pass.order)
    }

    /// Takes the guests of a picture in place of those of the picture before.
    mutating func setGuests(_ guests: [GuestPoint], overlayCount: Int) {
        guard !guests.isEmpty || !columns.guests.isEmpty else { return }
        columns.setGuests(guests, from: overlayCount)
    }

    /// What finds points near a place.
    mutating func pickingIndex() -> PickingIndex {
        guard columns.count >= Self.indexedCount else { return PickingIndex() }
        index.build(columns)
        return PickingIndex(present: index, hidden: SpatialIndex(columns, of: columns.hidden))
    }

    /// The slots in the given parts of the world, when they are few; nil when it is cheaper to visit all points.
    private mutating func few(in boxes: [SpatialIndex.Box]?) -> [Int32]? {
        guard columns.count >= Self.indexedCount, let boxes else { return nil }
        let area = boxes.reduce(0) { $0 + ($1.east - $1.west) * ($1.south - $1.north) }
        guard index.isBuilt || area < 0.25 * columns.extentArea else { return nil }
        index.build(columns)
        return index.slots(in: boxes, columns, limit: columns.count / 8)
    }
}

extension PointState {
    mutating func read(_ changes: [OverlayChange], _ pass: inout ReadingPass) {
        // New overlays may have the slots that guests had.
        if !columns.guests.isEmpty { columns.setGuests([], from: pass.table.count) }
        columns.grow(to: pass.table.count)
        for change in changes {
            guard let overlay = pass.overlays[Int(change.slot)] else { continue }
            // Markers are the only kind of the point family. Unchecked in release builds, since it runs for every marker that is read.
            read(unsafeDowncast(overlay, to: Marker.self), slot: change.slot, change: change.change, &pass)
        }
        if columns.compactStyles() { order.invalidate() }
    }

    mutating func forget(slot: Int32) {
        guard Int(slot) < columns.count else { return }
        setMissingImage(nil, slot: slot)
        columns.captions.set(nil, slot: Int(slot))
        if columns.setParticipation(.noPoint, slot: Int(slot)) { move(slot) }
    }

    /// Reads a marker's changes into the columns.
    private mutating func read(_ marker: Marker, slot: Int32, change: Journal.Change, _ pass: inout ReadingPass) {
        var problem = marker.firstProblem()
        if problem == nil {
            if change.contains(.position), let position = marker.position { read(position, of: marker, slot: slot, pass) }
            if change.contains(.caption) { readCaption(of: marker, slot: slot, &pass) }
            if !change.isDisjoint(with: [.icon, .style, .visibility]) { readStyle(of: marker, slot: slot, &pass) }
        } else {
            setMissingImage(nil, slot: slot)
        }
        var exclusion: Reason?
        if problem != nil {
            exclusion = .invalid
        } else if marker.isPlaceless {
            exclusion = .noPosition
        } else if columns.places[Int(slot)].y.isNaN {
            exclusion = .outOfProjection
            problem = .beyondMap("position.lat")
        } else if columns.height(Int(slot)) < 0 {
            exclusion = .underground
        } else if columns.isEmpty(Int(slot)) {
            exclusion = .empty
        }
        pass.set(problem, slot: slot)
        if marker.isHidden { exclusion = .hidden }
        exclusion = pass.containers.state(around: marker)?.exclusion ?? exclusion
        let isOther = columns.setParticipation(exclusion.map { .excluded($0) } ?? .present, slot: Int(slot))
        if isOther || !change.isDisjoint(with: [.order, .membership]) { move(slot) }
    }

    private mutating func read(_ position: LatLng, of marker: Marker, slot: Int32, _ pass: ReadingPass) {
        let altitude = pass.altitude(of: marker) + position.altitude
        let height = altitude == 0 ? 0 : altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
        let place = WorldPoint(x: WebMercator.x(lng: position.lng), y: WebMercator.y(lat: position.lat) ?? .nan)
        let before = columns.places[Int(slot)]
        guard columns.setPlace(place, height: height, slot: Int(slot)) else { return }
        if before == place { order.restyle(slot) } else { move(slot) }
    }

    /// Measures a marker's caption again.
    private mutating func readCaption(of marker: Marker, slot: Int32, _ pass: inout ReadingPass) {
        guard let source = marker.shownCaption else { return columns.captions.set(nil, slot: Int(slot)) }
        guard let fonts = pass.resources.fonts.open() else { return columns.captions.setUnmeasured(slot: Int(slot)) }
        columns.captions.set(source, language: pass.resources.fonts.language, fonts, slot: Int(slot))
    }

    /// Reads a marker's icon style.
    private mutating func readStyle(of marker: Marker, slot: Int32, _ pass: inout ReadingPass) {
        var (style, missing) = IconStyle.reading(marker, &pass.resources)
        if pass.table.zooms[slot] != nil { style.flags.insert(.zoomRange) }
        setMissingImage(missing ?? pass.resources.catalog.problem(ofView: marker.shownImage, marker.shownImagePath), slot: slot)
        if columns.setStyle(style, slot: Int(slot)) { order.restyle(slot) }
    }

    @inline(__always)
    private mutating func setMissingImage(_ problem: ImageProblem?, slot: Int32) {
        if problem != nil || !missingImages.isEmpty { missingImages[slot] = problem }
    }

    /// Records that a point has moved, or has started or stopped taking part in pictures.
    private mutating func move(_ slot: Int32) {
        order.move(slot)
        index.move(slot)
    }
}

extension IconStyle {
    /// The style of a marker; and the problem of an image that is missing, in whose place the default icon is shown.
    /// - Parameter substitute: What is drawn in its place, as the problem calls it.
    static func reading(
        _ marker: Marker, _ resources: inout MapResources, substitute: String = "the default icon"
    ) -> (IconStyle, missing: ImageProblem?) {
        var style = IconStyle(marker)
        do throws(PropertyError) {
            try style.show(marker.shownImage, of: marker, &resources)
            return (style, nil)
        } catch {
            // A built-in image, which cannot be missing.
            try? style.show(MarkerImage.default, of: marker, &resources)
            return (style, ImageProblem(error, instead: "\(substitute) is drawn in its place"))
        }
    }

    /// The style of a marker without its image.
    fileprivate init(_ marker: Marker) {
        self = .empty
        anchorX = Float(marker.anchor.x)
        anchorY = Float(marker.anchor.y)
        alpha = Float(marker.alpha)
        offsetX = Float(marker.anchorOffset.x)
        offsetY = Float(marker.anchorOffset.y)
        tint = Tint(marker.iconTintColor)
        if marker.angle != 0 {
            let turn = sinCos(degrees: marker.angle)
            sin = Float(turn.sin)
            cos = Float(turn.cos)
            if turn.sin != 0 || turn.cos != 1 { flags.insert(.rotated) }
        }
        if marker.isFlat { flags.insert(.flat) }
        if marker.iconPerspectiveEnabled { flags.insert(.perspective) }
        if marker.isHideCollidedSymbols { flags.insert(.hideSymbols) }
        if marker.isHideCollidedMarkers { flags.insert(.hideMarkers) }
        if marker.isHideCollidedCaptions { flags.insert(.hideCaptions) }
        if marker.isForceShowIcon { flags.insert(.forceIcon) }
        if marker.isForceShowCaption { flags.insert(.forceCaption) }
    }

    /// Sets the image, at the size requested by the marker.
    fileprivate mutating func show(_ image: OverlayImage, of marker: Marker, _ resources: inout MapResources) throws(PropertyError) {
        let pose: IconPose = flags.contains(.flat) ? .flat : flags.isDisjoint(with: [.rotated, .perspective]) ? .upright : .scaled
        guard
            let icon = try resources.catalog.icon(
                image, marker.shownImagePath, width: marker.width, height: marker.height, pixelRatio: resources.pixelRatio, pose)
        else { return }
        show(icon, isUpright: pose == .upright)
    }

    /// Sets the icon.
    mutating func show(_ icon: ImageCatalog.Icon, isUpright: Bool = true) {
        raster = icon.raster
        width = Float(icon.width)
        height = Float(icon.height)
        if isUpright { flags.insert(.snapped) }
        if icon.isStretched { flags.insert(.stretched) }
        guard let levels = icon.levels else { return }
        levelCount = levels.count
        // A stretched image has fewer pixels per pt along its stretched axis.
        texelsPerPoint = Float(min(Double(levels.width) / icon.width, Double(levels.height) / icon.height))
        if icon.isDrawing { flags.insert(.drawing) }
    }
}

extension PropertyError {
    /// The error for a position beyond the northern or southern end of the map.
    static func beyondMap(_ path: String) -> PropertyError {
        PropertyError(path: path, problem: "beyond the map, which ends at \(WebMercator.maxLatitude) degrees north and south; not drawn")
    }
}
