import WaymarkSystem

/// The thickness of a font's strokes.
public enum FontWeight: String, Sendable, CaseIterable, Hashable {
    case regular
    /// The bold file of a family or, if there is none, the regular file, whose strokes are not thickened.
    case bold
}

/// The source of fonts.
public enum FontSource: Hashable, Sendable {
    /// The installed fonts: first those in the Noto packages' own folders, then those known to fontconfig.
    case system
    /// The font files (`ttf`, `otf`, `ttc`, `otc`) in one folder and its subfolders, and no other fonts.
    case folder(String)

    /// The folder named by `WAYMARK_FONT_DIR` or, if that is unset, `.system`.
    public static var `default`: FontSource {
        Environment.value("WAYMARK_FONT_DIR").map { .folder($0) } ?? .system
    }
}

/// The reason why no text can be drawn.
public enum FontError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No usable font was found. If there are font files, `problem` is the reason why the first one cannot be opened.
    case noFonts(FontSource, problem: String? = nil)
    /// The folder is missing, is not a folder, or cannot be read. `reason` is the system's message.
    case unreadableFolder(path: String, reason: String)
    /// A library that is needed to draw text cannot be loaded. `problem` is a complete sentence. This occurs only in programs that do not
    /// link the library.
    case missingLibrary(problem: String)

    public var description: String {
        switch self {
        case .noFonts(.system, let problem):
            "no fonts are installed\(problem.map { " (\($0))" } ?? ""); install the packages \(NotoFonts.packages.joined(separator: " "))"
        case .noFonts(.folder(let path), let problem):
            "\(path.quotedIfEmpty): this folder has no usable fonts\(problem.map { " (\($0))" } ?? ""); copy the fonts of the "
                + "packages \(NotoFonts.packages.joined(separator: ", ")) there"
        case .unreadableFolder(let path, let reason): "\(path.quotedIfEmpty): the font folder cannot be read: \(reason)"
        case .missingLibrary(let problem): problem
        }
    }
}
