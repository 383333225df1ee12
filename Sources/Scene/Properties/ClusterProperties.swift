import WaymarkGeo

package enum ClusterLayerProperties {
    package static let table = PropertyTable<ClusterLayer>(
        { ClusterLayer() }, inheriting: OverlayProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["markers", "source"], problem: "markers and source are mutually exclusive", reportedAt: "source",
                missing: "missing key \"markers\" or \"source\""),
            ExclusiveKeys(
                names: ["cellSize", "radius"], problem: "cellSize and radius are mutually exclusive",
                reportedAt: "radius", missing: nil),
        ],
        synonyms: [
            "children": "markers", "overlays": "markers", "points": "markers", "url": "source", "file": "source", "path": "source",
            "data": "source", "gridSize": "cellSize", "clusterRadius": "radius", "styles": "theme", "maxClusterZoom": "maxZoom",
        ],
        [
            .part("markers", .clusterMarkers, "The markers of the layer, as in `overlays`; `type` may be omitted."),
            .part("source", .source, "A file of features whose points become markers, instead of `markers`."),
            .part("marker", .markerTemplate, "Properties of the markers from `source`, as constants or templates."),
            .part(
                "useAltitude", .usesAltitude,
                "Whether the altitudes in `source`, in meters, are used. If this is false, the altitudes are ignored."),
            .part(
                "theme", .theme, "The styles of clusters by their number of markers, as a list of objects with `densityRange` and `style`."),
            .number(
                "cellSize", { $0.cellSize }, { $0.cellSize = $1 }, in: ClusterLayer.cellSizeRange, changes: .geometry,
                "Width and height of a cell in `gridUnit`. The markers in a cell become one cluster."),
            .choice("gridUnit", { $0.gridUnit }, { $0.gridUnit = $1 }, changes: .geometry, "The unit of `cellSize` and `radius`."),
            .number(
                "radius", { $0.radius }, { $0.radius = $1 }, in: ClusterLayer.cellSizeRange, changes: .geometry,
                "The distance in `gridUnit` within which markers form a cluster. It is used instead of `cellSize`."),
            .boolean(
                "mergesOverlapping", { $0.mergesOverlapping }, { $0.mergesOverlapping = $1 }, changes: .geometry,
                "Whether overlapping clusters and lone markers are merged into one cluster. Otherwise, clusters are determined only by "
                    + "the cells or the radius."),
            .number(
                "minZoom", { $0.minZoom }, { $0.minZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
                "The lowest zoom at which markers are clustered, inclusive. At lower zooms, each marker is shown separately."),
            .number(
                "maxZoom", { $0.maxZoom }, { $0.maxZoom = $1 }, in: Camera.zoomRange, changes: .visibility,
                "The highest zoom at which markers are clustered, inclusive. At higher zooms, each marker is shown separately."),
            .refused("altitude", "a cluster layer has no altitude; set the altitudes of its markers"),
        ])
}

package enum ClusterStyleProperties {
    package static let basic = PropertyTable<BasicClusterStyle>(
        { BasicClusterStyle() }, synonyms: synonyms,
        text() + [
            .color("fillColor", { $0.fillColor }, { $0.fillColor = $1 }, "Color of the disc.")
                .themed({ $0.ownFillColor }, { $0.ownFillColor = $1 }),
            .color("strokeColor", { $0.strokeColor }, { $0.strokeColor = $1 }, "Color of the ring.")
                .themed({ $0.ownStrokeColor }, { $0.ownStrokeColor = $1 }),
            .number(
                "strokeWidth", { $0.strokeWidth }, { $0.strokeWidth = $1 }, in: BasicClusterStyle.strokeWidthRange,
                "Width of the ring in pt, included in `size`."
            ).themed({ $0.ownStrokeWidth }, { $0.ownStrokeWidth = $1 }),
            .number(
                "size", { $0.size }, { $0.size = $1 }, in: BasicClusterStyle.sizeOrAutoRange,
                "Diameter in pt, at least 1. With 0, the number of markers determines the diameter: 32 pt for fewer than 10, 40 pt from "
                    + "10, 48 pt from 100, and 56 pt from 1,000."),
            .refused("textRadius", "textRadius applies only to images, but this style has a disc"),
        ] + markerFlags())

    package static let image = PropertyTable<ImageClusterStyle>(
        { ImageClusterStyle(image: .empty) }, synonyms: synonyms,
        [
            .image(
                "image", { $0.image }, { $0.image = $1 ?? .empty },
                "The image that replaces the disc, specified in the same way as a marker's icon."
            )
            .required()
        ] + text() + [
            .number(
                "textRadius", { $0.textRadius }, { $0.textRadius = $1 }, in: ImageClusterStyle.textRadiusRange,
                "Radius in pt of the circle into which the text is fitted. The circle is centered on the image; 0 means half of the "
                    + "image's shorter side.")
        ] + markerFlags() + ofDiscs.map { .refused($0, "\($0) applies only to discs, but this style has an image") })

    private static let ofDiscs = ["fillColor", "strokeColor", "strokeWidth", "size"]

    private static let synonyms = [
        "fill": "fillColor", "color": "fillColor", "stroke": "strokeColor", "outlineColor": "strokeColor", "outlineWidth": "strokeWidth",
        "icon": "image", "iconImage": "image", "fontSize": "textSize", "label": "text", "diameter": "size",
    ]

    private static func text<Style: ClusterStyle>() -> [PropertyLine<Style>] {
        [
            .text(
                "text", { $0.text }, { $0.text = $1 ?? "" },
                "The text in the middle. `{count}` is replaced by the number of markers, and `{sum:NAME}`, `{min:NAME}` and `{max:NAME}` "
                    + "by the sum, minimum and maximum of a property."),
            .color("textColor", { $0.textColor }, { $0.textColor = $1 }, "Color of the text.")
                .themed({ $0.ownTextColor }, { $0.ownTextColor = $1 }),
            .number(
                "textSize", { $0.textSize }, { $0.textSize = $1 }, in: Marker.textSizeRange,
                "Size of the text in pt. Text that is too large is drawn smaller. It is not drawn if it would be smaller than 1 pt."),
        ]
    }

    /// The properties that markers also have.
    private static func markerFlags<Style: ClusterStyle>() -> [PropertyLine<Style>] {
        [
            .boolean(
                "iconPerspectiveEnabled", { $0.iconPerspectiveEnabled }, { $0.iconPerspectiveEnabled = $1 },
                "Whether the cluster and its text are drawn larger near the camera and smaller far away."),
            .boolean(
                "isHideCollidedSymbols", { $0.isHideCollidedSymbols }, { $0.isHideCollidedSymbols = $1 },
                "Whether the cluster hides base-map symbols that it overlaps."),
            .boolean(
                "isHideCollidedMarkers", { $0.isHideCollidedMarkers }, { $0.isHideCollidedMarkers = $1 },
                "Whether the cluster hides everything that overlaps it and comes later in the collision order: clusters, icons and "
                    + "captions."),
            .boolean(
                "isHideCollidedCaptions", { $0.isHideCollidedCaptions }, { $0.isHideCollidedCaptions = $1 },
                "Whether the cluster hides captions of markers that come later in the collision order and overlap it."),
        ]
    }
}

extension ClusterGridUnit: NamedChoice {}
