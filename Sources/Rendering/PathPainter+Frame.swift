import Foundation
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

extension PathPainter {
    /// Draws paths of a frame on its background.
    /// - Parameters:
    ///   - sky: The sky into which the paths fade together with the background.
    ///   - bitmap: A bitmap of the frame's size; its pixels are replaced.
    package func draw(_ range: Range<Int>, of frame: borrowing Frame, under sky: FrameSky? = nil, into bitmap: inout Bitmap) {
        let (width, height) = (frame.width, frame.height)
        let background = UInt32(premultiplied: frame.background)
        guard let first = bitmap.withUnsafeMutablePixels({ UnsafeMutableRawPointer($0.baseAddress) }) else { return }
        first.withMemoryRebound(to: UInt32.self, capacity: width * height) { pixels in
            pixels.update(repeating: background, count: width * height)
            let whole = PixelRect(x: 0, y: 0, width: width, height: height)
            if let bounds = prepare(range, of: frame, in: whole) {
                paint(frame, into: pixels + bounds.y * width + bounds.x, rect: bounds, stride: width)
            }
            let (x, y) = (Int(frame.ground.originX), Int(frame.ground.originY))
            sky?.fade(pixels, width: width, height: height, x: x, y: y, .ground)
        }
    }

    /// Draws the commands from the given one on over the content of a bitmap: those for which `Frame.isDrawnInMemory` holds.
    func draw(commands first: Int, of frame: borrowing Frame, into bitmap: inout Bitmap) {
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        for command in frame.commands[first...] {
            switch command {
            case .paths(let range):
                guard let bounds = prepare(range, of: frame, in: whole) else { continue }
                bitmap.withUnsafeMutablePixels { bytes in
                    UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { pixels in
                        guard let start = pixels.baseAddress else { return }
                        paint(frame, into: start + bounds.y * whole.width + bounds.x, rect: bounds, stride: whole.width)
                    }
                }
            case .sprites(let range, _):
                for sprite in frame.sprites[range] { bitmap.blend(frame.images[Int(sprite.image)].bitmap, of: sprite) }
            case .meshes, .tiles, .sky, .beginGroup, .endGroup: break
            }
        }
    }

    /// Prepares a run of a frame's paths for `paint`.
    /// - Returns: The pixels of a region that the paths may touch; nil if they touch none.
    func prepare(_ range: Range<Int>, of frame: borrowing Frame, in region: PixelRect) -> PixelRect? {
        let touched = prepare(
            frame.paths[range], frame.pathGeometry, columns: region.x..<region.x + region.width, rows: region.y..<region.y + region.height)
        guard let (columns, rows) = touched else { return nil }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// Draws the paths prepared by the last `prepare`.
    /// - Parameters:
    ///   - pixels: Premultiplied RGBA, starting at the first pixel of `rect`; the paths are composited over the existing content.
    ///   - stride: Pixels from the start of one row to the start of the next.
    func paint(
        _ frame: borrowing Frame, into pixels: UnsafeMutablePointer<UInt32>, rect: PixelRect, stride: Int
    ) {
        paint(
            frame.pathGeometry, into: pixels, columns: rect.x..<rect.x + rect.width, rows: rect.y..<rect.y + rect.height, stride: stride)
    }
}

extension Frame {
    /// The maximum number of images that are drawn in memory. A device draws many images faster.
    private static let mostImagesInMemory = 64

    /// Whether the commands from the given one on consist of paths and a few images that are drawn pixel for pixel.
    func isDrawnInMemory(from first: Int) -> Bool {
        var count = 0
        return commands[first...].allSatisfy { command in
            switch command {
            case .paths(let range): return !paths[range].contains(where: \.fades)
            case .sprites(let range, .nearest):
                count += range.count
                return count <= Self.mostImagesInMemory && sprites[range].allSatisfy(\.isPixelForPixel)
            case .sprites, .meshes, .tiles, .sky, .beginGroup, .endGroup: return false
            }
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
