import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// Finds the places of texts and images along lines, from the topmost line down. A label must fit at its place, and no marker, text or
/// image above may take that place. Places are counted from the start of each line, so they move with the map.
struct LineLabelPlacer {
    private let viewport: Viewport
    private let room: CaptionRoom
    private var shapes: ShapePlacer
    /// The collision boxes of markers that hide others, and the rank and the slot of the owner of each.
    private let taken: CollisionGrid?
    private let owners: [(rank: Int32, slot: Int32)]
    /// The collision boxes of the labels placed so far; each label has its own number.
    private var own: CollisionGrid
    private var placed = PlacedLineLabels()
    /// The number of places that may still be tried. Long texts and large areas count more than once.
    private var spare = Self.mostPlaces

    /// The maximum number of places in a picture, which is far more than are legible.
    private static let mostPlaces = 100_000
    /// The number of units of a text that count as one more place, and the side in pt of a square in the picture that does.
    private static let unitsPerPlace = 16
    private static let squarePerPlace = 64.0
    /// The maximum number of images of a line that may overlap at a place.
    private static let mostOverlapping = 8.0
    /// The maximum number of places on a visible piece of a line.
    private static let mostPlacesOnPiece = 10_000.0
    /// The places that are tried for a text, in steps of an eighth of the distance between two texts.
    private static let shifts = [0.0, 1, -1, 2, -2, 3, -3]
    /// The smallest legible text size in pt; see `CaptionBox`.
    private static let leastSize = 6.0
    /// The largest margin around the picture, in pt, in which texts are placed.
    private static let mostMargin = 4000.0
    /// The minimum share of a line's width at which it has texts and images. Lines become thinner toward the far limit.
    private static let leastTaper = 0.5

    private init(_ points: PlacedPoints, _ pass: PlacingPass) {
        viewport = pass.viewport
        room = pass.captionRoom
        shapes = ShapePlacer(pass.viewport, Frame(width: 0, height: 0), pass.fade)
        taken = points.collisionGrid
        owners = points.collisionGrid?.boxes.map { (rank: points.candidates[Int($0.owner)].rank, slot: $0.slot) } ?? []
        own = CollisionGrid(viewport)
    }

    /// Places the labels of lines and draws them.
    /// - Parameters:
    ///   - ordered: The lines with labels, from bottom to top.
    ///   - drawn: The slots of the lines that are in the picture even without their labels.
    static func place(
        _ all: ShapeTable, _ ordered: [ShapeBounds], drawn: Set<Int32>, _ points: PlacedPoints, _ pass: inout PlacingPass
    ) -> PlacedLineLabels {
        var placer = LineLabelPlacer(points, pass)
        for bounds in ordered.reversed() where !bounds.isExcluded && pass.isShown(bounds.slot) {
            guard placer.shapes.maySee(bounds), let shape = all[bounds.slot], let labels = shape.labels else { continue }
            placer.place(labels, shape, slot: bounds.slot, rank: pass.order.rank(bounds.slot))
        }
        var placed = placer.placed
        LineLabelDrawing.draw(&placed, all, drawn: drawn, &pass)
        return placed
    }

    private mutating func place(_ labels: LineLabelContent, _ shape: Shape, slot: Int32, rank: Int32) {
        let plane = LabelPlane(viewport: viewport, isLevel: shape.isInPerspective, height: shape.height * viewport.worldSize)
        // A text, and the places nearby that are tried before it, or an image.
        let textReach = labels.text.map { $0.width / 2 + $0.reach + $0.step / 2 } ?? 0
        let reach = max(textReach, labels.image?.side ?? 0)
        var line = LabeledLine(
            shape: shape, plane: plane, padding: labels.padding * viewport.pixelRatio,
            margin: min(plane.isLevel ? 2 * reach : reach, Self.mostMargin), slot: slot, rank: rank)
        if let text = labels.text { place(text, &line) }
        if let image = labels.image { place(image, &line) }
    }

