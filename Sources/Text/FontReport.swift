import CWaymarkText

/// The scripts that a library's fonts cover.
package struct FontReport: Equatable, Sendable {
    /// One family of the fixed list of Noto fonts, in which most characters are found.
    package struct Family: Equatable, Sendable {
        /// The file name without weight and extension: "NotoSansThai".
        package let name: String
        /// The names of the scripts in English, such as "Thai"; empty for symbols and emoji.
        package let scripts: [String]
        /// The file of the regular weight; nil if it is missing.
        package let regularFile: String?
        package let boldFile: String?
        /// The Debian package that contains it.
        package let package: String
    }

    package let source: FontSource
    /// The versions of FreeType, HarfBuzz and ICU.
    package let versions: String
    package let families: [Family]
    /// The packages of the fixed list without any installed family, and the packages with some missing families.
    package let missingPackages: [String]
    package let incompletePackages: [String]
    /// The number of font files, in the list or not.
    package let fileCount: Int
}

extension FontReport {
    /// The scripts that no font of the fixed list covers.
    package var uncoveredScripts: [String] {
        Self.distinct(families.filter { $0.regularFile == nil }.flatMap(\.scripts))
    }

    /// The distinct names, in the same order. A script may have two families.
    package static func distinct(_ scripts: [String]) -> [String] {
        var known: Set<String> = []
        return scripts.filter { known.insert($0).inserted }
    }

    static func scriptNames(_ tags: [String]) -> [String] {
        tags.map(ISO15924.tag).filter(ISO15924.isReal).map { String(cString: wm_text_script_name($0)) }
    }

    static var versions: String {
        "FreeType \(WM_TEXT_FREETYPE.version), HarfBuzz \(WM_TEXT_HARFBUZZ.version), ICU \(WM_TEXT_ICU.version)"
    }
}
