import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkScene

/// How a mesh stands on the map.
struct ModelPose: Equatable {
    /// Where its origin is, as fractions of the world.
    var place = Columns.Place(x: 0, y: 0)
    /// pt above the ground in a world of 1 pt.
    var height = 0.0
    /// Where its x, y and z axes go, each (east, south, up): as fractions of the world, or in pt when it is autoscaled. They stand
    /// at right angles and are equally long.
    var axisX = SIMD3<Double>(1, 0, 0)
    var axisY = SIMD3<Double>(0, -1, 0)
    var axisZ = SIMD3<Double>(0, 0, 1)
    var isAutoscaled = false

    /// Where a step in the mesh goes.
    @inline(__always)
    func step(_ offset: SIMD3<Double>) -> SIMD3<Double> { axisX * offset.x + axisY * offset.y + axisZ * offset.z }

    /// How long a unit of the mesh is.
    var scale: Double { (axisX * axisX).sum().squareRoot() }

    /// Whether what is level in the mesh is level on the map.
    var isUpright: Bool { axisX.z == 0 && axisY.z == 0 }
}

/// The models of a map, by slot: read from the objects when they change, and kept.
final class ModelStore {
    struct Model {
        var slot: Int32
        /// nil as long as it cannot be drawn.
        var mesh: ModelMesh?
        var pose = ModelPose()
        /// From the origin to the middle of the mesh's bounds, and from there to the middles of three of their sides; in the units of
        /// the axes.
        var middle = SIMD3<Double>.zero
        var halfX = SIMD3<Double>.zero
        var halfY = SIMD3<Double>.zero
        var halfZ = SIMD3<Double>.zero
        /// Of a sphere around that middle.
        var radius = 0.0
        /// By the mesh's surface.
        var surfaces: [Surface] = []
        var alpha: Float = 1
        /// Index in the store's lightings; -1 without lights.
        var lighting: Int32 = -1
        /// Why its place is in no picture; 0 when it may be.
        var placing: UInt8 = 0
        /// Why it is in no picture, whatever the camera; 0 when nothing keeps it out.
        var exclusion: UInt8 = 0

        /// Whether all of it stands at one height.
        var isLevel: Bool { pose.isUpright && mesh?.isLevel == true }
    }

    /// What a surface looks like.
    struct Surface: Equatable {
        var diffuse: SIMD4<Float>
        /// Index among the catalog's rasters; -1 for none.
        var texture: Int32
        /// Whether the backs of its triangles are drawn, too.
        var isDoubleSided = true
        var isTranslucent: Bool
    }

    /// From bottom to top, once they are in order.
    private(set) var models: [Model] = []
    /// Which of them share a depth buffer.
    private(set) var groups: [Range<Int>] = []
    /// By slot: where in the list each is.
    private var places: [Int32: Int] = [:]
    private var isOrderStale = false
    private(set) var lightings: [Lighting] = []
    private var lightingIDs: [Lighting: Int32] = [:]
    /// Pieces of meshes that are too large for floats, by slot and copy of the world.
    private var pieces: [PieceKey: ModelPiece] = [:]
    /// How many meshes were made ready, and how many pieces of large ones: what tests count.
    private(set) var preparations = 0
    private(set) var cuts = 0

    private struct PieceKey: Hashable {
        var slot: Int32
        var copy: Int
    }

    var isEmpty: Bool { models.isEmpty }

    subscript(slot: Int32) -> Model? { places[slot].map { models[$0] } }

    /// The place of one among the others has changed.
    func reorder() {
        isOrderStale = true
    }

    func remove(slot: Int) {
        guard !models.isEmpty, let place = places.removeValue(forKey: Int32(slot)) else { return }
        dropPieces(Int32(slot))
        models.swapAt(place, models.count - 1)
        models.removeLast()
        if place < models.count { places[models[place].slot] = place }
        isOrderStale = true
    }

    func set(_ model: Model) {
        if let place = places[model.slot] {
            if models[place].mesh !== model.mesh || models[place].pose != model.pose { dropPieces(model.slot) }
            models[place] = model
        } else {
            places[model.slot] = models.count
            models.append(model)
            isOrderStale = true
        }
    }

    func exclude(_ exclusion: UInt8, slot: Int) {
        if let place = places[Int32(slot)] { models[place].exclusion = exclusion }
    }

    /// Those that nothing keeps out.
    var present: [Model] { models.filter { $0.exclusion == 0 } }

    func countPreparation() {
        preparations += 1
    }

    /// The number of a lighting.
    func id(of lighting: Lighting) -> Int32 {
        if let known = lightingIDs[lighting] { return known }
        if lightings.count > 2 * models.count + 64 { forgetLightings() }
        let id = Int32(lightings.count)
        lightings.append(lighting)
        lightingIDs[lighting] = id
        return id
    }

    /// Lights that move would pile up.
    private func forgetLightings() {
        let old = lightings
        lightings = []
        lightingIDs = [:]
        for index in models.indices where models[index].lighting >= 0 {
            let lighting = old[Int(models[index].lighting)]
            let id = lightingIDs[lighting] ?? Int32(lightings.count)
            if id == lightings.count {
                lightings.append(lighting)
                lightingIDs[lighting] = id
            }
            models[index].lighting = id
        }
    }

    /// Puts them in order, from bottom to top.
    func sort(_ order: DrawOrder, insertions: [UInt32]) {
        guard isOrderStale else { return }
        isOrderStale = false
        models.sort { (order.rank($0.slot), insertions[Int($0.slot)]) < (order.rank($1.slot), insertions[Int($1.slot)]) }
        places = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1.slot, $0) })
        groups = []
        for index in models.indices {
            if let last = groups.last, order.stratum(models[last.lowerBound].slot).sharesGroup(with: order.stratum(models[index].slot)) {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
    }

    /// The piece of a large model around the view's centre: the known one, as long as neither the whole zoom level nor the cell in
    /// which the centre is has changed.
    func piece(of model: Model, copy: Int, _ viewport: Viewport) -> ModelPiece? {
        guard let mesh = model.mesh else { return nil }
        let frame = ModelPiece.Cell(model.pose, copy: copy, viewport)
        let key = PieceKey(slot: model.slot, copy: copy)
        if let known = pieces[key], known.cell == frame { return known }
        cuts += 1
        let piece = ModelPiece(mesh, model.pose, frame)
        pieces[key] = piece
        return piece
    }

    private func dropPieces(_ slot: Int32) {
        guard !pieces.isEmpty else { return }
        for key in pieces.keys where key.slot == slot { pieces[key] = nil }
    }
}
