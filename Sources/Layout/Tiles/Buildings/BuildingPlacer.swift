import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Places the extruded buildings of a layer, as instances of the meshes of its tiles, in one group with a depth buffer. The cost does not
/// depend on the number of buildings.
struct BuildingPlacer {
    private let viewport: Viewport

    /// The lowest zoom of the camera at which buildings are extruded. At lower zooms, a view has too many, and they are too low.
    static let leastZoom = 15.0

    /// The height in meters up to which buildings outside of a picture's ground rise into the picture. Higher buildings do so only if
    /// their tile is shown anyway.
    private static let greatestReach = 400.0

    /// The minimum opacity of buildings that hide others.
    private static let leastAlpha = 0.5

    init(_ viewport: Viewport) { self.viewport = viewport }

    /// The height in pt of buildings outside of the visible ground that a view may show.
    static func reach(_ viewport: Viewport) -> Double {
        greatestReach * viewport.pointsPerMeter(atLatitude: viewport.camera.center.lat)
    }

    /// Adds the buildings of a layer to a frame.
    /// - Parameters:
    ///   - samples: The number of samples per pixel for edges.
    ///   - fades: Whether the buildings fade into the sky.
    /// - Returns: Nil if the view shows no building.
    func place(_ layer: ShownVectorLayer, samples: Int, fades: Bool, into frame: inout Frame) -> PlacedBuildings? {
        let shown = views(of: layer)
        guard !shown.isEmpty, let color = Self.color(layer) else { return nil }
        // The nearest blocks come first, because they hide others. Distances are quantized, so that the last bits have no effect.
        let order = shown.indices.sorted { (quantized(shown[$0].box.nearest), $0) < (quantized(shown[$1].box.nearest), $1) }
        let first = frame.meshInstances.count
        var instance = MeshInstance(mesh: 0, lighting: UInt32(frame.lightings.count), faces: .front)
        frame.lightings.append(.ofBuildings(layer.theme))
        instance.diffuse = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 1)
        instance.fades = fades
        var boxes: [BoxView] = []
        for index in order {
            let block = shown[index]
            instance.mesh = UInt32(frame.meshes.count)
            frame.meshes.append(block.block.mesh)
            let size = Float(block.size)
            (instance.axisX, instance.axisY, instance.axisZ) = ([size, 0, 0], [0, -size, 0], [0, 0, size])
            instance.origin = SIMD3<Float>(block.origin)
            frame.meshInstances.append(instance)
            boxes.append(block.box)
        }
        return PlacedBuildings(
            instances: first..<frame.meshInstances.count, boxes: boxes, alpha: Float(color.alpha), samples: samples, viewport)
    }

    /// The color of roofs.
    private static func color(_ layer: ShownVectorLayer) -> Color? {
        ThemeTable(layer.theme).colored(layer.layer.roleColors).area(.building).map { $0.roof ?? $0.color }
    }

    /// Whether the buildings of a layer hide models and labels behind them.
    static func hidesOthers(_ layer: ShownVectorLayer) -> Bool {
        !layer.buildings.isEmpty && (color(layer)?.alpha ?? 0) * layer.layer.opacity >= leastAlpha
    }

    /// The blocks of a layer in the view.
    func views(of layer: ShownVectorLayer) -> [BuildingView] {
        zip(layer.tiles, layer.buildings).flatMap { tile, mesh in (mesh?.blocks ?? []).compactMap { view(of: $0, tile) } }
    }

    private func view(of block: BuildingMesh.Block, _ tile: ShownTile) -> BuildingView? {
        let size = tile.end.x - tile.origin.x
        let place = tile.origin + (tile.end - tile.origin) * block.origin
        let origin = SIMD3(place.x, place.y, 0)
        let (middle, half) = ((block.low + block.high) * (size / 2), (block.high - block.low) * (size / 2))
        let visibility = ViewFrustum(viewport).visibility(
            origin + SIMD3(middle.x, -middle.y, middle.z), ([half.x, 0, 0], [0, half.y, 0], [0, 0, half.z]))
        guard case .seen(let box) = visibility else { return nil }
        return BuildingView(block: block, origin: origin, size: size, box: box)
    }
}

/// A block of extruded buildings in a view.
struct BuildingView {
    var block: BuildingMesh.Block
    /// The origin of the block's mesh in pt from the view's center: east, south, up.
    var origin: SIMD3<Double>
    /// The width of the block's tile in pt.
    var size: Double
    var box: BoxView
}

/// The extruded buildings of a layer in a frame.
struct PlacedBuildings {
    /// The instances, one for each block.
    let instances: Range<Int>
    /// The pixels and the depths of each block.
    private let blocks: [(bounds: PixelRect, depths: ClosedRange<Double>)]
    private let group: Group

    fileprivate init(instances: Range<Int>, boxes: [BoxView], alpha: Float, samples: Int, _ viewport: Viewport) {
        self.instances = instances
        blocks = boxes.map { (viewport.pixels($0.box), viewport.depths($0.nearest, $0.farthest)) }
        let whole = boxes.reduce(into: ScreenBox.none) { $0.extend(to: $1.box) }
        let (nearest, farthest) = boxes.reduce((Double.infinity, 0.0)) { (min($0.0, $1.nearest), max($0.1, $1.farthest)) }
        group = Group(alpha: alpha, bounds: viewport.pixels(whole), samples: samples, depths: viewport.depths(nearest, farthest))
    }

    /// The commands that draw the buildings.
    var commands: [Command] { [.beginGroup(group), .meshes(instances, .opaque), .endGroup] }

    /// Makes the buildings hide the models of a frame that has no other meshes yet. Each group of models begins with the depths of the
    /// buildings that may be in front of it.
    func hideModels(in frame: inout Frame) {
        var commands: [Command] = []
        commands.reserveCapacity(frame.commands.count)
        for command in frame.commands {
            guard case .beginGroup(var models) = command, let depths = models.depths else {
                commands.append(command)
                continue
            }
            var runs: [Range<Int>] = []
            var nearest = depths.lowerBound
            for (block, instance) in zip(blocks, instances) {
                let common = block.bounds.intersection(models.bounds)
                guard block.depths.lowerBound < depths.upperBound, common.width > 0, common.height > 0 else { continue }
                nearest = min(nearest, block.depths.lowerBound)
                if let last = runs.last, last.upperBound == instance {
                    runs[runs.count - 1] = last.lowerBound..<instance + 1
                } else {
                    runs.append(instance..<instance + 1)
                }
            }
            models.depths = nearest...depths.upperBound
            commands.append(.beginGroup(models))
            commands += runs.map { .meshes($0, .occluding) }
        }
        frame.commands = commands
    }
}
