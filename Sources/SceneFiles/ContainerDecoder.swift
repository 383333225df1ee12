import WaymarkScene

/// Reads containers: keys are the property names, and `children` are overlays.
enum ContainerDecoder {
    /// A container with everything in it.
    /// - Parameter name: What it is called when it has no id; what is in it and has none is called after it.
    static func container(_ value: JSONValue, name: String, _ scene: inout SceneReader) throws(SceneFileError) -> Container {
        let container = Container()
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            let id = try object["id"].map(MarkerDecoder.readID) ?? name
            container.id = id
            try scene.claim(id, at: value)
            if let value = object["globalZIndex"] {
                throw value.error("a container has no global z index; what is in it keeps its own, and zIndex orders the container")
            }
            try MarkerDecoder.readOverlay(&object, of: container)
            try scene.readOverlays(try object.required("children"), prefix: id + "/", into: .container(container))
        }
        return container
    }
}
