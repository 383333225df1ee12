import CWaymarkCodecs

/// An SVG image, drawn at any size with librsvg, which is loaded when the first SVG is read.
///
/// References to files and to the network are not followed; embedded images are drawn only from `data:` URLs. Text uses the installed
/// fonts. librsvg runs in a child process with its own limits, so that no SVG can crash this process or block it for long. `SVGNesting`
/// checks the nesting depth before librsvg reads anything.
package struct SVGImage: Sendable {
    /// Its natural width in CSS pixels (96 per inch), above 0: that of the SVG, or of its viewBox, or 300.
    package let width: Double
    /// Its natural height in CSS pixels, above 0: that of the SVG, or of its viewBox, or 150.
    package let height: Double
    private let bytes: [UInt8]
    /// The size of librsvg's stack, in bytes of address space.
    private let stack: Int

    /// The maximum size of an SVG in bytes, regardless of `ImageLimits.bytes`: 8 MiB of shapes take a second to draw.
    package static let mostBytes = 8 << 20

    /// Throws `tooLong` beyond `mostBytes`, `missingLibrary` without librsvg, `corrupt` if librsvg refuses the SVG, and `undrawable`
    /// if the SVG is nested too deeply, crashes librsvg, or takes more than 5 s.
    package init(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        let most = min(limits.bytes, Self.mostBytes)
        guard bytes.count <= most else {
            var limits = limits
            limits.bytes = most
            throw ImagingError(.tooLong(limits: limits), format: ImageSignature.svg.rawValue)
        }
        let stack = try SVGNesting(of: bytes).stack()
        var message = CodecMessage()
        var size = (width: 0.0, height: 0.0)
        try Self.check(message.filled { wm_svg_measure(bytes, bytes.count, stack, &size.width, &size.height, $0) }, message)
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else {
            throw Self.undrawable("a size of \(size.width) × \(size.height) is impossible")
        }
        width = size.width
        height = size.height
        self.bytes = bytes
        self.stack = stack
    }
}

extension SVGImage {
    /// Draws it at exactly this size in pixels, stretched if the aspect ratio differs, like other images.
    /// Both sides must be above 0; throws `tooLarge` beyond the limits.
    package func rendered(width: Int, height: Int, limits: ImageLimits = ImageLimits()) throws(ImagingError) -> Bitmap {
        precondition(width > 0 && height > 0, "an SVG is drawn on at least one pixel")
        try limits.check(width: width, height: height, format: ImageSignature.svg.rawValue)
        // The limit of cairo.
        let longestSide = 32_767
        guard width <= longestSide, height <= longestSide else {
            throw ImagingError(
                .tooLarge(width: width, height: height, limits: limits.capped(longestSide)), format: ImageSignature.svg.rawValue)
        }
        var message = CodecMessage()
        var status = WM_SVG_FAILED
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            status = message.filled {
                wm_svg_draw(
                    bytes, bytes.count, stack, self.width, self.height, UInt32(width), UInt32(height), buffer.baseAddress, $0)
            }
            if status == WM_SVG_DONE { count = width * height * 4 }
        }
        try Self.check(status, message)
        return Bitmap(unchecked: pixels, width: width, height: height)
    }

    /// Draws it at its natural size, rounded up to whole pixels.
    func natural(limits: ImageLimits) throws(ImagingError) -> Bitmap {
        // Clamped so that it fits in Int; beyond the limits the exact value does not matter.
        let most = Double(Int32.max)
        let across = Int(min(width, most).rounded(.up))
        let down = Int(min(height, most).rounded(.up))
        return try rendered(width: across, height: down, limits: limits)
    }
}

extension SVGImage {
    static func undrawable(_ message: String) -> ImagingError {
        ImagingError(.undrawable(message: message), format: ImageSignature.svg.rawValue)
    }
}

private extension SVGImage {
    static func check(_ status: wm_svg_status, _ message: CodecMessage) throws(ImagingError) {
        switch status {
        case WM_SVG_DONE: return
        case WM_SVG_MISSING: throw ImagingError(.missingLibrary(package: "librsvg2-2"), format: ImageSignature.svg.rawValue)
        case WM_SVG_NO_RESOURCES: throw ImagingError(.outOfMemory, format: ImageSignature.svg.rawValue)
        case WM_SVG_REFUSED: throw message.corrupt(.svg)
        default: throw undrawable(message.text)
        }
    }
}

private extension ImageLimits {
    func capped(_ side: Int) -> ImageLimits {
        ImageLimits(width: min(width, side), height: min(height, side), pixels: pixels, bytes: bytes)
    }
}
