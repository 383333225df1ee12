import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A point that takes part in a picture: its icon, or its caption at the first of its aligns, is visible. Lengths in device pixels.
struct PointCandidate: Sendable {
    /// The icon's quad; its image is `IconStyle.noImage` when there is no icon.
    var icon: Sprite
    var slot: Int32
    /// Index of the caption's box; -1 when no caption is shown at this zoom.
    var caption: Int32
    /// The rank of its sort key: higher ranks are placed first.
    var rank: Int32
    /// The copy of the world it is on.
    var copy: Int8
    /// Why the icon is not in the picture; nil when it is.
    var iconReason: Reason?
    var alpha: Float
    var flags: IconStyle.Flags
    /// The bounding box of the drawn icon.
    var box: Quad.Box
    var scales: CaptionBox.Scales
    /// The caption's size in whole pixels, and its upper left at the current align.
    var captionWidth: Double
    var captionHeight: Double
    var captionX = 0.0
    var captionY = 0.0
    /// Whether only the halo, or glyphs that extend beyond the caption's box, reach into the picture. It is drawn and may be hidden, but
    /// hides nothing.
    var isOnlyInkVisible = false
    /// Why its caption, if it has one, is not drawn even where nothing hides it: the zoom or its text size. nil when it is.
    var captionReason: Reason?
    /// Whether the caption is omitted because its letters would be too large.
    var isOversized = false
    /// Whether the caption is hidden because the picture's edge would cut it at all of its aligns.
    var isCutByEdge = false
    /// The index of the caption's current align.
    var align: Int8 = 0
    /// The number of collision boxes that existed when one of them hid the icon, or the caption; -1 when it is not hidden.
    var iconHiddenBy: Int32 = -1
    var captionHiddenBy: Int32 = -1

    var hasIcon: Bool { icon.image != IconStyle.noImage }
    var isIconShown: Bool { iconHiddenBy < 0 }
    var isCaptionShown: Bool { caption >= 0 && iconHiddenBy < 0 && captionHiddenBy < 0 }

    /// The collision shape of the caption at its current align.
    @inline(__always)
    func captionShape(_ box: CaptionBox) -> CollisionGrid.Shape {
        CollisionGrid.Shape(box: captionBox, padding: captionWidth > 0 && captionHeight > 0 ? box.padding(scales) : 0)
    }

    var captionBox: Quad.Box {
        Quad.Box(left: captionX, top: captionY, right: captionX + captionWidth, bottom: captionY + captionHeight)
    }

    /// Moves the caption to one of its aligns.
    @inline(__always)
    mutating func placeCaption(_ box: CaptionBox, align number: Int) {
        let corner = corner(box, align: number)
        (captionX, captionY, align) = (corner.x, corner.y, Int8(number))
    }

    /// The collision shape of the icon.
    @inline(__always)
    func iconShape(_ placer: IconPlacer) -> CollisionGrid.Shape {
        let isTurned = flags.contains(.flat) || icon.acrossY != 0 || icon.downX != 0
        return CollisionGrid.Shape(box: box, quad: isTurned ? placer.quad(of: icon) : nil, padding: 0)
    }

    /// The upper left corner of the caption at one of its aligns; in whole pixels unless the caption is scaled by perspective.
    @inline(__always)
    private func corner(_ box: CaptionBox, align number: Int) -> (x: Double, y: Double) {
        let (x, y) = box.corner(align: number, beside: self.box, width: captionWidth, height: captionHeight, scales)
        let (gridX, gridY) = (quantized(x), quantized(y))
        if box.flags.contains(.perspective) { return (gridX, gridY) }
        return (wholePixels(gridX), wholePixels(gridY))
    }
}
