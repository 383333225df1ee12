import Testing

import WaymarkText

@Suite struct LayoutTests {
    @Test func measuresLatin() {
        let layout = layout("Hello")
        #expect(layout.lines.count == 1)
        #expect(layout.glyphs.count == 5)
        #expect(layout.width > 25 && layout.width < 35)
        #expect(layout.missing.isEmpty)
    }
}
