import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTiles
import WaymarkVectorTiles

/// A layer of the base map before its source is opened.
struct BaseMapSettings {
    var source: (any TileSource)?
    var name: String?
    var opacity = 1.0
    var minZoom = Camera.zoomRange.lowerBound
    var maxZoom = Camera.zoomRange.upperBound
    var isVisible = true
    /// The theme; nil for the scene's theme.
    var theme: MapTheme?
    var roleColors: [MapRole: Color] = [:]
    var buildings = BuildingStyle.flat
    var labels = true
    var pois = true
    var languages: [String] = []
}

enum BaseMapProperties {
    static let table = PropertyTable<Box<BaseMapSettings>>(
        { Box(BaseMapSettings()) },
        synonyms: [
            "url": "source", "file": "source", "path": "source", "tiles": "source", "alpha": "opacity", "visible": "isVisible",
            "style": "theme", "colors": "roleColors",
        ],
        [
            .part(
                "source", .tileSource,
                "A PMTiles or MBTiles file, or a folder of tiles named `z/x/y.png` (or `.jpg`, `.webp`, `.mvt`, `.pbf`)."
            ).required(),
            .number("opacity", { $0.value.opacity }, { $0.value.opacity = $1 }, in: BaseMapLayer.opacityRange, "Opacity of the layer."),
            .number(
                "minZoom", { $0.value.minZoom }, { $0.value.minZoom = $1 }, in: Camera.zoomRange,
                "The lowest camera zoom at which the layer is drawn, inclusive."),
            .number(
                "maxZoom", { $0.value.maxZoom }, { $0.value.maxZoom = $1 }, in: Camera.zoomRange,
                "The highest camera zoom at which the layer is drawn, inclusive."),
            .boolean("isVisible", { $0.value.isVisible }, { $0.value.isVisible = $1 }, "Whether the layer is drawn."),
        ] + vectorLines)

    /// The properties that only layers of vector tiles have.
    private static let vectorLines: [PropertyLine<Box<BaseMapSettings>>] = [
        .choice(
            "theme", { $0.value.theme }, { $0.value.theme = $1 },
            "Vector tiles: the theme of the layer's colors and widths. Default: the scene's `theme`, or `light` without one."),
        .object(
            "roleColors", { Box($0.value.roleColors) }, { $0.value.roleColors = $1.value }, RoleColorProperties.table,
            "Vector tiles: colors that replace those of the theme."),
        .choice(
            "buildings", { $0.value.buildings }, { $0.value.buildings = $1 }, changes: [],
            "Vector tiles: whether buildings are drawn as areas, as blocks with their heights (from zoom 15), or not at all."),
        .boolean(
            "labels", { $0.value.labels }, { $0.value.labels = $1 },
            "Vector tiles: whether the names of places, waters, peaks and roads are drawn."),
        .boolean(
            "pois", { $0.value.pois }, { $0.value.pois = $1 },
            "Vector tiles: whether points of interest are drawn."),
        .part(
            "language", .languages,
            "Vector tiles: the language of names as a BCP 47 tag, or `local` (the default) for local names. With two languages, "
                + "such as `[\"ko\", \"local\"]`, the name in the second language is added on a second line if it differs."),
    ]

    /// The names of the properties that only layers of vector tiles have.
    static let vectorNames = vectorLines.map(\.property.name)
}

extension JSONValue {
    /// A language tag or `local`, or a list of up to two of them.
    fileprivate func readLanguages() throws(SceneFileError) -> [String] {
        if kind == .null { return [] }
        guard kind == .array else { return [try readText(.languageTag)] }
        return try readArray(count: 1...BaseMapLayer.mostLanguages).map { value throws(SceneFileError) in
            try value.readText(.languageTag)
        }
    }
}

/// The colors of roles: a property for each role.
enum RoleColorProperties {
    static let table = PropertyTable<Box<[MapRole: Color]>>(
        { Box([:]) }, synonyms: ["background": "land", "roads": "minor", "street": "minor", "forest": "wood", "ocean": "water"],
        MapRole.allCases.map { role in
            .color(role.name, { $0.value[role] }, { $0.value[role] = $1 }, "The color of `\(role.name)`.")
        })
}

