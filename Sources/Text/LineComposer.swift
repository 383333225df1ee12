import CWaymarkText

/// Composes the lines of a layout: runs are shaped, measured, wrapped and put in visual order.
struct LineComposer {
    private let request: TextRequest
    private let shaper: TextShaper
    /// The size in pt per em; 0 if the requested size is invalid.
    private let size: Double
    /// The space in pt between letters; 0 for none.
    private let letterSpacing: Double
    private var itemizer: Itemizer
    private var lines: [TextLayout.Line] = []
    private var glyphs: [TextLayout.Glyph] = []
    private var units: [TextLayout.Unit] = []
    private var faces: [FontFace] = []

    /// The tolerance in pt by which a line may exceed its limit, because sums of advances differ in their last bits.
    private static let tolerance = 1.0 / 1024
    /// The maximum number of times that a line is shortened when it turns out wider than measured.
    private static let mostRetries = 8
    /// The extent of a line's box above and below its baseline, in em, unless its ink extends farther.
    private static let (ascent, descent) = (0.93, 0.27)

    init(_ request: TextRequest, openFonts: OpenFonts, shaper: TextShaper, primary: FontFace) {
        self.request = request
        self.shaper = shaper
        size = request.size.isFinite && request.size > 0 ? request.size : 0
        letterSpacing = request.letterSpacing.isFinite ? request.letterSpacing * size : 0
        let font = FontRequest(weight: request.weight, family: request.family, variant: NotoFonts.Variant(language: request.language))
        itemizer = Itemizer(openFonts: openFonts, shaper: shaper, request: font, primary: primary)
    }

    mutating func layout() -> TextLayout {
        for paragraph in Paragraph.all(of: request.text) { compose(paragraph) }
        let missing = itemizer.missing.map { script, character in
            FontGap(script: String(cString: wm_text_script_name(script)), character: character)
        }
        return TextLayout(request: request, lines: lines, glyphs: glyphs, units: units, missing: missing, faces: faces)
    }
}

/// A run with its glyphs from left to right.
private struct ShapedRun {
    let run: TextRun
    let glyphs: [wm_text_glyph]
    /// The width in pt.
    let width: Double
}

private extension LineComposer {
    mutating func compose(_ paragraph: Paragraph) {
        let shaped = itemizer.runs(of: paragraph).map { shape($0, of: paragraph.text) }
        let gaps = letterSpacing == 0 ? nil : LetterGaps(paragraph, shaper)
        let whole = 0..<paragraph.text.count
        guard request.wrapWidth > 0 else { return append(shaped, whole, paragraph, gaps) }
        let trimmed = Self.trimmed(whole, paragraph)
        if trimmed == whole, lineWidth(shaped, gaps) <= request.wrapWidth + Self.tolerance { return append(shaped, whole, paragraph, gaps) }
        wrap(paragraph, shaped, gaps)
    }

    mutating func wrap(_ paragraph: Paragraph, _ shaped: [ShapedRun], _ gaps: LetterGaps?) {
        let count = paragraph.text.count
        let breaks = LineBreaker.breaks(of: paragraph, shaper)
        let advances = self.advances(shaped, count)
        let spacing = self.spacing(shaped, gaps, count)
        let runs = shaped.map(\.run)
        if request.wrapping == .balanced, let lines = balancedLines(paragraph, runs, breaks, advances, spacing, gaps) {
            for line in lines { append(line.shaped, line.range, paragraph, gaps) }
        } else {
            wrapGreedily(paragraph, runs, breaks, advances, spacing, gaps)
        }
    }

    /// The balanced lines according to the widths in the whole paragraph; nil if one of them, shaped separately, turns out wider than the
    /// limit.
    func balancedLines(
        _ paragraph: Paragraph, _ runs: [TextRun], _ breaks: [Bool], _ advances: [Double], _ spacing: [Double]?, _ gaps: LetterGaps?
    ) -> [(range: Range<Int>, shaped: [ShapedRun])]? {
        guard
            var balancer = LineBalancer(
                paragraph.text, breaks: breaks, advances: advances, spacing: spacing, wrapWidth: request.wrapWidth)
        else { return nil }
        var lines: [(range: Range<Int>, shaped: [ShapedRun])] = []
        var firstRun = 0
        var start = 0
        for end in balancer.balancedEnds() {
            while runs.indices.contains(firstRun), runs[firstRun].range.upperBound <= start { firstRun += 1 }
            let range = Self.trimmed(start..<end, paragraph)
            let line = shape(range, of: paragraph, runs[firstRun...])
            let fits = lineWidth(line, gaps) <= request.wrapWidth + Self.tolerance
            guard fits || !breaks[start + 1..<end].contains(true) else { return nil }
            lines.append((range, line))
            start = end
        }
        return lines
    }

