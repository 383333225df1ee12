import Testing
import WaymarkFrame
import WaymarkImaging

@Suite struct PrintTests {
    @Test func printsEveryPrimitive() {
        var frame = Frame(width: 20, height: 10, background: .white)
        frame.images = [FrameImage(key: 1, name: "dot", bitmap: Bitmap(width: 2, height: 3))]
        frame.sprites = [
            Sprite(x: 1, y: 2, across: (2, 0), down: (0, 3), image: 0, sampling: .nearest),
            Sprite(x: -0.25, y: 4, z: 5, across: (1.5, 0.5), down: (-0.5, 1.5), alpha: 0.5, image: 0, plane: .ground),
        ]
        frame.commands = [
            .sprites(0..<1, .nearest), .beginGroup(Group(alpha: 0.5, bounds: PixelRect(x: 1, y: 2, width: 3, height: 4))),
            .sprites(1..<2, .linear), .endGroup,
        ]
        let lines = frame.description.split(separator: "\n").dropFirst(2)
        #expect(
            Array(lines) == [
                "image 0: dot, 2 × 3 px", "1 sprite, nearest", "  image 0 at 1.000 2.000, across 2.000 0.000, down 0.000 3.000",
                "group alpha 0.500, bounds 1 2 3 × 4, samples 1", "  1 sprite, linear",
                "    image 0 on ground at -0.250 4.000 up 5.000, across 1.500 0.500, down -0.500 1.500, alpha 0.500",
            ])
    }
}
