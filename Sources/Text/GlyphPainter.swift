import CWaymarkText
import Synchronization
import WaymarkImaging

/// The key of a drawn glyph, or of its halo.
struct GlyphKey {
    /// `FontFace.id`.
    var face: UInt32
    var glyph: UInt32
    /// The size in 1/64 device pixels per em.
    var size: Int32
    /// The radius in 1/64 device pixels; 0 for the glyph itself.
    var radius: Int32
    /// The distance over which the halo's edge fades on each side of the radius, in 1/64 device pixels.
    var blur: Int32 = 0
    /// The position of the pen in its pixel: the quarter pixels to the right, plus four times the quarter pixels up.
    var phase: UInt8

    var place: wm_text_place {
        wm_text_place(size: size, dx: Int32(phase & 3) * 16, dy: Int32(phase >> 2) * 16, radius: radius, blur: blur)
    }
}

extension GlyphKey: Hashable {
    /// Only three words are hashed, because every glyph of a text is looked up.
    func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(face) << 32 | UInt64(glyph))
        hasher.combine(UInt64(UInt32(bitPattern: size)) << 32 | UInt64(UInt32(bitPattern: radius)))
        hasher.combine(UInt64(UInt32(bitPattern: blur)) << 8 | UInt64(phase))
    }
}

/// Draws glyphs with FreeType and caches them for the whole process. Its lock is the lock of all drawing.
final class GlyphPainter {
    static let shared = Mutex(GlyphPainter())

    /// Created for the first glyph. Caches report their size even in programs that draw no text, where FreeType may be missing.
    private lazy var engine: OpaquePointer = {
        // FreeType only allocates a few kilobytes here, so it can fail only if memory runs out.
        guard let engine = wm_text_engine_create() else { fatalError("out of memory") }
        isCreated = true
        return engine
    }()
    private var isCreated = false
    private var cache = LRUCache<GlyphKey, GlyphImage>()
    private(set) var rasterizations = 0

    /// The number of bytes that one picture may keep regardless of the budget. With less, the same glyphs would be drawn repeatedly.
    private static let leastByteLimit = 4 << 20
    /// The longest side, in pixels, of a cached glyph. Parts of larger glyphs are drawn when needed.
    static let longestKeptSide = 512
    /// The size in the key of a color glyph as stored in the font.
    private static let ownSize: Int32 = -1

    deinit {
        if isCreated { wm_text_engine_destroy(engine) }
    }
}

/// Makes the process's glyphs a cache of every budget.
final class GlyphCache: SharedCache {
    var keptBytes: Int { GlyphPainter.shared.withLock { $0.cachedBytes } }
    var oldestUse: UInt64? { GlyphPainter.shared.withLock { $0.oldestUse } }
    func evict(through picture: UInt64, bytes: Int) { GlyphPainter.shared.withLock { $0.evict(through: picture, bytes: bytes) } }
}

/// A cached glyph: its bounds, and its pixels once they have been drawn.
private final class GlyphImage {
    let kind: wm_text_kind
    /// The bounds in whole pixels relative to the pen's pixel.
    let bounds: InkBounds
    /// Coverage, or premultiplied RGBA of a color glyph; nil until they are drawn.
    var pixels: [UInt8]?
    /// The pixels per em of a color glyph as stored in the font.
    var pixelsPerEm = 0.0

    init(kind: wm_text_kind, bounds: InkBounds, pixels: [UInt8]? = nil) {
        self.kind = kind
        self.bounds = bounds
        self.pixels = pixels
    }

    var byteCount: Int { 160 + (pixels?.count ?? 0) }
    var isLarge: Bool { max(bounds.width, bounds.height) > GlyphPainter.longestKeptSide }
}

extension GlyphPainter {
    var cachedBytes: Int { cache.byteCount }
    var oldestUse: UInt64? { cache.oldestUse }
    func evict(through picture: UInt64, bytes: Int) { cache.evict(through: picture, bytes: bytes) }

