import ArgumentParser
import Foundation
import Waymark
import WaymarkSceneFiles

/// `waymark pick`: the objects at a point of a scene's picture, as JSON.
struct Pick: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pick",
        abstract: "Prints the objects at a point of the picture, topmost first, as JSON.",
        examples: [
            "waymark pick city.json --at 266,145",
            "waymark pick city.json --at 266,145 --tolerance 10 --include-invisible",
        ])

    @OptionGroup var scene: SceneArguments

    @Option(parsing: .unconditional, help: ArgumentHelp("The point in pt from the picture's upper left, y down.", valueName: "X,Y"))
    var at: CGPoint

    @Option(parsing: .unconditional, help: "The largest distance of an object from the point, in pt, 0 to 100.")
    var tolerance = HitOptions().tolerance

    @Flag(help: "Also find objects that are not drawn because they are hidden, outside their zoom range, or hidden by a collision.")
    var includeInvisible = false

    @Flag(help: "Ignore transparent pixels of icons.")
    var ignoreTransparent = false

    // The options are the same as for other commands, although only the fonts matter here.
    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            // The limit is set first, because it also applies to decoding.
            let budget = CacheBudget(byteLimit: try cache.checked() ?? CacheBudget.defaultByteLimit)
            defer { withExtendedLifetime(budget) {} }
            let mapView = try scene.load(device.fontSource)
            if let error = HitOptions.toleranceRange.error(of: tolerance, "--tolerance") {
                throw Failure(.usage, error.description)
            }
            guard at.x >= 0, at.y >= 0, at.x <= mapView.size.width, at.y <= mapView.size.height else {
                let size = "\(plain(mapView.size.width)) × \(plain(mapView.size.height)) pt"
                throw Failure(.usage, "--at: (\(plain(at.x)), \(plain(at.y))) is outside the picture of \(size)")
            }
            let diagnostics = try scene.drawing { () throws(RenderError) in try mapView.makeFrame().diagnostics }
            try warn(diagnostics, scene: scene.name, isLenient: scene.lenient)
            let options = HitOptions(
                tolerance: tolerance, includesInvisible: includeInvisible, ignoresTransparentPixels: ignoreTransparent)
            let hits = mapView.hits(at: at, options)
            try Pipes.write(JSONText.array(hits.map(\.json)).text + "\n")
        }
    }
}