    /// Wraps greedily: each line takes as much as fits, and at least one unbreakable segment.
    mutating func wrapGreedily(
        _ paragraph: Paragraph, _ runs: [TextRun], _ breaks: [Bool], _ advances: [Double], _ spacing: [Double]?, _ gaps: LetterGaps?
    ) {
        let count = paragraph.text.count
        var firstRun = 0
        var start = 0
        repeat {
            // The breaks that fit according to the widths in the whole paragraph; the widest comes last.
            var opportunities: [Int] = []
            var width = 0.0
            var widthToLastInk = 0.0
            var unit = start
            while unit < count {
                // The first letter of a line has no spacing before it.
                if let spacing, unit != start { width += spacing[unit] }
                width += advances[unit]
                if !LineBreaker.isSpace(paragraph.text[unit]) { widthToLastInk = width }
                unit += 1
                guard unit == count || breaks[unit] else { continue }
                if widthToLastInk > request.wrapWidth + Self.tolerance {
                    if opportunities.isEmpty { opportunities.append(unit) }
                    break
                }
                opportunities.append(unit)
                if opportunities.count > 2 * Self.mostRetries { opportunities.removeFirst(Self.mostRetries) }
            }
            while runs.indices.contains(firstRun), runs[firstRun].range.upperBound <= start { firstRun += 1 }
            var retries = 0
            while true {
                let end = opportunities.popLast() ?? count
                let range = Self.trimmed(start..<end, paragraph)
                let line = shape(range, of: paragraph, runs[firstRun...])
                let fits = lineWidth(line, gaps) <= request.wrapWidth + Self.tolerance
                if fits || opportunities.isEmpty || retries == Self.mostRetries {
                    append(line, range, paragraph, gaps)
                    start = end
                    break
                }
                retries += 1
            }
        } while start < count
    }

    /// The runs of a line, shaped separately, because letters do not join across the ends of a line.
    func shape(_ range: Range<Int>, of paragraph: Paragraph, _ runs: ArraySlice<TextRun>) -> [ShapedRun] {
        let text = Array(paragraph.text[range])
        return runs.prefix { $0.range.lowerBound < range.upperBound }.compactMap { run in
            var run = run
            let part = run.range.clamped(to: range)
            guard !part.isEmpty else { return nil }
            run.range = part
            return shape(run, of: text, from: range.lowerBound)
        }
    }

    /// Shapes a run of a text that begins at unit `origin` of the paragraph; the glyphs' clusters refer to the paragraph.
    func shape(_ run: TextRun, of text: [UInt16], from origin: Int = 0) -> ShapedRun {
        let range = run.range.lowerBound - origin..<run.range.upperBound - origin
        let found = shaper.shape(
            text, range, face: run.face, script: run.script, isRightToLeft: run.isRightToLeft,
            isSpaced: letterSpacing != 0 && !LetterGaps.isJoined(run.script), language: request.language)
        var units = 0
        let glyphs = found.map { glyph in
            units += Int(glyph.advance)
            var glyph = glyph
            glyph.cluster += UInt32(origin)
            return glyph
        }
        return ShapedRun(run: run, glyphs: glyphs, width: Double(units) * size / run.face.unitsPerEm)
    }

    /// The advance of each unit in pt; a cluster's advance is stored at its first unit.
    func advances(_ shaped: [ShapedRun], _ count: Int) -> [Double] {
        var advances = [Double](repeating: 0, count: count)
        for run in shaped {
            for glyph in run.glyphs { advances[Int(glyph.cluster)] += Double(glyph.advance) * size / run.run.face.unitsPerEm }
        }
        return advances
    }

