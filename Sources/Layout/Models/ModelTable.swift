import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkScene

/// How a mesh stands on the map.
struct ModelPose: Equatable, Sendable {
    /// Where its origin is, as fractions of the world.
    var place = WorldPoint(x: 0, y: 0)
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

/// The models of a map as they were read from their overlays.
struct ModelTable: Sendable {
    struct PosedModel: Sendable {
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
        /// Whether the user's model is anchored where it stands on the ground, and not in the middle of its mesh.
        var hasGroundAnchor = false
        /// Why its place is in no picture; nil when it may be.
        var placing: Reason?
        /// Why it is in no picture, whatever the camera; nil when nothing keeps it out.
        var exclusion: Reason?

        /// Whether all of it stands at one height.
        var isLevel: Bool { pose.isUpright && mesh?.isLevel == true }

        /// Whether anything shows through any part of it.
        var isTranslucent: Bool { alpha < 1 || surfaces.contains(where: \.isTranslucent) }
    }

    /// What a surface looks like.
    struct Surface: Equatable, Sendable {
        var diffuse: SIMD4<Float>
        /// Index among the catalog's rasters; -1 for none.
        var texture: Int32
        /// Whether pixels of the texture are clear, wholly or in part.
        var hasHoles = false
        var isTranslucent: Bool
    }

    /// From bottom to top, once they are in order.
    private(set) var models: [PosedModel] = []
    /// Which of them share a depth buffer.
    private(set) var groups: [Range<Int>] = []
    /// By slot: where in the list each is.
    private var places: [Int32: Int] = [:]
    private var isOrderStale = false
    private(set) var lightings: [Lighting] = []
    private var lightingIDs: [Lighting: Int32] = [:]
    var isEmpty: Bool { models.isEmpty }

    subscript(slot: Int32) -> PosedModel? { places[slot].map { models[$0] } }

    /// The place of one among the others has changed.
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

    /// Those that nothing keeps out.
    var present: [PosedModel] { models.filter { $0.exclusion == nil } }

    /// The number of a lighting.
    mutating func id(of lighting: Lighting) -> Int32 {
        if let known = lightingIDs[lighting] { return known }
        if lightings.count > 2 * models.count + 64 { forgetLightings() }
        let id = Int32(lightings.count)
        lightings.append(lighting)
        lightingIDs[lighting] = id
        return id
    }

    /// Lights that move would pile up.
    private mutating func forgetLightings() {
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
    mutating func sort(_ order: DrawingOrder) {
        guard isOrderStale else { return }
        isOrderStale = false
        models.sort { order.isBefore($0.slot, $1.slot) }
        places = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1.slot, $0) })
        groups = []
        for index in models.indices {
            if let last = groups.last, order.keys[models[last.lowerBound].slot].sharesGroup(with: order.keys[models[index].slot]) {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
    }
}
