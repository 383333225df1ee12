import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

/// A scene read from a file: a map with its overlays, and the camera, which is either explicit or fitted.
///
/// This module turns bytes into scene objects. It does not lay out or draw anything.
public struct SceneFile {
    public var mapView: MapView
    /// The options for fitting the camera; nil if the file gives an explicit camera, which is then set on the map.
    public var fit: FitOptions?
    /// Problems that did not prevent the file from being read.
    public var warnings: [Diagnostic]
    /// The pointer events that `waymark replay` sends to the map, in order.
    public var events: [PointerEvent] = []
}

/// Options for reading a scene file.
public struct SceneFileOptions: Sendable {
    /// The files that a scene may use. Default: any files.
    public var resources = ResourcePolicy.any
    /// Whether an image that cannot be loaded causes a warning instead of an error. Default false.
    public var isLenient = false
    /// The settings that replace the scene's settings: size, background, theme and camera. Default: none.
    public var view = ViewChange()
    /// The maximum number of overlays and symbols in a scene, including overlays in containers and those made from GeoJSON features. A
    /// scene that exceeds the limit is invalid, and reading stops at the first feature beyond the limit. The points of cluster
    /// layers do not count. Default 5,000,000.
    public var overlayLimit = 5_000_000
    /// Whether the points in a feature file become a cluster layer. If true, only feature files can be read: reading a scene fails, because
    /// scenes define their own cluster layers. Default false.
    public var clustersPoints = false
    /// Whether the points of cluster layers also count as overlays.
    package var limitsPoints = false
    /// Whether to open the scene's base map; false if another base map replaces it.
    package var readsBaseMap = true
    /// Records which files are read; nil if they need not be recorded.
    package var inputs: InputRecord?

    public init() {}
}

/// The reason why a scene could not be read.
public enum SceneError: Error, Sendable {
    /// The scene, or a file to which it refers, is missing or unreadable.
    case unreadable(SceneFileError)
    /// A file was read, but its content is invalid.
    case invalid(SceneFileError)
    /// A library that an image of the scene needs is missing on this machine.
    case unavailable(SceneFileError)
    /// `SceneFileOptions.view` is invalid, or cannot be applied to the scene. The error's path is the name of a ``PictureOption``.
    case view(PropertyError)
}

extension SceneError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let error), .invalid(let error), .unavailable(let error): error.description
        case .view(let error): error.description
        }
    }
}

extension SceneFile {
    /// Reads a scene, or a file of features: GeoJSON, GPX, or a table. Paths in the file are relative to its folder.
    public init(contentsOf path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneError) {
        try self.init(bytes: Self.read(path, options), name: path, folder: Self.folder(of: path), options: options)
    }

    /// Reads a scene, or a file of features: GeoJSON, GPX, or a table. Paths in the file are relative to its folder.
    /// - Parameter url: A file URL; for any other URL, `SceneError.unreadable` is thrown.
    public init(contentsOf url: URL, options: SceneFileOptions = SceneFileOptions()) throws(SceneError) {
        guard url.isFileURL else {
            throw .unreadable(SceneFileError(file: url.absoluteString, path: "", problem: "this is not the URL of a file"))
        }
        try self.init(contentsOf: url.path, options: options)
    }

    /// Reads a scene, or a file of features, from memory.
    /// - Parameters:
    ///   - name: The name of the scene in errors. Default `scene`.
    ///   - folder: The folder to which paths in the scene are relative. Default: the working directory.
    public init(
        data: Data, name: String = "scene", folder: String = "", options: SceneFileOptions = SceneFileOptions()
    ) throws(SceneError) {
        try self.init(bytes: [UInt8](data), name: name, folder: folder, options: options)
    }

    /// Reads the bytes of a scene or a file of features, as `init(data:)` does.
    package init(
        bytes: [UInt8], name: String, folder: String = "", options: SceneFileOptions = SceneFileOptions()
    ) throws(SceneError) {
        let text = try SceneText(bytes, name: name, options: options)
        var reader = SceneReader(file: name, folder: Self.prefix(folder), options: options)
        self = try reader.read(text)
    }

