import WaymarkImaging
import WaymarkText
import WaymarkVectorTiles

/// The appearance of the labels of a role. In the list of a theme, labels of earlier styles are placed before those of later ones; labels of
/// one style are placed by their rank.
struct LabelStyle: Sendable {
    let role: MapRole
    /// The text size in pt. Labels are shown from the first zoom up.
    var sizes: ZoomWidths
    var color: Color
    var halo: Color
    /// The width of the halo in pt.
    var haloWidth = 1.5
    /// The zoom from which labels are no longer shown.
    var endZoom = 25.0
    /// The ranks of the labels that have this style. A label has the first style of its role that includes its rank.
    var ranks: ClosedRange<Float> = 0...Float.infinity
    var weight = FontWeight.regular
    /// In em.
    var letterSpacing = 0.0
    var isUppercase = false
    /// The width in em at which texts wrap; 0 for no wrapping.
    var maxWidth = 8.0
    /// The space in pt that is kept free around a label.
    var padding = 3.0

    /// Whether labels of the style are shown at a zoom.
    func isShown(atZoom zoom: Double) -> Bool { zoom < endZoom && sizes.width(atZoom: zoom) != nil }
}

extension LabelStyle {
    /// The colors of labels in a theme.
    struct Colors {
        var place: UInt32
        /// Villages, suburbs and regions.
        var minorPlace: UInt32
        var water: UInt32
        var peak: UInt32
        var poi: UInt32
        var halo: UInt32
        /// The halo of names on water.
        var waterHalo: UInt32
    }

    /// The styles of all labels.
    static func all(_ colors: Colors) -> [LabelStyle] {
        let (place, minor, halo) = (Color(hex: colors.place), Color(hex: colors.minorPlace), Color(hex: colors.halo))
        let (water, waterHalo) = (Color(hex: colors.water), Color(hex: colors.waterHalo))
        return [
            LabelStyle(
                role: .countryLabel, sizes: [1: 10, 4: 14, 7: 18], color: place, halo: halo, endZoom: 9, weight: .bold, letterSpacing: 0.06,
                padding: 6),
            LabelStyle(role: .cityLabel, sizes: [3: 11, 6: 13, 11: 18, 14: 22], color: place, halo: halo, ranks: 0...5, weight: .bold),
            LabelStyle(role: .cityLabel, sizes: [5: 10.5, 9: 13, 12: 17, 14: 20], color: place, halo: halo, weight: .bold),
            LabelStyle(
                role: .regionLabel, sizes: [5: 10, 8: 12], color: minor, halo: halo, endZoom: 10, letterSpacing: 0.1, isUppercase: true,
                padding: 6),
            LabelStyle(role: .townLabel, sizes: [8: 10.5, 12: 13, 15: 17], color: place, halo: halo),
            LabelStyle(role: .waterLabel, sizes: [3: 11, 10: 12, 16: 14], color: water, halo: waterHalo, haloWidth: 1),
            LabelStyle(role: .villageLabel, sizes: [11: 10.5, 14: 13, 17: 15], color: minor, halo: halo),
            LabelStyle(role: .suburbLabel, sizes: [11.5: 10.5, 14: 12.5, 17: 15], color: minor, halo: halo, letterSpacing: 0.02),
            LabelStyle(role: .peakLabel, sizes: [11: 10.5, 16: 12], color: Color(hex: colors.peak), halo: halo),
            LabelStyle(role: .poiLabel, sizes: [14: 10.5, 17: 11.5, 19: 12.5], color: Color(hex: colors.poi), halo: halo, maxWidth: 9),
        ]
    }
}
