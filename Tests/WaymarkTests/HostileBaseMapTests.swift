import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// Maps of vector tiles with names, heights and shapes that no map has.
@Suite struct HostileBaseMapTests {
    private static let address = TileAddress(zoom: 14, x: 8192, y: 8192)

    private func map(_ tile: HandmadeTile, layers: [String], zoom: Double = 15, tilt: Double = 0) -> MapView {
        let center = LatLng(lat: -180 / exp2(14), lng: 180 / exp2(14))
        let map = MapView(400, 300, Camera(center: center, zoom: zoom, tilt: tilt))
        var layer = BaseMapLayer(source: HandmadeTiles([Self.address: tile], layers: layers))
        layer.buildings = .extruded
        layer.languages = ["ko", TileName.localTag]
        map.baseMap = [layer]
        map.showsAttribution = false
        return map
    }

    /// They are laid out, and each label is listed once, with a text in one or two lines.
    @Test func randomTiles() throws {
        var count = 0
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            let schema = random.one(of: HostileTile.schemas)
            let map = map(
                HostileTile.tile(schema, &random), layers: HostileTile.layerNames(schema), zoom: random.number(14...15.5),
                tilt: random.one(of: [0, 60]))
            count += try Composer.of(map).place(map).frame.meshes.count
            let symbols = try map.inspection(listsBaseMapSymbols: true).symbols
            #expect(Set(symbols.map(\.id)).count == symbols.count, "\(seed)")
            for text in symbols.compactMap(\.text) { #expect(!text.contains("\n") && text.unicodeScalars.count <= 255, "\(seed)") }
            count += symbols.count
        }
        #expect(count > Seeds.slow.count)
    }

    /// A peak with a height that no mountain has is a peak without one.
    @Test func heightOfAPeak() throws {
        var peaks = HandmadeLayer("mountain_peak")
        peaks.add(
            .points([(2048, 2048)]),
            ["class": HandmadeValue.text("peak"), "name": HandmadeValue.text("Halti"), "ele": HandmadeValue.double(1e20)])
        let map = map(HandmadeTile(peaks), layers: ["mountain_peak", "place"])
        #expect(try map.inspection(listsBaseMapSymbols: true).symbols.map(\.text) == ["Halti"])
    }

    /// Buildings with too many points are flat in their tile, and a warning says so; a map of flat buildings has no warning.
    @Test func buildingsBeyondTheLimit() throws {
        var layer = HandmadeLayer("building")
        for number in 0..<3 {
            let x = 2000 + 40 * number
            layer.add(.polygons([(x, 2000), (x + 20, 2000), (x + 20, 2060), (x, 2060)]), ["render_height": HandmadeValue.integer(9)])
        }
        let map = map(HandmadeTile(layer), layers: ["building", "place"], zoom: 16)
        let set = try #require(try map.baseMap[0].vectorTiles?.get())
        var limits = TileGeometry.Limits()
        limits.buildingPoints = 11
        let store = VectorTileStore(limits: limits)
        func place(_ buildings: BuildingStyle) throws -> (areas: Int, messages: [String]) {
            map.baseMap[0].buildings = buildings
            var frame = try Composer.of(MapView(400, 300, map.camera)).place(MapView(400, 300, map.camera)).frame
            let contents: TileContents = buildings == .extruded ? [.ground, .buildings] : .ground
            var shown = ShownVectorLayer(
                map.baseMap[0], set, index: 0, try map.viewport(), contents, deadline: TileDeadline(seconds: 60), store)
            let paths = VectorLayerPlacer.place(&shown, try map.viewport(), into: &frame, fades: false)
            // The land is the first.
            return (
                paths.dropFirst().first.map { frame.paths[$0].contours.count } ?? 0,
                shown.refusals.diagnostics("baseMap[0].source", ofSet: "city").map(\.message)
            )
        }
        let extruded = try place(.extruded)
        #expect(extruded.areas == 3)
        #expect(
            extruded.messages == [
                "city: the buildings of tile \(Self.address) are drawn flat: the tile has more than 11 points in buildings"
            ])
        let flat = try place(.flat)
        #expect(flat.areas == 3 && flat.messages.isEmpty && store.readCount == 1)
    }
}
