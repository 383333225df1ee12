import WaymarkFrame
import WaymarkImaging
import WaymarkRaster

/// What is drawn in memory above the paths at the bottom of a frame: images pixel for pixel, such as names, and paths.
enum MemoryLimits {
    /// The maximum number of images. A GPU draws many images faster; a software rasterizer does not, because the picture has to be copied to it
    /// and back.
    static func images(isSoftware: Bool) -> Int { isSoftware ? 4096 : 64 }
    /// The maximum area of all images, in pixels of the picture.
    static let area = 4.0
}

extension Frame {
    /// Whether the commands from the given one on only draw images pixel for pixel, and paths.
    func isDrawnInMemory(from first: Int, mostImages: Int) -> Bool {
        var (count, area) = (0, 0.0)
        let mostArea = MemoryLimits.area * Double(width) * Double(height)
        return commands[first...].allSatisfy { command in
            switch command {
            // Only the lowest paths fade in memory.
            case .paths(let range): return !paths[range].contains(where: \.fades)
            case .sprites(let range, .nearest):
                count += range.count
                guard count <= mostImages else { return false }
                for sprite in sprites[range] {
                    guard sprite.isPixelForPixel else { return false }
                    area += Double(sprite.acrossX) * Double(sprite.downY)
                }
                return area <= mostArea
            default: return false
            }
        }
    }

    /// Draws the commands from the given one on, for which `isDrawnInMemory` holds, over the content of a bitmap. The pixels are those of a
    /// device.
    func draw(from first: Int, with painter: PathPainter, into bitmap: inout Bitmap) {
        for command in commands[first...] {
            switch command {
            case .paths(let range): bitmap.blend(range, of: self, painter)
            case .sprites(let range, _): for sprite in sprites[range] { bitmap.blend(images[Int(sprite.image)].bitmap, of: sprite) }
            default: break
            }
        }
    }
}

extension Sprite {
    /// Whether it shows the pixels of its image unchanged, at whole device pixels of the picture.
    fileprivate var isPixelForPixel: Bool {
        plane == .screen && sampling == .nearest && alpha == 1 && tint == .none && acrossY == 0 && downX == 0 && acrossX > 0 && downY > 0
            && x == x.rounded() && y == y.rounded() && acrossX == acrossX.rounded() && downY == downY.rounded()
    }
}

extension Bitmap {
    /// Composites the pixels of an image that a sprite shows over this bitmap.
    fileprivate mutating func blend(_ image: Bitmap, of sprite: Sprite) {
        let (x, y, texelX, texelY) = (Int(sprite.x), Int(sprite.y), Int(sprite.texelX), Int(sprite.texelY))
        let (left, top) = (max(0, x), max(0, y))
        let right = min(width, x + min(Int(sprite.acrossX), image.width - texelX))
        let bottom = min(height, y + min(Int(sprite.downY), image.height - texelY))
        guard left < right, top < bottom else { return }
        let stride = width
        withPixelWords { target in
            image.pixels.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: UInt32.self) { source in
                    for row in top..<bottom {
                        let from = (row - y + texelY) * image.width + left - x + texelX
                        target.blend(source, from..<from + right - left, at: row * stride + left)
                    }
                }
            }
        }
    }

    /// Composites paths of a frame over this bitmap, as one layer.
    fileprivate mutating func blend(_ paths: Range<Int>, of frame: borrowing Frame, _ painter: PathPainter) {
        guard let rect = painter.prepare(paths, of: frame, in: PixelRect(x: 0, y: 0, width: width, height: height)) else { return }
        var layer = [UInt32](repeating: 0, count: rect.width * rect.height)
        let stride = width
        layer.withUnsafeMutableBufferPointer { layer in
            guard let first = layer.baseAddress else { return }
            painter.paint(frame, into: first, rect: rect, stride: rect.width)
            withPixelWords { target in
                for row in 0..<rect.height {
                    let from = row * rect.width
                    target.blend(UnsafeBufferPointer(layer), from..<from + rect.width, at: (rect.y + row) * stride + rect.x)
                }
            }
        }
    }

    /// Lets `body` modify the pixels in place, each as one number.
    private mutating func withPixelWords(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
        withUnsafeMutablePixels { pixels in
            UnsafeMutableRawBufferPointer(pixels).withMemoryRebound(to: UInt32.self) { body($0) }
        }
    }
}

extension UnsafeMutableBufferPointer<UInt32> {
    /// Composites premultiplied pixels over the pixels from an index on (source over), rounded to nearest as devices do.
    fileprivate func blend(_ source: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, at start: Int) {
        var index = start
        for position in range {
            let pixel = source[position]
            if pixel != 0 {
                let rest = 255 - UInt8(truncatingIfNeeded: pixel >> 24)
                self[index] = rest == 0 ? pixel : Self.over(pixel, self[index], rest)
            }
            index += 1
        }
    }

    private static func over(_ pixel: UInt32, _ below: UInt32, _ rest: UInt8) -> UInt32 {
        var result: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            // Colors above their alpha, which drawings may contain, add light.
            let (sum, overflow) = UInt8(truncatingIfNeeded: pixel >> shift).addingReportingOverflow(
                Alpha.premultiply(UInt8(truncatingIfNeeded: below >> shift), by: rest))
            result |= UInt32(overflow ? 255 : sum) << shift
        }
        return result
    }
}
