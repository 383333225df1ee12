import WaymarkGeo
import WaymarkScene

/// Reads the output of `waymark inspect`, or of encoding an inspection. Lengths have the three decimal places of the text, and degrees have
/// nine. The camera's content inset is not included.
extension Inspection: Decodable {
    /// - Throws: `DecodingError`, with the path of the value, if the data is not an inspection.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: InspectionKey.self)
        let camera = try values.nestedContainer(keyedBy: InspectionKey.self, forKey: "camera")
        let size = try values.nestedContainer(keyedBy: InspectionKey.self, forKey: "size")
        let view = Camera(
            center: try camera.decode(LatLng.self, forKey: "center"), zoom: try camera.decode(Double.self, forKey: "zoom"),
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
            diagnostics: try values.decode([DecodedDiagnostic].self, forKey: "diagnostics").map {
                Diagnostic(severity: $0.severity, path: $0.path, id: $0.id, message: $0.message)
            })
        viewOverlays = try values.decode([ViewEntry].self, forKey: "viewOverlays")
        infoWindow = try values.decodeIfPresent(ViewEntry.self, forKey: "infoWindow")
        elements = try values.decodeIfPresent([ElementEntry].self, forKey: "elements") ?? []
        attribution = try values.decodeIfPresent(String.self, forKey: "attribution")
    }
}

extension Inspection.Point: Decodable {
    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.decodeNumbers(2, "a point must be [x, y]")
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension Inspection.Rect: Decodable {
    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.decodeNumbers(4, "a box must be [x, y, width, height]")
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

// A reason is decoded from its name, as `inspect` prints it.
extension Reason: Decodable {
    public init(from decoder: any Decoder) throws { self = try decoder.named { name in Self.allCases.first { $0.name == name } } }
}

extension OverlayType: Decodable {
    public init(from decoder: any Decoder) throws { self = try decoder.named(Self.init(rawValue:)) }
}

extension AlignType: Decodable {
    public init(from decoder: any Decoder) throws { self = try decoder.named(Self.init(rawValue:)) }
}

extension ElementPlace: Decodable {}

extension Diagnostic.Severity: Decodable {
    public init(from decoder: any Decoder) throws { self = try decoder.named(Self.init(rawValue:)) }
}

/// A key of an object, given by its text.
private struct InspectionKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral text: String) { stringValue = text }
    init?(intValue: Int) { nil }
}

private struct DecodedDiagnostic: Decodable {
    var severity: Diagnostic.Severity
    var path: String?
    var id: String?
    var message: String
}

extension Decoder {
    /// Decodes exactly `count` numbers.
    fileprivate func decodeNumbers(_ count: Int, _ problem: String) throws -> [Double] {
        let numbers = try [Double](from: self)
        guard numbers.count == count else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
        }
        return numbers
    }

    /// Decodes one of several values from its name.
    fileprivate func named<Value>(_ make: (String) -> Value?) throws -> Value {
        let name = try String(from: self)
        if let value = make(name) { return value }
        let problem = "unknown \(codingPath.last?.stringValue ?? "value") \"\(name)\""
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
    }
}
