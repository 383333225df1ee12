extension MapSchema {
    /// OpenMapTiles 3: https://openmaptiles.org/schema/
    ///
    /// Some encoders write the classes of tilemaker's example instead, such as `subway` and `tram` for railways.
    static let openMapTiles = MapSchema(
        "OpenMapTiles 3", markers: "transportation transportation_name water_name place mountain_peak housenumber aerodrome_label",
        others: "housenumber", attribution: "© OpenMapTiles \(openStreetMap)",
        [
            SchemaLayer("water", areas: .all(.water)),
            SchemaLayer("waterway", lines: .all(.water), lineNames: .all(.water)),
            SchemaLayer(
                "landcover", "subclass class",
                areas: RoleTable([
                    .wood: "wood forest", .grass: "grass wetland", .sand: "sand", .ice: "ice", .rock: "rock", .farmland: "farmland",
                    .park: "park garden golf_course village_green recreation_ground",
                ])),
            SchemaLayer(
                "landuse",
                areas: RoleTable([
                    .residential:
                        "residential suburb quarter neighbourhood school university kindergarten college library hospital",
                    .industrial: "industrial commercial retail garages railway bus_station military quarry dam parking",
                    .park: "cemetery stadium pitch playground track theme_park zoo",
                ])),
            SchemaLayer("park", points: .all(.poiLabel), areas: .all(.park), ranks: .rank),
            SchemaLayer(
                "boundary", "admin_level", lines: RoleTable([.countryBoundary: "2", .regionBoundary: "3 4"]), hiddenBy: .maritime),
            SchemaLayer(
                "aeroway", lines: RoleTable([.runway: "runway taxiway"]),
                areas: RoleTable([.runway: "runway taxiway apron helipad", .industrial: "aerodrome heliport"])),
            SchemaLayer(
                "transportation", lines: ways,
                areas: RoleTable([.path: "path platform", .land: "pier"]), hiddenBy: .tunnel("brunnel", "tunnel")),
            SchemaLayer(
                "building", areas: .all(.building),
                buildings: BuildingKeys(top: "render_height", bottom: "render_min_height", outline: "hide_3d")),
            SchemaLayer(
                "water_name", points: .all(.waterLabel), lines: .all(.waterLabel), lineNames: .all(.water), ranks: .rank),
            SchemaLayer(
                "transportation_name", lines: .all(.roadLabel, ignored: "rail transit ferry aerialway"), lineNames: ways,
                hiddenBy: .tunnel("brunnel", "tunnel")),
            SchemaLayer(
                "place",
                points: RoleTable([
                    .countryLabel: "country", .regionLabel: "state province", .cityLabel: "city", .townLabel: "town",
                    .villageLabel: "village hamlet isolated_dwelling", .suburbLabel: "borough suburb quarter neighbourhood",
                ]), ranks: .rank),
            SchemaLayer("mountain_peak", points: RoleTable([.peakLabel: "peak volcano"]), ranks: .rank),
            SchemaLayer("aerodrome_label", points: .all(.poiLabel), ranks: .rank),
            SchemaLayer("poi", points: .all(.poiLabel), ranks: .rank, categories: "subclass class"),
        ])

    private static let ways = RoleTable([
        .motorway: "motorway", .trunk: "trunk", .primary: "primary", .secondary: "secondary tertiary",
        .minor: "minor raceway busway bus_guideway", .service: "service", .path: "path track pier platform",
        .rail: "rail transit subway tram light_rail narrow_gauge monorail funicular preserved", .ferry: "ferry",
    ])
}
