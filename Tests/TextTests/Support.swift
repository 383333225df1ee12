import WaymarkImaging

import WaymarkText

/// The fonts that the tests' expectations are written for: the packages' of Debian 12.
let library = try! FontLibrary.of(.system)

func layout(
    _ text: String, size: Double = 12, weight: FontWeight = .regular, family: String? = nil, language: String = "ko", wrapWidth: Double = 0,
    letterSpacing: Double = 0
) -> TextLayout {
    library.layout(
        TextRequest(
            text: text, size: size, weight: weight, family: family, language: language, wrapWidth: wrapWidth, letterSpacing: letterSpacing))
}

extension TextLayout {
    /// The text of each line.
    var texts: [String] {
        let bytes = Array(request.text.utf8)
        return lines.map { String(decoding: bytes[$0.text], as: UTF8.self) }
    }

    /// The UTF-8 offsets of all glyphs, line by line from left to right.
    var clusters: [Int] { glyphs.map { Int($0.cluster) } }
}

extension TextBlock {
    var boxWidth: Int { width.isFinite ? Int((width + 0.5).rounded(.down)) : 0 }
    var boxHeight: Int { height.isFinite ? Int((height + 0.5).rounded(.down)) : 0 }

    func ink(phase: Int = 0) -> InkBounds {
        library.ink(of: self, boxWidth: boxWidth, phase: phase)
    }

    func bitmap(phase: Int = 0, in rect: InkBounds? = nil) -> Bitmap {
        library.bitmap(of: self, boxWidth: boxWidth, phase: phase, in: rect ?? ink(phase: phase))
    }
}

extension InkBounds {
    /// The part of it that a test draws.
    var clipped: InkBounds {
        InkBounds(x: x, y: y, width: min(width, 512), height: min(height, 512))
    }
}
