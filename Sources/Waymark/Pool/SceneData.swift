import Foundation
import Synchronization
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// A scene for a `RenderPool`: the bytes of a scene file or of a file of features (GeoJSON, GPX, or a table). Use the same value for all
/// pictures of the scene, so that each worker reads the scene only once.
public struct SceneData: Sendable {
    /// The content of the file.
    public let bytes: [UInt8]
    /// The name of the scene in messages.
    public let name: String
    /// The folder to which paths in the scene are relative, ending in `/`; empty for the working directory.
    public let folder: String
    /// Unique among the scenes of the process.
    let number: Int
    private let camera = LazyCameraForm()

    private static let count = Atomic<Int>(0)

    /// Creates a scene from the content of a file.
    /// - Parameters:
    ///   - data: The bytes of a scene, or of a file of features.
    ///   - name: The name of the scene in errors. Default `scene`.
    ///   - folder: The folder to which paths in the scene are relative. Default: the working directory.
    public init(_ data: Data, name: String = "scene", folder: String = "") {
        self.init(bytes: [UInt8](data), name: name, folder: folder)
    }

    private init(bytes: [UInt8], name: String, folder: String) {
        self.bytes = bytes
        self.name = name
        self.folder = SceneFile.prefix(folder)
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Reads a scene, or a file of features: GeoJSON, GPX, or a table. Paths in the file are relative to its folder.
    /// - Throws: `SceneError.unreadable` if the file cannot be read. Invalid content is reported when the scene is drawn.
    public init(contentsOf path: String) throws(SceneError) {
        do throws(FileError) {
            let bytes = try WholeFile.read(path, as: .baseScene(limit: WorkerFrame.payloadLimit))
            self.init(bytes: bytes, name: path, folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? "")
        } catch {
            throw .unreadable(SceneFileError(file: path, path: "", problem: error.problem))
        }
    }
}

extension SceneData {
    /// The form of the scene's camera, for changes of the view. The scene is parsed when it is first needed.
    var cameraForm: CameraForm { camera.form(of: bytes, name) }

    private final class LazyCameraForm: Sendable {
        private let known = Mutex<CameraForm?>(nil)

        func form(of bytes: [UInt8], _ name: String) -> CameraForm {
            known.withLock { known in
                let form = known ?? CameraForm(ofFile: bytes, name: name)
                known = form
                return form
            }
        }
    }
}

extension ViewChange {
    /// Checks the settings like `check()`, and also checks whether they can be applied to a scene. If the scene cannot be read, the error
    /// is reported only when the scene is drawn.
    /// - Throws: `PropertyError` for the first invalid setting, or if a padding is set but the camera is not fitted.
    public func check(on scene: SceneData) throws(PropertyError) {
        var writer = JSONWriter()
        try write(into: &writer) { scene.cameraForm }
    }
}

/// A picture encoded in a file format.
public struct EncodedPicture: Equatable, Sendable {
    /// The content of the file.
    public let bytes: [UInt8]
    public let format: ImageFormat
    /// The width in device pixels.
    public let width: Int
    /// The height in device pixels.
    public let height: Int
    /// Warnings about everything that could not be read or drawn as requested. Each worker reports the warnings about the scene itself
    /// only once.
    public let warnings: [String]
    /// The inspection as JSON, if requested.
    let inspectionJSON: [UInt8]?

    /// Decodes the pixels of the picture.
    /// - Throws: `ImagingError` if there is not enough memory.
    public func bitmap() throws(ImagingError) -> Bitmap {
        guard format == .rgba else {
            return try Bitmap(decoding: bytes, limits: ImageLimits(width: .max, height: .max, pixels: .max, bytes: .max))
        }
        guard let bitmap = Bitmap(width: width, height: height, straightPixels: bytes) else { throw ImagingError(.empty) }
        return bitmap
    }

    /// The positions of everything in the picture; nil if they were not requested.
    public func inspection() -> Inspection? {
        inspectionJSON.flatMap { try? JSONDecoder().decode(Inspection.self, from: Data($0)) }
    }

    /// Writes the content to a file atomically.
    /// - Throws: `ImagingError.cannotWrite` if the file cannot be written.
    public func write(to path: String) throws(ImagingError) {
        do throws(FileError) { try WholeFile.write(bytes, to: path) } catch { throw ImagingError(error) }
    }
}

/// The result of a pool's `inspect` or `pick`, which lay out a picture without drawing it.
public struct SceneReport: Equatable, Sendable {
    /// The JSON that `waymark inspect` or `waymark pick` prints, as a single line.
    public let json: Data
    /// Warnings about everything that could not be read, or that would not be drawn as requested.
    public let warnings: [String]

    /// The report of `inspect` as an `Inspection`, with the positions of everything in the picture; nil for the report of `pick`.
    public func inspection() -> Inspection? { try? JSONDecoder().decode(Inspection.self, from: json) }
}

/// A picture of a scene, as a job whose id does not matter.
struct PictureRequest: Sendable {
    /// The job as a line.
    let job: [UInt8]
    /// Unique among the requests of the process.
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    var defaults = JobDefaults()
    /// The question about the picture; nil if the picture is to be drawn.
    var question: PictureQuestion?

    private static let count = Atomic<Int>(0)
    /// The maximum number of bytes of a line, which leaves room for the rest of its message.
    private static let lineLimit = WorkerFrame.headerLimit / 2

    /// Creates a request for a scene with a change.
    /// - Throws: `RenderPoolError.invalid` if the change is invalid.
    init(_ scene: SceneData, changing change: SceneChange) throws(RenderPoolError) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", "picture")
        do throws(PropertyError) {
            try change.view.write(into: &writer) { scene.cameraForm }
        } catch {
            throw .invalid(error.description, path: error.path)
        }
        change.write(into: &writer)
        writer.endObject()
        job = writer.bytes
        guard job.count <= Self.lineLimit else { throw .invalid("a change may have at most \(Self.lineLimit) bytes, not \(job.count)") }
    }
}
