import WaymarkImaging
import WaymarkScene
import WaymarkText
import WaymarkVectorTiles

/// The text of a label, shaped and measured once. It does not depend on the zoom, because texts are measured at one size and scaled.
final class LabelText {
    /// The lines of a label: the name, and a second line beneath it in smaller letters.
    struct Lines: Hashable, Sendable {
        var main: String
        var sub = ""
    }

    /// A measured text.
    struct Measured {
        let text: CaptionText
        fileprivate let box: CaptionBox
        /// The characters that no font has.
        let missing: [FontGap]
    }

    let lines: Lines
    /// The measured text; nil until a picture needs it.
    private(set) var measured: Measured?
    /// The pixels with which the text was last drawn.
    private var pixels: (handle: CaptionImages.Handle, scale: Double, alignment: Double) = (.none, 0, 0)

    /// The text size in pt at which labels are measured.
    static let measuredSize = 16.0
    /// The text size in pt for which the width of a halo is stated. Halos grow with the text.
    private static let haloSize = 12.0
    /// The size of second lines, in another language or with the height of a peak, relative to the first.
    private static let subScale = 0.85
    /// The space in pt between an icon and the text beside it, and between an icon and the box of the text above it or below it. The box
    /// includes some space.
    fileprivate static let (sideGap, gap) = (3.0, 1.0)

    init(_ lines: Lines) { self.lines = lines }

    /// The approximate size in memory of a measured text with these lines, which it contains twice.
    static func byteCount(_ lines: Lines) -> Int {
        160 + MemoryLayout<Measured>.stride + 2 * (lines.main.utf8.count + lines.sub.utf8.count)
    }
}

extension LabelText {
    /// Measures the text, unless it is already measured.
    /// - Parameter hasIcon: Whether the label has an icon. The text is beside it, above it or below it.
    func measure(_ style: LabelStyle, color: Color, hasIcon: Bool, language: String, _ fonts: FontLibrary) {
        guard measured == nil else { return }
        func part(_ text: String, size: Double) -> CaptionText.StyledText {
            CaptionText.StyledText(
                request: TextRequest(
                    text: style.isUppercase ? text.uppercased() : text, size: size, weight: style.weight, language: language,
                    wrapWidth: style.maxWidth * size, letterSpacing: style.letterSpacing), color: color, haloColor: style.halo)
        }
        let size = Self.measuredSize
        let text = CaptionText(
            main: part(lines.main, size: size), sub: lines.sub.isEmpty ? nil : part(lines.sub, size: size * Self.subScale),
            haloWidth: style.haloWidth * size / Self.haloSize)
        var box = CaptionBox(text, main: CaptionStyle.TextStyle(), sub: CaptionStyle.TextStyle(), fonts)
        box.aligns = CaptionBox.Aligns(hasIcon ? [.bottom, .right, .left, .top] : [.center])
        box.offset = hasIcon ? Self.gap : 0
        box.padding = Float(style.padding)
        let missing = [text.main, text.sub].compactMap { $0 }.flatMap { fonts.layout($0.request).missing }
        measured = Measured(text: text, box: box, missing: missing)
    }

    /// The pixels of a label's text at its scale and its align. Lines beside an icon are flush with the icon.
    func handle(_ measured: Measured, _ candidate: PointCandidate, _ images: CaptionImages, _ fonts: FontLibrary) -> CaptionImages.Handle {
        let align = measured.box.aligns[Int(candidate.align)]
        let alignment = align == .left ? 1 : align == .right ? 0 : 0.5
        if (pixels.scale, pixels.alignment) == (candidate.scales.main, alignment), images.has(pixels.handle) { return pixels.handle }
        var text = measured.text
        text.alignment = alignment
        let handle = images.handle(text, candidate.scales, boxWidth: candidate.captionWidth, phase: 0, fonts)
        pixels = (handle, candidate.scales.main, alignment)
        return handle
    }
}

extension LabelText.Measured {
    /// The number of aligns.
    var alignCount: Int { box.aligns.count }

    /// The box of the text at one of its aligns.
    func box(align: Int) -> CaptionBox {
        var box = box
        if box.aligns[align] == .left || box.aligns[align] == .right { box.offset = LabelText.sideGap }
        return box
    }
}