/// The tile sources of a scene, each opened once.
package struct TileSourceTable {
    /// The opened sources, keyed by resolved path.
    private var opened: [String: any TileSource] = [:]
    /// Whether the last error was a missing or unreadable file.
    private(set) var isUnreadable = false

    package init() {}

    var count: Int { opened.count }

    mutating func forgetErrors() { isUnreadable = false }

    mutating func open(_ path: String) throws(TileError) -> any TileSource {
        if let known = opened[path] { return known }
        do throws(TileError) {
            let source = try TileArchive.open(path)
            opened[path] = source
            return source
        } catch {
            isUnreadable = error.reason == .cannotRead
            throw error
        }
    }
}

extension SceneReader {
    /// Reads the base map: a source, a layer, or a list of both.
    mutating func readBaseMap(_ value: JSONValue, into scene: Box<SceneSettings>) throws(SceneFileError) {
        scene.value.baseMap = []
        guard value.kind == .array else { return try readBaseMapLayer(value, into: scene) }
        for element in try value.readArray() { try readBaseMapLayer(element, into: scene) }
    }

    /// Reads a layer. If its source cannot be opened, and this is only a warning, the layer is left out.
    private mutating func readBaseMapLayer(_ value: JSONValue, into scene: Box<SceneSettings>) throws(SceneFileError) {
        let box = Box(BaseMapSettings())
        if value.kind == .string {
            box.value = try readTileSource(value)
        } else {
            guard value.kind == .object else { throw value.unexpected("a source, an object with a source, or an array of these") }
            try decode(value, BaseMapProperties.table.list, into: box) { (part, member, reader) throws(SceneFileError) in
                if case .languages = part { box.value.languages = try member.readLanguages() }
                guard case .tileSource = part else { return }
                let opened = try reader.readTileSource(member)
                (box.value.source, box.value.name) = (opened.source, opened.name)
            }
        }
        let settings = box.value
        if settings.minZoom > settings.maxZoom {
            throw (value.member("minZoom") ?? value).error(
                "\(plain(settings.minZoom)) is more than maxZoom, \(plain(settings.maxZoom))")
        }
        guard let source = settings.source else { return }
        var layer = BaseMapLayer(source: source, name: settings.name, opacity: settings.opacity)
        (layer.minZoom, layer.maxZoom, layer.isVisible) = (settings.minZoom, settings.maxZoom, settings.isVisible)
        (layer.ownTheme, layer.roleColors, layer.buildings) = (settings.theme, settings.roleColors, settings.buildings)
        (layer.labels, layer.pois, layer.languages) = (settings.labels, settings.pois, settings.languages)
        let sourceValue = value.kind == .string ? value : value.member("source") ?? value
        if let problem = layer.sourceProblem {
            guard options.isLenient else { throw sourceValue.error(problem) }
            warnings.append(Diagnostic(path: sourceValue.path, message: problem))
            return
        }
        if layer.vectorTiles == nil, value.kind == .object {
            for (name, member) in try value.readMembers() where BaseMapProperties.vectorNames.contains(name) && member.kind != .null {
                throw member.error("only vector tiles have this property, but \(settings.name ?? "the source") contains pictures")
            }
        }
        scene.value.baseMap.append(layer)
    }

    private mutating func readTileSource(_ value: JSONValue) throws(SceneFileError) -> BaseMapSettings {
        let path = try value.readString()
        guard !path.isEmpty else { throw value.error("the path of the source is empty") }
        guard let resolved = options.path(of: path, in: folder) else { throw value.error(SceneFileOptions.refusal(of: path)) }
        options.inputs?.note(source: resolved)
        do throws(TileError) {
            return BaseMapSettings(source: try tileSources.open(resolved), name: path)
        } catch {
            let named = error.named(path)
            if named.reason == .url { tileSources.forgetErrors() }
            guard options.isLenient else { throw value.error("\(named)") }
            warnings.append(Diagnostic(path: value.path, message: "\(named)"))
            return BaseMapSettings()
        }
    }
}
