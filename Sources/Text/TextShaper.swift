import CWaymarkText

/// HarfBuzz and ICU, through `wm_text_shaper`. Only one thread may use a shaper at a time.
final class TextShaper {
    private let pointer: OpaquePointer

    init() {
        // It allocates HarfBuzz's buffer and ICU's bidi object, so it can fail only if memory runs out.
        guard let pointer = wm_text_shaper_create() else { fatalError("out of memory") }
        self.pointer = pointer
    }

    deinit {
        wm_text_shaper_destroy(pointer)
    }
}

extension TextShaper {
    /// Calls `wm_text_shape`. The glyphs are valid until the next call.
    func shape(
        _ text: [UInt16], _ range: Range<Int>, face: FontFace, script: UInt32, isRightToLeft: Bool, isSpaced: Bool, language: String
    ) -> UnsafeBufferPointer<wm_text_glyph> {
        var glyphs: UnsafePointer<wm_text_glyph>?
        let count = wm_text_shape(
            pointer, face.pointer, text, text.count, range.lowerBound, range.count, script, isRightToLeft, isSpaced, language,
            &glyphs)
        return UnsafeBufferPointer(start: glyphs, count: count)
    }

    /// `wm_text_ink`.
    static func ink(of glyphs: [wm_text_glyph], _ face: FontFace) -> (above: Double, below: Double) {
        var (above, below): (Int32, Int32) = (0, 0)
        wm_text_ink(face.pointer, glyphs, glyphs.count, &above, &below)
        return (Double(above), Double(below))
    }

    /// `wm_text_levels`.
    func levels(_ text: [UInt16]) -> [UInt8] {
        var levels = [UInt8](repeating: 0, count: text.count)
        // ICU fails only if memory runs out, and for texts of over 2,147,483,647 units, whose layout fits in no memory.
        guard wm_text_levels(pointer, text, text.count, &levels) else { fatalError("out of memory") }
        return levels
    }

    /// `wm_text_breaks`: one entry more than the number of units.
    func breaks(_ kind: wm_text_break, _ text: [UInt16]) -> [UInt8] {
        var breaks = [UInt8](repeating: 0, count: text.count + 1)
        // ICU's data is a library linked to the program, so it cannot be missing here.
        guard wm_text_breaks(pointer, kind, text, text.count, &breaks) else { fatalError("ICU's data is missing") }
        return breaks
    }

    /// `wm_text_scripts`.
    static func scripts(_ text: [UInt16]) -> [UInt32] {
        var scripts = [UInt32](repeating: 0, count: text.count)
        wm_text_scripts(text, text.count, &scripts)
        return scripts
    }

    static func script(of character: UInt32) -> UInt32 {
        scripts(Unicode.Scalar(character).map { Array(String($0).utf16) } ?? [0xFFFD])[0]
    }

    /// `wm_text_visual_order`.
    static func visualOrder(_ levels: [UInt8]) -> [Int] {
        var order = [Int32](repeating: 0, count: levels.count)
        wm_text_visual_order(levels, levels.count, &order)
        return order.map(Int.init)
    }
}
