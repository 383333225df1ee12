import WaymarkFrame

/// What the layout knows of point overlays, by slot, in flat arrays: filled from the objects when they change, and all
/// that a frame reads.
struct Columns {
    /// Where a point stands, as fractions of the world: it depends on nothing but the overlay.
    struct Place: Equatable {
        var x: Double
        var y: Double
        /// Altitude as a fraction of the world's size at this latitude.
        var height: Double
    }

    /// The icon's quad before it is placed. Lengths in pt.
    struct Look: Equatable {
        var width: Float
        var height: Float
        var anchorX: Float
        var anchorY: Float
        /// Sine and cosine of the angle, exact at quarter turns.
        var sin: Float
        var cos: Float
        var alpha: Float
        /// Index in the catalog's rasters; -1 for no icon at all.
        var raster: Int32
        var flags: Flags

        static let none = Look(
            width: 0, height: 0, anchorX: 0.5, anchorY: 1, sin: 0, cos: 1, alpha: 1, raster: -1, flags: [])
    }

    struct Flags: OptionSet {
        let rawValue: UInt32

        static let flat = Flags(rawValue: 1)
        static let perspective = Flags(rawValue: 2)
        static let rotated = Flags(rawValue: 4)
        /// One image pixel for one device pixel while nothing turns or scales it.
        static let exact = Flags(rawValue: 8)
        /// Has a zoom range of its own.
        static let zoomRange = Flags(rawValue: 16)
    }

    /// Both ends belong to it; nothing does when they are the wrong way round.
    struct ZoomRange: Equatable {
        var min: Double
        var max: Double

        func contains(_ zoom: Double) -> Bool { zoom >= min && zoom <= max }
    }

    var places: [Place] = []
    var looks: [Look] = []
    /// Why the overlay is in no picture at all, whatever the camera; 0 when nothing keeps it out.
    var exclusions: [UInt8] = []
    /// Zoom ranges of the few that have one.
    var zoomRanges: [Int32: ZoomRange] = [:]

    /// The farthest that any icon reaches from its anchor, in pt, and the highest that any place stands, as a fraction of
    /// the world: they only grow, and say how far beside the picture an overlay may stand and still be seen.
    private(set) var reach = 0.0
    private(set) var topHeight = 0.0

    mutating func setPlace(_ place: Place, slot: Int) {
        places[slot] = place
        topHeight = max(topHeight, place.height)
    }

    mutating func setLook(_ look: Look, slot: Int) {
        looks[slot] = look
        let size = Double(look.width) + Double(look.height)
        reach = max(reach, size * (1 + Double(max(abs(look.anchorX), abs(look.anchorY)))))
    }

    mutating func grow(to count: Int) {
        guard count > places.count else { return }
        let more = count - places.count
        places.append(contentsOf: repeatElement(Place(x: 0, y: 0, height: 0), count: more))
        looks.append(contentsOf: repeatElement(.none, count: more))
        exclusions.append(contentsOf: repeatElement(Reason.noPosition.rawValue, count: more))
    }
}
