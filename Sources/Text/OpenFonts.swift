import CWaymarkText

/// The open faces of a library, and the choice of a face for each character. Only one thread may use them at a time.
final class OpenFonts {
    private var files: FontFiles
    /// The faces by index: two for each entry of `NotoFonts` (regular, bold), then the others.
    private var slots: [Slot] = Array(repeating: .unknown, count: NotoFonts.entries.count * 2)
    /// The files whose indices follow the indices of `NotoFonts`.
    private var otherFiles: [FontFile] = []
    /// All families by name; nil before they are needed.
    private var families: [Family]?
    /// The faces found for requested families, by weight and name. Emptied when full.
    private var asked: [FontWeight: [String: FontFace?]] = [:]
    private var refused: Set<String> = []
    private var stacks: [StackKey: Stack] = [:]
    private var stackCount: UInt64 = 0
    /// The faces found for single characters: the key is the character, with the stack's number in the upper 32 bits. Emptied when full.
    private var known: [UInt64: FontFace?] = [:]
    private(set) var warnings: [String] = []

    private static let mostKnown = 1 << 16
    private static let mostStacks = 1 << 10

    private enum Slot {
        case unknown
        case absent
        case open(FontFace)
    }

    /// A font family with one file for each weight.
    fileprivate struct Family {
        /// The name in lower case.
        let name: String
        let regular: Int
        let bold: Int
    }

    fileprivate struct StackKey: Hashable {
        let script: UInt32
        let isCommon: Bool
        let isEmoji: Bool
        let request: FontRequest
    }

    /// Throws if no font can be opened.
    init(_ source: FontSource) throws(FontError) {
        if let problem = FontLibrary.missingLibrary { throw .missingLibrary(problem: problem) }
        files = try FontFiles(source)
        if primary(.regular, family: nil) == nil { throw .noFonts(source, problem: warnings.first) }
    }
}

/// The font properties that a caption requests.
struct FontRequest: Hashable {
    var weight: FontWeight
    var family: String?
    var variant: NotoFonts.Variant
}

extension OpenFonts {
    /// The faces to try, the best first.
    struct Stack {
        fileprivate let number: UInt64
        /// Indices in `NotoFonts.entries`, in order.
        fileprivate let entries: [Int]
        fileprivate let weight: FontWeight
        fileprivate let family: String?
    }

    /// The stack for characters of a script (an ISO 15924 tag), or for common characters among them.
    func stack(script: UInt32, isCommon: Bool, isEmoji: Bool, request: FontRequest) -> Stack {
        let key = StackKey(script: script, isCommon: isCommon, isEmoji: isEmoji, request: request)
        if let stack = stacks[key] { return stack }
        if stacks.count >= Self.mostStacks {
            stacks.removeAll()
            known.removeAll()
        }
        let stack = Stack(
            number: stackCount, entries: Self.entries(key), weight: request.weight,
            family: request.family)
        stackCount += 1
        stacks[key] = stack
        return stack
    }

    /// The first face of the stack that has this character.
    func face(for character: UInt32, in stack: Stack) -> FontFace? {
        let key = UInt64(character) | stack.number << 32
        if let face = known[key] { return face }
        let face: FontFace?
        if Self.isPrivate(character) {
            // Glyphs of Noto fonts in the private use areas are for internal use.
            let own = stack.family.flatMap { self.face(ofFamily: $0, stack.weight) }.flatMap { $0.has(character) ? $0 : nil }
            face = own ?? otherFace(in: stack) { $0.has(character) }
        } else {
            face = self.face(in: stack) { $0.has(character) }
        }
        if known.count >= Self.mostKnown { known.removeAll() }
        known[key] = .some(face)
        return face
    }

    /// The first face of the stack that has all these characters.
    func face(for characters: [UInt32], in stack: Stack) -> FontFace? {
        guard characters.count > 1 else { return face(for: characters[0], in: stack) }
        // If no face has one of the characters, no face has all of them. The look-up of a single character is cached.
        guard characters.allSatisfy({ face(for: $0, in: stack) != nil }) else { return nil }
        return face(in: stack) { $0.has(characters) }
    }

