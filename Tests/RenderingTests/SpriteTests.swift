import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct SpriteTests {
    init() { PinnedRasterizer.pin }

    @Test func anExactSpriteGivesItsPixelsBack() throws {
        var bitmap = Bitmap(width: 3, height: 2)
        for y in 0..<2 {
            for x in 0..<3 { bitmap[x, y] = .init(red: UInt8(x * 40), green: UInt8(y * 90), blue: 7, alpha: UInt8(120 + x * 40)) }
        }
        var frame = Frame(width: 5, height: 5)
        frame.images = [FrameImage(key: 1, name: "test", bitmap: bitmap)]
        frame.sprites = [Sprite(x: 1, y: 2, across: (3, 0), down: (0, 2), image: 0, sampling: .nearest)]
        frame.commands = [.sprites(0..<1, .nearest)]
        // As on a GPU; a software rasterizer's upright images are drawn in memory.
        let picture = try FrameRenderer(Context.make(limits: [.gpuSprites])).render(frame)
        for y in 0..<5 {
            for x in 0..<5 {
                let inside = (1..<4).contains(x) && (2..<4).contains(y)
                #expect(picture[x, y] == (inside ? bitmap[x - 1, y - 2] : .init(red: 0, green: 0, blue: 0, alpha: 0)))
            }
        }
    }
}
