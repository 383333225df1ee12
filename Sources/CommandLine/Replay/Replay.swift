import ArgumentParser
import Foundation
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// `waymark replay`: sends events to a scene, and prints the calls of its map.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Sends events to a scene, and prints the objects that they hit and the delegate calls that they cause, as JSON lines.",
        discussion: """
            The events are taps, long presses and drags. They are listed under "events" in the scene, or in the JSON file of --events, as \
            in [{"tap": [120, 80]}, {"drag": [[10, 20], [60, 40]]}]. Each event is printed as one line that lists the objects it hits, \
            followed by the delegate calls it causes.
            """,
        examples: [
            "waymark replay city.json --events taps.json",
            "waymark replay city.json --frames out --html replay.html",
        ])

    @OptionGroup var scene: SceneArguments

    @Option(
        help: ArgumentHelp("A JSON list of events, in place of the scene's; - is standard input.", valueName: "FILE"),
        completion: .file(extensions: ["json"]))
    var events: String?

    @Option(
        help: ArgumentHelp(
            "A folder for pictures: start.png, drawn before the events, and event-0.png, event-1.png …, drawn after each.", valueName: "DIR"
        ), completion: .directory)
    var frames: String?

    @Option(
        help: ArgumentHelp(
            "Write an HTML page that steps through the events, with picture and calls side by side.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    @OptionGroup(title: "Format") var encoding: EncodingArguments

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            let (format, options) = try checkedEncoding()
            let cacheBytes = try cache.checked()
            let opening = try frames != nil || html != nil ? device.opening(cacheBytes: cacheBytes) : nil
            defer { opening?.wait() }
            let inputs = InputRecord()
            let file = try scene.loadFile(device.fontSource, noting: inputs)
            let mapView = file.mapView
            let events = try chosenEvents(file, inputs)
            try check(events, mapView)
            let pictures = ReplayPictures(
                scene: scene, folder: frames, hasPage: html != nil, format: format, options: options, eventCount: events.count)
            try checkOutputs(pictures, inputs)
            try pictures.begin(mapView, opening)
            let log = CallbackLog()
            mapView.delegate = log
            var steps: [ReplayStep] = []
            for (number, event) in events.enumerated() {
                let step = ReplayStep(number, event, mapView, log)
                try Pipes.write(step.text)
                try pictures.add(mapView, after: number)
                steps.append(step)
            }
            if let html {
                let page = ReplayPage(
                    title: scene.name, size: mapView.size, steps: steps, pictures: pictures.encoded, format: pictures.format)
                try Pipes.write(Array(page.text.utf8), to: html)
            }
        }
    }

    private func checkedEncoding() throws(Failure) -> (ImageFormat, EncodingOptions) {
        let format = try encoding.chosenFormat() ?? .png
        let options = try encoding.compression.checkedOptions(format)
        if let frames, frames.isEmpty { throw Failure(.usage, "--frames: the name of the folder is empty") }
        if html == "-" { throw Failure(.usage, "--html: the calls are printed on standard output; name a file for the page") }
        if html != nil, format == .rgba {
            throw Failure(.usage, "--format: browsers cannot show rgba; choose png, jpeg or webp for --html")
        }
        if events == "-", scene.scene == "-" { throw Failure(.usage, "SCENE and --events cannot both be standard input") }
        return (format, options)
    }

    /// The events to send.
    private func chosenEvents(_ file: SceneFile, _ inputs: InputRecord) throws(Failure) -> [PointerEvent] {
        guard let events else {
            guard !file.events.isEmpty else {
                throw Failure(.usage, "\(scene.name): this scene has no \"events\"; name a list of events with --events")
            }
            return file.events
        }
        inputs.note(events)
        let input = events == "-" ? try Pipes.readInput(as: .events) : []
        do throws(SceneError) {
            return events == "-" ? try [PointerEvent](bytes: input, name: "standard input") : try [PointerEvent](contentsOf: events)
        } catch {
            throw Failure(error)
        }
    }

    /// Refuses events outside the picture before anything is sent.
    private func check(_ events: [PointerEvent], _ mapView: MapView) throws(Failure) {
        let size = mapView.size
        for (number, event) in events.enumerated() {
            for (index, point) in event.points.enumerated()
            where !(0...size.width).contains(point.x) || !(0...size.height).contains(point.y) {
                let file = self.events.map { $0 == "-" ? "standard input" : $0 } ?? scene.name
                let path = "events[\(number)].\(event.path(ofPoint: index))"
                throw Failure(
                    .badContent,
                    "\(file): \(path): (\(plain(point.x)), \(plain(point.y))) is outside the picture of \(plain(size.width)) × "
                        + "\(plain(size.height)) pt")
            }
        }
    }

    /// Before anything is sent, refuses outputs that would replace a file of the scene.
    private func checkOutputs(_ pictures: ReplayPictures, _ inputs: InputRecord) throws(Failure) {
        for (path, option) in pictures.paths.map({ ($0, "--frames") }) + (html.map { [($0, "--html")] } ?? []) {
            try inputs.refuse(path, option: option) { input in
                input.name == events && input.name != scene.scene ? "contains the events" : scene.use(of: input)
            }
        }
    }
}
