import CWaymarkXML
import WaymarkGeo
import WaymarkScene
import WaymarkSystem

/// Converts GPX 1.0 and 1.1 to GeoJSON. A waypoint becomes a point, a route becomes a line, and a track becomes a line with one part for
/// each segment.
///
/// The texts in a waypoint, a route or a track, such as `name` and `type`, become properties with the names of their elements. `name` and
/// `desc` of waypoints also become `title` and `description`, which markers show. The elevations and speeds of the points of routes and
/// tracks become lists; see ``TrackValues``. Namespaces, other extensions and metadata are ignored.
final class GPXReader {
    private var writer = JSONWriter()
    private var lines: [UInt32] = []
    /// The open elements, the outermost first.
    private var open: [Element] = []
    /// The texts of the current feature, in file order.
    private var properties: [(name: String, text: String)] = []
    /// The text of the current element read so far.
    private var text: [UInt8] = []
    private var point: (lat: Double, lng: Double, line: Int)?
    private var altitude: Double?
    /// The values of the points of the current route or track.
    private var values = TrackValues()
    private var speed: Double?
    private var time: Double?
    private var problem: SceneFileError?
    private var room: OverlayRoom

    private init(_ room: OverlayRoom) {
        self.room = room
    }

    private enum Element: Equatable {
        case gpx, waypoint, route, track, segment
        /// A point of a route or a track.
        case point
        case elevation
        /// Elements of a point of a route or a track.
        case speed, time, extensions
        /// An element with a text that becomes a property.
        case property(String)
        /// An element that is skipped with its contents.
        case other
    }

    /// The elements of waypoints, routes and tracks that become properties.
    private static let names: Set<String> = ["name", "cmt", "desc", "src", "sym", "type", "time", "number", "url", "urlname"]