    /// `wm_text_face_open`.
    func open(_ path: String, face: UInt32, message: inout [CChar]) -> OpaquePointer? {
        wm_text_face_open(engine, path, face, &message)
    }

    /// The bounds of a glyph's pixels, relative to the pen's pixel.
    func bounds(_ key: GlyphKey, _ face: FontFace) -> InkBounds {
        image(key, face).bounds
    }

    /// Merges a glyph's coverage into a plane of `rect`, keeping the larger of both; the pen's pixel is (x, y) in `rect`'s coordinates.
    func draw(_ key: GlyphKey, _ face: FontFace, x: Int, y: Int, into plane: UnsafeMutablePointer<UInt8>, _ rect: InkBounds) {
        let image = image(key, face)
        let wanted = image.bounds.moved(x: x, y: y).intersection(rect)
        guard !wanted.isEmpty else { return }
        let own = wanted.moved(x: -x, y: -y)
        if image.isLarge {
            Self.join(coverage(key, face, own), of: own, own, moved: x, y, into: plane, rect)
            return
        }
        let pixels = image.pixels ?? keep(coverage(key, face, image.bounds), image, key)
        Self.join(pixels, of: image.bounds, own, moved: x, y, into: plane, rect)
    }

    /// The coverage of an outline, and its bounds relative to the pen's pixel. The pen may be anywhere in its pixel, in steps of 1/64
    /// pixel to the right and up. The result is not cached. It is empty for a glyph without an outline, and for a glyph with a side of
    /// more than 32,767 pixels.
    func drawOnce(_ glyph: UInt32, _ face: FontFace, _ place: wm_text_place) -> (bounds: InkBounds, coverage: [UInt8]) {
        var box = wm_text_box()
        guard wm_text_glyph_box(engine, face.pointer, glyph, place, &box) == WM_TEXT_OUTLINE else { return (.nothing, []) }
        var coverage = [UInt8](repeating: 0, count: Int(box.width) * Int(box.height))
        guard wm_text_glyph_coverage(engine, face.pointer, glyph, place, box, &coverage) else { return (.nothing, []) }
        rasterizations += 1
        return (InkBounds(box), coverage)
    }

    /// The polygons of a glyph's outline, in pixels from the pen, y down; empty for a glyph without an outline.
    /// - Parameters:
    ///   - pixelsPerEm: At most 16,384.
    ///   - tolerance: The largest distance from the glyph's curves, in pixels.
    func outline(_ glyph: UInt32, _ face: FontFace, pixelsPerEm: Double, tolerance: Double) -> GlyphOutline {
        var outline = wm_text_outline()
        let size = Int32(max(0, min(pixelsPerEm * 64, Double(WM_TEXT_MOST_SIZE))))
        guard wm_text_glyph_outline(engine, face.pointer, glyph, size, tolerance, &outline) else { fatalError("out of memory") }
        rasterizations += 1
        let corners = (0..<outline.point_count).map { SIMD2(outline.points[2 * $0], outline.points[2 * $0 + 1]) }
        return GlyphOutline(points: corners, ends: (0..<outline.contour_count).map { Int(outline.ends[$0]) })
    }

    /// A color glyph as stored in the font, with its bounds in em from the pen, y down; nil for a glyph without pixels.
    func picture(_ glyph: UInt32, _ face: FontFace) -> GlyphPicture? {
        let own = strike(GlyphKey(face: face.id, glyph: glyph, size: 0, radius: 0, phase: 0), face)
        guard !own.box.isEmpty else { return nil }
        return GlyphPicture(
            bitmap: own.bitmap, x: Double(own.box.x) / own.pixelsPerEm, y: Double(own.box.y) / own.pixelsPerEm,
            width: Double(own.box.width) / own.pixelsPerEm, height: Double(own.box.height) / own.pixelsPerEm)
    }

