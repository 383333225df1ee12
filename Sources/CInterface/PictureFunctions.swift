import CWaymarkInterface
import Foundation
import Waymark
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles

/// The size of a map's picture in device pixels.
func deviceSize(_ mapView: MapView) throws(Failure) -> (width: Int, height: Int) {
    do throws(PropertyError) {
        let viewport = try mapView.viewport()
        return (viewport.deviceWidth, viewport.deviceHeight)
    } catch {
        throw Failure(.badContent, error.description)
    }
}

@_cdecl("waymark_render") public func cRender(
    _ renderer: OpaquePointer?, _ scene: OpaquePointer?, _ pixels: UnsafeMutablePointer<UInt8>?, _ stride: Int, _ length: Int,
    _ format: Int32, _ warnings: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    warnings?.pointee = nil
    return call(message) { () throws(Failure) in
        let renderer = try object(renderer, RendererHandle.self, "renderer")
        let scene = try object(scene, SceneHandle.self, "scene")
        let pixels = try output(pixels, "pixels")
        let mapView = try scene.mapView()
        // The size is checked before drawing, because a caller's mistake can be detected without drawing.
        let (width, height) = try deviceSize(mapView)
        guard stride >= 4 * width else {
            throw Failure(.usage, "stride: \(stride) is less than the \(4 * width) bytes of a row")
        }
        let (before, isTooLarge) = stride.multipliedReportingOverflow(by: height - 1)
        guard !isTooLarge, length >= 0, length - 4 * width >= before else {
            throw Failure(
                .usage, "length: \(length) is too small for a picture of \(width) × \(height) pixels with a stride of \(stride) bytes")
        }
        let layout = waymark_pixel_format(UInt32(bitPattern: format))
        guard [WAYMARK_RGBA, WAYMARK_RGBA_PREMULTIPLIED, WAYMARK_BGRA_PREMULTIPLIED].contains(layout) else {
            throw Failure(.usage, "format: \(format) is not in enum waymark_pixel_format")
        }
        try renderer.draw(mapView)
        let bitmap = renderer.picture.bitmap
        copyRows(layout == WAYMARK_RGBA ? bitmap.straightPixels : bitmap.pixels, width, height, to: pixels, stride)
        if layout == WAYMARK_BGRA_PREMULTIPLIED { swapRedAndBlue(pixels, width, height, stride) }
        warnings?.pointee = copy(list(scene.warnings + renderer.picture.diagnostics))
    }
}

@_cdecl("waymark_render_encoded") public func cRenderEncoded(
    _ renderer: OpaquePointer?, _ scene: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ quality: Int32,
    _ bytes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ length: UnsafeMutablePointer<Int>?,
    _ warnings: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    bytes?.pointee = nil
    length?.pointee = 0
    warnings?.pointee = nil
    return call(message) { () throws(Failure) in
        let renderer = try object(renderer, RendererHandle.self, "renderer")
        let scene = try object(scene, SceneHandle.self, "scene")
        let (bytes, length) = (try output(bytes, "bytes"), try output(length, "length"))
        guard let name = format.map({ String(cString: $0) }) else { throw Failure(.usage, "format is NULL") }
        let format: ImageFormat
        do throws(PropertyError) { format = try ImageFormat(named: name) } catch { throw Failure(.usage, error.description) }
        guard (0...100).contains(quality) else { throw Failure(.usage, "quality: \(quality) is outside 0…100") }
        let mapView = try scene.mapView()
        try renderer.draw(mapView)
        let encoded: [UInt8]
        do throws(ImagingError) {
            encoded = try renderer.picture.encoded(
                as: format, options: EncodingOptions(quality: quality == 0 ? nil : Int(quality)))
        } catch {
            throw Failure(error)
        }
        guard let memory = malloc(max(1, encoded.count)) else {
            throw Failure(.unavailable, "not enough memory for the \(encoded.count) bytes of the file")
        }
        encoded.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: encoded.count) }
        bytes.pointee = memory.assumingMemoryBound(to: UInt8.self)
        length.pointee = encoded.count
        warnings?.pointee = copy(list(scene.warnings + renderer.picture.diagnostics))
    }
}

extension RendererHandle {
    fileprivate func draw(_ mapView: MapView) throws(Failure) {
        do throws(RenderError) { try renderer.render(mapView, into: &picture) } catch { throw Failure(error) }
    }
}

private func copyRows(_ source: [UInt8], _ width: Int, _ height: Int, to pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    source.withUnsafeBufferPointer { source in
        guard let first = source.baseAddress else { return }
        if stride == 4 * width {
            pixels.update(from: first, count: stride * height)
            return
        }
        for row in 0..<height { (pixels + row * stride).update(from: first + row * 4 * width, count: 4 * width) }
    }
}

private func swapRedAndBlue(_ pixels: UnsafeMutablePointer<UInt8>, _ width: Int, _ height: Int, _ stride: Int) {
    for row in 0..<height {
        let start = pixels + row * stride
        for x in 0..<width {
            let pixel = start + 4 * x
            (pixel[0], pixel[2]) = (pixel[2], pixel[0])
        }
    }
}
