extension ThemeTable {
    /// Warm white land with white roads and pale yellow main roads.
    static let light = ThemeTable(
        land: .init(hex: 0xF5F3EE),
        areas: [
            .area(.farmland, 0xF0EEDF),
            .area(.residential, 0xEFECE6),
            .area(.industrial, 0xEDEAE6),
            .area(.grass, 0xE1EBD5),
            .area(.park, 0xD3E7C6),
            .area(.wood, 0xCFE0C2),
            .area(.rock, 0xE5E2DC),
            .area(.sand, 0xF2EAD3),
            .area(.ice, 0xF3F9FB),
            .area(.runway, 0xDFDDDA, lines: .runway),
            .area(.water, 0xAFD3E6, lines: .river),
            .area(.land, 0xF5F3EE),
            .area(.path, 0xFBF9F5, from: 13),
            .area(.building, 0xE8E4DC, from: 13, outline: 0xD3CEC6),
        ],
        lines: [
            [.line(.ferry, 0x7FAED0, .ferry, pattern: [6, 5])],
            [.line(.path, 0xD5C4A6, .path)],
            [.line(.rail, 0xC9C5BF, .rail)],
            [
                .line(.service, 0xFFFFFF, .service, outline: 0xE0DBD3),
                .line(.minor, 0xFFFFFF, .minor, outline: 0xDAD4CB),
                .line(.secondary, 0xFEF8E2, .secondary, outline: 0xCBC4B8),
                .line(.primary, 0xFDF0C8, .primary, outline: 0xD8C79B),
                .line(.trunk, 0xFBE3A6, .trunk, outline: 0xD8BB77),
            ],
            [.line(.motorway, 0xF8D27C, .motorway, outline: 0xD2A550)],
            [.line(.regionBoundary, 0xB3A9BA, .region, pattern: [5, 3])],
            [.line(.countryBoundary, 0x94889E, .country)],
        ],
        names: LabelColors(
            country: 0x5F586B, region: 0x787082, city: 0x26292C, town: 0x34383C, village: 0x4C5258, suburb: 0x676D74,
            water: 0x23587D, peak: 0x6A563C, road: 0x57524A, pointOfInterest: 0x5A5F67, halo: 0xFFFFFF),
        pointsOfInterest: .light)
}
