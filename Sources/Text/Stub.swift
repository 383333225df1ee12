import WaymarkImaging
public enum FontWeight: String, Sendable, CaseIterable, Hashable { case regular, bold }
public enum FontSource: Hashable, Sendable {
    case system
    case folder(String)
    public static var `default`: FontSource { .system }
}
public enum FontError: Error, Equatable, Sendable, CustomStringConvertible {
    case none
    public var description: String { "" }
}
package struct TextRequest: Hashable, Sendable {
    package var text: String
    package var size: Double
    package var weight: FontWeight = .regular
    package var family: String? = nil
    package var language: String = "ko"
    package var wrapWidth: Double = 0
    package init(
        text: String, size: Double, weight: FontWeight = .regular, family: String? = nil, language: String = "ko", wrapWidth: Double = 0
    ) {
        self.text = text; self.size = size
    }
}
package final class TextLayout: Sendable {
    package struct Line: Sendable { package let text: Range<Int> }
    package let width: Double, height: Double
    package let lines: [Line]
    package let missing: [String]
    package let request: TextRequest
    init(_ r: TextRequest) { width = 0; height = 0; lines = []; missing = []; request = r }
}
package struct TextBlock: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var layout: TextLayout
        package var pixelsPerPoint: Double
        package var color: Color
        package var haloColor: Color
        package var haloRadius: Double
        package init(layout: TextLayout, pixelsPerPoint: Double, color: Color, haloColor: Color, haloRadius: Double) {
            self.layout = layout; self.pixelsPerPoint = pixelsPerPoint; self.color = color; self.haloColor = haloColor;
            self.haloRadius = haloRadius
        }
        package static func == (a: Part, b: Part) -> Bool { a.layout === b.layout }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(layout)) }
    }
    package var parts: [Part]
    package init(parts: [Part]) { self.parts = parts }
}
package struct InkBounds: Equatable, Sendable {
    package var x: Int, y: Int, width: Int, height: Int
    package init(x: Int, y: Int, width: Int, height: Int) { self.x = x; self.y = y; self.width = width; self.height = height }
}
package final class FontLibrary: Sendable {
    package static func of(_ source: FontSource) throws(FontError) -> FontLibrary { FontLibrary() }
    package func layout(_ request: TextRequest) -> TextLayout { TextLayout(request) }
    package func ink(of block: TextBlock, boxWidth: Int, boxHeight: Int, phase: Int) -> InkBounds {
        InkBounds(x: 0, y: 0, width: 0, height: 0)
    }
    package func bitmap(of block: TextBlock, boxWidth: Int, boxHeight: Int, phase: Int, in rect: InkBounds) -> Bitmap {
        Bitmap(width: rect.width, height: rect.height)
    }
    package var warnings: [String] { [] }
}
