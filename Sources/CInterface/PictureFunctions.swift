import CWaymarkInterface
import Foundation
import Waymark
import WaymarkGeo
import WaymarkImaging
import WaymarkRendering
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
        let diagnostics: [Diagnostic]
        // Rows without padding are drawn in place, which saves a copy of the picture. The renderer writes pixels of 32 bits.
        if stride == 4 * width, Int(bitPattern: pixels) % MemoryLayout<UInt32>.alignment == 0 {
            diagnostics = try renderer.draw(mapView, into: pixels, width, height)
        } else {
            try renderer.draw(mapView)
            renderer.picture.bitmap.copyRows(to: pixels, stride: stride)
            diagnostics = renderer.picture.diagnostics
        }
        for row in 0..<height { convert(pixels + row * stride, width, to: layout) }
        warnings?.pointee = copy(list(scene.warnings + diagnostics))
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

    /// Draws a map into premultiplied RGBA pixels without padding between rows.
    /// - Returns: The diagnostics of the picture.
    fileprivate func draw(
        _ mapView: MapView, into pixels: UnsafeMutablePointer<UInt8>, _ width: Int, _ height: Int
    ) throws(Failure) -> [Diagnostic] {
        let bytes = UnsafeMutableRawBufferPointer(start: pixels, count: width * height * 4)
        let result = bytes.withMemoryRebound(to: UInt32.self) { words in
            Result { () throws(RenderError) in
                let frame = try MapFrame(mapView, tileTimeout: renderer.tileTimeout)
                return try renderer.render(frame, into: PixelBuffer(words, width: width, height: height))
            }
        }
        do throws(RenderError) { return try result.get() } catch { throw Failure(error) }
    }
}

/// Converts a row of premultiplied RGBA pixels in place.
private func convert(_ row: UnsafeMutablePointer<UInt8>, _ width: Int, to layout: waymark_pixel_format) {
    switch layout {
    case WAYMARK_RGBA: Alpha.unpremultiply(row, into: row, count: width)
    case WAYMARK_BGRA_PREMULTIPLIED:
        for x in 0..<width {
            let pixel = row + 4 * x
            (pixel[0], pixel[2]) = (pixel[2], pixel[0])
        }
    default: break
    }
}
