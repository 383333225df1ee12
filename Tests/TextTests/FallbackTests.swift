import Foundation
import Testing
import WaymarkText

/// The font of each character.
@Suite struct FallbackTests {
    static let samples: [(name: String, text: String)] = [
        ("Latin", "Hamburgefonstiv fi ffl Å é ñ ø ß"), ("Vietnamese", "Tiếng Việt Đường Nguyễn"), ("Greek", "Αθήνα Ελλάδα"),
        ("Cyrillic", "Москва Київ Ђурђевац"), ("Korean", "서울특별시청 2호선 강남역"), ("Korean NFD", "서울특별시".decomposedStringWithCanonicalMapping),
        ("Japanese", "東京タワー、銀座（駅）"), ("Chinese", "北京市朝阳区「人民」"), ("Thai", "กรุงเทพมหานคร น้ำ ที่นี่"), ("Lao", "ວຽງຈັນ ນໍ້າ"),
        ("Khmer", "ភ្នំពេញ ខ្មែរ"), ("Burmese", "ရန်ကုန် မြန်မာ"), ("Tibetan", "ལྷ་ས བཀྲ་ཤིས"), ("Devanagari", "नई दिल्ली क्षत्रिय हिन्दी"),
        ("Bengali", "কলকাতা ঢাকা স্ত্রী"), ("Tamil", "சென்னை கோயம்புத்தூர்"), ("Telugu", "హైదరాబాద్"), ("Kannada", "ಬೆಂಗಳೂರು"),
        ("Malayalam", "തിരുവനന്തപുരം"), ("Gujarati", "અમદાવાદ"), ("Gurmukhi", "ਅੰਮ੍ਰਿਤਸਰ"), ("Odia", "ଭୁବନେଶ୍ୱର"), ("Sinhala", "කොළඹ ශ්‍රී"),
        ("Arabic", "القاهرة مَرْحَبًا 123 لا"), ("Urdu", "لاہور پاکستان"), ("Hebrew", "ירושלים שָׁלוֹם (abc) 42"),
        ("Mixed", "abc אבג 123 (دبي) def"),
        ("Georgian", "თბილისი"), ("Armenian", "Երևան"), ("Ethiopic", "አዲስ አበባ"), ("Mongolian", "ᠮᠣᠩᠭᠣᠯ"), ("Syriac", "ܫܠܡܐ"),
        ("Thaana", "މާލެ"),
        ("Emoji", "🍎👩‍👩‍👧‍👦🇰🇷👍🏽1️⃣❤️☺︎☺️"), ("Symbols", "★→①♥☎✈∑∫√€₩₿♫"), ("Missing", "a\u{E123}b\u{10FFFD}"),
    ]

    /// The indices of the fonts, by the glyphs from left to right, without repetitions.
    func fonts(_ text: String, weight: FontWeight = .regular, family: String? = nil, language: String = "ko") -> [UInt16] {
        var fonts: [UInt16] = []
        for glyph in layout(text, weight: weight, family: family, language: language).glyphs where fonts.last != glyph.font {
            fonts.append(glyph.font)
        }
        return fonts
    }

    @Test func noMapScriptIsMissing() {
        for (name, text) in Self.samples where name != "Missing" {
            #expect(layout(text).missing.isEmpty, "\(name)")
            #expect(layout(text, weight: .bold).missing.isEmpty, "\(name)")
            #expect(layout(text).glyphs.allSatisfy { $0.id != 0 }, "\(name)")
        }
    }

    @Test func theHanVariantFollowsTheLanguage() {
        // U+9AA8 has three forms in the five regions; U+76F4 has different forms in Japan and China.
        let ids = ["ja", "ko", "zh-Hans", "zh-Hant", "zh-HK"].map { layout("骨直", language: $0).glyphs.map(\.id) }
        let fonts = ["ja", "ko", "zh-Hans", "zh-Hant", "zh-HK"].map { self.fonts("骨", language: $0) }
        #expect(Set(fonts).count == 5)
        #expect(ids[0] != ids[2] && ids[2] != ids[3])
        #expect(self.fonts("骨", language: "en") == fonts[1] && self.fonts("骨", language: "") == fonts[1])
        #expect(self.fonts("骨", language: "zh") == fonts[2] && self.fonts("骨", language: "zh-CN") == fonts[2])
        #expect(self.fonts("骨", language: "zh-TW") == fonts[3] && self.fonts("骨", language: "zh_Hant_HK") == fonts[4])
        #expect(self.fonts("骨", language: "ja-JP") == fonts[0] && self.fonts("骨", language: "yue") == fonts[4])
    }

