import WaymarkScene

/// The members of an object, matched to the properties of a kind with one look-up per key.
struct PropertyMembers {
    private let value: JSONValue
    private let list: PropertyList
    private let isTemplate: Bool
    /// The values of the properties, in the order of the list.
    private var nodes: [JSONNode?]
    /// The first key in the file that is unknown or repeated.
    private var stray: (key: JSONNode, isRepeated: Bool)?

    /// Throws if the value is not an object.
    /// - Parameters:
    ///   - isTemplate: Whether keys that templates cannot set count as unknown.
    ///   - other: A list whose keys may also be present if they are null: the keys of another form of the object.
    init(_ value: JSONValue, _ list: PropertyList, isTemplate: Bool = false, besides other: PropertyList? = nil) throws(SceneFileError) {
        self.value = value
        self.list = list
        self.isTemplate = isTemplate
        nodes = Array(repeating: nil, count: list.properties.count)
        let document = value.document
        guard value.kind == .object, var members = document.tape.members(of: value.node) else { throw value.unexpected("an object") }
        var hasNulls = false
        while let (key, node) = members.next(in: document.tape) {
            let isNull = document.tape.kind(of: node) == .null
            if isNull { hasNulls = true }
            let index = document.tape.withUTF8(of: key) { list.index(of: $0) } ?? nil
            if let index, !isTemplate || list.properties[index].template != nil {
                if nodes[index] == nil {
                    nodes[index] = node
                } else if stray == nil {
                    stray = (key, true)
                }
            } else if stray == nil {
                if isNull, let other, (document.tape.withUTF8(of: key) { other.index(of: $0) } ?? nil) != nil { continue }
                stray = (key, false)
            }
        }
        if hasNulls {
            // A null value is equivalent to leaving the key out. For a required key, null is kept, so that the error can name it.
            for (index, node) in nodes.enumerated() where !list.properties[index].isRequired {
                if let node, document.tape.kind(of: node) == .null { nodes[index] = nil }
            }
        }
        try checkExclusiveKeys()
    }

    /// The value of the property with the given index.
    func value(at index: Int) -> JSONValue? {
        nodes[index].map { JSONValue(document: value.document, node: $0) }
    }

    /// The indices of the properties that have values, in file order.
    var placesInFileOrder: [Int] {
        let given = nodes.enumerated().compactMap { index, node in node.map { (index: index, node: $0) } }
        return given.sorted { $0.node < $1.node }.map(\.index)
    }

    private func checkExclusiveKeys() throws(SceneFileError) {
        guard let conflict = list.firstConflict({ nodes[$0] != nil }) else { return }
        let (keys, isMissing) = conflict
        if !isMissing {
            let reported = list.properties.firstIndex { $0.name == keys.reportedAt }
            throw (reported.flatMap(value(at:)) ?? value).error(keys.problem)
        }
        // A template may lack keys that it cannot set.
        if !isTemplate, let missing = keys.missing { throw value.error(missing) }
    }

    /// Throws for the first key in the file that is unknown or repeated.
    func checkKeys() throws(SceneFileError) {
        guard let stray else { return }
        let key = value.document.tape.string(of: stray.key) ?? ""
        if stray.isRepeated { throw value.repeated(key) }
        throw value.error("unknown key \(key.quotedBriefly)\(hint(for: key, list.synonyms, among: knownNames))")
    }

    private var knownNames: [String] {
        list.properties.filter { property in
            if case .refused = property.type { return false }
            return !isTemplate || property.template != nil
        }.map(\.name)
    }
}

extension SceneReader {
    /// Reads a key that the property table leaves to the scene reader.
    typealias PartReader = (ScenePart, JSONValue, inout SceneReader) throws(SceneFileError) -> Void

