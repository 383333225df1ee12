import WaymarkGeo

package enum MaterialProperties {
    package static let table = PropertyTable<Box<Material>>(
        { Box(Material()) },
        [
            .color(
                "diffuse", { $0.value.diffuse }, { $0.value.diffuse = $1 },
                "Color of the model, which its texture is multiplied with; in place of the colors of the mesh."),
            .color(
                "ambient", { $0.value.ambient }, { $0.value.ambient = $1 },
                "The share of that color that shows without light, for each channel; its alpha is ignored."),
        ])
}

package enum LightProperties {
    package static let table = PropertyTable<DirectionalLight>(
        { DirectionalLight(direction: Vector3D()) },
        [
            .direction(
                "direction", { $0.direction }, { $0.direction = $1 }, changes: .style,
                "Where the light goes: east, north and up; its length has no effect."
            ).required(),
            .color("color", { $0.color }, { $0.color = $1 }, changes: .style, "Color of the light; its alpha is ignored."),
            .number(
                "intensity", { $0.intensity }, { $0.intensity = $1 }, in: DirectionalLight.intensityRange, changes: .style,
                "What its color is multiplied with."),
        ])
}

package enum ModelProperties {
    /// Never made: the kinds inherit its lines.
    package static let table = PropertyTable<Model>(
        { GeoModel(mesh: GeoMesh()) }, inheriting: OverlayProperties.table.list,
        [
            .image(
                "texture", { $0.texture }, { $0.texture = $1 }, changes: .style, "An image on it, named as that of a marker; it repeats."),
            .object(
                "material", { Box($0.material) }, { $0.material = $1.value }, MaterialProperties.table, changes: .style,
                "How it takes light."),
            .boolean(
                "isDoubleSided", { $0.isDoubleSided }, { $0.isDoubleSided = $1 }, changes: .style,
                "Whether the backs of triangles are drawn; unset, the file's materials decide, and other meshes show both sides."),
            .number(
                "alpha", { $0.alpha }, { $0.alpha = $1 }, in: 0...1, changes: .style,
                "Opacity; of a translucent model only what is nearest shows."),
            .objects(
                "lights", { $0.lights },
                { model, lights in
                    model.removeAllLights()
                    for light in lights { model.addLight(light) }
                }, LightProperties.table, atMost: Model.maximumNumberOfLights, changes: .style,
                "The lights that fall on it; without any, colors show as they are."),
        ])
}

package enum LocalModelProperties {
    package static let kind = OverlayKind(table, .model)

    package static let table = PropertyTable<LocalModel>(
        { LocalModel(mesh: FloatMesh()) }, inheriting: ModelProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["mesh", "model"], problem: "a local model has either a mesh or a model", reportedAt: "model",
                missing: "missing key \"mesh\" or \"model\"")
        ],
        [
            .part("mesh", .floatMesh, changes: .geometry, problem: { $0.meshProblem }, "A mesh in meters: x goes east, y north, z up."),
            .part("model", .modelFile, "An OBJ, glTF 2.0 or GLB file, in place of `mesh`."),
            .position(
                "coordinates", { $0.coordinates }, { $0.coordinates = $1 }, changes: .position, "Where the origin of the mesh is placed."
            ).required(),
            .number(
                "scale", { $0.scale }, { $0.scale = $1 }, in: .positive(through: LocalModel.maximumScale), changes: .position,
                "What the mesh is multiplied with."),
            .number(
                "pitch", { $0.pitch }, { $0.pitch = $1 }, changes: .position,
                "Right-handed degrees about the axis that points east; applied after `roll`."),
            .number(
                "roll", { $0.roll }, { $0.roll = $1 }, changes: .position,
                "Right-handed degrees about the axis that points north; applied first."),
            .number(
                "yaw", { $0.yaw }, { $0.yaw = $1 }, changes: .position, "Right-handed degrees about the axis that points up; applied last."),
            .boolean(
                "isAutoscaled", { $0.isAutoscaled }, { $0.isAutoscaled = $1 }, changes: .position,
                "Whether a unit of the mesh is a pt at every zoom, instead of a meter."),
        ])
}

package enum GeoModelProperties {
    package static let kind = OverlayKind(table, .model)

    package static let table = PropertyTable<GeoModel>(
        { GeoModel(mesh: GeoMesh()) }, inheriting: ModelProperties.table.list,
        [
            .refused("model", "the vertices of model files are in meters, not coordinates; a localModel shows them, a geoModel has a mesh"),
            .part(
                "mesh", .geoMesh, changes: .geometry, problem: { $0.meshProblem },
                "A mesh whose vertices are longitude, latitude and meters above the ground."
            ).required(),
        ])
}
