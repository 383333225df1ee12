import WaymarkGeo

package enum PolylineProperties {
    package static let table = PropertyTable<Polyline>(
        { Polyline() }, inheriting: OverlayProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["points", "parts"], problem: "points and parts are mutually exclusive", reportedAt: "points",
                missing: "missing key \"points\"")
        ],
        synonyms: [
            "path": "points", "line": "points", "coordinates": "points", "coords": "points", "vertices": "points", "paths": "parts",
            "strokeWidth": "width", "lineWidth": "width", "weight": "width", "thickness": "width", "stroke": "color",
            "strokeColor": "color", "lineColor": "color", "geodesic": "isGeodesic", "cap": "capType", "lineCap": "capType",
            "capStyle": "capType", "join": "joinType", "lineJoin": "joinType", "joinStyle": "joinType", "dash": "pattern",
            "dashes": "pattern", "dashArray": "pattern", "dashPattern": "pattern", "arrow": "endArrow", "arrowhead": "endArrow",
            "arrowEnd": "endArrow", "arrowStart": "startArrow", "arrowScale": "arrowSize", "arrowLength": "arrowSize",
            "patternIcon": "lineImage", "patternInterval": "lineImageSpacing", "icon": "lineImage", "image": "lineImage",
            "text": "lineText", "label": "lineText", "name": "lineText", "lineTextHalo": "lineTextHaloColor",
        ],
        geometry + labels)

    private static let geometry: [PropertyLine<Polyline>] = [
        .line("points", { $0.points }, { $0.points = $1 }, "The points of the line; there must be at least two."),
        .lines(
            "parts", { $0.parts }, { $0.parts = $1 }, problem: { $0.geometryProblem },
            "Several lines with the same style, as a list of lists of points, instead of `points`."),
        .number(
            "width", { $0.width }, { $0.width = $1 }, in: Polyline.widthRange, changes: .style,
            "Width in pt. If it is 0, only the image and the text along the line are drawn."),
        .lineColor(
            "color", { LineColor(color: $0.ownColor, scale: $0.colorScale) }, { ($0.ownColor, $0.colorScale) = ($1.color, $1.scale) },
            changes: .style, "Color of the line, or a scale of the `values` of its points."),
        .gradient(
            "gradient", { $0.gradient }, { $0.gradient = $1 }, changes: .style,
            "Colors along the line, used instead of `color`. The position of each is a fraction of the line's length, from 0 to 1."),
        .pointValues(
            "values", { $0.values }, { $0.values = $1 }, problem: { $0.valuesProblem },
            "Named lists of numbers to which a scale in `color` can refer. Each list has one number for each point."),
        .choice("capType", { $0.capType }, { $0.capType = $1 }, changes: .style, "The shape of the ends of each part and each dash."),
        .choice("joinType", { $0.joinType }, { $0.joinType = $1 }, changes: .style, "The shape of the line's corners."),
        .number(
            "miterLimit", { $0.miterLimit }, { $0.miterLimit = $1 }, in: Polyline.miterLimitRange, changes: .style,
            "The maximum distance between a miter's tip and the center of the line, as a multiple of half the line's width. Corners with "
                + "longer miters are beveled."),
        .pattern(
            "pattern", { $0.pattern }, { $0.pattern = $1 }, changes: .style,
            "Lengths in pt of alternating dashes and gaps, starting at the first point of each part. If it is empty, the line is "
                + "solid."),
        .number(
            "outlineWidth", { $0.outlineWidth }, { $0.outlineWidth = $1 }, in: Polyline.widthRange, changes: .style,
            "Width in pt of the outline on each side of the line, drawn beneath the line."),
        .color("outlineColor", { $0.outlineColor }, { $0.outlineColor = $1 }, changes: .style, "Color of the outline.")
            .themed({ $0.ownOutlineColor }, { $0.ownOutlineColor = $1 }),
        .text(
            "outlineGroup", { $0.outlineGroup }, { $0.outlineGroup = $1 }, form: .identifier, changes: .style, template: .name,
            "The name of a group of lines whose outlines are all drawn before the first of the lines."),
        .choice(
            "startArrow", { $0.startArrow }, { $0.startArrow = $1 }, changes: .style,
            "The arrow at the first point of each part. Its tip is exactly at that point."),
        .choice(
            "endArrow", { $0.endArrow }, { $0.endArrow = $1 }, changes: .style, "The arrow at the last point of each part."),
        .number(
            "arrowSize", { $0.arrowSize }, { $0.arrowSize = $1 }, in: Polyline.arrowSizeRange, changes: .style,
            "The length and the width of the arrows, as multiples of the line's width."),
        .boolean(
            "isGeodesic", { $0.isGeodesic }, { $0.isGeodesic = $1 }, changes: .geometry,
            "Whether the line follows great circles between points. Otherwise, it is straight on the map."),
        .boolean(
            "isPerspectiveEnabled", { $0.isPerspectiveEnabled }, { $0.isPerspectiveEnabled = $1 }, changes: .style,
            "Whether widths and dash lengths are constant on the ground. They then appear larger near the viewer."),
    ]

    private static let labels: [PropertyLine<Polyline>] = [
        .image(
            "lineImage", { $0.lineImage }, { $0.lineImage = $1 }, changes: .style,
            "An image that is repeated along the line and turned with it. It is specified in the same way as a marker's icon."),
        .size(
            "lineImageSize", { $0.lineImageSize }, { $0.lineImageSize = $1 }, changes: .style,
            "Length of the image's longer side in pt; `auto` or 0 uses the image's size."),
        .number(
            "lineImageSpacing", { $0.lineImageSpacing }, { $0.lineImageSpacing = $1 }, in: Polyline.labelSpacingRange, changes: .style,
            "Distance in pt between the centers of two images. No image is closer to the end of a part than half this distance."),
        .number(
            "lineImageOffset", { $0.lineImageOffset }, { $0.lineImageOffset = $1 }, in: Polyline.imageOffsetRange, changes: .style,
            "Distance in pt from the first point of a part to the center of its first image; by default, half of `lineImageSpacing`."),
        .text(
            "lineText", { $0.lineText }, { $0.lineText = $1 ?? "" }, changes: .style,
            "A text that is repeated along the line and follows its curves."),
        .number(
            "lineTextSize", { $0.lineTextSize }, { $0.lineTextSize = $1 }, in: Marker.textSizeRange, changes: .style,
            "Size of the text in pt."),
        .color("lineTextColor", { $0.lineTextColor }, { $0.lineTextColor = $1 }, changes: .style, "Color of the text.")
            .themed({ $0.labels.textStyle.main.color }, { $0.labels.textStyle.main.color = $1 }),
        .color(
            "lineTextHaloColor", { $0.lineTextHaloColor }, { $0.lineTextHaloColor = $1 }, changes: .style,
            "Color of the text's outline."
        ).themed({ $0.labels.textStyle.main.haloColor }, { $0.labels.textStyle.main.haloColor = $1 }),
        .number(
            "lineTextHaloWidth", { $0.lineTextHaloWidth }, { $0.lineTextHaloWidth = $1 }, in: Marker.haloWidthRange, changes: .style,
            "Width in pt of the text's outline; 0 means no outline."),
        .choice(
            "lineTextFontWeight", { $0.lineTextFontWeight }, { $0.lineTextFontWeight = $1 }, changes: .style, "Weight of the text."),
        .text(
            "lineTextFont", { $0.lineTextFont }, { $0.lineTextFont = $1 }, changes: .style, template: .name,
            "The font family to try before Noto."),
        .number(
            "lineTextLetterSpacing", { $0.lineTextLetterSpacing }, { $0.lineTextLetterSpacing = $1 }, in: Marker.letterSpacingRange,
            changes: .style,
            "Space in em that is added between the letters of the text. In joined scripts such as Arabic, it is added only between words."),
        .number(
            "lineTextPadding", { $0.lineTextPadding }, { $0.lineTextPadding = $1 }, in: Marker.captionPaddingRange, changes: .style,
            "Space in pt that is kept free around the text and the images."),
        .number(
            "lineTextMinZoom", { $0.lineTextMinZoom }, { $0.lineTextMinZoom = $1 }, in: Camera.zoomRange, changes: .style,
            "The lowest zoom at which the text is drawn, inclusive."),
        .number(
            "lineTextMaxZoom", { $0.lineTextMaxZoom }, { $0.lineTextMaxZoom = $1 }, in: Camera.zoomRange, changes: .style,
            "The highest zoom at which the text is drawn, inclusive."),
        .number(
            "lineTextSpacing", { $0.lineTextSpacing }, { $0.lineTextSpacing = $1 }, in: Polyline.labelSpacingRange, changes: .style,
            "Distance in pt between the centers of two texts. Texts longer than this follow one another without overlapping."),
        .number(
            "lineTextOffset", { $0.lineTextOffset }, { $0.lineTextOffset = $1 }, in: Marker.offsetRange, changes: .style,
            "Distance in pt from the line to the middle of the text. Positive values place the text below the line, as seen in the "
                + "reading direction, and negative values above it."
        ),
        .number(
            "lineTextMaxAngle", { $0.lineTextMaxAngle }, { $0.lineTextMaxAngle = $1 }, in: Polyline.textMaxAngleRange, changes: .style,
            "The sharpest corner that a text may follow, as a change of direction in degrees; 0 allows only straight lines."),
    ]
}

