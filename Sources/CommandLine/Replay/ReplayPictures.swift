import Waymark
import WaymarkSystem

/// The pictures of a replay: one before the events, and one after each.
final class ReplayPictures {
    private let scene: SceneArguments
    private let folder: String?
    private let hasPage: Bool
    let format: ImageFormat
    private let options: EncodingOptions
    private let eventCount: Int
    /// The renderer; nil if no pictures are requested.
    private var renderer: Renderer?
    private var picture = Picture()
    /// The files of the pictures for a page, in order.
    private(set) var encoded: [[UInt8]] = []
    /// The warnings printed so far.
    private var said: Set<String> = []

    init(scene: SceneArguments, folder: String?, hasPage: Bool, format: ImageFormat, options: EncodingOptions, eventCount: Int) {
        (self.scene, self.folder, self.hasPage) = (scene, folder, hasPage)
        (self.format, self.options, self.eventCount) = (format, options, eventCount)
    }

    /// The files that are written into the folder.
    var paths: [String] { folder == nil ? [] : (-1..<eventCount).map(path) }

    /// Creates the folder, and draws the picture before the events.
    func begin(_ mapView: MapView, _ opening: RendererOpening?) throws(Failure) {
        if let viewport = try? mapView.viewport(), opening != nil {
            do throws(ImagingError) {
                try format.checkSize(width: viewport.deviceWidth, height: viewport.deviceHeight)
            } catch {
                throw Failure(.usage, "--format: \(error)")
            }
        }
        renderer = try opening?.opened()
        if let folder {
            do throws(SystemError) { try FileSystem.makeFolder(folder) } catch { throw Failure(.cannotWrite, "\(folder): \(error)") }
        }
        try add(mapView, after: -1)
    }

    /// Draws the picture after an event, if pictures are requested; always prints new warnings.
    func add(_ mapView: MapView, after number: Int) throws(Failure) {
        let diagnostics = try scene.drawing { () throws(RenderError) in
            guard let renderer else { return try mapView.makeFrame().diagnostics }
            try renderer.render(mapView, into: &picture)
            return picture.diagnostics
        }
        try warn(diagnostics.filter { said.insert($0.description).inserted }, scene: scene.name, isLenient: scene.lenient)
        guard renderer != nil else { return }
        let bytes = try writing { () throws(ImagingError) in try picture.encoded(as: format, options: options) }
        if !format.hasAlpha, !picture.bitmap.isOpaque, said.insert(format.name).inserted {
            say("warning: \(format.name) has no transparency: the pictures are drawn on white; --background sets another color")
        }
        if hasPage { encoded.append(bytes) }
        if folder != nil { try Pipes.write(bytes, to: path(number)) }
    }

    /// - Parameter number: -1 for the picture before the events.
    private func path(_ number: Int) -> String {
        let digits = "\(number)"
        let padding = String(repeating: "0", count: max(0, "\(eventCount - 1)".count - digits.count))
        return "\(folder ?? "")/\(number < 0 ? "start" : "event-\(padding)\(digits)").\(format.fileExtension)"
    }
}
