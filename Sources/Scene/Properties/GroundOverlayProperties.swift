import WaymarkGeo

package enum GroundOverlayProperties {
    package static let table = PropertyTable<GroundOverlay>(
        { GroundOverlay() }, inheriting: OverlayProperties.table.list,
        synonyms: [
            "icon": "image", "iconImage": "image", "url": "image", "source": "image", "overlayImage": "image", "latLngBounds": "bounds",
            "extent": "bounds", "angle": "bearing", "rotation": "bearing", "opacity": "alpha",
        ],
        [
            .image("image", { $0.image }, { $0.image = $1 }, changes: .icon, "The image, stretched over the bounds in Web Mercator.")
                .required(),
            .bounds(
                "bounds", { $0.bounds }, { $0.bounds = $1 }, changes: .geometry,
                "The part of the map that the image covers, with latitudes within ±85.051129°. If it crosses the 180° meridian, "
                    + "west is greater than east."
            ).required(),
            .number(
                "bearing", { $0.bearing }, { $0.bearing = $1 }, changes: .geometry,
                "Clockwise rotation of the image in degrees about the center of its bounds. At 0, the top of the image faces north."),
            .number("alpha", { $0.alpha }, { $0.alpha = $1 }, in: 0...1, changes: .style, "Opacity."),
        ])
}
