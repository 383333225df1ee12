import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkMeshes
import WaymarkScene

/// The transformation from a mesh to the map.
struct ModelPose: Equatable, Sendable {
    /// The position of the mesh's origin, as fractions of the world.
    var place = WorldPoint(x: 0, y: 0)
    /// The height of the origin above the ground, as a fraction of the world's size.
    var height = 0.0
    /// The images of the mesh's x, y and z axes, each (east, south, up), in fractions of the world per unit of the mesh, or in pt if
    /// autoscaled. They are orthogonal and of equal length.
    var axisX = SIMD3<Double>(1, 0, 0)
    var axisY = SIMD3<Double>(0, -1, 0)
    var axisZ = SIMD3<Double>(0, 0, 1)
    var isAutoscaled = false

    /// Transforms a vector of the mesh to the units of the axes.
    @inline(__always)
    func step(_ offset: SIMD3<Double>) -> SIMD3<Double> { axisX * offset.x + axisY * offset.y + axisZ * offset.z }

    /// The length of one unit of the mesh, in the units of the axes.
    var scale: Double { (axisX * axisX).sum().squareRoot() }

    /// Whether horizontal planes of the mesh are horizontal on the map.
    var isUpright: Bool { axisX.z == 0 && axisY.z == 0 }
}

/// The models of a map, as read from their overlays.
struct ModelTable: Sendable {
    struct PosedModel: Sendable {
        var slot: Int32
        /// The mesh; nil while the model cannot be drawn.
        var mesh: ModelMesh?
        var pose = ModelPose()
        /// The vector from the origin to the center of the mesh's bounding box, and the box's half axes; in the units of the axes.
        var middle = SIMD3<Double>.zero
        var halfX = SIMD3<Double>.zero
        var halfY = SIMD3<Double>.zero
        var halfZ = SIMD3<Double>.zero
        /// The radius of the bounding sphere around that center, in the units of the axes.
        var radius = 0.0
        /// The surfaces of the mesh.
        var surfaces: [Surface] = []
        var alpha: Float = 1
        /// The index in the table's lightings; -1 without lights.
        var lighting: Int32 = -1
        /// Whether the anchor is the coordinate that the user gave (a local model), instead of the center of the mesh.
        var hasGroundAnchor = false
        /// The reason why the model's position excludes it from every picture; nil if it does not.
        var placementFailure: Reason?
        /// The reason why the model is excluded from every picture, regardless of the camera; nil if it is not.
        var exclusion: Reason?

        /// Whether all of the model is at the same height.
        var isLevel: Bool { pose.isUpright && mesh?.isLevel == true }
    }

    /// The appearance of a surface.
    struct Surface: Equatable, Sendable {
        var diffuse: SIMD4<Float>
        /// The index of the texture's raster in the catalog; -1 for none.
        var texture: Int32
        var sampler = TextureSampler()
        /// See `MeshInstance`.
        var alphaCutoff: Float?
        /// Whether the back faces of the surface's triangles are drawn as well.
        var isDoubleSided = true
        /// Whether the model's lights illuminate the surface.
        var isLit = true
        var isTranslucent: Bool
    }

    /// The models, from bottom to top after `sort`.
    private(set) var models: [PosedModel] = []
    /// The ranges of models with equal sort keys, which share a depth buffer.
    private(set) var groups: [Range<Int>] = []
    /// Indices in `models`, keyed by slot.
    private var places: [Int32: Int] = [:]
    private var isOrderStale = false
    private(set) var lightings: [Lighting] = []
    private var lightingIDs: [Lighting: Int32] = [:]
    var isEmpty: Bool { models.isEmpty }

    subscript(slot: Int32) -> PosedModel? { places[slot].map { models[$0] } }

    /// Marks the order as stale.
    mutating func reorder() {
        isOrderStale = true
    }

    mutating func remove(slot: Int32) {
        guard !models.isEmpty, let place = places.removeValue(forKey: slot) else { return }
        models.swapAt(place, models.count - 1)
        models.removeLast()
        if place < models.count { places[models[place].slot] = place }
        isOrderStale = true
    }

    mutating func set(_ model: PosedModel) {
        if let place = places[model.slot] {
            models[place] = model
        } else {
            places[model.slot] = models.count
            models.append(model)
            isOrderStale = true
        }
    }

    /// The models that are not excluded.
    var present: [PosedModel] { models.filter { $0.exclusion == nil } }

    /// The id of a lighting, added if it is new.
    mutating func id(of lighting: Lighting) -> Int32 {
        if let known = lightingIDs[lighting] { return known }
        if lightings.count > 2 * models.count + 64 { forgetLightings() }
        let id = Int32(lightings.count)
        lightings.append(lighting)
        lightingIDs[lighting] = id
        return id
    }

    /// Drops unused lightings, which would otherwise accumulate when lights move.
    private mutating func forgetLightings() {
        let old = lightings
        lightings = []
        lightingIDs = [:]
        for index in models.indices where models[index].lighting >= 0 {
            models[index].lighting = id(of: old[Int(models[index].lighting)])
        }
    }

    /// Sorts the models from bottom to top, if necessary, and groups them.
    mutating func sort(_ order: DrawingOrder) {
        guard isOrderStale else { return }
        isOrderStale = false
        models.sort { order.isBefore($0.slot, $1.slot) }
        places = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1.slot, $0) })
        groups = []
        for index in models.indices {
            if let last = groups.last, order.rank(models[last.lowerBound].slot) == order.rank(models[index].slot) {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
    }
}
