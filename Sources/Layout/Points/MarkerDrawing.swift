import WaymarkFrame
import WaymarkGeo
import WaymarkText
import WaymarkImaging

/// Puts markers whose collisions are decided into a list of sprites: each icon, then its caption above it.
struct MarkerDrawing {
    private(set) var list: SpriteList
    /// Lines, areas and models that are still to come.
    var shapes: ArraySlice<ShapeDrawing.Entry> = []
    var models = ModelDrawing()
    private let viewport: Viewport
    private let images: CaptionImages
    /// nil when there is no text.
    private let fonts: FontLibrary?

    init(_ viewport: Viewport, rasters: [FrameImage], images: CaptionImages, fonts: FontLibrary?) {
        self.viewport = viewport
        self.images = images
        self.fonts = fonts
        list = SpriteList(rasters: rasters)
    }

    /// Draws the shapes and models that lie under everything of a rank.
    mutating func drawShapes(below rank: Int32) {
        while let entry = shapes.first, entry.rank < rank {
            list.append(entry, models)
            shapes.removeFirst()
        }
    }

    /// Draws one overlay.
    /// - Parameter text: What its caption says, asked for when it must be drawn.
    mutating func draw(_ candidate: Candidate, _ captions: CaptionColumns, text: () -> CaptionText?) {
        let isIconDrawn = candidate.isIconShown && candidate.iconReason == 0 && candidate.icon.image != Placement.noImage
        guard candidate.isCaptionShown, let fonts else {
            if isIconDrawn { list.append(icon: candidate.icon) }
            return
        }
        let isPerspective = captions.boxes[Int(candidate.caption)].flags.contains(.perspective)
        // Where a quarter of a pixel shifts it, letters do not jump by whole ones from size to size.
        let quarters = isPerspective ? Int(IconPlacer.floor(candidate.captionX * 4 + 0.5)) : Int(candidate.captionX) * 4
        let (x, phase) = (quarters >> 2, quarters & 3)
        let y = Int(IconPlacer.floor(candidate.captionY + 0.5))
        let kept = KeptBlocks.Kind(isWhole: candidate.scales.hasSub)
        var handle = isPerspective ? .none : captions.blocks[candidate.caption, kept]
        if !images.has(handle) {
            guard let text = text() else { return }
            handle = images.handle(
                text, candidate.scales, size: (candidate.captionWidth, candidate.captionHeight), phase: phase, fonts)
            if !isPerspective { captions.blocks[candidate.caption, kept] = handle }
        }
        let ink = images.ink(handle)
        let inkBox = Quad.Box(
            left: Double(x + ink.x), top: Double(y + ink.y), right: Double(x + ink.x + ink.width), bottom: Double(y + ink.y + ink.height))
        var group: Group?
        if isIconDrawn, candidate.alpha < 1, inkBox.overlaps(candidate.box, by: 0) {
            // Icon and caption do not shine through each other.
            group = self.group(around: inkBox, candidate.box, alpha: candidate.alpha)
        }
        if let group { list.begin(group) }
        if isIconDrawn {
            var icon = candidate.icon
            if group != nil { icon.alpha = 1 }
            list.append(icon: icon)
        }
        let alpha = group == nil ? candidate.alpha : 1
        images.pieces(handle, x: x, y: y, in: (viewport.deviceWidth, viewport.deviceHeight), fonts) { piece in
            list.append(piece.image, x: x + piece.x, y: y + piece.y, alpha: alpha)
        }
        if group != nil { list.endGroup() }
    }

    /// nil when nothing of it is in the picture.
    private func group(around a: Quad.Box, _ b: Quad.Box, alpha: Float) -> Group? {
        // A pixel more, for the soft edges of turned icons.
        let left = max(0, Int(IconPlacer.floor(min(a.left, b.left))) - 1)
        let top = max(0, Int(IconPlacer.floor(min(a.top, b.top))) - 1)
        let right = min(viewport.deviceWidth, Int(IconPlacer.floor(max(a.right, b.right))) + 2)
        let bottom = min(viewport.deviceHeight, Int(IconPlacer.floor(max(a.bottom, b.bottom))) + 2)
        guard left < right, top < bottom else { return nil }
        return Group(alpha: alpha, bounds: PixelRect(x: left, y: top, width: right - left, height: bottom - top))
    }

    /// Ends the list.
    consuming func finished() -> SpriteList {
        list.finishRun()
        return list
    }
}

extension Candidate {
    /// Whether anything of it is in the picture.
    func isSeen(in viewport: Viewport) -> Bool {
        guard isIconShown else { return false }
        if iconReason == 0, icon.image != Placement.noImage || caption < 0 && !hasHiddenCaption { return true }
        return isCaptionShown && isCaptionSeen(in: viewport)
    }

    /// Whether the caption's box overlaps the picture, or comes within some device pixels of it.
    func isCaptionSeen(in viewport: Viewport, margin: Double = 0) -> Bool {
        let box = captionBox
        let (width, height) = (Double(viewport.deviceWidth) + margin, Double(viewport.deviceHeight) + margin)
        return box.right > -margin && box.bottom > -margin && box.left < width && box.top < height
    }
}
