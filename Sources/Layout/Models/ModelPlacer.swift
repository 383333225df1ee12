import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkScene
import WaymarkImaging

/// Puts models in front of a camera, as instances of meshes in groups that share a depth buffer. Nothing here walks over vertices.
struct ModelPlacer {
    private let store: ModelStore
    private let viewport: Viewport
    private let samples: Int
    private let reach: Double
    private var drawing = ModelDrawing()
    /// Where each group comes in the drawing order, and how many copies of each of its models are seen.
    private var placed: [PlacedGroup] = []
    /// By what each is in the frame.
    private var meshIndices: [UInt64: UInt32] = [:]
    private var textureIndices: [Int32: UInt32] = [:]
    private var lightingIndices: [Int32: UInt32] = [:]

    /// A group in the drawing order.
    struct PlacedGroup {
        var rank: Int32
        var insertion: UInt32
        /// From bottom to top.
        var members: [(slot: Int32, copies: Int)] = []
    }

    /// A part of a model that is drawn at once.
    private struct Part {
        var instance: MeshInstance
        var isTranslucent: Bool
        /// On the grid of layout.
        var depth: Double
        /// The height of what is level, on that grid.
        var level: Double?
    }

    /// Device pixels that a model may be long without being cut: floats of half of that are within 1/64 px.
    static let longestExtent = 0x1p19

    /// - Parameter isShown: Whether a slot is shown at the camera's zoom.
    static func place(
        _ store: ModelStore, _ order: DrawOrder, insertions: [UInt32], _ viewport: Viewport, samples: Int, isShown: (Int32) -> Bool
    ) -> (drawing: ModelDrawing, groups: [PlacedGroup]) {
        var placer = ModelPlacer(store, viewport, samples: samples)
        placer.placeAll(order, insertions, isShown)
        return (placer.drawing, placer.placed)
    }

    /// pt on the map from the view's centre to the farthest that may be seen, at any height.
    static func reach(_ viewport: Viewport) -> Double {
        let distance = viewport.cameraDistance
        let x = max(abs(viewport.opticalX), abs(viewport.size.width - viewport.opticalX)) / distance
        let y = max(abs(viewport.opticalY), abs(viewport.size.height - viewport.opticalY)) / distance
        return distance + viewport.farDepth * (1 + x * x + y * y).squareRoot()
    }

    private init(_ store: ModelStore, _ viewport: Viewport, samples: Int) {
        self.store = store
        self.viewport = viewport
        self.samples = samples
        reach = Self.reach(viewport)
    }

    private mutating func placeAll(_ order: DrawOrder, _ insertions: [UInt32], _ isShown: (Int32) -> Bool) {
        for range in store.groups { placeGroup(range, order, insertions, isShown) }
    }

    private mutating func placeGroup(_ range: Range<Int>, _ order: DrawOrder, _ insertions: [UInt32], _ isShown: (Int32) -> Bool) {
        var group: PlacedGroup?
        var parts: [Part] = []
        var (box, nearest, farthest) = (ScreenBox.none, Double.infinity, -Double.infinity)
        var tiers = LevelTiers(width: viewport.size.width, height: viewport.size.height)
        for index in range where store.models[index].exclusion == 0 && isShown(store.models[index].slot) {
            let model = store.models[index]
            // Its place is that of its lowest, seen or not: it does not change while the camera moves.
            if group == nil { group = PlacedGroup(rank: order.rank(model.slot), insertion: insertions[Int(model.slot)]) }
            var copies = 0
            for copy in self.copies(of: model) {
                guard let (seen, sight) = see(model, copy: copy) else { continue }
                let tier = model.isLevel ? tiers.add(sight.box, at: quantized(seen.origin.z * viewport.pixelRatio)) : 0
                copies += 1
                box.extend(to: sight.box)
                nearest = min(nearest, sight.nearest)
                farthest = max(farthest, sight.farthest)
                append(model, seen, sight, tier: tier, to: &parts)
                drawing.seen.append(seen)
            }
            if copies > 0 { group?.members.append((model.slot, copies)) }
        }
        guard let group, let first = group.members.first else { return }
        placed.append(group)
        let depths = depths(nearest, farthest)
        let commands = draw(parts)
        drawing.groups.append(
            ModelDrawing.MeshGroup(
                first: first.slot,
                commands: commands.isEmpty
                    ? [] : [.beginGroup(Group(bounds: bounds(box), samples: samples, depths: depths))] + commands + [.endGroup]))
    }

