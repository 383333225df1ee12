import CWaymarkText
import Synchronization
import WaymarkImaging

/// One glyph, or its halo, as it is drawn.
struct GlyphKey: Hashable {
    /// `FontFace.id`.
    var face: UInt32
    var glyph: UInt32
    /// 1/64 device pixels to the em.
    var size: Int32
    /// 1/64 device pixel; 0 for the glyph itself.
    var radius: Int32
    /// Quarter pixels of the pen in its pixel: to the right, and times 4 up.
    var phase: UInt8

    var place: wm_text_place {
        wm_text_place(size: size, dx: Int32(phase & 3) * 16, dy: Int32(phase >> 2) * 16, radius: radius)
    }
}

/// FreeType and what it drew, for the whole process: the images of glyphs within a bound of bytes. Its lock is the lock of all drawing.
final class GlyphPainter {
    static let shared = Mutex(GlyphPainter())

    private let engine: OpaquePointer
    private var cache: LRUCache<GlyphKey, GlyphImage>
    private(set) var rasterisations = 0

    static let defaultCacheBytes = 32 << 20
    /// Pixels of a side, above which a glyph is drawn anew wherever a part of it is wanted.
    static let longestKeptSide = 512
    /// The sizes of colour pictures as the font has them.
    private static let ownSize: Int32 = -1

    init(cacheBytes: Int = defaultCacheBytes) {
        // FreeType's start needs some kilobytes and nothing else.
        guard let engine = wm_text_engine_create() else { fatalError("memory ends") }
        self.engine = engine
        cache = LRUCache(byteLimit: cacheBytes)
    }

    deinit {
        wm_text_engine_destroy(engine)
    }
}

/// What is known of a glyph: always what it touches, and its pixels once they were wanted.
private final class GlyphImage {
    let kind: wm_text_kind
    /// Whole pixels from the pen's.
    let bounds: InkBounds
    /// Coverage, of colour premultiplied RGBA.
    var pixels: [UInt8]?
    /// Of a picture as the font has it.
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

    /// For tests that count.
    func emptyCache() {
        cache.removeAll()
    }

    /// `wm_text_face_open`.
    func open(_ path: String, face: UInt32, message: inout [CChar]) -> OpaquePointer? {
        wm_text_face_open(engine, path, face, &message)
    }

    /// What a glyph touches, in whole pixels from the pen's.
    func bounds(_ key: GlyphKey, _ face: FontFace) -> InkBounds {
        image(key, face).bounds
    }

    /// Joins a glyph's coverage to that of a plane of `rect`, the larger of both; the pen's pixel is (x, y) of `rect`'s coordinates.
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

    /// Lays a glyph of colour over premultiplied pixels of `rect`, multiplied by an alpha.
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
        cache.insert(image, for: key, byteCount: image.byteCount)
        return image
    }

    func outlineImage(_ key: GlyphKey, _ face: FontFace) -> GlyphImage {
        var box = wm_text_box()
        let kind = wm_text_glyph_box(engine, face.pointer, key.glyph, key.place, &box)
        return GlyphImage(kind: kind, bounds: InkBounds(box))
    }

    func keep(_ pixels: [UInt8], _ image: GlyphImage, _ key: GlyphKey) -> [UInt8] {
        image.pixels = pixels
        cache.insert(image, for: key, byteCount: image.byteCount)
        return pixels
    }

    /// A glyph's coverage of a part of its bounds.
    func coverage(_ key: GlyphKey, _ face: FontFace, _ part: InkBounds) -> [UInt8] {
        rasterisations += 1
        if face.isColor && key.glyph != 0 { return colorHalo(key, face, part) }
        let box = wm_text_box(part)
        return [UInt8](unsafeUninitializedCapacity: part.width * part.height) { buffer, count in
            // Boxes are neither empty nor larger than a piece of a block, so only memory can be missing.
            guard wm_text_glyph_coverage(engine, face.pointer, key.glyph, key.place, box, buffer.baseAddress!) else {
                fatalError("memory ends")
            }
            count = buffer.count
        }
    }

    /// The larger coverage of both; `part` lies in `bounds`.
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

// MARK: Colour

private extension GlyphPainter {
    /// The picture as the font has it.
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
            cache.insert(made, for: strikeKey, byteCount: made.byteCount)
            image = made
        }
        let bounds = image!.bounds
        return (Bitmap(width: bounds.width, height: bounds.height, premultipliedPixels: image!.pixels!)!, bounds, image!.pixelsPerEm)
    }

    /// A picture of colour at its size, or the bounds of its halo. Pictures stand at whole pixels.
    func colorImage(_ key: GlyphKey, _ face: FontFace) -> GlyphImage {
        let own = strike(key, face)
        guard !own.box.isEmpty, key.size > 0, key.size <= Int32(WM_TEXT_MOST_SIZE) else {
            return GlyphImage(kind: WM_TEXT_NOTHING, bounds: .nothing)
        }
        let bounds = ColorGlyph.bounds(own.box, scale: Double(key.size) / 64 / own.pixelsPerEm)
        guard key.radius == 0 else {
            let margin = ColorGlyph.margin(key.radius)
            return GlyphImage(
                kind: WM_TEXT_OUTLINE,
                bounds: InkBounds(
                    x: bounds.x - margin, y: bounds.y - margin, width: bounds.width + 2 * margin, height: bounds.height + 2 * margin))
        }
        let image = GlyphImage(kind: WM_TEXT_COLOR, bounds: bounds)
        if !image.isLarge {
            rasterisations += 1
            image.pixels = own.bitmap.scaled(toWidth: bounds.width, height: bounds.height).pixels
        }
        return image
    }

    /// The picture's alpha, widened by a disc.
    func colorHalo(_ key: GlyphKey, _ face: FontFace, _ part: InkBounds) -> [UInt8] {
        let own = strike(key, face)
        let bounds = ColorGlyph.bounds(own.box, scale: Double(key.size) / 64 / own.pixelsPerEm)
        let margin = ColorGlyph.margin(key.radius)
        let around = InkBounds(
            x: part.x - margin, y: part.y - margin, width: part.width + 2 * margin, height: part.height + 2 * margin)
        let seen = around.intersection(bounds)
        guard !seen.isEmpty else { return [UInt8](repeating: 0, count: part.width * part.height) }
        let source: [UInt8]
        let isLarge = max(bounds.width, bounds.height) > Self.longestKeptSide
        if isLarge {
            source = ColorGlyph.part(seen, of: own.bitmap, scaledTo: bounds)
        } else {
            source = own.bitmap.scaled(toWidth: bounds.width, height: bounds.height).pixels
        }
        return ColorGlyph.widened(source, of: isLarge ? seen : bounds, by: key.radius, in: part)
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
