import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkTiles

/// The division of a picture into pieces: horizontal bands, each with one or more columns that the device can draw. It depends only on the
/// picture and the device.
struct FrameBands {
    let width: Int
    let height: Int
    /// The number of rows of every band except the last, and the number of columns of every piece except the last of a band.
    let rows: Int
    let columns: Int

    /// The maximum number of pixels drawn in one piece.
    static let pixelsAtOnce = 32 << 20
    /// The same limit with multisampling, where a pixel with its samples and depth takes 36 bytes instead of 4.
    static let sampledPixelsAtOnce = 8 << 20

    /// The maximum number of pixels of a band, if there are several bands. While a band is drawn, read back and compressed, memory holds
    /// a few copies of it.
    static let bandPixels = 8 << 20

    /// - Parameters:
    ///   - side: The longest side of a piece.
    ///   - pixels: The maximum number of pixels of a picture that is drawn in one piece.
    init(width: Int, height: Int, side: Int, pixels: Int) {
        self.width = width
        self.height = height
        columns = width <= side ? width : (width - 1) / ((width - 1) / side + 1) + 1
        let isWhole = width <= side && height <= side && width * height <= pixels
        rows = isWhole ? height : max(1, min(side, height, min(pixels, Self.bandPixels) / max(columns, 1)))
    }

    /// Whether the picture is one piece.
    var isWhole: Bool { rows == height && columns == width }

    /// The pieces band by band from the top, each band from the left.
    var pieces: [PixelRect] {
        stride(from: 0, to: height, by: rows).flatMap { top in
            stride(from: 0, to: width, by: columns).map { left in
                PixelRect(x: left, y: top, width: min(columns, width - left), height: min(rows, height - top))
            }
        }
    }
}

extension FrameRenderer {
    /// Draws a frame of any size band by band from the top. Only one band is in memory at a time.
    /// - Parameters:
    ///   - pixelLimit: The maximum number of pixels drawn in one piece; nil for a default that saves memory at little cost of time.
    ///   - picture: The number assigned by `PictureClock`, if the picture was laid out before.
    ///   - waited: The time that the layout has waited for tiles in vain.
    ///   - take: Receives the rows of a band; returns false to stop.
    package func render(
        _ frame: consuming Frame, pixelLimit: Int? = nil, picture: UInt64? = nil, waited: Duration = .zero,
        bands take: (borrowing Bitmap) -> Bool
    ) throws(GPUError) {
        beginFrame(picture, waited: waited)
        defer { endFrame() }
        try drawNestedFrames(of: &frame)
        let bands = try bands(of: frame, pixelLimit: pixelLimit)
        var rows = Bitmap(width: 0, height: 0)
        if bands.isWhole {
            try rows.draw(width: bands.width, height: bands.height) { buffer throws(GPUError) in
                try renderWhole(frame.take(), into: buffer)
            }
            _ = take(rows)
            return
        }
        try render(frame, bands) { piece, rect in
            if rect.width == bands.width { return take(piece) }
            if rect.x == 0 { rows = Bitmap(width: bands.width, height: rect.height) }
            rows.copy(piece, toX: rect.x, y: 0)
            return rect.x + rect.width < bands.width || take(rows)
        }
    }

    /// Draws a frame of any size and reads it back into a bitmap, whose memory is reused if it has the frame's size.
    /// - Parameter waited: The time that the layout has waited for tiles in vain.
    package func render(
        _ frame: consuming Frame, into bitmap: inout Bitmap, pixelLimit: Int? = nil, picture: UInt64? = nil, waited: Duration = .zero
    ) throws(GPUError) {
        // A device that cannot be opened is reported before the memory of a large picture is allocated.
        _ = try longestSide(frame.width, frame.height)
        var frame = frame
        try bitmap.draw(width: frame.width, height: frame.height) { buffer throws(GPUError) in
            try render(frame.take(), into: buffer, pixelLimit: pixelLimit, picture: picture, waited: waited)
        }
    }

    /// Draws a frame of any size into the memory of a picture of its size.
    package func render(
        _ frame: consuming Frame, into buffer: PixelBuffer, pixelLimit: Int? = nil, picture: UInt64? = nil, waited: Duration = .zero
    ) throws(GPUError) {
        precondition(buffer.width == frame.width && buffer.height == frame.height, "the memory and the frame differ in size")
        beginFrame(picture, waited: waited)
        defer { endFrame() }
        try drawNestedFrames(of: &frame)
        try renderPieces(frame, into: buffer, pixelLimit: pixelLimit)
    }