    /// A little more than what is in view, so that rounding cuts nothing off.
    private func depths(_ nearest: Double, _ farthest: Double) -> ClosedRange<Double> {
        let near = max(viewport.nearDepth, nearest * 0.999)
        return near...max(near * 1.001, min(viewport.farDepth, farthest * 1.001))
    }

    /// The pixels that a box on the screen touches, and one more on each side.
    private func bounds(_ box: ScreenBox) -> PixelRect {
        let ratio = viewport.pixelRatio
        func pixel(_ place: Double, _ size: Int) -> Int { Int(min(max(place, 0), Double(size))) }
        let left = pixel((box.left * ratio).rounded(.down) - 1, viewport.deviceWidth)
        let top = pixel((box.top * ratio).rounded(.down) - 1, viewport.deviceHeight)
        return PixelRect(
            x: left, y: top, width: pixel((box.right * ratio).rounded(.up) + 1, viewport.deviceWidth) - left,
            height: pixel((box.bottom * ratio).rounded(.up) + 1, viewport.deviceHeight) - top)
    }
}

extension ModelPlacer {
    /// Copies of the world on which a model may be seen, at most three to each side.
    private func copies(of model: ModelStore.Model) -> Range<Int> {
        let world = viewport.worldSize
        let factor = model.pose.isAutoscaled ? 1 : world
        let offset = (model.pose.place.x - viewport.centerX) * world + model.middle.x * factor
        let far = reach + model.radius * factor
        let first = max(-3, ((-far - offset) / world).rounded(.up))
        let last = min(3, ((far - offset) / world).rounded(.down))
        return first <= last ? Int(first)..<Int(last) + 1 : 0..<0
    }

    /// Where the origin of a model is, in pt from the view's centre.
    private static func origin(of pose: ModelPose, copy: Int, _ viewport: Viewport) -> SIMD3<Double> {
        SIMD3(pose.place.x - viewport.centerX + Double(copy), pose.place.y - viewport.centerY, pose.height) * viewport.worldSize
    }

    /// How the bounds of a model are seen.
    static func sight(of model: ModelStore.Model, copy: Int, _ viewport: Viewport) -> ModelSight.Answer {
        let factor = model.pose.isAutoscaled ? 1 : viewport.worldSize
        return ModelSight.look(
            origin(of: model.pose, copy: copy, viewport) + model.middle * factor,
            (model.halfX * factor, model.halfY * factor, model.halfZ * factor), viewport)
    }

    /// A model as a whole on a copy of the world.
    static func whole(_ model: ModelStore.Model, _ mesh: ModelMesh, copy: Int, _ viewport: Viewport) -> ModelDrawing.Seen {
        let factor = model.pose.isAutoscaled ? 1 : viewport.worldSize
        return ModelDrawing.Seen(
            slot: model.slot, copy: copy, origin: origin(of: model.pose, copy: copy, viewport), axisX: model.pose.axisX * factor,
            axisY: model.pose.axisY * factor, axisZ: model.pose.axisZ * factor, content: .whole(mesh))
    }

    private func see(_ model: ModelStore.Model, copy: Int) -> (ModelDrawing.Seen, ModelSight)? {
        guard let mesh = model.mesh, case .seen(let sight) = Self.sight(of: model, copy: copy, viewport) else { return nil }
        let whole = Self.whole(model, mesh, copy: copy, viewport)
        let scale = model.pose.scale * (model.pose.isAutoscaled ? 1 : viewport.worldSize)
        guard mesh.bounds.extent * scale * viewport.pixelRatio > Self.longestExtent else { return (whole, sight) }
        return seePiece(of: model, copy: copy, whole)
    }

