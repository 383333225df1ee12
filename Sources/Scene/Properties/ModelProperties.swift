import WaymarkGeo
import WaymarkImaging

package enum MaterialProperties {
    package static let table = PropertyTable<Box<Material>>(
        { Box(Material()) },
        [
            .color(
                "diffuse", { $0.value.diffuse }, { $0.value.diffuse = $1 },
                "Color of the model, which is multiplied by its texture and vertex colors. It overrides the material colors in a file."
            ),
            .color(
                "ambient", { $0.value.ambient }, { $0.value.ambient = $1 },
                "The fraction of the diffuse color that is visible without light, for each channel. The alpha is ignored."),
            .number(
                "alphaCutoff", { $0.value.alphaCutoff }, { $0.value.alphaCutoff = $1 }, in: 0...1,
                "The model is not drawn where its alpha is below this value, and is opaque everywhere else. If this is not set, the "
                    + "cutoffs in a model file apply. Without any cutoff, the model is translucent where its alpha is below 1."),
        ])
}

package enum TextureSamplerProperties {
    package static let table = PropertyTable<Box<TextureSampler>>(
        { Box(TextureSampler()) },
        [
            .choice(
                "wrapU", { $0.value.wrapU }, { $0.value.wrapU = $1 }, changes: [],
                "Horizontal wrap mode, used where u is outside 0…1."),
            .choice(
                "wrapV", { $0.value.wrapV }, { $0.value.wrapV = $1 }, changes: [],
                "Vertical wrap mode, used where v is outside 0…1."),
            .choice(
                "magFilter", { $0.value.magFilter }, { $0.value.magFilter = $1 }, changes: [],
                "The filter that is used where the texture is enlarged."),
            .choice(
                "minFilter", { $0.value.minFilter }, { $0.value.minFilter = $1 }, changes: [],
                "The filter that is used where the texture or one of its mipmaps is reduced."),
            .choice(
                "mipmapFilter", { $0.value.mipmapFilter }, { $0.value.mipmapFilter = $1 }, changes: [],
                "How mipmaps are chosen where the texture is reduced."),
        ])
}

extension TextureSampler.Wrap: NamedChoice {}
extension TextureSampler.Filter: NamedChoice {}
extension TextureSampler.MipmapFilter: NamedChoice {}

package enum LightProperties {
    package static let table = PropertyTable<DirectionalLight>(
        { DirectionalLight(direction: .zero) },
        [
            .direction(
                "direction", { $0.direction }, { $0.direction = $1 }, changes: .style,
                "The direction in which the light travels, as its east, north and up components. The length has no effect."
            ).required(),
            .color("color", { $0.color }, { $0.color = $1 }, changes: .style, "Color of the light. The alpha is ignored."),
            .number(
                "intensity", { $0.intensity }, { $0.intensity = $1 }, in: DirectionalLight.intensityRange, changes: .style,
                "The factor by which the color is multiplied."),
        ])
}

package enum ModelProperties {
    /// A base table: the tables of the model types inherit its properties, and its own object is never created.
    package static let table = PropertyTable<Model>(
        { GeoModel(mesh: GeoMesh()) }, inheriting: OverlayProperties.table.list,
        synonyms: ["opacity": "alpha", "image": "texture", "doubleSided": "isDoubleSided", "creaseAngle": "smoothingAngle"],
        [
            .image(
                "texture", { $0.texture }, { $0.texture = $1 }, changes: .style,
                "The texture, an image specified in the same way as a marker's icon."),
            .object(
                "textureSampler", { Box($0.textureSampler) }, { $0.textureSampler = $1.value }, TextureSamplerProperties.table,
                changes: .style, "How `texture` is repeated and filtered. Model files define this for their own textures."),
            .object(
                "material", { Box($0.material) }, { $0.material = $1.value }, MaterialProperties.table, changes: .style,
                "The material: its diffuse and ambient colors, and the alpha below which nothing is drawn."),
            .boolean(
                "isDoubleSided", { $0.isDoubleSided }, { $0.isDoubleSided = $1 }, changes: .style,
                "Whether back faces of triangles are drawn. If this is not set, the materials in a model file determine it; other meshes "
                    + "show both faces."),
            .number(
                "smoothingAngle", { $0.smoothingAngle }, { $0.smoothingAngle = $1 }, in: Model.smoothingAngleRange, changes: .geometry,
                "Adjacent triangles are shaded as one smooth surface if the angle between them, in degrees, is below this value; "
                    + "at 0, each triangle is flat. Normals in the mesh or file take precedence."),
            .number(
                "alpha", { $0.alpha }, { $0.alpha = $1 }, in: 0...1, changes: .style,
                "Opacity. A translucent model shows only its nearest surface."),
            .objects(
                "lights", { $0.lights },
                { model, lights in
                    model.removeAllLights()
                    for light in lights { model.addLight(light) }
                }, LightProperties.table, atMost: Model.maximumNumberOfLights, changes: .style,
                "The lights that illuminate the model. Without lights, the model's colors are drawn unchanged."),
        ])
}

package enum LocalModelProperties {
    package static let table = PropertyTable<LocalModel>(
        { LocalModel(mesh: FloatMesh()) }, inheriting: ModelProperties.table.list,
        exclusive: [
            ExclusiveKeys(
                names: ["mesh", "model"], problem: "mesh and model are mutually exclusive", reportedAt: "model",
                missing: "missing key \"mesh\" or \"model\"")
        ],
        synonyms: [
            "position": "coordinates", "location": "coordinates", "center": "coordinates", "file": "model", "source": "model",
            "url": "model", "heading": "yaw", "bearing": "yaw", "rotation": "yaw", "autoscaled": "isAutoscaled",
        ],
        [
            .part(
                "mesh", .floatMesh, changes: .geometry, problem: { $0.meshProblem },
                "A mesh in meters, in which x points east, y north, and z up."),
            .part("model", .modelFile, "An OBJ, glTF 2.0 or GLB file, instead of `mesh`."),
            .position(
                "coordinates", { $0.coordinates }, { $0.coordinates = $1 }, changes: .position,
                "The coordinates at which the origin of the mesh is placed."
            ).required(),
            .number(
                "scale", { $0.scale }, { $0.scale = $1 }, in: .positive(through: LocalModel.maximumScale), changes: .position,
                "The scale factor of the mesh."),
            .number(
                "pitch", { $0.pitch }, { $0.pitch = $1 }, changes: .position,
                "Rotation in degrees about the east axis, by the right-hand rule. It is applied after `roll`."),
            .number(
                "roll", { $0.roll }, { $0.roll = $1 }, changes: .position,
                "Rotation in degrees about the north axis, by the right-hand rule. It is applied first."),
            .number(
                "yaw", { $0.yaw }, { $0.yaw = $1 }, changes: .position,
                "Rotation in degrees about the up axis, by the right-hand rule. It is applied last."),
            .boolean(
                "isAutoscaled", { $0.isAutoscaled }, { $0.isAutoscaled = $1 }, changes: .position,
                "Whether one unit of the mesh is one pt at every zoom, instead of one meter."),
        ])
}

package enum GeoModelProperties {
    package static let table = PropertyTable<GeoModel>(
        { GeoModel(mesh: GeoMesh()) }, inheriting: ModelProperties.table.list,
        [
            .refused("model", "the vertices of model files are in meters, not coordinates; use a localModel, or give a mesh"),
            .part(
                "mesh", .geoMesh, changes: .geometry, problem: { $0.meshProblem },
                "A mesh whose vertices consist of a longitude, a latitude, and meters above the ground."
            ).required(),
        ])
}
