import Foundation
import Waymark
import WaymarkComparison
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// The files of an expectation, next to the file of its test: `Pictures/CardTests/city.llvmpipe.png`, `city.llvmpipe.json` with the
/// renderer that drew it and the position of everything in it, and `city.llvmpipe.txt` with the drawn primitives. If the test file has the
/// name of the folder that contains it, such as `CardTests/CardTests.swift`, the files are in `Pictures`, so that no path contains the
/// name twice.
struct ExpectationFiles {
    let folder: String
    /// The name of the test file, without its extension.
    let suite: String
    let name: String

    /// - Parameters:
    ///   - testFile: The path of the source file of the test.
    ///   - name: Letters, digits, hyphens, underscores, spaces and single dots.
    init(testFile: String, name: String) throws(ExpectationError) {
        let isGood = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_ .".unicodeScalars.contains(scalar)
        }
        guard isGood, (1...100).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix(" "), !name.hasSuffix(" ") else {
            throw ExpectationError(
                "\(name.quotedBriefly) is not a valid picture name: use 1 to 100 bytes of letters, digits, -, _, spaces and dots; "
                    + "the name must not begin with a dot or a space, and must not end with a space")
        }
        let file = testFile.split(separator: "/").last.map(String.init) ?? testFile
        let parent = SceneFile.folder(of: testFile)
        suite = file.hasSuffix(".swift") ? String(file.dropLast(6)) : file
        folder = parent.hasSuffix("/\(suite)/") ? "\(parent)Pictures" : "\(parent)Pictures/\(suite)"
        self.name = name
    }

    func picture(_ family: String) -> String { "\(folder)/\(name).\(family).png" }
    func record(_ family: String) -> String { "\(folder)/\(name).\(family).json" }
    func text(_ family: String) -> String { "\(folder)/\(name).\(family).txt" }

    /// The families of renderers with expected pictures, sorted.
    var families: [String] {
        let names = (try? FileSystem.names(in: folder)) ?? []
        return names.filter { $0.hasPrefix(name + ".") && $0.hasSuffix(".png") }.map { String($0.dropFirst(name.count + 1).dropLast(4)) }
            .filter { !$0.isEmpty && !$0.contains(".") }
    }
}

/// A picture with its data; for a sweep, one picture with all views.
struct Expectation {
    var bitmap: Bitmap
    var record: ExpectationRecord
    /// The drawn primitives, one per line. The text explains differences and never causes one. Nil without a text, as in older
    /// expectations.
    var text: String?
}

/// The recorded data of an expected picture.
struct ExpectationRecord: Decodable {
    /// The renderer that drew the picture.
    var drawnBy: RendererIdentity
    /// A hash of the pixels to which this record belongs.
    var pixels: String
    var views: [View]

    struct View: Decodable {
        /// The view's name in a sweep.
        var name: String
        /// The placement; nil if a picture was given without it.
        var inspection: Inspection?
    }

    static func hash(_ bitmap: Bitmap) -> String {
        var hash = Fingerprint("\(bitmap.width) \(bitmap.height) ".utf8)
        hash.add(bitmap.pixels)
        return hash.text
    }

    fileprivate var text: String {
        JSONText.object([
            (
                "drawnBy",
                .object([
                    ("renderer", .string(drawnBy.renderer)), ("version", .string(drawnBy.version)), ("text", .string(drawnBy.text)),
                    ("fonts", .string(drawnBy.fonts)),
                ])
            ),
            ("pixels", .string(pixels)),
            ("views", .array(views.map { .object([("name", .string($0.name)), ("inspection", $0.inspection?.json ?? .null)]) })),
        ]).text + "\n"
    }
}

extension ExpectationFiles {
    /// Reads the expectation of a family of renderers.
    func read(_ family: String) throws(ExpectationError) -> Expectation {
        let (picture, path) = (picture(family), record(family))
        let again = "record the picture again with WAYMARK_RECORD=1"
        let bitmap: Bitmap
        do throws(ImagingError) { bitmap = try Bitmap(contentsOf: picture) } catch { throw ExpectationError("\(error); \(again)") }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try WholeFile.read(path, as: .scene)
        } catch {
            throw ExpectationError("the record of \(name).\(family).png is unusable: \(error); \(again)")
        }
        guard let record = try? JSONDecoder().decode(ExpectationRecord.self, from: Data(bytes)) else {
            throw ExpectationError("\(path): this file is not the record of an expected picture; \(again)")
        }
        guard record.pixels == ExpectationRecord.hash(bitmap) else {
            throw ExpectationError("\(path) does not belong to \(name).\(family).png; \(again)")
        }
        let text = (try? WholeFile.read(text(family), as: .scene)).map { String(decoding: $0, as: UTF8.self) }
        return Expectation(bitmap: bitmap, record: record, text: text)
    }

    /// Writes an expectation: all its files, or none.
    func write(_ expectation: Expectation, _ family: String) throws(ExpectationError) {
        do throws(SystemError) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw ExpectationError("the expectation cannot be recorded: \(folder): \(error)")
        }
        do {
            let bytes = try expectation.bitmap.encoded(as: .png)
            // All files are complete on the disk before the first gets its name.
            let picture = try UnfinishedFile(picture(family))
            try picture.write(bytes)
            let record = try UnfinishedFile(record(family))
            try record.write(Array(expectation.record.text.utf8))
            if let text = expectation.text {
                let file = try UnfinishedFile(self.text(family))
                try file.write(Array(text.utf8))
                try file.finish()
            } else {
                // The old text would describe another picture.
                try FileSystem.remove(self.text(family))
            }
            try record.finish()
            try picture.finish()
        } catch {
            throw ExpectationError("the expectation cannot be recorded: \(error)")
        }
    }
}