    /// A line whose labels are being placed.
    private struct LabeledLine {
        let shape: Shape
        let plane: LabelPlane
        /// The padding in device pixels.
        let padding: Double
        /// The distance in pt outside of the picture up to which the line must be known.
        let margin: Double
        let slot: Int32
        let rank: Int32
        /// The visible pieces of the line's parts found so far, by the index of the part.
        var pieces: [Int: [(line: VisibleLine, copy: Int)]] = [:]
    }

    /// The visible pieces of a part of a line, which its text and its image share.
    private mutating func pieces(of part: Int, _ line: inout LabeledLine) -> [(line: VisibleLine, copy: Int)] {
        if let known = line.pieces[part] { return known }
        let found = shapes.visibleLines(of: line.shape.geometry.lines[part], line.shape, line.plane, margin: line.margin)
        line.pieces[part] = found
        return found
    }
}

// Texts.
extension LineLabelPlacer {
    private mutating func place(_ text: LineLabelContent.LineText, _ line: inout LabeledLine) {
        guard text.zooms.contains(viewport.camera.zoom) else {
            placed.reasons[line.slot] = .outOfZoom
            return
        }
        let step = text.step
        // Whether the line is as long in the plane of its labels as on the map.
        let keepsLength = line.plane.isLevel || viewport.sinTilt == 0 && line.shape.height == 0 && !line.shape.geometry.isAerial
        for (index, part) in line.shape.geometry.lines.enumerated() {
            let (start, end) = (part.distances.first ?? 0, part.distances.last ?? 0)
            let length = (end - start) * viewport.worldSize
            if keepsLength, length < text.width - CurvedText.slack(text.width) {
                note(.short, isCut: part.isCutAtStart || part.isCutAtEnd, line)
                continue
            }
            let count = max(1, (length / step).rounded(.down))
            let first = start * viewport.worldSize + (length - (count - 1) * step) / 2
            for (piece, copy) in pieces(of: index, &line) {
                let isCut = piece.isCutAtStart || piece.isCutAtEnd
                let width = text.width * line.plane.scale
                if piece.curve.length < width - CurvedText.slack(width) {
                    note(.short, isCut: isCut, line)
                    continue
                }
                forEachNumber(on: piece, first: first, step: step, count: count, least: 1) { placer, number in
                    placer.place(text, line, on: piece, copy: copy, at: first + number * step, step: step, number: number)
                }
            }
        }
    }

    /// Calls `body` with the numbers of the places on a piece of a line: the multiples of a power of two.
    /// - Parameter least: The lowest allowed power of two.
    private mutating func forEachNumber(
        on piece: VisibleLine, first: Double, step: Double, count: Double, least: Double, _ body: (inout LineLabelPlacer, Double) -> Void
    ) {
        guard let from = piece.distances.first, let to = piece.distances.last else { return }
        // The lowest power of two of which few enough multiples lie on the piece.
        var stride = least
        while (to - from) / (step * stride) > Self.mostPlacesOnPiece { stride *= 2 }
        var number = max(0, ((from - first) / step / stride).rounded(.up) * stride)
        while number < count, first + number * step <= to, spare > 0 {
            spare -= 1
            body(&self, number)
            number += stride
        }
    }

