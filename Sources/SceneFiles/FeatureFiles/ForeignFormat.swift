import WaymarkSystem

/// Formats of geographic data that Waymark does not read. The error for such a file contains a command that converts it to GeoJSON.
enum ForeignFormat: String {
    case kml = "KML"
    case geoParquet = "GeoParquet"
    case shapefile = "a shapefile"
    case topoJSON = "TopoJSON"
    case flatGeobuf = "FlatGeobuf"
    case geoPackage = "a GeoPackage"

    /// The format of a binary file, recognized by its first bytes, or, for a KMZ archive, by its name; nil for others.
    init?(_ bytes: [UInt8], name: String) {
        if bytes.starts(with: "PAR1".utf8) {
            self = .geoParquet
        } else if bytes.starts(with: [0, 0, 0x27, 0x0A]) {
            self = .shapefile
        } else if bytes.starts(with: "fgb\u{3}fgb".utf8) {
            self = .flatGeobuf
        } else if bytes.starts(with: "SQLite format 3\0".utf8), bytes.dropFirst(68).starts(with: "GPKG".utf8) {
            // The application id in the header of the database (SQLite's file format, section 1.3).
            self = .geoPackage
        } else if bytes.starts(with: "PK".utf8) && name.lowercased().hasSuffix(".kmz") {
            self = .kml
        } else {
            return nil
        }
    }

    /// The format of an XML text, recognized by its first element, whose name may have the prefix of a namespace; nil for others.
    init?(xml bytes: [UInt8]) {
        guard Self.firstElement(ofXML: bytes) == "kml" else { return nil }
        self = .kml
    }

    /// The name of the first element of an XML text, without the prefix of a namespace.
    static func firstElement(ofXML bytes: [UInt8]) -> Substring? {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return start.firstMatch(of: /<(?:[A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*)/)?.1
    }

    /// The error of a file in this format.
    /// - Parameter name: The name of the file, or of data without a file.
    func error(_ name: String) -> SceneFileError {
        // A message is short, and begins with the path: in the command, a long path would be cut.
        let file = name.count > 60 ? name.split(separator: "/").last.map(String.init) ?? name : name
        return SceneFileError(
            path: "",
            problem: "this is \(rawValue), which is not supported; convert the file: \(Self.command(file.contains(".") ? file : "FILE"))")
    }

    /// The problem of a path that is a URL; nil for other paths.
    static func problem(ofURL path: String) -> String? {
        guard let url = path.networkURL else { return nil }
        let command =
            switch url.scheme.lowercased() {
            case "s3": command(String(url.rest), folder: "/vsis3/")
            case "gs": command(String(url.rest), folder: "/vsigs/")
            default: command(path, folder: "/vsicurl/")
            }
        return "this is a URL, but only files can be read; fetch and convert its data: \(command)"
    }

    /// The command that converts a file to GeoJSON (RFC 7946, whose coordinates are always longitudes and latitudes).
    /// - Parameter folder: The folder of GDAL's file systems in which the input is.
    private static func command(_ name: String, folder: String = "") -> String {
        var stem = Substring(name).prefix { $0 != "?" && $0 != "#" || folder.isEmpty }
        let file = stem.lastIndex(of: "/").map { stem.index(after: $0) } ?? stem.startIndex
        if let dot = stem[file...].lastIndex(of: "."), dot != file { stem = stem[..<dot] }
        let output = folder.isEmpty ? stem : stem[file...]
        return "ogr2ogr -lco RFC7946=YES \("\(output).geojson".quotedForShell) \((folder + name).quotedForShell)"
    }
}

extension String {
    /// The text as one word of a shell's command line.
    fileprivate var quotedForShell: String {
        if wholeMatch(of: /[\w.,:\/+-]+/) != nil, !hasPrefix("-") { return self }
        return "'\(replacing("'", with: "'\\''"))'"
    }
}
