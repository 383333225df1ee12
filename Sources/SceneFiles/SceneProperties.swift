import Foundation
import WaymarkGeo
import WaymarkScene

/// The settings of a scene.
enum SettingsProperties {
    static let table = PropertyTable<Box<SceneSettings>>(
        { Box(SceneSettings()) }, exclusive: exclusive, lines)

    fileprivate static let exclusive = [
        ExclusiveKeys(
            names: ["selectedMarker", "infoWindow"],
            problem: "selectedMarker and infoWindow are mutually exclusive, because only one info window can be open",
            reportedAt: "infoWindow", missing: nil)
    ]

    fileprivate static let lines: [PropertyLine<Box<SceneSettings>>] = [
        .object("size", { Box($0.value.size) }, { $0.value.size = $1.value }, SizeProperties.table, "The size of the picture in pt."),
        .number(
            "pixelRatio", { $0.value.pixelRatio }, { $0.value.pixelRatio = $1 }, in: Viewport.pixelRatioRange, "Device pixels per pt."),
        .text(
            "language", { $0.value.language }, { $0.value.language = $1 ?? MapView.defaultLanguage }, form: .languageTag,
            "The language of captions as a BCP 47 tag. It selects the glyphs for characters that Chinese, Japanese and Korean share."),
        .color(
            "background", { $0.value.background }, { $0.value.background = $1 },
            "The background color. By default, it is the color of the theme's land or, without a theme, transparent."),
        .part(
            "sky", .sky,
            "The color above the horizon and beyond the edges of the ground, or two colors: `[horizon, zenith]`. By default, it is the "
                + "color of the theme's sky or, without a theme, the background color."),
        .part(
            "basemap", .baseMap,
            "Raster or vector tiles beneath all overlays: a source, a layer, or a list of layers from bottom to top."),
        .choice(
            "theme", { $0.value.theme }, { $0.value.theme = $1 },
            "The theme, which provides the defaults for everything that the scene does not set. A layer of the base map with its own "
                + "`theme` keeps that theme."
        ),
        .boolean(
            "attribution", { $0.value.showsAttribution }, { $0.value.showsAttribution = $1 },
            "Whether the credits of the base map's sources are shown at the lower right."),
        .boolean(
            "captionsAvoidEdges", { $0.value.captionsAvoidEdges }, { $0.value.captionsAvoidEdges = $1 },
            "Whether a caption that would be cut off by the picture's edge is moved to another of its alignments. If none of them fits, "
                + "the caption is not drawn."),
        .boolean(
            "captionsAvoidElements", { $0.value.captionsAvoidElements }, { $0.value.captionsAvoidElements = $1 },
            "Whether a caption that an element would cover is moved to another of its alignments. If none of them fits, the caption is not "
                + "drawn."),
        .integer(
            "modelSamples", { $0.value.modelSamples }, { $0.value.modelSamples = $1 }, allowed: MapView.modelSampleCounts,
            "The number of samples per pixel at the edges of models; 1 disables antialiasing there."),
        .part("camera", .camera, "The camera. By default, it is fitted to the overlays."),
        .part(
            "elements", .elements,
            "Elements at the edges of the picture that explain the map, such as titles, legends and scale bars; at most "
                + "\(SceneReader.elementLimit)."),
        .text(
            "selectedMarker", { $0.value.selectedMarker }, { $0.value.selectedMarker = $1 }, form: .identifier,
            "The id of the marker whose info window is open."),
        .part(
            "infoWindow", .infoWindow,
            "An info window at a `position` instead of at a marker: `content` replaces the whole window; "
                + "`contents` is drawn inside the default frame."
        ),
    ]
}

