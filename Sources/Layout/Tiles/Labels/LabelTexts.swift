import WaymarkImaging
import WaymarkScene
import WaymarkText
import WaymarkVectorTiles

/// The texts of labels, each shaped and measured once. They do not depend on the zoom: texts are measured at one size and scaled.
struct LabelTexts {
    /// The text size in pt at which labels are measured.
    static let measuredSize = 16.0
    /// The text size in pt for which the width of a halo is stated. Halos grow with the text.
    private static let haloSize = 12.0
    /// The size of second lines, in another language or with the height of a peak, relative to the first.
    private static let subScale = 0.85
    /// The space in pt between an icon and the text beside it, and between an icon and the box of the text above or beneath it, which has
    /// space of its own.
    private static let (sideGap, gap) = (3.0, 1.0)

    /// The lines of a label: the name, and what stands beneath it in smaller letters.
    struct Lines: Hashable, Sendable {
        var main: String
        var sub = ""
    }

    /// A measured text, and the pixels with which it was drawn last.
    struct Measured {
        let text: CaptionText
        let box: CaptionBox
        fileprivate var scale = 0.0
        fileprivate var alignment = 0.5
        fileprivate var handle = CaptionImages.Handle.none
    }

    private var numbers: [Lines: Int32] = [:]
    private var lines: [Lines] = []
    private var measuredNumbers: [UInt64: Int32] = [:]
    private(set) var measured: [Measured] = []
    /// The characters that no font has.
    private(set) var missing: [FontGap] = []

    var count: Int { max(lines.count, measured.count) }
}

extension LabelTexts {
    /// The number of a label's lines. Equal lines have equal numbers.
    mutating func number(_ text: Lines) -> Int32 {
        if let known = numbers[text] { return known }
        let number = Int32(lines.count)
        lines.append(text)
        numbers[text] = number
        return number
    }

    func lines(_ number: Int32) -> Lines { lines[Int(number)] }

    /// The measured text of lines in a style.
    /// - Parameters:
    ///   - key: A number for the style and the color.
    ///   - hasIcon: Whether the text stands beneath or beside an icon.
    mutating func measure(
        _ number: Int32, _ style: LabelStyle, color: Color, key: UInt32, hasIcon: Bool, language: String, _ fonts: FontLibrary
    ) -> Int32 {
        let key = UInt64(UInt32(bitPattern: number)) << 32 | UInt64(key)
        if let known = measuredNumbers[key] { return known }
        let lines = lines[Int(number)]
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
        for part in [text.main, text.sub] {
            guard let part else { continue }
            missing += fonts.layout(part.request).missing
        }
        let index = Int32(measured.count)
        measured.append(Measured(text: text, box: box))
        measuredNumbers[key] = index
        return index
    }

    /// The box of a measured text at one of its aligns.
    func box(_ index: Int32, align: Int) -> CaptionBox {
        var box = measured[Int(index)].box
        if box.aligns[align] == .left || box.aligns[align] == .right { box.offset = Self.sideGap }
        return box
    }

    /// The pixels of a label's text at its scale and its align: lines beside an icon begin, or end, at the icon.
    mutating func handle(_ candidate: PointCandidate, _ images: CaptionImages, _ fonts: FontLibrary) -> CaptionImages.Handle {
        let index = Int(candidate.caption)
        let align = measured[index].box.aligns[Int(candidate.align)]
        let alignment = align == .left ? 1 : align == .right ? 0 : 0.5
        if (measured[index].scale, measured[index].alignment) == (candidate.scales.main, alignment), images.has(measured[index].handle) {
            return measured[index].handle
        }
        var text = measured[index].text
        text.alignment = alignment
        let handle = images.handle(
            text, candidate.scales, size: (candidate.captionWidth, candidate.captionHeight), phase: 0, fonts)
        (measured[index].scale, measured[index].alignment, measured[index].handle) = (candidate.scales.main, alignment, handle)
        return handle
    }
}