    /// Places a text near a distance from the start of a line.
    private mutating func place(
        _ text: LineLabelContent.LineText, _ line: LabeledLine, on piece: VisibleLine, copy: Int, at distance: Double, step: Double,
        number: Double
    ) {
        guard let anchor = piece.anchor(at: distance, line.plane), isLegible(text, line, anchor) else { return }
        guard line.plane.isLevel || isKept(number, spacing: step, at: anchor, least: text.width + text.size) else { return }
        // The first place that is already taken. The text is listed there if it finds no other place.
        var firstHidden: PlacedLineLabel?
        for shift in Self.shifts {
            let anchor = shift == 0 ? anchor : piece.anchor(at: distance + shift * step / 8, line.plane)
            guard let anchor else { continue }
            spare -= text.layout.units.count / Self.unitsPerPlace
            var label: PlacedLineLabel
            do throws(CurvedText.Misfit) {
                guard let found = try self.label(text, line, on: piece, copy: copy, anchor) else { continue }
                label = found
            } catch {
                note(error, isCut: piece.isCutAtStart || piece.isCutAtEnd, line)
                continue
            }
            guard label.quads.contains(where: { $0.box.isSeen(in: viewport) }) else {
                // If the first possible place of a text is outside of the picture, the text is drawn there in a picture that shows that
                // place.
                if firstHidden == nil { return }
                continue
            }
            label.obstacle = obstacle(label.quads, line, .caption)
            if label.obstacle == nil {
                take(label, line)
                placed.append(label)
                // The letters of a text count, because each is drawn.
                spare -= text.layout.units.count
                return
            }
            if firstHidden == nil { firstHidden = label }
        }
        if let firstHidden { placed.append(firstHidden) }
    }

    /// Records the reason why a text has no place, unless there already is a reason.
    /// - Parameter isCut: Whether the line continues, so that its text may be outside of the picture.
    private mutating func note(_ misfit: CurvedText.Misfit, isCut: Bool, _ line: LabeledLine) {
        guard placed.reasons[line.slot] == nil else { return }
        switch misfit {
        case .sharp: placed.reasons[line.slot] = .tooSharp
        case .short: if !isCut { placed.reasons[line.slot] = .tooShort }
        }
    }

    private func isLegible(_ text: LineLabelContent.LineText, _ line: LabeledLine, _ anchor: VisibleLine.Anchor) -> Bool {
        let depth = line.plane.depth(of: anchor.place)
        guard depth > viewport.nearDepth, depth < viewport.farDepth else { return false }
        let scale = viewport.cameraDistance / depth
        if line.plane.isLevel { return Self.rounded(scale) >= 1 || Self.rounded(text.size * scale) >= Self.leastSize }
        return !isThin(line, anchor)
    }

    /// Whether the line has become too thin there.
    private func isThin(_ line: LabeledLine, _ anchor: VisibleLine.Anchor) -> Bool {
        guard let taper = shapes.taper, anchor.place.z == 0, !line.shape.geometry.isAerial else { return false }
        return Self.rounded(taper.share(at: line.plane.screenPoint(of: anchor.place))) < Self.leastTaper
    }

    /// Rounds to a multiple of 2⁻²⁰, so that the last bit of a sine has no effect.
    private static func rounded(_ value: Double) -> Double { (value * 0x1p20).rounded() / 0x1p20 }

    /// Whether a label is kept although perspective makes labels overlap. Labels whose numbers are multiples of higher powers of two are
    /// kept longest.
    /// - Parameter least: The distance in pt that the labels need on the screen.
    private func isKept(_ number: Double, spacing: Double, at anchor: VisibleLine.Anchor, least: Double) -> Bool {
        let stretch = Self.rounded(anchor.stretch / viewport.pixelRatio)
        var (distance, every) = (spacing * stretch, 1.0)
        let needed = min(least, spacing) * (1 - 1.0 / 1024)
        while distance < needed, every < 0x1p20 {
            distance *= 2
            every *= 2
        }
        return number.truncatingRemainder(dividingBy: every) == 0
    }

