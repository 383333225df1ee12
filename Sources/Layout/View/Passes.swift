import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// What overlays of a map share while they are read: its images, its fonts, and what these depend on.
struct MapResources {
    var catalog = ImageCatalog()
    var fonts = MapFonts()
    var pixelRatio = 0.0

    /// Brings them up to date; gives what of every overlay must be read anew.
    mutating func update(_ mapView: MapView, pixelRatio: Double) -> Journal.Change {
        var change: Journal.Change = []
        let isFoundElsewhere = catalog.find(with: ImageFinder(folders: mapView.imageFolders, pixelRatio: pixelRatio))
        // Rasters and captions are drawn for the pixel ratio.
        if pixelRatio != self.pixelRatio || isFoundElsewhere { change.insert(.icon) }
        self.pixelRatio = pixelRatio
        if fonts.update(language: mapView.language, source: mapView.fontSource) { change.insert(.caption) }
        return change
    }
}

/// The fonts of a map, opened when the first text asks for them.
struct MapFonts {
    private(set) var language = ""
    private var source: FontSource?
    private var opened: Result<FontLibrary, FontError>?

    /// Gives whether texts must be measured anew.
    fileprivate mutating func update(language: String, source: FontSource) -> Bool {
        guard language != self.language || source != self.source else { return false }
        (self.language, self.source, opened) = (language, source, nil)
        return true
    }

    /// nil when there are no fonts.
    mutating func open() -> FontLibrary? {
        guard let source else { return nil }
        let result = opened ?? Result { () throws(FontError) in try FontLibrary.of(source) }
        opened = result
        return try? result.get()
    }

    /// The fonts, if a text has asked for them.
    var known: FontLibrary? { try? opened?.get() }

    /// Why there are none.
    var error: FontError? {
        guard case .failure(let error)? = opened else { return nil }
        return error
    }
}

/// What families have at hand while they read overlays.
struct ReadingPass {
    /// By slot.
    let overlays: [Overlay?]
    let table: OverlayTable
    let containers: ContainerStates
    /// The base map's symbols, when they must be read anew.
    let symbols: [Symbol]?
    var resources: MapResources
    /// What keeps overlays out of every picture, where a diagnostic reports it, by slot.
    private(set) var problems: [Int32: PropertyError]

    init(
        overlays: [Overlay?], table: OverlayTable, containers: ContainerStates, symbols: [Symbol]?, resources: consuming MapResources,
        problems: consuming [Int32: PropertyError]
    ) {
        self.overlays = overlays
        self.table = table
        self.containers = containers
        self.symbols = symbols
        self.resources = resources
        self.problems = problems
    }

    /// Keeps what is wrong with an overlay, or that nothing is.
    @inline(__always)
    mutating func set(_ problem: PropertyError?, slot: Int32) {
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
    }

    /// Meters that an overlay is lifted by itself and by the containers that it is in.
    func altitude(of overlay: Overlay) -> Double { (containers.state(around: overlay)?.altitude ?? 0) + overlay.altitude }
}

/// What families have at hand while they place overlays, and where they put what they place.
struct PlacingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    let order: DrawingOrder
    let rasters: [FrameImage]
    /// nil when there is no text.
    let fonts: FontLibrary?
    let language: String
    /// Samples a pixel in the edges of models.
    let modelSamples: Int
    var frame: FrameBuilder
    /// What could not be drawn as asked.
    var diagnostics: [Diagnostic] = []

    func isShown(_ slot: Int32) -> Bool { overlays.isShown(slot, atZoom: viewport.camera.zoom) }
}
