import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkMeshes
import WaymarkScene

/// The 3D models of a map.
final class ModelFamily {
    private var models = ModelTable()
    let pieces = ModelPieceCache()
    private var preparations = 0
    /// The missing textures, keyed by slot. The material's color is drawn instead. Views with a missing part are also listed here.
    private var missingTextures: [Int32: [ImageProblem]] = [:]

    func read(_ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources) {
        for slot in changes.removed {
            models.remove(slot: slot)
            missingTextures[slot] = nil
            pieces.drop(slot: slot)
        }
        for change in changes.changed {
            // The table of kinds has only models in this family.
            guard let model = changes.overlays[Int(change.slot)] as? Model else { preconditionFailure("no model") }
            if change.properties.contains(.order) { models.reorder() }
            read(model, change, &overlays, resources)
        }
    }

    /// Reads the changes to a model.
    private func read(_ overlay: Model, _ change: ChangedOverlay, _ overlays: inout OverlayTable, _ resources: MapResources) {
        let slot = change.slot
        let known = models[slot]
        var model = known ?? ModelTable.PosedModel(slot: slot)
        var problem = overlay.firstProblem()
        if problem != nil {
            model.exclusion = .invalid
        } else if overlay.isPlaceless {
            model.exclusion = .noPosition
        } else {
            let changed = change.properties
            let isNew = model.mesh == nil || changed.contains(.membership)
            if isNew || !changed.isDisjoint(with: [.geometry, .position]) {
                model.placementFailure = place(&model, overlay, altitude: overlays.altitude(of: overlay))
            }
            if isNew || !changed.isDisjoint(with: [.style, .icon, .geometry]) { readSurfaces(of: overlay, into: &model, resources) }
            model.exclusion = model.placementFailure
            if model.placementFailure == .outOfProjection {
                problem = .beyondMap(overlay.type == .localModel ? "coordinates.lat" : "mesh.vertices")
            }
        }
        // Without a mesh, everything is read again once the model is valid and has a position.
        if problem != nil || overlay.isPlaceless {
            model.mesh = nil
            missingTextures[slot] = nil
        }
        model.exclusion = overlays.settle(overlay, slot: slot, problem, model.exclusion)
        if known.map({ $0.mesh !== model.mesh || $0.pose != model.pose }) ?? false { pieces.drop(slot: slot) }
        models.set(model)
    }

    /// Sets the mesh and pose of a model; returns the reason if it cannot be placed.
    private func place(_ model: inout ModelTable.PosedModel, _ overlay: Model, altitude: Double) -> Reason? {
        let (mesh, isNew) = ModelMesh.of(overlay, altitude: altitude)
        if isNew { preparations += 1 }
        model.mesh = mesh
        var isUnderground = altitude < 0
        if let local = overlay as? LocalModel, let coordinates = local.coordinates {
            guard let y = WebMercator.y(lat: coordinates.lat) else { return .outOfProjection }
            let height = altitude + coordinates.altitude
            isUnderground = height < 0
            let pointsPerMeter = WebMercator.pointsPerMeter(lat: coordinates.lat, worldSize: 1)
            model.hasGroundAnchor = true
            model.pose = ModelPose(
                local, place: WorldPoint(x: WebMercator.x(lng: coordinates.lng), y: y), height: height * pointsPerMeter,
                unit: local.isAutoscaled ? 1 : pointsPerMeter)
        } else if let origin = mesh.origin {
            guard !mesh.whole.mesh.triangles.isEmpty else { return .outOfProjection }
            model.pose = ModelPose(
                place: WorldPoint(x: WebMercator.wrap(origin.x), y: -origin.y), height: origin.z, axisX: [mesh.unit, 0, 0],
                axisY: [0, -mesh.unit, 0], axisZ: [0, 0, mesh.unit])
        }
        let half = mesh.whole.half
        model.middle = model.pose.step(mesh.whole.center)
        model.halfX = model.pose.axisX * half.x
        model.halfY = model.pose.axisY * half.y
        model.halfZ = model.pose.axisZ * half.z
        model.radius = mesh.radius * model.pose.scale
        return isUnderground ? .underground : nil
    }

