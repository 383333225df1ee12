import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The theme of a map is read when the map is laid out.
@Suite struct ThemeTests {
    private func map(_ theme: MapTheme? = nil) -> MapView {
        let map = MapView(city: 300, 300)
        map.theme = theme
        return map
    }

    @Test(arguments: MapTheme.allCases) func everyFamilyHasTheThemesColors(theme: MapTheme) throws {
        let (map, values) = (map(theme), theme.defaults)
        let (a, b) = (LatLng.city, LatLng(lat: LatLng.city.lat + 0.005, lng: LatLng.city.lng + 0.005))
        map.add(Polygon(points: [a, b, LatLng(lat: b.lat, lng: a.lng)]))
        map.add(Polyline(points: [a, b]))
        map.add(ClusterLayer((0..<7).map { _ in Marker(position: a) }))
        try map.put("hall", 100, 100) {
            $0.captionText = "Hall"
        }
        let pin = Marker(position: b)
        map.add(pin)
        let frame = try map.frame()
        #expect(frame.background == values.background)
        func color(_ color: Color) -> UInt32 { UInt32(premultiplied: color) }
        let paths = frame.paths.map { UInt32(premultiplied: $0.color) }
        #expect(paths == [color(values.accentFill), color(values.accent), color(values.accent)])
        let names = frame.images.map(\.name)
        let (fill, ring) = (values.accent.description.dropFirst(), values.casing.description.dropFirst())
        #expect(names.contains { $0.hasPrefix("disc:\(fill)-\(ring)-2-") && $0.hasSuffix("-4-32") }, "\(names)")
        #expect(names.contains("pin:\(values.pin.description.dropFirst())-26"), "\(names)")
    }

    /// A new theme reads the overlays again; a theme that stays reads nothing.
    @Test func aNewThemeRestylesTheMap() throws {
        let map = map()
        let marker = try map.put("hall", 100, 100) { $0.captionText = "Hall" }
        map.add(Marker(position: .city))
        func pictures() throws -> [String: Bitmap] {
            try Dictionary(map.frame().images.map { ($0.name, $0.bitmap) }) { first, _ in first }
        }
        let plain = try pictures()
        #expect(plain["builtin:green"] != nil)
        var captions = [plain["text “Hall”"]]
        for theme in MapTheme.allCases {
            map.theme = theme
            let themed = try pictures()
            #expect(themed["builtin:green"] == nil && themed["pin:\(theme.defaults.pin.description.dropFirst())-26"] != nil)
            captions.append(themed["text “Hall”"])
            let reads = Composer.of(map).statistics.refreshedOverlays
            _ = try map.frame()
            #expect(Composer.of(map).statistics.refreshedOverlays == reads)
        }
        #expect(Set(captions.compactMap { $0?.pixels }).count == 4)
        marker.captionColor = .black
        marker.captionHaloColor = .white
        #expect(try pictures()["text “Hall”"] == plain["text “Hall”"])
        map.theme = nil
        #expect(try pictures()["builtin:green"] == plain["builtin:green"])
    }

    /// Clusters: stated colors win, and a stated ring is the only one.
    @Test func whatAStyleOfClustersStatesWins() throws {
        let style = BasicClusterStyle()
        let layer = ClusterLayer((0..<7).map { _ in Marker(position: .city) })
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...100)
        let map = map(.dark)
        map.add(layer)
        func disc() throws -> String? {
            layer.minZoom = layer.minZoom == 0 ? 1 : 0
            return try map.frame().images.first { $0.name.hasPrefix("disc") }?.name
        }
        style.fillColor = .red
        #expect(try disc() == "disc:ff0000-15181c-2-ff000047-4-32")
        style.strokeWidth = 3
        #expect(try disc() == "disc:ff0000-15181c-3-32")
        style.strokeColor = .white
        #expect(try disc() == "disc:ff0000-ffffff-3-32")
    }

    /// Dark windows have light text, but a label on a background of its own keeps black text.
    @Test func infoWindowsHaveTheThemesForm() throws {
        let map = map()
        let marker = try map.put("hall", 150, 250) { $0.title = "Hall" }
        func window() throws -> Bitmap { try #require(map.frame().images.first { $0.name.hasPrefix("info window") }).bitmap }
        func has(_ color: Color, _ bitmap: Bitmap) -> Bool {
            let bytes = color.premultipliedBytes
            return (0..<bitmap.height).contains { y in
                (0..<bitmap.width).contains { x in
                    let pixel = bitmap[x, y]
                    return (pixel.red, pixel.green, pixel.blue, pixel.alpha) == (bytes.red, bytes.green, bytes.blue, 255)
                }
            }
        }
        map.selectedMarker = marker
        let plain = try window()
        #expect(has(.white, plain) && has(.black, plain))
        map.theme = .dark
        let dark = try window()
        let values = MapTheme.dark.defaults
        #expect(has(values.infoWindow, dark) && has(values.text, dark) && has(values.infoWindowBorder, dark) && !has(.white, dark))
        #expect(dark.width == plain.width && dark.height == plain.height)
        var label = LabelContent(text: "Hall")
        (label.backgroundColor, label.textSize, label.fontWeight) = (.yellow, 30, .bold)
        map.selectedMarker = nil
        marker.infoContents = .label(label)
        map.selectedMarker = marker
        let own = try window()
        #expect(has(.yellow, own) && has(.black, own) && !has(values.text, own))
        label.textColor = .red
        marker.infoContents = .label(label)
        map.selectedMarker = nil
        map.selectedMarker = marker
        #expect(try has(.red, window()))
    }

    /// The layers of the base map follow the theme, unless they have their own.
    @Test func theBaseMapHasTheTheme() throws {
        let map = map(.dark)
        var layer = BaseMapLayer(source: HandmadeTiles([:], layers: []))
        map.baseMap = [layer]
        #expect(map.themedBaseMap.map(\.theme) == [.dark] && map.baseMap.map(\.theme) == [.light])
        layer.theme = .gray
        map.baseMap = [layer]
        #expect(map.themedBaseMap.map(\.theme) == [.gray])
        map.theme = nil
        #expect(map.themedBaseMap.map(\.theme) == [.gray])
    }
}
