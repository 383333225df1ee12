import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// A map with a camera and overlays. It only holds state and a log of changes; a `Renderer` draws it.
///
/// Overlays and maps stay in the isolation domain in which they were created.
public final class MapView {
    /// The settings that determine where overlays appear.
    package fileprivate(set) var settings: MapSettings
    /// The color behind everything else in the picture; nil for the default.
    package var ownBackground: Color?
    /// The sky; nil for the default.
    package var ownSky: Sky?
    /// Whether the map shows a feature file without styles. If there is no base map, the areas in the file are drawn as land.
    package var showsPlainFile = false

    /// The layers of the base map, from bottom to top. They lie beneath all overlays. Default: none.
    public var baseMap: [BaseMapLayer] = [] {
        didSet {
            // The placement for picking contains the labels of these layers.
            windows.note()
            windows.labelObjects = [:]
        }
    }
    /// Whether the sources of the base map are credited at the lower right, with the text that they provide. Default true.
    public var showsAttribution = true { didSet { elementRevision += 1 } }

    /// The labels and points of interest of the base map. Default: none.
    public var symbols: [Symbol] = [] {
        didSet {
            store.changes.noteSymbols()
            windows.symbolObjects = [:]
        }
    }

    /// The map's scales, from which legends are made. Reading a scene file sets this list to the scales of the file's templates and lines,
    /// with the breaks and domains that were determined from the data. Default: none.
    public var scales: [MapScale] = [] { didSet { elementRevision += 1 } }

    /// The elements that explain the map: titles, legends, scale bars, north arrows, images and insets. They are drawn above everything
    /// else, in the order of the list. Default: none.
    public var elements: [MapElement] = [] { didSet { elementRevision += 1 } }
    /// A counter that is incremented whenever the elements are set, or properties that affect their content or place.
    package private(set) var elementRevision = 0

    /// Whether the picture is one of several that adjoin each other, such as blocks of map tiles. An info window that is cut off at a
    /// common edge is complete when the pictures are put together.
    package var continuesBeyondEdges = false

    package let store = OverlayStore()
    /// The problems reported by methods that cannot throw.
    package private(set) var reports: [Diagnostic] = []
    package let windows = MapWindows()
    /// The layout of the map's overlays; nil before the first picture.
    package var layout: AnyObject?

    /// Creates a map without overlays. Its camera is at zoom 0, centered at latitude 0 and longitude 0.
    /// - Parameters:
    ///   - size: The picture's size in pt. Rendering throws an error unless size · pixelRatio is 1…65,535 device pixels on each side.
    ///   - pixelRatio: The number of device pixels per pt, valid in 0.5…8. Default 1.
    public init(size: CGSize, pixelRatio: Double = 1) {
        settings = MapSettings(size: size, pixelRatio: pixelRatio)
        store.mapView = self
    }

    deinit {
        store.close()
    }
}

/// The settings of a map that determine where overlays appear in the picture. `MapView` documents each of them.
package struct MapSettings: Equatable {
    var size: CGSize
    var pixelRatio: Double
    var camera = Camera()
    var theme: MapTheme?
    /// The settings of the map that shows this map as an inset; nil for a map that is not an inset.
    var outer: OuterSettings?
    var imageFolders: [String] = []
    var language = MapView.defaultLanguage
    var fontSource = FontSource.default
    var captionsAvoidEdges = false
    var captionsAvoidElements = false
    var modelSamples = 4

    /// The settings that a map shares with its insets. The theme is a default; the others replace the settings of the inset's map.
    package struct OuterSettings: Equatable {
        var theme: MapTheme?
        var imageFolders: [String]
        var language: String
        var fontSource: FontSource
        var modelSamples: Int
    }
}

extension MapView {
    /// The maps of the insets.
    package var insetMaps: [MapView] { elements.compactMap { if case .inset(let inset) = $0 { inset.map } else { nil } } }

    /// Passes the settings that insets share with this map on to the map of an inset.
    package func share(with inset: MapView) {
        let shared = MapSettings.OuterSettings(
            theme: theme, imageFolders: imageFolders, language: language, fontSource: fontSource, modelSamples: modelSamples)
        if inset.settings.outer != shared { inset.settings.outer = shared }
    }

    /// The picture's size in pt.
    public var size: CGSize {
        get { settings.size }
        set { settings.size = newValue }
    }

    /// The number of device pixels per pt, valid in 0.5…8. Default 1.
    public var pixelRatio: Double {
        get { settings.pixelRatio }
        set { settings.pixelRatio = newValue }
    }

    /// The camera. A camera with values out of range is accepted, but rendering then throws an error.
    public var camera: Camera {
        get { settings.camera }
        set { settings.camera = newValue }
    }