    /// Composites a color glyph, times an alpha, over the premultiplied pixels of `rect`.
    func drawColor(
        _ key: GlyphKey, _ face: FontFace, x: Int, y: Int, alpha: UInt8, over target: UnsafeMutablePointer<UInt8>, _ rect: InkBounds
    ) {
        let image = image(key, face)
        let wanted = image.bounds.moved(x: x, y: y).intersection(rect)
        guard image.kind == WM_TEXT_COLOR, !wanted.isEmpty else { return }
        let own = wanted.moved(x: -x, y: -y)
        let source = image.isLarge ? ColorGlyph.part(own, of: strike(key, face).bitmap, scaledTo: image.bounds) : image.pixels ?? []
        let bounds = image.isLarge ? own : image.bounds
        for row in 0..<own.height {
            var from = ((own.y - bounds.y + row) * bounds.width + own.x - bounds.x) * 4
            var to = ((wanted.y - rect.y + row) * rect.width + wanted.x - rect.x) * 4
            for _ in 0..<own.width {
                Blend.over(target + to, source[from], source[from + 1], source[from + 2], source[from + 3], coverage: alpha)
                from += 4
                to += 4
            }
        }
    }
}

private extension GlyphPainter {
    func image(_ key: GlyphKey, _ face: FontFace) -> GlyphImage {
        if let image = cache.value(for: key) { return image }
        let image = face.isColor && key.glyph != 0 ? colorImage(key, face) : outlineImage(key, face)
        insert(image, key)
        return image
    }

    func insert(_ image: GlyphImage, _ key: GlyphKey) {
        // A picture with captions of continually new sizes may have more glyphs than are worth caching.
        let excess = cache.byteCount + image.byteCount - max(CacheBudget.largestByteLimit / 4, Self.leastByteLimit)
        if excess > 0 { cache.evict(through: .max, bytes: excess) }
        cache.insert(image, for: key, byteCount: image.byteCount)
    }

    func outlineImage(_ key: GlyphKey, _ face: FontFace) -> GlyphImage {
        var box = wm_text_box()
        let kind = wm_text_glyph_box(engine, face.pointer, key.glyph, key.place, &box)
        return GlyphImage(kind: kind, bounds: InkBounds(box))
    }

    func keep(_ pixels: [UInt8], _ image: GlyphImage, _ key: GlyphKey) -> [UInt8] {
        image.pixels = pixels
        insert(image, key)
        return pixels
    }

    /// The coverage of a part of a glyph's bounds.
    func coverage(_ key: GlyphKey, _ face: FontFace, _ part: InkBounds) -> [UInt8] {
        rasterizations += 1
        if face.isColor && key.glyph != 0 { return colorHalo(key, face, part) }
        let box = wm_text_box(part)
        return [UInt8](unsafeUninitializedCapacity: part.width * part.height) { buffer, count in
            // Boxes are not empty and not larger than a piece of a block, so this fails only if memory runs out.
            guard wm_text_glyph_coverage(engine, face.pointer, key.glyph, key.place, box, buffer.baseAddress!) else {
                fatalError("out of memory")
            }
            count = buffer.count
        }
    }

    /// Keeps the larger coverage of both; `part` lies in `bounds`.
    static func join(
        _ pixels: [UInt8], of bounds: InkBounds, _ part: InkBounds, moved x: Int, _ y: Int, into plane: UnsafeMutablePointer<UInt8>,
        _ rect: InkBounds
    ) {
        pixels.withUnsafeBufferPointer { pixels in
            for row in part.y..<part.y + part.height {
                let source = pixels.baseAddress! + (row - bounds.y) * bounds.width + part.x - bounds.x
                let target = plane + (row + y - rect.y) * rect.width + part.x + x - rect.x
                for column in 0..<part.width { target[column] = max(target[column], source[column]) }
            }
        }
    }
}

// MARK: Color

