import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkSceneFiles
import WaymarkTestSupport

/// One renderer for all tests of this module: they run one after another.
@MainActor enum Drawing {
    static let shared: Result<Renderer, RenderError> = {
        PinnedRasterizer.pin
        return Result { () throws(RenderError) in try Renderer(device: .software) }
    }()

    /// The pixels of a scene decoded and drawn afresh, straight alpha.
    static func pixels(_ scene: JSONTree, folder: String) throws -> [UInt8] {
        let file = try SceneFile(bytes: scene.bytes, name: "scene", folder: folder)
        if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        return try shared.get().render(file.mapView).bitmap.encoded(as: .rgba)
    }
}

/// A base scene as a test makes it, with the files that it names.
@MainActor struct TestScene {
    let tree: JSONTree
    let folder = ScratchFolder()
    let jobs: JobRenderer

    init(_ tree: JSONTree, files: [(String, String)] = [], cacheBytes: Int? = nil) throws {
        self.tree = tree
        for (name, text) in files { try folder.write(text, name) }
        let base = try BaseScene(bytes: tree.bytes, name: "base.json", folder: folder.path + "/", options: SceneFileOptions())
        let renderer = try cacheBytes.map { try Renderer(cacheBytes: $0) } ?? Drawing.shared.get()
        jobs = JobRenderer(base: base, renderer: renderer)
    }

    /// The pixels of a job.
    func draw(_ job: JSONTree) throws -> [UInt8] {
        var job = job
        job["id"] = "job"
        job["output"] = "job.rgba"
        return try jobs.render(BatchJob(line: job.bytes)).bytes
    }

    /// The pixels of the patched scene, drawn afresh.
    func expected(_ job: JSONTree) throws -> [UInt8] {
        try Drawing.pixels(patched(job), folder: folder.path + "/")
    }

    struct Unknown: Error {}

    /// The scene that a job describes, made in the simplest way.
    func patched(_ job: JSONTree) throws -> JSONTree {
        var patch = job
        for key in ["id", "output", "change", "add", "remove"] { patch[key] = nil }
        var scene = tree.merged(with: patch)
        var changes: [String: JSONTree] = [:]
        if case .object(let members)? = job["change"] { for member in members { changes[member.key] = member.value } }
        var removals = Set((job["remove"]?.elements ?? []).compactMap(\.string))
        func apply(_ overlays: [JSONTree]) -> [JSONTree] {
            overlays.compactMap { overlay in
                var overlay = overlay
                if let id = overlay["id"]?.string {
                    if removals.remove(id) != nil { return nil }
                    if let patch = changes.removeValue(forKey: id) { overlay = overlay.merged(with: patch) }
                }
                if let children = overlay["children"] { overlay["children"] = .array(apply(children.elements)) }
                return overlay
            }
        }
        let overlays = apply(scene["overlays"]?.elements ?? [])
        guard changes.isEmpty, removals.isEmpty else { throw Unknown() }
        scene["overlays"] = .array(overlays + (job["add"]?.elements ?? []))
        return scene
    }
}
