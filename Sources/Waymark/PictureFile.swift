import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene

/// The result of drawing a picture to a file.
public struct PictureFile: Equatable, Sendable {
    /// The width in device pixels.
    public internal(set) var width: Int
    /// The height in device pixels.
    public internal(set) var height: Int
    /// The camera of the picture.
    public internal(set) var camera: Camera
    /// Diagnostics about everything that could not be drawn as requested. Everything else is in the picture.
    public internal(set) var diagnostics: [Diagnostic]
    /// Whether every pixel is opaque or, for a picture drawn in bands, whether its background is opaque.
    public internal(set) var isOpaque: Bool
}

extension Renderer {
    /// Draws a map in its present state, and writes the picture to a file atomically. The extension of the file name determines the
    /// default format.
    ///
    /// A PNG or RGBA picture of more than 33 million pixels (32 Mi), or with sides that exceed the device's limit, is drawn and written
    /// band by band, so that memory use does not grow with the size of the picture. Other formats, and a PNG with a palette, need the whole
    /// picture in memory.
    /// - Throws: The errors of `render(_:)`; `RenderError.writing` if the file cannot be written.
    public func render(
        _ mapView: MapView, to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(RenderError) -> PictureFile {
        guard let format = format ?? ImageFormat(path: path) else { throw .writing(ImagingError(.unknownExtension, path: path)) }
        // Laying out reports an invalid size.
        if let viewport = try? mapView.viewport() {
            do throws(ImagingError) {
                try format.checkSize(width: viewport.deviceWidth, height: viewport.deviceHeight)
            } catch {
                throw .writing(error.at(path))
            }
        }
        return try render(MapFrame(mapView, tileTimeout: tileTimeout), to: path, as: format, options: options)
    }

    /// Draws a frame into a picture file.
    package func render(
        _ map: consuming MapFrame, to path: String, as format: ImageFormat, options: EncodingOptions
    ) throws(RenderError) -> PictureFile {
        if try isDrawnInBands(map), format.isStreamable(options) {
            return try stream(map) { (file) throws(ImagingError) in
                try PictureStream(
                    to: path, width: file.width, height: file.height, as: format, isOpaque: file.isOpaque,
                    options: Picture.withThreads(options))
            }
        }
        var picture = Picture()
        try render(map, into: &picture)
        do throws(ImagingError) {
            try picture.write(to: path, as: format, options: options)
        } catch {
            throw .writing(error)
        }
        return PictureFile(
            width: picture.bitmap.width, height: picture.bitmap.height, camera: picture.camera, diagnostics: picture.diagnostics,
            isOpaque: picture.bitmap.isOpaque)
    }

    /// Whether a frame is so large that it is drawn in bands.
    func isDrawnInBands(_ map: MapFrame) throws(RenderError) -> Bool {
        do throws(GPUError) { return try frames.isDrawnInBands(width: map.width, height: map.height) } catch { throw .device(error) }
    }

    /// Draws a frame band by band into the stream that `open` returns for the picture. Throws before drawing when `open` throws.
    func stream(
        _ map: consuming MapFrame, _ open: (PictureFile) throws(ImagingError) -> PictureStream
    ) throws(RenderError) -> PictureFile {
        var file = PictureFile(
            width: map.width, height: map.height, camera: map.camera, diagnostics: map.diagnostics,
            isOpaque: map.frame.background.premultipliedBytes.alpha == 255)
        var failure: ImagingError?
        var encoding = Duration.zero
        func write(_ step: () throws(ImagingError) -> Void) -> Bool {
            let start = ContinuousClock.now
            defer { encoding += ContinuousClock.now - start }
            do throws(ImagingError) { try step() } catch { failure = error }
            return failure == nil
        }
        let found = try draw(map) { (frame: consuming Frame, number, waited) throws(GPUError) in
            var stream: PictureStream?
            guard write({ () throws(ImagingError) in stream = try open(file) }), let stream else { return }
            try frames.render(frame, picture: number, waited: waited) { band in
                write { () throws(ImagingError) in try stream.append(band) }
            }
            if failure == nil { _ = write { () throws(ImagingError) in try stream.finish() } }
        }
        if let failure { throw .writing(failure) }
        lastStages.drawing -= encoding
        lastStages.encoding = encoding
        file.diagnostics += found
        return file
    }
}