    /// The face whose missing-glyph sign is drawn for characters missing from all faces. Never nil once a library is open.
    func primary(_ weight: FontWeight, family: String?) -> FontFace? {
        let request = FontRequest(weight: weight, family: family, variant: .korean)
        let stack = stack(script: ISO15924.latin, isCommon: false, isEmoji: false, request: request)
        return face(in: stack) { !$0.isColor } ?? face(in: stack) { _ in true }
    }

    /// Whether a family with this name can be opened.
    func has(family: String) -> Bool { face(ofFamily: family, .regular) != nil }
}

private extension OpenFonts {
    static let entriesByScript: [UInt32: [Int]] = {
        var found: [UInt32: [Int]] = [:]
        for (index, entry) in NotoFonts.entries.enumerated() {
            for script in entry.scripts { found[ISO15924.tag(script), default: []].append(index) }
        }
        return found
    }()

    static func entries(_ key: StackKey) -> [Int] {
        let all = NotoFonts.entries
        var order: [Int] = []
        func add(_ wanted: (NotoFonts.NotoFont) -> Bool) {
            order += all.indices.filter { wanted(all[$0]) && !order.contains($0) }
        }
        let own = (entriesByScript[key.script] ?? []).filter {
            if case .cjk(let variant) = all[$0].coverage { variant == key.request.variant } else { true }
        }
        if key.isEmoji { add { $0.coverage == .emoji } }
        // Noto Sans has the common characters, but only some letters of many scripts.
        if key.isCommon { order.append(0) }
        order += own.filter { !order.contains($0) }
        add { $0.stem == "NotoSans" }
        // Symbols as wide as ideographs look right only among ideographs.
        let isAmongLetters = ISO15924.isReal(key.script) && !(entriesByScript[key.script] ?? []).contains { all[$0].isCJK }
        if isAmongLetters { add { $0.coverage == .symbols } }
        add { $0.coverage == .cjk(key.request.variant) }
        add { $0.coverage == .symbols }
        add { $0.coverage == .emoji }
        add { _ in true }
        return order
    }

    func face(in stack: Stack, where isWanted: (FontFace) -> Bool) -> FontFace? {
        if let family = stack.family, let face = face(ofFamily: family, stack.weight), isWanted(face) { return face }
        for entry in stack.entries {
            if let face = face(ofEntry: entry, stack.weight), isWanted(face) { return face }
        }
        return otherFace(in: stack, where: isWanted)
    }

    func otherFace(in stack: Stack, where isWanted: (FontFace) -> Bool) -> FontFace? {
        for family in allFamilies() {
            // The files of the fixed list were already tried.
            guard max(family.regular, family.bold) >= NotoFonts.entries.count * 2 else { continue }
            if let face = face(of: family, stack.weight), isWanted(face) { return face }
        }
        return nil
    }

    static func isPrivate(_ character: UInt32) -> Bool {
        (0xE000...0xF8FF).contains(character) || character >= 0xF0000
    }

    func face(ofEntry entry: Int, _ weight: FontWeight) -> FontFace? {
        face(of: Family(name: "", regular: entry * 2, bold: entry * 2 + 1), weight)
    }

    /// The face of a weight, or of the other weight if that file is missing or damaged.
    func face(of family: Family, _ weight: FontWeight) -> FontFace? {
        weight == .bold ? open(family.bold) ?? open(family.regular) : open(family.regular) ?? open(family.bold)
    }

    func face(ofFamily name: String, _ weight: FontWeight) -> FontFace? {
        if let face = asked[weight]?[name] { return face }
        let lowercased = name.lowercased()
        let face = allFamilies().first { $0.name == lowercased }.flatMap { self.face(of: $0, weight) }
        if asked[weight, default: [:]].count >= Self.mostStacks { asked[weight] = [:] }
        asked[weight, default: [:]][name] = .some(face)
        return face
    }

