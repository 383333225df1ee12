import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSystem

/// A scene that was read from a file: a map with its overlays, and the camera, fixed or fitted.
///
/// This room turns bytes into scene objects, and nothing into pixels.
public struct SceneFile {
    public var mapView: MapView
    /// What the camera is to be fitted to; nil when the file gives a fixed one, which the map has.
    public var fit: FitOptions?
    /// What was read despite a problem.
    public var warnings: [Diagnostic]
}

/// How a scene file is read.
public struct SceneFileOptions: Sendable {
    /// Which files a scene may name. Default any.
    public var resources = ResourcePolicy.any
    /// Whether an image that cannot be loaded is a warning instead of an error. Default false.
    public var isLenient = false

    public init() {}
}

/// What a scene may read besides itself.
public enum ResourcePolicy: Equatable, Sendable {
    case none
    /// Files in a folder and its sub-folders, links followed.
    case folder(String)
    case any
}

/// Why a scene could not be read.
public enum SceneError: Error, Sendable {
    /// The scene, or a file that it names, is absent or cannot be read.
    case unreadable(SceneFileError)
    /// A file was read, and its content is invalid.
    case invalid(SceneFileError)
    /// The machine lacks a library that an image of the scene needs.
    case unavailable(SceneFileError)
}

extension SceneError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let error), .invalid(let error), .unavailable(let error): error.description
        }
    }
}

extension SceneFile {
    /// Reads a scene or GeoJSON file; paths in it are relative to its folder.
    public init(contentsOf path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneError) {
        try self.init(bytes: Self.read(path), name: path, folder: Self.folder(of: path), options: options)
    }

    /// The most bytes of a scene, or of a file that it names: text with more places belongs in tiles or columns.
    static let byteLimit = 4 << 30

    /// The bytes of a scene file.
    static func read(_ path: String) throws(SceneError) -> [UInt8] {
        do throws(FileError) {
            return try WholeFile.read(path, limit: byteLimit)
        } catch {
            throw .unreadable(SceneFileError(file: path, path: "", problem: error.problem))
        }
    }

    /// What relative paths of a scene file start from.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Reads the bytes of a scene or GeoJSON file.
    /// - Parameters:
    ///   - name: What errors call it.
    ///   - folder: What relative paths start from, ending in `/`, or empty for the working directory.
    public init(
        bytes: [UInt8], name: String, folder: String = "", options: SceneFileOptions = SceneFileOptions()
    ) throws(SceneError) {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .invalid(SceneFileError(error, file: name))
        }
        var reader = SceneReader(file: name, folder: folder, options: options)
        self = try reader.read(document)
    }
}

extension ImagingError {
    /// The sentence without the path, which the scene's error names in its own way.
    var problem: String {
        var error = self
        error.path = nil
        return error.description
    }
}
