import Waymark
import WaymarkComparison
import WaymarkSystem

/// The pictures of a sweep: drawn, written, arranged on a strip, and compared.
struct SweepPictures {
    private let command: Sweep
    private let views: [SweepView]
    private var strip: FilmStrip?
    private var picture = Picture()
    private var inspection: Inspection?
    /// The areas of the objects, if the comparison ignores some of them.
    private var hitMap: HitMap?
    /// The number of expected pictures that were written.
    private(set) var updated = 0
    /// The warnings printed so far.
    private var said: Set<String> = []

    /// Checks the outputs before anything is drawn, and creates the folder.
    init(_ command: Sweep, _ views: [SweepView], _ mapView: MapView, _ inputs: InputRecord) throws(Failure) {
        self.command = command
        self.views = views
        if let against = command.against {
            // An update must not replace a file of the scene.
            for view in views where command.update {
                for ending in ["png", "json"] {
                    try inputs.refuse("\(against)/\(view.name).\(ending)", option: "--against", reader: command.scene.use)
                }
            }
            for view in views { inputs.note("\(against)/\(view.name).png") }
        }
        func reader(_ input: ReplacedInput) -> String {
            let isExpected = command.against.map { input.name.hasPrefix("\($0)/") } ?? false
            return isExpected && input.name != command.scene.scene ? "is compared" : command.scene.use(of: input)
        }
        try command.report.check(inputs, reader: reader)
        var outputs = command.strip.map { [($0, "--strip")] } ?? []
        if let output = command.output {
            outputs += views.flatMap { [("\(output)/\($0.name).png", "--output"), ("\(output)/\($0.name).json", "--output")] }
        }
        if let strip = command.strip { try command.report.refuseFile(ofName: strip, option: "--strip") }
        for (path, option) in outputs { try inputs.refuse(path, option: option, reader: reader) }
        if let path = command.strip {
            let viewport: Viewport
            do throws(PropertyError) { viewport = try mapView.viewport() } catch { throw Failure(error, scene: command.scene.name) }
            guard let strip = FilmStrip(views, width: viewport.deviceWidth, height: viewport.deviceHeight) else {
                throw Failure(
                    .usage,
                    "\(path): a strip may have at most 250 million pixels, which is too few for \(views.count) pictures of this size"
                )
            }
            self.strip = strip
        }
        if let output = command.output {
            do throws(SystemError) { try FileSystem.makeFolder(output) } catch { throw Failure(.cannotWrite, "\(output): \(error)") }
        }
    }

    /// Draws a view, and writes its picture.
    mutating func draw(_ index: Int, _ mapView: MapView, _ renderer: Renderer) throws(Failure) {
        try command.scene.drawing { () throws(RenderError) in
            let frame = try MapFrame(mapView) { placement in
                inspection = placement.inspection()
                if command.report.ignoresObjects { hitMap = placement.hitMap(on: mapView) }
            }
            try renderer.render(frame, into: &picture)
        }
        // The first list contains warnings from fitting the camera.
        let new = ((inspection?.diagnostics ?? []) + picture.diagnostics).filter { said.insert($0.description).inserted }
        // Warnings of the first picture are probably about the whole scene.
        let view = index == 0 ? "" : " (\(views[index].name))"
        try warn(new, scene: command.scene.name + view, isLenient: command.scene.lenient)
        strip?.lay(picture.bitmap, at: index)
        if let output = command.output { try write(to: "\(output)/\(views[index].name)") }
    }

    /// Writes the last drawn view and its inspection.
    /// - Parameter path: The path without its extension.
    private func write(to path: String) throws(Failure) {
        guard let inspectionText else { return }
        try writing { () throws(ImagingError) in try picture.write(to: path + ".png") }
        try Pipes.write(inspectionText, to: path + ".json")
    }

    /// Compares the last drawn view with the expected picture in a folder. With `--update`, replaces the picture and its inspection if one of
    /// them differs.
    mutating func compare(_ index: Int, with folder: String, _ report: inout ComparisonReport) throws(Failure) {
        let name = views[index].name
        try compare(name, with: folder, &report)
        guard command.update, report.verdicts.last?.matches == false || !isInspection(at: "\(folder)/\(name).json") else { return }
        try write(to: "\(folder)/\(name)")
        updated += 1
    }

    /// Whether a file contains the inspection of the last drawn view.
    private func isInspection(at path: String) -> Bool {
        guard FileSystem.isFile(path), let bytes = try? WholeFile.read(path, as: .scene) else { return false }
        return bytes == inspectionText
    }

    /// The inspection of the last drawn view as a file.
    private var inspectionText: [UInt8]? { inspection.map { Array(($0.json.text + "\n").utf8) } }

    private func compare(_ name: String, with folder: String, _ report: inout ComparisonReport) throws(Failure) {
        let path = "\(folder)/\(name).png"
        let actual = ComparedPicture(picture.bitmap, inspection: inspection, hitMap: hitMap)
        try writing { () throws(ImagingError) in
            guard FileSystem.exists(path) else {
                try report.fail(name, because: "the expected picture \(path) is missing", actual: actual)
                return
            }
            let expected: ComparedPicture
            do throws(ImagingError) {
                expected = try ComparedPicture(contentsOf: path)
            } catch {
                try report.fail(name, because: error.description, actual: actual)
                return
            }
            try report.compare(name, expected: expected, actual: actual)
        }
    }

    func writeStrip() throws(Failure) {
        guard let path = command.strip, let strip else { return }
        try writing { () throws(ImagingError) in try strip.bitmap.write(to: path) }
    }
}