    func open(_ slot: Int) -> FontFace? {
        switch slots[slot] {
        case .open(let face): return face
        case .absent: return nil
        case .unknown: break
        }
        var opened: FontFace?
        for file in candidates(slot) {
            opened = open(file, as: slot)
            if opened != nil { break }
        }
        slots[slot] = opened.map { .open($0) } ?? .absent
        return opened
    }

    /// The files that can fill a slot, the best first. The sequence is lazy, because the first file usually exists.
    func candidates(_ slot: Int) -> some Sequence<FontFile> {
        let fixed = NotoFonts.entries.count * 2
        guard slot < fixed else { return AnySequence([otherFiles[slot - fixed]]) }
        let names = NotoFonts.entries[slot / 2].names(slot % 2 == 0 ? .regular : .bold)
        let found = names.lazy.compactMap { [self] name, face in files.path(named: name).map { FontFile(path: $0, face: face) } }
        return AnySequence(found)
    }

    func firstCandidate(_ slot: Int) -> FontFile? {
        candidates(slot).first { _ in true }
    }

    func open(_ file: FontFile, as slot: Int) -> FontFace? {
        var message = [CChar](repeating: 0, count: Int(WM_TEXT_MESSAGE_LENGTH))
        let opened = GlyphPainter.shared.withLock { painter in
            painter.open(file.path, face: file.face, message: &message).map { FontFace($0, index: UInt16(slot)) }
        }
        if opened == nil, refused.insert(file.path).inserted {
            let reason = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            warnings.append("\(file.path): the font is skipped: \(reason)")
        }
        return opened
    }

    /// All families by name. For each weight, they have the nearest upright face or, on ties, the first of these by path.
    func allFamilies() -> [Family] {
        if let families { return families }
        var slotOfFile: [FontFile: Int] = [:]
        for slot in 0..<NotoFonts.entries.count * 2 {
            if let file = firstCandidate(slot), slotOfFile[file] == nil { slotOfFile[file] = slot }
        }
        var found: [Family] = []
        if files.source == .system, let problem = FontLibrary.missingFontconfig { warnings.append(problem) }
        let all = files.everything()
        var start = 0
        while start < all.count {
            let end = all[start...].firstIndex { $0.family != all[start].family } ?? all.count
            let faces = all[start..<end]
            func slot(nearest weight: Int) -> Int? {
                let best = faces.min { a, b in
                    a.isItalic != b.isItalic ? b.isItalic : abs(a.weight - weight) < abs(b.weight - weight)
                }
                guard let best else { return nil }
                let key = FontFile(path: best.path, face: best.face)
                if let slot = slotOfFile[key] { return slot }
                // An index has 16 bits.
                guard slots.count < 1 << 16 else { return nil }
                slotOfFile[key] = slots.count
                slots.append(.unknown)
                otherFiles.append(key)
                return slots.count - 1
            }
            if let regular = slot(nearest: 400), let bold = slot(nearest: 700) {
                found.append(Family(name: all[start].family.lowercased(), regular: regular, bold: bold))
            }
            start = end
        }
        families = found
        return found
    }
}

extension OpenFonts {
    func report() -> FontReport {
        let families = NotoFonts.entries.indices.filter { index in
            // One of the five variants represents all: they are in one file, or in files with the same coverage.
            if case .cjk(let variant) = NotoFonts.entries[index].coverage { variant == .korean } else { true }
        }.map { index in
            let entry = NotoFonts.entries[index]
            return FontReport.Family(
                name: entry.stem, scripts: FontReport.scriptNames(entry.scripts),
                regularFile: open(index * 2) == nil ? nil : firstCandidate(index * 2)?.path,
                boldFile: open(index * 2 + 1) == nil ? nil : firstCandidate(index * 2 + 1)?.path, package: entry.package)
        }
        let found = Set(families.filter { $0.regularFile != nil }.map(\.package))
        let incomplete = Set(families.filter { $0.regularFile == nil }.map(\.package))
        return FontReport(
            source: files.source, versions: FontReport.versions, families: families,
            missingPackages: NotoFonts.packages.filter { !found.contains($0) },
            incompletePackages: NotoFonts.packages.filter { found.contains($0) && incomplete.contains($0) }, fileCount: files.fileCount())
    }
}