    /// The theme, which determines the defaults of all properties that are not set. It applies to the background, the sky, the colors of
    /// text, lines and areas, the pins of markers, the discs of clusters, the info window and the base map. Properties that are set keep
    /// their values. Default nil: all properties have the defaults that their documentation states for a map without a theme.
    ///
    /// ``MapTheme/defaults`` contains the theme's defaults. Properties that are not set return these defaults while their overlay is on the
    /// map. The map of an inset uses the theme of the main map unless it has a theme of its own.
    public var theme: MapTheme? {
        get { settings.theme ?? settings.outer?.theme }
        set { settings.theme = newValue }
    }

    /// The color behind everything else in the picture. Default: the color of the theme's land; transparent without a theme.
    public var background: Color {
        get { ownBackground ?? (showsLand ? themeDefaults?.ground : themeDefaults?.background) ?? .clear }
        set { ownBackground = newValue }
    }

    /// The sky, which is drawn where there is no ground: above the horizon, beyond the camera's far limit, and beyond the world's edges. If
    /// the ground ends within the picture, everything on the ground fades into the sky. The fade takes up the last tenth of the ground's
    /// height on the screen, but at least 12 pt. If the far limit is in the picture, lines on the ground beyond the view's center become
    /// thinner with distance. If `sky` is nil, the sky has the color of the background. Default: the theme's sky; nil without a theme. On a
    /// map without a base map, the default is also nil if the tilt is 0, or if the areas of a file are drawn as land.
    public var sky: Sky? {
        get { ownSky ?? (showsLand || baseMap.isEmpty && camera.tilt == 0 ? nil : themeDefaults?.sky) }
        set { ownSky = newValue }
    }

    /// The defaults of the theme; nil without a theme.
    package var themeDefaults: ThemeDefaults? { theme?.defaults }

    /// Whether the areas of a file without styles are drawn as land, because the map has no base map.
    package var showsLand: Bool { showsPlainFile && baseMap.isEmpty }

    /// The layers of the base map. Layers that set no theme have the map's theme.
    package var themedBaseMap: [BaseMapLayer] {
        guard let theme else { return baseMap }
        return baseMap.map { layer in
            var layer = layer
            layer.ownTheme = layer.ownTheme ?? theme
            return layer
        }
    }

    /// The folders in which named images are looked up, in order. Default: none.
    public var imageFolders: [String] {
        get { settings.outer?.imageFolders ?? settings.imageFolders }
        set { settings.imageFolders = newValue }
    }

    /// The language of all text on the map, as a BCP 47 tag. The language determines the forms of characters that Chinese, Japanese and
    /// Korean share. Default `ko`.
    public var language: String {
        get { settings.outer?.language ?? settings.language }
        set { settings.language = newValue }
    }

    /// The source of the fonts for all text. Default: the folder named by the environment variable `WAYMARK_FONT_DIR` or, if that is unset,
    /// the system's fonts.
    public var fontSource: FontSource {
        get { settings.outer?.fontSource ?? settings.fontSource }
        set { settings.fontSource = newValue }
    }

    /// Whether captions and symbols avoid the picture's edges. If true, a caption that an edge would cut off is shown at another of its
    /// placements. If none of its placements is possible, the caption is not drawn. A symbol whose text would be cut off is not drawn. The
    /// outline of the text may still be cut off. Default false: captions and symbols may be cut off at the edges.
    public var captionsAvoidEdges: Bool {
        get { settings.captionsAvoidEdges }
        set { settings.captionsAvoidEdges = newValue }
    }

    /// Whether captions and symbols avoid the map's elements. If true, a caption that an element would cover is shown at another of its
    /// placements. If none of its placements is possible, the caption is not drawn. A symbol whose text would be covered is not drawn. Text
    /// along a line is not drawn at places where it would be covered. Default false: elements may cover captions and symbols.
    public var captionsAvoidElements: Bool {
        get { settings.captionsAvoidElements }
        set { settings.captionsAvoidElements = newValue }
    }

    /// The number of samples per pixel with which the edges of models are antialiased: 4, or 1 for no antialiasing. Other values are
    /// accepted, but rendering then throws an error. Default 4.
    public var modelSamples: Int {
        get { settings.outer?.modelSamples ?? settings.modelSamples }
        set { settings.modelSamples = newValue }
    }
}

extension MapView {
    /// The overlays on the map, in the order in which they were added. This list does not contain the overlays inside containers, which are
    /// in the containers' `children`.
    public var overlays: [Overlay] {
        let store = store
        let present = store.slots.indices.filter { slot in store.slots[slot].map { $0.parent == nil } ?? false }
        return present.sorted { store.insertions[$0] < store.insertions[$1] }.compactMap { store.slots[$0] }
    }

    /// The overlay with the given id. It may be on the map itself, in a container or in a cluster layer. Nil if no overlay has this id.
    public func overlay(withID id: String) -> Overlay? { store.overlay(withID: id) }

