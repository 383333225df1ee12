import Foundation
import WaymarkGPU
import WaymarkText

/// What made the expected pictures: where it is the same, pictures are the same to the last bit.
public struct PictureManifest: Codable, Equatable, Sendable {
    /// GL_RENDERER, which names LLVM and the width of its vectors.
    public var renderer: String
    /// GL_VERSION, which names Mesa.
    public var version: String
    /// FreeType, HarfBuzz and ICU.
    public var text: String
    /// What the fonts come to: their names, sizes and first pages.
    public var fonts: String

    public static let file = PictureCase.root.appendingPathComponent("manifest.json")

    /// The manifest of the pictures; nil when there is none, or none that can be read.
    public static let expected: Self? = try? JSONDecoder().decode(Self.self, from: Data(contentsOf: file))

    /// This machine's software rasteriser.
    public static func current() throws -> Self {
        let info = try Context.make(.software).info
        let report = try FontLibrary.of(.default).report
        return Self(renderer: info.renderer, version: info.version, text: report.versions, fonts: try sum(of: report))
    }

    /// FNV-1a over what tells one release of a font from another; whole files would be 140 MB at every run.
    private static func sum(of report: FontReport) throws -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        for path in report.families.flatMap({ [$0.regularFile, $0.boldFile] }).compactMap(\.self) {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            add(URL(fileURLWithPath: path).lastPathComponent.utf8)
            add(try file.read(upToCount: 16_384) ?? Data())
            add("\(try file.seekToEnd())".utf8)
        }
        return String(sum, radix: 16)
    }

    public func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: Self.file, options: .atomic)
    }
}
