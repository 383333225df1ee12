import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Texts of clusters with little room: texts that fit at no size had their full size, and only one of several lines counted.
@Suite struct ClusterTextTests {
    private func map(_ style: some ClusterStyle) -> MapView {
        let map = MapView(400, 300, pixelRatio: 8, Camera(zoom: 3))
        let layer = ClusterLayer((0..<2).map { _ in Marker(position: LatLng(lat: 0, lng: 0)) })
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        map.add(layer)
        return map
    }

    @Test(arguments: [1.0, 2, 4, 6, 7, 8, 10], ["9", "9999"]) func aDiscWithoutRoomHasNoText(size: Double, text: String) throws {
        let style = BasicClusterStyle()
        (style.size, style.text) = (size, text)
        let map = map(style)
        #expect(try map.frame().sprites.count == 1)
        // The full text is still reported.
        #expect(try map.inspection().clusters.map(\.text) == [text])
    }

    @Test(arguments: [14.0, 15.9, 16, 100]) func aWideRingLeavesNoRoom(strokeWidth: Double) throws {
        let style = BasicClusterStyle()
        style.strokeWidth = strokeWidth
        #expect(try map(style).frame().sprites.count == 1)
    }

    @Test(arguments: ["9", "99", "9999", "9\n9", "99\n99\n99", "the\nlong\nstory"], [12.0, 16, 24, 32, 56])
    func whatIsDrawnIsInsideTheRing(text: String, size: Double) throws {
        let style = BasicClusterStyle()
        (style.size, style.text) = (size, text)
        let sprites = try map(style).frame().sprites
        guard sprites.count > 1 else {
            #expect(size < 24)
            return
        }
        let (disc, ink) = (sprites[0], sprites[1])
        let center = (x: Double(disc.x + disc.acrossX / 2), y: Double(disc.y + disc.downY / 2))
        for (x, y) in [(ink.x, ink.y), (ink.x + ink.acrossX, ink.y), (ink.x, ink.y + ink.downY), (ink.x + ink.acrossX, ink.y + ink.downY)] {
            // Descenders, and the pixels to which letters are snapped, reach a little into the margin of 2 pt.
            #expect(hypot(Double(x) - center.x, Double(y) - center.y) <= 8 * (size / 2 - 3))
        }
    }

    @Test(arguments: ["9", "9999", "99\n99"], [0.0, 8, 12, 40])
    func theCountOnAnImageIsFittedIntoACircleOfIt(text: String, radius: Double) throws {
        let style = ImageClusterStyle(image: OverlayImage(bitmap: Bitmap(width: 90, height: 24, fill: .red)))
        (style.text, style.textRadius) = (text, radius)
        let sprites = try map(style).frame().sprites
        try #require(sprites.count == 2)
        let (image, ink) = (sprites[0], sprites[1])
        let center = (x: Double(image.x + image.acrossX / 2), y: Double(image.y + image.downY / 2))
        // By default, half of the shorter side.
        let limit = 8 * (radius == 0 ? 12 : radius)
        for (x, y) in [(ink.x, ink.y), (ink.x + ink.acrossX, ink.y), (ink.x, ink.y + ink.downY), (ink.x + ink.acrossX, ink.y + ink.downY)] {
            // Pixels to which letters are snapped reach a little beyond.
            #expect(hypot(Double(x) - center.x, Double(y) - center.y) <= limit + 12)
        }
        // It is not smaller than necessary.
        style.textRadius = 40
        let full = try map(style).frame().sprites[1]
        let diagonal = hypot(Double(full.acrossX), Double(full.downY))
        #expect(Double(ink.downY) >= Double(full.downY) * min(1, 2 * limit / diagonal) * 0.85 - 8)
    }

    @Test func anInvalidCircleIsReported() throws {
        let style = ImageClusterStyle(image: .pink)
        style.textRadius = -1
        #expect(try map(style).inspection().diagnostics.words.contains { $0.hasSuffix("textRadius: -1 is outside 0…500") })
    }

    @Test func aTextOfSeveralLinesFitsItsImage() throws {
        let image = OverlayImage(bitmap: Bitmap(width: 60, height: 20, fill: .red))
        let style = ImageClusterStyle(image: image)
        style.text = "1\n2\n3"
        let sprites = try map(style).frame().sprites
        #expect(sprites.count == 2 && sprites[1].downY <= 20 * 8 && sprites[1].downY > 10 * 8)
        // One line has the room.
        style.text = "1"
        #expect(try map(style).frame().sprites[1].downY > 8 * 8)
    }
}
