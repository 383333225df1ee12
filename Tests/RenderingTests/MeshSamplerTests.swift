import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkTestSupport

/// How textures are wrapped and filtered.
@Suite(.serialized) struct MeshSamplerTests {
    init() { PinnedRasterizer.pin }

    /// A square over the whole picture whose texture coordinates run from `range.lowerBound` to its upper bound, from the upper left on.
    private func drawn(_ image: Bitmap, side: Int, _ range: ClosedRange<Float>, _ sampler: TextureSampler) throws -> Bitmap {
        var scene = MeshScene(side, side)
        let texture = scene.add(image)
        let half = Float(side) / 2
        let length = range.upperBound - range.lowerBound
        scene.add(
            square(half),
            texture: { [range.lowerBound + ($0.x / half + 1) / 2 * length, range.lowerBound + (1 - $0.y / half) / 2 * length] },
            isWithinTexture: range.lowerBound >= 0 && range.upperBound <= 1)
        scene.frame.meshInstances = [MeshInstance(mesh: 0, texture: texture, sampler: sampler)]
        scene.group()
        return try scene.drawn()
    }

    private func texel(_ index: Int, of count: Int, _ wrap: TextureSampler.Wrap) -> Int {
        switch wrap {
        case .repeat: return (index % count + count) % count
        case .clampToEdge: return min(max(index, 0), count - 1)
        case .mirroredRepeat:
            let place = (index % (2 * count) + 2 * count) % (2 * count)
            return place < count ? place : 2 * count - 1 - place
        }
    }

    @Test(arguments: TextureSampler.Wrap.allCases, TextureSampler.Wrap.allCases)
    func eachAxisWrapsInItsWay(wrapU: TextureSampler.Wrap, wrapV: TextureSampler.Wrap) throws {
        var random = SplitMix64(seed: 5)
        let image = Bitmap.noise(4, 4, &random, isOpaque: true)
        // Four pixels a texel, one and a half textures before the first and after it.
        let picture = try drawn(
            image, side: 64, -1.5...2.5, TextureSampler(wrapU: wrapU, wrapV: wrapV, magFilter: .nearest))
        for y in 0..<64 {
            for x in 0..<64 {
                let (u, v) = (texel(x / 4 - 6, of: 4, wrapU), texel(y / 4 - 6, of: 4, wrapV))
                #expect(picture[x, y].isNear(image[u, v]), "\(x), \(y)")
            }
        }
    }

    @Test func aMirroredTextureWithinItselfIsAsItIs() throws {
        var random = SplitMix64(seed: 6)
        let image = Bitmap.noise(8, 8, &random, isOpaque: true)
        let sampler = TextureSampler(wrapU: .mirroredRepeat, wrapV: .mirroredRepeat)
        #expect(try drawn(image, side: 8, 0...1, sampler).largestDifference(to: image) <= 1)
    }

    @Test func largeTexturesAreFilteredByTheMagnificationFilter() throws {
        var image = Bitmap(width: 2, height: 2, fill: .black)
        image[1, 0] = .white
        image[1, 1] = .white
        for (filter, share) in [
            (TextureSampler.Filter.nearest, { $0 < 0.5 ? 0 : 1 }), (.linear, { min(1, max(0, 2 * $0 - 0.5)) }),
        ] as [(TextureSampler.Filter, (Double) -> Double)] {
            // The other filters have no effect.
            let picture = try drawn(image, side: 32, 0...1, TextureSampler(magFilter: filter, minFilter: .nearest, mipmapFilter: .none))
            for x in 0..<32 {
                let gray = UInt8((share((Double(x) + 0.5) / 32) * 255).rounded())
                #expect(picture[x, 7].isNear(.init(red: gray, green: gray, blue: gray, alpha: 255), within: 2))
            }
        }
    }

    /// The mean of a block of an image, of each channel.
    private func mean(_ image: Bitmap, x: Int, y: Int, side: Int) -> Bitmap.Pixel {
        var sum = SIMD3<Int>.zero
        for row in y..<y + side {
            for column in x..<x + side {
                let pixel = image[column, row]
                sum = sum &+ SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
            }
        }
        func byte(_ sum: Int) -> UInt8 { UInt8((Double(sum) / Double(side * side)).rounded()) }
        return .init(red: byte(sum.x), green: byte(sum.y), blue: byte(sum.z), alpha: 255)
    }

