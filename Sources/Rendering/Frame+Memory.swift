import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkSystem

/// The limits for drawing a frame in memory. Paths are drawn in this way, and images pixel for pixel, such as names. With a software
/// rasterizer, groups of meshes above them are included; the device draws them separately. Otherwise, everything beneath them would have to
/// be copied to the device, where compositing is slower.
struct MemoryLimits {
    /// The maximum number of images. The limit is high for a software rasterizer, because the picture would have to be copied to it and
    /// back. A GPU draws many images faster.
    var images: Int
    /// The maximum area of all images, in areas of the picture.
    var area = 4.0
    /// Whether groups of meshes are allowed, too.
    var allowsMeshes: Bool

    /// The number of images from which a frame has many.
    static let manyImages = 1024
    /// The maximum number of different images among many.
    static let mostDistinctImages = 256

    init(isSoftware: Bool) { (images, allowsMeshes) = (isSoftware ? 4096 : 64, isSoftware) }

    /// The limits for a frame that shows few images many times, and nothing else. It needs no paths at the bottom: two threads draw 10,000
    /// icons of 24 pixels in a third of the time of the software rasterizer.
    static let forManyImages = {
        var limits = MemoryLimits(isSoftware: true)
        (limits.images, limits.area) = (.max, 32)
        return limits
    }()
}

extension Frame {
    /// Whether the given command and all later ones only draw paths, and images pixel for pixel.
    func isDrawnInMemory(from first: Int, _ limits: MemoryLimits) -> Bool {
        var (count, area) = (0, 0.0)
        let mostArea = limits.area * Double(width) * Double(height)
        var isInGroup = false
        return commands[first...].allSatisfy { command in
            switch command {
            case .paths: return !isInGroup
            case .sprites(let range, .nearest):
                count += range.count
                guard !isInGroup, count <= limits.images else { return false }
                for sprite in sprites[range] {
                    guard sprite.isPixelForPixel else { return false }
                    area += Double(sprite.acrossX) * Double(sprite.downY)
                }
                return area <= mostArea
            case .beginGroup(let group):
                defer { isInGroup = true }
                return limits.allowsMeshes && !isInGroup && group.depths != nil && group.alpha == 1
            case .endGroup:
                isInGroup = false
                return true
            // Translucent meshes without samples are drawn directly over the content below.
            case .meshes(_, let blending): return isInGroup && blending != .translucent
            case .sprites, .tiles, .sky: return false
            }
        }
    }

    /// Whether the frame consists of few images that are shown many times.
    var hasOnlyManyImages: Bool {
        guard images.count <= MemoryLimits.mostDistinctImages else { return false }
        var count = 0
        for command in commands {
            guard case .sprites(let range, _) = command else { return false }
            count += range.count
        }
        return count >= MemoryLimits.manyImages
    }

    /// The ranges and opacities of tilted tiles (empty without such tiles), the sky above them, and the number of commands for both.
    typealias TiltedTiles = (runs: [(range: Range<Int>, alpha: Float)], sky: FrameSky?, count: Int)

    /// The commands at the bottom that draw tilted tiles with their mipmaps, and the sky above them.
    var tiltedTiles: TiltedTiles {
        var runs: [(range: Range<Int>, alpha: Float)] = []
        for case .tiles(let range, let drawing) in commands.prefix(while: \.drawsMipmappedTiles) { runs.append((range, drawing.alpha)) }
        guard !runs.isEmpty, runs.count < commands.count, case .sky(let sky) = commands[runs.count] else { return (runs, nil, runs.count) }
        return (runs, sky, runs.count + 1)
    }
}

