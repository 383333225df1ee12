import Foundation
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

extension PathPainter {
    /// Draws paths of a frame on its background.
    /// - Parameters:
    ///   - sky: The sky into which the paths fade together with the background.
    ///   - buffer: A picture of the frame's size; its pixels are replaced.
    package func draw(_ range: Range<Int>, of frame: borrowing Frame, under sky: FrameSky? = nil, into buffer: PixelBuffer) {
        let (width, height) = (frame.width, frame.height)
        buffer.pixels.update(repeating: UInt32(premultiplied: frame.background))
        guard let first = buffer.pixels.baseAddress else { return }
        if let bounds = prepare(range, of: frame, in: PixelRect(x: 0, y: 0, width: width, height: height)) {
            paint(frame, into: first + bounds.y * width + bounds.x, rect: bounds, stride: width)
        }
        let (x, y) = (Int(frame.ground.originX), Int(frame.ground.originY))
        sky?.fade(first, width: width, height: height, x: x, y: y, .ground)
    }

    /// Draws paths of a frame on its background into a bitmap, for tests.
    package func draw(_ range: Range<Int>, of frame: borrowing Frame, into bitmap: inout Bitmap) {
        bitmap.withPixels { draw(range, of: frame, into: $0) }
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
    ///   - stride: The number of pixels from the start of one row to the start of the next.
    func paint(
        _ frame: borrowing Frame, into pixels: UnsafeMutablePointer<UInt32>, rect: PixelRect, stride: Int
    ) {
        paint(
            frame.pathGeometry, into: pixels, columns: rect.x..<rect.x + rect.width, rows: rect.y..<rect.y + rect.height, stride: stride)
    }
}
