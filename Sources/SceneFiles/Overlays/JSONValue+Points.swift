import WaymarkGeo
import WaymarkScene

// Lists of points, which can be long.
extension JSONValue {
    /// `[position, …]`, or `{"polyline": "…", "precision": 5 or 6}` in Google's encoding.
    func readPoints() throws(SceneFileError) -> [LatLng] {
        switch kind {
        case .array: return try readPositions()
        case .object:
            return try readObject { (object) throws(SceneFileError) in
                let text = try object.required("polyline")
                let precision = try object["precision"]?.readInteger(in: 5...6) ?? 5
                return try text.readEncodedPolyline(precision: precision)
            }
        default: throw unexpected("an array of positions or {\"polyline\": …}")
        }
    }

    /// The points of a line.
    func readLine() throws(SceneFileError) -> [LatLng] {
        let points = try readPoints()
        guard points.count >= 2 else { throw error("a line needs at least 2 points, not \(points.count)") }
        return points
    }

    /// The points of a ring, closed or not.
    func readRing() throws(SceneFileError) -> [LatLng] {
        let points = try readPoints()
        if let problem = points.ringProblem { throw error(problem) }
        return points
    }

    /// The parts of a polyline.
    func readLines() throws(SceneFileError) -> [[LatLng]] {
        let lines = try readArray().map { (line) throws(SceneFileError) in try line.readLine() }
        guard !lines.isEmpty else { throw error("expected at least one part") }
        return lines
    }

    /// The rings of one area.
    func readRings() throws(SceneFileError) -> [[LatLng]] {
        let rings = try readArray().map { (ring) throws(SceneFileError) in try ring.readRing() }
        guard !rings.isEmpty else { throw error("expected at least one ring") }
        return rings
    }

    /// The rings of several areas.
    func readPolygons() throws(SceneFileError) -> [[[LatLng]]] {
        let polygons = try readArray().map { (rings) throws(SceneFileError) in try rings.readRings() }
        guard !polygons.isEmpty else { throw error("expected at least one polygon") }
        return polygons
    }

    private func readPositions() throws(SceneFileError) -> [LatLng] {
        var points: [LatLng] = []
        points.reserveCapacity(count)
        for element in try readArray() {
            // A fast path for [lng, lat]; any other form, and any error, takes the general path.
            if var rest = document.tape.elements(of: element.node), let east = rest.next(in: document.tape),
                let north = rest.next(in: document.tape), rest.next(in: document.tape) == nil,
                let lng = document.tape.double(of: east), let lat = document.tape.double(of: north), Self.latitudes.contains(lat)
            {
                points.append(LatLng(lat: lat, lng: lng))
            } else {
                points.append(try element.readPosition())
            }
        }
        return points
    }

    private func readEncodedPolyline(precision: Int) throws(SceneFileError) -> [LatLng] {
        do throws(EncodedPolyline.Problem) {
            let decoded = try withUTF8 { (bytes) throws(EncodedPolyline.Problem) in
                try EncodedPolyline(bytes, precision: precision).points
            }
            if let decoded { return decoded }
        } catch {
            throw self.error(error.text)
        }
        throw unexpected("a string")
    }
}

// Bounds.
extension JSONValue {
    /// `[west, south, east, north]` in degrees; west is greater than east across ±180°.
    func readBounds() throws(SceneFileError) -> LatLngBounds {
        var numbers: [Double] = []
        for (index, element) in zip(0..., try readArray(count: 4...4)) {
            numbers.append(try index % 2 == 1 ? element.readNumber(in: -90...90) : element.readNumber())
        }
        guard let bounds = LatLngBounds(south: numbers[1], west: numbers[0], north: numbers[3], east: numbers[2]) else {
            throw error("south, \(plain(numbers[1])), is above north, \(plain(numbers[3]))")
        }
        return bounds
    }
}

extension [LatLng] {
    /// The reason why a ring is invalid; nil if it is valid.
    var ringProblem: String? {
        let isClosed = count > 1 && first == last
        let corners = isClosed ? count - 1 : count
        return corners >= 3 ? nil : "a ring needs at least 3 points\(isClosed ? " before it closes" : ""), not \(corners)"
    }
}
