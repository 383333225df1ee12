import WaymarkScene

/// Reads routes: keys are the property names.
enum RouteDecoder {
    /// A whole route object of a scene.
    static func route(_ value: JSONValue) throws(SceneFileError) -> Route {
        let route = Route()
        try value.readObject { (object) throws(SceneFileError) in
            try PolylineDecoder.readPlace(&object, of: route)
            try PolylineDecoder.readProperties(&object, of: route)
            if let value = object["passedColor"] { route.passedColor = try value.readColor() }
            if let value = object["progress"] { route.progress = try value.readNumber(in: -1...1) }
        }
        return route
    }
}
