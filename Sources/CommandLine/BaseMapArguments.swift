import ArgumentParser
import Waymark
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkTiles

/// The options for the base map.
struct BaseMapArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The base map to use instead of the scene's: a PMTiles or MBTiles file, or a folder of tiles. Repeat the option to draw "
                + "several layers.",
            valueName: "SOURCE"), completion: .file())
    var basemap: [String] = []

    @Option(help: PictureOption.theme.help("THEME"), completion: .list(MapTheme.allCases.map(\.rawValue)))
    var theme: String?
}

extension BaseMapArguments {
    /// The theme of `--theme`; nil if it is not given.
    func mapTheme() throws(PropertyError) -> MapTheme? {
        guard let theme else { return nil }
        return try MapTheme(named: theme, PictureOption.theme.name)
    }

    /// The layers of the base map; nil to keep the scene's.
    /// - Parameter inputs: Records the files.
    func layers(noting inputs: InputRecord? = nil) throws(Failure) -> [BaseMapLayer]? {
        guard !basemap.isEmpty else { return nil }
        var layers: [BaseMapLayer] = []
        for path in basemap {
            inputs?.note(source: path)
            let layer: BaseMapLayer
            do throws(TileError) {
                layer = BaseMapLayer(source: try TileArchive.open(path), name: path)
            } catch {
                throw Failure(error.reason == .cannotRead ? .noInput : .badContent, "--basemap: \(error)")
            }
            if let problem = layer.sourceProblem { throw Failure(.badContent, "--basemap: \(problem)") }
            layers.append(layer)
        }
        return layers
    }
}