    /// The piece of a model that is around the view's centre.
    private func seePiece(of model: ModelStore.Model, copy: Int, _ whole: ModelDrawing.Seen) -> (ModelDrawing.Seen, ModelSight)? {
        guard let piece = store.piece(of: model, copy: copy, viewport), !piece.piece.mesh.triangles.isEmpty else { return nil }
        let cell = piece.cell
        let scale = cell.worldSize == 0 ? 1 : viewport.worldSize / cell.worldSize
        var seen = whole
        seen.origin += SIMD3(cell.x, cell.y, 0) * (cell.step * scale)
        (seen.axisX, seen.axisY, seen.axisZ) = ([scale, 0, 0], [0, -scale, 0], [0, 0, scale])
        seen.content = .piece(piece.piece)
        let (middle, half) = (piece.piece.bounds.center * scale, piece.piece.bounds.size * (scale / 2))
        let answer = ModelSight.look(
            seen.origin + SIMD3(middle.x, -middle.y, middle.z), ([half.x, 0, 0], [0, half.y, 0], [0, 0, half.z]), viewport)
        guard case .seen(let sight) = answer else { return nil }
        return (seen, sight)
    }
}

extension ModelPlacer {
    /// Adds the surfaces of a model.
    private mutating func append(
        _ model: ModelStore.Model, _ seen: ModelDrawing.Seen, _ sight: ModelSight, tier: UInt16, to parts: inout [Part]
    ) {
        let (surfaces, faces, center): ([FrameMesh?], VisibleFaces, SIMD3<Double>)
        switch seen.content {
        case .whole(let mesh):
            surfaces = mesh.surfaces
            faces = self.faces(of: mesh, model, sight)
            center = mesh.bounds.center
        case .piece(let piece):
            surfaces = piece.surfaces
            faces = .all
            center = .zero
        }
        var instance = MeshInstance(mesh: 0, alpha: model.alpha, faces: faces, tier: tier)
        (instance.axisX, instance.axisY, instance.axisZ) = (SIMD3<Float>(seen.axisX), SIMD3<Float>(seen.axisY), SIMD3<Float>(seen.axisZ))
        instance.origin = origin(seen, center, instance)
        if model.lighting >= 0 { instance.lighting = index(ofLighting: model.lighting) }
        let depth = quantized(sight.depth * viewport.pixelRatio)
        let level = model.isLevel ? quantized(seen.origin.z * viewport.pixelRatio) : nil
        var hasTranslucent = false
        for (number, surface) in surfaces.enumerated() {
            guard let surface, number < model.surfaces.count else { continue }
            let look = model.surfaces[number]
            // Nothing of it shows.
            guard model.alpha * look.diffuse.w > 0 else { continue }
            instance.mesh = index(of: surface)
            instance.texture = look.texture < 0 ? nil : index(ofTexture: look.texture)
            instance.diffuse = look.diffuse
            let isTranslucent = model.alpha < 1 || look.isTranslucent
            instance.isJoined = isTranslucent && hasTranslucent
            hasTranslucent = hasTranslucent || isTranslucent
            parts.append(Part(instance: instance, isTranslucent: isTranslucent, depth: depth, level: level))
        }
    }

    /// Which faces hide the others. Near the camera one looks into a mesh, through holes in its texture too, and through a
    /// translucent surface on the back of another.
    private func faces(of mesh: ModelMesh, _ model: ModelStore.Model, _ sight: ModelSight) -> VisibleFaces {
        let factor = model.pose.isAutoscaled ? 1 : viewport.worldSize
        guard sight.depth - model.radius * factor > viewport.nearDepth, model.surfaces.count == 1 || !model.isTranslucent,
            !model.surfaces.contains(where: \.hasHoles)
        else { return .all }
        switch mesh.closedness {
        case .open: return .all
        case .outward: return .front
        case .inward: return .back
        }
    }

