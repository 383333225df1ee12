import WaymarkGeo

/// A set of integer zoom levels, 0…24. Level 14 covers the zooms from 14 up to, but not including, 15.
public struct ZoomLevels: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    /// Creates a set from bits; bit n represents level n.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a set of the levels in a range, both ends included. Levels outside 0…24 are ignored.
    public init(from first: Int, through last: Int) {
        var bits: UInt32 = 0
        for level in 0...24 where level >= first && level <= last { bits |= 1 << UInt32(level) }
        rawValue = bits
    }

    /// Whether one of the levels covers a zoom.
    public func contains(zoom: Double) -> Bool {
        guard Camera.zoomRange.contains(zoom) else { return false }
        return rawValue & 1 << UInt32(zoom) != 0
    }
}

/// The zooms at which an overlay is drawn.
package struct ZoomVisibility: Hashable, Sendable {
    var minZoom = Camera.zoomRange.lowerBound
    var maxZoom = Camera.zoomRange.upperBound
    var hidden: ZoomLevels = []

    /// Whether an overlay is drawn at a zoom. Both ends of the zoom range are included; the range is empty if `minZoom` is above
    /// `maxZoom`.
    package func contains(_ zoom: Double) -> Bool {
        zoom >= minZoom && zoom <= maxZoom && !hidden.contains(zoom: zoom)
    }

    /// The zooms that both this value and `other` contain.
    package func intersection(_ other: ZoomVisibility) -> ZoomVisibility {
        ZoomVisibility(
            minZoom: max(minZoom, other.minZoom), maxZoom: min(maxZoom, other.maxZoom), hidden: hidden.union(other.hidden))
    }
}
