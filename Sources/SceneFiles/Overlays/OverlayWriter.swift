import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Writes overlays in the form of scene files, which ``SceneReader`` reads. Properties that have their defaults are left out.
enum OverlayWriter {
    /// The maximum number of containers around an overlay. In JSON, each container takes an object and an array. The rest of the maximum
    /// depth is for the scene around them and for the values of the overlay.
    private static let nestingLimit = (JSONScanner.maximumDepth - 100) / 2

    /// Writes an overlay with its contents.
    /// - Throws: For an overlay that cannot be on a map, or that a scene file cannot describe.
    static func overlay(_ overlay: Overlay) throws(PropertyError) -> JSONText {
        try checkNesting(of: overlay)
        return try text(of: overlay)
    }

    /// Checks that containers are not nested too deeply for JSON. On a map, the depth of containers is unlimited.
    private static func checkNesting(of overlay: Overlay) throws(PropertyError) {
        var containers = [overlay].compactMap { $0 as? Container }
        var depth = 0
        while !containers.isEmpty {
            depth += 1
            guard depth <= nestingLimit else {
                throw PropertyError(
                    path: "children", problem: "containers in a scene file can be nested at most \(nestingLimit) levels deep")
            }
            containers = containers.flatMap { $0.children.compactMap { $0 as? Container } }
        }
    }

    private static func text(of overlay: Overlay) throws(PropertyError) -> JSONText {
        guard !overlay.isPlaceless else {
            throw PropertyError(path: overlay.placeProperty, problem: "the \(overlay.type.rawValue) has no \(overlay.placeProperty)")
        }
        if let problem = overlay.firstProblem() { throw problem }
        return .object(try members(of: overlay, overlay.type.properties))
    }

    static func overlay(_ overlay: ViewOverlay) throws(PropertyError) -> JSONText {
        if let problem = overlay.firstProblem() { throw problem }
        return .object([("type", .string(ViewOverlayProperties.type))] + (try members(of: overlay, ViewOverlayProperties.table.list)))
    }

    /// The properties of an object that differ from the defaults or are required.
    /// - Parameter prefix: The path of the object in errors, with a final dot.
    static func members(of object: AnyObject, _ list: PropertyList, _ prefix: String = "") throws(PropertyError) -> [(String, JSONText)] {
        let plain = list.make()
        let hasMadeUpID = (object as? Overlay)?.hasMadeUpID ?? (object as? ViewOverlay)?.hasMadeUpID ?? false
        var members: [(String, JSONText)] = []
        for property in list.properties {
            let path = prefix + property.name
            switch property.type {
            case .part(let part):
                if let value = try self.part(part, of: object, path) { members.append((property.name, value)) }
            case .refused: break
            case .text where property.name == "id" && hasMadeUpID: break
            default:
                guard property.isRequired || !property.isEqual(object, plain) else { continue }
                members.append((property.name, try property.type.value(of: object, path)))
            }
        }
        // Exclusive keys are forms of one value; the last one is the most general.
        for keys in list.exclusive {
            let present = members.map(\.0).filter(keys.names.contains)
            members.removeAll { present.dropLast().contains($0.0) }
        }
        return members
    }

    /// The members of a patch that sets the assigned properties of an overlay. Null stands for a default, because it removes the key. The
    /// default itself is not written, because a default color may not be exact in 8 bits per channel.
    static func patch(_ assignment: PropertyAssignment, _ list: PropertyList) throws(PropertyError) -> [(String, JSONText)] {
        var members = try patch(list, assignment.object, assignment.paths, "")
        for keys in list.exclusive {
            guard let last = members.lastIndex(where: { keys.names.contains($0.0) }) else { continue }
            let (name, value) = members[last]
            if case .null = value { continue }
            members.removeAll { keys.names.contains($0.0) }
            members.append((name, value))
            for other in keys.names where other != name { members.append((other, .null)) }
        }
        return members
    }

