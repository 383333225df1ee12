import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkText

/// Adds the texts and images along lines to a frame: the letters as exact paths, which are sharp at every angle, images and emoji as
/// sprites. Those of one sort key are above all lines and areas of that key: first the images, then the texts.
struct LineLabelDrawing {
    private let viewport: Viewport
    private let rasters: [FrameImage]
    private let fades: Bool

    private init(_ pass: PlacingPass) {
        viewport = pass.viewport
        rasters = pass.rasters
        fades = pass.fade != nil
    }

    /// Draws labels: one item for each sort key.
    /// - Parameter drawn: The slots of the shapes that have a position in the drawing order without their labels.
    static func draw(_ placed: inout PlacedLineLabels, _ shapes: ShapeTable, drawn: Set<Int32>, _ pass: inout PlacingPass) {
        let drawing = LineLabelDrawing(pass)
        var shown = placed.labels.filter { $0.obstacle == nil }
        while let rank = shown.last?.rank {
            let start = shown.lastIndex { $0.rank != rank }.map { $0 + 1 } ?? 0
            let first = pass.frame.beginItem()
            drawing.draw(shown[start...], shapes, &pass.frame)
            let commands = pass.frame.endItem(from: first)
            // Only lines that are not in the picture themselves have their position in the drawing order here.
            var count = 0
            for label in shown[start...].reversed() where !drawn.contains(label.slot) && placed.orders[label.slot] == nil {
                placed.orders[label.slot] = (placed.items.count, count)
                count += 1
            }
            shown.removeLast(shown.count - start)
            // Above all shapes of the same rank.
            if !commands.isEmpty || count > 0 {
                placed.items.append(DrawItem(rank: rank, sequence: .max, count: count, commands: commands))
            }
        }
    }

    /// Draws the labels of one sort key.
    /// - Parameter labels: From top to bottom.
    private func draw(_ labels: ArraySlice<PlacedLineLabel>, _ shapes: ShapeTable, _ frame: inout FrameBuilder) {
        for label in labels.reversed() {
            switch label.content {
            case .image(var sprite):
                sprite.image = frame.index(of: rasters[Int(sprite.image)])
                frame.append(sprite)
            case .text(let curved):
                if let text = text(label, shapes) { drawPictures(curved, text, &frame) }
            }
        }
        // All paths of a command fade into the sky, or none.
        var first = frame.frame.paths.count
        var isFading = false
        for label in labels.reversed() {
            guard case .text(let curved) = label.content, let text = text(label, shapes) else { continue }
            if text.isFading != isFading {
                finish(from: &first, &frame)
                isFading = text.isFading
            }
            draw(curved, text, &frame.frame)
        }
        finish(from: &first, &frame)
    }

    private func finish(from first: inout Int, _ frame: inout FrameBuilder) {
        let end = frame.frame.paths.count
        if end > first { frame.append(.paths(first..<end)) }
        first = end
    }

    /// A text to be drawn, and its plane.
    private struct DrawnText {
        let text: LineLabelContent.LineText
        let plane: LabelPlane
        /// Device pixels per em.
        let em: Double
        /// Whether it fades into the sky, because it lies on the ground.
        let isFading: Bool
    }

    private func text(_ label: PlacedLineLabel, _ shapes: ShapeTable) -> DrawnText? {
        guard let shape = shapes[label.slot], let text = shape.labels?.text, case .text(let curved) = label.content else { return nil }
        let plane = LabelPlane(viewport: viewport, isLevel: shape.isInPerspective, height: shape.height * viewport.worldSize)
        var em = text.size * viewport.pixelRatio
        if plane.isLevel {
            let depth = curved.units.map { plane.depth(of: SpacePoint($0.anchor.x, $0.anchor.y, plane.height)) }.min() ?? .infinity
            em *= viewport.cameraDistance / max(depth, viewport.nearDepth)
        }
        return DrawnText(text: text, plane: plane, em: em, isFading: fades && shape.height == 0 && !shape.geometry.isAerial)
    }