    /// Sets the properties given in the scene on an object, in the order of the table.
    /// - Parameters:
    ///   - other: A list whose keys may also be present if they are null.
    ///   - readPart: Called for the parts of the table, if any.
    mutating func decode(
        _ value: JSONValue, _ list: PropertyList, besides other: PropertyList? = nil, into object: AnyObject,
        readPart: PartReader = { (_, _, _) throws(SceneFileError) in }
    ) throws(SceneFileError) {
        let members = try PropertyMembers(value, list, besides: other)
        for index in list.properties.indices {
            if let member = members.value(at: index) {
                try read(member, list.properties[index], into: object, readPart)
            } else if list.properties[index].isRequired {
                // A misspelled key is the reason why a key is missing.
                try members.checkKeys()
                throw value.error("missing key \"\(list.properties[index].name)\"")
            }
        }
        try members.checkKeys()
    }

    /// Sets one property of an object; throws if the table does not allow the value.
    mutating func read(
        _ value: JSONValue, _ property: Property, into object: AnyObject, _ readPart: PartReader = { (_, _, _) throws(SceneFileError) in }
    ) throws(SceneFileError) {
        switch property.type {
        case .number(let accessor, let range): accessor.set(object, try value.readNumber(in: range))
        case .size(let accessor, let range):
            accessor.set(object, value.isString("auto") ? Marker.sizeAuto : try value.readNumber(in: range))
        case .integer(let accessor, let allowed): accessor.set(object, try value.readInteger(of: allowed))
        case .wholeNumber(let accessor, let range): accessor.set(object, try value.readInteger(in: range))
        case .boolean(let accessor): accessor.set(object, try value.readBoolean())
        case .text(let accessor, let form): accessor.set(object, try value.readText(form))
        case .color(let accessor): accessor.set(object, try value.readColor())
        case .image(let accessor): accessor.set(object, try images.image(value))
        case .point(let accessor, let range): accessor.set(object, try value.readPoint(in: range))
        case .direction(let accessor): accessor.set(object, try value.readDirection())
        case .position(let accessor, let latitudes): accessor.set(object, try value.readPosition(latitudes: latitudes))
        case .bounds(let accessor): accessor.set(object, try value.readBounds())
        case .choice(let accessor, let names): accessor.set(object, try value.readChoice(of: names))
        case .choices(let accessor, let names): accessor.set(object, try value.readChoices(of: names))
        case .zoomLevels(let accessor): accessor.set(object, try value.readZoomLevels())
        case .pattern(let accessor): accessor.set(object, try value.readPattern())
        case .lineColor(let accessor): accessor.set(object, try value.readLineColor(besides: accessor.get(object)))
        case .gradient(let accessor): accessor.set(object, try value.readGradient())
        case .pointValues(let accessor): accessor.set(object, try value.readPointValues())
        case .line(let accessor): accessor.set(object, try value.readLine())
        case .lines(let accessor): accessor.set(object, try value.readLines())
        case .rings(let accessor): accessor.set(object, try value.readRings())
        case .polygons(let accessor): accessor.set(object, try value.readPolygons())
        case .content(let accessor): accessor.set(object, try readContent(value))
        case .object(let accessor, let list):
            let nested = accessor.get(object)
            try decode(value, list, into: nested)
            accessor.set(object, nested)
        case .objects(let accessor, let list, let limit): accessor.set(object, try readObjects(value, property, list, atMost: limit))
        case .part(let part): try readPart(part, value, &self)
        case .refused(let reason): throw value.error(reason)
        }
    }

    private mutating func readObjects(
        _ value: JSONValue, _ property: Property, _ list: PropertyList, atMost limit: Int
    ) throws(SceneFileError) -> [AnyObject] {
        let elements = try value.readArray()
        guard value.count <= limit else {
            throw value.error("a model may have at most \(limit) \(property.name), not \(value.count)")
        }
        var objects: [AnyObject] = []
        for element in elements {
            let object = list.make()
            try decode(element, list, into: object)
            objects.append(object)
        }
        return objects
    }
}
