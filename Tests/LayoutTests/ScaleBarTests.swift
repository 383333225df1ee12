import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Scale bars: their lengths, and where the tilt forbids them. And north arrows.
@Suite struct ScaleBarTests {
    /// The bar and its text in a picture: the drawn bar's first and last opaque column of its lowest row, in pt.
    private func bar(_ mapView: MapView) throws -> (text: String, width: Double) {
        var element = ScaleBarElement()
        element.margins = EdgeInsets()
        (element.backgroundColor, element.insets) = (.clear, EdgeInsets())
        return try bar(element, mapView)
    }

    private func bar(_ element: ScaleBarElement, _ mapView: MapView) throws -> (text: String, width: Double) {
        mapView.elements = [.scaleBar(element)]
        let image = try #require(mapView.frame().images.last)
        let (bitmap, row) = (image.bitmap, image.height - 1)
        let columns = (0..<bitmap.width).filter { bitmap.pixels[(row * bitmap.width + $0) * 4 + 3] > 127 }
        let width = Double(try #require(columns.last) - columns[0] + 1) / mapView.pixelRatio
        return (String(image.name), width)
    }

    /// The circumference of the sphere on which distances are measured.
    private static let circumference = 2 * Double.pi * 6_378_137

    @Test(arguments: [-80.0, -60, -45, -30, -15, 0, 10, 25, 37.5, 52.5, 66, 84]) func theLengthIsTrueAtTheCenter(lat: Double) throws {
        for zoom in [3.0, 9.5, 16] {
            for (ratio, units) in [(1.0, ScaleBarElement.Units.metric), (2, .imperial)] {
                let mapView = MapView(300, 300, pixelRatio: ratio, Camera(center: LatLng(lat: lat, lng: 20), zoom: zoom, bearing: 33))
                var element = ScaleBarElement(units: units)
                element.insets = EdgeInsets()
                (element.backgroundColor, element.maxWidth) = (.clear, 160)
                let measure = ScaleBarMeasure(
                    metersPerPoint: mapView.metersPerPoint(atLatitude: lat), maxWidth: 160, units: units)
                // Two points on the ground at that distance on the screen: by the formula of the camera.
                let meters = Self.circumference * cos(lat * .pi / 180) / (512 * exp2(zoom)) * measure.width
                #expect(abs(meters - measure.meters) < 1e-6 * meters)
                #expect(measure.width <= 160 + 1e-6 && measure.width > 60)
                let drawn = try bar(element, mapView).width
                #expect(abs(drawn - measure.width) <= 0.5 / ratio + 1e-9)
            }
        }
    }

    @Test func lengthsAreRound() {
        func text(_ meters: Double, _ units: ScaleBarElement.Units = .metric) -> String {
            ScaleBarMeasure(metersPerPoint: meters / 100, maxWidth: 100, units: units).text
        }
        #expect(text(0.07) == "5 cm" && text(0.99) == "50 cm" && text(1) == "1 m" && text(999) == "500 m" && text(1000) == "1 km")
        #expect(text(4999) == "2 km" && text(5000) == "5 km" && text(12_000_000) == "10\u{202F}000 km" && text(0.004) == "0.2 cm")
        #expect(text(1609, .imperial) == "5000 ft" && text(1610, .imperial) == "1 mi" && text(0.3, .imperial) == "10 in")
    }

    @Test func aTiltMakesTheBarWrong() throws {
        let mapView = MapView(city: 300, 300)
        for (tilt, isShown) in [(0.0, true), (10, true), (20, false), (60, false)] {
            mapView.camera.tilt = tilt
            mapView.elements = [.scaleBar(ScaleBarElement())]
            let inspection = try mapView.inspection()
            #expect(inspection.elements[0].isVisible == isShown && inspection.elements[0].reason == (isShown ? nil : .tilted), "\(tilt)")
            #expect(inspection.diagnostics.count == (isShown ? 0 : 1))
        }
        mapView.camera.tilt = 60
        #expect(
            try mapView.inspection().diagnostics[0].description
                == "elements[0]: the scale bar is not drawn, because a tilt of 60° makes it wrong by 100%; at most 10% is allowed")
        // Beside the view's center, only lengths up the screen are wrong.
        mapView.camera.tilt = 24
        var element = ScaleBarElement()
        element.place = .left
        mapView.elements = [.scaleBar(element)]
        #expect(try mapView.inspection().elements[0].isVisible)
        mapView.camera.tilt = 25
        #expect(try !mapView.inspection().elements[0].isVisible)
    }

    @Test func aBarThatIsNotDrawnTakesNoRoom() throws {
        let mapView = MapView(city: 300, 300, tilt: 60)
        var image = ImageElement(.solid(4, 4))
        image.place = .bottomLeft
        mapView.elements = [.scaleBar(ScaleBarElement()), .image(image)]
        #expect(try mapView.inspection().elements[1].rect?.y == 286)
    }

    /// The tip of the arrow is in the direction of north on the ground.
    @Test(arguments: [0.0, 45, 90, 137, 180, 270, -30]) func theArrowPointsNorth(bearing: Double) throws {
        for tilt in [0.0, 30, 60] {
            let mapView = MapView(city: 300, 300, bearing: bearing, tilt: tilt)
            mapView.elements = [.northArrow(NorthArrowElement())]
            let center = CGPoint(x: 150, y: 150)
            let start = try #require(mapView.geoCoordinates(from: center))
            let end = try #require(mapView.point(from: LatLng(lat: start.lat + 1e-4, lng: start.lng)))
            let (dx, dy) = (end.x - center.x, end.y - center.y)
            let image = try #require(mapView.frame().images.last)
            let bitmap = image.bitmap
            // The letter, the part farthest from the middle.
            var sum = (x: 0.0, y: 0.0, weight: 0.0)
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    let index = (y * bitmap.width + x) * 4
                    let isDark = bitmap.pixels[index + 3] > 200 && bitmap.pixels[index] < 80
                    guard isDark else { continue }
                    let (px, py) = (Double(x) + 0.5 - Double(bitmap.width) / 2, Double(y) + 0.5 - Double(bitmap.height) / 2)
                    let along = (px * dx + py * dy) / (dx * dx + dy * dy).squareRoot()
                    guard along > 5 * cos(tilt * .pi / 180) + 2.5 else { continue }
                    sum = (sum.x + px, sum.y + py, sum.weight + 1)
                }
            }
            try #require(sum.weight > 3)
            let error = (atan2(sum.y, sum.x) - atan2(dy, dx)).remainder(dividingBy: 2 * .pi)
            #expect(abs(error) < 0.15, "bearing \(bearing), tilt \(tilt)")
        }
    }
}
