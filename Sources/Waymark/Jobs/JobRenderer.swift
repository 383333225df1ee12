import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkSceneFiles
import WaymarkSystem

/// Draws jobs, one after another, on a base scene that is decoded once. After each job, even a failed one, the scene is restored.
package final class JobRenderer {
    private let base: BaseScene
    private let renderer: Renderer
    private let fontSource: FontSource
    /// Reused for every job, to avoid allocating its memory.
    private var picture = Picture()
    /// The images and meshes that jobs have loaded and later jobs may use, as a cache of the renderer.
    private let loaded: LoadedByJobs
    private let isStrict: Bool
    private let limits: JobLimits
    /// The warnings caused by the base scene, found when a job first has a warning.
    private lazy var baseWarnings = findBaseWarnings()
    /// The warnings of the base scene that were not reported yet.
    private lazy var unsaidBaseWarnings = baseWarnings.subtracting(warnings)
    /// Diagnostics about everything in the last picture that could not be laid out as requested.
    private var diagnostics: [Diagnostic] = []

    /// The maximum size in bytes of reused picture memory.
    private static let pictureByteLimit = 64 << 20

    /// - Parameters:
    ///   - isStrict: Whether a job with warnings fails.
    ///   - limits: Jobs that exceed them fail before anything is laid out.
    package init(
        base: BaseScene, renderer: Renderer, fontSource: FontSource = .default, isStrict: Bool = false, limits: JobLimits = JobLimits()
    ) {
        self.isStrict = isStrict
        self.limits = limits
        self.base = base
        self.renderer = renderer
        self.fontSource = fontSource
        loaded = LoadedByJobs(base)
        renderer.frames.keep(loaded)
        base.mapView.fontSource = fontSource
        base.inputs?.keep()
        renderer.frames.isTiming = true
    }

    deinit { renderer.frames.release(loaded) }

    /// The scene without overlays, which is the default base.
    package static let emptyScene = Array(#"{"waymark": 1}"#.utf8)

    /// The warnings from reading the base scene.
    package var warnings: [String] { base.warnings.map { "\($0)" } }
}

/// A job's picture: the bytes of a file, or a file that is already written.
package struct RenderedJob {
    /// The bytes of the file; empty when the picture was written to a file band by band.
    package var bytes: [UInt8]
    /// The size of the file in bytes.
    package var byteCount: Int
    package var width: Int
    package var height: Int
    /// Warnings about everything that could not be read or drawn as requested, apart from `sceneWarnings`.
    package var warnings: [String]
    /// The warnings caused by the base scene that are reported with this picture because it is the first to have them.
    package var sceneWarnings: [String] = []
    /// The inspection as JSON on one line, if it is to be returned.
    package var inspection: [UInt8]?
    /// The text of the hit map.
    var hitMap: [UInt8]?
    /// Warnings about features that this device lacks, regardless of the job.
    package var deviceWarnings: [String]
    package var times: StageTimes
}

extension JobRenderer {
    /// Draws a job.
    package func render(_ job: BatchJob) throws(Failure) -> RenderedJob { try render(job, in: nil) }

    /// Draws a job to a file below a folder, atomically, and creates missing folders.
    package func render(_ job: BatchJob, into folder: String) throws(Failure) -> RenderedJob {
        let folder = OutputFolder(path: folder)
        var rendered = try render(job, in: folder)
        var watch = StopWatch()
        // A picture that is recorded as done must have its inspection.
        if let inspection = rendered.inspection {
            try folder.write(inspection, to: job.output.inspection)
            rendered.inspection = nil
        }
        if let hitMap = rendered.hitMap, let format = job.hitMap { try folder.write(hitMap, to: job.output.hitMap(format)) }
        if !rendered.bytes.isEmpty { try folder.write(rendered.bytes, to: job.output) }
        rendered.times.write += watch.lap()
        return rendered
    }

    /// - Parameter folder: The folder for a picture that is too large for memory; nil keeps every picture in memory.
    private func render(_ job: BatchJob, in folder: OutputFolder?) throws(Failure) -> RenderedJob {
        var rendered = try renderChanged(job, in: folder)
        guard !rendered.warnings.isEmpty else { return rendered }
        if isStrict {
            if rendered.bytes.isEmpty { folder?.remove(job.output) }
            throw Failure(warnings: rendered.warnings)
        }
        let ofBase = rendered.warnings.filter(baseWarnings.contains)
        rendered.warnings.removeAll(where: baseWarnings.contains)
        for warning in ofBase where unsaidBaseWarnings.remove(warning) != nil { rendered.sceneWarnings.append(warning) }
        return rendered
    }

    private func findBaseWarnings() -> Set<String> {
        let mapView = base.mapView
        mapView.fontSource = fontSource
        if let fit = base.fit, let camera = try? mapView.camera(fitting: fit) { mapView.camera = camera }
        let diagnostics = (try? mapView.makeFrame().diagnostics) ?? []
        base.takeBack()
        return Set(warnings + diagnostics.map { "\($0)" })
    }

    private func renderChanged(_ job: BatchJob, in folder: OutputFolder?) throws(Failure) -> RenderedJob {
        if job.hitMap != nil, folder == nil { throw .hitMapWithoutFolder }
        var times = StageTimes()
        var watch = StopWatch()
        let scene = try change(job, in: folder)
        defer {
            base.takeBack()
            forgetImages()
            if picture.bitmap.pixels.count > Self.pictureByteLimit { picture = Picture() }
        }
        let mapView = scene.mapView
        times.read = watch.lap()
        try limits.check(mapView)
        try scene.setView(fontSource)
        times.layout = watch.lap()
        try checkSize(mapView, job.output, isSentBack: folder == nil)
        var inspection: [UInt8]?
        var areas: HitMap?
        let map = try layOut(mapView, job.output) { placement in
            if job.isInspected { inspection = Self.inspection(placement, isSentBack: folder == nil) }
            if job.hitMap != nil { areas = placement.hitMap(on: mapView) }
        }
        let isDrawnInBands: Bool
        do throws(RenderError) { isDrawnInBands = try renderer.isDrawnInBands(map) } catch { throw Failure(error, job.output) }
        var rendered: RenderedJob
        if let folder, isDrawnInBands, job.output.format.isStreamable(job.encoding) {
            rendered = try stream(consume map, into: folder.begin(job.output), job.output, &times)
        } else {
            rendered = try draw(consume map, job, &times)
        }
        rendered.warnings = scene.warnings.map { "\($0)" } + rendered.warnings
        rendered.inspection = inspection
        if let format = job.hitMap, let areas { rendered.hitMap = Self.text(areas, job, format) }
        return rendered
    }

    /// Lays out a job's picture without drawing it, and answers a question about it.
    /// - Returns: The answer as JSON on one line, and warnings about everything that could not be read or would not be drawn as requested.
    package func answer(_ question: PictureQuestion, about job: BatchJob) throws(Failure) -> (json: [UInt8], warnings: [String]) {
        let scene = try base.change(job)
        defer {
            base.takeBack()
            forgetImages()
        }
        try limits.check(scene.mapView)
        try scene.setView(fontSource)
        let answer: (json: JSONText, diagnostics: [Diagnostic])
        try question.check(scene.mapView)
        do throws(RenderError) {
            answer = try question.answer(scene.mapView)
        } catch {
            throw Failure(error, job.output)
        }
        try check(answer.diagnostics)
        let warnings = (scene.warnings + answer.diagnostics).map { "\($0)" }
        if isStrict, !warnings.isEmpty { throw Failure(warnings: warnings) }
        return (answer.json.bytes, warnings)
    }

    /// Applies a job's changes to the base scene; the caller reverts them. Refuses files that would replace a file of the scene.
    private func change(_ job: BatchJob, in folder: OutputFolder?) throws(Failure) -> ChangedScene {
        let scene = try base.change(job)
        guard let folder, let inputs = base.inputs,
            job.files.contains(where: { folder.input(of: inputs, replacedBy: $0) != nil })
        else { return scene }
        // The file may belong to an earlier job, whose images are still cached. Only the files of this job count.
        base.takeBack()
        forgetImagesOfJobs()
        let alone = try base.change(job)
        for output in job.files {
            guard let input = folder.input(of: inputs, replacedBy: output) else { continue }
            base.takeBack()
            throw Failure(replacing: input, output, of: job)
        }
        return alone
    }

    /// Throws, before drawing, for a picture that could not be written or sent.
    private func checkSize(_ mapView: MapView, _ output: OutputPath, isSentBack: Bool) throws(Failure) {
        // Drawing reports an invalid size.
        guard let viewport = try? mapView.viewport() else { return }
        do throws(ImagingError) {
            try output.format.checkSize(width: viewport.deviceWidth, height: viewport.deviceHeight)
        } catch {
            throw Failure(error, output)
        }
        let byteCount = viewport.deviceWidth * viewport.deviceHeight * 4
        if isSentBack, output.format == .rgba, byteCount > WorkerFrame.payloadLimit { throw Failure(tooLong: byteCount, output) }
    }

    /// The output of `waymark inspect`, or the same JSON on one line.
    private static func inspection(_ placement: Placement, isSentBack: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        placement.writeInspection(isSentBack ? .compact : .indented) { bytes += $0 }
        return isSentBack ? bytes : bytes + "\n".utf8
    }

    private static func text(_ areas: HitMap, _ job: BatchJob, _ format: HitMapFormat) -> [UInt8] {
        let name = job.output.components[job.output.components.count - 1]
        return Array(areas.text(format, picture: name.percentEncoded, name: job.output.stem, link: job.link).utf8)
    }

    private func layOut(_ mapView: MapView, _ output: OutputPath, read: (Placement) -> Void) throws(Failure) -> MapFrame {
        let map: MapFrame
        do throws(RenderError) {
            map = try MapFrame(mapView, tileTimeout: renderer.tileTimeout, read: read)
        } catch {
            throw Failure(error, output)
        }
        try check(map.diagnostics)
        return map
    }

    private func draw(_ map: consuming MapFrame, _ job: BatchJob, _ times: inout StageTimes) throws(Failure) -> RenderedJob {
        let output = job.output
        do throws(RenderError) { try renderer.render(map, into: &picture) } catch { throw Failure(error, output) }
        note(&times)
        var warnings = picture.diagnostics.filter { !$0.isOfDevice }.map { "\($0)" }
        var watch = StopWatch()
        let format = output.format
        let bytes: [UInt8]
        do throws(ImagingError) {
            bytes = try picture.encoded(as: format, options: job.encoding)
        } catch {
            throw Failure(error, output)
        }
        if !format.hasAlpha, !picture.bitmap.isOpaque {
            warnings.append("\(format.name) has no transparency: the picture is drawn on white; set a background for another color")
        }
        times.encode = watch.lap()
        return RenderedJob(
            bytes: bytes, byteCount: bytes.count, width: picture.bitmap.width, height: picture.bitmap.height, warnings: warnings,
            deviceWarnings: picture.diagnostics.filter(\.isOfDevice).map { "\($0)" }, times: times)
    }

    private func stream(
        _ map: consuming MapFrame, into file: UnfinishedFile, _ output: OutputPath, _ times: inout StageTimes
    ) throws(Failure) -> RenderedJob {
        let drawn: PictureFile
        do throws(RenderError) {
            drawn = try renderer.stream(map) { (picture) throws(ImagingError) in
                try PictureStream(
                    file, path: output.path, width: picture.width, height: picture.height, as: output.format, isOpaque: picture.isOpaque,
                    options: EncodingOptions(threadCount: 1))
            }
        } catch {
            throw Failure(error, output)
        }
        note(&times)
        times.encode = renderer.lastStages.encoding.milliseconds
        return RenderedJob(
            bytes: [], byteCount: file.byteCount, width: drawn.width, height: drawn.height,
            warnings: drawn.diagnostics.filter { !$0.isOfDevice }.map { "\($0)" },
            deviceWarnings: drawn.diagnostics.filter(\.isOfDevice).map { "\($0)" }, times: times)
    }

    /// Throws for an SVG that cannot be drawn, unless the scene is lenient.
    private func check(_ diagnostics: [Diagnostic]) throws(Failure) {
        self.diagnostics = diagnostics
        guard !base.isLenient, let error = diagnostics.first(where: { $0.severity == .error }) else { return }
        throw Failure(.badContent, error.reason)
    }

    private func note(_ times: inout StageTimes) {
        let stages = renderer.lastStages
        times.layout += stages.layout.milliseconds
        times.draw = stages.drawing.milliseconds
        times.readBack = stages.readingBack.milliseconds
    }

    /// Evicts the images of jobs when the renderer's budget requires it, and after a diagnostic about an image. The layout would
    /// otherwise repeat the diagnostic for later jobs, even if they do not show the image.
    private func forgetImages() {
        let isReported = base.imageByteCount > 0 && diagnostics.contains { $0.path == "iconImage" }
        if loaded.isEvicted || isReported { forgetImagesOfJobs() }
    }

    private func forgetImagesOfJobs() {
        base.forgetImages()
        base.inputs?.forgetLater()
        loaded.isEvicted = false
    }
}

/// The images and meshes that jobs have loaded, as a cache of the renderer. They are evicted together, after a job.
private final class LoadedByJobs: BudgetedCache {
    private let base: BaseScene
    var isEvicted = false
    /// The number of the first picture that loaded some of these images and meshes. Later jobs rarely use all of them.
    private var firstUse: UInt64?

    init(_ base: BaseScene) {
        self.base = base
    }

    var keptBytes: Int { isEvicted ? 0 : base.imageByteCount }

    var oldestUse: UInt64? {
        if keptBytes == 0 { firstUse = nil } else if firstUse == nil { firstUse = PictureClock.now }
        return firstUse
    }

    func evict(through picture: UInt64, bytes: Int) {
        if let oldestUse, oldestUse <= picture, bytes > 0 { isEvicted = true }
    }
}

/// Measures the time between laps.
private struct StopWatch {
    private var last = ContinuousClock.now

    /// Milliseconds since the last lap.
    mutating func lap() -> Double {
        let now = ContinuousClock.now
        defer { last = now }
        return (now - last).milliseconds
    }
}

extension Duration {
    fileprivate var milliseconds: Double { self / .milliseconds(1) }
}
