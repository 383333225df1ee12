import CWaymarkText
import WaymarkSystem

/// One face of a font file on disk.
struct FontFile: Hashable {
    let path: String
    let face: UInt32
    var family = ""
    var weight = 400
    var isItalic = false
}

/// The font files of a source. Names are known from the start; families are read when first needed.
struct FontFiles {
    let source: FontSource
    /// The paths of a folder's files by name. If several files have the same name, the first path is used.
    private var byName: [Substring: String] = [:]
    private var paths: [String] = []
    /// All faces by family, then path; nil until first needed.
    private var all: [FontFile]?

    /// The folders of Debian's Noto packages. They are searched first, because fontconfig takes ten times as long to find the same files.
    private static let packagedFolders = ["/usr/share/fonts/truetype/noto", "/usr/share/fonts/opentype/noto"]
    private static let extensions: Set<Substring> = ["ttf", "otf", "ttc", "otc"]

    init(_ source: FontSource) throws(FontError) {
        self.source = source
        guard case .folder(let folder) = source else { return }
        var search = FolderSearch()
        if let reason = search.visit(folder) { throw .unreadableFolder(path: folder, reason: reason) }
        store(search.files.filter { Self.extensions.contains(Self.pathExtension($0)) })
    }

    private static func pathExtension(_ path: String) -> Substring {
        Substring((path.split(separator: ".").last ?? "").lowercased())
    }
}

extension FontFiles {
    /// The file of this name.
    mutating func path(named name: String) -> String? {
        if case .folder = source { return byName[Substring(name)] }
        for folder in Self.packagedFolders where FileSystem.isReadable("\(folder)/\(name)") { return "\(folder)/\(name)" }
        loadAll()
        return byName[Substring(name)]
    }

    /// All faces, by family, then path.
    mutating func everything() -> [FontFile] {
        loadAll()
        return all ?? []
    }

    /// The number of font files.
    mutating func fileCount() -> Int {
        loadAll()
        return paths.count
    }
}

private extension FontFiles {
    mutating func loadAll() {
        guard all == nil else { return }
        var files = source == .system ? Self.systemFiles() : paths.flatMap(Self.faces)
        files.sort { a, b in
            if a.family != b.family { return a.family.utf8.lexicographicallyPrecedes(b.family.utf8) }
            return a.path != b.path ? a.path.utf8.lexicographicallyPrecedes(b.path.utf8) : a.face < b.face
        }
        all = files
        if source == .system { store(Set(files.map(\.path))) }
    }

    /// Stores the paths of all files.
    mutating func store(_ found: some Sequence<String>) {
        paths = found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        byName = Dictionary(paths.map { ($0.split(separator: "/").last ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    static func systemFiles() -> [FontFile] {
        // With too little address space (`ulimit -v`), fontconfig finds only some of the fonts, and stores this list in its cache for all
        // programs.
        if let left = ThreadLimits.addressSpaceLeft, left < leastAddressSpace { return [] }
        var count = 0
        let fonts = wm_text_system_fonts(&count)
        defer { wm_text_system_fonts_free(fonts, count) }
        return UnsafeBufferPointer(start: fonts, count: count).map {
            FontFile(path: String(cString: $0.path), face: $0.index, name: $0.name)
        }.filter { extensions.contains(pathExtension($0.path)) }
    }

    /// The bytes of address space that fontconfig needs. It maps each font to read it, and the largest Noto fonts have 20 MB.
    static let leastAddressSpace: Int64 = 64 << 20

    static func faces(of path: String) -> [FontFile] {
        // A damaged file may declare any number of faces.
        (0..<min(wm_text_file_faces(path), 64)).compactMap { face in
            var name = wm_text_face_name()
            return wm_text_file_name(path, face, &name) ? FontFile(path: path, face: face, name: name) : nil
        }
    }
}

private extension FontFile {
    init(path: String, face: UInt32, name: wm_text_face_name) {
        var name = name
        let family = withUnsafeBytes(of: &name.family) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        self.init(path: path, face: face, family: family, weight: Int(name.weight), isItalic: name.is_italic)
    }
}

/// Searches a folder and its subfolders, with limits on depth and number. Links are followed, but no folder is visited twice.
private struct FolderSearch {
    private(set) var files: [String] = []
    private var visited: Set<FileIdentity> = []
    private var entries = 0

    private static let mostEntries = 100_000
    private static let mostDepth = 16

    /// The system's message if this folder itself cannot be read.
    mutating func visit(_ path: String, depth: Int = 0) -> String? {
        let names: [String]
        do throws(SystemError) {
            guard visited.insert(try FileStatus(path).identity).inserted else { return nil }
            names = try FileSystem.names(in: path, most: Self.mostEntries - entries)
        } catch {
            return error.description
        }
        entries += names.count
        for name in names where !name.hasPrefix(".") {
            let child = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            switch (try? FileStatus(child))?.form {
            case .regular: files.append(child)
            case .folder where depth < Self.mostDepth: _ = visit(child, depth: depth + 1)
            case .folder, .link, .pipe, .socket, .device, nil: break
            }
        }
        return nil
    }
}
