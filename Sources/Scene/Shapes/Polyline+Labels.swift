import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// The image and the text that are repeated along a line. Lengths are in pt.
package struct LineLabels: Equatable, Sendable {
    package var image: OverlayImage?
    /// The longer side of the image; 0 for the image's own size.
    package var imageSize = 0.0
    package var imageSpacing = 80.0
    /// The distance of the first image from the line's start; nil for half the spacing.
    package var imageOffset: Double?
    package var text = ""
    package var textStyle = CaptionStyle.Values()
    package var textSpacing = 250.0
    package var textOffset = 0.0
    /// The sharpest corner that the text may follow, in degrees.
    package var textMaxAngle = 45.0

    package init() {}

    /// The value for a line without labels.
    static let plain = LineLabels()

    /// Whether an image or text is drawn along the line.
    package var isOn: Bool { image != nil || !text.isEmpty }

    /// The text with its style, as a single line; nil without a text.
    package var caption: Caption? {
        guard !text.isEmpty else { return nil }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return Caption(text: line, subText: "", style: CaptionStyle(textStyle))
    }
}

extension Polyline {
    /// The valid distances in pt between images or texts along a line.
    public static let labelSpacingRange = 1.0...10_000.0
    /// The valid distances in pt of the first image from the start of a line.
    public static let imageOffsetRange = 0.0...10_000.0
    /// The valid values of `lineTextMaxAngle`, in degrees.
    public static let textMaxAngleRange = 0.0...180.0

    /// An image that is repeated along the line and turns with it. On a line from left to right, the image is upright. If the line has
    /// `isPerspectiveEnabled` and is not drawn through the air, the image lies flat in the plane of the line and appears smaller far away.
    /// Otherwise, the image is parallel to the screen and has the same size everywhere. Default nil: no image.
    ///
    /// Each part has its own images. An image is hidden if it overlaps a marker with `isHideCollidedMarkers`, a text of this line, or a
    /// text or an image of a line above this one. Where images overlap only because of perspective, every second image is left out. This is
    /// repeated until the remaining images no longer overlap.
    public final var lineImage: OverlayImage? {
        get { labels.image }
        set { labels.image = newValue }
    }
    /// The length of the longer side of the image in pt, valid in 0…10,000. Default 0: the image has its own size.
    public final var lineImageSize: Double {
        get { labels.imageSize }
        set { labels.imageSize = newValue }
    }
    /// The distance in pt between the centers of two images, measured along the line at the scale of the center of the view, valid in
    /// 1…10,000. No image is closer to the end of a part than half this distance. Default 80.
    public final var lineImageSpacing: Double {
        get { labels.imageSpacing }
        set { labels.imageSpacing = newValue }
    }
    /// The distance in pt from the first point of a part to the center of its first image, valid in 0…10,000. Default nil: half of
    /// `lineImageSpacing`.
    public final var lineImageOffset: Double? {
        get { labels.imageOffset }
        set { labels.imageOffset = newValue }
    }
    /// A single line of text that is repeated along the line and follows its curves. It is never upside down on the screen. If the line has
    /// `isPerspectiveEnabled` and is not drawn through the air, the text lies in the plane of the line and appears smaller far away.
    /// Otherwise, the text has the same size everywhere. Default: empty.
    ///
    /// The text bends only between letters. Letters with their marks, ligatures, and words in scripts that join their letters are never
    /// bent. Each part of the line has its own texts. They are centered on the part: the first text is as far from the part's start as the
    /// last text is from the part's end. A sharp corner, a marker with `isHideCollidedMarkers` or `isHideCollidedCaptions`, or the text or
    /// image of a line above this one can prevent a text from being placed. Nearby places along the line are then tried.
    public final var lineText: String {
        get { labels.text }
        set { labels.text = newValue }
    }
    /// The size of the text in pt, valid in 1…512. Default 12.
    public final var lineTextSize: Double {
        get { labels.textStyle.main.textSize }
        set { labels.textStyle.main.textSize = newValue }
    }
    /// The color of the text. Default: the theme's text color; black without a theme.
    public final var lineTextColor: Color {
        get { labels.textStyle.main.color ?? themeDefaults?.text ?? .black }
        set { labels.textStyle.main.color = newValue }
    }
    /// The color of the text's outline. A transparent color means no outline. Default: the theme's `halo`; white without a theme.
    public final var lineTextHaloColor: Color {
        get { labels.textStyle.main.haloColor ?? themeDefaults?.halo ?? .white }
        set { labels.textStyle.main.haloColor = newValue }
    }
    /// The width of the text's outline in pt, valid in 0…8; 0 means no outline. Default 1.
    public final var lineTextHaloWidth: Double {
        get { labels.textStyle.haloWidth }
        set { labels.textStyle.haloWidth = newValue }
    }
    /// The weight of the text. Default regular.
    public final var lineTextFontWeight: FontWeight {
        get { labels.textStyle.weight }
        set { labels.textStyle.weight = newValue }
    }
    /// The font family that is tried first for each character, as with ``Marker/captionFont``. Default nil.
    public final var lineTextFont: String? {
        get { labels.textStyle.family }
        set { labels.textStyle.family = newValue }
    }
    /// The space added between the letters of the text, in em, valid in -0.25…2, as with ``Marker/captionLetterSpacing``. Default 0.
    public final var lineTextLetterSpacing: Double {
        get { labels.textStyle.letterSpacing }
        set { labels.textStyle.letterSpacing = newValue }
    }
    /// The space in pt that is kept free around the text and the images, valid in 0…100. Default 2.
    public final var lineTextPadding: Double {
        get { labels.textStyle.padding }
        set { labels.textStyle.padding = newValue }
    }
    /// The lowest zoom at which the text is shown, inclusive; valid in 0…24. Default 0.
    public final var lineTextMinZoom: Double {
        get { labels.textStyle.main.minZoom }
        set { labels.textStyle.main.minZoom = newValue }
    }
    /// The highest zoom at which the text is shown, inclusive; valid in 0…24. Default 24.
    public final var lineTextMaxZoom: Double {
        get { labels.textStyle.main.maxZoom }
        set { labels.textStyle.main.maxZoom = newValue }
    }
    /// The distance in pt between the centers of two texts, measured along the line at the scale of the center of the view, valid in
    /// 1…10,000. Texts that are longer than this distance follow one another without overlapping. Default 250.
    public final var lineTextSpacing: Double {
        get { labels.textSpacing }
        set { labels.textSpacing = newValue }
    }
    /// The distance in pt from the line to the middle of the text, valid in -10,000…10,000. Positive values move the text below the line,
    /// and negative values above the line, as seen by a reader of the text. Default 0: centered.
    public final var lineTextOffset: Double {
        get { labels.textOffset }
        set { labels.textOffset = newValue }
    }
    /// The sharpest corner that a text may follow, as a change of the line's direction in degrees, valid in 0…180. Default 45.
    public final var lineTextMaxAngle: Double {
        get { labels.textMaxAngle }
        set { labels.textMaxAngle = newValue }
    }
}