    /// Draws the frames that images show, unless their pixels are cached.
    private func drawNestedFrames(of frame: inout Frame) throws(GPUError) {
        for index in frame.images.indices {
            let image = frame.images[index]
            guard let nested = image.nestedFrame else { continue }
            var bitmap = PixelStore.shared.cache.value(for: image.key) ?? Bitmap(width: 0, height: 0)
            if bitmap.width != image.width || bitmap.height != image.height {
                let refused = refusedTiles.count
                try bitmap.draw(width: image.width, height: image.height) { buffer throws(GPUError) in
                    try renderPieces(nested, into: buffer, pixelLimit: nil)
                }
                // Tiles that are missing now may be there for the next picture.
                if refusedTiles.count == refused { PixelStore.shared.add(bitmap, of: image.key) }
            }
            frame.images[index] = FrameImage(key: image.key, name: image.name, bitmap: bitmap)
        }
    }

    /// Draws a frame of any size without nested frames.
    private func renderPieces(_ frame: consuming Frame, into buffer: PixelBuffer, pixelLimit: Int?) throws(GPUError) {
        let bands = try bands(of: frame, pixelLimit: pixelLimit)
        if bands.isWhole { return try renderWhole(frame, into: buffer) }
        try render(frame, bands) { piece, rect in
            buffer.copy(piece, toX: rect.x, y: rect.y)
            return true
        }
    }

    /// Draws a frame and reads it back.
    package func render(_ frame: consuming Frame) throws(GPUError) -> Bitmap {
        var bitmap = Bitmap(width: 0, height: 0)
        try render(frame, into: &bitmap)
        return bitmap
    }

    /// Draws a frame in pieces, which reuse one bitmap, until `take` returns false.
    private func render(_ frame: Frame, _ bands: FrameBands, _ take: (borrowing Bitmap, PixelRect) -> Bool) throws(GPUError) {
        var piece = Bitmap(width: 0, height: 0)
        for rect in bands.pieces {
            try piece.draw(width: rect.width, height: rect.height) { buffer throws(GPUError) in
                try renderWhole(frame.cropped(to: rect), into: buffer)
            }
            guard take(piece, rect) else { return }
        }
    }

    /// Whether a picture without multisampling is drawn in more than one piece.
    package func isDrawnInBands(width: Int, height: Int) throws(GPUError) -> Bool {
        try !FrameBands(width: width, height: height, side: longestSide(width, height), pixels: FrameBands.pixelsAtOnce).isWhole
    }

    /// The longest side of a piece of a picture. Every software rasterizer draws pictures with sides of at most 8192 pixels in one piece, so
    /// only larger pictures need the device here.
    private func longestSide(_ width: Int, _ height: Int) throws(GPUError) -> Int {
        let known = 8192
        return opened == nil && max(width, height) <= known ? known : Target.longestSide(try context)
    }

    private func beginFrame(_ picture: UInt64?, waited: Duration) {
        caches.picture = picture ?? PictureClock.begin()
        readBackTime = .zero
        shortfalls = []
        refusedTiles = []
        tileDeadline = TileDeadline(seconds: tileTimeout, waited: waited)
    }

    private func endFrame() {
        opened?.atlas.endFrame()
        caches.trim()
        // Evicted objects are deleted; errors of the driver are thrown by the next frame.
        try? opened?.context.withCurrent {}
    }

    private func bands(of frame: borrowing Frame, pixelLimit: Int?) throws(GPUError) -> FrameBands {
        FrameBands(
            width: frame.width, height: frame.height, side: try longestSide(frame.width, frame.height),
            pixels: pixelLimit ?? frame.pixelsAtOnce)
    }
}

extension Frame {
    fileprivate var pixelsAtOnce: Int {
        let isSampled = commands.contains { command in
            if case .beginGroup(let group) = command { group.samples > 1 } else { false }
        }
        return isSampled ? FrameBands.sampledPixelsAtOnce : FrameBands.pixelsAtOnce
    }
}