    /// The spacing before each unit, in pt; nil without spacing.
    func spacing(_ shaped: [ShapedRun], _ gaps: LetterGaps?, _ count: Int) -> [Double]? {
        guard let gaps else { return nil }
        var isStart = [Bool](repeating: false, count: count)
        for run in shaped {
            for glyph in run.glyphs { isStart[Int(glyph.cluster)] = true }
        }
        var spacing = [Double](repeating: 0, count: count)
        var previous: Int?
        for unit in isStart.indices where isStart[unit] {
            if let previous, gaps.isBetween(previous, unit) { spacing[unit] = letterSpacing }
            previous = unit
        }
        return spacing
    }

    /// The width of a line: the sum of its advances and of the spacing between its letters in visual order.
    func lineWidth(_ shaped: [ShapedRun], _ gaps: LetterGaps?) -> Double {
        var width = shaped.reduce(0) { $0 + $1.width }
        guard let gaps else { return width }
        var previous: Int?
        for index in Self.visualOrder(shaped) {
            for glyph in shaped[index].glyphs {
                if let previous, gaps.isBetween(previous, Int(glyph.cluster)) { width += letterSpacing }
                previous = Int(glyph.cluster)
            }
        }
        return width
    }

    static func visualOrder(_ shaped: [ShapedRun]) -> [Int] {
        shaped.count == 1 ? [0] : TextShaper.visualOrder(shaped.map(\.run.level))
    }

    static func trimmed(_ range: Range<Int>, _ paragraph: Paragraph) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, LineBreaker.isSpace(paragraph.text[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    mutating func append(_ shaped: [ShapedRun], _ range: Range<Int>, _ paragraph: Paragraph, _ gaps: LetterGaps?) {
        let first = glyphs.count
        var pen = 0.0
        var ascent = Self.ascent * size
        var descent = Self.descent * size
        var previous: Int?
        for index in Self.visualOrder(shaped) {
            let run = shaped[index]
            guard !run.glyphs.isEmpty else { continue }
            let face = run.run.face
            let scale = size / face.unitsPerEm
            let ink = TextShaper.ink(of: run.glyphs, face)
            ascent = max(ascent, ink.above * scale)
            descent = max(descent, ink.below * scale)
            if !faces.contains(where: { $0 === face }) { faces.append(face) }
            var advances = 0
            var unit: (cluster: UInt32, isSpace: Bool)?
            let isJoined = LetterGaps.isJoined(run.run.script)
            for glyph in run.glyphs {
                if let gaps {
                    if let previous, gaps.isBetween(previous, Int(glyph.cluster)) { pen += letterSpacing }
                    previous = Int(glyph.cluster)
                }
                if request.hasUnits {
                    let isSpace = LineBreaker.isSpace(paragraph.text[Int(glyph.cluster)])
                    if let known = unit, known.cluster == glyph.cluster || isJoined && known.isSpace == isSpace {
                        extendUnit(to: Double(advances + Int(glyph.advance)) * scale + pen)
                    } else {
                        let start = pen + Double(advances) * scale
                        units.append(
                            TextLayout.Unit(
                                glyphs: glyphs.count..<glyphs.count + 1, start: start, end: start + Double(glyph.advance) * scale))
                    }
                    unit = (glyph.cluster, isSpace)
                }
                glyphs.append(
                    TextLayout.Glyph(
                        font: face.index, id: glyph.glyph, x: Float(pen + Double(advances + Int(glyph.x)) * scale),
                        y: Float(Double(glyph.y) * scale), cluster: UInt32(paragraph.offsets[Int(glyph.cluster)])))
                advances += Int(glyph.advance)
            }
            pen += run.width
        }
        lines.append(
            TextLayout.Line(
                width: max(0, pen), ascent: ascent, descent: descent, glyphs: first..<glyphs.count,
                text: paragraph.offsets[range.lowerBound]..<paragraph.offsets[range.upperBound]))
    }

    /// Adds the next glyph to the last unit.
    mutating func extendUnit(to end: Double) {
        let last = units[units.count - 1]
        units[units.count - 1] = TextLayout.Unit(
            glyphs: last.glyphs.lowerBound..<last.glyphs.upperBound + 1, start: last.start, end: max(last.end, end))
    }
}
