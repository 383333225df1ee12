import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkScene

extension Placement {
    /// Places models, each group among the shapes: by the rank of its lowest model, and by insertion among equals.
    mutating func placeModels(_ store: ModelStore, _ order: DrawOrder, insertions: [UInt32], samples: Int) {
        modelStore = store
        store.sort(order, insertions: insertions)
        let (zooms, zoom) = (columns.zoomVisibilities, viewport.camera.zoom)
        let placed = ModelPlacer.place(store, order, insertions: insertions, viewport, samples: samples) {
            zooms[$0]?.contains(zoom) ?? true
        }
        models = placed.drawing
        guard !placed.groups.isEmpty else { return }
        var rest = shapes.entries[...]
        shapes.entries = []
        for (number, group) in placed.groups.enumerated() {
            while let entry = rest.first, (entry.rank, insertions[Int(entry.slot)]) < (group.rank, group.insertion) {
                shapes.entries.append(entry)
                rest.removeFirst()
            }
            shapes.entries += group.members.map { slot, copies in
                ShapeDrawing.Entry(slot: slot, paths: 0..<0, meshGroup: number, copies: copies, rank: group.rank)
            }
        }
        shapes.entries += rest
    }

    /// Hands over what is drawn of models. The images of the frame are there already; textures follow them.
    mutating func takeModels(into frame: inout Frame) {
        guard !models.seen.isEmpty else { return }
        let first = UInt32(frame.images.count)
        frame.images += models.textures.map { rasters[Int($0)] }
        if first > 0 {
            for index in models.instances.indices {
                if let texture = models.instances[index].texture { models.instances[index].texture = texture + first }
            }
        }
        swap(&frame.meshInstances, &models.instances)
        swap(&frame.meshes, &models.meshes)
        swap(&frame.lightings, &models.lightings)
    }

    /// By slot: of the copies of a model in the picture the one nearest the centre.
    var nearestModels: [Int32: ModelDrawing.Seen] {
        Dictionary(models.seen.map { ($0.slot, $0) }) { a, b in
            guard let place = modelStore?[a.slot]?.pose.place else { return a }
            func distance(_ copy: Int) -> Double { abs(place.x + Double(copy) - viewport.centerX) }
            return distance(b.copy) < distance(a.copy) ? b : a
        }
    }

    /// Why a model is not in the picture.
    private func reason(ofModel slot: Int32) -> Reason {
        guard let model = modelStore?[slot] else { return .outOfView }
        if let exclusion = Reason(rawValue: model.exclusion) { return exclusion }
        if columns.zoomVisibilities[slot]?.contains(viewport.camera.zoom) == false { return .outOfZoom }
        if case .behind = ModelPlacer.sight(of: model, copy: nearestCopy(model.pose.place), viewport) { return .behindCamera }
        return .outOfView
    }

    /// What is known of a model.
    /// - Parameter seen: The copy that is described, when one is in the picture.
    func entry(
        ofModel overlay: Model, name: String, seen: ModelDrawing.Seen?, drawn: (order: Int, copies: Int)?
    ) -> Inspection.OverlayEntry {
        var entry = Inspection.OverlayEntry(
            id: name, type: overlay.type, isVisible: drawn != nil,
            reason: drawn == nil ? reason(ofModel: overlay.slot) : nil, order: drawn?.order, copies: drawn?.copies ?? 0)
        let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
        guard isPlaced, let model = modelStore?[overlay.slot], let mesh = model.mesh else { return entry }
        let seen = seen ?? ModelPlacer.whole(model, mesh, copy: nearestCopy(model.pose.place), viewport)
        entry.triangles = mesh.triangleCount
        // A local model stands at its coordinates, a geo model at the middle of the ground beneath it.
        let center = ModelPlacer.whole(model, mesh, copy: seen.copy, viewport).origin
        let anchor = viewport.project(offsetX: center.x, offsetY: center.y, height: overlay is LocalModel ? center.z : 0)
        if anchor.depth > viewport.nearDepth, anchor.depth < viewport.farDepth { entry.anchor = point(anchor.x, anchor.y) }
        if let box = seen.box(viewport) {
            entry.quad = [point(box.left, box.top), point(box.right, box.top), point(box.right, box.bottom), point(box.left, box.bottom)]
        }
        return entry
    }

    /// On the grid of layout.
    private func point(_ x: Double, _ y: Double) -> Inspection.Point {
        .init(x: quantized(x * viewport.pixelRatio) / viewport.pixelRatio, y: quantized(y * viewport.pixelRatio) / viewport.pixelRatio)
    }
}

extension ModelDrawing.Seen {
    /// The triangles that are drawn.
    var mesh: TriangleMesh {
        switch content {
        case .whole(let mesh): mesh.mesh
        case .piece(let piece): piece.mesh
        }
    }

    /// The triangle of the scene's mesh that a triangle is of.
    func source(_ triangle: Int) -> Int {
        switch content {
        case .whole(let mesh): mesh.source(triangle)
        case .piece(let piece): Int(piece.sources[triangle])
        }
    }

    /// Where a corner is, in pt from the view's centre: east, south, up.
    @inline(__always)
    func place(_ position: SIMD3<Float>) -> SIMD3<Double> {
        origin + axisX * Double(position.x) + axisY * Double(position.y) + axisZ * Double(position.z)
    }

    /// What it covers of the screen, in pt, with what is nearer than the near limit cut off; nil when that is all.
    func box(_ viewport: Viewport) -> ScreenBox? {
        let camera = CameraAxes(viewport)
        let places = mesh.positions.map { camera.place(place($0)) }
        var box = ScreenBox.none
        var isCut = false
        for place in places {
            if place.z >= viewport.nearDepth { box.extend(to: camera.screen(place)) } else { isCut = true }
        }
        if isCut {
            for triangle in mesh.triangles {
                for index in 0..<3 {
                    camera.extend(&box, toEdge: places[Int(triangle[index])], places[Int(triangle[(index + 1) % 3])])
                }
            }
        }
        return box.left <= box.right ? box : nil
    }
}
