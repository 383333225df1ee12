import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A point that takes part in a picture: its icon, or its caption at the first of its aligns, is visible. Lengths are in device pixels.
struct PointCandidate: Sendable {
    /// The icon's quad; its image is `IconStyle.noImage` for a point without an icon.
    var icon: Sprite
    var slot: Int32
    /// The index of the caption's box; -1 if no caption is shown at this zoom.
    var caption: Int32
    /// The rank of the point's sort key. Higher ranks are placed first.
    var rank: Int32
    /// The copy of the world on which the point lies.
    var copy: Int8
    /// The reason why the icon is not in the picture; nil when it is.
    var iconReason: Reason?
    var alpha: Float
    var flags: IconStyle.Flags
    /// The bounding box of the drawn icon.
    var box: PixelBox
    /// The caption's size in whole pixels, and its upper left at the current align.
    var captionWidth: Double
    var captionHeight: Double
    var captionX = 0.0
    var captionY = 0.0
    var scales: CaptionBox.Scales
    /// Whether only the halo, or glyphs that extend beyond the caption's box, are in the picture. Such a caption is drawn and may be
    /// hidden, but hides nothing.
    var isOnlyInkVisible = false
    /// The reason why the caption is not drawn even if nothing hides it, which is the zoom or the text size. Nil if it is drawn.
    var captionReason: Reason?
    /// Whether the caption is omitted because its letters would be too large.
    var isOversized = false
    /// Whether the caption is hidden because the picture's edge would cut it at all of its aligns.
    var isCutByEdge = false
    /// Whether the icon is hidden because the caption, which it requires, finds no place.
    var lacksCaption = false
    /// The index of the caption's current align.
    var align: Int8 = 0
    /// The number of collision boxes that existed when one of them hid the icon or the caption; -1 when it is not hidden.
    var iconHiddenBy: Int32 = -1
    var captionHiddenBy: Int32 = -1

    var hasIcon: Bool { icon.image != IconStyle.noImage }
    var isIconShown: Bool { iconHiddenBy < 0 }
    var isIconDrawn: Bool { isIconShown && iconReason == nil && hasIcon }
    var isCaptionShown: Bool { caption >= 0 && iconHiddenBy < 0 && captionHiddenBy < 0 }

    /// The collision shape of the caption at its current align.
    @inline(__always)
    func captionShape(_ box: CaptionBox) -> CollisionGrid.Shape {
        CollisionGrid.Shape(box: captionBox, padding: captionWidth > 0 && captionHeight > 0 ? box.padding(scales) : 0)
    }

    var captionBox: PixelBox {
        PixelBox(left: captionX, top: captionY, right: captionX + captionWidth, bottom: captionY + captionHeight)
    }

    /// The box around the icon and the caption that are shown.
    var shownBox: PixelBox {
        guard caption >= 0 else { return box }
        return hasIcon ? box.union(captionBox) : captionBox
    }

    /// Moves the caption to one of its aligns; to whole pixels unless the caption is scaled by perspective.
    @inline(__always)
    mutating func placeCaption(_ box: CaptionBox, align number: Int) {
        let (x, y) = box.corner(align: number, beside: self.box, width: captionWidth, height: captionHeight, scales)
        (captionX, captionY, align) = (quantized(x), quantized(y), Int8(number))
        if !box.flags.contains(.perspective) { (captionX, captionY) = (wholePixels(captionX), wholePixels(captionY)) }
    }

    /// The collision shape of the icon.
    @inline(__always)
    func iconShape(_ placer: IconPlacer) -> CollisionGrid.Shape {
        let isTurned = flags.contains(.flat) || icon.acrossY != 0 || icon.downX != 0
        return CollisionGrid.Shape(box: box, quad: isTurned ? placer.quad(of: icon) : nil, padding: 0)
    }
}

/// The candidates to collect.
enum CandidateScope {
    /// Only candidates of which a part is in the picture.
    case visible
    /// Also those outside the picture.
    case all
}

/// Finds the markers that take part in a picture with captions, or with markers that hide others.
struct CandidateCollector {
    /// The largest text size in device pixels. Larger letters, which occur in captions very close to the camera, are not drawn.
    static let largestLetters = 16_384.0
    /// The widest outline in device pixels; letters with a wider one are not drawn.
    static let widestHalo = 1024.0

    let placer: IconPlacer
    private let viewport: Viewport
    private let points: PicturePoints

    init(_ viewport: Viewport, _ points: PicturePoints) {
        self.viewport = viewport
        self.points = points
        placer = IconPlacer(viewport)
    }

