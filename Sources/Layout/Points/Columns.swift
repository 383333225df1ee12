import WaymarkFrame
import WaymarkScene

/// What the layout knows of point overlays, by slot, in flat arrays: filled from the objects when they change, and all
/// that a frame reads.
struct Columns {
    /// Where a point stands, as fractions of the world: it depends on nothing but the overlay.
    struct Place: Equatable {
        var x: Double
        /// NaN where the projection has no place for it.
        var y: Double
    }

    private(set) var places: [Place] = []
    /// Altitudes as fractions of the world's size at the place's latitude; empty as long as all are 0.
    private(set) var heights: [Double] = []
    /// Indices in `looks`.
    private(set) var lookIDs: [Int32] = []
    private(set) var looks = LookTable()
    var captions = CaptionColumns()
    /// Why the overlay is in no picture at all, whatever the camera; 0 when nothing keeps it out.
    private(set) var exclusions: [UInt8] = []
    /// At which zooms the few that are not drawn at all of them are.
    private(set) var zoomVisibilities: [Int32: ZoomVisibility] = [:]
    /// The highest that any place has stood, as a fraction of the world: it only grows, and says with `LookTable.reach` how
    /// far beside the picture an overlay may stand and still be seen.
    private(set) var topHeight = 0.0

    /// The corners of a box that all places have been in; it only grows.
    private var extent: (west: Double, north: Double, east: Double, south: Double)?

    /// The area of that box, as a fraction of the world's; 0 when there is nothing.
    var extentArea: Double {
        guard let extent else { return 0 }
        return (extent.east - extent.west) * (extent.south - extent.north)
    }

    /// There is no overlay in the slot.
    static let absent = UInt8.max
    /// The overlay in the slot is no point.
    static let extended = UInt8.max - 1

    var count: Int { places.count }

    mutating func grow(to count: Int) {
        guard count > places.count else { return }
        let more = count - places.count
        places.append(contentsOf: repeatElement(Place(x: 0, y: 0), count: more))
        lookIDs.append(contentsOf: repeatElement(0, count: more))
        exclusions.append(contentsOf: repeatElement(Self.absent, count: more))
        if !heights.isEmpty { heights.append(contentsOf: repeatElement(0, count: more)) }
    }

    func look(_ slot: Int) -> Look { looks[lookIDs[slot]] }

    func height(_ slot: Int) -> Double { heights.isEmpty ? 0 : heights[slot] }

    /// Gives whether anything changed.
    mutating func setPlace(_ place: Place, height: Double, slot: Int) -> Bool {
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
    mutating func setLook(_ look: Look, slot: Int) -> Bool {
        let id = looks.id(of: look)
        guard lookIDs[slot] != id else { return false }
        lookIDs[slot] = id
        return true
    }

    /// The farthest that any overlay reaches from its anchor, in pt.
    var reach: Double { looks.reach + captions.reach }

    /// Gives whether anything changed.
    mutating func setExclusion(_ exclusion: UInt8, slot: Int) -> Bool {
        guard exclusions[slot] != exclusion else { return false }
        exclusions[slot] = exclusion
        return true
    }

    mutating func setZooms(_ visibility: ZoomVisibility?, slot: Int) {
        guard visibility != nil || !zoomVisibilities.isEmpty else { return }
        zoomVisibilities[Int32(slot)] = visibility
    }

    /// Forgets looks that nothing has any more, when they have become many. Gives whether ids have changed.
    mutating func compactLooks() -> Bool {
        guard looks.count > 2 * count + 64 else { return false }
        let old = looks
        looks = LookTable()
        for slot in lookIDs.indices { lookIDs[slot] = looks.id(of: old[lookIDs[slot]]) }
        return true
    }
}

/// An icon's quad before it is placed. Lengths in pt.
struct Look: Hashable {
    var width: Float
    var height: Float
    var anchorX: Float
    var anchorY: Float
    /// Sine and cosine of the angle, exact at quarter turns.
    var sin: Float
    var cos: Float
    /// Moves the icon after its anchor.
    var offsetX: Float = 0
    var offsetY: Float = 0
    var alpha: Float
    /// Added to the colour: red, green, blue in steps of 1/255.
    var tint = Tint.none
    /// Index in the catalog's rasters; -1 for no icon at all.
    var raster: Int32
    /// The raster's pixels for one pt of the icon, and its smaller copies: 0 and none for icons that keep their size.
    var texelsPerPoint: Float = 0
    var firstLevel: Int32 = 0
    var levelCount: Int32 = 0
    var flags: Flags

    struct Flags: OptionSet, Hashable {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// One image pixel for one device pixel.
        static let exact = Flags(rawValue: 8)
        /// Is not drawn at all zooms.
        static let zoomRange = Flags(rawValue: 16)
        /// What happens where it overlaps others.
        static let hideSymbols = Flags(rawValue: 32)
        static let hideMarkers = Flags(rawValue: 64)
        static let hideCaptions = Flags(rawValue: 128)
        static let forceIcon = Flags(rawValue: 256)
        static let forceCaption = Flags(rawValue: 512)
        /// Any of those by which others are hidden.
        static let hiding: Flags = [.hideSymbols, .hideMarkers, .hideCaptions]
    }

    /// The raster to read where one pt of the icon is so many device pixels: one that has at most twice as many, which is
    /// what the shader's four samples a pixel see.
    @inline(__always)
    func raster(pixelsPerPoint: Double) -> Int32 {
        var (texels, level) = (Double(texelsPerPoint), Int32(0))
        while texels > 2 * pixelsPerPoint, level < levelCount {
            texels /= 2
            level += 1
        }
        return level == 0 ? raster : firstLevel + level - 1
    }

    static let none = Look(width: 0, height: 0, anchorX: 0.5, anchorY: 1, sin: 0, cos: 1, alpha: 1, raster: -1, flags: [])
}

/// The looks of a map, each once: a million markers have few, and a number in place of a look keeps the columns small.
struct LookTable {
    private(set) var looks: [Look] = [.none]
    private var ids: [Look: Int32] = [.none: 0]
    /// The last looks by their raster: most markers differ from the one before in nothing else.
    private var recent = [Int32](repeating: 0, count: 64)
    /// The farthest that any icon reaches from its anchor, in pt.
    private(set) var reach = 0.0
    /// What the flags of all looks have been.
    private(set) var flags: Look.Flags = []

    var count: Int { looks.count }

    subscript(id: Int32) -> Look { looks[Int(id)] }

    mutating func id(of look: Look) -> Int32 {
        let place = Int(look.raster & 63)
        if looks[Int(recent[place])] == look { return recent[place] }
        if let known = ids[look] {
            recent[place] = known
            return known
        }
        let id = Int32(looks.count)
        looks.append(look)
        flags.formUnion(look.flags)
        ids[look] = id
        recent[place] = id
        let size = Double(look.width) + Double(look.height)
        let offset = Double(abs(look.offsetX) + abs(look.offsetY))
        reach = max(reach, size * (1 + Double(max(abs(look.anchorX), abs(look.anchorY)))) + offset)
        return id
    }
}
