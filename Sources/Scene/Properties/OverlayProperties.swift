import WaymarkGeo

/// The properties common to all overlays.
package enum OverlayProperties {
    /// A base table: the tables of the types inherit its properties, and take the defaults from their own objects.
    package static let table = PropertyTable<Overlay>({ Container() }, synonyms: synonyms, lines)

    private static let synonyms = [
        "hidden": "isHidden", "visible": "isVisible", "visibility": "isVisible", "zOrder": "zIndex", "layer": "mapLayerType",
        "minimumZoom": "minZoom", "maximumZoom": "maxZoom", "elevation": "altitude",
    ]

    private static let lines: [PropertyLine<Overlay>] = [
        .part("type", .type, "The type of the overlay.").required(),
        .text(
            "id", { $0.id }, { $0.id = $1 }, form: .identifier, changes: .identity,
            "Its name, unique in the scene; by default its type and index."
        )
        .fixed(),
        .integer(
            "zIndex", { $0.zIndex }, { $0.zIndex = $1 }, changes: .order,
            "Drawing order among overlays of the same layer and `globalZIndex`; higher lies above."),
        .integer(
            "globalZIndex", { $0.globalZIndex }, { $0.globalZIndex = $1 }, changes: .order,
            "Drawing order among overlays of the same layer, compared before `zIndex`; at 0 and above, it lies over base-map symbols."),
        .number(
            "altitude", { $0.altitude }, { $0.altitude = $1 }, in: Overlay.altitudeRange, changes: .position,
            "Meters above the ground, added to the altitude of the position; below 0 it is not drawn."),
        .boolean(
            "isVisible", { $0.isVisible }, { $0.isVisible = $1 }, changes: .visibility, "Whether it is drawn: the opposite of `isHidden`."),
        .boolean(
            "isHidden", { $0.isHidden }, { $0.isHidden = $1 }, changes: .visibility,
            "Whether it is left out of the picture: it is not drawn and does not collide."),
        .number(
            "minZoom", { $0.minZoom }, { $0.minZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The lowest zoom at which it is drawn, inclusive."),
        .number(
            "maxZoom", { $0.maxZoom }, { $0.maxZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The highest zoom at which it is drawn, inclusive."),
        .zoomLevels(
            "hiddenZooms", { $0.hiddenZooms }, { $0.hiddenZooms = $1 }, changes: .visibility,
            "Whole zoom levels at which it is not drawn; level 14 covers zooms from 14 up to, but not including, 15."),
        .boolean(
            "isFitted", { $0.isFitted }, { $0.isFitted = $1 }, changes: .identity,
            "Whether a camera fitted to all overlays includes it; for a container, its children."),
        .integer("tag", { $0.tag }, { $0.tag = $1 }, "A number for your own purposes."),
        .choice(
            "mapLayerType", { $0.mapLayerType }, { $0.mapLayerType = $1 }, changes: .order,
            "The layer that it is drawn in, compared before any z index; later layers lie above."),
    ]
}

extension Overlay {
    /// The first problem that keeps the overlay out of the picture, as `property: problem`, or nil.
    package final func firstProblem() -> PropertyError? {
        if let problem = store?.idProblem(of: self) { return problem }
        if isPlainlyValid { return nil }
        return type.properties.firstProblem(self, hasValidShare ? .unshared : .all)
    }

    /// Copies the properties of another overlay of the same type, except its id and its position, to this one, which has the defaults.
    package final func copyProperties(of other: Overlay) {
        PropertyCopy(of: other, type.properties).apply(to: self)
    }
}
