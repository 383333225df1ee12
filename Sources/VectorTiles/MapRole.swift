/// The role of a feature in a vector base map, independent of the schema of the tiles. A feature is an area, a line or a label.
public enum MapRole: UInt8, CaseIterable, Sendable {
    /// The ground. If a schema has no areas of land, there is land wherever there is nothing else.
    case land
    /// Oceans, lakes, and rivers, as areas or lines.
    case water
    case wood
    /// Grass, scrub, heath, and wetlands.
    case grass
    /// Sand and beaches.
    case sand
    /// Glaciers.
    case ice
    /// Bare rock and scree.
    case rock
    /// Fields, orchards and vineyards.
    case farmland
    /// Residential areas, schools and hospitals.
    case residential
    /// Industrial and commercial areas, railway grounds, parking areas and military areas.
    case industrial
    /// Parks, gardens, cemeteries, sports grounds and nature reserves.
    case park
    case building
    /// Runways, taxiways and aprons, as areas or lines.
    case runway

    case motorway
    case trunk
    case primary
    /// Secondary and tertiary roads.
    case secondary
    /// Streets.
    case minor
    /// Driveways and other service roads.
    case service
    /// Footpaths, cycle paths, steps, tracks and pedestrian areas.
    case path
    /// Railways, subways and trams.
    case rail
    case ferry

    case countryBoundary
    case regionBoundary

    case countryLabel
    case regionLabel
    case cityLabel
    case townLabel
    /// Villages and hamlets.
    case villageLabel
    /// Suburbs, quarters and neighborhoods.
    case suburbLabel
    case waterLabel
    case roadLabel
    case peakLabel
    case poiLabel
}

extension MapRole {
    /// Whether themes draw areas of this role. Other areas of a tile are not prepared.
    package var hasAreas: Bool { rawValue <= MapRole.runway.rawValue || self == .path }
    /// Whether features of this role are labels.
    package var isLabel: Bool { rawValue >= MapRole.countryLabel.rawValue }
    /// Whether themes draw lines of this role.
    package var hasLines: Bool {
        MapRole.motorway.rawValue...MapRole.regionBoundary.rawValue ~= rawValue || self == .water || self == .runway
    }

    /// The name in scene files, which is also the name in Swift.
    public var name: String { "\(self)" }

    /// The role with the given name; nil if no role has this name.
    public init?(name: String) {
        guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }
}