    /// Adds an overlay, after removing it from any other map. Among overlays whose drawing order is otherwise equal, the overlay added last
    /// is on top. If the overlay is already on this map, nothing changes.
    ///
    /// A container or cluster layer is added with its contents. An overlay is refused if it has no position or geometry, or if it is in a
    /// cluster layer or in a container that is not on this map. It is also refused if its id, or the id of an overlay inside it, is already
    /// in use on this map. A diagnostic of the next frame gives the reason.
    /// - Returns: Whether the overlay is now on this map.
    @discardableResult
    public func add(_ overlay: Overlay) -> Bool {
        guard !overlay.isPlaceless else {
            let property = overlay.placeProperty
            return refuse(overlay, property, "not added to the map, because the overlay has no \(property)")
        }
        if let layer = overlay.store?.clusterLayer {
            return refuse(overlay, nil, "not added to the map, because the overlay is in \(layer.label); remove it from there first")
        }
        guard overlay.mapView !== self else { return true }
        if let container = overlay.parent {
            return refuse(overlay, nil, "not added to the map, because the overlay is in \(container.label); remove it from there first")
        }
        if let id = store.takenID(of: overlay) { return refuse(overlay, "id", overlay.refusal(adding: "the map", takenID: id)) }
        overlay.mapView?.remove(overlay)
        store.insert(overlay)
        return true
    }

    private func refuse(_ overlay: Overlay, _ path: String?, _ message: String) -> Bool {
        report(Diagnostic(path: path, id: overlay.id ?? overlay.type.rawValue, message: message))
        return false
    }

    /// Records the problem of a call that cannot throw. The next picture reports it.
    package func report(_ diagnostic: Diagnostic) {
        reports.append(diagnostic)
    }

    /// Returns the problems that were recorded since the last call, and clears them.
    package func takeReports() -> [Diagnostic] {
        guard !reports.isEmpty else { return [] }
        defer { reports = [] }
        return reports
    }

    /// Adds an overlay that is on no map and in no container, and whose id and contents are known to be valid on this map.
    package func adopt(_ overlay: Overlay) {
        store.insert(overlay)
    }

    /// Adds overlays in order.
    /// - Returns: Whether all overlays are now on this map.
    @discardableResult
    public func add(_ overlays: some Collection<Overlay>) -> Bool {
        store.reserve(overlays.count)
        return overlays.reduce(true) { add($1) && $0 }
    }

    /// Removes an overlay from the map, and from its container or cluster layer if it is in one. Does nothing if the overlay is not on this
    /// map.
    public func remove(_ overlay: Overlay) {
        guard overlay.mapView === self else { return }
        if let container = overlay.parent {
            container.remove(overlay)
        } else if let layer = overlay.store?.clusterLayer, let marker = overlay as? Marker {
            layer.remove(marker)
        } else {
            store.remove(overlay)
        }
    }

    /// Removes all overlays from the map. Containers keep their contents.
    public func removeAll() {
        store.remove(overlays)
    }

    /// The viewport for the map's camera, size and pixel ratio.
    /// - Throws: `PropertyError` for the first value that is out of range.
    public func viewport() throws(PropertyError) -> Viewport {
        try Viewport(camera: camera, size: pointSize, pixelRatio: pixelRatio)
    }

    /// The valid values of `modelSamples`.
    public static let modelSampleCounts = [1, 4]

    /// Throws `PropertyError` unless `modelSamples` is valid.
    package func checkModelSamples() throws(PropertyError) {
        guard Self.modelSampleCounts.contains(modelSamples) else {
            throw PropertyError(path: "modelSamples", problem: "\(modelSamples) is neither 1 nor 4")
        }
    }

    /// Whether a string has the form of a BCP 47 language tag.
    package static func isLanguageTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts[0].count >= 2
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
            }
    }

    package static let defaultLanguage = "ko"

    package var pointSize: PointSize { PointSize(width: size.width, height: size.height) }

    /// The screen point of a coordinate, in pt. Nil if the coordinate is invalid, underground, behind the camera, beyond the camera's far
    /// limit, or beyond the latitudes of the map (±85.051129°). Also nil if the camera, the size or the pixel ratio is out of range.
    public func point(from position: LatLng) -> CGPoint? {
        try? viewport().point(from: position)
    }

    /// The coordinate on the ground under a screen point given in pt. Nil if that point is above the horizon, or if the ground there is
    /// beyond the camera's far limit or beyond the latitudes of the map (±85.051129°). Also nil if the camera, the size or the pixel ratio
    /// is out of range.
    public func geoCoordinates(from point: CGPoint) -> LatLng? {
        try? viewport().geoCoordinates(from: point)
    }

    /// The number of meters on the ground per pt of the map, at the given latitude in degrees and at the camera's zoom.
    public func metersPerPoint(atLatitude lat: Double) -> Double {
        WebMercator.metersPerPoint(lat: lat, worldSize: WebMercator.worldSize(zoom: camera.zoom))
    }

    /// The bounding box of the visible ground; nil if the camera, the size or the pixel ratio is out of range.
    public var visibleBounds: LatLngBounds? {
        try? viewport().visibleBounds
    }
}
