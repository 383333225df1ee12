/// The point overlays of a map by slot, in flat arrays: filled from the objects when they change, and all that a picture reads.
struct PointColumns: Sendable {
    /// Whether a slot takes part in pictures.
    enum Participation: Equatable, Sendable {
        /// It does, wherever the camera sees it.
        case present
        /// Its overlay is in no picture, whatever the camera.
        case excluded(Reason)
        /// There is no point overlay in the slot.
        case noPoint

        @inline(__always)
        var isPresent: Bool { if case .present = self { true } else { false } }
    }

    private(set) var places: [WorldPoint] = []
    /// Altitudes as fractions of the world's size at the place's latitude; empty as long as all are 0.
    private(set) var heights: [Double] = []
    /// Indices in `styles`.
    private(set) var styleIDs: [Int32] = []
    private(set) var styles = IconStyleTable()
    var captions = CaptionColumns()
    private(set) var participations: [Participation] = []
    /// The highest that any place has been, as a fraction of the world; it only grows.
    private(set) var topHeight = 0.0

    /// The corners of a box that all places have been in; it only grows.
    private var extent: (west: Double, north: Double, east: Double, south: Double)?

    /// The area of that box, as a fraction of the world's; 0 when there is nothing.
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

    @inline(__always)
    func isPresent(_ slot: Int32) -> Bool { participations[Int(slot)].isPresent }

    /// The slots that take part, rising.
    var present: [Int32] {
        var present: [Int32] = []
        present.reserveCapacity(count)
        for slot in participations.indices where participations[slot].isPresent { present.append(Int32(slot)) }
        return present
    }

    /// Gives whether anything changed.
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

    /// Gives whether anything changed.
    mutating func setStyle(_ style: IconStyle, slot: Int) -> Bool {
        let id = styles.id(of: style)
        guard styleIDs[slot] != id else { return false }
        styleIDs[slot] = id
        return true
    }

    /// The farthest that any point reaches from its place, in pt.
    var reach: Double { styles.reach + captions.reach }

    /// Gives whether anything changed.
    mutating func setParticipation(_ participation: Participation, slot: Int) -> Bool {
        guard participations[slot] != participation else { return false }
        participations[slot] = participation
        return true
    }

    /// Drops unused styles when they have become many. Gives whether ids have changed.
    mutating func compactStyles() -> Bool {
        guard styles.count > 2 * count + 64 else { return false }
        let old = styles
        styles = IconStyleTable()
        for slot in styleIDs.indices { styleIDs[slot] = styles.id(of: old[styleIDs[slot]]) }
        return true
    }
}
