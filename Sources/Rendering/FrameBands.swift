import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The division of a picture into pieces: horizontal bands, each with one or more columns that the device can draw. It depends only on the
/// picture and the device.
struct FrameBands {
    let width: Int
    let height: Int
    /// The rows of every band except the last, and the columns of every piece except the last of a band.
    let rows: Int
    let columns: Int

    /// The maximum number of pixels drawn in one piece.
    static let pixelsAtOnce = 32 << 20
    /// The same with multisampling, where a pixel with its samples and depth takes 36 bytes instead of 4.
    static let sampledPixelsAtOnce = 8 << 20

    /// The maximum number of pixels of a band, if there are several. While a band is drawn, read back and compressed, memory holds a few
    /// copies of it.
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

    var count: Int { (height + rows - 1) / rows }

    /// The pieces of a band, from the left.
    func pieces(ofBand band: Int) -> [PixelRect] {
        let top = band * rows
        return stride(from: 0, to: width, by: columns).map { left in
            PixelRect(x: left, y: top, width: min(columns, width - left), height: min(rows, height - top))
        }
    }
}

extension FrameRenderer {
    /// Draws a frame of any size band by band from the top; only one band is in memory.
    /// - Parameters:
    ///   - pixelLimit: The maximum number of pixels drawn in one piece; nil for a default that saves memory at little cost of time.
    ///   - picture: The number assigned by `PictureClock`, if the picture was laid out before.
    ///   - take: Receives the rows of a band; returns false to stop.
    package func render(
        _ frame: consuming Frame, pixelLimit: Int? = nil, picture: UInt64? = nil, bands take: (borrowing Bitmap) -> Bool
    ) throws(GPUError) {
        beginFrame(picture)
        defer { endFrame() }
        let bands = bands(of: frame, pixelLimit: pixelLimit)
        if bands.count == 1, bands.columns == frame.width {
            let bitmap = try renderWhole(frame)
            _ = take(bitmap)
            return
        }
        let frame = frame
        var piece = Bitmap(width: 0, height: 0)
        for band in 0..<bands.count {
            let rects = bands.pieces(ofBand: band)
            if rects.count == 1 {
                try renderWhole(frame.cropped(to: rects[0]), into: &piece)
                guard take(piece) else { return }
            } else {
                var rows = Bitmap(width: frame.width, height: rects[0].height)
                for rect in rects {
                    try renderWhole(frame.cropped(to: rect), into: &piece)
                    rows.copy(piece, toX: rect.x, y: 0)
                }
                guard take(rows) else { return }
            }
        }
    }

    /// Draws a frame of any size and reads it back into a bitmap, whose memory is reused if it has the frame's size.
    package func render(
        _ frame: consuming Frame, into bitmap: inout Bitmap, pixelLimit: Int? = nil, picture: UInt64? = nil
    ) throws(GPUError) {
        beginFrame(picture)
        defer { endFrame() }
        let bands = bands(of: frame, pixelLimit: pixelLimit)
        if bands.count == 1, bands.columns == frame.width { return try renderWhole(frame, into: &bitmap) }
        let frame = frame
        if bitmap.width != frame.width || bitmap.height != frame.height {
            bitmap = Bitmap(width: frame.width, height: frame.height)
        }
        var piece = Bitmap(width: 0, height: 0)
        for band in 0..<bands.count {
            for rect in bands.pieces(ofBand: band) {
                try renderWhole(frame.cropped(to: rect), into: &piece)
                bitmap.copy(piece, toX: rect.x, y: rect.y)
            }
        }
    }

    /// Draws a frame and reads it back.
    package func render(_ frame: consuming Frame) throws(GPUError) -> Bitmap {
        var bitmap = Bitmap(width: 0, height: 0)
        try render(frame, into: &bitmap)
        return bitmap
    }

    private func renderWhole(_ frame: consuming Frame) throws(GPUError) -> Bitmap {
        var bitmap = Bitmap(width: 0, height: 0)
        try renderWhole(frame, into: &bitmap)
        return bitmap
    }

    /// Whether a picture without multisampling is drawn in more than one piece.
    package func isDrawnInBands(width: Int, height: Int) -> Bool {
        let bands = FrameBands(width: width, height: height, side: Target.longestSide(context), pixels: FrameBands.pixelsAtOnce)
        return bands.count > 1 || bands.columns < width
    }

    private func beginFrame(_ picture: UInt64?) {
        caches.picture = picture ?? PictureClock.begin()
        readBackTime = .zero
        shortfalls = []
        refusedTiles = []
        // NaN counts as 0.
        tileDeadline = .now + .seconds(min(max(0, tileTimeout), 86_400))
    }

    private func endFrame() {
        atlas.endFrame()
        caches.trim()
        // Evicted objects are deleted; errors of the driver are thrown by the next frame.
        try? context.withCurrent {}
    }

    private func bands(of frame: borrowing Frame, pixelLimit: Int?) -> FrameBands {
        FrameBands(
            width: frame.width, height: frame.height, side: Target.longestSide(context), pixels: pixelLimit ?? frame.pixelsAtOnce)
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

extension Bitmap {
    /// Copies a whole bitmap into this one, within its bounds.
    fileprivate mutating func copy(_ piece: borrowing Bitmap, toX x: Int, y: Int) {
        let (width, height, stride) = (piece.width, piece.height, self.width)
        precondition(x >= 0 && y >= 0 && x + width <= stride && y + height <= self.height, "the piece extends beyond its picture")
        let source = piece.pixels
        withUnsafeMutablePixels { target in
            source.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                for row in 0..<height {
                    (to + ((y + row) * stride + x) * 4).update(from: from + row * width * 4, count: width * 4)
                }
            }
        }
    }
}
