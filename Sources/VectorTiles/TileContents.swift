/// The contents of a prepared tile. A picture requests only the contents that it draws, so names take no time on a map without names.
package struct TileContents: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The areas and lines of all roles.
    package static let ground = TileContents(rawValue: 1)
    /// Points with names: places, waters, peaks and points of interest.
    package static let labels = TileContents(rawValue: 2)
    /// The named lines of roads and rivers.
    package static let roads = TileContents(rawValue: 4)
    /// The heights of buildings.
    package static let buildings = TileContents(rawValue: 8)
}
