import WaymarkImaging
import WaymarkScene

/// Reads the material libraries of OBJ files: the diffuse color (`Kd`), the opacity (`d` or `Tr`) and the diffuse texture
/// (`map_Kd`).
struct MTLReader {
    /// The appearances by material name.
    private(set) var appearances: [String: FloatMesh.Surface] = [:]
    /// Whether one of the files could not be read. This has already been reported.
    private(set) var isIncomplete = false
    private var read: Set<String> = []

    /// Reads the files named by a `mtllib` line: either one file, whose name may contain blanks, or several files.
    mutating func read(files: String, at place: String, _ source: inout ModelSource) throws(SceneFileError) {
        let names = !files.isEmpty && source.exists(files) ? [files] : files.split(separator: " ").map(String.init)
        guard !names.isEmpty else { throw source.error(place, "the mtllib line names no file") }
        for name in names where read.insert(name).inserted {
            guard let bytes = try source.companion(name, at: place) else {
                isIncomplete = true
                continue
            }
            var reader = Library(name: name, source: source)
            defer { source = reader.source }
            try reader.readAll(bytes.span)
            appearances.merge(reader.appearances) { first, _ in first }
        }
    }

    /// The reader of one library file.
    private struct Library {
        let name: String
        var source: ModelSource
        var appearances: [String: FloatMesh.Surface] = [:]
        var scanner = ByteScanner()
        var current: Material?

        struct Material {
            var name: String
            var appearance = FloatMesh.Surface.plain
            /// Whether `d` set the opacity, in which case `Tr` is ignored: programs disagree on what `Tr` means.
            var hasOpacity = false
        }

        mutating func readAll(_ bytes: Span<UInt8>) throws(SceneFileError) {
            while !scanner.isAtEnd(bytes) {
                if scanner.hasWord(bytes) { try readLine(bytes) }
                scanner.skipLine(bytes)
            }
            finish()
        }

        /// Of two materials with the same name, the first is used.
        private mutating func finish() {
            if let current, appearances[current.name] == nil { appearances[current.name] = current.appearance }
            current = nil
        }

        private mutating func readLine(_ bytes: Span<UInt8>) throws(SceneFileError) {
            let word = scanner.word(bytes)
            if ByteScanner.isWord(word, "newmtl", bytes) {
                finish()
                current = Material(name: ByteScanner.text(scanner.rest(bytes), bytes))
                return
            }
            guard var material = current else { return }
            if ByteScanner.isWord(word, "Kd", bytes) {
                try readDiffuse(bytes, &material)
            } else if ByteScanner.isWord(word, "d", bytes) {
                if scanner.hasWord(bytes), bytes[scanner.offset] == UInt8(ascii: "-") { _ = scanner.word(bytes) }
                material.appearance.diffuse.alpha = try readShare(bytes)
                material.hasOpacity = true
            } else if ByteScanner.isWord(word, "Tr", bytes) {
                let transparency = try readShare(bytes)
                if !material.hasOpacity { material.appearance.diffuse.alpha = 1 - transparency }
            } else if ByteScanner.isWord(word, "map_Kd", bytes) {
                skipOptions(bytes)
                let path = ByteScanner.text(scanner.rest(bytes), bytes)
                guard !path.isEmpty else { throw error("the map_Kd line names no file") }
                material.appearance.texture = try source.texture(path, relativeTo: name, at: "line \(scanner.line)")
            }
            current = material
        }

        private mutating func readDiffuse(_ bytes: Span<UInt8>, _ material: inout Material) throws(SceneFileError) {
            if scanner.hasWord(bytes), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[scanner.offset] | 0x20) {
                // `Kd spectral file.rfl` and `Kd xyz …`.
                source.warn("line \(scanner.line)", "spectral and xyz colors are not supported; the material is drawn white", file: name)
                return
            }
            material.appearance.diffuse.red = try readShare(bytes)
            // A single number is a gray.
            guard scanner.hasWord(bytes) else {
                material.appearance.diffuse.green = material.appearance.diffuse.red
                material.appearance.diffuse.blue = material.appearance.diffuse.red
                return
            }
            material.appearance.diffuse.green = try readShare(bytes)
            material.appearance.diffuse.blue = try readShare(bytes)
        }

        /// Reads a number in 0…1; numbers outside are clamped, with a warning.
        private mutating func readShare(_ bytes: Span<UInt8>) throws(SceneFileError) -> Double {
            guard scanner.hasWord(bytes) else { throw error("a number is missing") }
            guard let number = scanner.number(bytes) else {
                throw error("expected a number, found \(ByteScanner.text(scanner.word(bytes), bytes).quotedBriefly)")
            }
            let share = min(max(number, 0), 1)
            if share != number {
                source.warn("line \(scanner.line)", "\(number.plainText) is outside 0…1; \(share.plainText) is used", file: name)
            }
            return share
        }

        /// Skips options such as `-clamp on` and `-s 1 1 1`.
        private mutating func skipOptions(_ bytes: Span<UInt8>) {
            while scanner.hasWord(bytes), bytes[scanner.offset] == UInt8(ascii: "-") {
                let start = scanner.offset
                let option = ByteScanner.text(scanner.word(bytes), bytes)
                switch option {
                case "-blendu", "-blendv", "-cc", "-clamp", "-imfchan", "-type", "-bm", "-boost", "-texres": skipWords(1, bytes)
                case "-mm": skipWords(2, bytes)
                case "-o", "-s", "-t":
                    var count = 0
                    while count < 3, scanner.hasWord(bytes), scanner.number(bytes) != nil { count += 1 }
                default:
                    // This is not an option, but a file name that begins like one.
                    scanner.offset = start
                    return
                }
            }
        }

        private mutating func skipWords(_ count: Int, _ bytes: Span<UInt8>) {
            for _ in 0..<count where scanner.hasWord(bytes) { _ = scanner.word(bytes) }
        }

        private func error(_ problem: String) -> SceneFileError { source.error("line \(scanner.line)", problem, file: name) }
    }
}