    /// A text at a place of a line; nil if it has no place on the screen.
    private func label(
        _ text: LineLabelContent.LineText, _ line: LabeledLine, on piece: VisibleLine, copy: Int, _ anchor: VisibleLine.Anchor
    ) throws(CurvedText.Misfit) -> PlacedLineLabel? {
        let (plane, scale) = (line.plane, line.plane.scale)
        let reach = text.width / 2 * scale
        let ends = [-reach, reach].map { piece.curve.point(at: anchor.middle + $0) }
        guard ends.allSatisfy(plane.isInFront) else { return nil }
        let isReversed = CurvedText.isReversed(plane.screenPoint(of: ends[1]) - plane.screenPoint(of: ends[0]))
        let curved = try CurvedText.place(
            text.layout.units, width: text.width, scale: scale, em: text.size * scale, on: piece.curve, middle: anchor.middle,
            isReversed: isReversed, maxAngle: text.maxAngle, offset: text.offset * scale)
        let screen = plane.screenPoint(of: anchor.place)
        var along = PlanePoint(isReversed ? -1 : 1, 0)
        if let direction = piece.curve.direction(at: anchor.middle, reach: max(reach / 8, 1e-6)) {
            let tip = plane.screenPoint(of: plane.point(of: anchor.place) + direction * (isReversed ? -1e-3 : 1e-3)) - screen
            if tip.length > 0 { along = tip / tip.length }
        }
        let quads = curved.quads(top: text.top * scale, bottom: text.bottom * scale, least: text.size / 2 * scale, plane)
        guard let quads else { return nil }
        guard !curved.isUpsideDown(plane) else { throw .sharp }
        return PlacedLineLabel(
            slot: line.slot, rank: line.rank, copy: copy, content: .text(curved), anchor: screen, along: along, quads: quads)
    }
}

// Images.
extension LineLabelPlacer {
    private mutating func place(_ image: LineLabelContent.LineImage, _ line: inout LabeledLine) {
        var least = 1.0
        while image.spacing * least * Self.mostOverlapping < image.side { least *= 2 }
        let first = placed.labels.count
        for (index, part) in line.shape.geometry.lines.enumerated() {
            let (start, end) = (part.distances.first ?? 0, part.distances.last ?? 0)
            // Where the map's edge cuts the line, images continue to the edge.
            let last = end * viewport.worldSize - (part.isCutAtEnd ? 0 : image.spacing / 2)
            let slack = min(1e-9 * max(1, end * viewport.worldSize), 1e-3)
            let count = ((last - image.offset + slack) / image.spacing).rounded(.down) + 1
            guard count > 0, last >= start * viewport.worldSize else { continue }
            for (piece, copy) in pieces(of: index, &line) {
                forEachNumber(on: piece, first: image.offset, step: image.spacing, count: count, least: least) { placer, number in
                    placer.place(image, line, on: piece, copy: copy, number: number)
                }
            }
        }
        takeImages(from: first, line)
    }

    private mutating func place(
        _ image: LineLabelContent.LineImage, _ line: LabeledLine, on piece: VisibleLine, copy: Int, number: Double
    ) {
        let plane = line.plane
        guard let anchor = piece.anchor(at: image.offset + number * image.spacing, plane) else { return }
        let depth = plane.depth(of: anchor.place)
        guard depth > viewport.nearDepth, depth < viewport.farDepth else { return }
        let scale = viewport.cameraDistance / depth
        if plane.isLevel {
            // The image would be smaller than a pixel.
            guard Self.rounded(image.side * scale * viewport.pixelRatio) >= 1 else { return }
        } else {
            guard !isThin(line, anchor), isKept(number, spacing: image.spacing, at: anchor, least: image.side) else { return }
        }
        let reach = Double(image.style.width) / 2 * plane.scale
        guard let direction = piece.curve.direction(at: anchor.middle, reach: reach) else { return }
        let center = plane.isLevel ? PlanePoint(anchor.place.x, anchor.place.y) : plane.screenPoint(of: anchor.place).snapped
        let sprite = sprite(image.style, center, direction, plane, scale: scale)
        guard let quad = IconPlacer(viewport).quad(of: sprite), quad.box.isSeen(in: viewport) else { return }
        let screen = plane.screenPoint(of: anchor.place)
        let tip = plane.isLevel ? plane.screenPoint(of: center + direction * 1e-3) - screen : direction
        var label = PlacedLineLabel(
            slot: line.slot, rank: line.rank, copy: copy, content: .image(sprite), anchor: screen,
            along: tip.length > 0 ? tip / tip.length : PlanePoint(1, 0), quads: [quad])
        label.obstacle = obstacle(label.quads, line, .icon)
        placed.append(label)
    }

