extension MapSchema {
    /// Shortbread 1: https://shortbread-tiles.org/schema/1.0/
    static let shortbread = MapSchema(
        "Shortbread 1",
        markers:
            "ocean water_polygons water_polygons_labels water_lines water_lines_labels boundary_labels place_labels "
            + "streets street_polygons street_labels",
        others: "dam_lines dam_polygons addresses street_labels_points streets_polygons_labels bridges aerialways",
        [
            SchemaLayer("ocean", "kind", areas: .all(.water)),
            SchemaLayer("water_polygons", "kind", areas: RoleTable([.ice: "glacier"], otherwise: .water)),
            SchemaLayer("water_polygons_labels", "kind", points: .all(.waterLabel)),
            SchemaLayer("water_lines", "kind", lines: .all(.water)),
            SchemaLayer("water_lines_labels", "kind", lines: .all(.waterLabel), lineNames: .all(.water)),
            SchemaLayer("pier_lines", "kind", lines: .all(.path)),
            SchemaLayer("pier_polygons", "kind", areas: .all(.land)),
            SchemaLayer(
                "boundaries", "admin_level", lines: RoleTable([.countryBoundary: "2", .regionBoundary: "3 4"]), hiddenBy: .maritime),
            SchemaLayer("boundary_labels", "admin_level", points: RoleTable([.countryLabel: "2", .regionLabel: "3 4"])),
            SchemaLayer(
                "place_labels", "kind",
                points: RoleTable([
                    .cityLabel: "capital state_capital city", .townLabel: "town", .villageLabel: "village hamlet isolated_dwelling",
                    .suburbLabel: "suburb quarter neighbourhood",
                ]), ranks: .population),
            SchemaLayer(
                "land", "kind",
                areas: RoleTable([
                    .wood: "forest",
                    .grass: "grass meadow heath scrub grassland swamp bog string_bog wet_meadow marsh allotments greenfield",
                    .sand: "sand beach", .rock: "bare_rock scree shingle",
                    .farmland: "farmland farmyard orchard vineyard greenhouse_horticulture plant_nursery", .residential: "residential",
                    .industrial: "industrial commercial retail garages railway landfill quarry brownfield",
                    .park:
                        "park garden cemetery grave_yard village_green recreation_ground golf_course playground miniature_golf",
                ])),
            SchemaLayer(
                "sites", "kind",
                areas: RoleTable([
                    .park: "sports_centre", .residential: "university college school hospital",
                    .industrial: "danger_area prison parking bicycle_parking construction",
                ])),
            SchemaLayer("buildings", "kind", areas: .all(.building), buildings: BuildingKeys()),
            SchemaLayer("streets", "kind", lines: ways, hiddenBy: .tunnel("tunnel")),
            SchemaLayer(
                "street_polygons", "kind", areas: RoleTable([.path: "pedestrian", .service: "service", .runway: "runway taxiway"])),
            SchemaLayer(
                "street_labels", "kind",
                lines: .all(.roadLabel, ignored: "rail narrow_gauge tram light_rail funicular subway monorail runway taxiway"),
                lineNames: ways, hiddenBy: .tunnel("tunnel")),
            SchemaLayer("ferries", "kind", lines: .all(.ferry)),
            SchemaLayer("public_transport", "kind", points: .all(.poiLabel)),
            SchemaLayer(
                "pois", "kind", points: .all(.poiLabel),
                categories: "religion amenity tourism historic leisure shop office emergency man_made highway recycling"),
        ])

    private static let ways = RoleTable([
        .motorway: "motorway motorway_link", .trunk: "trunk trunk_link", .primary: "primary primary_link",
        .secondary: "secondary secondary_link tertiary tertiary_link", .minor: "unclassified residential living_street busway bus_guideway",
        .service: "service", .path: "pedestrian track footway steps path cycleway", .runway: "runway taxiway",
        .rail: "rail narrow_gauge tram light_rail funicular subway monorail",
    ])
}
