import WaymarkFrame
import WaymarkGeo
import WaymarkImaging

/// Adds the texts and images along lines to a frame. Letters are exact paths, which are sharp at every angle. Images and emoji are
/// sprites. The labels of one sort key lie above all lines and areas of that key, first the images and then the texts.
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
            // Only lines that are not in the picture themselves get their position in the drawing order here.
            var count = 0
            for label in shown[start...].reversed() where !drawn.contains(label.slot) && placed.orders[label.slot] == nil {
                placed.orders[label.slot] = (placed.items.count, count)
                count += 1
            }
            shown.removeLast(shown.count - start)
            // The labels lie above all shapes of the same rank.
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
                if let text = text(label, shapes) { text.drawPictures(on: curved, &frame) }
            }
        }
        // Either all paths of a command fade into the sky, or none.
        var first = frame.frame.paths.count
        var isFading = false
        for label in labels.reversed() {
            guard case .text(let curved) = label.content, let text = text(label, shapes) else { continue }
            if text.isFading != isFading {
                finish(from: &first, &frame)
                isFading = text.isFading
            }
            text.draw(on: curved, &frame.frame)
        }
        finish(from: &first, &frame)
    }

    private func finish(from first: inout Int, _ frame: inout FrameBuilder) {
        let end = frame.frame.paths.count
        if end > first { frame.append(.paths(first..<end)) }
        first = end
    }

    private func text(_ label: PlacedLineLabel, _ shapes: ShapeTable) -> DrawnText? {
        guard let shape = shapes[label.slot], let text = shape.labels?.text, case .text(let curved) = label.content else { return nil }
        let plane = LabelPlane(viewport: viewport, isLevel: shape.isInPerspective, height: shape.height * viewport.worldSize)
        var em = text.size * viewport.pixelRatio
        if plane.isLevel {
            let depth = curved.units.map { plane.depth(of: SpacePoint($0.anchor.x, $0.anchor.y, plane.height)) }.min() ?? .infinity
            em *= viewport.cameraDistance / max(depth, viewport.nearDepth)
        }
        return DrawnText(
            layout: text.layout, color: text.color, haloColor: text.haloColor, haloWidth: text.haloWidth / text.size, offset: text.offset,
            plane: plane, scale: plane.scale, em: em, isFading: fades && shape.height == 0 && !shape.geometry.isAerial)
    }
}
