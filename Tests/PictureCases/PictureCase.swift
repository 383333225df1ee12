import Foundation
import Waymark
import WaymarkFrame
import WaymarkLayout

/// A folder with a scene and its expected results: `scene.json`, `frame.txt`, `expected.png`.
///
/// It defines how a case is drawn and where its files are; tests make the judgments, and nothing is drawn on a GPU here.
public struct PictureCase: Sendable {
    /// `marker/default-pin`.
    public let name: String
    public let folder: URL

    /// The longest side of a picture in device pixels, and the most lines of a printed frame: cases stay small enough to be looked at.
    public static let longestSide = 256
    public static let mostLines = 200

    /// `Tests/Pictures`.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Pictures")

    /// All cases, in the order of their names.
    public static let all: [PictureCase] = {
        let kinds = folders(in: root)
        return kinds.flatMap { kind in
            folders(in: kind).map { PictureCase(name: "\(kind.lastPathComponent)/\($0.lastPathComponent)", folder: $0) }
        }
    }()
}

extension PictureCase {
    public var expectedPicture: URL { folder.appendingPathComponent("expected.png") }
    public var expectedFrame: URL { folder.appendingPathComponent("frame.txt") }
    /// The files that a failed test leaves, and a passed test deletes.
    public var actualPicture: URL { folder.appendingPathComponent("actual.png") }
    public var difference: URL { folder.appendingPathComponent("difference.png") }
    public var actualFrame: URL { folder.appendingPathComponent("actual-frame.txt") }

    /// The map of the scene, the camera in place. A case may have a file of features, `features.geojson`, in place of a scene.
    public func load() throws -> MapView {
        let features = folder.appendingPathComponent("features.geojson").path
        var (scene, options) = (folder.appendingPathComponent("scene.json").path, SceneFileOptions())
        if FileManager.default.fileExists(atPath: features) {
            scene = features
            options.view.size = CGSize(width: Self.longestSide, height: 160)
        }
        let file = try SceneFile(contentsOf: scene, options: options)
        if let fit = file.fit {
            file.mapView.camera = try file.mapView.camera(fitting: fit)
        }
        return file.mapView
    }

    /// The scene to draw.
    public func frame(of mapView: MapView) throws -> Frame {
        try Composer.of(mapView).place(mapView).frame
    }

    /// The frame to draw, printed.
    public func printedFrame(of mapView: MapView) throws -> String {
        try frame(of: mapView).description
    }

    /// The allowed difference: the contents of `tolerance.json`, which states the reason, or else the given one.
    public func tolerance(else standard: PictureTolerance) throws -> PictureTolerance {
        let file = folder.appendingPathComponent("tolerance.json")
        guard FileManager.default.fileExists(atPath: file.path) else { return standard }
        return try JSONDecoder().decode(PictureTolerance.self, from: Data(contentsOf: file))
    }

    private static func folders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0, isDirectory: true) }
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
    }
}

extension PictureCase: CustomStringConvertible {
    public var description: String { name }
}

/// The largest channel difference that counts as equal, the share of pixels in any window that may differ by more, and why.
public struct PictureTolerance: Codable, Equatable, Sendable {
    public var threshold: Int
    public var allowed: Double
    public var reason: String

    public static let exact = Self(threshold: 0, allowed: 0, reason: "the rasteriser is the one that made the pictures")
    /// Between drivers, textures of models differ where colors meet: each driver has its own approximation for choosing the mipmap, and
    /// blends two of them with its own precision (OpenGL ES 3.2, 8.14.1 and 8.14.3). llvmpipe approximates both. Images on the ground seen
    /// at a slant choose their reduced copies and the number of samples by the driver's derivatives; along the lines on the screen where
    /// the choice changes, a last bit decides.
    public static let otherMipmaps = Self(threshold: 40, allowed: 0.02, reason: "another driver chose the mipmaps")
    public static let otherRasterizer = Self(threshold: 3, allowed: 0.02, reason: "another rasteriser made the pictures")

    public init(threshold: Int, allowed: Double, reason: String) {
        self.threshold = threshold
        self.allowed = allowed
        self.reason = reason
    }
}
