import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct MeshTextureTests {
    init() { PinnedRasterizer.pin }

    /// A square over the whole picture whose texture coordinates run from 0 to `repeats`, its upper left at (0, 0).
    private func drawn(_ image: Bitmap, side: Int, repeats: Float, isWithinTexture: Bool) throws -> Bitmap {
        var scene = MeshScene(side, side)
        let texture = scene.add(image)
        let half = Float(side) / 2
        scene.add(
            square(half), texture: { [($0.x / half + 1) / 2 * repeats, (1 - $0.y / half) / 2 * repeats] }, isWithinTexture: isWithinTexture)
        scene.frame.meshInstances = [MeshInstance(mesh: 0, texture: texture)]
        scene.group()
        return try scene.drawn()
    }

    @Test func texelForPixelWithItsUpperLeftThere() throws {
        var random = SplitMix64(seed: 8)
        let image = Bitmap.noise(13, 13, &random, isOpaque: true)
        #expect(try drawn(image, side: 13, repeats: 1, isWithinTexture: true).largestDifference(to: image) <= 1)
    }

    @Test func repeatsOutsideOfItself() throws {
        var random = SplitMix64(seed: 9)
        let image = Bitmap.noise(8, 8, &random, isOpaque: true)
        let picture = try drawn(image, side: 24, repeats: 3, isWithinTexture: false)
        for y in 0..<24 { for x in 0..<24 { #expect(picture[x, y].isNear(image[x % 8, y % 8])) } }
    }

    @Test func edgesRunIntoTheOppositeOnesOnlyWhereItRepeats() throws {
        var image = Bitmap(width: 2, height: 1, fill: .red)
        image[1, 0] = .opaqueGreen
        let within = try drawn(image, side: 20, repeats: 1, isWithinTexture: true)
        let beyond = try drawn(image, side: 20, repeats: 1, isWithinTexture: false)
        #expect(within[0, 10] == .opaqueRed && within[19, 10] == .opaqueGreen)
        // Half a pixel from the edge: 1/20 of two texels, so between them it is nearly half of each.
        #expect(beyond[0, 10].isNear(.init(red: 140, green: 115, blue: 0, alpha: 255), within: 2))
    }

    @Test func isFilteredWhenLarge() throws {
        var image = Bitmap(width: 2, height: 2, fill: .black)
        image[1, 0] = .white
        image[1, 1] = .white
        let picture = try drawn(image, side: 32, repeats: 1, isWithinTexture: true)
        for x in 0..<32 {
            let share = min(1, max(0, (Double(x) + 0.5) / 16 - 0.5))
            let grey = UInt8((share * 255).rounded())
            #expect(picture[x, 7].isNear(.init(red: grey, green: grey, blue: grey, alpha: 255), within: 2))
        }
    }

    @Test func fineTexturesDrawnSmallAreTheirMean() throws {
        // Stripes of one texel, eight to a pixel and shifted a little: without mipmaps each pixel is black or white.
        var image = Bitmap(width: 256, height: 256, fill: .black)
        for y in 0..<256 { for x in 0..<256 where (x + y) % 2 == 0 { image[x, y] = .white } }
        for side in [11, 30, 64] {
            let picture = try drawn(image, side: side, repeats: 1, isWithinTexture: false)
            for y in 0..<side {
                for x in 0..<side { #expect(picture[x, y].isNear(.init(red: 128, green: 128, blue: 128, alpha: 255), within: 2)) }
            }
        }
    }

    @Test func imagesThatSpritesShowTooAreBoth() throws {
        var random = SplitMix64(seed: 3)
        var scene = MeshScene(20, 10)
        let image = Bitmap.noise(10, 10, &random, isOpaque: true)
        let texture = scene.add(image)
        scene.add(square(5).map { $0.map { [$0.x + 5, $0.y, $0.z] } }, texture: { [$0.x / 10, 0.5 - $0.y / 10] })
        scene.frame.meshInstances = [MeshInstance(mesh: 0, texture: texture)]
        scene.group()
        scene.frame.sprites = [Sprite(x: 0, y: 0, across: (10, 0), down: (0, 10), image: 0, sampling: .nearest)]
        scene.frame.commands.append(.sprites(0..<1, .nearest))
        let picture = try scene.drawn()
        for y in 0..<10 {
            for x in 0..<10 { #expect(picture[x, y] == image[x, y] && picture[x + 10, y].isNear(image[x, y])) }
        }
    }

    @Test func aTextureLargerThanTheDeviceTakesIsScaledDown() throws {
        let limit = try Context.make().info.maxTextureSize
        var image = Bitmap(width: limit * 2, height: 2, fill: .red)
        for x in limit..<limit * 2 { for y in 0..<2 { image[x, y] = .opaqueGreen } }
        let picture = try drawn(image, side: 16, repeats: 1, isWithinTexture: true)
        for y in 0..<16 { for x in 0..<16 where x != 7 && x != 8 { #expect(picture[x, y].isNear(x < 8 ? .opaqueRed : .opaqueGreen)) } }
    }
}