/// The keys of a scene file.
enum SceneProperties {
    static let table = PropertyTable<Box<SceneSettings>>(
        { Box(SceneSettings()) }, exclusive: SettingsProperties.exclusive,
        synonyms: [
            "backgroundColor": "background", "devicePixelRatio": "pixelRatio", "scale": "pixelRatio", "dpr": "pixelRatio",
            "markers": "overlays", "objects": "overlays", "features": "overlays", "layers": "overlays", "icons": "images", "view": "camera",
            "selected": "selectedMarker", "selection": "selectedMarker", "labels": "symbols", "locale": "language", "lang": "language",
            "samples": "modelSamples", "baseMap": "basemap", "tiles": "basemap", "base": "basemap", "skyColor": "sky",
            "showsAttribution": "attribution", "credits": "attribution",
        ],
        [.part("waymark", .version, "The version of the format: 1.").required()] + SettingsProperties.lines + [
            .part(
                "images", .images,
                "Images and the names by which overlays refer to them. Each image is a path, a `data:` URI, or `{\"path\": …, \"scale\": …}`."
            ),
            .part(
                "symbols", .symbols,
                "Labels and points of interest of the base map: a list, or a file of features with a template for the points."),
            .part("overlays", .overlays, "The overlays. If z indexes are equal, later overlays lie above earlier ones."),
            .part(
                "events", .events,
                "The events that `waymark replay` sends: `{\"tap\": [x, y]}`, `{\"longPress\": [x, y]}` and "
                    + "`{\"drag\": [[x, y], …]}`, in pt from the upper left corner."
            ),
        ])
}

enum SizeProperties {
    static let table = PropertyTable<Box<CGSize>>(
        { Box(SceneReader.defaultSize) },
        [
            .number("width", { $0.value.width }, { $0.value.width = $1 }, "Width in pt.").required(),
            .number("height", { $0.value.height }, { $0.value.height = $1 }, "Height in pt.").required(),
        ])
}

/// An explicit camera.
enum CameraProperties {
    static let table = PropertyTable<Box<Camera>>(
        { Box(Camera()) }, synonyms: cameraSynonyms,
        [
            .position(
                "center", { $0.value.center }, { $0.value.center = $1 }, latitudes: Camera.centerLatitudeRange,
                "The coordinates at the center of the picture."
            ).required(),
            .number(
                "zoom", { $0.value.zoom }, { $0.value.zoom = $1 }, in: Camera.zoomRange,
                "The zoom level; the world is 512 · 2^zoom pt wide."),
            .number(
                "bearing", { $0.value.bearing }, { $0.value.bearing = $1 },
                "The compass direction at the top of the picture, in degrees clockwise from north."),
            .number(
                "tilt", { $0.value.tilt }, { $0.value.tilt = $1 }, in: Camera.tiltRange,
                "The angle in degrees between the viewing direction and straight down."),
            .object(
                "contentInset", { Box($0.value.contentInset) }, { $0.value.contentInset = $1.value }, InsetProperties.table,
                "The margins of the picture that other content covers. The center moves to the middle of the remaining area."),
        ])
}

private let cameraSynonyms = [
    "target": "center", "position": "center", "heading": "bearing", "rotation": "bearing", "pitch": "tilt", "inset": "contentInset",
    "insets": "contentInset",
]

/// A camera fitted to the overlays.
enum FitProperties {
    static let table = PropertyTable<Box<FitOptions>>(
        { Box(FitOptions()) }, synonyms: cameraSynonyms,
        [
            .part(
                "fit", .fit,
                "The overlays or the extent to show: `\"overlays\"` for all visible overlays with `isFitted`; a list of ids; "
                    + "`{\"bounds\": [west, south, east, north]}`; or `{\"points\": […]}`."
            ).required(),
            .number(
                "padding", { $0.value.padding }, { $0.value.padding = $1 }, in: .notNegative,
                "The space in pt that is kept free along every edge of the picture; by default 32 or, in a small picture, a quarter of its "
                    + "shorter side."),
            .number(
                "maxZoom", { $0.value.maxZoom }, { $0.value.maxZoom = $1 }, in: Camera.zoomRange, "The highest zoom of the fitted camera."),
            .boolean(
                "includeInfoWindow", { $0.value.includeInfoWindow }, { $0.value.includeInfoWindow = $1 },
                "Whether the whole info window must also fit into the area inside the padding."),
            .position(
                "center", { $0.value.center }, { $0.value.center = $1 }, latitudes: Camera.centerLatitudeRange,
                "The coordinates at the center of the picture, which replace the fitted center."),
            .number(
                "zoom", { $0.value.zoom }, { $0.value.zoom = $1 }, in: Camera.zoomRange,
                "The zoom, which replaces the fitted zoom; if there is also a `center`, nothing is fitted."),
            .number(
                "bearing", { $0.value.bearing }, { $0.value.bearing = $1 },
                "The compass direction at the top of the picture, in degrees clockwise from north."),
            .number(
                "tilt", { $0.value.tilt }, { $0.value.tilt = $1 }, in: Camera.tiltRange,
                "The angle in degrees between the viewing direction and straight down."),
            .object(
                "contentInset", { Box($0.value.contentInset) }, { $0.value.contentInset = $1.value }, InsetProperties.table,
                "The margins of the picture that other content covers. The overlays are fitted into the remaining area."),
        ])
}

