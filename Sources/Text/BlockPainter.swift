import CWaymarkText
import WaymarkImaging

/// Places the glyphs of a block in device pixels, measures their ink and draws them.
struct BlockPainter {
    let block: TextBlock
    /// The width in whole device pixels. Lines are aligned in it.
    let boxWidth: Int
    /// The block's shift to the right, in quarter pixels.
    let phase: Int

    /// The maximum distance in device pixels. Glyphs farther away are not drawn, so that all positions fit in an Int.
    private static let farthest = 1e8
}

extension BlockPainter {
    func ink(_ painter: GlyphPainter) -> InkBounds {
        var bounds = InkBounds.nothing
        for part in placedParts() {
            guard part.hasInk else { continue }
            forEachGlyph(of: part) { glyph in
                var key = glyph.key
                // A halo covers its glyph, so it alone determines the ink.
                (key.radius, key.blur) = (part.haloRadius, part.haloBlur)
                bounds = bounds.union(painter.bounds(key, glyph.face).moved(x: glyph.x, y: glyph.y))
            }
        }
        return bounds
    }

    func bitmap(_ painter: GlyphPainter, in rect: InkBounds) -> Bitmap {
        var bitmap = Bitmap(width: max(0, rect.width), height: max(0, rect.height))
        guard !rect.isEmpty else { return bitmap }
        let parts = placedParts()
        var plane = [UInt8](repeating: 0, count: rect.width * rect.height)
        bitmap.withUnsafeMutablePixels { pixels in
            let target = pixels.baseAddress!
            plane.withUnsafeMutableBufferPointer { plane in
                for part in parts where part.haloRadius > 0 {
                    draw(part, radius: part.haloRadius, blur: part.haloBlur, color: part.part.haloColor, painter, plane, target, rect)
                }
                for part in parts where part.part.color.premultipliedBytes.alpha > 0 {
                    draw(part, radius: 0, blur: 0, color: part.part.color, painter, plane, target, rect)
                }
            }
        }
        return bitmap
    }
}

private extension BlockPainter {
    struct PlacedTextPart {
        let part: TextBlock.Part
        /// The distance in device pixels from the block's top.
        let top: Double
        /// The radius in 1/64 pixel; 0 without a halo.
        let haloRadius: Int32
        /// The distance over which the halo's edge fades, in 1/64 pixel; 0 without a halo.
        let haloBlur: Int32

        var hasInk: Bool { haloRadius > 0 || part.color.premultipliedBytes.alpha > 0 }
    }

    struct PlacedGlyph {
        let key: GlyphKey
        let face: FontFace
        let x: Int
        let y: Int
    }

    func placedParts() -> [PlacedTextPart] {
        var top = 0.0
        return block.parts.map { part in
            defer { top += part.layout.height * part.pixelsPerPoint }
            guard part.haloColor.premultipliedBytes.alpha > 0, part.haloRadius > 0 else {
                return PlacedTextPart(part: part, top: top, haloRadius: 0, haloBlur: 0)
            }
            func length(_ pixels: Double) -> Int32 { Int32(max(0, min((pixels * 64).rounded(), Double(WM_TEXT_MOST_RADIUS)))) }
            let radius = length(part.haloRadius)
            return PlacedTextPart(part: part, top: top, haloRadius: radius, haloBlur: radius > 0 ? length(part.haloBlur) : 0)
        }
    }

    func forEachGlyph(of placed: PlacedTextPart, _ body: (PlacedGlyph) -> Void) {
        let layout = placed.part.layout
        let scale = placed.part.pixelsPerPoint
        let sizePixels = (layout.request.size * scale * 64).rounded()
        guard sizePixels >= 1, sizePixels <= Double(WM_TEXT_MOST_SIZE) else { return }
        var top = placed.top
        for line in layout.lines {
            let baseline = (top + line.ascent * scale + 0.5).rounded(.down)
            let left = (Double(boxWidth) - line.width * scale) * block.alignment + Double(phase) / 4
            top += line.height * scale
            guard abs(baseline) < Self.farthest, !line.glyphs.isEmpty else { continue }
            var face = layout.face(layout.glyphs[line.glyphs.lowerBound].font)
            for glyph in layout.glyphs[line.glyphs] {
                if glyph.font != face.index { face = layout.face(glyph.font) }
                let x = ((left + Double(glyph.x) * scale) * 4 + 0.5).rounded(.down)
                let up = (Double(glyph.y) * scale * 4 + 0.5).rounded(.down)
                guard abs(x) < Self.farthest, abs(up) < Self.farthest else { continue }
                // Color glyphs are placed at whole pixels.
                let quarters = face.isColor ? Int(x) + 2 & ~3 : Int(x)
                let quartersUp = face.isColor ? Int(up) + 2 & ~3 : Int(up)
                let key = GlyphKey(
                    face: face.id, glyph: glyph.id, size: Int32(sizePixels), radius: 0,
                    phase: UInt8(quarters & 3 | (quartersUp & 3) << 2))
                body(PlacedGlyph(key: key, face: face, x: quarters >> 2, y: Int(baseline) - quartersUp >> 2))
            }
        }
    }

    /// Draws one color. First, the coverage of each pixel is computed as the largest over all glyphs, so that overlaps of a translucent
    /// color are not darker.
    func draw(
        _ placed: PlacedTextPart, radius: Int32, blur: Int32, color: Color, _ painter: GlyphPainter,
        _ plane: UnsafeMutableBufferPointer<UInt8>,
        _ target: UnsafeMutablePointer<UInt8>, _ rect: InkBounds
    ) {
        let color = color.premultipliedBytes
        plane.update(repeating: 0)
        var pictures: [PlacedGlyph] = []
        forEachGlyph(of: placed) { glyph in
            var key = glyph.key
            (key.radius, key.blur) = (radius, blur)
            if radius == 0, glyph.face.isColor, key.glyph != 0 {
                pictures.append(glyph)
            } else {
                painter.draw(key, glyph.face, x: glyph.x, y: glyph.y, into: plane.baseAddress!, rect)
            }
        }
        for index in plane.indices where plane[index] != 0 {
            Blend.over(target + index * 4, color.red, color.green, color.blue, color.alpha, coverage: plane[index])
        }
        for glyph in pictures {
            painter.drawColor(glyph.key, glyph.face, x: glyph.x, y: glyph.y, alpha: color.alpha, over: target, rect)
        }
    }
}
