import WaymarkGeo
import WaymarkScene

/// Reads polylines: keys are the property names.
enum PolylineDecoder {
    /// A whole polyline object of a scene.
    static func polyline(_ value: JSONValue) throws(SceneFileError) -> Polyline {
        let polyline = Polyline()
        try value.readObject { (object) throws(SceneFileError) in
            try readPlace(&object, of: polyline)
            try readProperties(&object, of: polyline)
        }
        return polyline
    }

    /// Where it is and what it is called.
    static func readPlace(_ object: inout ObjectReader, of polyline: Polyline) throws(SceneFileError) {
        _ = object["type"]
        if let id = object["id"] { polyline.id = try MarkerDecoder.readID(id) }
        if let parts = object["parts"] {
            if let points = object["points"] { throw points.error("a line has either points or parts") }
            var list: [[LatLng]] = []
            for part in try parts.readArray() { list.append(try part.readLine()) }
            guard !list.isEmpty else { throw parts.error("expected a part or more") }
            polyline.parts = list
        } else {
            polyline.points = try object.required("points").readLine()
        }
    }

    /// Everything else.
    static func readProperties(_ object: inout ObjectReader, of polyline: Polyline) throws(SceneFileError) {
        try MarkerDecoder.readOverlay(&object, of: polyline)
        if let value = object["width"] { polyline.width = try value.readNumber(in: Polyline.widthRange) }
        if let value = object["color"] { polyline.color = try value.readColor() }
        if let value = object["capType"] { polyline.capType = try value.readName(LineCap.allCases.map(\.rawValue), LineCap.init) }
        if let value = object["joinType"] { polyline.joinType = try value.readName(LineJoin.allCases.map(\.rawValue), LineJoin.init) }
        if let value = object["miterLimit"] { polyline.miterLimit = try value.readNumber(in: Polyline.miterLimitRange) }
        if let value = object["pattern"] { polyline.pattern = try readPattern(value) }
        if let value = object["outlineWidth"] { polyline.outlineWidth = try value.readNumber(in: Polyline.widthRange) }
        if let value = object["outlineColor"] { polyline.outlineColor = try value.readColor() }
        if let value = object["isGeodesic"] { polyline.isGeodesic = try value.readBoolean() }
        if let value = object["isPerspectiveEnabled"] { polyline.isPerspectiveEnabled = try value.readBoolean() }
    }

    private static func readPattern(_ value: JSONValue) throws(SceneFileError) -> [Double] {
        var pattern: [Double] = []
        for length in try value.readArray() { pattern.append(try length.readNumber(in: Polyline.patternRange)) }
        guard pattern.count <= Polyline.mostPatternLengths else {
            throw value.error("it has \(pattern.count) lengths, more than \(Polyline.mostPatternLengths)")
        }
        let sum = pattern.reduce(0, +)
        guard pattern.isEmpty || sum >= Polyline.shortestPattern else {
            throw value.error("its lengths come to \(sum.plainText) pt, less than \(Polyline.shortestPattern)")
        }
        return pattern
    }
}
