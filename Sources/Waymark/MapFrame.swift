import WaymarkFrame
import WaymarkGPU
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene

/// What is to be drawn of a map at one moment: a value, which a renderer on any thread draws. The map may change meanwhile.
public struct MapFrame: Sendable {
    /// The size of the picture in device pixels.
    public var width: Int { frame.width }
    public var height: Int { frame.height }
    /// The camera of the picture.
    public let camera: Camera
    /// What cannot be drawn as requested.
    public let diagnostics: [Diagnostic]
    let frame: Frame
    /// The number that `PictureClock` gave it.
    let number: UInt64
}

extension MapView {
    /// Lays out the map in its present state, which needs no device.
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` when there are texts and
    ///   no fonts.
    public func makeFrame() throws(RenderError) -> MapFrame {
        defer { Composer.of(self).trim() }
        var placement = try placement()
        let diagnostics = placement.diagnostics
        let number = placement.picture
        return MapFrame(camera: camera, diagnostics: diagnostics, frame: placement.takeFrame(), number: number)
    }
}

extension Renderer {
    /// Draws a frame: the same pixels as the map at the time when it was laid out.
    /// - Throws: `RenderError.device` for what the GPU cannot do.
    public func render(_ frame: MapFrame) throws(RenderError) -> Picture {
        var picture = Picture()
        picture.camera = frame.camera
        do throws(GPUError) {
            try frames.render(frame.frame, into: &picture.bitmap, picture: frame.number)
        } catch {
            throw .device(error)
        }
        picture.diagnostics = frame.diagnostics + drawingDiagnostics
        return picture
    }
}
