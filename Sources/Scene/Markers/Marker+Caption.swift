import WaymarkGeo
import WaymarkImaging
import WaymarkText

extension Marker {
    /// The valid sizes of caption text in pt.
    public static let textSizeRange = 1.0...512.0
    /// The valid widths of caption outlines in pt.
    public static let haloWidthRange = 0.0...8.0
    /// The valid blurs of caption outlines in pt.
    public static let haloBlurRange = 0.0...4.0
    /// The valid spacing between the letters of captions, in em.
    public static let letterSpacingRange = -0.25...2.0
    /// The valid paddings of captions in pt.
    public static let captionPaddingRange = 0.0...100.0

    /// The caption: text next to the icon. `\n` begins a new line; an empty string means no caption. Default: empty.
    public var captionText: String {
        get { markerDetails?.caption?.text ?? "" }
        set { changeCaption(text: newValue) }
    }

    /// The caption's color. Default: the theme's text color; black without a theme.
    public var captionColor: Color {
        get { ownCaptionColor ?? themeDefaults?.text ?? .black }
        set { changeCaptionStyle { $0.main.color = newValue } }
    }

    /// The color of the caption's outline. A transparent color means no outline. Default: the theme's `halo`; white without a theme.
    public var captionHaloColor: Color {
        get { ownCaptionHaloColor ?? themeDefaults?.halo ?? .white }
        set { changeCaptionStyle { $0.main.haloColor = newValue } }
    }

    /// The width in pt of the outline of both captions, valid in 0…8; 0 means no outline. The outline does not count toward the captions'
    /// size and is ignored in collisions. Default 1.
    public var captionHaloWidth: Double {
        get { captionStyle.haloWidth }
        set { changeCaptionStyle { $0.haloWidth = newValue } }
    }

    /// The softness in pt of the outer edge of both captions' outlines, valid in 0…4. The outline fades between two distances from the
    /// letters: `captionHaloWidth` minus this value, and `captionHaloWidth` plus this value. The softness has no effect without an outline,
    /// and is ignored in collisions. Default 0: a sharp edge.
    public var captionHaloBlur: Double {
        get { captionStyle.haloBlur }
        set { changeCaptionStyle { $0.haloBlur = newValue } }
    }

    /// The size of the caption's text in pt, valid in 1…512. Default 12.
    public var captionTextSize: Double {
        get { captionStyle.main.textSize }
        set { changeCaptionStyle { $0.main.textSize = newValue } }
    }

    /// The width in pt at which the caption wraps between words, valid in 0…10,000. Words that are wider than this are not broken. The
    /// caption has as few lines as possible, and its longest line is as short as possible. Default 0: no wrapping.
    public var captionRequestedWidth: Double {
        get { captionStyle.main.requestedWidth }
        set { changeCaptionStyle { $0.main.requestedWidth = newValue } }
    }

    /// The gap between the icon and the caption in pt, valid in -10,000…10,000; at a corner, it applies to both axes. If the gap is
    /// negative, the icon and the caption overlap. The gap has no effect if the placement is `center`. Default 0.
    public var captionOffset: Double {
        get { captionStyle.offset }
        set { changeCaptionStyle { $0.offset = newValue } }
    }

    /// The space added between the letters of both captions, in em (multiples of the text size), valid in -0.25…2; a negative value moves
    /// letters closer together. Combining marks stay with their letters. The letters of cursive scripts such as Arabic stay joined: in
    /// these scripts, space is added only between words. In other scripts, a spacing other than 0 disables optional ligatures. Default 0.
    public var captionLetterSpacing: Double {
        get { captionStyle.letterSpacing }
        set { changeCaptionStyle { $0.letterSpacing = newValue } }
    }

    /// The space in pt that is kept free on every side of the captions, valid in 0…100. The space separates the captions from icons and
    /// symbols that they must not touch. Between two captions, the larger of the two paddings applies. The padding of a caption with
    /// perspective is scaled with the caption. Default 2.
    public var captionPadding: Double {
        get { captionStyle.padding }
        set { changeCaptionStyle { $0.padding = newValue } }
    }

    /// The possible placements of the caption, one to nine, in order of preference. The caption is shown at the first placement where
    /// nothing hides it. Default `[.bottom]`.
    public var captionAligns: [AlignType] {
        get { captionStyle.aligns }
        set { changeCaptionStyle { $0.aligns = newValue } }
    }

    /// Whether the marker is drawn only together with its caption. If this is true and the caption is hidden at all of its `captionAligns`,
    /// the whole marker is not drawn. The marker then hides nothing, and an `Inspection` gives the reason `collided`. Default false: the
    /// icon is drawn without its caption.
    ///
    /// The property has an effect only if something can hide the caption alone. This can be another marker or a cluster with
    /// `isHideCollidedMarkers` or `isHideCollidedCaptions`, unless this marker has `isForceShowCaption`. It can also be the picture's edge
    /// or a map element, if the map has `captionsAvoidEdges` or `captionsAvoidElements`. This marker's own hide flags make no difference.
    ///
    /// In the collision order of `isHideCollidedMarkers`, this marker's icon comes together with its caption, after the icons of all other
    /// markers with equal indexes. The icon and the caption are either both shown or both hidden. A caption that is not shown at the zoom,
    /// or that perspective makes too small, is not required.
    public var isCaptionRequired: Bool {
        get { captionStyle.isRequired }
        set { changeCaptionStyle { $0.isRequired = newValue } }
    }