    /// Where the middle of a mesh goes, as floats: as far off as makes the rounded axes right where the view's centre is, or next to
    /// it.
    private func origin(_ seen: ModelDrawing.Seen, _ center: SIMD3<Double>, _ instance: MeshInstance) -> SIMD3<Float> {
        let origin = seen.origin + seen.axisX * center.x + seen.axisY * center.y + seen.axisZ * center.z
        let square = (seen.axisX * seen.axisX).sum()
        var place = SIMD3((seen.axisX * origin).sum(), (seen.axisY * origin).sum(), (seen.axisZ * origin).sum()) / -square
        let half: SIMD3<Double>
        switch seen.content {
        case .whole(let mesh): half = mesh.bounds.size / 2
        case .piece(let piece): half = SIMD3(repeating: max(piece.bounds.high.max(), -piece.bounds.low.min()))
        }
        place.clamp(lowerBound: -half, upperBound: half)
        let offX = SIMD3<Double>(instance.axisX) - seen.axisX
        let offY = SIMD3<Double>(instance.axisY) - seen.axisY
        let offZ = SIMD3<Double>(instance.axisZ) - seen.axisZ
        return SIMD3<Float>(origin - offX * place.x - offY * place.y - offZ * place.z)
    }

    private mutating func index(of mesh: FrameMesh) -> UInt32 {
        if let known = meshIndices[mesh.key] { return known }
        let index = UInt32(drawing.meshes.count)
        drawing.meshes.append(mesh)
        meshIndices[mesh.key] = index
        return index
    }

    private mutating func index(ofTexture raster: Int32) -> UInt32 {
        if let known = textureIndices[raster] { return known }
        let index = UInt32(drawing.textures.count)
        drawing.textures.append(raster)
        textureIndices[raster] = index
        return index
    }

    private mutating func index(ofLighting lighting: Int32) -> UInt32 {
        if let known = lightingIndices[lighting] { return known }
        let index = UInt32(drawing.lightings.count)
        drawing.lightings.append(store.lightings[Int(lighting)])
        lightingIndices[lighting] = index
        return index
    }

    /// Opaque ones first, those that are drawn alike together; then translucent ones, farther ones first.
    private mutating func draw(_ parts: [Part]) -> [Command] {
        struct Kind: Hashable {
            var mesh: UInt32
            var texture: UInt32?
            var lighting: UInt32?
            var faces: VisibleFaces
        }
        var numbers: [Kind: Int] = [:]
        var kinds: [[MeshInstance]] = []
        var last: (kind: Kind, number: Int)?
        for part in parts where !part.isTranslucent {
            let instance = part.instance
            let kind = Kind(mesh: instance.mesh, texture: instance.texture, lighting: instance.lighting, faces: instance.faces)
            if last?.kind != kind {
                let number = numbers[kind] ?? kinds.count
                if number == kinds.count {
                    numbers[kind] = number
                    kinds.append([])
                }
                last = (kind, number)
            }
            if let last { kinds[last.number].append(instance) }
        }
        var commands: [Command] = []
        let first = drawing.instances.count
        for kind in kinds { drawing.instances += kind }
        let middle = drawing.instances.count
        if middle > first { commands.append(.meshes(first..<middle, .opaque)) }
        var translucent = parts.filter(\.isTranslucent)
        // What is level at one height keeps its order, whatever is farther.
        var farthest: [Double: Double] = [:]
        for case let (level?, depth) in translucent.map({ ($0.level, $0.depth) }) { farthest[level] = max(farthest[level] ?? depth, depth) }
        for index in translucent.indices {
            if let level = translucent[index].level { translucent[index].depth = farthest[level] ?? translucent[index].depth }
        }
        let sorted = translucent.enumerated()
            .sorted { ($1.element.depth, $0.offset) < ($0.element.depth, $1.offset) }
        drawing.instances += sorted.map(\.element.instance)
        if drawing.instances.count > middle { commands.append(.meshes(middle..<drawing.instances.count, .translucent)) }
        return commands
    }
}
