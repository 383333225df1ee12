import WaymarkGeo

/// What all overlays have.
package enum OverlayProperties {
    /// Never made: the kinds inherit its lines, and their defaults are those of their own objects.
    package static let table = PropertyTable<Overlay>({ Container() }, lines)

    private static let lines: [PropertyLine<Overlay>] = [
        .part("type", .type, "What the overlay is.").required(),
        .text(
            "id", { $0.id }, { $0.id = $1 }, form: .identifier, changes: .identity,
            "Its name, unique in the scene; without one, its type and place."
        )
        .fixed(),
        .integer(
            "zIndex", { $0.zIndex }, { $0.zIndex = $1 }, changes: .order,
            "Order among overlays of one layer and one `globalZIndex`; higher lies above."),
        .integer(
            "globalZIndex", { $0.globalZIndex }, { $0.globalZIndex = $1 }, changes: .order,
            "Order among overlays of one layer, before `zIndex`; from 0 up it lies over the symbols of the base map."),
        .number(
            "altitude", { $0.altitude }, { $0.altitude = $1 }, in: Overlay.altitudeRange, changes: .position,
            "Meters above the ground, added to the altitude of the position; below 0 it is not drawn."),
        .boolean(
            "isVisible", { $0.isVisible }, { $0.isVisible = $1 }, changes: .visibility, "Whether it is drawn: the opposite of `isHidden`."),
        .boolean(
            "isHidden", { $0.isHidden }, { $0.isHidden = $1 }, changes: .visibility,
            "Whether it takes no part in the picture: neither drawn nor colliding."),
        .number(
            "minZoom", { $0.minZoom }, { $0.minZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The lowest zoom at which it is drawn, inclusive."),
        .number(
            "maxZoom", { $0.maxZoom }, { $0.maxZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The highest zoom at which it is drawn, inclusive."),
        .zoomLevels(
            "hiddenZooms", { $0.hiddenZooms }, { $0.hiddenZooms = $1 }, changes: .visibility,
            "Whole zoom levels at which it is not drawn; level 14 covers zooms from 14 up to, but not including, 15."),
        .integer("tag", { $0.tag }, { $0.tag = $1 }, "A number of yours."),
        .choice(
            "mapLayerType", { $0.mapLayerType }, { $0.mapLayerType = $1 }, changes: .order,
            "The band that it is drawn in, before any z index; later ones lie above."),
    ]
}

extension Overlay {
    /// The first problem that keeps the overlay out of the picture, as `property: problem`; nil when there is none.
    package final func firstProblem() -> PropertyError? {
        if isPlainlyValid { return nil }
        return type.properties.firstProblem(self, hasValidShare ? .unshared : .all)
    }

    /// Copies the properties of another overlay of the same type, except its name and its place. This one has them at their defaults.
    package final func copyProperties(of other: Overlay) {
        PropertyCopy(of: other, type.properties).apply(to: self)
    }
}
