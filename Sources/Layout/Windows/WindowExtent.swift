import WaymarkGeo
import WaymarkScene

/// The extent of view overlays and of the info window, for `fit`.
struct WindowExtent: ExtentPart {
    /// A box with a constant size on the screen.
    private struct Member {
        var place: WorldPoint
        var height: Double
        /// The icon above whose point the window stands.
        var style: IconStyle
        var anchorX: Double
        var anchorY: Double
        /// The box relative to that point, in pt.
        var box: ScreenBox
        var owner: OversizedItem.Owner

        /// Reduces the box to the member's position.
        mutating func reduce() {
            (style, anchorX, anchorY) = (.position, 0, 0)
            box = ScreenBox(left: 0, top: 0, right: 0, bottom: 0)
        }
    }

    private var members: [Member] = []

    /// Returns nil if there are no windows.
    init?(_ views: [ReadView], _ window: ReadWindow?, _ overlays: FittedOverlays) {
        for view in views where view.exclusion == nil && overlays.contains(view) {
            guard let image = view.image else { continue }
            let box = ScreenBox(
                left: view.offsetX - image.width / 2, top: view.offsetY - image.height / 2, right: view.offsetX + image.width / 2,
                bottom: view.offsetY + image.height / 2)
            members.append(
                Member(
                    place: view.place, height: view.height, style: .empty, anchorX: 0, anchorY: 0, box: box, owner: .viewOverlay(view.id)))
        }
        if overlays.hasInfoWindow, let window, window.exclusion == nil, let image = window.image {
            let box = ScreenBox(left: -image.width / 2, top: -image.height, right: image.width / 2, bottom: 0)
            members.append(
                Member(
                    place: window.place, height: window.height, style: window.style, anchorX: window.anchorX, anchorY: window.anchorY,
                    box: box, owner: .infoWindow))
        }
        if members.isEmpty { return nil }
    }

    var longitudes: [Double] { members.map(\.place.x) }
    var places: [WorldPoint] { members.map(\.place) }

    mutating func unwrap(west: Double) {
        for index in members.indices where members[index].place.x < west { members[index].place.x += 1 }
    }

    func box(in viewport: Viewport, centerX: Double) -> ScreenBox? {
        let placer = IconPlacer(viewport)
        let ratio = viewport.pixelRatio
        var box = ScreenBox.none
        for member in members {
            // Snapping to whole pixels would make the box jump as the camera moves. Half a pixel bounds its effect on an edge.
            var style = member.style
            style.flags.remove(.snapped)
            let copy = viewport.centerX - centerX
            let icon = placer.place(member.place, height: member.height, copy: copy, style)
            guard icon.reason != .behindCamera, placer.depth(of: member.place, height: member.height, copy: copy) < viewport.farDepth,
                let point = placer.point(member.anchorX, member.anchorY, of: icon.sprite)
            else { return nil }
            let (x, y, slack) = (point.x / ratio, point.y / ratio, 0.5 / ratio)
            box.extend(
                to: ScreenBox(
                    left: x + member.box.left - slack, top: y + member.box.top - slack, right: x + member.box.right + slack,
                    bottom: y + member.box.bottom + slack))
        }
        return box
    }

    /// Does nothing, because all windows are already considered.
    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool { false }
    mutating func reduce(to room: FitRoom) -> [OversizedItem] {
        members.indices.compactMap { index in
            let member = members[index]
            guard room.isExceeded(by: member.box) else { return nil }
            members[index].reduce()
            return OversizedItem(member.owner, member.box)
        }
    }

    mutating func reduceToPositions() {
        for index in members.indices { members[index].reduce() }
    }
}
