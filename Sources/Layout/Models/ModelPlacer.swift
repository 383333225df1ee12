import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkScene
import WaymarkImaging

/// Places models for a camera, as mesh instances in groups that share a depth buffer. The cost does not depend on the number of vertices.
struct ModelPlacer {
    private let table: ModelTable
    private let viewport: Viewport
    private let samples: Int
    private let visibleRadius: Double
    /// The visible models, in drawing order.
    private(set) var views: [ModelView] = []
    /// The range of views of each item.
    private(set) var groups: [Range<Int>] = []
    /// The indices in the frame, by the key of the mesh and by the id of the lighting.
    private var meshIndices: [UInt64: UInt32] = [:]
    private var lightingIndices: [Int32: UInt32] = [:]

    /// One surface of a model.
    private struct SurfacePart {
        var instance: MeshInstance
        var isTranslucent: Bool
        /// The quantized depth of the model's center in device pixels.
        var depth: Double
        /// The quantized height of a level model, in device pixels; nil for other models.
        var level: Double?
    }

    /// The maximum extent in device pixels of a model that is not clipped. At half that distance from its center, floats are accurate to
    /// 1/64 px.
    static let longestExtent = 0x1p19

    /// The maximum distance in pt on the map from the view's center to anything visible, at any height.
    static func visibleRadius(_ viewport: Viewport) -> Double {
        let distance = viewport.cameraDistance
        let x = max(abs(viewport.opticalX), abs(viewport.size.width - viewport.opticalX)) / distance
        let y = max(abs(viewport.opticalY), abs(viewport.size.height - viewport.opticalY)) / distance
        return distance + viewport.farDepth * (1 + x * x + y * y).squareRoot()
    }

    init(_ table: ModelTable, _ viewport: Viewport, samples: Int) {
        self.table = table
        self.viewport = viewport
        self.samples = samples
        visibleRadius = Self.visibleRadius(viewport)
    }

    /// Places the visible models; returns one item per group.
    mutating func place(_ pieces: ModelPieceCache, _ pass: inout PlacingPass) -> [DrawItem] {
        var items: [DrawItem] = []
        for range in table.groups {
            if let item = placeGroup(range, pieces, &pass) { items.append(item) }
        }
        return items
    }

    /// The visible models with their boxes, in drawing order, without adding them to a frame.
    func visible(_ pieces: ModelPieceCache, _ pass: PlacingPass) -> [(view: ModelView, box: BoxView)] {
        var seen: [(view: ModelView, box: BoxView)] = []
        for model in table.models where model.exclusion == nil && pass.isShown(model.slot) {
            for copy in copies(of: model) {
                if let (view, box) = view(of: model, copy: copy, pieces) { seen.append((view, box)) }
            }
        }
        return seen
    }

    private mutating func placeGroup(_ range: Range<Int>, _ pieces: ModelPieceCache, _ pass: inout PlacingPass) -> DrawItem? {
        let firstView = views.count
        var parts: [SurfacePart] = []
        var (box, nearest, farthest) = (ScreenBox.none, Double.infinity, -Double.infinity)
        var steps = DepthBiasSteps(width: viewport.size.width, height: viewport.size.height)
        for index in range where table.models[index].exclusion == nil && pass.isShown(table.models[index].slot) {
            let model = table.models[index]
            for copy in self.copies(of: model) {
                guard let (view, boxView) = view(of: model, copy: copy, pieces) else { continue }
                let step = model.isLevel ? steps.add(boxView.box, at: quantized(view.origin.z * viewport.pixelRatio)) : 0
                box.extend(to: boxView.box)
                nearest = min(nearest, boxView.nearest)
                farthest = max(farthest, boxView.farthest)
                append(model, view, boxView, depthBiasStep: step, to: &parts, &pass)
                views.append(view)
            }
        }
        guard views.count > firstView else { return nil }
        groups.append(firstView..<views.count)
        let start = pass.frame.beginItem()
        let depths = viewport.depths(nearest, farthest)
        let commands = draw(parts, &pass.frame.frame)
        if !commands.isEmpty {
            pass.frame.append(.beginGroup(Group(bounds: viewport.pixels(box), samples: samples, depths: depths)))
            for command in commands { pass.frame.append(command) }
            pass.frame.append(.endGroup)
        }
        // The group has one position in the order, because only the depth at each pixel decides which model is above.
        return DrawItem(
            rank: pass.order.rank(views[firstView].slot), sequence: 1, count: 1, commands: pass.frame.endItem(from: start))
    }
}

