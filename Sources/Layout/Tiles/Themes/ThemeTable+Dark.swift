extension ThemeTable {
    /// Slate land with navy water. Roads are lighter than the land, and have dark outlines. More important roads are lighter.
    static let dark = ThemeTable(
        land: .init(hex: 0x22262C),
        areas: [
            .area(.farmland, 0x24292C),
            .area(.residential, 0x25292F),
            .area(.industrial, 0x272A31),
            .area(.grass, 0x232C2B),
            .area(.park, 0x22312C),
            .area(.wood, 0x202D29),
            .area(.rock, 0x2A2D31),
            .area(.sand, 0x2E2D2A),
            .area(.ice, 0x323A42),
            .area(.runway, 0x31363D, lines: .runway),
            .area(.water, 0x16304A, lines: .river),
            .area(.land, 0x22262C),
            .area(.path, 0x282D33, from: 13),
            .area(.building, 0x2D333B, from: 13, outline: 0x3A414A, roof: 0x3B444F),
        ],
        lines: [
            [.line(.ferry, 0x35526E, .ferry, pattern: [6, 5])],
            [.line(.path, 0x3D444D, .path)],
            [.line(.rail, 0x3D434B, .rail)],
            [
                .line(.service, 0x3C434C, .service, outline: 0x1D2126),
                .line(.minor, 0x444C56, .minor, outline: 0x1C2025),
                .line(.secondary, 0x505964, .secondary, outline: 0x1A1E23),
                .line(.primary, 0x606874, .primary, outline: 0x181C21),
                .line(.trunk, 0x77736A, .trunk, outline: 0x171A1F),
            ],
            [.line(.motorway, 0x998660, .motorway, outline: 0x16191D)],
            [.line(.regionBoundary, 0x4F4A5C, .region, pattern: [5, 3])],
            [.line(.countryBoundary, 0x6E6780, .country)],
        ],
        names: LabelColors(
            country: 0xB7B0C2, region: 0x8F889C, city: 0xF0F2F5, town: 0xD6DAE0, village: 0xB7BEC7, suburb: 0x98A1AC,
            water: 0x7FB0DC, peak: 0xC8B592, road: 0xB8BFC8, pointOfInterest: 0xADB2B9, halo: 0x16191D),
        pointsOfInterest: .dark)
}