    @Test func boldIsTheBoldFileWhereThereIsOne() {
        for text in ["a", "가", "ไ", "ع"] {
            #expect(fonts(text) != fonts(text, weight: .bold), "\(text)")
            #expect(layout(text).width != layout(text, weight: .bold).width || text == "가", "\(text)")
        }
        // Tibetan has one; cuneiform and emoji have none.
        #expect(fonts("𒀀") == fonts("𒀀", weight: .bold))
        #expect(fonts("🍎") == fonts("🍎", weight: .bold))
    }

    @Test func aClusterStaysInOneFont() {
        for text in ["👩‍👩‍👧‍👦", "👍🏽", "🇰🇷", "1️⃣", "❤️", "☺️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"] {
            #expect(layout(text).glyphs.count == 1, "\(text)")
            #expect(fonts(text) == fonts("🍎"), "\(text)")
        }
        // Followed by a text selector, or without the emoji selector, they are letters.
        #expect(fonts("☺︎") != fonts("🍎"))
        #expect(fonts("❤") != fonts("🍎"))
        #expect(fonts("1") == fonts("a"))
        #expect(fonts("©") == fonts("a"))
        #expect(fonts("©️") == fonts("🍎"))
        // The base and its mark, though another font has the base, too.
        #expect(fonts("ก้").count == 1)
        #expect(fonts("e\u{301}") == fonts("a"))
    }

    @Test func composesWhatTheFontHasComposed() {
        #expect(layout("서울".decomposedStringWithCanonicalMapping).glyphs.map(\.id) == layout("서울").glyphs.map(\.id))
        #expect(
            layout("é".decomposedStringWithCanonicalMapping).glyphs.map(\.id)
                == layout("é".precomposedStringWithCanonicalMapping).glyphs.map(\.id))
    }

    @Test func textsOfOtherNormalFormsAreOthers() {
        let composed = TextRequest(text: "서울", size: 12)
        let decomposed = TextRequest(text: "서울".decomposedStringWithCanonicalMapping, size: 12)
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(library.layout(composed).lines[0].text == 0..<6)
        #expect(library.layout(decomposed).lines[0].text == 0..<15)
    }

    @Test func commonCharactersAreNotoSans() {
        #expect(fonts("2호선").first == fonts("a").first)
        #expect(fonts("(서울), 1.").last == fonts("a").first)
        // A space is of the font before it, so that a line of Hangul is as tall as one without spaces.
        #expect(layout("서울 시청").lines[0].height == layout("서울시청").lines[0].height)
    }

    @Test func anAskedFamilyComesFirst() {
        #expect(fonts("a", family: "Noto Serif") != fonts("a"))
        #expect(fonts("a", family: "noto serif") == fonts("a", family: "Noto Serif"))
        #expect(fonts("a", weight: .bold, family: "Noto Serif") != fonts("a", family: "Noto Serif"))
        #expect(fonts("a가", family: "Noto Serif") == fonts("a", family: "Noto Serif") + fonts("가"))
        #expect(fonts("a", family: "No Such Family") == fonts("a"))
        #expect(fonts("a", family: "") == fonts("a"))
    }

    @Test func whatNoFontHasIsABoxAndNamedOnceAScript() {
        let found = layout("a\u{10FFFD}\u{10FFFC}b")
        #expect(found.glyphs.map(\.id)[1...2] == [0, 0])
        #expect(found.missing.map(\.description) == ["U+10FFFD (Unknown)"])
        #expect(found.width > layout("ab").width)
        #expect(layout("\u{FFFE}\u{FFFF}").glyphs.count == 2)
        let block = TextBlock(parts: [.init(layout: layout("\u{10FFFD}"), pixelsPerPoint: 1, color: .black)])
        #expect(block.bitmap().pixels.contains { $0 > 0 })
    }
}