    /// Adds the outlines of the letters beneath all letters, and then the letters.
    private func draw(_ curved: CurvedText, _ drawn: DrawnText, _ frame: inout Frame) {
        let text = drawn.text
        let shapes = GlyphShapes.shared.shapes(of: text.layout, em: drawn.em, haloWidth: text.haloWidth / text.size)
        let layers = [(text.haloWidth > 0, \GlyphShape.halo, text.haloColor), (text.color.alpha > 0, \GlyphShape.fill, text.color)]
        for (isDrawn, contours, color) in layers where isDrawn {
            let first = frame.contours.count
            forEachGlyph(of: curved, drawn) { index, place in
                guard let shape = shapes[index], isSeen(place, drawn, reach: shape.reach) else { return }
                frame.add(shape[keyPath: contours], place, unitsPerEm: shape.pixelsPerEm, drawn.plane)
            }
            guard frame.contours.count > first else { continue }
            var path = Path(contours: first..<frame.contours.count, color: color)
            path.fades = drawn.isFading
            frame.paths.append(path)
        }
    }

    /// Adds the letters that are pictures.
    private func drawPictures(_ curved: CurvedText, _ drawn: DrawnText, _ frame: inout FrameBuilder) {
        let layout = drawn.text.layout
        guard layout.glyphs.contains(where: { layout.isPicture($0) }) else { return }
        forEachGlyph(of: curved, drawn) { index, place in
            let glyph = layout.glyphs[index]
            guard let picture = layout.picture(of: glyph) else { return }
            // As fine as sprites sample images; see `IconLevels`.
            let scale = min(IconLevels.mostTexels * drawn.em * picture.width / Double(picture.bitmap.width), 1)
            func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * scale).rounded(.up))) }
            let (width, height) = (side(picture.bitmap.width), side(picture.bitmap.height))
            let key = IconPixelsKey(origin: .glyph(layout.name(of: glyph)), width: width, height: height)
            let image = FrameImage(
                key: key.textureKey, name: "emoji", width: width, height: height,
                pixels: IconPixels.picture(picture.bitmap, width: width, height: height))
            let corner = place.origin + place.across * picture.x + place.down * picture.y
            let (across, down) = (place.across * picture.width, place.down * picture.height)
            var sprite = Sprite(
                x: Float(corner.x), y: Float(corner.y), z: Float(drawn.plane.isLevel ? drawn.plane.height : 0),
                across: (Float(across.x), Float(across.y)), down: (Float(down.x), Float(down.y)),
                alpha: Float(drawn.text.color.alpha), image: 0, plane: drawn.plane.isLevel ? .ground : .screen)
            sprite.image = frame.index(of: image)
            frame.append(sprite)
        }
    }

    /// The position of a glyph in its plane.
    struct GlyphPlace {
        /// The pen.
        var origin: PlanePoint
        /// An em to the right and down.
        var across: PlanePoint
        var down: PlanePoint
    }

    /// Calls `body` with the index of every glyph in the layout and its place.
    private func forEachGlyph(of curved: CurvedText, _ drawn: DrawnText, _ body: (Int, GlyphPlace) -> Void) {
        let (layout, scale, size) = (drawn.text.layout, drawn.plane.scale, drawn.text.size)
        let baseline = drawn.text.offset + LineLabelContent.LineText.middle * size
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
    /// - Parameter reach: The farthest distance of its points from the pen, in em.
    private func isSeen(_ place: GlyphPlace, _ drawn: DrawnText, reach: Double) -> Bool {
        let (point, pixels) = (drawn.plane.screenPoint(of: place.origin), reach * drawn.em)
        return point.x > -pixels && point.y > -pixels && point.x < Double(viewport.deviceWidth) + pixels
            && point.y < Double(viewport.deviceHeight) + pixels
    }
}

extension Frame {
    /// Adds contours at a place of a plane.
    /// - Parameter unitsPerEm: The units of the contours per em.
    fileprivate mutating func add(
        _ contours: Contours, _ place: LineLabelDrawing.GlyphPlace, unitsPerEm: Double, _ plane: LabelPlane
    ) {
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
