import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTiles

/// Adds the base map to a frame: its layers beneath everything, the sky, and the credits of its sources on top.
struct BaseMapPlacer {
    private let viewport: Viewport
    private let layers: [BaseMapLayer]
    /// The number of samples per pixel for the edges of buildings.
    private let modelSamples: Int
    /// The sky; nil if the ground does not end in the picture.
    private let sky: FrameSky?
    /// Diagnostics for everything that cannot be drawn as requested.
    private(set) var diagnostics: [Diagnostic] = []
    /// The layers visible in this view, and their indices among all.
    private(set) var shown: [(index: Int, layer: BaseMapLayer)] = []
    /// The visible layers that consist of vector tiles, with their tiles once these are loaded.
    private(set) var vectorLayers: [ShownVectorLayer] = []

    /// The visible layers of the map's insets.
    private let layersOfInsets: [BaseMapLayer]

    /// - Parameter fade: The end of the ground; nil if it is not in the picture.
    init(_ mapView: MapView, _ viewport: Viewport, _ fade: GroundFade?) {
        self.viewport = viewport
        layers = mapView.themedBaseMap
        layersOfInsets = mapView.elements.flatMap { element -> [BaseMapLayer] in
            guard case .inset(let inset) = element, inset.isVisible else { return [] }
            return inset.map.baseMap.filter { $0.isVisible && $0.firstProblem() == nil }
        }
        modelSamples = mapView.modelSamples
        let colors = mapView.sky.flatMap { $0.isValid ? $0 : nil } ?? Sky(mapView.background)
        sky = fade.map { FrameSky(horizon: colors.horizon, zenith: colors.zenith, fade: $0) }
        for (index, layer) in layers.enumerated() {
            if let problem = layer.firstProblem() {
                diagnostics.append(
                    Diagnostic(path: "\(key(of: index)).\(problem.path)", message: "\(problem.problem); the layer is left out"))
            } else if layer.isShown(atZoom: viewport.camera.zoom) {
                var layer = layer
                if mapView.continuesBeyondEdges, layer.buildings == .extruded, layer.vectorTiles != nil {
                    layer.buildings = .flat
                    diagnostics.append(
                        Diagnostic(
                            path: "\(key(of: index)).buildings",
                            message: "map tiles show flat buildings, because extruded ones lean away from the center of each picture"))
                }
                shown.append((index, layer))
            }
        }
        if mapView.sky?.isValid == false {
            diagnostics.append(Diagnostic(path: "sky", message: "a channel is outside 0…1; the sky has the color of the background"))
        }
    }

    /// The key path of a layer in a scene file.
    private func key(of index: Int) -> String { layers.count == 1 ? "basemap" : "basemap[\(index)]" }

    /// Loads the vector tiles of the visible layers.
    /// - Parameters:
    ///   - isForPicking: Whether nothing is drawn.
    ///   - deadline: The time that loading may take. Tiles that arrive later are left out.
    mutating func loadTiles(isForPicking: Bool, deadline: TileDeadline) {
        vectorLayers = shown.compactMap { index, layer in
            let contents = layer.contents(atZoom: viewport.camera.zoom, isForPicking: isForPicking)
            guard !contents.isEmpty, case .success(let set)? = layer.vectorTiles else { return nil }
            return ShownVectorLayer(layer, set, index: index, viewport, contents, deadline: deadline)
        }
    }

    /// Adds the layers beneath the contents of the frame, and the sky. An opaque sky lies directly above the layers. Any other sky lies
    /// directly beneath the first primitive that is not on the ground.
    mutating func add(to frame: inout Frame) {
        var commands: [Command] = []
        for (index, layer) in shown {
            if let number = vectorLayers.firstIndex(where: { $0.index == index }) {
                let paths = VectorLayerPlacer.place(&vectorLayers[number], viewport, into: &frame, fades: sky != nil)
                diagnostics += vectorLayers[number].refusals.diagnostics(
                    "\(key(of: index)).source", ofSet: TileSet(layer.source, name: layer.name).name)
                var contents: [Command] = paths.isEmpty ? [] : [.paths(paths)]
                if let buildings = BuildingPlacer(viewport).place(
                    vectorLayers[number], samples: modelSamples, fades: sky != nil, into: &frame)
                {
                    if BuildingPlacer.hidesOthers(vectorLayers[number]) { buildings.hideModels(in: &frame) }
                    contents += buildings.commands
                }
                guard layer.opacity < 1, !contents.isEmpty else {
                    commands += contents
                    continue
                }
                let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
                commands += [.beginGroup(Group(alpha: Float(layer.opacity), bounds: whole))] + contents + [.endGroup]
                continue
            }
            let set = TileSet(layer.source, name: layer.name)
            let cover = TileCover(viewport, TilePyramid(set.info))
            guard !cover.tiles.isEmpty else { continue }
            let first = frame.tiles.count
            frame.tiles += cover.tiles
            commands.append(
                .tiles(
                    first..<frame.tiles.count,
                    TileDrawing(set: frame.tileSets.count, alpha: Float(layer.opacity), filter: cover.filter)))
            frame.tileSets.append(FrameTileSet(set))
        }
        if !commands.isEmpty { frame.commands.insert(contentsOf: commands, at: 0) }
        if let sky { frame.add(sky) }
    }

    /// The distinct credits of the visible layers, including layers of insets; empty if there are none.
    var attribution: String {
        var parts: [String] = []
        for layer in shown.map(\.layer) + layersOfInsets {
            let text = layer.attribution.map(AttributionText.plain) ?? ""
            if !text.isEmpty, !parts.contains(text) { parts.append(text) }
        }
        return parts.joined(separator: " | ")
    }
}

extension BaseMapPlacer {
    /// The image of the credits; nil without any. Adds its problems to the diagnostics.
    mutating func measuredAttribution(_ resources: MapResources) -> FrameImage? {
        let text = attribution
        guard !text.isEmpty else { return nil }
        var label = LabelContent(text: text)
        label.textSize = 10
        // A white label would be the brightest part of a dark map. The dark label is less translucent, because the background beside the
        // tiles may be white.
        let isDark = shown.last.map { $0.layer.vectorTiles != nil && $0.layer.theme == .dark } ?? false
        label.textColor = Color(white: isDark ? 0.75 : 0.2)
        label.backgroundColor = Color(white: isDark ? 0.1 : 1, alpha: isDark ? 0.8 : 0.75)
        label.insets = EdgeInsets(top: 1, left: 5, bottom: 1, right: 5)
        label.maxWidth = min(max(20, viewport.size.width - 10), OverlayContent.sideLimit - 10)
        label.textAlignment = .right
        do throws(PropertyError) {
            return try resources.view(.alone(.label(label)), "attribution").image
        } catch {
            diagnostics.append(Diagnostic(path: error.path, message: error.problem))
            return nil
        }
    }

    /// Adds the image of the label at the lower right, above the contents of the frame.
    static func add(_ image: FrameImage, to frame: inout Frame) {
        frame.add(image, x: frame.width - image.width, y: frame.height - image.height)
    }

    /// The box of the label in a picture, in device pixels.
    static func box(of image: FrameImage, _ viewport: Viewport) -> PixelBox {
        let (right, bottom) = (Double(viewport.deviceWidth), Double(viewport.deviceHeight))
        return PixelBox(left: right - Double(image.width), top: bottom - Double(image.height), right: right, bottom: bottom)
    }
}
