import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The texts of a caption block with their colors. They are created when the block is measured, and again when it is rasterized.
struct CaptionText {
    struct StyledText {
        var request: TextRequest
        var color: Color
        var haloColor: Color
    }

    var main: StyledText
    var sub: StyledText?
    /// The width of the halo in pt.
    var haloWidth: Double
    /// The distance in pt over which the halo's edge fades on each side of its width.
    var haloBlur: Double
    /// The position of lines in the box: 0 at its left edge, 1 at its right edge. Default 0.5: centered.
    var alignment = 0.5
    /// The distance from the letters at which the halo ends, in pt.
    var haloReach: Double { haloWidth > 0 ? haloWidth + haloBlur : 0 }

    init(main: StyledText, sub: StyledText? = nil, haloWidth: Double, haloBlur: Double = 0) {
        (self.main, self.sub, self.haloWidth, self.haloBlur) = (main, sub, haloWidth, haloBlur)
    }

    /// Creates the texts of a marker.
    /// - Parameter theme: The defaults of the map's theme; nil without a theme, and if the colors do not matter.
    init(_ source: Caption, language: String, _ theme: ThemeDefaults?) {
        let style = source.style.values
        func part(_ text: String, _ part: CaptionStyle.TextStyle, _ color: Color?) -> StyledText {
            StyledText(
                request: TextRequest(
                    text: text, size: part.textSize, weight: style.weight, family: style.family, language: language,
                    wrapWidth: part.requestedWidth, letterSpacing: style.letterSpacing), color: part.color ?? color ?? .black,
                haloColor: part.haloColor ?? theme?.halo ?? .white)
        }
        (haloWidth, haloBlur) = (style.haloWidth, style.haloBlur)
        main = part(source.text, style.main, theme?.text)
        sub = source.subText.isEmpty ? nil : part(source.subText, style.sub, theme?.secondaryText)
    }

    /// Returns nil for a symbol without a text.
    /// - Parameter theme: The defaults of the map's theme; nil without a theme, and if the colors do not matter.
    init?(_ symbol: Symbol, language: String, _ theme: ThemeDefaults?) {
        guard !symbol.captionText.isEmpty else { return nil }
        (haloWidth, haloBlur) = (symbol.captionHaloWidth, symbol.captionHaloBlur)
        main = StyledText(
            request: TextRequest(
                text: symbol.captionText, size: symbol.captionTextSize, weight: symbol.captionFontWeight, language: language,
                wrapWidth: symbol.captionRequestedWidth, letterSpacing: symbol.captionLetterSpacing),
            color: symbol.ownCaptionColor ?? theme?.text ?? .black, haloColor: symbol.ownCaptionHaloColor ?? theme?.halo ?? .white)
    }

    /// The block at the given scales.
    func block(_ scales: CaptionBox.Scales, _ fonts: FontLibrary) -> TextBlock {
        func part(_ part: StyledText, _ scale: Double) -> TextBlock.Part {
            TextBlock.Part(
                layout: fonts.layout(part.request), pixelsPerPoint: scale, color: part.color, haloColor: part.haloColor,
                haloRadius: haloWidth * scale, haloBlur: haloBlur * scale)
        }
        var parts = [part(main, scales.main)]
        if let sub, scales.hasSub { parts.append(part(sub, scales.sub)) }
        var block = TextBlock(parts: parts)
        block.alignment = alignment
        return block
    }

    /// The lines after wrapping, from top to bottom.
    func lines(hasSub: Bool, _ fonts: FontLibrary) -> [String] {
        [main, hasSub ? sub : nil].compactMap { $0 }.flatMap { part in
            let bytes = Array(part.request.text.utf8)
            return fonts.layout(part.request).lines.map { String(decoding: bytes[$0.text], as: UTF8.self) }
        }
    }

    /// The block's name in frame listings: the quoted text, shortened to 32 characters.
    func name(hasSub: Bool) -> String {
        let text = main.request.text + (hasSub ? sub.map { "\n" + $0.request.text } ?? "" : "")
        let shown = text.prefix(32)
        let printable = shown.unicodeScalars.map { $0.properties.generalCategory == .control ? "␤" : String($0) }.joined()
        return "text “\(printable)\(shown.count < text.count ? "…" : "")”"
    }
}

extension CaptionBox {
    /// Measures a marker's texts.
    init(_ text: CaptionText, _ style: CaptionStyle.Values, _ fonts: FontLibrary) {
        self.init(text, main: style.main, sub: style.sub, fonts)
        offset = style.offset
        padding = Float(style.padding)
        aligns = Aligns(style.aligns)
        if style.isPerspective { flags.insert(.perspective) }
        if style.isRequired { flags.insert(.required) }
    }

    /// Measures texts that are placed below their icon, without a gap.
    init(_ text: CaptionText, main: CaptionStyle.TextStyle, sub: CaptionStyle.TextStyle, _ fonts: FontLibrary) {
        func part(_ part: CaptionText.StyledText, _ style: CaptionStyle.TextStyle) -> MeasuredText {
            let layout = fonts.layout(part.request)
            return MeasuredText(
                width: layout.width, height: layout.height, size: part.request.size, minZoom: style.minZoom, maxZoom: style.maxZoom)
        }
        self.main = part(text.main, main)
        self.sub = text.sub.map { part($0, sub) } ?? MeasuredText()
        offset = 0
        padding = 0
        haloReach = Float(text.haloReach)
        aligns = Aligns([.bottom])
        flags = text.sub == nil ? [] : .sub
    }
}

extension Marker {
    /// The marker's caption; nil if it has no text.
    var shownCaption: Caption? { caption.flatMap { $0.text.isEmpty ? nil : $0 } }
}
