import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// A fitted camera and the open info window.
@Suite struct FitInfoWindowTests {
    private let mapView = MapView(360, 240)
    private let london = Marker(position: LatLng(lat: 51.5, lng: -0.127))

    init() {
        london.id = "london"
        london.title = "London, the capital of England"
        london.snippet = "Population: 8,174,100, and more than that in the metropolitan area around it"
        mapView.add(london)
        mapView.add(51.3, 0.3)
    }

    /// The box of the window with the camera that `options` fit, and the diagnostics of its picture.
    private func fitted(_ options: FitOptions) throws -> (rect: Inspection.Rect, warnings: [String]) {
        mapView.camera = try mapView.camera(fitting: options)
        let placement = try Composer.of(mapView).place(mapView)
        return (try #require(placement.inspection().infoWindow?.rect), placement.diagnostics.map(\.description))
    }

    private func isInside(_ rect: Inspection.Rect, padding: Double = 20) -> Bool {
        rect.x >= padding - 0.51 && rect.y >= padding - 0.51 && rect.x + rect.width <= 360 - padding + 0.51
            && rect.y + rect.height <= 240 - padding + 0.51
    }

    @Test(arguments: [0.0, 50], [0.0, 120]) func aFittedCameraShowsTheWholeOpenWindow(tilt: Double, bearing: Double) throws {
        mapView.selectedMarker = london
        #expect(FitOptions().includeInfoWindow)
        let (rect, warnings) = try fitted(FitOptions(padding: 20, bearing: bearing, tilt: tilt))
        #expect(isInside(rect) && warnings.isEmpty, "\(rect)")
    }

    @Test func withoutIncludeInfoWindowItMayBeCutOffWithAWarning() throws {
        mapView.selectedMarker = london
        var options = FitOptions(padding: 20)
        options.includeInfoWindow = false
        let (rect, warnings) = try fitted(options)
        #expect(!isInside(rect, padding: 0))
        #expect(warnings == ["london: infoWindow: the edge of the picture cuts off a part of the info window"])
    }

    @Test func otherSubjectsShowTheWindowToo() throws {
        mapView.selectedMarker = london
        for subject in [FitSubject.points([LatLng(lat: 51.5, lng: 0.5)]), .ids(["london"])] {
            let rect = try fitted(FitOptions(subject, padding: 20)).rect
            #expect(isInside(rect))
        }
    }

    /// The content that the next picture shows is fitted, not that of the selection.
    @Test func theContentIsThatOfThePicture() throws {
        let title = london.title
        (london.title, london.snippet) = ("L", nil)
        mapView.selectedMarker = london
        london.title = title
        london.snippet = "Population: 8,174,100, and more than that in the metropolitan area around it"
        let (rect, warnings) = try fitted(FitOptions(padding: 20))
        #expect(rect.width > 200 && isInside(rect) && warnings.isEmpty)
        // A tracked window, too.
        london.tracksInfoWindowChanges = true
        london.title = "L"
        london.snippet = nil
        let narrow = try fitted(FitOptions(padding: 20))
        let camera = mapView.camera
        (london.title, london.snippet) = (title, String(repeating: "long text ", count: 20))
        let wide = try fitted(FitOptions(padding: 20))
        #expect(isInside(narrow.rect) && isInside(wide.rect) && mapView.camera != camera)
    }
}