private extension GlyphPainter {
    /// A color glyph as stored in the font.
    func strike(_ key: GlyphKey, _ face: FontFace) -> (bitmap: Bitmap, box: InkBounds, pixelsPerEm: Double) {
        let strikeKey = GlyphKey(face: key.face, glyph: key.glyph, size: Self.ownSize, radius: 0, phase: 0)
        var image = cache.value(for: strikeKey)
        if image == nil {
            var box = wm_text_box()
            var pixelsPerEm = 1.0
            let pixels = wm_text_glyph_color(engine, face.pointer, key.glyph, &box, &pixelsPerEm)
            let bytes = [UInt8](UnsafeBufferPointer(start: pixels, count: pixels == nil ? 0 : Int(box.width) * Int(box.height) * 4))
            let made = GlyphImage(kind: WM_TEXT_COLOR, bounds: bytes.isEmpty ? .nothing : InkBounds(box), pixels: bytes)
            made.pixelsPerEm = pixelsPerEm
            insert(made, strikeKey)
            image = made
        }
        let bounds = image!.bounds
        return (Bitmap(width: bounds.width, height: bounds.height, premultipliedPixels: image!.pixels!)!, bounds, image!.pixelsPerEm)
    }

    /// A color glyph scaled to its size, or the bounds of its halo. Color glyphs are placed at whole pixels.
    func colorImage(_ key: GlyphKey, _ face: FontFace) -> GlyphImage {
        let own = strike(key, face)
        guard !own.box.isEmpty, key.size > 0, key.size <= Int32(WM_TEXT_MOST_SIZE) else {
            return GlyphImage(kind: WM_TEXT_NOTHING, bounds: .nothing)
        }
        let bounds = ColorGlyph.bounds(own.box, scale: Double(key.size) / 64 / own.pixelsPerEm)
        guard key.radius == 0 else {
            let margin = ColorGlyph.margin(key.radius + key.blur)
            return GlyphImage(
                kind: WM_TEXT_OUTLINE,
                bounds: InkBounds(
                    x: bounds.x - margin, y: bounds.y - margin, width: bounds.width + 2 * margin, height: bounds.height + 2 * margin))
        }
        let image = GlyphImage(kind: WM_TEXT_COLOR, bounds: bounds)
        if !image.isLarge {
            rasterizations += 1
            image.pixels = own.bitmap.scaled(toWidth: bounds.width, height: bounds.height).pixels
        }
        return image
    }

    /// The halo of a color glyph: its alpha, dilated by a disc.
    func colorHalo(_ key: GlyphKey, _ face: FontFace, _ part: InkBounds) -> [UInt8] {
        let own = strike(key, face)
        let bounds = ColorGlyph.bounds(own.box, scale: Double(key.size) / 64 / own.pixelsPerEm)
        let margin = ColorGlyph.margin(key.radius + key.blur)
        let around = InkBounds(
            x: part.x - margin, y: part.y - margin, width: part.width + 2 * margin, height: part.height + 2 * margin)
        let seen = around.intersection(bounds)
        guard !seen.isEmpty else { return [UInt8](repeating: 0, count: part.width * part.height) }
        let isLarge = max(bounds.width, bounds.height) > Self.longestKeptSide
        let source =
            isLarge
            ? ColorGlyph.part(seen, of: own.bitmap, scaledTo: bounds)
            : own.bitmap.scaled(toWidth: bounds.width, height: bounds.height).pixels
        return ColorGlyph.widened(source, of: isLarge ? seen : bounds, by: key.radius, blur: key.blur, in: part)
    }
}

extension InkBounds {
    init(_ box: wm_text_box) {
        self.init(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
    }
}

private extension wm_text_box {
    init(_ bounds: InkBounds) {
        self.init(x: Int32(bounds.x), y: Int32(bounds.y), width: Int32(bounds.width), height: Int32(bounds.height))
    }
}
