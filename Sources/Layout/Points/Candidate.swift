import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// A marker that takes part in a picture: its icon or its caption, at its first align, is seen. Device pixels.
struct Candidate {
    /// The icon; of `Placement.noImage` when there is none.
    var icon: Sprite
    var slot: Int32
    /// Index of the caption's box, or -1 when it shows none at this zoom.
    var caption: Int32
    /// Where it comes in the order of collisions.
    var rank: Int32
    /// The copy of the world it stands on.
    var copy: Int8
    /// 0, or why the icon is not in the picture.
    var iconReason: UInt8
    var alpha: Float
    var flags: Look.Flags
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
    /// Among how many claims the one was that hid the icon, and the caption; -1 when it shows.
    var iconHiddenBy: Int32 = -1
    var captionHiddenBy: Int32 = -1

    var isIconShown: Bool { iconHiddenBy < 0 }
    var isCaptionShown: Bool { caption >= 0 && iconHiddenBy < 0 && captionHiddenBy < 0 }
    var captionShape: ClaimGrid.Shape { ClaimGrid.Shape(box: captionBox) }

    var captionBox: Quad.Box {
        Quad.Box(left: captionX, top: captionY, right: captionX + captionWidth, bottom: captionY + captionHeight)
    }

    /// Puts the caption at one of its aligns.
    @inline(__always)
    mutating func stand(_ box: CaptionBox, at place: Int) {
        let corner = corner(box, align: place)
        (captionX, captionY, align) = (corner.x, corner.y, Int8(place))
    }

    /// The icon as it collides.
    @inline(__always)
    func iconShape(_ placer: IconPlacer) -> ClaimGrid.Shape {
        let isTurned = flags.contains(.flat) || icon.acrossY != 0 || icon.downX != 0
        return ClaimGrid.Shape(box: box, quad: isTurned ? placer.quad(of: icon) : nil)
    }

    /// The upper left corner of the caption at one of its aligns.
    @inline(__always)
    private func corner(_ box: CaptionBox, align place: Int) -> (x: Double, y: Double) {
        let (x, y) = box.corner(at: place, beside: self.box, width: captionWidth, height: captionHeight, scales)
        let (gridX, gridY) = (IconPlacer.snap(x), IconPlacer.snap(y))
        if box.flags.contains(.perspective) { return (gridX, gridY) }
        return (IconPlacer.floor(gridX + 0.5), IconPlacer.floor(gridY + 0.5))
    }
}

/// Who hides whom: one pass over the whole picture, rank by rank from the top; in a rank all icons, then all captions, each
/// from the top of the drawing order down.
struct CollisionPass {
    /// The places that markers with any hide flag have.
    private(set) var claims: ClaimGrid

    private let placer: IconPlacer

    init(_ viewport: Viewport) {
        placer = IconPlacer(viewport)
        claims = ClaimGrid(
            width: Double(viewport.deviceWidth), height: Double(viewport.deviceHeight), pixelRatio: viewport.pixelRatio)
    }

    /// Decides for all candidates, which come from the bottom up.
    mutating func run(_ candidates: inout [Candidate], _ captions: [CaptionBox]) {
        var end = candidates.count
        while end > 0 {
            let rank = candidates[end - 1].rank
            var start = end - 1
            while start > 0, candidates[start - 1].rank == rank { start -= 1 }
            for index in stride(from: end - 1, through: start, by: -1) { placeIcon(&candidates[index], Int32(index)) }
            for index in stride(from: end - 1, through: start, by: -1) where candidates[index].caption >= 0 {
                placeCaption(&candidates[index], Int32(index), captions[Int(candidates[index].caption)])
            }
            end = start
        }
    }

    private mutating func placeIcon(_ candidate: inout Candidate, _ index: Int32) {
        // It touches nothing: markers of a caption alone come by the thousand.
        guard candidate.box.hasArea else { return }
        let shape = candidate.iconShape(placer)
        if !candidate.flags.contains(.forceIcon), claims.isTaken(shape, slot: candidate.slot, .icon) {
            candidate.iconHiddenBy = Int32(claims.claims.count)
        } else {
            claim(shape, candidate, index)
        }
    }

    private mutating func placeCaption(_ candidate: inout Candidate, _ index: Int32, _ caption: CaptionBox) {
        guard candidate.isIconShown else {
            candidate.captionHiddenBy = candidate.iconHiddenBy
            return
        }
        // What is beside the picture at its first align does not come into it at another.
        for place in 0..<(candidate.isMarginal ? 1 : caption.aligns.count) {
            candidate.stand(caption, at: place)
            if !claims.isTaken(candidate.captionShape, slot: candidate.slot, .caption) {
                return claim(candidate.captionShape, candidate, index)
            }
        }
        candidate.stand(caption, at: 0)
        if candidate.flags.contains(.forceCaption) {
            claim(candidate.captionShape, candidate, index)
        } else {
            candidate.captionHiddenBy = Int32(claims.claims.count)
        }
    }

    private mutating func claim(_ shape: ClaimGrid.Shape, _ candidate: Candidate, _ index: Int32) {
        guard !candidate.isMarginal, !candidate.flags.isDisjoint(with: .hiding) else { return }
        claims.add(ClaimGrid.Claim(shape: shape, slot: candidate.slot, owner: index, flags: candidate.flags))
    }
}
