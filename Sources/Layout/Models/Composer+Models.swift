import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkMeshes
import WaymarkScene

extension Composer {
    /// Reads what changed of a model; gives what is wrong with it, if anything.
    func readModel(_ overlay: Model, slot: Int, change: Journal.Change) -> PropertyError? {
        var model = models[Int32(slot)] ?? ModelStore.Model(slot: Int32(slot))
        var failure = overlay.firstProblem()
        var exclusion: UInt8 = 0
        if failure != nil {
            exclusion = Reason.invalid.rawValue
        } else if overlay.isPlaceless {
            exclusion = Reason.noPosition.rawValue
        } else {
            let altitude = (groups.around(overlay)?.altitude ?? 0) + overlay.altitude
            let isNew = model.mesh == nil || change.contains(.membership)
            if isNew || change.contains(.geometry) || change.contains(.position) {
                model.placing = place(&model, overlay, altitude: altitude)?.rawValue ?? 0
            }
            exclusion = model.placing
            if isNew || !change.isDisjoint(with: [.style, .icon, .geometry]) {
                do throws(PropertyError) {
                    try readLook(of: overlay, into: &model)
                } catch {
                    failure = error
                    exclusion = Reason.invalid.rawValue
                }
            }
            if exclusion == Reason.outOfProjection.rawValue {
                failure = PropertyError(
                    path: overlay.type == .localModel ? "coordinates.lat" : "mesh.vertices",
                    problem: "beyond the map, which ends at \(WebMercator.maxLatitude) degrees north and south; not drawn")
            }
        }
        // What changes while it cannot be drawn is read anew when it can.
        if failure != nil { model.mesh = nil }
        if overlay.isHidden { exclusion = Reason.hidden.rawValue }
        model.exclusion = exclusion
        models.set(model)
        return failure
    }

    /// Puts a model in its place; gives why it has none.
    private func place(_ model: inout ModelStore.Model, _ overlay: Model, altitude: Double) -> Reason? {
        let (mesh, isNew) = ModelMesh.of(overlay, altitude: altitude)
        if isNew { models.countPreparation() }
        model.mesh = mesh
        var isUnderground = altitude < 0
        if let local = overlay as? LocalModel, let coordinates = local.coordinates {
            guard let y = WebMercator.y(lat: coordinates.lat) else { return .outOfProjection }
            let height = altitude + coordinates.altitude
            isUnderground = height < 0
            let pointsPerMetre = WebMercator.pointsPerMetre(lat: coordinates.lat, worldSize: 1)
            model.pose = ModelPose(
                local, place: Columns.Place(x: WebMercator.x(lng: coordinates.lng), y: y), height: height * pointsPerMetre,
                unit: local.isAutoscaled ? 1 : pointsPerMetre)
        } else if let origin = mesh.origin {
            guard !mesh.mesh.triangles.isEmpty else { return .outOfProjection }
            model.pose = ModelPose(
                place: Columns.Place(x: WebMercator.wrap(origin.x), y: -origin.y), height: origin.z, axisX: [mesh.unit, 0, 0],
                axisY: [0, -mesh.unit, 0], axisZ: [0, 0, mesh.unit])
        }
        let half = mesh.bounds.size / 2
        model.middle = model.pose.step(mesh.bounds.center)
        model.halfX = model.pose.axisX * half.x
        model.halfY = model.pose.axisY * half.y
        model.halfZ = model.pose.axisZ * half.z
        model.radius = mesh.radius * model.pose.scale
        return isUnderground ? .underground : nil
    }

    private func readLook(of overlay: Model, into model: inout ModelStore.Model) throws(PropertyError) {
        let scene = (overlay.shape as? FloatMesh)?.surfaces ?? []
        var surfaces: [ModelStore.Surface] = []
        for (number, surface) in (scene.isEmpty ? [nil] : scene.map { $0 }).enumerated() {
            let look = overlay.look(of: surface)
            var texture: (raster: Int32, isOpaque: Bool)?
            if let image = look.texture {
                let path = overlay.texture == nil ? "mesh.surfaces[\(number)].texture" : "texture"
                texture = try self.texture(image, path)
            }
            surfaces.append(
                ModelStore.Surface(
                    diffuse: SIMD4(
                        Float(look.diffuse.red), Float(look.diffuse.green), Float(look.diffuse.blue), Float(look.diffuse.alpha)),
                    texture: texture?.raster ?? -1, isDoubleSided: look.isDoubleSided,
                    isTranslucent: look.diffuse.alpha < 1 || texture?.isOpaque == false))
        }
        model.surfaces = surfaces
        model.alpha = Float(overlay.alpha)
        model.lighting = -1
        if !overlay.lights.isEmpty { model.lighting = models.id(of: Lighting(overlay)) }
    }
}

extension Lighting {
    /// What shines on a model that has lights.
    fileprivate init(_ model: Model) {
        func rgb(_ color: Color) -> SIMD3<Double> { SIMD3(color.red, color.green, color.blue) }
        self.init(
            ambient: SIMD3<Float>(rgb(model.material.ambient)),
            lights: model.lights.map { light in
                let direction = SIMD3(light.direction.x, light.direction.y, light.direction.z)
                // So that the square of its length is a number.
                let part = direction / max(abs(direction.x), abs(direction.y), abs(direction.z))
                let source = part / -(part * part).sum().squareRoot()
                return Light(source: SIMD3<Float>(source), color: SIMD3<Float>(rgb(light.color) * light.intensity))
            })
    }
}

extension ModelPose {
    /// M = yaw · pitch · roll · scale, right-handed about up, east and north.
    fileprivate init(_ model: LocalModel, place: Columns.Place, height: Double, unit: Double) {
        self.init(place: place, height: height, isAutoscaled: model.isAutoscaled)
        let (pitch, roll, yaw) = (sinCos(degrees: model.pitch), sinCos(degrees: model.roll), sinCos(degrees: model.yaw))
        func turned(_ axis: SIMD3<Double>) -> SIMD3<Double> {
            // About north: up goes east. About east: north goes up. About up: east goes north.
            let rolled = SIMD3(axis.x * roll.cos + axis.z * roll.sin, axis.y, axis.z * roll.cos - axis.x * roll.sin)
            let pitched = SIMD3(rolled.x, rolled.y * pitch.cos - rolled.z * pitch.sin, rolled.y * pitch.sin + rolled.z * pitch.cos)
            let yawed = SIMD3(pitched.x * yaw.cos - pitched.y * yaw.sin, pitched.x * yaw.sin + pitched.y * yaw.cos, pitched.z)
            return SIMD3(yawed.x, -yawed.y, yawed.z) * (model.scale * unit)
        }
        axisX = turned([1, 0, 0])
        axisY = turned([0, 1, 0])
        axisZ = turned([0, 0, 1])
    }
}