    /// The candidates among the points of a picture, in drawing order.
    func candidates(_ sequence: PointSequence, _ pass: PlacingPass) -> [PointCandidate] {
        var candidates: [PointCandidate] = []
        candidates.reserveCapacity(sequence.capacity)
        sequence.forEachRun { rank, run in
            sequence.forEach(in: run, points.styles) { point, style in
                if style.flags.contains(.zoomRange), !pass.isShown(point.slot) { return }
                guard
                    var candidate = candidate(
                        point.place, height: point.height, copy: Int(point.copy), style, caption: points.captionID(point.slot),
                        boxes: points.captionBoxes(of: point.slot))
                else { return }
                candidate.slot = point.slot
                candidate.rank = rank
                candidates.append(candidate)
            }
        }
        return candidates
    }

    /// The candidate of a point, with its caption at the first of its aligns; nil when no part of it is in the picture.
    /// - Parameters:
    ///   - caption: The index of the caption in `boxes`, or -1 for none.
    ///   - scope: The candidates to return. Default: visible ones.
    @inline(__always)
    func candidate(
        _ place: WorldPoint, height: Double, copy: Int, _ style: IconStyle, caption: Int32, boxes: CaptionBoxes,
        scope: CandidateScope = .visible
    ) -> PointCandidate? {
        let icon = placer.place(place, height: height, copy: Double(copy), style)
        guard icon.reason == nil || caption >= 0 && icon.reason == .outOfView else { return nil }
        var candidate = PointCandidate(icon, style, copy: copy)
        candidate.setBox(icon, placer, isFlat: style.flags.contains(.flat))
        if caption >= 0 {
            let box = boxes[Int(caption)]
            candidate.captionReason = .outOfZoom
            if box.main.contains(viewport.camera.zoom) {
                let depth = placer.depth(of: place, height: height, copy: Double(copy))
                guard depth < placer.projection.far else { return nil }
                // Rounded to 2⁻²⁰, so that the last bit of a sine does not change the text size.
                let scale = (placer.projection.distance / depth * 0x1p20).rounded() / 0x1p20
                candidate.scales = box.scales(pixelRatio: placer.pixelRatio, distanceScale: scale, zoom: viewport.camera.zoom)
                // The caption is too far away to be legible.
                if candidate.scales.main == 0 { candidate.captionReason = .outOfView }
                candidate.isOversized =
                    box.main.size * candidate.scales.main > Self.largestLetters
                    || candidate.scales.hasSub && box.sub.size * candidate.scales.sub > Self.largestLetters
                    || Double(box.haloReach) * candidate.scales.length > Self.widestHalo
            }
            if candidate.scales.main > 0, !candidate.isOversized {
                (candidate.captionWidth, candidate.captionHeight) = box.size(candidate.scales)
                candidate.placeCaption(box, align: 0)
                candidate.caption = caption
                candidate.captionReason = nil
            }
        }
        if scope == .all || icon.reason == nil { return candidate }
        guard candidate.caption >= 0 else { return nil }
        if candidate.isCaptionSeen(in: viewport) { return candidate }
        // Glyphs rarely extend beyond their line by more than the text size, or, with an outline, by more than twice its reach.
        candidate.isOnlyInkVisible = true
        let box = boxes[Int(caption)]
        let margin = max(box.main.size, box.sub.size, Double(box.haloReach) * 2) * candidate.scales.length
        return candidate.isCaptionSeen(in: viewport, margin: margin) ? candidate : nil
    }
}

extension PointCandidate {
    init(_ icon: IconPlacer.Icon, _ style: IconStyle, copy: Int) {
        self.icon = icon.sprite
        slot = -1
        caption = -1
        rank = 0
        self.copy = Int8(copy)
        iconReason = icon.reason
        alpha = style.alpha
        flags = style.flags
        box = PixelBox(left: 0, top: 0, right: 0, bottom: 0)
        scales = CaptionBox.Scales(main: 0, sub: 0, length: 0, hasSub: false)
        captionWidth = 0
        captionHeight = 0
    }

    /// Sets the bounding box of the icon, in quantized device pixels.
    mutating func setBox(_ icon: IconPlacer.Icon, _ placer: IconPlacer, isFlat: Bool) {
        let sprite = icon.sprite
        if !isFlat, sprite.acrossY == 0, sprite.downX == 0 {
            let (x, y) = (Double(sprite.x), Double(sprite.y))
            let (right, bottom) = (quantized(x + Double(sprite.acrossX)), quantized(y + Double(sprite.downY)))
            // The edges of icons turned by 180 degrees have negative lengths.
            box = PixelBox(left: min(x, right), top: min(y, bottom), right: max(x, right), bottom: max(y, bottom))
            return
        }
        // An icon that extends behind the camera has no box; its anchor is used instead.
        box =
            placer.quad(of: sprite)?.box
            ?? PixelBox(left: icon.anchorX, top: icon.anchorY, right: icon.anchorX, bottom: icon.anchorY)
    }
}
