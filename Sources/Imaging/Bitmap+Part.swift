extension Bitmap {
    /// A part of the bitmap, which must lie within it.
    package func part(_ rect: PixelRect) -> Bitmap {
        precondition(rect.isWithin(width: width, height: height), "the part lies outside the bitmap")
        let length = rect.width * 4
        let part = [UInt8](unsafeUninitializedCapacity: rect.height * length) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            pixels.withUnsafeBytes { pixels in
                for row in 0..<rect.height {
                    let start = ((rect.y + row) * width + rect.x) * 4
                    UnsafeMutableRawBufferPointer(rebasing: buffer[(row * length)...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: pixels[start..<(start + length)]))
                }
            }
            count = rect.height * length
        }
        return Bitmap(unchecked: part, width: rect.width, height: rect.height)
    }
}
