import WaymarkImaging

/// The outline of a glyph as polygons, to be filled by the nonzero rule. Corners are in pixels from the pen, y down.
package struct GlyphOutline: Sendable {
    /// The corners of all polygons, one after another.
    package var points: [SIMD2<Double>] = []
    /// The end of each polygon in `points`. A polygon begins where the previous one ends, and is closed implicitly.
    package var ends: [Int] = []
}

/// A glyph that a font stores as a picture, such as an emoji. Lengths are in em from the pen, y down.
package struct GlyphPicture: Sendable {
    package var bitmap: Bitmap
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
}

/// Identifies a glyph in the process.
package struct GlyphName: Hashable, Sendable {
    let face: UInt32
    let glyph: UInt32
}

extension TextLayout {
    /// The name of one of the layout's glyphs.
    package func name(of glyph: Glyph) -> GlyphName { GlyphName(face: face(glyph.font).id, glyph: glyph.id) }

    /// Whether one of the layout's glyphs is a picture.
    package func isPicture(_ glyph: Glyph) -> Bool { face(glyph.font).isColor && glyph.id != 0 }

    /// The outline of one of the layout's glyphs; empty for a glyph without ink. It is not cached.
    /// - Parameters:
    ///   - pixelsPerEm: The size, at most 16,384.
    ///   - tolerance: The largest distance of the polygons from the glyph's curves, in pixels.
    package func outline(of glyph: Glyph, pixelsPerEm: Double, tolerance: Double) -> GlyphOutline {
        let face = face(glyph.font)
        return GlyphPainter.shared.withLock { $0.outline(glyph.id, face, pixelsPerEm: pixelsPerEm, tolerance: tolerance) }
    }

    /// The picture of one of the layout's glyphs; nil for a glyph with an outline or without ink.
    package func picture(of glyph: Glyph) -> GlyphPicture? {
        guard isPicture(glyph) else { return nil }
        let face = face(glyph.font)
        return GlyphPainter.shared.withLock { $0.picture(glyph.id, face) }
    }
}
