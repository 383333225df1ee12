import WaymarkImaging

/// A file that Waymark uses elsewhere, but that is not a scene or a file of features. It is recognized by its first bytes.
enum MisplacedFile {
    case image(ImageSignature)
    case pmtiles, sqlite, glb, zip, gzip

    init?(_ bytes: [UInt8]) {
        if let image = ImageSignature(of: bytes), image != .svg || ForeignFormat.firstElement(ofXML: bytes) == "svg" {
            self = .image(image)
        } else if bytes.starts(with: "PMTiles".utf8) {
            self = .pmtiles
        } else if bytes.starts(with: "SQLite format 3\0".utf8) {
            self = .sqlite
        } else if bytes.starts(with: "glTF".utf8) {
            self = .glb
        } else if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
            self = .zip
        } else if Gzip.isGzip(bytes) {
            self = .gzip
        } else {
            return nil
        }
    }

    /// The error of the file: its format, and its use.
    var error: SceneFileError {
        let baseMap = "use it as a base map, with --basemap or the key \"basemap\" of a scene"
        let problem =
            switch self {
            case .image(.gif): "this is a GIF image, which is not supported; convert it to PNG"
            case .image(let format):
                "this is \(format == .svg ? "an" : "a") \(format.rawValue) image; name it in a scene, as the \"iconImage\" of a marker or the "
                    + "\"image\" of a ground overlay"
            case .pmtiles: "this is a PMTiles archive of map tiles; \(baseMap)"
            case .sqlite: "this is a SQLite database; if it is an MBTiles archive of map tiles, \(baseMap)"
            case .glb: "this is a 3D model (GLB); name it in a scene, as the \"model\" of a local model"
            case .zip: "this is a ZIP archive; unpack it, and name a file in it"
            case .gzip: "this is a gzip file; unpack it, or give it a name that ends in .gz"
            }
        return SceneFileError(path: "", problem: problem)
    }
}
