import WaymarkGeo
import WaymarkScene

/// Reads what `waymark inspect` prints and what encoding an inspection gives. Lengths are those of the text, with 3 decimals, and degrees
/// with 9. The camera's content inset is not in it.
extension Inspection: Decodable {
    /// - Throws: `DecodingError` for what is no inspection, with the path to the value.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        let camera = try values.nestedContainer(keyedBy: InspectionKey.self, forKey: "camera")
        let size = try values.nestedContainer(keyedBy: InspectionKey.self, forKey: "size")
        let view = Camera(
            center: try camera.decode(DecodedLatLng.self, forKey: "center").value, zoom: try camera.decode(Double.self, forKey: "zoom"),
            bearing: try camera.decode(Double.self, forKey: "bearing"), tilt: try camera.decode(Double.self, forKey: "tilt"))
        let points = PointSize(
            width: try size.decode(Double.self, forKey: "width"), height: try size.decode(Double.self, forKey: "height"))
        let pixelRatio = try values.decode(Double.self, forKey: "pixelRatio")
        let placed: Viewport
        do throws(PropertyError) {
            placed = try Viewport(camera: view, size: points, pixelRatio: pixelRatio)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.description))
        }
        self.init(
            viewport: placed, overlays: try values.decode([OverlayEntry].self, forKey: "overlays"),
            clusters: try values.decode([ClusterEntry].self, forKey: "clusters"),
            symbols: try values.decode([SymbolEntry].self, forKey: "symbols"),
            diagnostics: try values.decode([DecodedDiagnostic].self, forKey: "diagnostics").map(\.value))
        viewOverlays = try values.decode([ViewEntry].self, forKey: "viewOverlays")
        infoWindow = try values.decodeIfPresent(ViewEntry.self, forKey: "infoWindow")
        attribution = try values.decodeIfPresent(String.self, forKey: "attribution")
    }
}

extension Inspection.Point: Decodable {
    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.decodeNumbers(2, "a point is [x, y]")
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension Inspection.Rect: Decodable {
    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.decodeNumbers(4, "a box is [x, y, width, height]")
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension Inspection.Icon: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        isVisible = try values.decode(Bool.self, forKey: "visible")
        quad = try values.decodeIfPresent([Inspection.Point].self, forKey: "quad")
        hiddenBy = try values.decodeIfPresent(String.self, forKey: "hiddenBy")
    }
}

extension Inspection.Caption: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        isVisible = try values.decode(Bool.self, forKey: "visible")
        align = try values.named(AlignType.init(rawValue:), forKey: "align")
        rect = try values.decodeIfPresent(Inspection.Rect.self, forKey: "rect")
        lines = try values.decode([String].self, forKey: "lines")
        hiddenBy = try values.decodeIfPresent(String.self, forKey: "hiddenBy")
        isCutByEdge = try values.decode(Bool.self, forKey: "cutByEdge")
    }
}

extension Inspection.SymbolEntry: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        id = try values.decode(String.self, forKey: "id")
        isVisible = try values.decode(Bool.self, forKey: "visible")
        hiddenBy = try values.decodeIfPresent(String.self, forKey: "hiddenBy")
        isCutByEdge = try values.decode(Bool.self, forKey: "cutByEdge")
        anchor = try values.decodeIfPresent(Inspection.Point.self, forKey: "anchor")
        rect = try values.decodeIfPresent(Inspection.Rect.self, forKey: "rect")
    }
}

extension Inspection.ViewEntry: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        id = try values.decodeIfPresent(String.self, forKey: "id")
        isVisible = try values.decode(Bool.self, forKey: "visible")
        reason = try values.named(Reason.init(name:), forKey: "reason")
        order = try values.decodeIfPresent(Int.self, forKey: "order")
        anchor = try values.decodeIfPresent(Inspection.Point.self, forKey: "anchor")
        rect = try values.decodeIfPresent(Inspection.Rect.self, forKey: "rect")
    }
}

