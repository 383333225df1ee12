import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The reason `empty`: an overlay without anything to draw.
@Suite struct EmptyReasonTests {
    private let mapView = MapView(city: 200, 200)

    private func reason(_ overlay: Overlay) throws -> Reason? {
        mapView.add(overlay)
        defer { mapView.remove(overlay) }
        let entry = try #require(try mapView.inspection().overlays.first)
        #expect(entry.isVisible == (entry.reason == nil))
        return entry.reason
    }

    @Test func markersWithNeitherIconNorCaption() throws {
        let marker = Marker(position: .city)
        marker.iconImage = .empty
        #expect(try reason(marker) == .empty)
        marker.subCaptionText = "no caption, no sub-caption"
        #expect(try reason(marker) == .empty)
        marker.captionText = "a"
        #expect(try reason(marker) == nil)
        marker.captionMinZoom = 20
        #expect(try reason(marker) == .outOfZoom)
        // On the map, after a change.
        mapView.add(marker)
        marker.captionText = ""
        #expect(try mapView.entry().reason == .empty)
        marker.iconImage = MarkerImage.default
        #expect(try mapView.entry().reason == nil)
        marker.iconImage = .empty
        #expect(try mapView.entry().reason == .empty)
        // The stronger reason takes precedence.
        marker.isHidden = true
        #expect(try mapView.entry().reason == .hidden)
    }

    @Test func linesOfWidth0AndCirclesOfRadius0() throws {
        let line = Polyline(points: [.city, LatLng(lat: 37.57, lng: 126.98)])
        line.outlineWidth = 3
        #expect(try reason(line) == nil)
        line.width = 0
        #expect(try reason(line) == .empty)
        let circle = Circle(center: .city, radius: 0)
        circle.outlineWidth = 5
        #expect(try reason(circle) == .empty)
        circle.radius = 100
        circle.outlineWidth = 0
        #expect(try reason(circle) == nil)
    }

    @Test func linesOfLength0AreEmptyUnlessTheirCapsShow() throws {
        let line = Polyline(points: [])
        line.parts = [[.city, .city]]
        line.width = 6
        #expect(try reason(line) == .empty)
        line.capType = .round
        #expect(try reason(line) == nil)
        line.capType = .butt
        line.parts = [[.city, LatLng(lat: 37.5671, lng: 126.9784)], [.city, .city]]
        #expect(try reason(line) == nil)
    }

    @Test func whatIsTransparentIsNotEmpty() throws {
        let marker = Marker(position: .city)
        marker.alpha = 0
        #expect(try reason(marker) == nil)
        let circle = Circle(center: .city, radius: 100)
        circle.fillColor = .clear
        #expect(try reason(circle) == nil)
        let line = Polyline(points: [.city, LatLng(lat: 37.57, lng: 126.98)])
        line.color = .clear
        #expect(try reason(line) == nil)
        let model = LocalModel()
        model.alpha = 0
        #expect(try reason(model) == nil)
    }

    @Test func containersOfNothing() throws {
        let container = Container()
        #expect(try reason(container) == .empty)
        container.minZoom = 20
        #expect(try reason(container) == .empty)
        container.isHidden = true
        #expect(try reason(container) == .hidden)
        (container.isHidden, container.minZoom) = (false, 0)
        let inner = Container()
        container.add(inner)
        #expect(try reason(container) == .empty)
        inner.add(Circle(center: .city, radius: 0))
        #expect(try reason(container) == .empty)
        let circle = Circle(center: .city, radius: 10)
        inner.add(circle)
        #expect(try reason(container) == nil)
        circle.isHidden = true
        #expect(try reason(container) == .outOfView)
    }

    /// `fit` shows visible overlays: empty ones are not visible.
    @Test func whatIsEmptyIsNotFitted() throws {
        let far = Marker(position: LatLng(lat: 0, lng: 0))
        far.iconImage = .empty
        mapView.add(far)
        #expect(try mapView.extent() == nil)
    }
}
