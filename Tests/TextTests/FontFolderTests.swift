import Foundation
import Testing
import WaymarkTestSupport
import WaymarkText

/// Folders of fonts, whole and broken.
@Suite struct FontFolderTests {
    static let noto = "/usr/share/fonts/truetype/noto"
    let folder = ScratchFolder()

    func link(_ name: String, as other: String? = nil) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(other ?? name)", withDestinationPath: name.hasPrefix("/") ? name : "\(Self.noto)/\(name)")
    }

    func open() throws -> FontLibrary { try FontLibrary(.folder(folder.path)) }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.noto)/\(name)")))
    }

    @Test func anEmptyFolderIsAnError() throws {
        #expect(throws: FontError.noFonts(.folder(folder.path))) { try open() }
        try folder.write("no font", "readme.txt")
        #expect(throws: FontError.noFonts(.folder(folder.path))) { try open() }
        let words = FontError.noFonts(.folder("/fonts")).description
        #expect(
            words
                == "/fonts: this folder has no usable fonts; copy the fonts of the packages fonts-noto-core, fonts-noto-cjk, "
                + "fonts-noto-color-emoji there"
        )
        #expect(
            FontError.noFonts(.system).description
                == "no fonts are installed; install the packages fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji")
    }

    @Test func whatIsNoFolderIsAnError() throws {
        let missing = FontError.unreadableFolder(path: "/no/such/folder", reason: "No such file or directory")
        #expect(throws: missing) { try FontLibrary(.folder("/no/such/folder")) }
        #expect(missing.description == "/no/such/folder: the font folder cannot be read: No such file or directory")
        let file = try folder.write("x", "file")
        #expect(throws: FontError.unreadableFolder(path: file, reason: "Not a directory")) { try FontLibrary(.folder(file)) }
    }

    @Test func aFolderIsReadAndNothingElse() throws {
        try link("NotoSans-Regular.ttf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "abc", size: 12)).missing.isEmpty)
        let korean = library.layout(TextRequest(text: "서울 กรุง", size: 12))
        #expect(korean.missing.map(\.description) == ["U+C11C (Hangul)", "U+0E01 (Thai)"])
        #expect(korean.glyphs.filter { $0.id == 0 }.count == 6)
        #expect(library.warnings.isEmpty)
    }

    @Test func foldersInItAreReadAndLinksThatTurnRoundEnd() throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/a/b", withIntermediateDirectories: true)
        try link("NotoSans-Regular.ttf", as: "a/b/NotoSans-Regular.ttf")
        try link(folder.path, as: "a/b/round")
        try link("/no/such/file.ttf", as: "dangling.ttf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "abc", size: 12)).missing.isEmpty)
        #expect(library.warnings.isEmpty)
    }

    /// A font outside the fixed list is found by its characters, and by its family.
    @Test func otherFontsComeLast() throws {
        try link("NotoSans-Regular.ttf")
        try link("NotoSansThai-Regular.ttf", as: "zz.ttf")
        try link("NotoLoopedThai-Regular.ttf", as: "aa.ttf")
        try link("NotoSansHebrew-Bold.ttf", as: "bold only.otf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "กรุง שלום", size: 12)).missing.isEmpty)
        // Of two that have it, the first family by name, whatever the file is called.
        let chosen = library.layout(TextRequest(text: "กรุง", size: 12)).glyphs.map(\.font)
        #expect(chosen == library.layout(TextRequest(text: "กรุง", size: 12, family: "Noto Looped Thai")).glyphs.map(\.font))
        #expect(chosen != library.layout(TextRequest(text: "กรุง", size: 12, family: "Noto Sans Thai")).glyphs.map(\.font))
    }

    /// The same glyphs, whatever else is there, as long as Noto has the character.
    @Test func otherFontsChangeNothing() throws {
        try link("NotoSans-Regular.ttf")
        try link("NotoSansThai-Regular.ttf")
        let few = try open()
        for name in ["NotoSerif-Regular.ttf", "NotoSerifThai-Regular.ttf", "NotoSansDisplay-Regular.ttf"] { try link(name) }
        try link("NotoSerifThai-Regular.ttf", as: "AAA.ttf")
        let many = try open()
        for text in ["Hello Größe", "กรุงเทพ abc 123"] {
            let a = few.layout(TextRequest(text: text, size: 12))
            let b = many.layout(TextRequest(text: text, size: 12))
            #expect(a.glyphs == b.glyphs && a.lines == b.lines)
        }
    }

    @Test func aFolderWithoutNotoSansWorks() throws {
        try link("NotoSansThai-Regular.ttf", as: "thai.ttf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "กรุง", size: 12)).missing.isEmpty)
        #expect(library.layout(TextRequest(text: "ж", size: 12)).missing.map(\.description) == ["U+0436 (Cyrillic)"])
        #expect(library.layout(TextRequest(text: "", size: 12)).height > 0)
    }

    @Test func aFolderOfOneWeightWorks() throws {
        try link("NotoSans-Bold.ttf")
        let library = try open()
        for weight in FontWeight.allCases {
            #expect(library.layout(TextRequest(text: "abc", size: 12, weight: weight)).missing.isEmpty)
        }
        // A family whose bold file is broken has its regular one, whatever the weight.
        let other = ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(other.path)/a.ttf", withDestinationPath: "\(Self.noto)/NotoSerif-Regular.ttf")
        try other.write(Array(try bytes("NotoSerif-Bold.ttf").dropLast(1000)), "b.ttf")
        let broken = try FontLibrary(.folder(other.path))
        #expect(broken.layout(TextRequest(text: "abc", size: 12, weight: .bold)).missing.isEmpty)
        #expect(broken.warnings.count == 1)
    }

    @Test func aFolderOfEmojiAloneWorks() throws {
        try link("NotoColorEmoji.ttf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "🍎", size: 12)).missing.isEmpty)
        let missing = library.layout(TextRequest(text: "abc", size: 12))
        #expect(missing.missing.map(\.description) == ["U+0061 (Latin)"])
        // Waymark draws the box if the font has no missing-glyph sign.
        let block = TextBlock(parts: [.init(layout: missing, pixelsPerPoint: 2, color: .black)])
        #expect(!library.ink(of: block, boxWidth: 0, phase: 0).isEmpty)
    }

    @Test func brokenFontsAreSkippedWithAWarning() throws {
        let whole = try bytes("NotoSans-Regular.ttf")
        try folder.write(Array(whole.prefix(whole.count / 2)), "NotoSans-Regular.ttf")
        try folder.write([UInt8]("no font at all".utf8), "NotoSansThai-Regular.ttf")
        try folder.write([], "NotoSansKhmer-Regular.ttf")
        try link("NotoSansHebrew-Regular.ttf")
        let library = try open()
        #expect(library.layout(TextRequest(text: "שלום", size: 12)).missing.isEmpty)
        #expect(library.layout(TextRequest(text: "กขค", size: 12)).missing.map(\.description) == ["U+0E01 (Thai)"])
        #expect(library.layout(TextRequest(text: "ភ្នំ", size: 12)).missing.count == 1)
        let warnings = library.warnings.sorted()
        #expect(warnings.count == 3)
        #expect(warnings[0].hasPrefix("\(folder.path)/NotoSans-Regular.ttf: the font is skipped: the file is cut off: the table "))
        #expect(warnings[1] == "\(folder.path)/NotoSansKhmer-Regular.ttf: the font is skipped: the file is not a font")
        #expect(warnings[2] == "\(folder.path)/NotoSansThai-Regular.ttf: the font is skipped: the file is not a font")
        // Asking again warns no more.
        _ = library.layout(TextRequest(text: "กขคง", size: 12))
        #expect(library.warnings.count == 3)
    }

    @Test func onlyBrokenFontsAreNone() throws {
        try folder.write([UInt8](repeating: 7, count: 1000), "NotoSans-Regular.ttf")
        let problem = "\(folder.path)/NotoSans-Regular.ttf: the font is skipped: the file is not a font"
        let none = FontError.noFonts(.folder(folder.path), problem: problem)
        #expect(throws: none) { try open() }
        #expect(none.description.contains(problem))
    }

    /// Truncated at many places, and with bytes changed: never a crash, and a font that opens draws bitmaps of the right size.
    @Test func damagedFontsDoNoHarm() throws {
        var random = SplitMix64(seed: 1)
        let whole = try bytes("NotoSansThai-Regular.ttf")
        for round in 0..<(Seeds.isFull ? 3000 : 150) {
            var damaged = whole
            if round % 3 == 0 {
                damaged.removeLast(random.integer(1...whole.count - 1))
            } else {
                // Within the fonts' table directories, at critical positions, or anywhere.
                for _ in 0..<random.integer(1...20) {
                    let at = random.once(in: 2) ? random.integer(0...whole.count - 1) : random.integer(0...min(4000, whole.count - 1))
                    damaged[at] = UInt8(random.integer(0...255))
                }
            }
            try folder.write(damaged, "NotoSansThai-Regular.ttf")
            guard let library = try? open() else { continue }
            for text in ["กรุงเทพ น้ำ", "abc"] {
                let layout = library.layout(TextRequest(text: text, size: 12, wrapWidth: 30))
                let block = TextBlock(
                    parts: [.init(layout: layout, pixelsPerPoint: 1.5, color: .black, haloColor: .white, haloRadius: 1.5)])
                let ink = library.ink(of: block, boxWidth: 60, phase: 0)
                let bitmap = library.bitmap(of: block, boxWidth: 60, phase: 0, in: ink.clipped)
                #expect(bitmap.width == max(0, ink.clipped.width) && bitmap.height == max(0, ink.clipped.height), "round \(round)")
                #expect(layout.lines.allSatisfy { $0.width.isFinite && $0.height.isFinite }, "round \(round)")
            }
        }
    }

    @Test func theReportTellsWhatIsMissing() throws {
        try link("NotoSans-Regular.ttf")
        try link("NotoSansThai-Regular.ttf")
        try link("NotoSansThai-Bold.ttf")
        let report = try open().report
        #expect(report.fileCount == 3)
        #expect(report.missingPackages == ["fonts-noto-cjk", "fonts-noto-color-emoji"])
        #expect(report.incompletePackages == ["fonts-noto-core"])
        let thai = try #require(report.families.first { $0.name == "NotoSansThai" })
        #expect(thai.scripts == ["Thai"])
        #expect(thai.regularFile == "\(folder.path)/NotoSansThai-Regular.ttf" && thai.boldFile == "\(folder.path)/NotoSansThai-Bold.ttf")
        #expect(report.uncoveredScripts.contains("Hangul") && !report.uncoveredScripts.contains("Latin"))
        #expect(library.report.missingPackages.isEmpty && library.report.incompletePackages.isEmpty)
        #expect(library.report.uncoveredScripts.isEmpty)
    }

    @Test func theEnvironmentChoosesTheSource() {
        #expect(FontSource.default == .system || ProcessInfo.processInfo.environment["WAYMARK_FONT_DIR"] != nil)
    }

    @Test func aSourceIsOpenedOnce() throws {
        try link("NotoSans-Regular.ttf")
        let source = FontSource.folder(folder.path)
        #expect(try FontLibrary.of(source) === FontLibrary.of(source))
        #expect(try FontLibrary.of(source) !== FontLibrary.of(.system))
    }
}
