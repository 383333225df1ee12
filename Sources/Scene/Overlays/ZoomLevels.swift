import WaymarkGeo

/// A set of whole zoom levels, 0…24.
public struct ZoomLevels: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    /// Bit n stands for level n.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The levels of a range, inclusive; levels outside 0…24 are ignored.
    public init(from first: Int, through last: Int) {
        var bits: UInt32 = 0
        for level in 0...24 where level >= first && level <= last { bits |= 1 << UInt32(level) }
        rawValue = bits
    }

    /// Whether a zoom falls within one of the levels.
    public func contains(zoom: Double) -> Bool {
        guard Camera.zoomRange.contains(zoom) else { return false }
        return rawValue & 1 << UInt32(zoom) != 0
    }
}

/// The zooms at which an overlay is drawn.
package struct ZoomVisibility: Hashable, Sendable {
    var minZoom: Double
    var maxZoom: Double
    var hidden: ZoomLevels

    /// The range includes both ends; it is empty if `minZoom` is above `maxZoom`.
    package func contains(_ zoom: Double) -> Bool {
        zoom >= minZoom && zoom <= maxZoom && !hidden.contains(zoom: zoom)
    }

    /// The zooms at which both are visible.
    package func intersection(_ other: ZoomVisibility) -> ZoomVisibility {
        ZoomVisibility(
            minZoom: max(minZoom, other.minZoom), maxZoom: min(maxZoom, other.maxZoom), hidden: hidden.union(other.hidden))
    }
}
