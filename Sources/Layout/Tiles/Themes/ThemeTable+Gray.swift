extension ThemeTable {
    /// Shades of gray without any color, and with less contrast than the other themes.
    static let gray = ThemeTable(
        land: .init(hex: 0xF4F4F4),
        areas: [
            .area(.farmland, 0xF1F1F1),
            .area(.residential, 0xF1F1F1),
            .area(.industrial, 0xEEEEEE),
            .area(.grass, 0xE9E9E9),
            .area(.park, 0xE5E5E5),
            .area(.wood, 0xE2E2E2),
            .area(.rock, 0xEAEAEA),
            .area(.sand, 0xF0F0F0),
            .area(.ice, 0xFAFAFA),
            .area(.runway, 0xE0E0E0, lines: .runway),
            .area(.water, 0xD3D3D3, lines: .river),
            .area(.land, 0xF4F4F4),
            .area(.path, 0xF9F9F9, from: 13),
            .area(.building, 0xECECEC, from: 13, outline: 0xDBDBDB),
        ],
        lines: [
            [.line(.ferry, 0xB2B2B2, .ferry, pattern: [6, 5])],
            [.line(.path, 0xCFCFCF, .path)],
            [.line(.rail, 0xCCCCCC, .rail)],
            [
                .line(.service, 0xFFFFFF, .service, outline: 0xDFDFDF),
                .line(.minor, 0xFFFFFF, .minor, outline: 0xD9D9D9),
                .line(.secondary, 0xFFFFFF, .secondary, outline: 0xCDCDCD),
                .line(.primary, 0xFFFFFF, .primary, outline: 0xC2C2C2),
                .line(.trunk, 0xFAFAFA, .trunk, outline: 0xB8B8B8),
            ],
            [.line(.motorway, 0xF0F0F0, .motorway, outline: 0xABABAB)],
            [.line(.regionBoundary, 0xBABABA, .region, pattern: [5, 3])],
            [.line(.countryBoundary, 0x9C9C9C, .country)],
        ],
        names: LabelColors(
            country: 0x636363, region: 0x7E7E7E, city: 0x333333, town: 0x444444, village: 0x5A5A5A, suburb: 0x737373,
            water: 0x595959, peak: 0x606060, road: 0x626262, pointOfInterest: 0x626262, halo: 0xFFFFFF),
        pointsOfInterest: .gray)
}
