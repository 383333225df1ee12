import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

// Drawing and picking.
extension LineLabelTests {
    /// Every script is drawn: letters as paths, emoji as sprites.
    @Test(arguments: ["مرحبا بالعالم", "हिन्दी में", "ภาษาไทย", "東京の道", "서울로", "Ελλάδα 12", "שלום עולם 5"])
    func everyScriptIsDrawn(_ text: String) throws {
        let line = line([(-150, -10), (0, 10), (150, -5)]) { ($0.width, $0.lineText) = (0, text) }
        let map = map(camera(), line)
        #expect(try self.text(map).isVisible && map.inspection().diagnostics.isEmpty)
        let frame = try map.frame()
        let paths = frame.paths.filter { $0.color.alpha > 0 }
        #expect(paths.count == 2 && paths[0].color == .white && paths[1].color == .black && frame.sprites.isEmpty)
        // As wide as the text, apart from the bearings of its first and last letter.
        let xs = paths[1].contours.flatMap { frame.points(ofContour: $0).map { Double($0.x) } }
        let (width, _) = try textSize(text)
        #expect(abs(xs.max()! - xs.min()! - width) < 6)
    }

    @Test func emojiAreSprites() throws {
        let line = line([(-100, -100), (100, 100)]) { ($0.width, $0.lineText) = (0, "🍎 a") }
        let frame = try map(camera(), line).frame()
        let sprite = try #require(frame.sprites.first)
        #expect(frame.sprites.count == 1 && abs(sprite.acrossX + sprite.acrossY) < 0.01 && sprite.acrossX > 0)
        #expect(frame.paths.contains { $0.color == .black })
    }

    /// Text and image lie above all lines of their key.
    @Test func labelsAreAboveAllLines() throws {
        let (a, b) = (line([(-150, 0), (150, 0)]), line([(-150, 1), (150, 1)]))
        (a.id, b.id, a.lineText, a.lineImage, a.color, b.color, b.width) = ("a", "b", "Text", .solid(8, 8), .red, .blue, 30)
        a.lineTextOffset = -30
        let map = map(camera(), a, b)
        let frame = try map.frame()
        #expect(frame.paths.map(\.color) == [.red, .blue, .white, .black])
        #expect(frame.commands.count == 3)
        let (first, second) = (try entry(map, "a").order, try entry(map, "b").order)
        #expect(first == 0 && second == 1)
    }

    @Test func labelsArePicked() throws {
        let line = line([(-150, 0), (150, 0)]) {
            ($0.lineText, $0.lineTextOffset, $0.lineImage, $0.lineImageSpacing, $0.lineImageSize) = (
                "A long text", -30, .solid(8, 8), 100, 40
            )
        }
        let placement = try map(camera(), line).placement()
        func part(_ x: Double, _ y: Double) -> HitPart? { placement.hits(PickRequest(CGPoint(x: x, y: y), tolerance: 0)).first?.part }
        #expect(part(200, 120) == .caption && part(200, 165) == .icon && part(150.5, 150) == .shape)
        #expect(part(150, 165) == nil && part(200, 80) == nil)
        let areas = placement.areas(lineTolerance: 0)
        #expect(areas.map(\.hit.part).filter { $0 == .icon }.count == 3 && areas.contains { $0.hit.part == .caption })
    }

    /// A label that is in the picture makes its line visible, also where the line itself is outside.
    @Test func aLabelIsVisibleWithoutItsLine() throws {
        let line = line([(-100, 160), (100, 160)]) { ($0.lineText, $0.lineTextOffset) = ("Below", 15) }
        let entry = try entry(map(camera(), line))
        #expect(entry.isVisible && entry.reason == nil && entry.lineText?.isVisible == true)
        line.lineText = ""
        #expect(try self.entry(map(camera(), line)).reason == .outOfView)
    }

    @Test func linesWithoutLabelsAreUnchanged() throws {
        let line = line([(-100, 0), (100, 20)])
        let map = map(camera(), line)
        let plain = try map.frame()
        (line.lineText, line.lineImage) = ("Text", .solid(4, 4))
        let labeled = try map.frame()
        #expect(Array(labeled.paths.prefix(1)) == plain.paths && labeled.paths.count == 3)
        (line.lineText, line.lineImage) = ("", nil)
        #expect(try map.frame() == plain)
        #expect(try entry(map).lineText == nil && entry(map).lineImage == nil)
    }
}