enum InsetProperties {
    static let table = PropertyTable<Box<EdgeInsets>>(
        { Box(EdgeInsets()) },
        [
            .number("top", { $0.value.top }, { $0.value.top = $1 }, in: .notNegative, "The top margin in pt."),
            .number("left", { $0.value.left }, { $0.value.left = $1 }, in: .notNegative, "The left margin in pt."),
            .number("bottom", { $0.value.bottom }, { $0.value.bottom = $1 }, in: .notNegative, "The bottom margin in pt."),
            .number("right", { $0.value.right }, { $0.value.right = $1 }, in: .notNegative, "The right margin in pt."),
        ])
}

/// Overlays created from the features of a file. The value in the box is whether altitudes are used.
enum FeatureSourceProperties {
    static let table = PropertyTable<Box<Bool>>(
        { Box(false) },
        synonyms: [
            "url": "source", "file": "source", "path": "source", "data": "source", "line": "polyline", "point": "marker",
            "altitude": "useAltitude",
        ],
        [
            .part("type", .type, "The type of the overlay.").required(),
            .part("source", .source, "A file of features: GeoJSON, GPX, or a table.").required(),
            .boolean(
                "useAltitude", { $0.value }, { $0.value = $1 },
                "Whether the altitudes in the file, in meters, are used: the third number of a position, `ele` in GPX, or the altitude "
                    + "column of a table."
            ),
            .part("marker", .markerTemplate, "Properties of the markers drawn for points, as constants or templates."),
            .part("polyline", .polylineTemplate, "Properties of the polylines drawn for lines, as constants or templates."),
            .part("polygon", .polygonTemplate, "Properties of the polygon overlays drawn for polygons, as constants or templates."),
        ])
}

/// Symbols created from the points of a file of features.
enum SymbolSourceProperties {
    static let table = PropertyTable<Box<Void>>(
        { Box(()) },
        synonyms: ["url": "source", "file": "source", "path": "source", "data": "source", "marker": "symbol"],
        [
            .part("source", .source, "A file of features: GeoJSON, GPX, or a table.").required(),
            .part(
                "symbol", .symbolTemplate,
                "Properties of the symbols, as constants or templates. By default, the text is the property `name`, and the rank is the "
                    + "property `rank`."
            ),
        ])
}

extension SceneReader {
    /// Reads a camera, explicit or fitted.
    mutating func readCamera(_ value: JSONValue, into settings: Box<SceneSettings>) throws(SceneFileError) {
        guard value.member("fit") != nil else {
            let camera = Box(Camera())
            try decode(value, CameraProperties.table.list, besides: FitProperties.table.list, into: camera)
            settings.value.camera = camera.value
            settings.value.fit = nil
            return
        }
        let fit = Box(FitOptions())
        try decode(value, FitProperties.table.list, besides: CameraProperties.table.list, into: fit) {
            (part, value, _) throws(SceneFileError) in if case .fit = part { fit.value.subject = try value.readFitSubject() }
        }
        settings.value.fit = fit.value
    }
}

extension JSONValue {
    /// `"overlays"`, `["id", …]`, `{"bounds": [west, south, east, north]}` or `{"points": [position, …]}`.
    fileprivate func readFitSubject() throws(SceneFileError) -> FitSubject {
        switch kind {
        case .string where isString("overlays"): return .overlays
        case .array: return .ids(try readArray().map { (id) throws(SceneFileError) in try id.readString() })
        case .object:
            return try readObject { (object) throws(SceneFileError) in
                let (bounds, list) = (object["bounds"], object["points"])
                if let bounds, list == nil { return .bounds(try bounds.readBounds()) }
                guard let list, bounds == nil else { throw self.error("expected one of the keys \"bounds\" and \"points\"") }
                let points = try list.readArray().map { (point) throws(SceneFileError) in
                    try point.readPosition(latitudes: Camera.centerLatitudeRange)
                }
                return .points(points)
            }
        default: throw unexpected("\"overlays\", a list of ids, or an object with bounds or points")
        }
    }
}
