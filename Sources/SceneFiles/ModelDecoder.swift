import WaymarkImaging
import WaymarkScene

/// Reads local models and geo models: keys are the property names, with `model` for a file in place of a mesh.
enum ModelDecoder {
    /// A whole local model object of a scene.
    static func localModel(_ value: JSONValue, _ scene: inout SceneReader) throws(SceneFileError) -> LocalModel {
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            let coordinates = try object.required("coordinates").readPosition()
            let (mesh, file) = (object["mesh"], object["model"])
            let model: LocalModel
            switch (mesh, file) {
            case (let mesh?, nil): model = LocalModel(mesh: try MeshDecoder.floatMesh(mesh), coordinates: coordinates)
            case (nil, let file?): model = LocalModel(mesh: try scene.readModelFile(file), coordinates: coordinates)
            case (_?, let file?): throw file.error("a local model has either a mesh or a model")
            case (nil, nil): throw value.error("missing key \"mesh\" or \"model\"")
            }
            if let value = object["scale"] { model.scale = try readScale(value) }
            if let value = object["pitch"] { model.pitch = try value.readNumber() }
            if let value = object["roll"] { model.roll = try value.readNumber() }
            if let value = object["yaw"] { model.yaw = try value.readNumber() }
            if let value = object["isAutoscaled"] { model.isAutoscaled = try value.readBoolean() }
            try readProperties(&object, of: model, &scene.images)
            return model
        }
    }

    /// A whole geo model object of a scene.
    static func geoModel(_ value: JSONValue, _ images: inout ImageTable) throws(SceneFileError) -> GeoModel {
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            if let file = object["model"] {
                throw file.error("the vertices of model files are metres and not places; a localModel shows them, a geoModel has a mesh")
            }
            let model = GeoModel(mesh: try MeshDecoder.geoMesh(try object.required("mesh")))
            try readProperties(&object, of: model, &images)
            return model
        }
    }

    private static func readProperties(
        _ object: inout ObjectReader, of model: Model, _ images: inout ImageTable
    ) throws(SceneFileError) {
        if let id = object["id"] { model.id = try MarkerDecoder.readID(id) }
        try MarkerDecoder.readOverlay(&object, of: model)
        if let value = object["texture"] { model.texture = try images.image(value) }
        if let value = object["isDoubleSided"] { model.isDoubleSided = try value.readBoolean() }
        if let value = object["alpha"] { model.alpha = try value.readNumber(in: 0...1) }
        if let value = object["material"] { model.material = try readMaterial(value) }
        if let value = object["lights"] {
            let lights = try value.readArray()
            guard value.count <= Model.maximumNumberOfLights else {
                throw value.error("there are \(value.count) lights, and a model has at most \(Model.maximumNumberOfLights)")
            }
            for light in lights { model.addLight(try readLight(light)) }
        }
    }

    private static func readScale(_ value: JSONValue) throws(SceneFileError) -> Double {
        let scale = try value.readNumber(in: 0...LocalModel.maximumScale)
        guard scale > 0 else { throw value.error("a scale is above 0") }
        return scale
    }

    private static func readMaterial(_ value: JSONValue) throws(SceneFileError) -> Material {
        try value.readObject { (object) throws(SceneFileError) in
            var material = Material()
            if let value = object["diffuse"] { material.diffuse = try value.readColor() }
            if let value = object["ambient"] { material.ambient = try value.readColor() }
            return material
        }
    }

    private static func readLight(_ value: JSONValue) throws(SceneFileError) -> DirectionalLight {
        try value.readObject { (object) throws(SceneFileError) in
            let direction = try object.required("direction")
            let numbers = Array(try direction.readArray(count: 3...3))
            let vector = Vector3D(x: try numbers[0].readNumber(), y: try numbers[1].readNumber(), z: try numbers[2].readNumber())
            guard vector != Vector3D() else { throw direction.error("[0, 0, 0] is no direction") }
            let light = DirectionalLight(direction: vector)
            if let value = object["color"] { light.color = try value.readColor() }
            if let value = object["intensity"] { light.intensity = try value.readNumber(in: DirectionalLight.intensityRange) }
            return light
        }
    }
}

extension SceneReader {
    /// The mesh of a model file that the scene names; warnings of it become those of the scene.
    mutating func readModelFile(_ value: JSONValue) throws(SceneFileError) -> FloatMesh {
        try models.mesh(value, &images, &warnings)
    }
}
