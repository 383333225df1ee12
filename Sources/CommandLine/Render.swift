import ArgumentParser
import Glibc
import Waymark
import WaymarkSystem

/// `waymark render`: draws a scene into a picture file.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Renders a scene into a picture.",
        examples: [
            "waymark render city.json -o city.png",
            "waymark render city.json --size 800x600 --bearing 120 --tilt 60 -o a.webp",
        ])

    @OptionGroup var scene: SceneArguments

    @Option(
        name: .output,
        help: ArgumentHelp(
            "The picture file; - is standard output. Default: the scene's name with the format's extension.", valueName: "FILE"),
        completion: .file())
    var output: String?

    @OptionGroup(title: "Format") var encoding: EncodingArguments

    @OptionGroup(title: "Hit map") var hitMap: HitMapArguments

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            let format = try chosenFormat()
            let encodingOptions = try encoding.compression.checkedOptions(format)
            let cacheBytes = try cache.checked()
            let hitMapFile = try hitMap.checked(picture: output ?? defaultOutput(format))
            ProcessHeap.useOneHeap()
            // A driver starts while the scene is decoded and laid out. The program must not end before it has started.
            let opening = try device.opening(cacheBytes: cacheBytes, isForOnePicture: true)
            defer { opening.wait() }
            let inputs = InputRecord()
            let mapView = try scene.load(device.fontSource, noting: inputs)
            opening.begin(for: mapView)
            try checkOutput(mapView, format, inputs)
            if let hitMapFile { try checkHitMap(hitMapFile.path, output ?? defaultOutput(format), inputs) }
            var areas: HitMap?
            let map = try scene.drawing { () throws(RenderError) in
                try MapFrame(mapView) { if hitMapFile != nil { areas = $0.hitMap(on: mapView) } }
            }
            try warn(map.diagnostics, scene: scene.name, isLenient: scene.lenient)
            let renderer = try opening.opened()
            let isOpaque: Bool
            do throws(RenderError) {
                isOpaque = try draw(consume map, renderer, format, encodingOptions)
            } catch {
                throw Failure(error, scene: scene.name)
            }
            if let hitMapFile, let areas { try hitMap.write(areas, to: hitMapFile, picture: output ?? defaultOutput(format)) }
            if !format.hasAlpha, !isOpaque {
                say("warning: \(format.name) has no transparency: the picture is drawn on white; --background sets another color")
            }
            // Everything is written. The system frees the memory of ten thousand markers faster than their deinitializers, and ends the
            // driver's threads faster than the driver's exit handlers.
            withExtendedLifetime((mapView, renderer)) { _exit(EXIT_SUCCESS) }
        }
    }

    private func chosenFormat() throws(Failure) -> ImageFormat {
        if let known = try encoding.chosenFormat() { return known }
        guard let output, output != "-" else { return .png }
        guard let known = ImageFormat(path: output) else {
            throw Failure(
                .usage,
                "\(output.quotedIfEmpty): the name does not end in one of "
                    + "\(ImageFormat.allCases.map { ".\($0.fileExtension)" }.joined(separator: ", ")); choose one with --format")
        }
        return known
    }

    /// Before anything is drawn, refuses an output that would replace a file of the scene, and a picture that is too large for its
    /// format.
    private func checkOutput(_ mapView: MapView, _ format: ImageFormat, _ inputs: InputRecord) throws(Failure) {
        let path = output ?? defaultOutput(format)
        if path != "-" { try inputs.refuse(path, reader: scene.use) }
        // The size was checked when the scene was read.
        guard let viewport = try? mapView.viewport() else { return }
        do throws(ImagingError) {
            try format.checkSize(width: viewport.deviceWidth, height: viewport.deviceHeight)
        } catch {
            // The error names the option that set the size or the format.
            let isChosen = encoding.format != nil || scene.view.size != nil || scene.view.pixelRatio != nil
            throw isChosen ? Failure(.usage, error.at(path).description) : Failure(.badContent, "\(scene.name): \(error.at(path))")
        }
    }

    /// Before anything is drawn, refuses a hit map that would replace a file of the scene or the picture.
    private func checkHitMap(_ path: String, _ picture: String, _ inputs: InputRecord) throws(Failure) {
        try inputs.refuse(path, option: "--hit-map", reader: scene.use)
        if path == picture { throw Failure(.usage, "\(path): the picture and the hit map cannot be the same file") }
    }

    /// Draws the picture into the output. Returns whether it is opaque.
    private func draw(
        _ map: consuming MapFrame, _ renderer: Renderer, _ format: ImageFormat, _ options: EncodingOptions
    ) throws(RenderError) -> Bool {
        let path = output ?? defaultOutput(format)
        guard path == "-" else {
            let file = try renderer.render(map, to: path, as: format, options: options)
            warnOfDrawing(file.diagnostics)
            return file.isOpaque
        }
        var picture = Picture()
        try renderer.render(map, into: &picture)
        warnOfDrawing(picture.diagnostics)
        do throws(ImagingError) {
            let bytes = try picture.encoded(as: format, options: options)
            do throws(SystemError) { try StandardStreams.writeOutput(bytes) } catch {
                throw ImagingError(.cannotWrite, path: "standard output", errno: error.errno)
            }
        } catch {
            throw .writing(error)
        }
        return picture.bitmap.isOpaque
    }

    /// Prints diagnostics that occurred only while drawing; the others were printed when the scene was laid out.
    private func warnOfDrawing(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics where diagnostic.isOfDrawing { say("warning: \(scene.name): \(diagnostic)") }
    }

    private func defaultOutput(_ format: ImageFormat) -> String {
        scene.scene == "-" ? "-" : "\(FileSystem.stem(of: scene.scene)).\(format.fileExtension)"
    }
}
