import WaymarkGPU
import WaymarkImaging

/// The pixels of a picture in memory of a bitmap or of a caller: premultiplied RGBA, each pixel as one number, with the top row first and no
/// padding between rows.
package struct PixelBuffer {
    package let width: Int
    package let height: Int
    let pixels: UnsafeMutableBufferPointer<UInt32>

    /// - Parameter pixels: Exactly `width * height` pixels.
    package init(_ pixels: UnsafeMutableBufferPointer<UInt32>, width: Int, height: Int) {
        precondition(pixels.count == width * height, "the memory and the picture differ in size")
        (self.pixels, self.width, self.height) = (pixels, width, height)
    }

    /// Copies a whole bitmap into the buffer, within its bounds.
    func copy(_ piece: borrowing Bitmap, toX x: Int, y: Int) {
        precondition(x >= 0 && y >= 0 && x + piece.width <= width && y + piece.height <= height, "the piece extends beyond its picture")
        guard let first = pixels.baseAddress else { return }
        piece.copyRows(to: first + y * width + x, stride: width * 4)
    }
}

extension Bitmap {
    /// Lets `body` draw into the pixels. The bitmap gets a new size and memory unless it already has the given size.
    mutating func draw<Result>(
        width: Int, height: Int, _ body: (PixelBuffer) throws(GPUError) -> Result
    ) throws(GPUError) -> Result {
        if self.width != width || self.height != height { self = Bitmap(width: width, height: height) }
        // The functions of pointers have no typed throws, so the error is passed outside of them.
        return try withPixels { pixels in Swift.Result { () throws(GPUError) in try body(pixels) } }.get()
    }

    /// Lets `body` modify the pixels.
    mutating func withPixels<Result>(_ body: (PixelBuffer) -> Result) -> Result {
        let (width, height) = (width, height)
        return withUnsafeMutablePixels { bytes in
            UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { body(PixelBuffer($0, width: width, height: height)) }
        }
    }
}
