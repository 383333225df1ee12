import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkText

/// A text to be drawn along a curve: its letters as exact paths, which are sharp at every angle, and emoji as sprites.
struct DrawnText {
    /// One line with units.
    let layout: TextLayout
    let color: Color
    let haloColor: Color
    /// The width of the halo in em; 0 for none.
    let haloWidth: Double
    /// The distance of the middle of the text from the line in pt of the layout, downward as it is read.
    let offset: Double
    let plane: LabelPlane
    /// The number of units of the plane per pt of the layout.
    let scale: Double
    /// The number of device pixels per em, where the text is largest.
    let em: Double
    /// Whether the text fades into the sky, because it lies on the ground.
    let isFading: Bool

    /// Adds the outlines of all letters, and then the letters above them.
    func draw(on curved: CurvedText, _ frame: inout Frame) {
        let shapes = GlyphShapes.shared.shapes(of: layout, em: em, haloWidth: haloWidth)
        let layers = [(haloWidth > 0, \GlyphShape.halo, haloColor), (color.alpha > 0, \GlyphShape.fill, color)]
        for (isDrawn, contours, color) in layers where isDrawn {
            let first = frame.contours.count
            forEachGlyph(of: curved) { index, place in
                guard let shape = shapes[index], isSeen(place, reach: shape.reach) else { return }
                frame.add(shape[keyPath: contours], place, unitsPerEm: shape.pixelsPerEm, plane)
            }
            guard frame.contours.count > first else { continue }
            var path = Path(contours: first..<frame.contours.count, color: color)
            path.fades = isFading
            frame.paths.append(path)
        }
    }

    /// Adds the letters that are pictures.
    func drawPictures(on curved: CurvedText, _ frame: inout FrameBuilder) {
        guard layout.glyphs.contains(where: { layout.isPicture($0) }) else { return }
        forEachGlyph(of: curved) { index, place in
            let glyph = layout.glyphs[index]
            guard let picture = layout.picture(of: glyph) else { return }
            // The scale is as fine as sprites sample images; see `IconLevels`.
            let scale = min(IconLevels.mostTexels * em * picture.width / Double(picture.bitmap.width), 1)
            func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * scale).rounded(.up))) }
            let (width, height) = (side(picture.bitmap.width), side(picture.bitmap.height))
            let key = IconPixelsKey(origin: .glyph(layout.name(of: glyph)), width: width, height: height)
            let image = FrameImage(
                key: key.textureKey, name: "emoji", width: width, height: height,
                pixels: IconPixels.picture(picture.bitmap, width: width, height: height))
            let corner = place.origin + place.across * picture.x + place.down * picture.y
            let (across, down) = (place.across * picture.width, place.down * picture.height)
            var sprite = Sprite(
                x: Float(corner.x), y: Float(corner.y), z: Float(plane.isLevel ? plane.height : 0),
                across: (Float(across.x), Float(across.y)), down: (Float(down.x), Float(down.y)),
                alpha: Float(color.alpha), image: 0, plane: plane.isLevel ? .ground : .screen)
            sprite.image = frame.index(of: image)
            frame.append(sprite)
        }
    }
}

/// The position of a glyph in its plane.
private struct GlyphPlace {
    /// The position of the pen.
    var origin: PlanePoint
    /// The vectors of one em to the right and down.
    var across: PlanePoint
    var down: PlanePoint
}

extension DrawnText {
    /// Calls `body` with the index of every glyph in the layout and its place.
    private func forEachGlyph(of curved: CurvedText, _ body: (Int, GlyphPlace) -> Void) {
        let size = layout.request.size
        let baseline = offset + LineLabelContent.LineText.middle * size
        for (unit, placed) in zip(layout.units, curved.units) {
            let (right, down) = (placed.along * scale, PlanePoint(-placed.along.y, placed.along.x) * scale)
            let center = (unit.start + unit.end) / 2
            for index in unit.glyphs {
                let glyph = layout.glyphs[index]
                let origin = placed.anchor + right * (Double(glyph.x) - center) + down * (baseline - Double(glyph.y))
                body(index, GlyphPlace(origin: origin, across: right * size, down: down * size))
            }
        }
    }

    /// Whether a glyph may be in the picture.
    /// - Parameter reach: The maximum distance of the glyph's points from the pen, in em.
    private func isSeen(_ place: GlyphPlace, reach: Double) -> Bool {
        let (point, pixels, viewport) = (plane.screenPoint(of: place.origin), reach * em, plane.viewport)
        return point.x > -pixels && point.y > -pixels && point.x < Double(viewport.deviceWidth) + pixels
            && point.y < Double(viewport.deviceHeight) + pixels
    }
}

extension Frame {
    /// Adds contours at a place of a plane.
    /// - Parameter unitsPerEm: The units of the contours per em.
    fileprivate mutating func add(_ contours: Contours, _ place: GlyphPlace, unitsPerEm: Double, _ plane: LabelPlane) {
        let (origin, across, down) = (place.origin, place.across / unitsPerEm, place.down / unitsPerEm)
        let first = pathPoints.count
        pathPoints.append(contentsOf: repeatElement(PathPoint.zero, count: contours.points.count))
        pathPoints.withUnsafeMutableBufferPointer { points in
            contours.points.withUnsafeBufferPointer { own in
                for index in own.indices {
                    var point = origin + across * own[index].x + down * own[index].y
                    if plane.isLevel { point = plane.screenPoint(of: point) }
                    points[first + index] = PathPoint(Float(quantized(point.x)), Float(quantized(point.y)))
                }
            }
        }
        for end in contours.ends { self.contours.append(first + end) }
    }
}
