import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Reads the markers of a map or of a cluster layer into columns, by slot. Only changes are read.
struct PointReader: Sendable {
    private(set) var columns = PointColumns()
    /// The missing images, keyed by slot. The default icon is drawn in their place. Views with a missing part are also listed here, and
    /// the rest of them is drawn.
    private(set) var missingImages: [Int32: ImageProblem] = [:]

    /// The effect of reading a point on the drawing order.
    enum Effect {
        /// The point has moved, or has started or stopped taking part in pictures.
        case moved
        /// Only the point's style or height has changed.
        case restyled
    }

    /// - Parameter note: Called for each slot for which reading has an effect, possibly more than once.
    /// - Returns: Whether the style ids of all points have changed.
    mutating func read(
        _ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources,
        _ note: (Int32, Effect) -> Void
    ) -> Bool {
        for slot in changes.removed where Int(slot) < columns.count {
            setMissingImage(nil, slot: slot)
            columns.captions.set(nil, slot: Int(slot))
            if columns.setParticipation(.noPoint, slot: Int(slot)) { note(slot, .moved) }
        }
        columns.grow(to: overlays.count)
        for change in changes.changed {
            guard let overlay = changes.overlays[Int(change.slot)] else { continue }
            // The point family has only markers. Unchecked in release builds, because this runs for every marker that is read.
            read(unsafeDowncast(overlay, to: Marker.self), change, &overlays, resources, note)
        }
        return columns.compactStyles()
    }

    /// Reads a marker's changes into the columns.
    private mutating func read(
        _ marker: Marker, _ change: ChangedOverlay, _ overlays: inout OverlayTable, _ resources: MapResources,
        _ note: (Int32, Effect) -> Void
    ) {
        let (slot, properties) = (change.slot, change.properties)
        var problem = marker.firstProblem()
        if problem == nil {
            if properties.contains(.position), let position = marker.position { read(position, of: marker, slot: slot, overlays, note) }
            if properties.contains(.caption) { readCaption(of: marker, slot: slot, resources) }
            if !properties.isDisjoint(with: [.icon, .style, .visibility]) {
                readStyle(of: marker, slot: slot, hasZooms: overlays.zooms[slot] != nil, resources, note)
            }
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
        exclusion = overlays.settle(marker, slot: slot, problem, exclusion)
        let isOther = columns.setParticipation(exclusion.map { .excluded($0) } ?? .present, slot: Int(slot))
        if isOther || !properties.isDisjoint(with: [.order, .membership]) { note(slot, .moved) }
    }

    private mutating func read(
        _ position: LatLng, of marker: Marker, slot: Int32, _ overlays: OverlayTable, _ note: (Int32, Effect) -> Void
    ) {
        let altitude = overlays.altitude(of: marker) + position.altitude
        let height = altitude == 0 ? 0 : altitude * WebMercator.pointsPerMeter(lat: position.lat, worldSize: 1)
        let place = WorldPoint(x: WebMercator.x(lng: position.lng), y: WebMercator.y(lat: position.lat) ?? .nan)
        let before = columns.places[Int(slot)]
        if columns.setPlace(place, height: height, slot: Int(slot)) { note(slot, before == place ? .restyled : .moved) }
    }

    /// Measures a marker's caption again.
    private mutating func readCaption(of marker: Marker, slot: Int32, _ resources: MapResources) {
        switch MeasuredCaption.reading(marker, resources) {
        case .measured(let caption): columns.captions.set(caption, slot: Int(slot))
        case .unmeasured: columns.captions.setUnmeasured(slot: Int(slot))
        }
    }

    /// Reads a marker's icon style.
    private mutating func readStyle(
        of marker: Marker, slot: Int32, hasZooms: Bool, _ resources: MapResources, _ note: (Int32, Effect) -> Void
    ) {
        var read = IconStyle.reading(marker, resources)
        if hasZooms { read.style.flags.insert(.zoomRange) }
        setMissingImage(read.problem, slot: slot)
        if columns.setStyle(read.style, slot: Int(slot)) { note(slot, .restyled) }
    }

    @inline(__always)
    private mutating func setMissingImage(_ problem: ImageProblem?, slot: Int32) {
        if problem != nil || !missingImages.isEmpty { missingImages[slot] = problem }
    }
}

extension PointAppearance {
    /// Reads a marker that is not in a store.
    init(_ marker: Marker, _ resources: MapResources) {
        style = IconStyle.reading(marker, resources).style
        switch MeasuredCaption.reading(marker, resources) {
        case .measured(let caption): self.caption = caption
        case .unmeasured: isUnmeasured = true
        }
    }
}

extension MeasuredCaption {
    enum Reading {
        /// The caption; nil for a marker without one.
        case measured(MeasuredCaption?)
        /// Fonts are missing.
        case unmeasured
    }

    /// The measured caption of a marker.
    fileprivate static func reading(_ marker: Marker, _ resources: MapResources) -> Reading {
        guard let source = marker.shownCaption else { return .measured(nil) }
        guard let fonts = resources.fonts.open() else { return .unmeasured }
        return .measured(MeasuredCaption(source, language: resources.fonts.language, fonts))
    }
}

extension IconStyle {
    /// The style of a marker, and the problem of its image: either the image is missing and the default icon is shown, or a part is
    /// missing.
    /// - Parameter substitute: The words for the default icon in the problem's message.
    static func reading(
        _ marker: Marker, _ resources: MapResources, substitute: String = "the default icon"
    ) -> (style: IconStyle, problem: ImageProblem?, isReplaced: Bool) {
        var style = IconStyle(marker)
        do throws(PropertyError) {
            let image = marker.shownImage(resources.theme)
            try style.show(image, of: marker, resources)
            return (style, resources.problem(ofView: image, marker.shownImagePath), false)
        } catch {
            // The default icon is a drawing, which cannot be missing.
            try? style.show(resources.theme?.pinIcon ?? MarkerImage.default, of: marker, resources)
            return (style, ImageProblem(error, instead: "\(substitute) is drawn in its place"), true)
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
        if marker.occludedAlpha < 1 {
            occludedAlpha = Float(marker.occludedAlpha)
            flags.insert(.occludable)
        }
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
    fileprivate mutating func show(_ image: OverlayImage, of marker: Marker, _ resources: MapResources) throws(PropertyError) {
        let pose: IconPose = flags.contains(.flat) ? .flat : flags.isDisjoint(with: [.rotated, .perspective]) ? .upright : .scaled
        guard
            let icon = try resources.icon(image, marker.shownImagePath, width: marker.width, height: marker.height, pose)
        else { return }
        show(icon, isUpright: pose == .upright)
    }

    /// Sets the icon and its levels.
    mutating func show(_ icon: ImageCatalog.Icon, isUpright: Bool = true) {
        raster = icon.raster
        width = Float(icon.width)
        height = Float(icon.height)
        if isUpright { flags.insert(.snapped) }
        if icon.isStretched { flags.insert(.stretched) }
        if icon.isDistorted { flags.insert(.distorted) }
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
        PropertyError(
            path: path,
            problem: "not drawn, because the position lies outside the map, which ends at \(WebMercator.maxLatitude)° north and south")
    }
}
