import WaymarkGeo
import WaymarkText

package enum MarkerProperties {
    package static let table = PropertyTable<Marker>(
        { Marker() }, inheriting: OverlayProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["captionAlign", "captionAligns"], problem: "captionAlign and captionAligns are mutually exclusive",
                reportedAt: "captionAligns", missing: nil)
        ],
        synonyms: [
            "icon": "iconImage", "image": "iconImage", "rotation": "angle", "heading": "angle", "bearing": "angle",
            "groundAnchor": "anchor", "opacity": "alpha", "coordinates": "position", "coordinate": "position", "location": "position",
            "latLng": "position", "lngLat": "position", "center": "position", "caption": "captionText", "text": "captionText",
            "label": "captionText", "subCaption": "subCaptionText", "tint": "iconTintColor", "iconTint": "iconTintColor",
            "color": "iconTintColor", "flat": "isFlat", "description": "snippet", "textSize": "captionTextSize",
            "fontSize": "captionTextSize", "haloColor": "captionHaloColor", "haloWidth": "captionHaloWidth", "haloBlur": "captionHaloBlur",
            "letterSpacing": "captionLetterSpacing", "textColor": "captionColor", "font": "captionFont", "fontFamily": "captionFont",
            "draggable": "isDraggable", "view": "iconView",
        ],
        copyShared: { $1.copyCaptionStyle(of: $0) },
        icon + views + caption + captionStyle + subCaptionStyle + collisions)

    private static let icon: [PropertyLine<Marker>] = [
        .position(
            "position", { $0.position }, { $0.position = $1 }, changes: .position,
            "The coordinates of the icon's `anchor`. A marker without a position cannot be added to a map."
        ).required(),
        .image(
            "iconImage", { $0.iconImage }, { $0.iconImage = $1 ?? MarkerImage.default }, changes: .icon,
            "The icon: `builtin:` followed by a name; a key in `images`; a PNG, JPEG, WebP, BMP or SVG file; a `data:` URI; or `none`."
        ).themed({ $0.ownIcon }, { $0.ownIcon = $1 }),
        .size("width", { $0.width }, { $0.width = $1 }, changes: .style, "Width of the icon in pt; `auto` or 0 uses the image's width."),
        .size(
            "height", { $0.height }, { $0.height = $1 }, changes: .style, "Height of the icon in pt; `auto` or 0 uses the image's height."),
        .point(
            "anchor", { $0.anchor }, { $0.anchor = $1 }, in: Marker.anchorRange, changes: .style,
            "The point of the icon that is placed at the position: `[0, 0]` is the upper left corner, `[1, 1]` the lower right corner."),
        .point(
            "anchorOffset", { $0.anchorOffset }, { $0.anchorOffset = $1 }, in: Marker.offsetRange, changes: .style,
            "Offset of the anchor from the position in pt: to the right and down, or east and south if `isFlat` is true."),
        .color(
            "iconTintColor", { $0.iconTintColor }, { $0.iconTintColor = $1 }, changes: .style,
            "A color that is added to the icon's colors: black becomes this color, and white stays white. The alpha of this color is "
                + "ignored. `transparent` adds nothing."),
        .number(
            "angle", { $0.angle }, { $0.angle = $1 }, changes: .style,
            "Clockwise rotation about the anchor in degrees, from the upward direction on the screen, or from north if `isFlat` is true."),
        .number("alpha", { $0.alpha }, { $0.alpha = $1 }, in: 0...1, changes: .style, "Opacity of the icon and its captions."),
        .number(
            "occludedAlpha", { $0.occludedAlpha }, { $0.occludedAlpha = $1 }, in: 0...1, changes: .style,
            "The factor by which `alpha` is multiplied if a model or an extruded building hides the position."),
        .boolean(
            "isFlat", { $0.isFlat }, { $0.isFlat = $1 }, changes: .style,
            "Whether the icon lies flat on the ground, rotating and tilting with the map."),
        .boolean(
            "iconPerspectiveEnabled", { $0.iconPerspectiveEnabled }, { $0.iconPerspectiveEnabled = $1 }, changes: .style,
            "Whether the icon is drawn larger near the camera and smaller far away."),
        .refused("map", "overlays of a scene are on its map; leave this key out"),
    ]

    private static let views: [PropertyLine<Marker>] = [
        .text("title", { $0.title }, { $0.title = $1 }, "The text that the info window shows in bold."),
        .text("snippet", { $0.snippet }, { $0.snippet = $1 }, "The text that the info window shows beneath the title."),
        .point(
            "infoWindowAnchor", { $0.infoWindowAnchor }, { $0.infoWindowAnchor = $1 }, in: Marker.anchorRange, changes: .style,
            "The point of the icon, as drawn, at which the info window points: `[0, 0]` is the upper left corner, `[1, 1]` the lower "
                + "right corner."
        ),
        .content(
            "infoWindow", { $0.infoWindow }, { $0.infoWindow = $1 },
            "Content that replaces the whole info window. Its bottom center is at `infoWindowAnchor`."),
        .content(
            "infoContents", { $0.infoContents }, { $0.infoContents = $1 },
            "The content inside the default frame of the info window, in place of title and snippet."),
        .boolean(
            "tracksInfoWindowChanges", { $0.tracksInfoWindowChanges }, { $0.tracksInfoWindowChanges = $1 },
            "Whether the content of the marker's info window is read again for every frame."),
        .content(
            "iconView", { $0.iconView }, { $0.iconView = $1 }, changes: .icon, "Content that is used as the icon, in place of `iconImage`."),
        .boolean(
            "tracksViewChanges", { $0.tracksViewChanges }, { $0.tracksViewChanges = $1 }, changes: .icon,
            "Whether the icon follows changes to `iconView`. Otherwise, the icon stays as it was first drawn."),
        .boolean("isDraggable", { $0.isDraggable }, { $0.isDraggable = $1 }, "Whether a long press on the marker begins a drag."),
    ]

    private static let caption: [PropertyLine<Marker>] = [
        .text(
            "captionText", { $0.captionText }, { $0.captionText = $1 ?? "" }, changes: .caption,
            "The text next to the icon; `\\n` begins a new line."),
        .text(
            "subCaptionText", { $0.subCaptionText }, { $0.subCaptionText = $1 ?? "" }, changes: .caption,
            "A second text, directly beneath the caption. It is not drawn without a caption."),
    ]

    private static let captionStyle: [PropertyLine<Marker>] = [
        .color("captionColor", { $0.captionColor }, { $0.captionColor = $1 }, changes: .caption, "Color of the caption.")
            .themed({ $0.ownCaptionColor }, { $0.ownCaptionColor = $1 }).shared(),
        .color(
            "captionHaloColor", { $0.captionHaloColor }, { $0.captionHaloColor = $1 }, changes: .caption,
            "Color of the caption's outline."
        ).themed({ $0.ownCaptionHaloColor }, { $0.ownCaptionHaloColor = $1 }).shared(),
        .number(
            "captionHaloWidth", { $0.captionHaloWidth }, { $0.captionHaloWidth = $1 }, in: Marker.haloWidthRange, changes: .caption,
            "Width in pt of the outline of both captions; 0 means no outline."
        ).shared(),
        .number(
            "captionHaloBlur", { $0.captionHaloBlur }, { $0.captionHaloBlur = $1 }, in: Marker.haloBlurRange, changes: .caption,
            "Distance in pt over which the outline fades on each side of its outer edge; 0 means a sharp edge."
        ).shared(),
        .number(
            "captionTextSize", { $0.captionTextSize }, { $0.captionTextSize = $1 }, in: Marker.textSizeRange, changes: .caption,
            "Size of the text in pt."
        ).shared(),
        .number(
            "captionRequestedWidth", { $0.captionRequestedWidth }, { $0.captionRequestedWidth = $1 }, in: Marker.sizeRange,
            changes: .caption,
            "Width in pt at which the caption wraps between words; 0 means no wrapping."
        ).shared(),
        .number(
            "captionLetterSpacing", { $0.captionLetterSpacing }, { $0.captionLetterSpacing = $1 }, in: Marker.letterSpacingRange,
            changes: .caption,
            "Space in em that is added between the letters of both captions. In joined scripts such as Arabic, it is added only between "
                + "words."
        ).shared(),
        .number(
            "captionOffset", { $0.captionOffset }, { $0.captionOffset = $1 }, in: Marker.offsetRange, changes: .caption,
            "Gap in pt between the icon and the caption. If the gap is below 0, icon and caption overlap."
        ).shared(),
        .number(
            "captionPadding", { $0.captionPadding }, { $0.captionPadding = $1 }, in: Marker.captionPaddingRange, changes: .caption,
            "Space in pt that is kept free around the captions."
        ).shared(),
        .choice(
            "captionAlign", { $0.captionAlign }, { $0.captionAlign = $1 }, changes: .caption,
            "The side or corner of the icon where the caption is placed."
        ).shared(),
        .choices(
            "captionAligns", { $0.captionAligns }, { $0.captionAligns = $1 }, changes: .caption,
            "The sides and corners of the icon where the caption may be placed, tried in this order."
        ).shared(),
        .number(
            "captionMinZoom", { $0.captionMinZoom }, { $0.captionMinZoom = $1 }, in: Camera.zoomRange, changes: .caption,
            "The lowest zoom at which the captions are drawn, inclusive."
        ).shared(),
        .number(
            "captionMaxZoom", { $0.captionMaxZoom }, { $0.captionMaxZoom = $1 }, in: Camera.zoomRange, changes: .caption,
            "The highest zoom at which the captions are drawn, inclusive."
        ).shared(),
        .boolean(
            "captionPerspectiveEnabled", { $0.captionPerspectiveEnabled }, { $0.captionPerspectiveEnabled = $1 }, changes: .caption,
            "Whether the captions are drawn larger near the camera and smaller far away. Captions that would be smaller than 6 pt are not "
                + "drawn."
        ).shared(),
        .choice(
            "captionFontWeight", { $0.captionFontWeight }, { $0.captionFontWeight = $1 }, changes: .caption, "Weight of both captions."
        ).shared(),
        .text(
            "captionFont", { $0.captionFont }, { $0.captionFont = $1 }, changes: .caption, template: .name,
            "The font family to try before Noto."
        ).shared(),
    ]

    private static let subCaptionStyle: [PropertyLine<Marker>] = [
        .color("subCaptionColor", { $0.subCaptionColor }, { $0.subCaptionColor = $1 }, changes: .caption, "Color of the sub-caption.")
            .themed({ $0.ownSubCaptionColor }, { $0.ownSubCaptionColor = $1 }).shared(),
        .color(
            "subCaptionHaloColor", { $0.subCaptionHaloColor }, { $0.subCaptionHaloColor = $1 }, changes: .caption,
            "Color of the sub-caption's outline."
        ).themed({ $0.ownSubCaptionHaloColor }, { $0.ownSubCaptionHaloColor = $1 }).shared(),
        .number(
            "subCaptionTextSize", { $0.subCaptionTextSize }, { $0.subCaptionTextSize = $1 }, in: Marker.textSizeRange, changes: .caption,
            "Size of the text in pt."
        ).shared(),
        .number(
            "subCaptionRequestedWidth", { $0.subCaptionRequestedWidth }, { $0.subCaptionRequestedWidth = $1 }, in: Marker.sizeRange,
            changes: .caption, "Width in pt at which the sub-caption wraps between words; 0 means no wrapping."
        ).shared(),
        .number(
            "subCaptionMinZoom", { $0.subCaptionMinZoom }, { $0.subCaptionMinZoom = $1 }, in: Camera.zoomRange, changes: .caption,
            "The lowest zoom at which the sub-caption is drawn, inclusive."
        ).shared(),
        .number(
            "subCaptionMaxZoom", { $0.subCaptionMaxZoom }, { $0.subCaptionMaxZoom = $1 }, in: Camera.zoomRange, changes: .caption,
            "The highest zoom at which the sub-caption is drawn, inclusive."
        ).shared(),
    ]

    private static let collisions: [PropertyLine<Marker>] = [
        .boolean(
            "isHideCollidedSymbols", { $0.isHideCollidedSymbols }, { $0.isHideCollidedSymbols = $1 }, changes: .style,
            "Whether this marker hides base-map symbols that its icon or caption overlaps."),
        .boolean(
            "isHideCollidedMarkers", { $0.isHideCollidedMarkers }, { $0.isHideCollidedMarkers = $1 }, changes: .style,
            "Whether this marker hides icons and captions of other markers that come later in the collision order and overlap its own."),
        .boolean(
            "isHideCollidedCaptions", { $0.isHideCollidedCaptions }, { $0.isHideCollidedCaptions = $1 }, changes: .style,
            "Whether this marker hides captions of other markers that come later in the collision order and overlap its icon or caption."),
        .boolean(
            "isForceShowIcon", { $0.isForceShowIcon }, { $0.isForceShowIcon = $1 }, changes: .style,
            "Whether the icon is drawn even if another marker would hide it."),
        .boolean(
            "isForceShowCaption", { $0.isForceShowCaption }, { $0.isForceShowCaption = $1 }, changes: .style,
            "Whether the caption is drawn even if another marker would hide it."),
        .boolean(
            "isCaptionRequired", { $0.isCaptionRequired }, { $0.isCaptionRequired = $1 }, changes: .caption,
            "Whether the marker is drawn only together with its caption. If there is no room for the caption, the whole marker is hidden. "
                + "A caption has no room where a marker or cluster with `isHideCollidedMarkers` or `isHideCollidedCaptions` would hide it. "
                + "With the scene's `captionsAvoidEdges`, it also has no room where the picture's edge would cut it off, and with "
                + "`captionsAvoidElements`, where an element would cover it."
        ).shared(),
    ]
}

extension AlignType: NamedChoice {}
extension FontWeight: NamedChoice {}

extension MapLayerType: NamedChoice {
    package var choiceName: String { "\(self)" }
}
