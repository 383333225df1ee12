/// A position is encoded as `{"lat": …, "lng": …}`, with the key `altitude` unless it is 0. As in GeoJSON, it is also decoded from the
/// arrays `[lng, lat]` and `[lng, lat, altitude]`. Scene files accept the same forms.
extension LatLng: Codable {
    private enum CodingKeys: CodingKey { case lat, lng, altitude }

    public init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            let lng = try list.decode(Double.self)
            let lat = try list.decode(Double.self)
            self.init(lat: lat, lng: lng, altitude: try list.decodeIfPresent(Double.self) ?? 0)
            guard list.isAtEnd else {
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "a position has more than three numbers")
            }
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            lat: try values.decode(Double.self, forKey: .lat), lng: try values.decode(Double.self, forKey: .lng),
            altitude: try values.decodeIfPresent(Double.self, forKey: .altitude) ?? 0)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(lat, forKey: .lat)
        try values.encode(lng, forKey: .lng)
        if altitude != 0 { try values.encode(altitude, forKey: .altitude) }
    }
}

/// Bounds are encoded as `[west, south, east, north]`, as in GeoJSON and in scene files.
extension LatLngBounds: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        let numbers = try (0..<4).map { _ in try list.decode(Double.self) }
        guard list.isAtEnd, let bounds = LatLngBounds(south: numbers[1], west: numbers[0], north: numbers[3], east: numbers[2]) else {
            throw DecodingError.dataCorruptedError(in: list, debugDescription: "the numbers are not [west, south, east, north] in degrees")
        }
        self = bounds
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for number in [west, south, east, north] { try list.encode(number) }
    }
}

/// Edge insets are encoded with the keys of scene files. Sides that are 0 are omitted, and missing sides are decoded as 0.
extension EdgeInsets: Codable {
    private enum CodingKeys: CodingKey { case top, left, bottom, right }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func side(_ key: CodingKeys) throws -> Double { try values.decodeIfPresent(Double.self, forKey: key) ?? 0 }
        self.init(top: try side(.top), left: try side(.left), bottom: try side(.bottom), right: try side(.right))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        for (key, side) in [(CodingKeys.top, top), (.left, left), (.bottom, bottom), (.right, right)] where side != 0 {
            try values.encode(side, forKey: key)
        }
    }
}

/// A camera is encoded with the keys of scene files. `center` and `zoom` are always written, and the other keys only if their values differ
/// from the defaults. Missing keys are decoded as the default values. Values are not validated.
extension Camera: Codable {
    private enum CodingKeys: CodingKey { case center, zoom, bearing, tilt, contentInset }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double { try values.decodeIfPresent(Double.self, forKey: key) ?? 0 }
        self.init(
            center: try values.decodeIfPresent(LatLng.self, forKey: .center) ?? LatLng(lat: 0, lng: 0), zoom: try number(.zoom),
            bearing: try number(.bearing), tilt: try number(.tilt),
            contentInset: try values.decodeIfPresent(EdgeInsets.self, forKey: .contentInset) ?? EdgeInsets())
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(center, forKey: .center)
        try values.encode(zoom, forKey: .zoom)
        if bearing != 0 { try values.encode(bearing, forKey: .bearing) }
        if tilt != 0 { try values.encode(tilt, forKey: .tilt) }
        if contentInset != EdgeInsets() { try values.encode(contentInset, forKey: .contentInset) }
    }
}
