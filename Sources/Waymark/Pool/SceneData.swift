import Foundation
import Synchronization
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// A scene for a `RenderPool`: the bytes of a scene or GeoJSON file. Keep one for all pictures of the scene: the pool's workers read it once.
public struct SceneData: Sendable {
    /// The content of the file.
    public let bytes: [UInt8]
    /// Its name in messages.
    public let name: String
    /// The folder to which its relative paths refer, ending in `/`; empty for the working directory.
    public let folder: String
    /// Different for every scene of the process.
    let number: Int

    private static let count = Atomic<Int>(0)

    /// - Parameters:
    ///   - data: The bytes of a scene or GeoJSON file.
    ///   - name: Its name in errors. Default `scene`.
    ///   - folder: The folder to which relative paths refer. Default: the working directory.
    public init(_ data: Data, name: String = "scene", folder: String = "") {
        self.init(bytes: [UInt8](data), name: name, folder: folder)
    }

    private init(bytes: [UInt8], name: String, folder: String) {
        self.bytes = bytes
        self.name = name
        self.folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Reads a scene or GeoJSON file; paths in it are relative to its folder.
    /// - Throws: `SceneError.unreadable`; whether the content is a scene shows when it is drawn.
    public init(contentsOf path: String) throws(SceneError) {
        do throws(FileError) {
            let bytes = try WholeFile.read(path, as: .baseScene(limit: WorkerFrame.payloadLimit))
            self.init(bytes: bytes, name: path, folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? "")
        } catch {
            throw .unreadable(SceneFileError(file: path, path: "", problem: error.problem))
        }
    }
}

/// A picture as the content of a file.
public struct EncodedPicture: Equatable, Sendable {
    /// The content of the file.
    public let bytes: [UInt8]
    public let format: ImageFormat
    /// The size in device pixels.
    public let width: Int
    public let height: Int
    /// What could not be read or drawn as requested. What the scene itself causes is told once by each worker.
    public let warnings: [String]
    /// The inspection as JSON, where it was asked for.
    let inspectionJSON: [UInt8]?

    /// The pixels.
    /// - Throws: `ImagingError` when there is not enough memory.
    public func bitmap() throws(ImagingError) -> Bitmap {
        guard format == .rgba else {
            return try Bitmap(decoding: bytes, limits: ImageLimits(width: .max, height: .max, pixels: .max, bytes: .max))
        }
        guard let bitmap = Bitmap(width: width, height: height, straightPixels: bytes) else { throw ImagingError(.empty) }
        return bitmap
    }

    /// Where everything is in the picture; nil where it was not asked for.
    public func inspection() -> Inspection? {
        inspectionJSON.flatMap { try? JSONDecoder().decode(Inspection.self, from: Data($0)) }
    }

    /// Writes the file, whole or not at all.
    /// - Throws: `ImagingError.cannotWrite`.
    public func write(to path: String) throws(ImagingError) {
        do throws(FileError) { try WholeFile.write(bytes, to: path) } catch { throw ImagingError(error) }
    }
}

/// What a pool says about a picture without drawing it.
public struct SceneReport: Equatable, Sendable {
    /// The JSON that `waymark inspect` or `waymark pick` prints, on one line.
    public let json: Data
    /// What could not be read or would not be drawn as requested.
    public let warnings: [String]

    /// The inspection; nil for what was no question for one.
    public func inspection() -> Inspection? { try? JSONDecoder().decode(Inspection.self, from: json) }
}

/// A picture of a scene: a job, whose id does not matter.
struct PictureRequest: Sendable {
    /// The line of the job.
    let job: [UInt8]
    /// Different for every request of the process.
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    var defaults = JobDefaults()
    /// What is asked about the picture, which is not drawn then; nil to draw it.
    var question: PictureQuestion?

    private static let count = Atomic<Int>(0)
    /// The most bytes of a line; there is room for the rest of its message.
    private static let lineLimit = WorkerFrame.headerLimit / 2

    /// - Parameter change: A JSON object; nil for the scene as it is.
    /// - Throws: `RenderPoolError.invalid`.
    init(changing change: [UInt8]?) throws(RenderPoolError) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", "picture")
        if let change {
            let root: JSONValue
            do throws(JSONSyntaxError) {
                root = try JSONDocument(parsing: change).root
            } catch {
                throw .invalid("the change is not JSON: \(error)")
            }
            guard let members = root.members else { throw .invalid("a change must be a JSON object, not \(root.brief)") }
            for (key, value) in members {
                guard !BatchJob.keys.contains(key) else { throw .invalid("\(key.quotedBriefly) is not a key of a change") }
                writer.key(key)
                writer.value(value)
            }
        }
        writer.endObject()
        job = writer.bytes
        guard job.count <= Self.lineLimit else { throw .invalid("a change has at most \(Self.lineLimit) bytes, not \(job.count)") }
    }
}
