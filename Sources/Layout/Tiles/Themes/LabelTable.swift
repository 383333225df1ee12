import WaymarkImaging
import WaymarkText
import WaymarkVectorTiles

/// The colors of names in a theme. Contrasts with land, and with water for names on water, are at least 4.5, and 3 for regions and suburbs.
struct LabelColors {
    var country: UInt32
    var region: UInt32
    var city: UInt32
    var town: UInt32
    var village: UInt32
    var suburb: UInt32
    var water: UInt32
    var peak: UInt32
    var road: UInt32
    /// The names of points of interest without a category.
    var pointOfInterest: UInt32
    var halo: UInt32
}

extension LabelStyle {
    /// The styles of names at points, in the order in which they are placed.
    ///
    /// Countries and regions are spaced capitals, which are read as the name of an area. Names of settlements are larger, darker and bolder
    /// if more people live there. Each kind ends at the zoom from which its name is no longer useful. Waters are blue and loosely spaced.
    static func places(_ colors: LabelColors) -> [LabelStyle] {
        func style(_ role: MapRole, _ color: UInt32, _ sizes: ZoomWidths) -> LabelStyle {
            LabelStyle(role: role, sizes: sizes, color: Color(hex: color), halo: Color(hex: colors.halo))
        }
        func country(_ ranks: ClosedRange<Float>, _ sizes: ZoomWidths) -> LabelStyle {
            style(.countryLabel, colors.country, sizes).with {
                ($0.ranks, $0.endZoom, $0.letterSpacing, $0.isUppercase, $0.maxWidth, $0.padding) = (ranks, 8, 0.12, true, 9, 2)
            }
        }
        func city(_ ranks: ClosedRange<Float>, _ weight: FontWeight, _ sizes: ZoomWidths) -> LabelStyle {
            style(.cityLabel, colors.city, sizes).with {
                ($0.ranks, $0.endZoom, $0.weight, $0.haloWidth, $0.padding) = (ranks, 15, weight, 1.1, 4)
            }
        }
        func pointOfInterest(_ zooms: ClosedRange<Float>) -> LabelStyle {
            style(.poiLabel, colors.pointOfInterest, [9: 10.5, 17: 11, 19: 12]).with {
                ($0.ranks, $0.haloWidth, $0.maxWidth, $0.padding) = (zooms, 1.25, 9, 4)
            }
        }
        return [
            country(0...2, [1.5: 9.5, 3: 11.5, 5: 14.5, 7: 17]),
            country(2...1000, [2.5: 9, 4: 11, 6: 13.5, 7: 15]),
            city(0...2.6, .bold, [2.5: 10.5, 5: 13, 8: 16, 11: 20, 14: 22]),
            city(unknownRank, .bold, [1: 10, 4: 11.5, 8: 15, 11: 19, 14: 21]),
            city(2.6...4.6, .bold, [3.6: 10.5, 6: 12.5, 9: 16, 13: 21]),
            city(4.6...7, .regular, [4.8: 10.5, 7: 12.5, 10: 16.5, 13: 20]),
            style(.regionLabel, colors.region, [4.5: 9, 6: 10.5, 8: 12.5]).with {
                ($0.endZoom, $0.letterSpacing, $0.isUppercase, $0.maxWidth, $0.padding) = (9, 0.12, true, 8, 8)
            },
            city(7...1000, .regular, [6.5: 10.5, 9: 12.5, 12: 16.5, 14: 19]),
            style(.townLabel, colors.town, [8: 10.5, 11: 12.5, 14: 16, 16: 18]).with { ($0.endZoom, $0.padding) = (16, 4) },
            style(.waterLabel, colors.water, [0: 10.5, 4: 12, 10: 12, 13: 12.5, 17: 14]).with {
                ($0.halo, $0.haloWidth, $0.letterSpacing, $0.maxWidth, $0.padding) = (waterHalo(colors), 1.25, 0.06, 7, 6)
            },
            style(.villageLabel, colors.village, [11: 10.5, 14: 13, 16: 15]).with { ($0.endZoom, $0.padding) = (17, 4) },
            style(.suburbLabel, colors.suburb, [11.5: 9, 14: 10.5, 16: 12]).with {
                ($0.endZoom, $0.letterSpacing, $0.isUppercase, $0.maxWidth, $0.padding) = (16.5, 0.1, true, 9, 6)
            },
            style(.peakLabel, colors.peak, [10: 10, 13: 11, 16: 12]).with { ($0.haloWidth, $0.padding) = (1.25, 4) },
            style(.roadLabel, colors.road, [11: 10]),
            pointOfInterest(0...15),
            pointOfInterest(15...1000),
        ]
    }

    /// The styles of names along lines, by the role of the line.
    static func roads(_ colors: LabelColors) -> [LabelStyle] {
        func road(_ role: MapRole, _ sizes: ZoomWidths) -> LabelStyle {
            LabelStyle(
                role: role, sizes: sizes, color: Color(hex: colors.road), halo: Color(hex: colors.halo), letterSpacing: 0.02, padding: 6)
        }
        return [
            road(.motorway, [11: 9.5, 14: 10.5, 16: 12, 18: 13.5]),
            road(.trunk, [11.5: 9.5, 14: 10.5, 16: 12, 18: 13.5]),
            road(.primary, [12.5: 9.5, 14: 10.5, 16: 12, 18: 13.5]),
            LabelStyle(
                role: .water, sizes: [11: 9.5, 14: 11, 17: 13], color: Color(hex: colors.water), halo: waterHalo(colors),
                haloWidth: 1.25, letterSpacing: 0.08, padding: 8),
            road(.secondary, [13.5: 9.5, 15: 10.5, 16: 11.5, 18: 13]),
            road(.minor, [15: 9.5, 16: 10.5, 18: 12.5]),
            road(.service, [16.5: 9.5, 18: 11.5]),
            road(.path, [16.5: 9.5, 18: 11]),
        ]
    }

    /// The rank of places whose population is unknown. They are shown as soon as the tiles have them.
    private static let unknownRank: ClosedRange<Float> = 20...20

    /// Names of waters often extend beyond the shore, so their halo must suit both water and land.
    private static func waterHalo(_ colors: LabelColors) -> Color { Color(hex: colors.halo, alpha: 0.65) }

    private func with(_ change: (inout LabelStyle) -> Void) -> LabelStyle {
        var style = self
        change(&style)
        return style
    }
}
