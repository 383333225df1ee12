import ArgumentParser
import Waymark
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkTiles

/// The options for the base map.
struct BaseMapArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The base map to use instead of the scene's: a PMTiles or MBTiles file, or a folder of tiles. Repeat the option for several "
                + "layers.",
            valueName: "SOURCE"), completion: .file())
    var basemap: [String] = []

    @Option(help: PictureOption.theme.help("THEME"), completion: .list(MapTheme.allCases.map(\.rawValue)))
    var theme: String?
}

extension BaseMapArguments {
    /// Checks the values; errors name the option.
    func check() throws(Failure) { _ = try mapTheme() }

    /// The theme of `--theme`; nil if it is not given.
    private func mapTheme() throws(Failure) -> MapTheme? {
        guard let theme else { return nil }
        do throws(PropertyError) { return try MapTheme(named: theme, PictureOption.theme.name) } catch { throw Failure(option: error) }
    }

    /// Sets the theme of the layers of vector tiles, if one is given.
    func setTheme(of layers: inout [BaseMapLayer]) throws(Failure) {
        guard let theme = try mapTheme() else { return }
        let indices = layers.indices.filter { layers[$0].vectorTiles != nil }
        guard !indices.isEmpty else { throw Failure(.usage, "--theme: the base map has no vector tiles, and only they have a theme") }
        for index in indices { layers[index].theme = theme }
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
        try setTheme(of: &layers)
        return layers
    }
}
