import WaymarkGeo
import WaymarkScene

/// Reads polygons: keys are the property names.
enum PolygonDecoder {
    /// A whole polygon object of a scene.
    static func polygon(_ value: JSONValue) throws(SceneFileError) -> Polygon {
        let polygon = Polygon()
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            if let id = object["id"] { polygon.id = try MarkerDecoder.readID(id) }
            if let polygons = object["polygons"] {
                if let rings = object["rings"] { throw rings.error("a polygon has either rings or polygons") }
                var list: [[[LatLng]]] = []
                for rings in try polygons.readArray() { list.append(try readRings(rings)) }
                guard !list.isEmpty else { throw polygons.error("expected a polygon or more") }
                polygon.polygons = list
            } else {
                polygon.rings = try readRings(try object.required("rings"))
            }
            try readProperties(&object, of: polygon)
        }
        return polygon
    }

    private static func readRings(_ value: JSONValue) throws(SceneFileError) -> [[LatLng]] {
        var rings: [[LatLng]] = []
        for ring in try value.readArray() { rings.append(try ring.readRing()) }
        guard !rings.isEmpty else { throw value.error("expected a ring or more") }
        return rings
    }

    /// Everything but where it is and what it is called.
    static func readProperties(_ object: inout ObjectReader, of polygon: Polygon) throws(SceneFileError) {
        try MarkerDecoder.readOverlay(&object, of: polygon)
        if let value = object["fillColor"] { polygon.fillColor = try value.readColor() }
        if let value = object["outlineWidth"] { polygon.outlineWidth = try value.readNumber(in: Polyline.widthRange) }
        if let value = object["outlineColor"] { polygon.outlineColor = try value.readColor() }
    }
}
