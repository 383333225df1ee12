import WaymarkGeo
import WaymarkImaging
import WaymarkTiles
import WaymarkVectorTiles

/// A layer of the base map. The layer consists of raster or vector tiles, and lies beneath all overlays.
///
///     mapView.baseMap = [BaseMapLayer(source: try TileArchive.open("land.pmtiles"))]
///
/// Where the source has no tile, the tile that covers the same area at the nearest lower zoom level is drawn instead. If there is no such
/// tile, the layers beneath and the background are visible there.
///
/// Raster tiles are drawn unchanged. Vector tiles in the schemas OpenMapTiles 3, Protomaps 4 and Shortbread 1 are drawn in the colors of a
/// theme:
///
///     var city = BaseMapLayer(source: try TileArchive.open("city.pmtiles"))
///     city.theme = .dark
///     city.roleColors = [.water: Color(hex: 0x102a43)]
public struct BaseMapLayer: Sendable {
    /// The source of the tiles. Waymark calls the source on other threads: while the map is laid out (vector tiles) or drawn (raster
    /// tiles). Tiles that do not arrive in time are left out; see `Renderer.tileTimeout`.
    public var source: any TileSource {
        didSet { vectorTiles = Self.vectorTiles(of: source) }
    }
    /// The layer's name in messages. If this is nil, the name of the source is used.
    public var name: String?
    /// The opacity, valid in 0…1. Default 1.
    public var opacity = 1.0
    /// The lowest zoom of the camera at which the layer is shown, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound
    /// The highest zoom of the camera at which the layer is shown, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound
    /// Whether the layer is drawn. Default true.
    public var isVisible = true

    /// The theme of vector tiles; nil for the map's theme.
    package var ownTheme: MapTheme?
    /// Colors that replace the theme's colors for areas and lines of vector tiles. Outlines of roads keep the theme's colors. Default:
    /// none.
    public var roleColors: [MapRole: Color] = [:]
    /// How the buildings of vector tiles are drawn. Default `flat`.
    public var buildings = BuildingStyle.flat
    /// Whether the names of places, waters, peaks and roads are drawn from vector tiles. Default true.
    public var labels = true
    /// Whether the points of interest of vector tiles are drawn. Default true.
    public var pois = true
    /// The languages of names from vector tiles: up to two, each a BCP 47 tag or `localLanguage`. The name in the second language is shown
    /// on a second line if it differs. If the tiles lack a name in a language, the local name is shown. Default: empty, for local names.
    public var languages: [String] = []

    /// The value in `languages` that stands for the local language of each place.
    public static let localLanguage = TileName.localTag
    /// The maximum number of languages.
    package static let mostLanguages = 2

    /// The vector tiles of the source, or the reason why they cannot be drawn; nil if the source has raster tiles.
    package private(set) var vectorTiles: Result<VectorTileSet, VectorTileError>?

    /// Creates a layer. If the metadata of a vector tile archive does not list the layers in the tiles, this initializer reads a tile to
    /// find them.
    public init(source: any TileSource, name: String? = nil, opacity: Double = 1) {
        self.source = source
        self.name = name
        self.opacity = opacity
        vectorTiles = Self.vectorTiles(of: source)
    }

    /// The valid opacities.
    package static let opacityRange = 0.0...1.0

    private static func vectorTiles(of source: any TileSource) -> Result<VectorTileSet, VectorTileError>? {
        guard let archive = source as? any ArchivedTileSource, archive.content == .vector else { return nil }
        return Result { () throws(VectorTileError) in try VectorTileSet(archive) }
    }
}

extension BaseMapLayer {
    /// The theme that determines the colors and widths of vector tiles. Default: the theme of the map; `light` if the map has none.
    public var theme: MapTheme {
        get { ownTheme ?? .light }
        set { ownTheme = newValue }
    }

    /// The first property with an invalid value, and the problem; nil if all values are valid.
    package func firstProblem() -> PropertyError? {
        for (name, value, range) in [
            ("opacity", opacity, Self.opacityRange), ("minZoom", minZoom, Camera.zoomRange), ("maxZoom", maxZoom, Camera.zoomRange),
        ] {
            if let error = range.error(of: value, name) { return error }
        }
        if minZoom > maxZoom { return PropertyError(path: "minZoom", problem: "\(plain(minZoom)) is more than maxZoom, \(plain(maxZoom))") }
        for (role, color) in roleColors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !color.isValid {
            return PropertyError(path: "roleColors.\(role.name)", problem: "a channel is outside 0…1")
        }
        if languages.count > Self.mostLanguages {
            return PropertyError(path: "languages", problem: "at most 2 languages are allowed, not \(languages.count)")
        }
        for language in languages where !MapView.isLanguageTag(language) {
            return PropertyError(path: "languages", problem: "\"\(language)\" is not a language tag such as \"ko\" or \"zh-Hant\"")
        }
        if case .failure(let error)? = vectorTiles { return PropertyError(path: "source", problem: "\(error)") }
        return source.info.problem.map { PropertyError(path: "source", problem: $0) }
    }

    /// The reason why the tiles of the source cannot be drawn, as a sentence that begins with the layer's name; nil if they can.
    package var sourceProblem: String? {
        guard case .failure(let error)? = vectorTiles else { return nil }
        return "\(error.at(name))"
    }

    /// Whether the layer is shown at a zoom of the camera.
    package func isShown(atZoom zoom: Double) -> Bool { isVisible && opacity > 0 && minZoom <= zoom && zoom <= maxZoom }

    /// The credits of the source. If the source of vector tiles states none, these are the credits of the tiles' schema.
    package var attribution: String? {
        if let stated = source.info.attribution, !stated.isEmpty { return stated }
        guard case .success(let set)? = vectorTiles else { return nil }
        return set.schema.attribution
    }
}
