import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene

/// A picture that was drawn into a file.
public struct PictureFile: Equatable, Sendable {
    /// The size in device pixels.
    public internal(set) var width: Int
    public internal(set) var height: Int
    /// The camera of the picture.
    public internal(set) var camera: Camera
    /// What could not be drawn as requested. The rest is in the picture.
    public internal(set) var diagnostics: [Diagnostic]
    /// Whether every pixel is opaque; of a picture drawn in bands, whether its background is.
    public internal(set) var isOpaque: Bool
}

extension Renderer {
    /// Draws a map in its present state into a picture file, whole or not at all. The format defaults to that of the name's extension.
    ///
    /// A PNG or RGBA picture of more than 32 million pixels, or with longer sides than the device draws, is drawn and written band by
    /// band, so that its memory does not grow with its size. Other formats, and a PNG with a palette, need the whole picture in
    /// memory.
    /// - Throws: Like `render(_:)`, and `RenderError.writing` for a file that cannot be written.
    public func render(
        _ mapView: MapView, to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(RenderError) -> PictureFile {
        try render(mapView, placed: nil, to: path, as: format, options: options)
    }

    /// The same for a map that may have been laid out already, since it last changed.
    package func render(
        _ mapView: MapView, placed: consuming PlacedMap?, to path: String, as format: ImageFormat?, options: EncodingOptions
    ) throws(RenderError) -> PictureFile {
        guard let format = format ?? ImageFormat(path: path) else { throw .writing(ImagingError(.unknownExtension, path: path)) }
        if isDrawnInBands(mapView), format.isStreamable(options) {
            return try stream(placed.orLaidOut(mapView)) { (file) throws(ImagingError) in
                try PictureStream(
                    to: path, width: file.width, height: file.height, as: format, isOpaque: file.isOpaque,
                    options: Picture.withThreads(options))
            }
        }
        // Drawing reports an invalid size.
        if let viewport = try? mapView.viewport() {
            do throws(ImagingError) {
                try format.checkSize(width: viewport.deviceWidth, height: viewport.deviceHeight)
            } catch {
                throw .writing(error.at(path))
            }
        }
        var picture = Picture()
        try render(placed.orLaidOut(mapView), into: &picture)
        do throws(ImagingError) {
            try picture.write(to: path, as: format, options: options)
        } catch {
            throw .writing(error)
        }
        return PictureFile(
            width: picture.bitmap.width, height: picture.bitmap.height, camera: picture.camera, diagnostics: picture.diagnostics,
            isOpaque: picture.bitmap.isOpaque)
    }

    /// Whether a map's picture is so large that it is drawn in bands.
    package func isDrawnInBands(_ mapView: MapView) -> Bool {
        guard let viewport = try? mapView.viewport() else { return false }
        return frames.isDrawnInBands(width: viewport.deviceWidth, height: viewport.deviceHeight)
    }

    /// Draws a map band by band into the stream that `open` returns for what will be in it. Throws before drawing when `open` throws.
    package func stream(
        _ mapView: MapView, _ open: (PictureFile) throws(ImagingError) -> PictureStream
    ) throws(RenderError) -> PictureFile {
        try stream(PlacedMap(mapView), open)
    }

    private func stream(
        _ placed: consuming PlacedMap, _ open: (PictureFile) throws(ImagingError) -> PictureStream
    ) throws(RenderError) -> PictureFile {
        let start = ContinuousClock.now
        let layout = placed.duration
        let number = placed.placement.picture
        placed.composer.join(frames.budget)
        let (camera, diagnostics) = (placed.camera, placed.placement.diagnostics)
        let frame = placed.placement.takeFrame()
        let framed = ContinuousClock.now
        let background = frame.background.premultipliedBytes
        var file = PictureFile(
            width: frame.width, height: frame.height, camera: camera, diagnostics: diagnostics,
            isOpaque: background.alpha == 255)
        var failure: ImagingError?
        var encoding = Duration.zero
        func write(_ step: () throws(ImagingError) -> Void) -> Bool {
            let begun = ContinuousClock.now
            defer { encoding += ContinuousClock.now - begun }
            do throws(ImagingError) {
                try step()
                return true
            } catch {
                failure = error
                return false
            }
        }
        var stream: PictureStream?
        guard write({ () throws(ImagingError) in stream = try open(file) }), let stream else {
            throw .writing(failure ?? ImagingError(.outOfMemory))
        }
        do throws(GPUError) {
            try frames.render(consume frame, picture: number) { band in
                write { () throws(ImagingError) in try stream.append(band) }
            }
        } catch {
            throw .device(error)
        }
        if failure == nil { _ = write { () throws(ImagingError) in try stream.finish() } }
        if let failure { throw .writing(failure) }
        file.diagnostics += drawingDiagnostics
        let end = ContinuousClock.now
        note(layout: layout + (framed - start), drawing: end - framed - encoding, encoding: encoding)
        return file
    }
}
