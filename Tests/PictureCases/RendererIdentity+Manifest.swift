import Foundation
import Waymark

/// The manifest of the expected pictures: the versions that drew them. With the same versions, pictures match to the last bit.
extension RendererIdentity {
    public static let file = PictureCase.root.appendingPathComponent("manifest.json")

    /// The manifest of the pictures; nil if it is missing or unreadable.
    public static let expected: Self? = try? JSONDecoder().decode(Self.self, from: Data(contentsOf: file))

    /// This machine's software rasterizer.
    public static func current() throws -> Self { try Renderer(device: .software).identity() }

    public func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: Self.file, options: .atomic)
    }
}
