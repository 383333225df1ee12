import WaymarkSystem

/// The weight of a font's strokes.
public enum FontWeight: String, Sendable, CaseIterable, Hashable {
    case regular
    /// The bold file of a family if it has one, else its regular file: strokes are not emboldened artificially.
    case bold
}

/// A source of fonts.
public enum FontSource: Hashable, Sendable {
    /// The installed fonts: the Noto packages' own folders, then the fonts that fontconfig knows.
    case system
    /// The font files (`ttf`, `otf`, `ttc`, `otc`) of one folder and its subfolders, and nothing else.
    case folder(String)

    /// The folder named by `WAYMARK_FONT_DIR`; if it is unset, `.system`.
    public static var `default`: FontSource {
        Environment.value("WAYMARK_FONT_DIR").map { .folder($0) } ?? .system
    }
}

/// The reason why no text can be drawn.
public enum FontError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No font was found that can be opened. `problem` is the reason why the first font found cannot be opened.
    case noFonts(FontSource, problem: String? = nil)
    /// The folder is missing, is not a folder, or cannot be read; `reason` is the system's message.
    case unreadableFolder(path: String, reason: String)
    /// A library that draws text cannot be loaded. `problem` is the whole sentence. Occurs only in programs that do not link it.
    case missingLibrary(problem: String)

    public var description: String {
        switch self {
        case .noFonts(.system, let problem):
            "no fonts are installed\(problem.map { " (\($0))" } ?? ""); install the packages \(NotoFonts.packages.joined(separator: " "))"
        case .noFonts(.folder(let path), let problem):
            "\(path.quotedIfEmpty): this folder has no usable fonts\(problem.map { " (\($0))" } ?? ""); copy the fonts of "
                + "\(NotoFonts.packages.joined(separator: " ")) there"
        case .unreadableFolder(let path, let reason): "\(path.quotedIfEmpty): the font folder cannot be read: \(reason)"
        case .missingLibrary(let problem): problem
        }
    }
}