extension FrameRenderer {
    /// Draws the given command of a frame and all later ones over the content of a picture. `isDrawnInMemory` must be true for them. The
    /// pixels are the same as on a device.
    /// - Parameter sky: The sky beneath, into which paths on the ground fade.
    func draw(_ frame: Frame, from first: Int, under sky: FrameSky?, into buffer: PixelBuffer) throws(GPUError) {
        var start = first
        for (number, command) in frame.commands.enumerated().dropFirst(first) {
            switch command {
            case .paths(let range): buffer.blend(range, of: frame, paths, under: sky)
            case .sprites(let range, _): buffer.blend(frame.sprites[range], of: frame.images, threads: paths.threadCount)
            case .beginGroup: start = number
            case .endGroup:
                guard case .beginGroup(let group) = frame.commands[start], group.bounds.width > 0, group.bounds.height > 0 else { continue }
                let meshes = frame.commands[start + 1..<number]
                var layer = [UInt32](repeating: 0, count: group.bounds.width * group.bounds.height)
                // withUnsafeMutableBytes has no typed throws, so the error is passed outside of it.
                let result = layer.withUnsafeMutableBytes { memory in
                    Result { () throws(GPUError) in try draw(group, meshes, of: frame, under: sky, into: memory) }
                }
                try result.get()
                buffer.blend(layer, group.bounds)
            case .meshes, .tiles, .sky: break
            }
        }
    }
}

extension Command {
    fileprivate var drawsMipmappedTiles: Bool {
        if case .tiles(_, let drawing) = self { drawing.filter == .mipmapped } else { false }
    }
}

extension Sprite {
    /// Whether the sprite shows the pixels of its image unchanged, at whole device pixels of the picture.
    fileprivate var isPixelForPixel: Bool {
        plane == .screen && sampling == .nearest && alpha == 1 && tint == .none && acrossY == 0 && downX == 0 && acrossX > 0 && downY > 0
            && x == x.rounded() && y == y.rounded() && acrossX == acrossX.rounded() && downY == downY.rounded()
    }
}

extension PixelBuffer {
    /// Composites the pixels of images that sprites show over the picture, one sprite after another.
    fileprivate func blend(_ sprites: ArraySlice<Sprite>, of images: [FrameImage], threads: Int) {
        // Bands of rows that stay in the cache of a processor core.
        let isDivided = sprites.count >= MemoryLimits.manyImages && images.count <= MemoryLimits.mostDistinctImages
        // Pixels are made on this thread.
        let bitmaps = isDivided ? images.map(\.bitmap) : []
        let bandRows = isDivided ? 64 : max(1, height)
        let bandCount = (height + bandRows - 1) / bandRows
        func draw(_ band: Int) {
            let rows = band * bandRows..<min((band + 1) * bandRows, height)
            let (top, bottom) = (Float(rows.lowerBound), Float(rows.upperBound))
            for sprite in sprites where sprite.y < bottom && sprite.y + sprite.downY > top {
                blend(sprite, of: isDivided ? bitmaps[Int(sprite.image)] : images[Int(sprite.image)].bitmap, rows)
            }
        }
        // Unchecked: a band's pixels are drawn only by the call with its number, and everything else is only read.
        nonisolated(unsafe) let draw = draw
        NumberedWork.perform(bandCount, threads: threads) { band, _ in draw(band) }
    }