extension ModelPlacer {
    /// The copies of the world on which a model may be visible, at most three on each side.
    private func copies(of model: ModelTable.PosedModel) -> Range<Int> {
        let world = viewport.worldSize
        let factor = model.pose.isAutoscaled ? 1 : world
        let offset = (model.pose.place.x - viewport.centerX) * world + model.middle.x * factor
        let far = visibleRadius + model.radius * factor
        let first = max(-3, ((-far - offset) / world).rounded(.up))
        let last = min(3, ((far - offset) / world).rounded(.down))
        return first <= last ? Int(first)..<Int(last) + 1 : 0..<0
    }

    /// The origin of a model in pt from the view's center: east, south, up.
    private static func origin(of pose: ModelPose, copy: Int, _ viewport: Viewport) -> SIMD3<Double> {
        SIMD3(pose.place.x - viewport.centerX + Double(copy), pose.place.y - viewport.centerY, pose.height) * viewport.worldSize
    }

    /// The visibility of a model's bounding box.
    static func visibility(of model: ModelTable.PosedModel, copy: Int, _ viewport: Viewport) -> ViewFrustum.Visibility {
        let factor = model.pose.isAutoscaled ? 1 : viewport.worldSize
        return ViewFrustum(viewport).visibility(
            origin(of: model.pose, copy: copy, viewport) + model.middle * factor,
            (model.halfX * factor, model.halfY * factor, model.halfZ * factor))
    }

    /// The view of a complete model on a copy of the world.
    static func whole(_ model: ModelTable.PosedModel, _ mesh: ModelMesh, copy: Int, _ viewport: Viewport) -> ModelView {
        let factor = model.pose.isAutoscaled ? 1 : viewport.worldSize
        return ModelView(
            slot: model.slot, copy: copy, origin: origin(of: model.pose, copy: copy, viewport), axisX: model.pose.axisX * factor,
            axisY: model.pose.axisY * factor, axisZ: model.pose.axisZ * factor, drawn: mesh.whole)
    }

    private func view(of model: ModelTable.PosedModel, copy: Int, _ pieces: ModelPieceCache) -> (ModelView, BoxView)? {
        guard let mesh = model.mesh, case .seen(let boxView) = Self.visibility(of: model, copy: copy, viewport) else { return nil }
        let whole = Self.whole(model, mesh, copy: copy, viewport)
        let scale = model.pose.scale * (model.pose.isAutoscaled ? 1 : viewport.worldSize)
        guard mesh.whole.bounds.extent * scale * viewport.pixelRatio > Self.longestExtent else { return (whole, boxView) }
        return viewOfPiece(model, copy: copy, whole, pieces)
    }

    /// The view of a very large model's piece around the view's center.
    private func viewOfPiece(
        _ model: ModelTable.PosedModel, copy: Int, _ whole: ModelView, _ pieces: ModelPieceCache
    ) -> (ModelView, BoxView)? {
        guard let piece = pieces.piece(of: model, copy: copy, viewport), !piece.piece.mesh.triangles.isEmpty else { return nil }
        let cell = piece.cell
        let scale = cell.worldSize == 0 ? 1 : viewport.worldSize / cell.worldSize
        var seen = whole
        seen.origin += SIMD3(cell.x, cell.y, 0) * (cell.step * scale)
        (seen.axisX, seen.axisY, seen.axisZ) = ([scale, 0, 0], [0, -scale, 0], [0, 0, scale])
        seen.drawn = piece.piece
        let (middle, half) = (piece.piece.bounds.center * scale, piece.piece.bounds.size * (scale / 2))
        let visibility = ViewFrustum(viewport).visibility(
            seen.origin + SIMD3(middle.x, -middle.y, middle.z), ([half.x, 0, 0], [0, half.y, 0], [0, 0, half.z]))
        guard case .seen(let boxView) = visibility else { return nil }
        return (seen, boxView)
    }
}

extension ModelPlacer {
    /// Adds the visible surfaces of a model.
    private mutating func append(
        _ model: ModelTable.PosedModel, _ seen: ModelView, _ boxView: BoxView, depthBiasStep: UInt16,
        to parts: inout [SurfacePart], _ pass: inout PlacingPass
    ) {
        var instance = MeshInstance(mesh: 0, alpha: model.alpha, depthBiasStep: depthBiasStep)
        (instance.axisX, instance.axisY, instance.axisZ) = (SIMD3<Float>(seen.axisX), SIMD3<Float>(seen.axisY), SIMD3<Float>(seen.axisZ))
        instance.origin = origin(seen, instance)
        let depth = quantized(boxView.depth * viewport.pixelRatio)
        let level = model.isLevel ? quantized(seen.origin.z * viewport.pixelRatio) : nil
        var hasTranslucent = false
        for (number, mesh) in seen.drawn.surfaces.enumerated() {
            guard let mesh, number < model.surfaces.count else { continue }
            let surface = model.surfaces[number]
            // A fully transparent surface is not drawn.
            guard model.alpha * surface.diffuse.w > 0 else { continue }
            instance.texture = surface.texture < 0 ? nil : pass.frame.index(of: pass.rasters[Int(surface.texture)])
            (instance.sampler, instance.alphaCutoff) = (surface.sampler, surface.alphaCutoff)
            instance.diffuse = surface.diffuse
            instance.lighting = surface.isLit && model.lighting >= 0 ? index(ofLighting: model.lighting, &pass.frame.frame) : nil
            let isTranslucent = model.alpha < 1 || surface.isTranslucent
            func add(_ mesh: FrameMesh, _ faces: VisibleFaces) {
                (instance.mesh, instance.faces) = (index(of: mesh, &pass.frame.frame), faces)
                instance.isJoined = isTranslucent && hasTranslucent
                hasTranslucent = hasTranslucent || isTranslucent
                parts.append(SurfacePart(instance: instance, isTranslucent: isTranslucent, depth: depth, level: level))
            }
            if surface.isDoubleSided {
                add(mesh.mesh, .all)
            } else {
                for side in mesh.fronts { add(side.mesh, side.faces) }
            }
        }
    }

