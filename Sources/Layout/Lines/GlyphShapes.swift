import Synchronization
import WaymarkImaging
import WaymarkRaster
import WaymarkText

/// The outline of a glyph, and of its halo, as polygons around the pen, y down.
final class GlyphShape: Sendable {
    /// The pixels per em of the points.
    let pixelsPerEm: Double
    let fill: Contours
    /// The outline widened by the halo, to be filled by the nonzero rule; empty without a halo.
    let halo: Contours
    /// The farthest distance of a point from the pen, in em.
    let reach: Double

    fileprivate init(_ outline: GlyphOutline, pixelsPerEm: Double, haloWidth: Double) {
        self.pixelsPerEm = pixelsPerEm
        var fill = Contours()
        fill.points = outline.points
        fill.ends = outline.ends
        self.fill = fill
        var stroker = Stroker(StrokeStyle(width: 2 * haloWidth, cap: .round, join: .round, tolerance: Self.tolerance))
        let isReversed = fill.signedArea < 0
        for index in 0..<fill.count where haloWidth > 0 {
            var ring = isReversed ? fill[index].reversed() : Array(fill[index])
            if LineSimplifier.merge(&ring, isClosed: true, within: 1.0 / 64) { stroker.add(widened: ring) }
        }
        halo = stroker.contours
        let farthest = (fill.points + halo.points).reduce(0) { max($0, abs($1.x), abs($1.y)) }
        reach = farthest * 2.0.squareRoot() / pixelsPerEm
    }

    /// The largest error in pixels of the polygons.
    fileprivate static let tolerance = 0.1

    fileprivate var byteCount: Int { 256 + (fill.points.count + halo.points.count) * MemoryLayout<PlanePoint>.stride }
}

/// The process's cache of the outlines of glyphs on curves.
final class GlyphShapes: SharedCache {
    static let shared = {
        let shapes = GlyphShapes()
        CacheBudget.addProcessCache(shapes)
        return shapes
    }()

    private struct Key: Hashable {
        var glyph: GlyphName
        /// The binary logarithm of the pixels per em.
        var level: Int32
        /// The width of the halo in 1/64 pixel.
        var halo: Int32
    }

    private let shapes = Mutex(LRUCache<Key, GlyphShape>())
    /// The number of bytes that one picture may keep regardless of the budget.
    private static let leastByteLimit = 4 << 20

    /// The shapes of the glyphs of a layout, by index; nil for a glyph that is a picture.
    /// - Parameters:
    ///   - em: The largest size in device pixels at which they are drawn.
    ///   - haloWidth: The width of the halo in em.
    func shapes(of layout: TextLayout, em: Double, haloWidth: Double) -> [GlyphShape?] {
        var level: Int32 = 4
        while level < 11, Double(1 << level) < em { level += 1 }
        let pixelsPerEm = Double(1 << level)
        let halo = Int32(min((haloWidth * pixelsPerEm * 64).rounded(), Double(1 << 20)))
        let limit = max(CacheBudget.largestByteLimit / 8, Self.leastByteLimit)
        return layout.glyphs.map { glyph in
            if layout.isPicture(glyph) { return nil }
            let key = Key(glyph: layout.name(of: glyph), level: level, halo: halo)
            if let known = shapes.withLock({ $0.value(for: key) }) { return known }
            let outline = layout.outline(of: glyph, pixelsPerEm: pixelsPerEm, tolerance: GlyphShape.tolerance)
            let shape = GlyphShape(outline, pixelsPerEm: pixelsPerEm, haloWidth: Double(halo) / 64)
            shapes.withLock { shapes in
                let excess = shapes.byteCount + shape.byteCount - limit
                if excess > 0 { shapes.evict(through: .max, bytes: excess) }
                _ = shapes.insert(shape, for: key, byteCount: shape.byteCount)
            }
            return shape
        }
    }

    var keptBytes: Int { shapes.withLock { $0.byteCount } }
    var oldestUse: UInt64? { shapes.withLock { $0.oldestUse } }
    func evict(through picture: UInt64, bytes: Int) { shapes.withLock { $0.evict(through: picture, bytes: bytes) } }
}
