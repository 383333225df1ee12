import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

@Suite struct ThemeDefaultsTests {
    @Test(arguments: MapTheme.allCases) func textIsLegible(theme: MapTheme) {
        let values = theme.defaults
        for behind in [values.background, values.ground, values.area, values.panel.withAlpha(1), values.infoWindow, values.halo] {
            #expect(contrast(values.text, behind) >= 7 && contrast(values.secondaryText, behind) >= 4.5, "\(behind)")
        }
        #expect(contrast(values.onAccent, values.accent) >= 4.5)
        #expect(contrast(values.accent, values.background) >= 3 && contrast(values.pin, values.background) >= 3)
        let colors = [
            values.text, values.secondaryText, values.halo, values.background, values.accent, values.onAccent, values.accentFill,
            values.mutedAccent, values.casing, values.hairline, values.ground, values.area, values.pin, values.panel, values.infoWindow,
            values.infoWindowBorder,
        ]
        #expect(colors.allSatisfy(\.isValid) && values.sky.isValid)
    }

    /// The contrast ratio of two opaque colors (WCAG 2.2).
    private func contrast(_ first: Color, _ second: Color) -> Double {
        func luminance(_ color: Color) -> Double {
            func linear(_ channel: Double) -> Double { channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4) }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        let (a, b) = (luminance(first), luminance(second))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test func aMapWithoutAThemeHasTheDefaultsOfItsProperties() {
        let map = MapView(size: CGSize(width: 10, height: 10))
        #expect(map.theme == nil && map.background == .clear && map.sky == nil)
        let (marker, line, route, area, circle) = overlays(on: map)
        #expect(marker.iconImage === MarkerImage.default && marker.captionColor == .black && marker.captionHaloColor == .white)
        #expect(marker.subCaptionColor == .black && marker.subCaptionHaloColor == .white)
        #expect(line.color == .black && line.outlineColor == .black && line.lineTextColor == .black && line.lineTextHaloColor == .white)
        #expect(route.color == .white && route.passedColor == .white && route.outlineColor == .black)
        #expect(area.fillColor == .white && area.outlineWidth == 0 && area.outlineColor == .black)
        #expect(circle.fillColor == .white && circle.outlineWidth == 0 && circle.outlineColor == .black)
    }

    @Test(arguments: MapTheme.allCases) func everyPropertyOfAMapHasTheDefaultsOfItsTheme(theme: MapTheme) {
        let (map, values) = (MapView(size: CGSize(width: 10, height: 10)), theme.defaults)
        map.theme = theme
        #expect(map.background == values.background && map.sky == nil)
        map.camera.tilt = 60
        #expect(map.sky == values.sky)
        let (marker, line, route, area, circle) = overlays(on: map)
        #expect(marker.iconImage.reuseIdentifier == "pin:\(values.pin.description.dropFirst())-26")
        #expect(marker.captionColor == values.text && marker.captionHaloColor == values.halo)
        #expect(marker.subCaptionColor == values.secondaryText && marker.subCaptionHaloColor == values.halo)
        #expect(line.color == values.accent && line.outlineColor == values.casing)
        #expect(line.lineTextColor == values.text && line.lineTextHaloColor == values.halo)
        #expect(route.color == values.accent && route.passedColor == values.mutedAccent && route.outlineColor == values.casing)
        #expect(area.fillColor == values.accentFill && area.outlineWidth == 1.5 && area.outlineColor == values.accent)
        #expect(circle.fillColor == values.accentFill && circle.outlineWidth == 1.5 && circle.outlineColor == values.accent)
        // The theme changes with the map.
        map.theme = nil
        #expect(area.fillColor == .white && area.outlineWidth == 0 && marker.iconImage === MarkerImage.default)
        map.theme = theme
        map.remove(area)
        #expect(area.fillColor == .white)
    }

    /// Values that equal the defaults without a theme are also kept.
    @Test func whatIsSetWins() {
        let map = MapView(size: CGSize(width: 10, height: 10))
        map.theme = .dark
        (map.background, map.sky) = (.clear, Sky(.red))
        let (marker, line, route, area, circle) = overlays(on: map)
        marker.iconImage = MarkerImage.default
        (marker.captionColor, marker.captionHaloColor) = (.black, .white)
        (line.color, line.outlineColor, line.lineTextColor) = (.black, .black, .black)
        (route.color, route.passedColor) = (.white, .white)
        (area.fillColor, area.outlineWidth, area.outlineColor) = (.white, 0, .black)
        (circle.fillColor, circle.outlineWidth, circle.outlineColor) = (.white, 0, .black)
        #expect(map.background == .clear && map.sky == Sky(.red))
        #expect(marker.iconImage === MarkerImage.default && marker.captionColor == .black && marker.captionHaloColor == .white)
        #expect(line.color == .black && line.outlineColor == .black && line.lineTextColor == .black)
        #expect(route.color == .white && route.passedColor == .white)
        #expect(area.fillColor == .white && area.outlineWidth == 0 && area.outlineColor == .black)
        #expect(circle.fillColor == .white && circle.outlineWidth == 0 && circle.outlineColor == .black)
    }

    /// A template sets what it states, even a default.
    @Test func copiesKeepWhatIsSet() {
        let list = PolygonProperties.table.list
        let area = Polygon()
        area.fillColor = .white
        let copy = Polygon()
        PropertyCopy(of: area, list).apply(to: copy)
        let map = MapView(size: CGSize(width: 10, height: 10))
        map.theme = .gray
        copy.rings = [[LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 0), LatLng(lat: 1, lng: 1)]]
        map.add(copy)
        #expect(copy.fillColor == .white && copy.outlineColor == MapTheme.gray.defaults.accent)
    }

    private func overlays(on map: MapView) -> (Marker, Polyline, Route, Polygon, Circle) {
        let points = [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 0), LatLng(lat: 1, lng: 1)]
        let (marker, line, route) = (Marker(position: points[0]), Polyline(points: points), Route(points: points))
        let (area, circle) = (Polygon(points: points), Circle(center: points[0]))
        for overlay in [marker, line, route, area, circle] as [Overlay] { map.add(overlay) }
        return (marker, line, route, area, circle)
    }
}