    /// The position of a mesh's center as floats, shifted to compensate for the rounding of the axes at the mesh's point nearest the view's
    /// center.
    private func origin(_ seen: ModelView, _ instance: MeshInstance) -> SIMD3<Float> {
        let (center, half) = (seen.drawn.center, seen.drawn.half)
        let origin = seen.origin + seen.axisX * center.x + seen.axisY * center.y + seen.axisZ * center.z
        let square = (seen.axisX * seen.axisX).sum()
        var place = SIMD3((seen.axisX * origin).sum(), (seen.axisY * origin).sum(), (seen.axisZ * origin).sum()) / -square
        place.clamp(lowerBound: -half, upperBound: half)
        let offX = SIMD3<Double>(instance.axisX) - seen.axisX
        let offY = SIMD3<Double>(instance.axisY) - seen.axisY
        let offZ = SIMD3<Double>(instance.axisZ) - seen.axisZ
        return SIMD3<Float>(origin - offX * place.x - offY * place.y - offZ * place.z)
    }

    private mutating func index(of mesh: FrameMesh, _ frame: inout Frame) -> UInt32 {
        if let known = meshIndices[mesh.key] { return known }
        let index = UInt32(frame.meshes.count)
        frame.meshes.append(mesh)
        meshIndices[mesh.key] = index
        return index
    }

    private mutating func index(ofLighting lighting: Int32, _ frame: inout Frame) -> UInt32 {
        if let known = lightingIndices[lighting] { return known }
        let index = UInt32(frame.lightings.count)
        frame.lightings.append(table.lightings[Int(lighting)])
        lightingIndices[lighting] = index
        return index
    }

    /// Adds the instances to the frame: first the opaque ones, batched by state, then the translucent ones from far to near.
    private func draw(_ parts: [SurfacePart], _ frame: inout Frame) -> [Command] {
        /// The state shared by instances that are drawn together.
        struct Batch: Hashable {
            var mesh: UInt32
            var texture: UInt32?
            var sampler: TextureSampler
            var alphaCutoff: Float?
            var lighting: UInt32?
            var faces: VisibleFaces
        }
        var numbers: [Batch: Int] = [:]
        var batches: [[MeshInstance]] = []
        var last: (batch: Batch, number: Int)?
        for part in parts where !part.isTranslucent {
            let instance = part.instance
            let batch = Batch(
                mesh: instance.mesh, texture: instance.texture, sampler: instance.sampler, alphaCutoff: instance.alphaCutoff,
                lighting: instance.lighting, faces: instance.faces)
            if last?.batch != batch {
                let number = numbers[batch] ?? batches.count
                if number == batches.count {
                    numbers[batch] = number
                    batches.append([])
                }
                last = (batch, number)
            }
            if let last { batches[last.number].append(instance) }
        }
        var commands: [Command] = []
        let first = frame.meshInstances.count
        for batch in batches { frame.meshInstances += batch }
        let middle = frame.meshInstances.count
        if middle > first { commands.append(.meshes(first..<middle, .opaque)) }
        var translucent = parts.filter(\.isTranslucent)
        // Level surfaces at the same height keep their order, because all get the depth of the farthest surface.
        var farthest: [Double: Double] = [:]
        for case let (level?, depth) in translucent.map({ ($0.level, $0.depth) }) { farthest[level] = max(farthest[level] ?? depth, depth) }
        for index in translucent.indices {
            if let level = translucent[index].level { translucent[index].depth = farthest[level] ?? translucent[index].depth }
        }
        let sorted = translucent.enumerated()
            .sorted { ($1.element.depth, $0.offset) < ($0.element.depth, $1.offset) }
        frame.meshInstances += sorted.map(\.element.instance)
        if frame.meshInstances.count > middle { commands.append(.meshes(middle..<frame.meshInstances.count, .translucent)) }
        return commands
    }
}
