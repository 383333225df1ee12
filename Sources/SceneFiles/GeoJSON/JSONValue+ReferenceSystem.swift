// The coordinate reference system of GeoJSON files older than RFC 7946, which defines only one.
extension JSONValue {
    /// Throws if this GeoJSON object has a `crs` (GeoJSON 2008, section 3) other than longitudes and latitudes of WGS 84, because its
    /// numbers would be drawn at wrong positions.
    func checkReferenceSystem() throws(SceneFileError) {
        guard let system = self["crs"], system.kind != .null else { return }
        guard let properties = system["properties"], properties.kind == .object else { throw system.error("missing key \"properties\"") }
        if let name = properties["name"] {
            guard Self.isKnownSystem(try name.readString()) else { throw name.error(Self.onlyKnown(name.brief)) }
        } else if let code = properties["code"] {
            guard code.int == 4326 || code.isString("4326") else {
                throw code.error(Self.onlyKnown("EPSG:\(code.brief)"))
            }
        } else {
            throw properties.error(Self.onlyKnown("a reference system without a name"))
        }
    }

    private static func onlyKnown(_ system: String) -> String {
        "\(system) is not supported; use CRS84 or EPSG:4326, longitudes and latitudes of WGS 84 in degrees"
    }

    /// Whether a name in any of its spellings (`EPSG:4326`, `urn:ogc:def:crs:OGC:1.3:CRS84`, `http://www.opengis.net/def/crs/EPSG/0/4326`)
    /// stands for longitudes and latitudes of WGS 84. In GeoJSON the longitude comes first, whatever the system defines.
    private static func isKnownSystem(_ name: String) -> Bool {
        let parts = name.uppercased().split { $0 == ":" || $0 == "/" || $0 == "#" }
        guard let last = parts.last else { return false }
        switch last {
        case "CRS84": return parts.count == 1 || parts.contains("OGC")
        case "4326": return parts.contains { $0.hasPrefix("EPSG") }
        default: return false
        }
    }
}
