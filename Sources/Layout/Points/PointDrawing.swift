import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// Adds points to a frame after collisions have been decided. Each icon is followed by its caption, on top.
struct PointDrawing {
    private let viewport: Viewport
    private let rasters: [FrameImage]
    private let images: CaptionImages
    /// The fonts; nil without text.
    private let fonts: FontLibrary?
    private let theme: ThemeDefaults?
    /// The index of each raster in the frame's images, or -1 before its first use.
    private var imageIndices: [Int32]

    init(_ pass: PlacingPass, images: CaptionImages) {
        viewport = pass.viewport
        rasters = pass.rasters
        (fonts, theme) = (pass.fonts, pass.theme)
        self.images = images
        imageIndices = [Int32](repeating: -1, count: rasters.count)
    }

    /// Draws a marker, or a point of a cluster layer.
    mutating func draw(
        _ candidate: PointCandidate, _ captions: CaptionColumns, _ cache: inout CaptionCache, _ language: String,
        _ frame: inout FrameBuilder
    ) {
        let theme = theme
        draw(candidate, captions, &cache, &frame) {
            captions.sources[Int(candidate.caption)].map { CaptionText($0, language: language, theme) }
        }
    }

    /// Draws one point.
    /// - Parameter text: Makes the text of the point's caption. It is called only if the caption is not cached.
    mutating func draw(
        _ candidate: PointCandidate, _ captions: CaptionColumns, _ cache: inout CaptionCache, _ frame: inout FrameBuilder,
        text: () -> CaptionText?
    ) {
        guard candidate.isCaptionShown, let fonts else {
            if candidate.isIconDrawn { draw(candidate.icon, &frame) }
            return
        }
        let isPerspective = captions.boxes[Int(candidate.caption)].flags.contains(.perspective)
        // Scaled captions are placed in quarters of a pixel, so that letters do not jump by whole pixels while the scale changes.
        let quarters = isPerspective ? Int(wholePixels(candidate.captionX * 4)) : Int(candidate.captionX) * 4
        let (x, phase) = (quarters >> 2, quarters & 3)
        let y = Int(wholePixels(candidate.captionY))
        let revision = captions.revisions[Int(candidate.caption)]
        var handle = isPerspective ? .none : cache.block(candidate.caption, hasSub: candidate.scales.hasSub, revision: revision)
        if !images.has(handle) {
            guard let text = text() else { return }
            handle = images.handle(text, candidate.scales, boxWidth: candidate.captionWidth, phase: phase, fonts)
            if !isPerspective { cache.set(handle, candidate.caption, hasSub: candidate.scales.hasSub, revision: revision) }
        }
        let ink = images.ink(handle)
        let inkBox = PixelBox(
            left: Double(x + ink.x), top: Double(y + ink.y), right: Double(x + ink.x + ink.width), bottom: Double(y + ink.y + ink.height))
        var group: Group?
        if candidate.isIconDrawn, candidate.alpha < 1, inkBox.overlaps(candidate.box, by: 0) {
            // The point is blended as a group, so that the icon and the caption do not show through each other.
            group = self.group(around: inkBox, candidate.box, alpha: candidate.alpha)
        }
        if let group { frame.append(.beginGroup(group)) }
        if candidate.isIconDrawn {
            var icon = candidate.icon
            if group != nil { icon.alpha = 1 }
            draw(icon, &frame)
        }
        let alpha = group == nil ? candidate.alpha : 1
        images.pieces(handle, x: x, y: y, in: (viewport.deviceWidth, viewport.deviceHeight), fonts) { piece, x, y in
            frame.append(piece, x: x, y: y, alpha: alpha)
        }
        if group != nil { frame.append(.endGroup) }
    }

    /// The group around two boxes; nil when it lies outside the picture.
    private func group(around a: PixelBox, _ b: PixelBox, alpha: Float) -> Group? {
        // One more pixel is added on each side for the antialiased edges of rotated icons.
        let left = max(0, Int(wholeFloor(min(a.left, b.left))) - 1)
        let top = max(0, Int(wholeFloor(min(a.top, b.top))) - 1)
        let right = min(viewport.deviceWidth, Int(wholeFloor(max(a.right, b.right))) + 2)
        let bottom = min(viewport.deviceHeight, Int(wholeFloor(max(a.bottom, b.bottom))) + 2)
        guard left < right, top < bottom else { return nil }
        return Group(alpha: alpha, bounds: PixelRect(x: left, y: top, width: right - left, height: bottom - top))
    }

    /// Draws an icon whose image is the index of a raster.
    @inline(__always)
    mutating func draw(_ icon: Sprite, _ frame: inout FrameBuilder) {
        let raster = Int(icon.image)
        if imageIndices[raster] < 0 { imageIndices[raster] = Int32(frame.index(of: rasters[raster])) }
        var icon = icon
        icon.image = UInt32(imageIndices[raster])
        frame.append(icon)
    }
}

extension PointCandidate {
    /// Whether any part of the box is in the picture.
    func isSeen(in viewport: Viewport) -> Bool {
        guard isIconShown else { return false }
        if iconReason == nil, hasIcon || caption < 0 && captionReason == nil { return true }
        return isCaptionShown && isCaptionSeen(in: viewport)
    }

    /// Whether the caption's box overlaps the picture enlarged by a margin in device pixels. Default margin 0.
    func isCaptionSeen(in viewport: Viewport, margin: Double = 0) -> Bool {
        let box = captionBox
        let (width, height) = (Double(viewport.deviceWidth) + margin, Double(viewport.deviceHeight) + margin)
        return box.right > -margin && box.bottom > -margin && box.left < width && box.top < height
    }
}
