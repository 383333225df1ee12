import Waymark
import WaymarkComparison
import WaymarkSystem

/// Draws scenes for a comparison, with one renderer, which is opened for the first scene.
struct ScenePictures {
    let files: FileArguments
    let device: DeviceArguments
    /// Records the files that the scenes read.
    let inputs: InputRecord
    /// Whether to find the areas of the objects, for a comparison that ignores some of them.
    let findsAreas: Bool
    private(set) var renderer: Renderer?

    /// The picture of a scene as drawn by `render`, and the position of everything in it.
    mutating func picture(of path: String) throws(Failure) -> ComparedPicture {
        var scene: SceneArguments
        do { scene = try SceneArguments.parse([path.hasPrefix("-") ? "./\(path)" : path]) } catch { throw Failure(.usage, "\(error)") }
        scene.files = files
        // The driver starts while the first scene is decoded.
        let opening = try renderer == nil ? device.opening(cacheBytes: nil) : nil
        defer { opening?.wait() }
        let mapView = try scene.load(device.fontSource, noting: inputs)
        if let opening { renderer = try opening.opened() }
        guard let renderer else { throw Failure(.software, "\(path): the renderer is missing") }
        var inspection: Inspection?
        var hitMap: HitMap?
        let picture: Picture
        do throws(RenderError) {
            let frame = try MapFrame(mapView) { placement in
                inspection = placement.inspection()
                if findsAreas { hitMap = placement.hitMap(on: mapView) }
            }
            picture = try renderer.render(frame)
        } catch {
            throw Failure(error, scene: path)
        }
        try warn(picture.diagnostics, scene: path, isLenient: files.lenient)
        return ComparedPicture(picture.bitmap, inspection: inspection, hitMap: hitMap)
    }
}
