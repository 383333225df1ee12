import Foundation
import WaymarkGPU

/// What made the expected pictures: where it is the same, pictures are the same to the last bit.
public struct PictureManifest: Codable, Equatable, Sendable {
    /// GL_RENDERER, which names LLVM and the width of its vectors.
    public var renderer: String
    /// GL_VERSION, which names Mesa.
    public var version: String

    public static let file = PictureCase.root.appendingPathComponent("manifest.json")

    /// The manifest of the pictures; nil when there is none, or none that can be read.
    public static let expected: Self? = try? JSONDecoder().decode(Self.self, from: Data(contentsOf: file))

    /// This machine's software rasteriser.
    public static func current() throws -> Self {
        let info = try Context.make(.software).info
        return Self(renderer: info.renderer, version: info.version)
    }

    public func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: Self.file, options: .atomic)
    }
}