extension Inspection.OverlayEntry: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        id = try values.decode(String.self, forKey: "id")
        guard let type = try values.named(OverlayType.init(rawValue:), forKey: "type") else { throw values.missing("type") }
        self.type = type
        isVisible = try values.decode(Bool.self, forKey: "visible")
        reason = try values.named(Reason.init(name:), forKey: "reason")
        order = try values.decodeIfPresent(Int.self, forKey: "order")
        anchor = try values.decodeIfPresent(Inspection.Point.self, forKey: "anchor")
        icon = try values.decodeIfPresent(Inspection.Icon.self, forKey: "icon")
        caption = try values.decodeIfPresent(Inspection.Caption.self, forKey: "caption")
        quad = try values.decodeIfPresent([Inspection.Point].self, forKey: "quad")
        lines = try values.decodeIfPresent([[Inspection.Point]].self, forKey: "lines")
        rings = try values.decodeIfPresent([[Inspection.Point]].self, forKey: "rings")
        rect = try values.decodeIfPresent(Inspection.Rect.self, forKey: "rect")
        triangles = try values.decodeIfPresent(Int.self, forKey: "triangles")
        copies = try values.decode(Int.self, forKey: "copies")
        members = try values.decodeIfPresent([String].self, forKey: "members")
    }
}

extension Inspection.ClusterEntry: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        id = try values.decode(String.self, forKey: "id")
        layer = try values.decode(String.self, forKey: "layer")
        count = try values.decode(Int.self, forKey: "count")
        text = try values.decode(String.self, forKey: "text")
        position = try values.decode(DecodedLatLng.self, forKey: "position").value
        anchor = try values.decodeIfPresent(Inspection.Point.self, forKey: "anchor")
        icon = try values.decodeIfPresent(Inspection.Icon.self, forKey: "icon")
        order = try values.decodeIfPresent(Int.self, forKey: "order")
        markers = try values.decode([String].self, forKey: "markers")
        boundingBox = try values.decode(DecodedBounds.self, forKey: "boundingBox").value
        expansionZoom = try values.decodeIfPresent(Int.self, forKey: "expansionZoom")
    }
}

extension Reason {
    /// The reason that `inspect` calls so.
    init?(name: String) {
        guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = reason
    }
}

// MARK: - Parts

/// A key of the object, by its text.
private struct InspectionKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral text: String) { stringValue = text }
    init?(intValue: Int) { nil }
}

private struct DecodedLatLng: Decodable {
    var value: LatLng

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        value = LatLng(lat: try values.decode(Double.self, forKey: "lat"), lng: try values.decode(Double.self, forKey: "lng"))
    }
}

private struct DecodedBounds: Decodable {
    var value: LatLngBounds

    init(from decoder: any Decoder) throws {
        let problem = "a bounding box is [west, south, east, north]"
        let numbers = try decoder.decodeNumbers(4, problem)
        guard let bounds = LatLngBounds(south: numbers[1], west: numbers[0], north: numbers[3], east: numbers[2]) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
        value = bounds
    }
}

private struct DecodedDiagnostic: Decodable {
    var value: Diagnostic

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        guard let severity = try values.named(Diagnostic.Severity.init(rawValue:), forKey: "severity") else {
            throw values.missing("severity")
        }
        value = Diagnostic(
            severity: severity, path: try values.decodeIfPresent(String.self, forKey: "path"),
            id: try values.decodeIfPresent(String.self, forKey: "id"), message: try values.decode(String.self, forKey: "message"))
    }
}

extension Decoder {
    /// Exactly `count` numbers.
    fileprivate func decodeNumbers(_ count: Int, _ problem: String) throws -> [Double] {
        let numbers = try [Double](from: self)
        guard numbers.count == count else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
        }
        return numbers
    }
}

extension KeyedDecodingContainer<InspectionKey> {
    /// One of several values by its name; nil where there is null.
    fileprivate func named<Value>(_ make: (String) -> Value?, forKey key: InspectionKey) throws -> Value? {
        guard let name = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = make(name) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "there is no \(key.stringValue) \"\(name)\"")
        }
        return value
    }

    fileprivate func missing(_ key: InspectionKey) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "there is no \(key.stringValue)")
    }
}
