extension MapSchema {
    /// Protomaps 4: https://docs.protomaps.com/basemaps/layers
    ///
    /// Older versions have the same names for most layers, but other attributes.
    static let protomaps = MapSchema(
        "Protomaps 4", markers: "earth roads places", foreign: "natural physical_line physical_point", landLayer: "earth",
        [
            SchemaLayer("earth", "kind", areas: .all(.land)),
            SchemaLayer(
                "landcover", "kind",
                areas: RoleTable([
                    .wood: "forest", .grass: "grassland scrub", .rock: "barren", .ice: "glacier", .farmland: "farmland",
                    .residential: "urban_area",
                ])),
            SchemaLayer(
                "landuse", "kind",
                areas: RoleTable([
                    .wood: "forest wood", .grass: "grass grassland meadow scrub wetland allotments", .sand: "beach sand", .ice: "glacier",
                    .rock: "bare_rock", .farmland: "farmland orchard",
                    .residential: "residential hospital school kindergarten university college",
                    .industrial: "industrial commercial railway military airfield naval_base aerodrome dam",
                    .park:
                        "park garden golf_course dog_park playground pitch nature_reserve national_park protected_area recreation_ground "
                        + "cemetery village_green zoo",
                    .runway: "runway taxiway", .path: "pedestrian platform", .land: "pier",
                ])),
            SchemaLayer(
                "water", "kind", points: .all(.waterLabel), lines: .all(.water), areas: .all(.water, ignored: "playa reef"),
                lineNames: .all(.water), ranks: .minZoom),
            SchemaLayer("roads", "kind_detail kind", lines: ways, lineNames: ways, hiddenBy: .tunnel("is_tunnel")),
            SchemaLayer(
                "buildings", "kind", areas: .all(.building), buildings: BuildingKeys(top: "height", bottom: "min_height", kind: "kind")),
            SchemaLayer(
                "boundaries", "kind",
                lines: RoleTable([
                    .countryBoundary: "country unrecognized_country",
                    .regionBoundary: "region macroregion unrecognized_region unrecognized_macroregion",
                ])),
            SchemaLayer(
                "places", "kind_detail kind",
                points: RoleTable([
                    .countryLabel: "country", .regionLabel: "region state province", .cityLabel: "city", .townLabel: "town",
                    .villageLabel: "village hamlet isolated_dwelling locality",
                    .suburbLabel: "macrohood neighbourhood suburb quarter borough",
                ]), ranks: .populationRank),
            SchemaLayer("pois", "kind", points: RoleTable([.peakLabel: "peak volcano"], otherwise: .poiLabel), ranks: .minZoom),
        ])

    private static let ways = RoleTable(
        [
            .motorway: "motorway motorway_link highway", .trunk: "trunk trunk_link", .primary: "primary primary_link major_road",
            .secondary: "secondary secondary_link tertiary tertiary_link",
            .minor: "residential unclassified road living_street raceway busway bus_guideway minor_road", .service: "service",
            .path: "path pedestrian track footway cycleway bridleway steps sidewalk crossing corridor pier platform",
            .rail: "rail", .ferry: "ferry", .runway: "runway taxiway",
        ], ignored: "abandoned construction disused proposed razed")
}