    /// The placement of the caption. If `captionAligns` has several placements, this is the first.
    public var captionAlign: AlignType {
        get { captionStyle.aligns.first ?? .bottom }
        set { captionAligns = [newValue] }
    }

    /// The lowest zoom at which the captions are shown, inclusive; valid in 0…24. Default 0.
    public var captionMinZoom: Double {
        get { captionStyle.main.minZoom }
        set { changeCaptionStyle { $0.main.minZoom = newValue } }
    }

    /// The highest zoom at which the captions are shown, inclusive; valid in 0…24. Default 24.
    public var captionMaxZoom: Double {
        get { captionStyle.main.maxZoom }
        set { changeCaptionStyle { $0.main.maxZoom = newValue } }
    }

    /// Whether the captions are larger near the viewer and smaller far away. They still face the screen, and their text size changes in
    /// steps of a quarter of a device pixel. A caption that would be smaller than 6 pt is not drawn. Default false.
    public var captionPerspectiveEnabled: Bool {
        get { captionStyle.isPerspective }
        set { changeCaptionStyle { $0.isPerspective = newValue } }
    }

    /// The weight of both captions. Default regular.
    public var captionFontWeight: FontWeight {
        get { captionStyle.weight }
        set { changeCaptionStyle { $0.weight = newValue } }
    }

    /// The font family that is tried first for each character. Characters missing from this family are drawn in Noto, the default family.
    /// Default nil: only Noto is used.
    public var captionFont: String? {
        get { captionStyle.family }
        set { changeCaptionStyle { $0.family = newValue } }
    }

    /// A second text beneath the caption. The two texts form one block. The second text is not drawn without a caption. Default: empty.
    public var subCaptionText: String {
        get { markerDetails?.caption?.subText ?? "" }
        set { changeCaption(subText: newValue) }
    }

    /// The color of the sub-caption. Default: the theme's `secondaryText`; black without a theme.
    public var subCaptionColor: Color {
        get { ownSubCaptionColor ?? themeDefaults?.secondaryText ?? .black }
        set { changeCaptionStyle { $0.sub.color = newValue } }
    }

    /// The color of the sub-caption's outline, which is as wide as the caption's outline. A transparent color means no outline. Default:
    /// the theme's `halo`; white without a theme.
    public var subCaptionHaloColor: Color {
        get { ownSubCaptionHaloColor ?? themeDefaults?.halo ?? .white }
        set { changeCaptionStyle { $0.sub.haloColor = newValue } }
    }

    /// The size of the sub-caption's text in pt, valid in 1…512. Default 12.
    public var subCaptionTextSize: Double {
        get { captionStyle.sub.textSize }
        set { changeCaptionStyle { $0.sub.textSize = newValue } }
    }

    /// The width in pt at which the sub-caption wraps, valid in 0…10,000; see `captionRequestedWidth`. Default 0: no wrapping.
    public var subCaptionRequestedWidth: Double {
        get { captionStyle.sub.requestedWidth }
        set { changeCaptionStyle { $0.sub.requestedWidth = newValue } }
    }

    /// The lowest zoom at which the sub-caption is shown, inclusive; valid in 0…24. Default 0.
    public var subCaptionMinZoom: Double {
        get { captionStyle.sub.minZoom }
        set { changeCaptionStyle { $0.sub.minZoom = newValue } }
    }

    /// The highest zoom at which the sub-caption is shown, inclusive; valid in 0…24. Default 24.
    public var subCaptionMaxZoom: Double {
        get { captionStyle.sub.maxZoom }
        set { changeCaptionStyle { $0.sub.maxZoom = newValue } }
    }

    // The colors that were set; nil for the defaults.
    var ownCaptionColor: Color? {
        get { captionStyle.main.color }
        set { changeCaptionStyle { $0.main.color = newValue } }
    }
    var ownCaptionHaloColor: Color? {
        get { captionStyle.main.haloColor }
        set { changeCaptionStyle { $0.main.haloColor = newValue } }
    }
    var ownSubCaptionColor: Color? {
        get { captionStyle.sub.color }
        set { changeCaptionStyle { $0.sub.color = newValue } }
    }
    var ownSubCaptionHaloColor: Color? {
        get { captionStyle.sub.haloColor }
        set { changeCaptionStyle { $0.sub.haloColor = newValue } }
    }

    /// The captions of the marker; nil if it never had any.
    package var caption: Caption? { markerDetails?.caption }

    /// Uses the caption style of another marker, sharing the same object.
    func copyCaptionStyle(of other: Marker) {
        guard let style = other.caption?.style else { return }
        changeCaption(style: style)
    }

    private var captionStyle: CaptionStyle.Values { caption?.style.values ?? Self.plainCaption }

    private static let plainCaption = CaptionStyle.Values()

    private func changeCaption(text: String? = nil, subText: String? = nil, style: CaptionStyle? = nil) {
        changeMarkerDetails(.caption) { details in
            let old = details.caption
            details.caption = Caption(
                text: text ?? old?.text ?? "", subText: subText ?? old?.subText ?? "", style: style ?? old?.style ?? .default)
        }
    }

    private func changeCaptionStyle(_ edit: (inout CaptionStyle.Values) -> Void) {
        var values = captionStyle
        edit(&values)
        changeCaption(style: CaptionStyle(values))
    }
}
