import WaymarkGeo

/// Decides which icons and captions are hidden, in one pass over the picture from the highest rank to the lowest. Within a rank, all icons
/// come before all captions, both from the top of the drawing order down. A marker that requires its caption is placed as a whole in the
/// caption's turn. If its icon were placed earlier, and the caption found no place, the icon would have to be withdrawn, and everything
/// that it had hidden would have to be placed again.
struct CollisionPass {
    /// The collision boxes of markers that hide others.
    private(set) var grid: CollisionGrid

    private let placer: IconPlacer
    private let room: CaptionRoom

    /// - Parameter room: The part of the picture in which captions may be. Other captions are placed at other aligns, or hidden.
    init(_ viewport: Viewport, in room: CaptionRoom) {
        self.room = room
        placer = IconPlacer(viewport)
        grid = CollisionGrid(viewport)
    }

    /// Decides for all candidates, which must be in drawing order.
    mutating func run(_ candidates: inout [PointCandidate], _ points: PicturePoints) {
        let hasRequired = points.hasRequiredCaptions
        func isRequired(_ candidate: PointCandidate) -> Bool {
            candidate.caption >= 0 && points.captionBox(of: candidate).flags.contains(.required)
        }
        var end = candidates.count
        while end > 0 {
            let rank = candidates[end - 1].rank
            var start = end - 1
            while start > 0, candidates[start - 1].rank == rank { start -= 1 }
            for index in stride(from: end - 1, through: start, by: -1) where !hasRequired || !isRequired(candidates[index]) {
                placeIcon(&candidates[index], Int32(index))
            }
            for index in stride(from: end - 1, through: start, by: -1) where candidates[index].caption >= 0 {
                let caption = points.captionBox(of: candidates[index])
                if caption.flags.contains(.required) {
                    placeWhole(&candidates[index], Int32(index), caption)
                } else {
                    placeCaption(&candidates[index], Int32(index), caption)
                }
            }
            end = start
        }
    }

    private mutating func placeIcon(_ candidate: inout PointCandidate, _ index: Int32) {
        // An icon without area collides with nothing. This is common: there may be thousands of markers with only a caption.
        guard candidate.box.hasArea else { return }
        let shape = candidate.iconShape(placer)
        if isHidden(shape, candidate) {
            candidate.iconHiddenBy = Int32(grid.boxes.count)
        } else {
            take(shape, candidate, index)
        }
    }

    @inline(__always)
    private func isHidden(_ icon: CollisionGrid.Shape, _ candidate: PointCandidate) -> Bool {
        !candidate.flags.contains(.forceIcon) && grid.isOccupied(icon, slot: candidate.slot, .icon)
    }

    /// Places a marker that requires its caption. Either both the icon and the caption are shown, or neither.
    private mutating func placeWhole(_ candidate: inout PointCandidate, _ index: Int32, _ caption: CaptionBox) {
        let icon = candidate.box.hasArea ? candidate.iconShape(placer) : nil
        if let icon, isHidden(icon, candidate) { candidate.iconHiddenBy = Int32(grid.boxes.count) }
        placeCaption(&candidate, index, caption)
        guard candidate.isIconShown else { return }
        if candidate.captionHiddenBy >= 0 {
            candidate.iconHiddenBy = candidate.captionHiddenBy
            candidate.lacksCaption = true
        } else if let icon {
            take(icon, candidate, index)
        }
    }

    private mutating func placeCaption(_ candidate: inout PointCandidate, _ index: Int32, _ caption: CaptionBox) {
        guard candidate.isIconShown else {
            candidate.captionHiddenBy = candidate.iconHiddenBy
            return
        }
        // The first align at which neither the edge nor an element cuts the caption. Forced captions use it, and inspection describes it.
        var first: Int?
        // A caption outside the picture at its first align is not moved into it by another align.
        for number in 0..<(candidate.isOnlyInkVisible ? 1 : caption.aligns.count) {
            candidate.placeCaption(caption, align: number)
            if !room.isUnlimited, !caption.flags.contains(.part), room.cuts(candidate.captionBox) { continue }
            if first == nil { first = number }
            let shape = candidate.captionShape(caption)
            if !grid.isOccupied(shape, slot: candidate.slot, .caption) { return take(shape, candidate, index) }
        }
        candidate.placeCaption(caption, align: first ?? 0)
        if first == nil {
            candidate.isCutByEdge = true
            candidate.captionHiddenBy = 0
        } else if candidate.flags.contains(.forceCaption) {
            take(candidate.captionShape(caption), candidate, index)
        } else {
            candidate.captionHiddenBy = Int32(grid.boxes.count)
        }
    }

    private mutating func take(_ shape: CollisionGrid.Shape, _ candidate: PointCandidate, _ index: Int32) {
        guard !candidate.isOnlyInkVisible, !candidate.flags.isDisjoint(with: .hiding) else { return }
        grid.add(CollisionBox(shape: shape, slot: candidate.slot, owner: index, flags: candidate.flags))
    }
}
