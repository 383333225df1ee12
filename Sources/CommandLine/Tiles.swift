import ArgumentParser
import Waymark
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkTiles

/// `waymark tiles`: draws a scene into an archive of map tiles.
struct Tiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tiles",
        abstract: "Renders a scene or a base map into an archive of map tiles.",
        discussion: """
            The output is a PMTiles or MBTiles archive, depending on the extension of its name, or a folder. It covers the extent of the \
            overlays or, without a scene, of the base map; --bounds and --whole-world choose another area. Empty tiles are left out, \
            unless the background is opaque. Until the run is complete, finished tiles are kept in OUTPUT.partial, and --resume \
            continues from there.
            """,
        examples: [
            "waymark tiles city.json -o city.pmtiles --zooms 10-14",
            "waymark tiles --basemap city.pmtiles --theme dark -o dark.pmtiles",
        ])

    @Argument(
        help: "A scene, or a file of features (GeoJSON, GPX, CSV); - is standard input. Without it, only the base map is drawn.",
        completion: .scene)
    var scene: String?

    @Option(
        name: .output,
        help: ArgumentHelp("The archive: a file name ending in .pmtiles or .mbtiles, or a folder.", valueName: "FILE"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "The zooms: a range such as 0-6, or one zoom such as 5. Without a scene, the default is the zooms of the base map.",
            valueName: "ZOOMS"))
    var zooms: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The area in degrees of longitude and latitude: WEST,SOUTH,EAST,NORTH. If WEST is greater than EAST, the area crosses ±180°. \
            Default: the extent of the overlays or, without a scene, of the base map.
            """,
            valueName: "W,S,E,N"))
    var bounds: TileBounds?

    @Flag(help: "Draw the whole world.")
    var wholeWorld = false

    @Flag(help: "Allow more than \(grouped(Double(TileJob.mostTilesUnasked))) tiles.")
    var yes = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The side of a tile in pt, 256 or 512.", valueName: "PT"),
        completion: .list(["256", "512"]))
    var tileSize = 512

    @Option(parsing: .unconditional, help: "Pixels per pt, 0.5 to 8: with 2, tiles of 256 pt are 512 pixels wide.")
    var pixelRatio = 1.0

    @Option(help: ArgumentHelp("The tiles' background, as a CSS hex or named color. Default: the scene's, or none.", valueName: "COLOR"))
    var background: String?

    @OptionGroup var baseMap: BaseMapArguments

    @Option(
        help: ArgumentHelp(
            "The attribution of the data in the archive, as text or HTML. Default: the credits of the base map.", valueName: "TEXT"))
    var attribution: String?

    @Option(help: ArgumentHelp("The archive's name. Default: the name of the output, without the extension.", valueName: "TEXT"))
    var name: String?

    @OptionGroup(title: "Format") var encoding: TileEncodingArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of threads that compress tiles. Default: one for each processor.", valueName: "N"))
    var workers: Int?

    @Flag(help: "Continue an interrupted run.")
    var resume = false

    @OptionGroup(title: "Files of the scene") var files: FileArguments

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            if scene == nil, files.cluster { throw Failure(.usage, "--cluster: without a scene, there are no points to group") }
            let inputs = InputRecord()
            // Without a scene, the layers determine the area and the zooms.
            let layers = scene == nil ? try requiredLayers(noting: inputs) : []
            var job = try TileJob(self, layers)
            let cacheBytes = try cache.checked()
            let opening = try device.opening(cacheBytes: cacheBytes)
            defer { opening.wait() }
            let mapView: MapView
            if let scene { mapView = try load(scene, noting: inputs) } else { mapView = try baseMapAlone(layers) }
            try inputs.refuse(output) { scene == nil ? "is the base map" : $0.name == scene ? "is the scene" : "the scene reads" }
            if !job.format.hasAlpha, mapView.background.alpha < 1 {
                say("warning: \(job.format.name) has no transparency: tiles are drawn on white; --background sets another color")
            }
            try job.chooseArea(self, mapView)
            let renderer = try opening.opened()
            let spool = try job.spool(drawnBy: renderer, device.fontSource, isResuming: resume)
            let reporter = TileReporter(scene: sceneName, isLenient: files.lenient)
            do throws(Failure) {
                guard try job.draw(mapView, renderer, spool, reporter) else {
                    // A run without any tiles is not worth continuing.
                    if scene == "-" || spool.tiles().isEmpty {
                        spool.remove()
                        throw Failure(.incomplete, "\(output): interrupted")
                    }
                    throw Failure(.incomplete, "\(output): interrupted; --resume continues with \(spool.path)")
                }
                try archive { () throws(TileError) in try TileArchiveWriter.write(spool, job.description, as: job.archive, to: output) }
            } catch {
                // A run without any tiles is not worth continuing.
                if spool.tiles().isEmpty { spool.remove() }
                throw error
            }
            spool.remove()
            reporter.report(spool, output)
        }
    }

    /// The name of the scene or of the base map in messages.
    var sceneName: String { scene.map { $0 == "-" ? "standard input" : $0 } ?? baseMap.basemap.first ?? "" }

    /// Reads the scene as `render` does.
    private func load(_ scene: String, noting inputs: InputRecord) throws(Failure) -> MapView {
        var arguments: SceneArguments
        do { arguments = try SceneArguments.parse([scene.hasPrefix("-") && scene != "-" ? "./\(scene)" : scene]) } catch {
            throw Failure(.usage, "\(error)")
        }
        arguments.files = files
        arguments.view.background = background
        arguments.view.baseMap = baseMap
        // Each tile has its own camera, so nothing is fitted.
        (arguments.view.center, arguments.view.zoom) = (LatLng(lat: 0, lng: 0), 0)
        let mapView = try arguments.load(device.fontSource, noting: inputs)
        // The theme's land is not used, because it would fill tiles that are empty.
        mapView.ownBackground = mapView.ownBackground ?? .clear
        return mapView
    }

    private func requiredLayers(noting inputs: InputRecord) throws(Failure) -> [BaseMapLayer] {
        guard let layers = try baseMap.layers(noting: inputs) else {
            throw Failure(.usage, "name a scene, or a base map with --basemap")
        }
        return layers
    }

    /// An empty map over a base map.
    private func baseMapAlone(_ layers: [BaseMapLayer]) throws(Failure) -> MapView {
        var options = SceneFileOptions()
        do throws(PropertyError) {
            if let background { try options.view.setBackground(css: background) }
        } catch {
            throw Failure(option: error)
        }
        let file: SceneFile
        do throws(SceneError) {
            file = try SceneFile(bytes: Array(#"{"waymark": 1}"#.utf8), name: sceneName, options: options)
        } catch {
            if case .view(let error) = error { throw Failure(option: error) }
            throw Failure(error)
        }
        file.mapView.fontSource = device.fontSource
        file.mapView.baseMap = layers
        // The map gets no theme, because the theme's land would fill tiles that are empty.
        do throws(PropertyError) {
            guard let theme = try baseMap.mapTheme() else { return file.mapView }
            guard layers.contains(where: { $0.vectorTiles != nil }) else {
                throw PropertyError(path: "theme", problem: "a theme applies only to vector tiles, and the base map has none")
            }
            for index in layers.indices { file.mapView.baseMap[index].theme = theme }
        } catch {
            throw Failure(option: error)
        }
        return file.mapView
    }
}

/// Runs code that reads or writes archives.
func archive<Result>(_ body: () throws(TileError) -> Result) throws(Failure) -> Result {
    do throws(TileError) { return try body() } catch { throw Failure(error) }
}

extension Failure {
    init(_ error: TileError) {
        let code: Code =
            switch error.reason {
            case .cannotRead, .notAFile: .noInput
            case .cannotWrite, .inUse: .cannotWrite
            case .invalid, .otherRun: .usage
            default: .badContent
            }
        let hint = if case .otherRun = error.reason { "; without --resume, tiles are drawn from the start" } else { "" }
        self.init(code, error.description + hint)
    }
}

/// The checked options of a run.
struct TileJob {
    private(set) var plan: TilePlan
    let archive: TileArchiveFormat
    let format: ImageFormat
    let options: EncodingOptions
    let threadCount: Int
    private(set) var description: TileArchiveDescription
    private let output: String
    private let scene: String?
    /// The base maps of the command line.
    private let baseMaps: [String]
    /// The options that affect the tiles, besides the scene.
    private var appearance: [String]
    /// Whether the overlays determine the area.
    private let fitsOverlays: Bool

    /// The maximum number of tiles in a run without `--yes`.
    static let mostTilesUnasked = 100_000

    /// - Parameter layers: The layers of the base map that is drawn without a scene; empty with a scene.
    init(_ arguments: Tiles, _ layers: [BaseMapLayer]) throws(Failure) {
        output = arguments.output
        (scene, baseMaps) = (arguments.scene, arguments.baseMap.basemap)
        fitsOverlays = arguments.scene != nil && arguments.bounds == nil && !arguments.wholeWorld
        guard output != "-" else { throw Failure(.usage, "-o: tiles cannot be written to standard output; name a file or a folder") }
        guard !output.isEmpty, let archive = TileArchiveFormat(path: output) else {
            throw Failure(.usage, "\(output.quotedIfEmpty): the name must end in .pmtiles or .mbtiles, or have no extension (for a folder)")
        }
        self.archive = archive
        let zooms = try Self.zooms(arguments.zooms, layers)
        do throws(PropertyError) {
            plan = try TilePlan(zooms: zooms, tileSize: arguments.tileSize, pixelRatio: arguments.pixelRatio)
        } catch {
            let names = ["zooms": "--zooms", "tileSize": "--tile-size", "pixelRatio": "--pixel-ratio"]
            throw Failure(.usage, "\(names[error.path] ?? error.path): \(error.problem)")
        }
        if let bounds = arguments.bounds {
            if arguments.wholeWorld { throw Failure(.usage, "--bounds and --whole-world are mutually exclusive") }
            if let problem = bounds.problem { throw Failure(.usage, "--bounds: \(problem)\(bounds.orderHint)") }
        }
        format = try arguments.encoding.chosenFormat()
        options = try arguments.encoding.compression.checkedOptions(format)
        if let workers = arguments.workers, !(1...1024).contains(workers) {
            throw Failure(.usage, "--workers: \(workers) is outside 1…1024")
        }
        threadCount = arguments.workers ?? ProcessorCount.current.usable
        if arguments.resume, scene == "-" {
            throw Failure(
                .usage,
                "--resume cannot be used with a scene from standard input, because the scene might have changed; give it as a file")
        }
        let info = TileSetInfo(
            minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, tileSize: plan.tileSize, attribution: arguments.attribution,
            name: arguments.name ?? FileSystem.stem(of: output))
        description = TileArchiveDescription(info: info, format: format, isRetina: plan.pixelRatio == 2)
        appearance = [
            waymarkVersion, "\(zooms)", "\(plan.tileSize)", "\(plan.pixelRatio)", format.rawValue, "\(options.quality ?? 0)",
            "\(options.paletteColors ?? 0)", "\(options.isProgressive)", arguments.background ?? "", "\(arguments.files.lenient)",
            arguments.files.allowFiles ?? "",
            arguments.device.fontDir ?? "", "\(arguments.baseMap.basemap)", arguments.baseMap.theme ?? "",
            "\(arguments.files.cluster)",
        ]
        let isTakenUp = arguments.resume && FileSystem.exists("\(Self.withoutSlashes(output)).partial")
        if archive == .folder, !isTakenUp, let names = try? FileSystem.names(in: output, most: 1), !names.isEmpty {
            throw Failure(.usage, "\(output): the folder is not empty; choose another name, or old tiles would remain among the new ones")
        }
    }

    /// Chooses the tiles to draw, and refuses a number of them that the user cannot have meant.
    mutating func chooseArea(_ arguments: Tiles, _ mapView: MapView) throws(Failure) {
        if let bounds = arguments.bounds {
            plan.restrict(to: bounds)
        } else if scene == nil, !arguments.wholeWorld {
            plan.restrict(to: .around(mapView.baseMap.map(\.source.info.bounds)))
        } else if !arguments.wholeWorld {
            let hasOverlays: Bool
            do throws(PropertyError) {
                hasOverlays = try plan.restrict(toOverlaysOf: mapView)
            } catch {
                throw Failure(error, scene: arguments.sceneName)
            }
            guard hasOverlays else {
                throw Failure(
                    .usage,
                    "\(arguments.sceneName): no overlay determines the area; choose it with --bounds, "
                        + "or draw everything with --whole-world"
                )
            }
        }
        if plan.tileCount > Self.mostTilesUnasked, !arguments.yes {
            throw Failure(
                .usage,
                "\(countText) exceed the limit of \(grouped(Double(Self.mostTilesUnasked))); choose fewer zooms, choose a smaller area "
                    + "with --bounds, or add --yes to draw them all")
        }
        description.info.bounds = plan.bounds
        if arguments.attribution == nil {
            var credits: [String] = []
            for layer in mapView.baseMap where layer.isVisible {
                if let text = layer.attribution, !text.isEmpty, !credits.contains(text) { credits.append(text) }
            }
            description.info.attribution = credits.isEmpty ? nil : credits.joined(separator: " | ")
        }
        // The numbers of the spool's parts depend on the tiles.
        if !fitsOverlays { appearance.append("\(plan.ranges)") }
    }

    /// The number of tiles, with the zooms: `85 tiles at zooms 0-3`.
    private var countText: String {
        let (first, last) = (plan.zooms.lowerBound, plan.zooms.upperBound)
        return "\(grouped(Double(plan.tileCount))) \(plan.tileCount == 1 ? "tile" : "tiles") at "
            + (first == last ? "zoom \(first)" : "zooms \(first)-\(last)")
    }

    /// The zooms that the option names. Without the option and without a scene, the zooms of the base map.
    private static func zooms(_ text: String?, _ layers: [BaseMapLayer]) throws(Failure) -> ClosedRange<Int> {
        guard let text else {
            let infos = layers.map(\.source.info)
            guard let first = infos.map(\.minZoom).min(), let last = infos.map(\.maxZoom).max() else {
                throw Failure(.usage, "--zooms: this option is required with a scene; for example, use --zooms 0-6")
            }
            let range = TilePlan.zoomRange
            return min(first, range.upperBound)...min(last, range.upperBound)
        }
        guard let zooms = zooms(text) else {
            throw Failure(
                .usage, "--zooms: \"\(text)\" is neither a zoom (such as 5) nor a range from a lower to a higher zoom (such as 0-6)")
        }
        return zooms
    }

    private static func zooms(_ text: String) -> ClosedRange<Int>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part in part.allSatisfy(\.isNumber) ? Int(part) : nil
        }
        guard let first = parts.first ?? nil, let last = parts.last ?? nil, parts.count <= 2, first <= last else { return nil }
        return first...last
    }

    private static func withoutSlashes(_ path: String) -> String {
        var path = path
        while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
        return path
    }

    /// The file of tiles next to the output, which an interrupted run leaves.
    func spool(drawnBy renderer: Renderer, _ fonts: FontSource, isResuming: Bool) throws(Failure) -> TileSpool {
        var (fingerprint, sceneFingerprint) = (Fingerprint(), Fingerprint())
        if let scene, scene != "-" {
            do throws(FileError) {
                sceneFingerprint.add(try WholeFile.read(scene, as: .scene))
            } catch {
                throw Failure(reading: error, name: scene)
            }
        }
        // An archive of a different size is a different base map. Its content is not read, because it may have many gigabytes.
        for source in baseMaps {
            if let size = try? FileStatus(source).size { sceneFingerprint.add("\(size)") }
        }
        // The extent of the overlays also depends on the files that the scene names.
        if fitsOverlays { sceneFingerprint.add("\(plan.ranges)") }
        for text in appearance { fingerprint.add(text) }
        let identity: RendererIdentity
        do throws(RenderError) { identity = try renderer.identity(fontSource: fonts) } catch {
            throw Failure(error, scene: scene ?? output)
        }
        fingerprint.add(identity.text)
        fingerprint.add(identity.fonts)
        let path = "\(Self.withoutSlashes(output)).partial"
        if isResuming, !FileSystem.exists(path) { say("\(path) does not exist, so all tiles are drawn") }
        return try WaymarkCommandLine.archive { () throws(TileError) in
            try TileSpool(
                path, fingerprint: fingerprint.value, scene: sceneFingerprint.value, renderer: "\(identity.renderer), \(identity.version)",
                isResuming: isResuming)
        }
    }

    /// Draws the tiles missing from the spool. Returns whether all tiles are done.
    func draw(_ mapView: MapView, _ renderer: Renderer, _ spool: TileSpool, _ reporter: TileReporter) throws(Failure) -> Bool {
        let signals = EndingSignals()
        let run = TileRun(plan, of: mapView, with: renderer, into: spool, as: format, options: options, threadCount: threadCount)
        do {
            let estimate = try run.estimatedBytes(storesEqualTilesOnce: archive != .folder) {
                reporter.reportEstimating(countText)
                return signals?.next() != nil
            }
            guard let bytes = estimate else { return false }
            reporter.say("\(output): up to \(countText), about \(TileReporter.size(bytes))")
            return try run.draw(
                report: { progress in
                    reporter.report(progress)
                    return signals?.next() == nil
                }, diagnose: { try reporter.report($0) })
        } catch let failure as Failure {
            throw failure
        } catch TileRunError.drawing(let error) {
            throw Failure(error, scene: reporter.scene)
        } catch TileRunError.encoding(let error) {
            throw Failure(writing: error.at(output))
        } catch TileRunError.archive(let error) {
            throw Failure(error)
        } catch {
            throw Failure(.software, "\(output): \(error)")
        }
    }
}

extension TileBounds {
    /// The end of an error about invalid bounds. It explains the order if the bounds would be valid with latitudes and longitudes
    /// exchanged.
    fileprivate var orderHint: String {
        let exchanged = TileBounds(west: south, south: west, east: north, north: east)
        guard exchanged.problem == nil, exchanged.west < exchanged.east else { return "" }
        let values = [exchanged.west, exchanged.south, exchanged.east, exchanged.north].map { plain($0) }
        return "; the order is WEST,SOUTH,EAST,NORTH; for example, \(values.joined(separator: ","))"
    }

    /// The smallest bounds that contain all the given bounds. If one of several crosses ±180°, this is the world.
    fileprivate static func around(_ all: [TileBounds]) -> TileBounds {
        guard let first = all.first, all.count > 1 else { return all.first ?? .world }
        guard all.allSatisfy({ $0.west <= $0.east }) else { return .world }
        return all.reduce(first) { around, bounds in
            TileBounds(
                west: min(around.west, bounds.west), south: min(around.south, bounds.south), east: max(around.east, bounds.east),
                north: max(around.north, bounds.north))
        }
    }
}

extension TileBounds: ExpressibleByArgument {
    /// `W,S,E,N` in degrees.
    public init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0) }
        guard parts.count == 4, values.count == 4 else { return nil }
        self.init(west: values[0], south: values[1], east: values[2], north: values[3])
    }
}
