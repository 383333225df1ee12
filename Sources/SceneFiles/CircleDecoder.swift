import WaymarkScene

/// Reads circles: keys are the property names.
enum CircleDecoder {
    /// A whole circle object of a scene.
    static func circle(_ value: JSONValue) throws(SceneFileError) -> Circle {
        let circle = Circle()
        try value.readObject { (object) throws(SceneFileError) in
            _ = object["type"]
            if let id = object["id"] { circle.id = try MarkerDecoder.readID(id) }
            circle.center = try object.required("center").readPosition()
            if let value = object["radius"] { circle.radius = try value.readNumber(in: Circle.radiusRange) }
            try MarkerDecoder.readOverlay(&object, of: circle)
            if let value = object["fillColor"] { circle.fillColor = try value.readColor() }
            if let value = object["outlineWidth"] { circle.outlineWidth = try value.readNumber(in: Polyline.widthRange) }
            if let value = object["outlineColor"] { circle.outlineColor = try value.readColor() }
        }
        return circle
    }
}