package enum RouteProperties {
    package static let table = PropertyTable<Route>(
        { Route() }, inheriting: PolylineProperties.table.list,
        [
            .color("passedColor", { $0.passedColor }, { $0.passedColor = $1 }, changes: .style, "Color of the traveled part.")
                .themed({ $0.ownPassedColor }, { $0.ownPassedColor = $1 }),
            .number(
                "progress", { $0.progress }, { $0.progress = $1 }, in: -1...1, changes: .style,
                "The fraction of the length that has been traveled. Positive values are measured from the first point, and negative "
                    + "values from the last point."),
        ])
}

package enum PolygonProperties {
    package static let table = PropertyTable<Polygon>(
        { Polygon() }, inheriting: OverlayProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["rings", "polygons"], problem: "rings and polygons are mutually exclusive", reportedAt: "rings",
                missing: "missing key \"rings\"")
        ],
        synonyms: [
            "path": "rings", "paths": "rings", "coordinates": "rings", "points": "rings", "coords": "rings", "holes": "rings",
            "fill": "fillColor", "color": "fillColor", "stroke": "outlineColor", "strokeColor": "outlineColor",
            "lineColor": "outlineColor", "strokeWidth": "outlineWidth", "lineWidth": "outlineWidth", "weight": "outlineWidth",
        ],
        [
            .rings(
                "rings", { $0.rings }, { $0.rings = $1 },
                "The outer ring, followed by the holes. Each ring is a list of at least three points. The last point may repeat the "
                    + "first."),
            .polygons(
                "polygons", { $0.polygons }, { $0.polygons = $1 }, problem: { $0.geometryProblem },
                "Several areas with the same style, as a list of lists of rings, instead of `rings`."),
            .color("fillColor", { $0.fillColor }, { $0.fillColor = $1 }, changes: .style, "Color of the area.")
                .themed({ $0.ownFillColor }, { $0.ownFillColor = $1 }),
            .number(
                "outlineWidth", { $0.outlineWidth }, { $0.outlineWidth = $1 }, in: Polyline.widthRange, changes: .style,
                "Width in pt of the outline, centered on every ring."),
            .color("outlineColor", { $0.outlineColor }, { $0.outlineColor = $1 }, changes: .style, "Color of the outline.")
                .themed({ $0.ownOutlineColor }, { $0.ownOutlineColor = $1 }),
            .boolean(
                "isPerspectiveEnabled", { $0.isPerspectiveEnabled }, { $0.isPerspectiveEnabled = $1 }, changes: .style,
                "Whether the width of the outline is constant on the ground. The outline then appears wider near the viewer."),
        ])
}