    /// Composites the pixels of an image that a sprite shows over some rows of the picture.
    private func blend(_ sprite: Sprite, of image: Bitmap, _ rows: Range<Int>) {
        let (x, y, texelX, texelY) = (Int(sprite.x), Int(sprite.y), Int(sprite.texelX), Int(sprite.texelY))
        let (left, top) = (max(0, x), max(rows.lowerBound, y))
        let right = min(width, x + min(Int(sprite.acrossX), image.width - texelX))
        let bottom = min(rows.upperBound, y + min(Int(sprite.downY), image.height - texelY))
        guard left < right, top < bottom else { return }
        image.pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { source in
                for row in top..<bottom {
                    let from = (row - y + texelY) * image.width + left - x + texelX
                    pixels.blend(source, from..<from + right - left, at: row * width + left)
                }
            }
        }
    }

    /// Composites paths of a frame over the picture, as one layer.
    fileprivate func blend(_ paths: Range<Int>, of frame: borrowing Frame, _ painter: PathPainter, under sky: FrameSky?) {
        guard let rect = painter.prepare(paths, of: frame, in: PixelRect(x: 0, y: 0, width: width, height: height)) else { return }
        var layer = [UInt32](repeating: 0, count: rect.width * rect.height)
        let fade = frame.paths[paths].first?.fades == true ? sky : nil
        let (x, y) = (rect.x + Int(frame.ground.originX), rect.y + Int(frame.ground.originY))
        layer.withUnsafeMutableBufferPointer { layer in
            guard let first = layer.baseAddress else { return }
            painter.paint(frame, into: first, rect: rect, stride: rect.width)
            fade?.fade(first, width: rect.width, height: rect.height, x: x, y: y, .layer)
        }
        blend(layer, rect)
    }

    /// Composites the pixels of a rectangle over the picture. Parts of it may lie outside.
    fileprivate func blend(_ layer: [UInt32], _ rect: PixelRect) {
        let (left, right) = (max(0, rect.x), min(width, rect.x + rect.width))
        let (top, bottom) = (max(0, rect.y), min(height, rect.y + rect.height))
        guard left < right, top < bottom else { return }
        layer.withUnsafeBufferPointer { layer in
            for y in top..<bottom {
                let from = (y - rect.y) * rect.width + left - rect.x
                pixels.blend(layer, from..<from + right - left, at: y * width + left)
            }
        }
    }
}

extension UnsafeMutableBufferPointer<UInt32> {
    /// Composites premultiplied pixels over the pixels from an index on (source over), rounded as the software rasterizer does.
    fileprivate func blend(_ source: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, at start: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count && start >= 0 && start + range.count <= count)
        guard !range.isEmpty, let from = source.baseAddress, let to = baseAddress else { return }
        let (input, output) = (from + range.lowerBound, to + start)
        let count = range.count
        var index = 0
        while index < count {
            let pixel = input[index]
            if pixel >= 0xFF00_0000 {
                // Most opaque pixels are beside others, which are copied together.
                if index &+ 8 <= count {
                    let eight = UnsafeRawPointer(input + index).loadUnaligned(as: SIMD8<UInt32>.self)
                    let four = eight.lowHalf & eight.highHalf
                    let two = four.lowHalf & four.highHalf
                    if two.x & two.y >= 0xFF00_0000 {
                        UnsafeMutableRawPointer(output + index).storeBytes(of: eight, as: SIMD8<UInt32>.self)
                        index &+= 8
                        continue
                    }
                }
                output[index] = pixel
            } else if pixel != 0 {
                output[index] = pixel.over(output[index])
            }
            index &+= 1
        }
    }
}

extension UInt32 {
    /// Composites this premultiplied pixel over another one, rounded as the software rasterizer does.
    func over(_ below: UInt32) -> UInt32 {
        let rest = 255 - self >> 24
        if rest == 0 { return self }
        let channels: UInt32 = 0x00FF_00FF
        let even = Self.overTwo(self & channels, below & channels, rest)
        return even | Self.overTwo(self >> 8 & channels, below >> 8 & channels, rest) << 8
    }

    /// Two channels, of 16 bits each. The product is divided by 255 as llvmpipe does it (`lp_build_mul_norm` in Mesa): rounded to nearest,
    /// except that 12 pairs of factors give 1 less, such as 152 · 229.
    /// - Parameter rest: 255 minus the alpha of the upper pixel.
    private static func overTwo(_ upper: UInt32, _ below: UInt32, _ rest: UInt32) -> UInt32 {
        let channels: UInt32 = 0x00FF_00FF
        let product = below &* rest
        let sum = upper &+ ((product &+ (product >> 8 & channels) &+ 0x0080_0080) >> 8 & channels)
        // Colors above their alpha, which drawings may contain, add light: a sum above 255 is 255.
        return (sum | (sum >> 8 & 0x0001_0001) &* 255) & channels
    }
}
