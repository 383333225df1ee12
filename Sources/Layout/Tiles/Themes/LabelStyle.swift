import WaymarkImaging
import WaymarkText
import WaymarkVectorTiles

/// The appearance of the labels of a role. Labels of styles that come earlier in a theme's list are placed first. Labels of one style are
/// placed by their rank.
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
    /// The space added between letters, in em.
    var letterSpacing = 0.0
    var isUppercase = false
    /// The width in em at which texts wrap; 0 for no wrapping.
    var maxWidth = 8.0
    /// The space in pt that is kept free around a label.
    var padding = 3.0

    /// Whether labels of the style are shown at a zoom.
    func isShown(atZoom zoom: Double) -> Bool { zoom < endZoom && sizes.width(atZoom: zoom) != nil }
}
