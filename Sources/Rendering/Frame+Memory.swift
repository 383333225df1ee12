import WaymarkFrame
import WaymarkImaging

extension Frame {
    /// The maximum number of images that are drawn in memory. A device draws many images faster.
    private static let mostImagesInMemory = 64

    /// Whether the commands from the given one on only draw a few images pixel for pixel.
    func isDrawnInMemory(from first: Int) -> Bool {
        var count = 0
        return commands[first...].allSatisfy { command in
            guard case .sprites(let range, .nearest) = command else { return false }
            count += range.count
            return count <= Self.mostImagesInMemory && sprites[range].allSatisfy(\.isPixelForPixel)
        }
    }

    /// Draws the images of the commands from the given one on, for which `isDrawnInMemory` holds, over the content of a bitmap. The pixels
    /// are those of a device.
    func drawImages(from first: Int, into bitmap: inout Bitmap) {
        for case .sprites(let range, _) in commands[first...] {
            for sprite in sprites[range] { bitmap.blend(images[Int(sprite.image)].bitmap, of: sprite) }
        }
    }
}

extension Sprite {
    /// Whether it shows the pixels of its image unchanged, at whole device pixels of the picture.
    fileprivate var isPixelForPixel: Bool {
        plane == .screen && sampling == .nearest && alpha == 1 && tint == .none && acrossY == 0 && downX == 0 && acrossX > 0 && downY > 0
            && [x, y, acrossX, downY].allSatisfy { $0 == $0.rounded() }
    }
}

extension Bitmap {
    /// Composites the pixels of an image that a sprite shows over this bitmap (source over), rounded to nearest as devices do.
    fileprivate mutating func blend(_ image: Bitmap, of sprite: Sprite) {
        let (x, y, texelX, texelY) = (Int(sprite.x), Int(sprite.y), Int(sprite.texelX), Int(sprite.texelY))
        let (left, top) = (max(0, x), max(0, y))
        let right = min(width, x + min(Int(sprite.acrossX), image.width - texelX))
        let bottom = min(height, y + min(Int(sprite.downY), image.height - texelY))
        guard left < right, top < bottom else { return }
        let stride = width
        withUnsafeMutablePixels { target in
            image.pixels.withUnsafeBufferPointer { source in
                for row in top..<bottom {
                    var from = ((row - y + texelY) * image.width + left - x + texelX) * 4
                    var to = (row * stride + left) * 4
                    for _ in left..<right {
                        let rest = 255 - source[from + 3]
                        if rest < 255 || source[from] | source[from + 1] | source[from + 2] > 0 {
                            for channel in 0..<4 {
                                // Colors above their alpha, which drawings may contain, add light.
                                let (sum, overflow) = source[from + channel].addingReportingOverflow(
                                    Alpha.premultiply(target[to + channel], by: rest))
                                target[to + channel] = overflow ? 255 : sum
                            }
                        }
                        from += 4
                        to += 4
                    }
                }
            }
        }
    }
}
