import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkMeshes

/// The part of a very large model around the view's center, for one integer zoom level. It exists because the frame's floats are accurate
/// only near their origin.
struct ModelPiece: Sendable {
    /// The square to which the model is clipped.
    struct Cell: Equatable, Sendable {
        /// The square's center in steps from the model's origin, east and south.
        var x: Double
        var y: Double
        /// The length of a step, and half the side of the square, in the piece's pt.
        var step: Double
        var halfSide: Double
        /// The size of the world in the piece's pt; 0 for an autoscaled model, whose size in pt does not depend on the zoom.
        var worldSize: Double

        /// Half the side of the smallest square in device pixels. Up to this distance, floats are accurate to 1/64 px.
        private static let leastHalfSide = 0x1p18

        init(_ pose: ModelPose, copy: Int, _ viewport: Viewport) {
            // The size of the world at the integer zoom level at or below the zoom.
            var level = 512.0
            while level * 2 <= viewport.worldSize { level *= 2 }
            worldSize = pose.isAutoscaled ? 0 : level
            let factor = pose.isAutoscaled ? 1 : level / viewport.worldSize
            // Half the side is at least twice the distance from the view's center to the corners of the far limit. It is a power of two
            // times the minimum, so that similar views share it.
            let farthest = ModelPlacer.visibleRadius(viewport)
            halfSide = Self.leastHalfSide / viewport.pixelRatio
            while halfSide < 2 * farthest { halfSide *= 2 }
            step = halfSide / 2
            let offsetX = (viewport.centerX - Double(copy) - pose.place.x) * viewport.worldSize * factor
            let offsetY = (viewport.centerY - pose.place.y) * viewport.worldSize * factor
            x = (offsetX / step).rounded()
            y = (offsetY / step).rounded()
        }
    }

    let cell: Cell
    let piece: DrawnMesh

    init(_ mesh: ModelMesh, _ pose: ModelPose, _ cell: Cell) {
        self.cell = cell
        let factor = cell.worldSize == 0 ? 1 : cell.worldSize
        let (x, y) = (cell.x * cell.step, cell.y * cell.step)
        piece = mesh.piece(
            name: mesh.origin == nil ? "piece of local mesh" : "piece of geo mesh", low: SIMD2(repeating: -cell.halfSide),
            high: SIMD2(repeating: cell.halfSide)
        ) { corner in
            let place = pose.step(corner) * factor
            return SIMD3(place.x - x, y - place.y, place.z)
        }
    }
}

/// A cache of the pieces of very large models, by slot and copy of the world.
final class ModelPieceCache: BudgetedCache {
    private struct PieceKey: Hashable {
        var slot: Int32
        var copy: Int
    }

    private var pieces = LRUCache<PieceKey, ModelPiece>()
    /// The number of pieces that were clipped, for tests.
    private(set) var cuts = 0

    var keptBytes: Int { pieces.byteCount }
    var oldestUse: UInt64? { pieces.oldestUse }
    func evict(through picture: UInt64, bytes: Int) { pieces.evict(through: picture, bytes: bytes) }

    /// The piece of a large model around the view's center. It is clipped again only when the integer zoom level changes, or the cell that
    /// contains the center.
    func piece(of model: ModelTable.PosedModel, copy: Int, _ viewport: Viewport) -> ModelPiece? {
        guard let mesh = model.mesh else { return nil }
        let cell = ModelPiece.Cell(model.pose, copy: copy, viewport)
        let key = PieceKey(slot: model.slot, copy: copy)
        if let known = pieces.value(for: key), known.cell == cell { return known }
        cuts += 1
        let piece = ModelPiece(mesh, model.pose, cell)
        pieces.insert(piece, for: key, byteCount: piece.piece.byteCount)
        return piece
    }

    func drop(slot: Int32) {
        pieces.removeAll { $0.slot == slot }
    }
}

extension DrawnMesh {
    /// The approximate size in memory. Each triangle counts once in the mesh and once in a surface.
    fileprivate var byteCount: Int {
        mesh.positions.count * 2 * MemoryLayout<MeshVertex>.stride + mesh.triangles.count * 3 * MemoryLayout<SIMD3<UInt32>>.stride + 512
    }
}
