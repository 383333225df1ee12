import CWaymarkInterface
import Foundation
import Waymark
import WaymarkGeo
import WaymarkScene
import WaymarkSceneFiles

/// The object behind a `waymark_scene`: a scene, and its current change.
final class SceneHandle {
    private let base: BaseScene
    private var changed: ChangedScene?
    private let name: String

    init(_ base: BaseScene, name: String) {
        self.base = base
        self.name = name
    }

    /// Replaces the current change; nil removes it. If the change fails, the scene is left as it was created.
    func change(_ json: [UInt8]?) throws(Failure) {
        base.takeBack()
        changed = nil
        guard let json else { return }
        let change: ScenePatch
        do throws(SceneFileError) {
            let document: JSONDocument
            do throws(JSONSyntaxError) { document = try JSONDocument(parsing: json) } catch { throw SceneFileError(error) }
            change = try ScenePatch(document.root, without: [])
        } catch {
            throw Failure(.badContent, error.inFile("change").description)
        }
        do throws(SceneError) { changed = try base.change(change) } catch { throw Failure(error) }
    }

    /// The warnings from reading the scene and its change.
    var warnings: [Diagnostic] { base.warnings + (changed?.warnings ?? []) }

    /// The map with the change applied, and with its camera fitted if the scene requests that.
    func mapView() throws(Failure) -> MapView {
        let mapView = changed?.mapView ?? base.mapView
        do throws(PropertyError) {
            if let fit = changed.map(\.fit) ?? base.fit { mapView.camera = try mapView.camera(fitting: fit) }
        } catch {
            throw Failure(.badContent, "\(name): \(error)")
        }
        return mapView
    }
}

@_cdecl("waymark_scene_create") public func cSceneCreate(
    _ json: UnsafePointer<CChar>?, _ length: Int, _ given: UnsafePointer<waymark_scene_options>?,
    _ scene: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    scene?.pointee = nil
    return call(message) { () throws(Failure) in
        let scene = try output(scene, "scene")
        let given = try options(given, \.struct_size, zeros: waymark_scene_options(), "options")
        let name = given.name.map { String(cString: $0) } ?? "scene"
        let folder = given.folder.map { String(cString: $0) } ?? ""
        var options = SceneFileOptions()
        options.isLenient = try flag(given.is_lenient, "options.is_lenient")
        switch waymark_resources(UInt32(bitPattern: given.resources)) {
        case WAYMARK_RESOURCES_NONE: options.resources = .none
        case WAYMARK_RESOURCES_FOLDER: options.resources = .folder(folder.isEmpty ? "." : folder)
        case WAYMARK_RESOURCES_ANY: options.resources = .any
        default: throw Failure(.usage, "options.resources: \(given.resources) is not in enum waymark_resources")
        }
        let content = try bytes(json, length, "json")
        do throws(SceneError) {
            let base = try BaseScene(bytes: content, name: name, folder: SceneFile.prefix(folder), options: options)
            scene.pointee = handle(SceneHandle(base, name: name))
        } catch {
            throw Failure(error)
        }
    }
}

@_cdecl("waymark_scene_destroy") public func cSceneDestroy(_ scene: OpaquePointer?) { destroy(scene, SceneHandle.self) }

@_cdecl("waymark_scene_change") public func cSceneChange(
    _ scene: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ length: Int,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    call(message) { () throws(Failure) in
        let scene = try object(scene, SceneHandle.self, "scene")
        try scene.change(json == nil && length == 0 ? nil : bytes(json, length, "json"))
    }
}

@_cdecl("waymark_scene_size") public func cSceneSize(
    _ scene: OpaquePointer?, _ width: UnsafeMutablePointer<UInt32>?, _ height: UnsafeMutablePointer<UInt32>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    call(message) { () throws(Failure) in
        let size = try deviceSize(object(scene, SceneHandle.self, "scene").mapView())
        try output(width, "width").pointee = UInt32(size.width)
        try output(height, "height").pointee = UInt32(size.height)
    }
}

@_cdecl("waymark_inspect") public func cInspect(
    _ scene: OpaquePointer?, _ flags: Int32, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    json?.pointee = nil
    return call(message) { () throws(Failure) in
        let mapView = try object(scene, SceneHandle.self, "scene").mapView()
        let json = try output(json, "json")
        let symbols = Int32(WAYMARK_INSPECT_BASE_MAP_SYMBOLS.rawValue)
        guard flags & ~symbols == 0 else {
            throw Failure(.usage, "flags: \(flags) has bits outside the enum waymark_inspect_flags")
        }
        do throws(RenderError) {
            json.pointee = copy(try mapView.inspection(listsBaseMapSymbols: flags & symbols != 0).json.text)
        } catch {
            throw Failure(error)
        }
    }
}

@_cdecl("waymark_pick") public func cPick(
    _ scene: OpaquePointer?, _ x: Double, _ y: Double, _ tolerance: Double, _ flags: Int32,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    json?.pointee = nil
    return call(message) { () throws(Failure) in
        let mapView = try object(scene, SceneHandle.self, "scene").mapView()
        let json = try output(json, "json")
        if let error = HitOptions.toleranceRange.error(of: tolerance, "tolerance") {
            throw Failure(.usage, error.description)
        }
        _ = try deviceSize(mapView)
        guard x >= 0, y >= 0, x <= mapView.size.width, y <= mapView.size.height else {
            let size = "\(plain(mapView.size.width)) × \(plain(mapView.size.height)) pt"
            throw Failure(.usage, "(\(plain(x)), \(plain(y))) is outside the picture of \(size)")
        }
        let (invisible, transparent) = (Int32(WAYMARK_PICK_INVISIBLE.rawValue), Int32(WAYMARK_PICK_IGNORE_TRANSPARENT.rawValue))
        guard flags & ~(invisible | transparent) == 0 else {
            throw Failure(.usage, "flags: \(flags) has bits outside the enum waymark_pick_flags")
        }
        do throws(RenderError) { _ = try mapView.makeFrame() } catch { throw Failure(error) }
        let options = HitOptions(
            tolerance: tolerance, includesInvisible: flags & invisible != 0, ignoresTransparentPixels: flags & transparent != 0)
        json.pointee = copy(JSONText.array(mapView.hits(at: CGPoint(x: x, y: y), options).map(\.json)).text)
    }
}

/// The bytes passed by a caller.
private func bytes(_ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String) throws(Failure) -> [UInt8] {
    guard let pointer else { throw Failure(.usage, "\(name) is NULL") }
    guard length >= 0 else { throw Failure(.usage, "length: \(UInt(bitPattern: length)) bytes do not fit into memory") }
    return [UInt8](UnsafeRawBufferPointer(start: pointer, count: length))
}
