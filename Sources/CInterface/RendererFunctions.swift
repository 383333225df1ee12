import CWaymarkInterface
import Foundation
import Waymark
import WaymarkSceneFiles

/// The object behind a `waymark_renderer`.
final class RendererHandle {
    let renderer: Renderer
    /// The picture buffer, reused for every picture to avoid allocating memory again.
    var picture = Picture()

    init(_ renderer: Renderer) {
        self.renderer = renderer
    }
}

/// The version, created once and never freed. It is unchecked, because a pointer is not `Sendable`. The text is never modified after it
/// is created.
private nonisolated(unsafe) let version = UnsafePointer(copy(waymarkVersion))

@_cdecl("waymark_version") public func cVersion() -> UnsafePointer<CChar>? { version }

@_cdecl("waymark_interface_version") public func cInterfaceVersion() -> Int32 { WAYMARK_INTERFACE_VERSION }

@_cdecl("waymark_free") public func cFree(_ memory: UnsafeMutableRawPointer?) { free(memory) }

@_cdecl("waymark_renderer_create") public func cRendererCreate(
    _ given: UnsafePointer<waymark_renderer_options>?, _ renderer: UnsafeMutablePointer<OpaquePointer?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    renderer?.pointee = nil
    return call(message) { () throws(Failure) in
        let renderer = try output(renderer, "renderer")
        let options = try options(given, \.struct_size, zeros: waymark_renderer_options(), "options")
        guard options.cache_bytes >= 0 else { throw Failure(.usage, "options.cache_bytes: \(options.cache_bytes) is less than 0") }
        let requiresGPU = try flag(options.requires_gpu, "options.requires_gpu")
        let device: Device?
        do throws(GPUError) {
            device = if let name = options.device { try Device(String(cString: name)) } else { nil }
        } catch {
            throw Failure(RenderError.device(error))
        }
        do throws(RenderError) {
            renderer.pointee = handle(
                RendererHandle(
                    try Renderer(
                        device: device, requireGPU: requiresGPU,
                        cacheBytes: options.cache_bytes == 0 ? Renderer.defaultCacheBytes : Int(options.cache_bytes))))
        } catch {
            throw Failure(error)
        }
    }
}

@_cdecl("waymark_renderer_destroy") public func cRendererDestroy(_ renderer: OpaquePointer?) {
    destroy(renderer, RendererHandle.self)
}

@_cdecl("waymark_renderer_device") public func cRendererDevice(
    _ renderer: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    name?.pointee = nil
    return call(message) { () throws(Failure) in
        let renderer = try object(renderer, RendererHandle.self, "renderer")
        try output(name, "name").pointee = copy(renderer.renderer.deviceName)
    }
}