    private func readSurfaces(
        of overlay: Model, into model: inout ModelTable.PosedModel, _ resources: MapResources
    ) {
        let scene = (overlay.shape as? FloatMesh)?.surfaces ?? []
        missingTextures[model.slot] = nil
        let whole = FloatMesh.Surface(triangles: 0..<overlay.shape.triangles.count)
        var surfaces: [ModelTable.Surface] = []
        for (number, surface) in (scene.isEmpty ? [whole] : scene).enumerated() {
            let appearance = overlay.appearance(of: surface)
            var texture: (raster: Int32, isOpaque: Bool)?
            if let image = appearance.texture {
                let path = overlay.texture == nil ? "mesh.surfaces[\(number)].texture" : "texture"
                do throws(PropertyError) {
                    texture = try resources.texture(image, path)
                    // If the mesh has no textures, all surfaces of a model show the same one.
                    let problem = resources.problem(ofView: image, path)
                    if let problem, missingTextures[model.slot]?.contains(problem) != true {
                        missingTextures[model.slot, default: []].append(problem)
                    }
                } catch {
                    missingTextures[model.slot, default: []].append(
                        ImageProblem(error, instead: "the material's color is drawn in its place"))
                }
            }
            let hasAlpha = texture?.isOpaque == false || model.mesh?.whole.surfaces[number]?.hasTranslucentColors == true
            var read = ModelTable.Surface(
                diffuse: SIMD4(
                    Float(appearance.diffuse.red), Float(appearance.diffuse.green), Float(appearance.diffuse.blue),
                    Float(appearance.diffuse.alpha)),
                texture: texture?.raster ?? -1, sampler: appearance.sampler, isDoubleSided: appearance.isDoubleSided,
                isLit: appearance.isLit,
                isTranslucent: appearance.diffuse.alpha < 1 || hasAlpha)
            if let cutoff = appearance.alphaCutoff { read.cut(at: cutoff, alpha: appearance.diffuse.alpha, hasAlpha: hasAlpha) }
            surfaces.append(read)
        }
        model.surfaces = surfaces
        model.alpha = Float(overlay.alpha)
        model.lighting = overlay.lights.isEmpty ? -1 : models.id(of: Lighting(overlay))
    }

    func place(_ pass: inout PlacingPass) -> PlacedModels {
        models.sort(pass.order)
        var placer = ModelPlacer(models, pass.viewport, samples: pass.modelSamples)
        let items = placer.place(pieces, &pass)
        return PlacedModels(viewport: pass.viewport, models: models, views: placer.views, groups: placer.groups, items: items)
    }

    /// The visible models, for deciding which points stand behind them. This takes as long as placing the models, so it is done only when
    /// needed.
    func occluders(_ pass: PlacingPass) -> ModelOccluders {
        guard !models.isEmpty else { return ModelOccluders(pass.viewport, models, []) }
        let placer = ModelPlacer(models, pass.viewport, samples: pass.modelSamples)
        return ModelOccluders(pass.viewport, models, placer.visible(pieces, pass))
    }

    /// The extent of visible models; nil without any.
    func extent(of overlays: FittedOverlays) -> ModelExtent? { ModelExtent(models.present.filter { overlays.contains($0.slot) }) }

    func report(into list: inout DiagnosticList) {
        for (slot, problems) in missingTextures {
            let isDrawn = models[slot].map { $0.exclusion == nil } ?? false
            for problem in problems { list.warn(problem.reported(isDrawn: isDrawn), slot: slot) }
        }
    }

    func count(into statistics: inout LayoutStatistics) {
        statistics.meshPreparations = preparations
        statistics.meshCuts = pieces.cuts
    }
}

extension ModelTable.Surface {
    /// Makes the surface opaque where its alpha reaches a cutoff, and removes the rest.
    /// - Parameters:
    ///   - alpha: The alpha of the diffuse color, which multiplies the alpha of the texture and the vertices.
    ///   - hasAlpha: Whether the texture or the vertices have an alpha below 1 anywhere.
    fileprivate mutating func cut(at cutoff: Double, alpha: Double, hasAlpha: Bool) {
        isTranslucent = false
        diffuse.w = alpha >= cutoff ? 1 : 0
        if hasAlpha { alphaCutoff = alpha > 0 ? Float(cutoff / alpha) : 0 }
    }
}

extension Lighting {
    /// The lighting of a model that has lights.
    fileprivate init(_ model: Model) {
        func rgb(_ color: Color) -> SIMD3<Double> { SIMD3(color.red, color.green, color.blue) }
        self.init(
            ambient: SIMD3<Float>(rgb(model.material.ambient)),
            lights: model.lights.map { light in
                let direction = SIMD3(light.direction.x, light.direction.y, light.direction.z)
                // The vector is scaled by its largest component so that the squared length cannot overflow or underflow.
                let part = direction / max(abs(direction.x), abs(direction.y), abs(direction.z))
                let source = part / -(part * part).sum().squareRoot()
                return Light(source: SIMD3<Float>(source), color: SIMD3<Float>(rgb(light.color) * light.intensity))
            })
    }
}

extension ModelPose {
    /// The model matrix M = yaw · pitch · roll · scale: right-handed rotations about up (yaw), east (pitch) and north (roll).
    fileprivate init(_ model: LocalModel, place: WorldPoint, height: Double, unit: Double) {
        self.init(place: place, height: height, isAutoscaled: model.isAutoscaled)
        let (pitch, roll, yaw) = (sinCos(degrees: model.pitch), sinCos(degrees: model.roll), sinCos(degrees: model.yaw))
        func turned(_ axis: SIMD3<Double>) -> SIMD3<Double> {
            // Roll turns up toward east, pitch turns north toward up, yaw turns east toward north.
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