    @Test func smallTexturesWithoutMipmapsSkipTexels() throws {
        var random = SplitMix64(seed: 7)
        let image = Bitmap.noise(48, 48, &random, isOpaque: true)
        // Three texels a pixel, in the middle of the second.
        let nearest = try drawn(image, side: 16, 0...1, TextureSampler(minFilter: .nearest, mipmapFilter: .none))
        // Four texels a pixel, in the middle of the second and third.
        let linear = try drawn(image, side: 12, 0...1, TextureSampler(mipmapFilter: .none))
        for y in 0..<16 { for x in 0..<16 { #expect(nearest[x, y].isNear(image[3 * x + 1, 3 * y + 1])) } }
        for y in 0..<12 {
            for x in 0..<12 { #expect(linear[x, y].isNear(mean(image, x: 4 * x + 1, y: 4 * y + 1, side: 2), within: 2)) }
        }
    }

    @Test(arguments: TextureSampler.Filter.allCases, [TextureSampler.MipmapFilter.nearest, .linear])
    func smallTexturesAreTheirMipmaps(filter: TextureSampler.Filter, mipmaps: TextureSampler.MipmapFilter) throws {
        var random = SplitMix64(seed: 8)
        let image = Bitmap.noise(64, 64, &random, isOpaque: true)
        // A texel of the mipmap of a quarter of the size for each pixel.
        let picture = try drawn(image, side: 16, 0...1, TextureSampler(minFilter: filter, mipmapFilter: mipmaps))
        for y in 0..<16 { for x in 0..<16 { #expect(picture[x, y].isNear(mean(image, x: 4 * x, y: 4 * y, side: 4), within: 3)) } }
    }

    /// The texture is black and white from texel to texel, and all of its mipmaps are gray.
    @Test func mipmapsAreMixedOnlyWhereTheSamplerSaysSo() throws {
        var image = Bitmap(width: 128, height: 128, fill: .black)
        for y in 0..<128 { for x in 0..<128 where (x + y) % 2 == 0 { image[x, y] = .white } }
        func values(texelsPerPixel: Float, _ mipmaps: TextureSampler.MipmapFilter) throws -> [UInt8] {
            let sampler = TextureSampler(minFilter: .nearest, mipmapFilter: mipmaps)
            let picture = try drawn(image, side: 40, 0...texelsPerPixel * 40 / 128, sampler)
            return (0..<40).flatMap { y in (0..<40).map { x in picture[x, y].red } }
        }
        for texelsPerPixel: Float in [1.3, 1.6] {
            #expect(try values(texelsPerPixel: texelsPerPixel, .none).allSatisfy { $0 == 0 || $0 == 255 })
            // Between the texture and a mipmap of half its size.
            #expect(try values(texelsPerPixel: texelsPerPixel, .linear).allSatisfy { (8...247).contains($0) })
        }
        #expect(try values(texelsPerPixel: 1.3, .linear).allSatisfy { !(120...136).contains($0) })
        #expect(try values(texelsPerPixel: 1.3, .nearest).allSatisfy { $0 == 0 || $0 == 255 })
        #expect(try values(texelsPerPixel: 1.6, .nearest).allSatisfy { (126...129).contains($0) })
    }

    @Test func oneImageIsSampledInSeveralWays() throws {
        var image = Bitmap(width: 2, height: 1, fill: .black)
        image[1, 0] = .white
        var scene = MeshScene(16, 8)
        let texture = scene.add(image)
        scene.add(square(4), texture: { [($0.x / 4 + 1) / 2, 0.5] })
        for (number, sampler) in [TextureSampler(magFilter: .nearest), TextureSampler()].enumerated() {
            scene.frame.meshInstances.append(
                MeshInstance(mesh: 0, texture: texture, sampler: sampler, origin: [number == 0 ? -4 : 4, 0, 0]))
        }
        scene.group()
        let picture = try scene.drawn()
        #expect((0..<8).map { picture[$0, 4].red } == [0, 0, 0, 0, 255, 255, 255, 255])
        #expect((8..<16).map { picture[$0, 4].red }.contains { (1...254).contains($0) })
    }
}
