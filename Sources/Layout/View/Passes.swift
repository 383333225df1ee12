import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// The resources that a map's overlays share while they are read: images, fonts, and the pixel ratio for which both are prepared.
struct MapResources {
    var catalog = ImageCatalog()
    var fonts = MapFonts()
    var pixelRatio = 0.0

    /// Whether the images were dropped since the last update.
    private var areImagesCleared = false

    mutating func clearImages() {
        catalog.clear()
        areImagesCleared = true
    }

    /// Updates the resources to the map's settings; returns what must be read again of every overlay.
    mutating func update(_ mapView: MapView, pixelRatio: Double) -> Journal.Change {
        var change: Journal.Change = []
        let isFoundElsewhere = catalog.find(
            with: ImageFinder(folders: mapView.imageFolders, pixelRatio: pixelRatio), fontSource: mapView.fontSource,
            language: mapView.language)
        // Icons are rasterized for the pixel ratio.
        if pixelRatio != self.pixelRatio || isFoundElsewhere || areImagesCleared { change.insert(.icon) }
        areImagesCleared = false
        self.pixelRatio = pixelRatio
        if fonts.update(language: mapView.language, source: mapView.fontSource) { change.insert(.caption) }
        return change
    }
}

/// The fonts of a map, opened when the first text needs them.
struct MapFonts {
    private(set) var language = ""
    private var source: FontSource?
    private var opened: Result<FontLibrary, FontError>?

    /// Returns whether texts must be measured again.
    fileprivate mutating func update(language: String, source: FontSource) -> Bool {
        guard language != self.language || source != self.source else { return false }
        (self.language, self.source, opened) = (language, source, nil)
        return true
    }

    /// Opens the fonts if necessary; nil when that fails.
    mutating func open() -> FontLibrary? {
        guard let source else { return nil }
        let result = opened ?? Result { () throws(FontError) in try FontLibrary.of(source) }
        opened = result
        return try? result.get()
    }

    /// The fonts, if they have been opened.
    var known: FontLibrary? { try? opened?.get() }

    /// Why the fonts could not be opened.
    var error: FontError? {
        guard case .failure(let error)? = opened else { return nil }
        return error
    }
}

/// The input of families while they read overlays, and the problems they find.
struct ReadingPass {
    /// By slot.
    let overlays: [Overlay?]
    let table: OverlayTable
    let containers: ContainerStates
    /// The base map's symbols when they must be read again; else nil.
    let symbols: [Symbol]?
    /// The map's view overlays and info window.
    let windows: MapWindows
    var resources: MapResources
    /// By slot: the invalid property that excludes an overlay from every picture. Reported as diagnostics.
    private(set) var problems: [Int32: PropertyError]

    init(
        overlays: [Overlay?], table: OverlayTable, containers: ContainerStates, symbols: [Symbol]?, windows: MapWindows,
        resources: consuming MapResources, problems: consuming [Int32: PropertyError]
    ) {
        self.overlays = overlays
        self.table = table
        self.containers = containers
        self.symbols = symbols
        self.windows = windows
        self.resources = resources
        self.problems = problems
    }

    /// Records the problem of an overlay; nil clears it.
    @inline(__always)
    mutating func set(_ problem: PropertyError?, slot: Int32) {
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
    }

    /// An overlay's altitude in meters: its own plus that of the containers around it.
    func altitude(of overlay: Overlay) -> Double { (containers.state(around: overlay)?.altitude ?? 0) + overlay.altitude }
}

/// The input of families while they place overlays, and the frame that they fill.
struct PlacingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    let order: DrawingOrder
    let rasters: [FrameImage]
    /// nil when there is no text.
    let fonts: FontLibrary?
    let language: String
    /// Samples per pixel for the edges of models.
    let modelSamples: Int
    /// Whether captions that the picture's edge would cut are placed elsewhere or hidden.
    let captionsAvoidEdges: Bool
    /// Points of other families; their slots follow those of the overlays.
    let guests: [GuestPoint]
    /// Whether the picture is placed to find what is at points of it.
    let isForPicking: Bool
    var frame: FrameBuilder
    /// What could not be drawn as requested.
    var diagnostics: [Diagnostic] = []

    func isShown(_ slot: Int32) -> Bool { overlays.isShown(slot, atZoom: viewport.camera.zoom) }
}