    private func sprite(
        _ style: IconStyle, _ center: PlanePoint, _ along: PlanePoint, _ plane: LabelPlane, scale: Double
    ) -> Sprite {
        let across = along * (Double(style.width) * plane.scale)
        let down = PlanePoint(-along.y, along.x) * (Double(style.height) * plane.scale)
        let corner = center - across / 2 - down / 2
        var sprite = Sprite(
            x: Float(corner.x), y: Float(corner.y), z: Float(plane.isLevel ? plane.height : 0), across: (Float(across.x), Float(across.y)),
            down: (Float(down.x), Float(down.y)), alpha: 1, image: 0, plane: plane.isLevel ? .ground : .screen)
        let pixels = viewport.pixelRatio * (plane.isLevel ? scale : 1)
        sprite.image = UInt32(bitPattern: style.raster(pixelsPerPoint: pixels))
        return sprite
    }
}

// Collisions.
extension LineLabelPlacer {
    /// The obstacle that takes the place of a label; nil if the place is free.
    private mutating func obstacle(_ quads: [Quad], _ line: LabeledLine, _ target: CollisionTarget) -> PlacedLineLabel.Obstacle? {
        if !room.isUnlimited, target == .caption, quads.contains(where: { room.cuts($0.box) }) { return .edge }
        for quad in quads {
            spare -= squares(quad)
            let shape = CollisionGrid.Shape(box: quad.box, quad: quad, padding: line.padding)
            if let taken, let owner = taken.firstBox(over: shape, slot: -1, target, of: boxes(above: line.rank)) {
                return .marker(owners[Int(owner)].slot)
            }
            if let owner = own.first(over: shape, slot: -1, .caption) { return .line(owner) }
        }
        return nil
    }

    /// The number of collision boxes of markers that are drawn above lines of a rank. The boxes descend by rank.
    private func boxes(above rank: Int32) -> Int32 { Int32(owners.partitioningIndex { $0.rank <= rank }) }

    /// The number of squares that a quad may cover in the picture.
    private func squares(_ quad: Quad) -> Int {
        let box = quad.box
        let width = min(box.right, Double(viewport.deviceWidth)) - max(box.left, 0)
        let height = min(box.bottom, Double(viewport.deviceHeight)) - max(box.top, 0)
        guard width > 0, height > 0 else { return 0 }
        let side = Self.squarePerPlace * viewport.pixelRatio
        return Int(width / side * (height / side))
    }

    private mutating func take(_ label: PlacedLineLabel, _ line: LabeledLine) {
        for quad in label.quads {
            own.add(
                CollisionBox(
                    shape: CollisionGrid.Shape(box: quad.box, quad: quad, padding: line.padding), slot: line.slot, owner: line.slot,
                    flags: [.hideMarkers, .hideCaptions]))
        }
    }

    /// Adds the collision boxes of a line's images, which do not hide one another. One of several images within 2 pt suffices.
    private mutating func takeImages(from first: Int, _ line: LabeledLine) {
        var known: Set<SIMD2<Int64>> = []
        for label in placed.labels[first...] where label.obstacle == nil {
            let square = (label.anchor / (2 * viewport.pixelRatio)).rounded(.down)
            if known.insert(SIMD2<Int64>(square)).inserted { take(label, line) }
        }
    }
}

extension Quad {
    /// The quad with every edge moved outward, for a rectangle, or approximately for another quad.
    func grown(by length: Double) -> Quad {
        guard length > 0 else { return self }
        let points = points
        let across = points[1] - points[0]
        let down = points[3] - points[0]
        guard across.length > 0, down.length > 0 else { return self }
        let (x, y) = (across * (length / across.length), down * (length / down.length))
        return Quad([points[0] - x - y, points[1] + x - y, points[2] + x + y, points[3] - x + y])
    }
}
