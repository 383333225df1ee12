import CWaymarkCodecs
import WaymarkSystem

/// An SVG image, drawn at any size with librsvg, which is loaded when the first SVG is read.
///
/// References to files and to the network are not followed; embedded images are drawn only from `data:` URLs. Text uses the installed
/// fonts. librsvg runs in a helper process with limits, so that no SVG can crash this process or block it for long; if no program can serve
/// as a helper, it runs on a thread with a deadline. Before librsvg reads anything, `SVGFilters` replaces the filter primitives that it does
/// not know, and `SVGNesting` checks the nesting depth.
package struct SVGImage: Sendable {
    /// The natural width in CSS pixels (96 per inch), above 0. It is the width of the SVG, or else of its viewBox, or else 300.
    package let width: Double
    /// The natural height in CSS pixels, above 0. It is the height of the SVG, or else of its viewBox, or else 150.
    package let height: Double
    /// Warnings about content that librsvg does not know.
    package let warnings: [String]
    /// The SVG as librsvg reads it.
    private let bytes: [UInt8]
    /// The size of librsvg's stack, in bytes of address space.
    private let stack: Int
    private let helpers: HelperPool

    /// The maximum size of an SVG in bytes, regardless of `ImageLimits.bytes`. Drawing 8 MiB of shapes takes a second.
    package static let mostBytes = 8 << 20

    /// Throws `tooLong` beyond `mostBytes` or `limits.bytes`, `missingLibrary` without librsvg, `corrupt` if librsvg refuses the SVG, and
    /// `undrawable` if the SVG is nested too deeply, crashes librsvg, or takes more than 5 s.
    package init(
        _ bytes: [UInt8], limits: ImageLimits = ImageLimits(), helpers: HelperPool = .shared
    ) throws(ImagingError) {
        let most = min(limits.bytes, Self.mostBytes)
        guard bytes.count <= most else {
            var limits = limits
            limits.bytes = most
            throw ImagingError(.tooLong(limits: limits), format: ImageSignature.svg.rawValue)
        }
        let filters = SVGFilters(of: bytes)
        guard filters.bytes.count <= Self.mostBytes else { throw Self.undrawable("it has too many drop shadows") }
        let stack = try SVGNesting(of: filters.bytes).stack()
        let reply = try Self.perform(wm_svg_request(), filters.bytes, pixels: 0, stack: stack, helpers).header
        guard reply.natural_width > 0, reply.natural_height > 0, reply.natural_width.isFinite, reply.natural_height.isFinite else {
            throw Self.undrawable("a size of \(reply.natural_width) × \(reply.natural_height) is impossible")
        }
        width = reply.natural_width
        height = reply.natural_height
        self.bytes = filters.bytes
        warnings = filters.warnings
        self.stack = stack
        self.helpers = helpers
    }
}

extension SVGImage {
    /// Draws the image at exactly this size in pixels, stretched if the aspect ratio differs, like other images. Both sides must be above
    /// 0. Throws `tooLarge` beyond the limits.
    package func rendered(width: Int, height: Int, limits: ImageLimits = ImageLimits()) throws(ImagingError) -> Bitmap {
        precondition(width > 0 && height > 0, "the width and height must be at least 1 pixel")
        try limits.check(width: width, height: height, format: ImageSignature.svg.rawValue)
        // The largest side that cairo supports.
        let longestSide = 32_767
        guard width <= longestSide, height <= longestSide else {
            throw ImagingError(
                .tooLarge(width: width, height: height, limits: limits.capped(longestSide)), format: ImageSignature.svg.rawValue)
        }
        let request = wm_svg_request(
            width: UInt32(width), height: UInt32(height), natural_width: self.width, natural_height: self.height)
        let pixels = try Self.perform(request, bytes, pixels: width * height, stack: stack, helpers).pixels
        return Bitmap(unchecked: pixels, width: width, height: height)
    }

    /// Draws the image at its natural size, rounded up to whole pixels.
    func natural(limits: ImageLimits) throws(ImagingError) -> Bitmap {
        // The size is clamped so that it fits in Int. Beyond the limits, the exact value does not matter.
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

extension SVGImage {
    /// The work done in a helper process. The limit of 20 s of elapsed time suffices for 5 s of work even on a busy machine.
    package static let work = ConfinedWork(
        "svg", processorSeconds: 5, seconds: 20, memory: 1 << 30, prepare: wm_svg_prepare, body: wm_svg_work)
}

private extension SVGImage {
    static func perform(
        _ request: wm_svg_request, _ bytes: [UInt8], pixels: Int, stack: Int, _ helpers: HelperPool
    ) throws(ImagingError) -> (header: wm_svg_reply, pixels: [UInt8]) {
        let message = withUnsafeBytes(of: request) { Array($0) } + bytes
        var reply: [UInt8]
        do throws(ConfinedWork.Failure) {
            reply = try work.perform(message, room: MemoryLayout<wm_svg_reply>.size + pixels * 4, stack: stack, helpers: helpers)
        } catch {
            switch error {
            case .tooLong: throw undrawable("drawing takes too long")
            case .crashed: throw undrawable("librsvg crashed")
            case .noResources: throw ImagingError(.outOfMemory, format: ImageSignature.svg.rawValue)
            case .noHelper(let name):
                throw undrawable("WAYMARK_HELPER names \(name), which is not waymark version \(libraryVersion)")
            }
        }
        var header = wm_svg_reply()
        guard reply.count >= MemoryLayout<wm_svg_reply>.size else { throw undrawable("librsvg failed") }
        withUnsafeMutableBytes(of: &header) { $0.copyBytes(from: reply.prefix($0.count)) }
        switch header.status {
        case WM_SVG_DONE: break
        case WM_SVG_MISSING: throw ImagingError(.missingLibrary(package: "librsvg2-2"), format: ImageSignature.svg.rawValue)
        default:
            var message = CodecMessage()
            message.filled { text in
                withUnsafeBytes(of: header.message) { UnsafeMutableRawPointer(text).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            }
            throw message.corrupt(.svg)
        }
        reply.removeFirst(MemoryLayout<wm_svg_reply>.size)
        return (header, reply)
    }
}

private extension ImageLimits {
    func capped(_ side: Int) -> ImageLimits {
        ImageLimits(width: min(width, side), height: min(height, side), pixels: pixels, bytes: bytes)
    }
}