    /// Reads the bytes of a scene file, or of another kind of file named by the program.
    static func read(_ path: String, _ options: SceneFileOptions, as kind: InputKind = .scene) throws(SceneError) -> [UInt8] {
        do throws(FileError) {
            return try options.read(path, as: kind)
        } catch {
            let named = SceneFileError(file: path, path: "", problem: problem(reading: path, error))
            throw error.reason == .cannotRead ? .unreadable(named) : .invalid(named)
        }
    }

    /// The reason why a file of a scene cannot be read.
    package static func problem(reading path: String, _ error: FileError) -> String {
        ForeignFormat.problem(ofURL: path) ?? error.problem
    }

    /// The extensions of scenes and of files of features, each of which may be followed by `.gz`.
    package static let fileExtensions = FeatureFile.extensionsOfJSON + FeatureFile.otherExtensions

    /// Whether a path has the name of a scene or of a file of features.
    package static func isNamed(_ path: String) -> Bool { FeatureFile.isNamed(path, fileExtensions) }

    /// The folder to which relative paths in a scene file refer.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The prefix of relative paths in a folder: the folder's path, ending in `/`; empty for the working directory.
    package static func prefix(_ folder: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    }
}

/// The text of a scene file: JSON as a whole, or features, which are read in chunks.
enum SceneText {
    case json(JSONDocument)
    case features(FeatureChunks)

    /// Distinguishes the formats: an object with the key `waymark` is a scene, any other object is GeoJSON, and other texts are files of
    /// features, as the sources of overlays are.
    init(_ bytes: [UInt8], name: String, options: SceneFileOptions) throws(SceneError) {
        do throws(SceneFileError) {
            let file = try Self.file(bytes, name: name, room: OverlayRoom(options))
            do throws(JSONSyntaxError) {
                if let file, !file.isDocument {
                    self = .features(try FeatureChunks(file))
                } else {
                    self = try Self.json(file?.bytes ?? bytes)
                }
            } catch {
                throw SceneFileError(error)
            }
        } catch {
            throw .invalid(error.inFile(name))
        }
    }

    private static func json(_ bytes: [UInt8]) throws(JSONSyntaxError) -> SceneText {
        if let chunks = try FeatureChunks.geoJSON(bytes) { return .features(chunks) }
        let document = try JSONDocument(parsing: bytes)
        let isGeoJSON = document.root.kind == .object && document.root.member("waymark") == nil
        return isGeoJSON ? .features(FeatureChunks(bytes, single: document)) : .json(document)
    }

    /// The text as a file of features; nil if it cannot be one, so that it is probably a damaged scene. A compressed text is inflated only
    /// if its name is the name of a compressed file, because a server that receives scenes limits their size.
    private static func file(_ bytes: [UInt8], name: String, room: OverlayRoom) throws(SceneFileError) -> FeatureFile? {
        if Gzip.isGzip(bytes), !name.lowercased().hasSuffix(".gz") { throw MisplacedFile.gzip.error }
        do throws(SceneFileError) {
            return try FeatureFile(bytes, name: name, usesAltitude: false, room: room)
        } catch {
            if FeatureFile.isNamed(name, FeatureFile.otherExtensions) || FeatureFile.isOther(bytes, name: name) { throw error }
            return nil
        }
    }

    /// The parsed document, without the features if the text consists of features.
    var document: JSONDocument {
        switch self {
        case .json(let document): document
        case .features(let chunks): chunks.frame
        }
    }

    var isGeoJSON: Bool { if case .features = self { true } else { false } }
}

extension SceneFileOptions {
    /// Reads a file, and records that it was read.
    func read(_ path: String, as kind: InputKind) throws(FileError) -> [UInt8] {
        inputs?.note(path)
        return try WholeFile.read(path, as: kind)
    }
}

extension ImagingError {
    /// The sentence without the path, which the error of the scene adds itself.
    var problem: String {
        var error = self
        error.path = nil
        return error.description
    }
}
