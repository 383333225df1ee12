import WaymarkGeo

/// The properties common to all overlays.
package enum OverlayProperties {
    /// A base table. The tables of the types inherit its properties. The defaults come from objects of these types.
    package static let table = PropertyTable<Overlay>({ Container() }, synonyms: synonyms, lines)

    private static let synonyms = [
        "hidden": "isHidden", "visible": "isVisible", "visibility": "isVisible", "zOrder": "zIndex", "layer": "mapLayerType",
        "minimumZoom": "minZoom", "maximumZoom": "maxZoom", "elevation": "altitude",
    ]

    private static let lines: [PropertyLine<Overlay>] = [
        .part("type", .type, "The type of the overlay.").required(),
        .text(
            "id", { $0.id }, { $0.id = $1 }, form: .identifier, changes: .identity,
            "A name that is unique in the scene; by default, the type and index of the overlay."
        )
        .fixed(),
        .integer(
            "zIndex", { $0.zIndex }, { $0.zIndex = $1 }, changes: .order,
            "Drawing order among overlays in the same layer and with the same `globalZIndex`; higher values lie above lower ones."),
        .integer(
            "globalZIndex", { $0.globalZIndex }, { $0.globalZIndex = $1 }, changes: .order,
            "Drawing order among overlays in the same layer, compared before `zIndex`. In the foreground layer, overlays with a value of 0 or "
                + "more lie over base-map symbols."),
        .number(
            "altitude", { $0.altitude }, { $0.altitude = $1 }, in: Overlay.altitudeRange, changes: .position,
            "Meters above the ground, added to the altitude of the position. If the sum is below 0, the overlay is not drawn."),
        .boolean(
            "isVisible", { $0.isVisible }, { $0.isVisible = $1 }, changes: .visibility,
            "Whether the overlay is drawn; the opposite of `isHidden`."),
        .boolean(
            "isHidden", { $0.isHidden }, { $0.isHidden = $1 }, changes: .visibility,
            "Whether the overlay is hidden. A hidden overlay is not drawn and does not collide."),
        .number(
            "minZoom", { $0.minZoom }, { $0.minZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The lowest zoom at which the overlay is drawn, inclusive."),
        .number(
            "maxZoom", { $0.maxZoom }, { $0.maxZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
            "The highest zoom at which the overlay is drawn, inclusive."),
        .zoomLevels(
            "hiddenZooms", { $0.hiddenZooms }, { $0.hiddenZooms = $1 }, changes: .visibility,
            "Whole zoom levels at which the overlay is not drawn; level 14 covers zooms from 14 up to, but not including, 15."),
        .boolean(
            "isFitted", { $0.isFitted }, { $0.isFitted = $1 }, changes: .identity,
            "Whether a camera that is fitted to all overlays includes this overlay or, for a container, its children."),
        .boolean(
            "consumesTaps", { $0.consumesTaps }, { $0.consumesTaps = $1 },
            "The result of the overlay's tap handler. `true` consumes the tap, so nothing else happens; `false` passes the tap on to the "
                + "map. By default, there is no handler."),
        .integer("tag", { $0.tag }, { $0.tag = $1 }, "A number for your own purposes."),
        .choice(
            "mapLayerType", { $0.mapLayerType }, { $0.mapLayerType = $1 }, changes: .order,
            "The layer in which the overlay is drawn. Each layer lies above the layers listed before it, regardless of z indexes."),
    ]
}

extension Overlay {
    /// The first problem that keeps the overlay out of the picture, with the name of the property; nil if there is none.
    package final func firstProblem() -> PropertyError? {
        if let problem = store?.idProblem(of: self) { return problem }
        if isPlainlyValid { return nil }
        return type.properties.firstProblem(self, hasValidShare ? .unshared : .all)
    }

    /// Copies the properties of another overlay of the same type, except its id and its position. This overlay must have the defaults.
    package final func copyProperties(of other: Overlay) {
        PropertyCopy(of: other, type.properties).apply(to: self)
    }
}