package enum CircleProperties {
    package static let table = PropertyTable<Circle>(
        { Circle() }, inheriting: OverlayProperties.table.list,
        synonyms: [
            "position": "center", "coordinates": "center", "location": "center", "latLng": "center", "fill": "fillColor",
            "color": "fillColor", "stroke": "outlineColor", "strokeColor": "outlineColor", "lineColor": "outlineColor",
            "strokeWidth": "outlineWidth", "lineWidth": "outlineWidth", "weight": "outlineWidth",
        ],
        [
            .position(
                "center", { $0.center }, { $0.center = $1 }, changes: .geometry,
                "The center. A circle without a center cannot be added to a map."
            ).required(),
            .number(
                "radius", { $0.radius }, { $0.radius = $1 }, in: Circle.radiusRange, changes: .geometry,
                "Radius in meters on the ground. If it is 0, nothing is drawn."),
            .color("fillColor", { $0.fillColor }, { $0.fillColor = $1 }, changes: .style, "Color of the disc.")
                .themed({ $0.ownFillColor }, { $0.ownFillColor = $1 }),
            .number(
                "outlineWidth", { $0.outlineWidth }, { $0.outlineWidth = $1 }, in: Polyline.widthRange, changes: .style,
                "Width in pt of the outline, centered on the edge."),
            .color("outlineColor", { $0.outlineColor }, { $0.outlineColor = $1 }, changes: .style, "Color of the outline.")
                .themed({ $0.ownOutlineColor }, { $0.ownOutlineColor = $1 }),
            .boolean(
                "isPerspectiveEnabled", { $0.isPerspectiveEnabled }, { $0.isPerspectiveEnabled = $1 }, changes: .style,
                "Whether the width of the outline is constant on the ground. The outline then appears wider near the viewer."),
        ])
}

package enum ContainerProperties {
    package static let table = PropertyTable<Container>(
        { Container() }, inheriting: OverlayProperties.table.list,
        synonyms: [
            "overlays": "children", "members": "children", "objects": "children", "items": "children", "markers": "children",
        ],
        [
            .integer(
                "globalZIndex", { $0.globalZIndex }, { $0.globalZIndex = $1 }, changes: .order,
                "Drawing order of a container with `isOrderedAsOne`, compared before `zIndex`. If it is 0 or more, the container lies "
                    + "over base-map symbols. It has no effect on other containers: their children keep their own values."),
            .boolean(
                "isOrderedAsOne", { $0.isOrderedAsOne }, { $0.isOrderedAsOne = $1 }, changes: .order,
                "Whether the container and everything in it take a single position in the drawing order. Otherwise, its children "
                    + "are ordered among all other overlays."),
            .part("children", .overlays, "The overlays in the container, which may be of any type.").required(),
        ])
}

extension LineArrow: NamedChoice {}
extension LineCap: NamedChoice {}
extension LineJoin: NamedChoice {}
