import WaymarkGeo
import WaymarkMeshes

/// What of a very large model is around the view's centre, for one whole zoom level: floats of the frame are right near their
/// origin alone.
struct ModelPiece: Sendable {
    /// The square in which it lies.
    struct Cell: Equatable, Sendable {
        /// Its middle, in steps from the model's origin, east and south.
        var x: Double
        var y: Double
        /// Steps, and half a side of the square, in the piece's pt.
        var step: Double
        var reach: Double
        /// The world in the piece's pt; 0 when the model's size is in pt whatever the zoom.
        var worldSize: Double

        /// Half a side of the smallest square in device pixels: so far floats are right within 1/64 px.
        private static let leastReach = 0x1p18

        init(_ pose: ModelPose, copy: Int, _ viewport: Viewport) {
            // A world at the whole zoom level; it is at most half of that of the zoom.
            var level = 512.0
            while level * 2 <= viewport.worldSize { level *= 2 }
            worldSize = pose.isAutoscaled ? 0 : level
            let factor = pose.isAutoscaled ? 1 : level / viewport.worldSize
            // The far limit's corners, from the centre of the map; in a power of two, so that sizes nearly alike share it.
            let farthest = ModelPlacer.reach(viewport)
            reach = Self.leastReach / viewport.pixelRatio
            while reach < 2 * farthest { reach *= 2 }
            step = reach / 2
            let offsetX = (viewport.centerX - Double(copy) - pose.place.x) * viewport.worldSize * factor
            let offsetY = (viewport.centerY - pose.place.y) * viewport.worldSize * factor
            x = (offsetX / step).rounded()
            y = (offsetY / step).rounded()
        }
    }

    let cell: Cell
    let piece: ModelMesh.Piece

    init(_ mesh: ModelMesh, _ pose: ModelPose, _ cell: Cell) {
        self.cell = cell
        let factor = cell.worldSize == 0 ? 1 : cell.worldSize
        let (x, y) = (cell.x * cell.step, cell.y * cell.step)
        piece = mesh.piece(
            name: mesh.origin == nil ? "piece of local mesh" : "piece of geo mesh", low: SIMD2(repeating: -cell.reach),
            high: SIMD2(repeating: cell.reach)
        ) { corner in
            let place = pose.step(corner) * factor
            return SIMD3(place.x - x, y - place.y, place.z)
        }
    }
}

/// The pieces of very large models from picture to picture, by slot and copy of the world.
struct ModelPieceCache {
    private struct Key: Hashable {
        var slot: Int32
        var copy: Int
    }

    private var pieces: [Key: ModelPiece] = [:]
    /// How many pieces were cut: what tests count.
    private(set) var cuts = 0

    /// The piece of a large model around the view's center: the known one, as long as neither the whole zoom level nor the cell in
    /// which the center is has changed.
    mutating func piece(of model: ModelTable.PosedModel, copy: Int, _ viewport: Viewport) -> ModelPiece? {
        guard let mesh = model.mesh else { return nil }
        let cell = ModelPiece.Cell(model.pose, copy: copy, viewport)
        let key = Key(slot: model.slot, copy: copy)
        if let known = pieces[key], known.cell == cell { return known }
        cuts += 1
        let piece = ModelPiece(mesh, model.pose, cell)
        pieces[key] = piece
        return piece
    }

    mutating func drop(slot: Int32) {
        guard !pieces.isEmpty else { return }
        for key in pieces.keys where key.slot == slot { pieces[key] = nil }
    }
}