    /// - Parameters:
    ///   - isUTF8: Whether the text is UTF-8 regardless of its declaration.
    ///   - room: The number of features that the scene still has room for.
    /// - Returns: The GeoJSON, and the line of each feature.
    static func features(
        of bytes: [UInt8], isUTF8: Bool, room: OverlayRoom
    ) throws(SceneFileError) -> (text: [UInt8], lines: [UInt32]) {
        let reader = GPXReader(room)
        reader.writer.beginObject()
        reader.writer.member("type", "FeatureCollection")
        reader.writer.key("features")
        reader.writer.beginArray()
        var problem = wm_xml_problem()
        let handlers = wm_xml_handlers(
            context: Unmanaged.passUnretained(reader).toOpaque(),
            start: { context, name, attributes, line in
                guard let context, let name, let attributes else { return false }
                return GPXReader.of(context).start(name, attributes, Int(line))
            },
            end: { context in context.map { GPXReader.of($0).end() } ?? false },
            text: { context, text, count in
                guard let context, let text else { return false }
                GPXReader.of(context).add(UnsafeBufferPointer(start: text, count: count))
                return true
            })
        let status = bytes.withUnsafeBufferPointer { bytes in
            withExtendedLifetime(reader) { wm_xml_parse(bytes.baseAddress, bytes.count, isUTF8, handlers, &problem) }
        }
        if let problem = reader.problem { throw problem }
        guard status == WM_XML_DONE else {
            let reason = withUnsafeBytes(of: problem.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw SceneFileError(path: "line \(problem.line), column \(problem.column)", problem: reason)
        }
        reader.writer.endArray()
        reader.writer.endObject()
        return (reader.writer.bytes, reader.lines)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> GPXReader {
        Unmanaged<GPXReader>.fromOpaque(context).takeUnretainedValue()
    }
}

// The parser's callbacks.
extension GPXReader {
    private typealias Attributes = UnsafeMutablePointer<UnsafePointer<CChar>?>

    private func start(_ name: UnsafePointer<CChar>, _ attributes: Attributes, _ line: Int) -> Bool {
        // Removes the prefix of the element's namespace.
        var name = String(cString: name)
        if let colon = name.lastIndex(of: ":") { name = String(name[name.index(after: colon)...]) }
        let element = element(name)
        open.append(element)
        switch element {
        case .gpx where name != "gpx":
            problem = SceneFileError(path: "line \(line)", problem: "expected the element gpx, found \(name.quotedBriefly)")
            return false
        case .waypoint, .point:
            guard let found = position(attributes, line) else { return false }
            point = found
            (altitude, speed, time) = (nil, nil, nil)
            if element == .waypoint { return begin("Point", line) }
        case .route:
            guard begin("LineString", line) else { return false }
            writer.beginArray()
        case .track:
            guard begin("MultiLineString", line) else { return false }
            writer.beginArray()
        case .segment:
            writer.beginArray()
            values.beginPart()
        case .property, .elevation, .speed, .time: text.removeAll(keepingCapacity: true)
        case .gpx, .extensions, .other: break
        }
        return true
    }

    private func element(_ name: String) -> Element {
        switch (open.last, name) {
        case (nil, _): .gpx
        case (.gpx, "wpt"): .waypoint
        case (.gpx, "rte"): .route
        case (.gpx, "trk"): .track
        case (.route, "rtept"), (.segment, "trkpt"): .point
        case (.track, "trkseg"): .segment
        case (.waypoint, "ele"), (.point, "ele"): .elevation
        case (.point, "speed"), (.extensions, "speed"): .speed
        case (.point, "time"): .time
        case (.point, "extensions"), (.extensions, _): .extensions
        case (.waypoint, _), (.route, _), (.track, _): Self.names.contains(name) ? .property(name) : .other
        default: .other
        }
    }

    private func add(_ part: UnsafeBufferPointer<CChar>) {
        switch open.last {
        case .property, .elevation, .speed, .time: text += part.lazy.map { UInt8(bitPattern: $0) }
        default: break
        }
    }

    private func end() -> Bool {
        switch open.popLast() {
        case .property(let name):
            // If an element appears twice, the first one counts.
            if !properties.contains(where: { $0.name == name }) { properties.append((name, trimmedText)) }
        case .elevation: return endElevation()
        case .speed: speed = speed ?? Double(trimmedText).flatMap { $0.isFinite ? $0 : nil }
        case .time: time = CivilTime.seconds(of: trimmedText)
        case .point:
            writePosition()
            if let point { values.add(lat: point.lat, lng: point.lng, elevation: altitude, speed: speed, time: time) }
        case .waypoint:
            writePosition()
            finish(isPoint: true)
        case .segment: writer.endArray()
        case .route, .track:
            writer.endArray()
            finish(isPoint: false)
        case .gpx, .extensions, .other, nil: break
        }
        return true
    }

    private func endElevation() -> Bool {
        let text = trimmedText
        guard !text.isEmpty else { return true }
        guard let number = Double(text), number.isFinite else {
            problem = SceneFileError(path: "line \(point?.line ?? 1): ele", problem: "\(text.quotedBriefly) is not a number")
            return false
        }
        altitude = number
        if open.last == .waypoint { properties.append(("ele", text)) }
        return true
    }
}

// Features.
extension GPXReader {
    /// Begins a feature; returns false when the scene is full.
    private func begin(_ geometry: String, _ line: Int) -> Bool {
        do throws(SceneFileError) {
            try room.take()
        } catch {
            problem = error
            return false
        }
        lines.append(UInt32(clamping: line))
        properties.removeAll(keepingCapacity: true)
        values = TrackValues()
        writer.beginObject()
        writer.member("type", "Feature")
        writer.key("geometry")
        writer.beginObject()
        writer.member("type", geometry)
        writer.key("coordinates")
        return true
    }

    private func writePosition() {
        guard let point else { return }
        writer.beginArray()
        writer.number(point.lng)
        writer.number(point.lat)
        if let altitude { writer.number(altitude) }
        writer.endArray()
    }

    private func finish(isPoint: Bool) {
        writer.endObject()
        writer.key("properties")
        writer.beginObject()
        for (name, text) in properties { writer.member(name, text) }
        if !isPoint { values.write(to: &writer) }
        if isPoint {
            for (name, known) in [("name", "title"), ("desc", "description")] {
                writer.member(known, properties.first { $0.name == name }?.text)
            }
        }
        writer.endObject()
        writer.endObject()
    }

    private func position(_ attributes: Attributes, _ line: Int) -> (lat: Double, lng: Double, line: Int)? {
        var (lat, lng): (Double?, Double?)
        var next = attributes
        while let name = next[0], let value = next[1] {
            let (name, text) = (String(cString: name), String(cString: value))
            next += 2
            guard name == "lat" || name == "lon" else { continue }
            guard let number = Double(text.filter { !$0.isWhitespace }), number.isFinite else {
                problem = SceneFileError(path: "line \(line): \(name)", problem: "\(text.quotedBriefly) is not a number")
                return nil
            }
            if name == "lon" {
                lng = number
            } else if JSONValue.latitudes.contains(number) {
                lat = number
            } else {
                problem = SceneFileError(path: "line \(line): lat", problem: "\(plain(number)) is outside -90…90")
                return nil
            }
        }
        guard let lat, let lng else {
            problem = SceneFileError(path: "line \(line)", problem: "a point has no attribute \(lat == nil ? "lat" : "lon")")
            return nil
        }
        return (lat, lng, line)
    }

    /// The text without surrounding white space.
    private var trimmedText: String {
        let start = text.firstIndex { !FeatureFile.isSpace($0) } ?? text.endIndex
        let end = text.lastIndex { !FeatureFile.isSpace($0) }.map { $0 + 1 } ?? start
        return String(decoding: text[start..<end], as: UTF8.self)
    }
}

/// The library that parses XML, for `waymark doctor`.
package enum XMLLibrary {
    package static var facts: LibraryFacts {
        var text = [CChar](repeating: 0, count: Int(WM_XML_MESSAGE_LENGTH))
        wm_xml_version(&text)
        let version = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return LibraryFacts("expat", version: version, purpose: "GPX")
    }
}
