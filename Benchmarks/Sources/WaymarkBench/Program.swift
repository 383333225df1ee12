import Foundation
import Waymark

/// `waymark-bench CASE …`: runs one case in this process and prints its figures as one line of JSON.
///
///     waymark-bench markers ICONS POINTS [--tilt T] [--bearing B] [--hiding 1] [--budget SECONDS]
///     waymark-bench pick ICONS POINTS [--tilt T] [--bearing B]
///     waymark-bench shapes line|names|circles|areas FILE [--tilt T] [--budget SECONDS]
///     waymark-bench captions LABELS [--flags captions|markers|none] [--order screen|source] [--font FAMILY] [--budget SECONDS]
///     waymark-bench mesh MESH TEXTURE [--culled 1] [--mipmaps 0] [--samples 4] [--budget SECONDS]
///     waymark-bench clusters POINTS
///     waymark-bench card SCENE
///     waymark-bench window SCENE
///     waymark-bench basemap TILES [--zoom Z] [--tilt T] [--bearing B] [--cold 1] [--budget SECONDS] [-o PICTURE]
///     waymark-bench file SCENE -o PICTURE [--size WxH]
///     waymark-bench pool CARD SCENE CHANGES
///
/// It only measures: `tools/bench` makes the data and compares.
@main
enum Program {
    // On the main thread, like most programs.
    @MainActor static func main() async {
        // The pool's workers are this program, unless WAYMARK_HELPER names another.
        WaymarkHelper.runIfAsked()
        do {
            print(try await run(Arguments(CommandLine.arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static let names = "markers, pick, captions, mesh, clusters, card, window, shapes, basemap, file or pool"

    @MainActor private static func run(_ arguments: Arguments) async throws -> String {
        var arguments = arguments
        switch try arguments.next("a case: \(names)") {
        case "markers":
            let icons = try arguments.next("the file of icons")
            let points = try arguments.next("the file of points")
            var markers = MarkersCase(icons: icons, points: points)
            if let tilt = try arguments.number("--tilt") { markers.tilt = tilt }
            if let bearing = try arguments.number("--bearing") { markers.bearing = bearing }
            if let hiding = try arguments.number("--hiding") { markers.isHiding = hiding != 0 }
            if let budget = try arguments.number("--budget") { markers.budget = .seconds(budget) }
            try arguments.finish()
            return try json(markers.run())
        case "pick":
            let icons = try arguments.next("the file of icons")
            var markers = MarkersCase(icons: icons, points: try arguments.next("the file of points"))
            if let tilt = try arguments.number("--tilt") { markers.tilt = tilt }
            if let bearing = try arguments.number("--bearing") { markers.bearing = bearing }
            try arguments.finish()
            return try json(PickCase(markers: markers).run())
        case "shapes":
            let name = try arguments.next("line, circles or areas")
            guard let kind = ShapesCase.Kind(rawValue: name) else { throw Arguments.Mistake("the shapes \(name) are unknown") }
            var shapes = ShapesCase(kind: kind, file: try arguments.next("the file of shapes"))
            if let tilt = try arguments.number("--tilt") { shapes.tilt = tilt }
            if let budget = try arguments.number("--budget") { shapes.budget = .seconds(budget) }
            try arguments.finish()
            return try json(shapes.run())
        case "captions":
            var captions = CaptionsCase(labels: try arguments.next("the file of captions"))
            if let flags = try arguments.choice("--flags", of: CaptionsCase.Flags.init) { captions.flags = flags }
            if let order = try arguments.choice("--order", of: CaptionsCase.Order.init) { captions.order = order }
            captions.font = try arguments.text("--font")
            if let budget = try arguments.number("--budget") { captions.budget = .seconds(budget) }
            try arguments.finish()
            return try json(captions.run())
        case "mesh":
            let file = try arguments.next("the file of the mesh")
            var mesh = MeshCase(mesh: file, texture: try arguments.next("the file of the texture"))
            if let culled = try arguments.number("--culled") { mesh.isCulled = culled != 0 }
            if let mipmaps = try arguments.number("--mipmaps") { mesh.hasMipmaps = mipmaps != 0 }
            if let samples = try arguments.number("--samples") { mesh.samples = samples == 4 ? 4 : 1 }
            if let budget = try arguments.number("--budget") { mesh.budget = .seconds(budget) }
            try arguments.finish()
            return try json(mesh.run())
        case "clusters":
            let file = try arguments.next("the file of points")
            try arguments.finish()
            return try json(ClustersCase(points: file).run())
        case "card":
            let scene = try arguments.next("the scene file")
            try arguments.finish()
            return try json(CardCase(scene: scene).run())
        case "window":
            let scene = try arguments.next("the scene file")
            try arguments.finish()
            return try json(WindowCase(scene: scene).run())
        case "basemap":
            var basemap = BaseMapCase(tiles: try arguments.next("the folder or archive of tiles"))
            if let zoom = try arguments.number("--zoom") { basemap.zoom = zoom }
            if let tilt = try arguments.number("--tilt") { basemap.tilt = tilt }
            if let bearing = try arguments.number("--bearing") { basemap.bearing = bearing }
            if let cold = try arguments.number("--cold") { basemap.isCold = cold != 0 }
            if let labels = try arguments.number("--labels") { basemap.hasLabels = labels != 0 }
            if let buildings = try arguments.choice("--buildings", of: BuildingStyle.init(rawValue:)) { basemap.buildings = buildings }
            if let budget = try arguments.number("--budget") { basemap.budget = .seconds(budget) }
            basemap.output = try arguments.text("-o")
            try arguments.finish()
            return try json(basemap.run())
        case "file":
            let scene = try arguments.next("the scene file")
            guard let output = try arguments.text("-o") else { throw Arguments.Mistake("missing -o PICTURE") }
            let size = try arguments.size("--size")
            try arguments.finish()
            return try json(FileCase(scene: scene, output: output, size: size).run())
        case "pool":
            let card = try arguments.next("the scene file of W1")
            let base = try arguments.next("the base scene of W3")
            let pool = PoolCase(card: card, base: base, changes: try arguments.next("the file of the cards' changes"))
            try arguments.finish()
            return try json(await pool.run())
        case let name:
            throw Arguments.Mistake("the case \(name) is unknown; the cases are \(names)")
        }
    }

    private static func json(_ figures: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(figures), as: UTF8.self)
    }
}