    private static func patch(
        _ list: PropertyList, _ object: AnyObject, _ paths: Set<String>, _ prefix: String
    ) throws(PropertyError) -> [(String, JSONText)] {
        let plain = list.make()
        var members: [(String, JSONText)] = []
        for property in list.properties {
            let path = prefix + property.name
            if case .object(let accessor, let inner) = property.type {
                let nested = try patch(inner, accessor.get(object), paths, path + ".")
                if !nested.isEmpty { members.append((property.name, .object(nested))) }
            } else if case .content(let accessor) = property.type, paths.contains(path), let content = accessor.get(object) {
                members.append((property.name, try replacement(content, path)))
            } else if paths.contains(path) {
                members.append((property.name, try patch(property, object, plain, path)))
            }
        }
        return members
    }

    /// The value of a property in a patch.
    private static func patch(
        _ property: Property, _ object: AnyObject, _ plain: AnyObject, _ path: String
    ) throws(PropertyError) -> JSONText {
        // Parts are always equal.
        if case .part = property.type { return try property.type.value(of: object, path) }
        return !property.isRequired && property.isEqual(object, plain) ? .null : try property.type.value(of: object, path)
    }
}

extension OverlayWriter {
    /// A key of scene files whose value is not a plain property; nil for keys that the object does not need.
    static func part(_ part: ScenePart, of object: AnyObject, _ path: String) throws(PropertyError) -> JSONText? {
        switch part {
        case .type: return (object as? Overlay).map { .string($0.type.rawValue) }
        case .floatMesh:
            guard let model = object as? LocalModel else { return nil }
            return try mesh(model.mesh, path)
        case .geoMesh:
            guard let model = object as? GeoModel else { return nil }
            return mesh(model.mesh, model.mesh.vertices.map { .vector($0) })
        case .overlays:
            var children: [JSONText] = []
            for (index, child) in ((object as? Container)?.children ?? []).enumerated() {
                do throws(PropertyError) { children.append(try text(of: child)) } catch { throw error.within("\(path)[\(index)]") }
            }
            return .array(children)
        case .clusterMarkers:
            guard let layer = object as? ClusterLayer else { return nil }
            return try markers(of: layer, path)
        case .theme:
            guard let theme = (object as? ClusterLayer)?.theme else { return nil }
            var ranges: [JSONText] = []
            for (index, range) in theme.styles.enumerated() {
                let bounds = range.densityRange
                ranges.append([
                    "densityRange": [.integer(bounds.lowerBound), bounds.upperBound == .max ? .null : .integer(bounds.upperBound)],
                    "style": .object(try members(of: range.style, "\(path)[\(index)].style.")),
                ])
            }
            return .array(ranges)
        case .version, .fit, .camera, .images, .sky, .baseMap, .tileSource, .languages, .symbols, .source, .markerTemplate,
            .polylineTemplate,
            .polygonTemplate, .symbolTemplate, .modelFile, .usesAltitude, .infoWindow, .stack, .svg, .events, .elements:
            return nil
        }
    }

    private static func markers(of layer: ClusterLayer, _ path: String) throws(PropertyError) -> JSONText {
        guard layer.source == nil else {
            throw PropertyError(
                path: path,
                problem: "points that were loaded from a file cannot be written; write the layer as JSON, with the key \"source\"")
        }
        guard layer.properties.isEmpty else {
            throw PropertyError(path: "properties", problem: "markers in scene files have no values from which clusters could compute sums")
        }
        var markers: [JSONText] = []
        for (index, marker) in layer.markers.enumerated() {
            do throws(PropertyError) { markers.append(try text(of: marker)) } catch { throw error.within("\(path)[\(index)]") }
        }
        return .array(markers)
    }

    private static func members(of style: ClusterStyle, _ prefix: String) throws(PropertyError) -> [(String, JSONText)] {
        if let style = style as? ImageClusterStyle { return try members(of: style, ClusterStyleProperties.image.list, prefix) }
        if let style = style as? BasicClusterStyle { return try members(of: style, ClusterStyleProperties.basic.list, prefix) }
        return []
    }

