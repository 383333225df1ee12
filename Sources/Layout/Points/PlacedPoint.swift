import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A point that takes part in a picture: its icon or its caption, at its first align, is seen. Device pixels.
struct PointCandidate: Sendable {
    /// The icon; of `IconStyle.noImage` when there is none.
    var icon: Sprite
    var slot: Int32
    /// Index of the caption's box, or -1 when it shows none at this zoom.
    var caption: Int32
    /// Where it comes in the order of collisions.
    var rank: Int32
    /// The copy of the world it stands on.
    var copy: Int8
    /// Why the icon is not in the picture; nil when it is.
    var iconReason: Reason?
    var alpha: Float
    var flags: IconStyle.Flags
    /// The box around the icon as drawn.
    var box: Quad.Box
    var scales: CaptionBox.Scales
    /// The caption's size in whole pixels, and its upper left where it is.
    var captionWidth: Double
    var captionHeight: Double
    var captionX = 0.0
    var captionY = 0.0
    /// Whether only the halo, or what hangs over its box, reaches into the picture: it is drawn, and takes no part in collisions
    /// but that it may be hidden.
    var isMarginal = false
    /// Whether it has a caption that does not show at this zoom.
    var hasHiddenCaption = false
    /// Whether its caption is left out because its letters would be too large.
    var isOversized = false
    /// Which of its aligns the caption has.
    var align: Int8 = 0
    /// How many collision boxes there were when one of them hid the icon, and the caption; -1 when it shows.
    var iconHiddenBy: Int32 = -1
    var captionHiddenBy: Int32 = -1

    var hasIcon: Bool { icon.image != IconStyle.noImage }
    var isIconShown: Bool { iconHiddenBy < 0 }
    var isCaptionShown: Bool { caption >= 0 && iconHiddenBy < 0 && captionHiddenBy < 0 }
    var captionShape: CollisionGrid.Shape { CollisionGrid.Shape(box: captionBox) }

    var captionBox: Quad.Box {
        Quad.Box(left: captionX, top: captionY, right: captionX + captionWidth, bottom: captionY + captionHeight)
    }

    /// Puts the caption at one of its aligns.
    @inline(__always)
    mutating func placeCaption(_ box: CaptionBox, align number: Int) {
        let corner = corner(box, align: number)
        (captionX, captionY, align) = (corner.x, corner.y, Int8(number))
    }

    /// The icon as it collides.
    @inline(__always)
    func iconShape(_ placer: IconPlacer) -> CollisionGrid.Shape {
        let isTurned = flags.contains(.flat) || icon.acrossY != 0 || icon.downX != 0
        return CollisionGrid.Shape(box: box, quad: isTurned ? placer.quad(of: icon) : nil)
    }

    /// The upper left corner of the caption at one of its aligns.
    @inline(__always)
    private func corner(_ box: CaptionBox, align number: Int) -> (x: Double, y: Double) {
        let (x, y) = box.corner(align: number, beside: self.box, width: captionWidth, height: captionHeight, scales)
        let (gridX, gridY) = (quantized(x), quantized(y))
        if box.flags.contains(.perspective) { return (gridX, gridY) }
        return (wholePixels(gridX), wholePixels(gridY))
    }
}
