import Foundation
import Testing
import WaymarkImaging

import WaymarkText

/// Pictures to look at, under out/text: run with WAYMARK_TEXT_SHEET=1.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["WAYMARK_TEXT_SHEET"] != nil, "WAYMARK_TEXT_SHEET is not set"))
struct SheetTests {
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

    func write(_ blocks: [(TextBlock, String)], columns: Int, cell: (Int, Int), to name: String) throws {
        let rows = (blocks.count + columns - 1) / columns
        var sheet = Bitmap(width: columns * cell.0, height: rows * cell.1, fill: Color(red: 0.80, green: 0.87, blue: 0.78))
        for (index, (block, _)) in blocks.enumerated() {
            let left = index % columns * cell.0
            let top = index / columns * cell.1
            let dx = (cell.0 - block.boxWidth) / 2
            let dy = (cell.1 - block.boxHeight) / 2
            let rect = InkBounds(x: -dx, y: -dy, width: cell.0, height: cell.1)
            let bitmap = block.bitmap(in: rect)
            for y in 0..<cell.1 {
                for x in 0..<cell.0 {
                    let from = bitmap[x, y]
                    var to = sheet[left + x, top + y]
                    let rest = 255 - Int(from.alpha)
                    to.red = UInt8(Int(from.red) + Int(to.red) * rest / 255)
                    to.green = UInt8(Int(from.green) + Int(to.green) * rest / 255)
                    to.blue = UInt8(Int(from.blue) + Int(to.blue) * rest / 255)
                    sheet[left + x, top + y] = to
                }
            }
        }
        try FileManager.default.createDirectory(atPath: "out/text", withIntermediateDirectories: true)
        try sheet.write(to: "out/text/\(name).png")
    }

    static func block(
        _ text: String, size: Double, ratio: Double, weight: FontWeight = .regular, wrapWidth: Double = 0, language: String = "ko"
    )
        -> TextBlock
    {
        TextBlock(parts: [
            .init(
                layout: layout(text, size: size, weight: weight, language: language, wrapWidth: wrapWidth), pixelsPerPoint: ratio,
                color: .black, haloColor: .white, haloRadius: ratio)
        ])
    }

    @Test func scripts() throws {
        for (ratio, weight) in [(1.0, FontWeight.regular), (2.0, .regular), (2.0, .bold)] {
            let blocks = Self.samples.map { (Self.block($0.text, size: 12, ratio: ratio, weight: weight), $0.name) }
            try write(
                blocks, columns: 3, cell: (Int(230 * ratio), Int(26 * ratio)), to: "scripts-\(Int(ratio))x-\(weight.rawValue)")
        }
    }

    @Test func large() throws {
        let blocks = Self.samples.map { (Self.block($0.text, size: 24, ratio: 2), $0.name) }
        try write(blocks, columns: 2, cell: (800, 100), to: "large")
    }

    @Test func wrapped() throws {
        let texts = [
            "서울특별시청 앞 광장과 덕수궁 돌담길", "東京タワーは「高い」です。いいですね、と言った。", "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย", "abc אבג דהו 123 ghi",
            "القاهرة عاصمة جمهورية مصر العربية", "The quick brown fox jumps over the lazy dog",
        ]
        try write(texts.map { (Self.block($0, size: 14, ratio: 2, wrapWidth: 80), $0) }, columns: 3, cell: (300, 300), to: "wrapped")
    }
}
