import CWaymarkText
import WaymarkSystem

extension FontLibrary {
    /// The libraries that draw text, for `waymark doctor`.
    package static var libraries: [LibraryFacts] { allLibraries.map(\.facts) }

    /// The reason why no text can be drawn, regardless of the fonts; nil if text can be drawn.
    static var missingLibrary: String? {
        let problems = [WM_TEXT_FREETYPE, WM_TEXT_HARFBUZZ].compactMap { $0.missing?.problem }
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }

    /// The reason why fonts outside the packaged folders are not found; nil if they are found.
    static var missingFontconfig: String? { WM_TEXT_FONTCONFIG.missing?.problem }

    private static let allLibraries = [WM_TEXT_FREETYPE, WM_TEXT_HARFBUZZ, WM_TEXT_ICU, WM_TEXT_FONTCONFIG]
}

extension wm_text_library {
    /// The version, such as "2.12.1".
    var version: String {
        var text = [CChar](repeating: 0, count: Int(WM_TEXT_MESSAGE_LENGTH))
        wm_text_library_version(self, &text)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    fileprivate var facts: LibraryFacts { missing ?? LibraryFacts(texts.name, version: version, purpose: texts.purpose) }

    /// The facts if the library cannot be used; nil if it can.
    fileprivate var missing: LibraryFacts? {
        guard let error = wm_text_library_error(self) else { return nil }
        let (name, purpose, packages) = texts
        return LibraryFacts(name, purpose: purpose, error: String(cString: error), loss: loss, packages: packages)
    }

    private var texts: (name: String, purpose: String, packages: String) {
        switch self {
        case WM_TEXT_FREETYPE:
            ("FreeType", "drawing glyphs", "libfreetype6 (Debian, Ubuntu, openSUSE), freetype (Fedora) or freetype2 (Arch)")
        case WM_TEXT_HARFBUZZ:
            ("HarfBuzz", "shaping text", "libharfbuzz0b (Debian, Ubuntu), libharfbuzz0 (openSUSE) or harfbuzz (Fedora, Arch)")
        case WM_TEXT_FONTCONFIG:
            ("fontconfig", "finding fonts", "libfontconfig1 (Debian, Ubuntu) or fontconfig (Fedora, openSUSE, Arch)")
        default: ("ICU", "breaking lines", "libicu")
        }
    }

    private var loss: String {
        self == WM_TEXT_FONTCONFIG ? "only the Noto fonts in /usr/share/fonts are found" : "no text is drawn"
    }
}
