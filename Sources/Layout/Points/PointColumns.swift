/// Points in flat arrays: the markers of a map or of a cluster layer, by slot, or the points that cluster layers show in one picture, by
/// index. They are filled when the objects change; a picture reads nothing else.
struct PointColumns: Sendable {
    /// Whether the overlay in a slot takes part in pictures.
    enum Participation: Equatable, Sendable {
        /// The overlay is in pictures whose camera sees it.
        case present
        /// The overlay is in no picture, regardless of the camera.
        case excluded(Reason)
        /// The slot holds no point overlay.
        case noPoint

        @inline(__always)
        var isPresent: Bool { if case .present = self { true } else { false } }
    }

    private(set) var places: [WorldPoint] = []
    /// Altitudes as fractions of the world's size, scaled for the latitude of the place; empty as long as all are 0.
    private(set) var heights: [Double] = []
    /// The indices in `styles`.
    private(set) var styleIDs: [Int32] = []
    private(set) var styles = IconStyleTable()
    var captions = CaptionColumns()
    private(set) var participations: [Participation] = []
    /// The greatest height of any point so far, as a fraction of the world's size; it never decreases.
    private(set) var topHeight = 0.0

    /// The bounding box of all places so far; it never shrinks.
    private var extent: (west: Double, north: Double, east: Double, south: Double)?

    /// The area of that box as a fraction of the world's area; 0 without a box.
    var extentArea: Double {
        guard let extent else { return 0 }
        return (extent.east - extent.west) * (extent.south - extent.north)
    }

    var count: Int { places.count }

    mutating func grow(to count: Int) {
        guard count > places.count else { return }
        let more = count - places.count
        places.append(contentsOf: repeatElement(WorldPoint(x: 0, y: 0), count: more))
        styleIDs.append(contentsOf: repeatElement(0, count: more))
        participations.append(contentsOf: repeatElement(.noPoint, count: more))
        if !heights.isEmpty { heights.append(contentsOf: repeatElement(0, count: more)) }
    }

    func style(_ slot: Int) -> IconStyle { styles[styleIDs[slot]] }

    func height(_ slot: Int) -> Double { heights.isEmpty ? 0 : heights[slot] }

    /// The icon and the caption of a point, shown at all of its zooms.
    func appearance(_ slot: Int) -> PointAppearance {
        var style = style(slot)
        style.flags.remove(.zoomRange)
        let caption = captions.id(slot)
        return PointAppearance(
            style: style, caption: caption < 0 ? nil : captions.measured(caption), isUnmeasured: captions.unmeasured.contains(Int32(slot)))
    }

    /// Whether the overlay in a slot has no icon and no caption.
    func isEmpty(_ slot: Int) -> Bool { styles.styles[Int(styleIDs[slot])].raster < 0 && captions.id(slot) < 0 }

    @inline(__always)
    func isPresent(_ slot: Int32) -> Bool { participations[Int(slot)].isPresent }

    /// The slots of hidden points that have places.
    var hidden: [Int32] {
        participations.indices.filter { participations[$0] == .excluded(.hidden) && !places[$0].y.isNaN }.map { Int32($0) }
    }

    /// The slots that take part, in ascending order.
    var present: [Int32] {
        var present: [Int32] = []
        present.reserveCapacity(count)
        for slot in participations.indices where participations[slot].isPresent { present.append(Int32(slot)) }
        return present
    }

    /// Sets the place of a point. Returns whether anything changed.
    mutating func setPlace(_ place: WorldPoint, height: Double, slot: Int) -> Bool {
        guard places[slot] != place || self.height(slot) != height else { return false }
        places[slot] = place
        if height != 0, heights.isEmpty { heights = [Double](repeating: 0, count: places.count) }
        if !heights.isEmpty { heights[slot] = height }
        topHeight = max(topHeight, height)
        if !place.y.isNaN {
            let known = extent ?? (place.x, place.y, place.x, place.y)
            extent = (min(known.west, place.x), min(known.north, place.y), max(known.east, place.x), max(known.south, place.y))
        }
        return true
    }

    /// Sets the style of a point. Returns whether anything changed.
    mutating func setStyle(_ style: IconStyle, slot: Int) -> Bool {
        let id = styles.id(of: style)
        guard styleIDs[slot] != id else { return false }
        styleIDs[slot] = id
        return true
    }

    /// Sets whether a point takes part. Returns whether anything changed.
    mutating func setParticipation(_ participation: Participation, slot: Int) -> Bool {
        guard participations[slot] != participation else { return false }
        participations[slot] = participation
        return true
    }

    /// Drops unused styles when there are many. Returns whether style ids changed.
    mutating func compactStyles() -> Bool {
        guard styles.count > 2 * count + 64 else { return false }
        let old = styles
        styles = IconStyleTable()
        for slot in styleIDs.indices { styleIDs[slot] = styles.id(of: old[styleIDs[slot]]) }
        return true
    }
}