    private static func mesh(_ mesh: FloatMesh, _ path: String) throws(PropertyError) -> JSONText {
        guard mesh.surfaces.isEmpty else {
            throw PropertyError(
                path: "\(path).surfaces",
                problem: "a mesh with surfaces cannot be written into a scene file; write the model as JSON, with the key \"model\" and a "
                    + "file instead of \"mesh\"")
        }
        return self.mesh(mesh, mesh.vertices.map { .vector($0) })
    }

    private static func mesh(_ mesh: Mesh, _ vertices: [JSONText]) -> JSONText {
        var members: [(String, JSONText)] = [
            ("vertices", .array(vertices)),
            ("triangles", .array(mesh.triangles.map { [.integer(Int($0.x)), .integer(Int($0.y)), .integer(Int($0.z))] })),
        ]
        // In a patch, null removes the list of an earlier mesh.
        func add(_ name: String, _ list: [JSONText]) { members.append((name, list.isEmpty ? .null : .array(list))) }
        add("textureCoordinates", mesh.textureCoordinates.map { .vector($0) })
        add("normals", mesh.normals.map { .vector($0) })
        add("colors", mesh.colors.map { .string($0.description) })
        return .object(members)
    }

    /// The content of a view.
    static func content(_ content: OverlayContent, _ path: String) throws(PropertyError) -> JSONText {
        switch content {
        case .label(let label):
            return .object([("label", .object(try members(of: Box(label), LabelProperties.table.list, "\(path).label.")))])
        case .image(let image):
            return .object(try members(of: Box(image), ImageContentProperties.table.list, "\(path)."))
        case .stack(let stack):
            var pieces: [JSONText] = []
            for (index, piece) in stack.contents.enumerated() { pieces.append(try self.content(piece, "\(path).stack[\(index)]")) }
            return .object([("stack", .array(pieces))] + (try members(of: Box(stack), StackProperties.table.list, "\(path).")))
        case .drawing:
            throw PropertyError(path: path, problem: "a scene file cannot have a custom drawing")
        }
    }

    /// Content as a patch that replaces all earlier content. It contains every key, with null for keys that the content does not have.
    private static func replacement(_ content: OverlayContent, _ path: String) throws(PropertyError) -> JSONText {
        var own: [(String, JSONText)]
        switch content {
        case .label(let label): own = [("label", .object(try allMembers(of: Box(label), LabelProperties.table.list, "\(path).label.")))]
        case .image(let image): own = try allMembers(of: Box(image), ImageContentProperties.table.list, "\(path).")
        case .stack(let stack):
            own = try allMembers(of: Box(stack), StackProperties.table.list, "\(path).")
            if case .object(let members) = try self.content(content, path) { own += members.filter { $0.0 == "stack" } }
        case .drawing: return try self.content(content, path)
        }
        let lists = [ImageContentProperties.table.list, SVGContentProperties.table.list, StackProperties.table.list]
        for name in ["label"] + lists.flatMap({ $0.properties.map(\.name) }) where !own.contains(where: { $0.0 == name }) {
            own.append((name, .null))
        }
        return .object(own)
    }

    /// All properties of an object and of the objects in it, as in a patch.
    private static func allMembers(
        of object: AnyObject, _ list: PropertyList, _ prefix: String
    ) throws(PropertyError) -> [(String, JSONText)] {
        let plain = list.make()
        var members: [(String, JSONText)] = []
        for property in list.properties {
            let path = prefix + property.name
            switch property.type {
            case .part: break
            // A patch keeps members of an earlier object that it does not list.
            case .object(let accessor, let inner):
                members.append((property.name, .object(try allMembers(of: accessor.get(object), inner, path + "."))))
            default: members.append((property.name, try patch(property, object, plain, path)))
            }
        }
        return members
    }
}
