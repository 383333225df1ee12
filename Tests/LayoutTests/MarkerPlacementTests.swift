import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The first snippets of Naver's marker documentation, translated to Waymark's names. Each test also checks the statements of the
/// accompanying text.
@Suite struct MarkerPlacementTests {
    let mapView = MapView(400, 400, Camera(center: LatLng(lat: 37.5670135, lng: 126.9783740), zoom: 14))

    private func shown() -> Marker {
        let marker = Marker()
        marker.position = LatLng(lat: 37.5670135, lng: 126.9783740)
        marker.mapView = mapView
        return marker
    }

    private func quad() throws -> [Inspection.Point] { try #require(mapView.entry().icon?.quad) }

    @Test func addAndRemove() throws {
        let marker = Marker()
        // "Note that you should set the position property before setting the mapView property".
        marker.mapView = mapView
        #expect(mapView.overlays.isEmpty)
        marker.position = LatLng(lat: 37.5670135, lng: 126.9783740)
        marker.mapView = mapView
        #expect(try mapView.frame().sprites.count == 1)
        #expect(try mapView.frame().images.map(\.name) == ["builtin:green"])
        marker.mapView = nil
        #expect(try mapView.frame().sprites.isEmpty)
    }

    @Test func coordinates() throws {
        let marker = shown()
        #expect(try mapView.entry().anchor == .init(x: 200, y: 200))
        // "If you change the coordinates of the marker that has already been added to the map, the marker moves".
        marker.position = LatLng(lat: 37.5670135, lng: 126.9793740)
        let anchor = try #require(mapView.entry().anchor)
        #expect(abs(anchor.x - (200 + 0.001 / 360 * 512 * 16384)) < 1e-3 && anchor.y == 200)
    }

    @Test func icon() throws {
        let folder = ScratchFolder()
        let path = "\(folder.path)/marker_icon.png"
        try Bitmap(width: 12, height: 20, fill: .blue).write(to: path)
        let marker = shown()
        marker.iconImage = OverlayImage(path: path)
        #expect(try mapView.frame().images.map(\.bitmap) == [Bitmap(width: 12, height: 20, fill: .blue)])
        marker.iconImage = MarkerImage.black
        #expect(try mapView.frame().images.map(\.name) == ["builtin:black"])
    }

    @Test func size() throws {
        let marker = shown()
        marker.width = 25
        marker.height = 40
        var corners = try quad()
        #expect(corners[2].x - corners[0].x == 25 && corners[2].y - corners[0].y == 40)
        // "the width or height of the icon is adjusted to the size of the image".
        marker.width = Marker.sizeAuto
        marker.height = Marker.sizeAuto
        corners = try quad()
        #expect(corners[2].x - corners[0].x == 26 && corners[2].y - corners[0].y == 36)
    }

    @Test func anchor() throws {
        let marker = shown()
        marker.anchor = CGPoint(x: 1, y: 1)
        let corners = try quad()
        #expect(corners[2] == .init(x: 200, y: 200))
        #expect(corners[0] == .init(x: 174, y: 164))
    }

    @Test func rotation() throws {
        let marker = shown()
        marker.angle = 90
        // "the direction is up for 0 degree, right for 90 degrees": the head of the pin, above its tip, is now to the right.
        #expect(try quad().isNear([(236, 187), (236, 213), (200, 213), (200, 187)], within: 1e-3))
        marker.angle = 180
        #expect(try quad().isNear([(213, 236), (187, 236), (187, 200), (213, 200)], within: 1e-3))
        // "clockwise around the bottom right point".
        marker.anchor = CGPoint(x: 1, y: 1)
        marker.angle = 90
        #expect(try quad().isNear([(236, 174), (236, 200), (200, 200), (200, 174)], within: 1e-3))
    }

    @Test func flat() throws {
        let marker = shown()
        let before = try quad()
        mapView.camera.bearing = 30
        mapView.camera.tilt = 40
        // "A marker basically maintains its shape even if users tilt or rotate the map."
        #expect(try quad() == before)
        marker.isFlat = true
        mapView.camera.tilt = 0
        mapView.camera.bearing = 90
        // North is on the left, so the pin's head is there.
        #expect(try quad().isNear([(164, 213), (164, 187), (200, 187), (200, 213)], within: 0.01))
        // "The direction is north for 0 degree, east for 90 degrees".
        marker.angle = 90
        #expect(try quad().isNear([(187, 164), (213, 164), (213, 200), (187, 200)], within: 0.01))
        mapView.camera.tilt = 60
        let corners = try quad()
        #expect(corners[3].y - corners[0].y < 20)
    }

    @Test func perspective() throws {
        mapView.camera.tilt = 60
        let (near, far) = (shown(), shown())
        near.position?.lat -= 0.005
        far.position?.lat += 0.005
        func heights() throws -> [Double] {
            try mapView.inspection().overlays.map { entry in
                let quad = try #require(entry.icon?.quad)
                return quad[3].y - quad[0].y
            }
        }
        // "there is no difference in size between the distant marker and the closer marker".
        #expect(try heights() == [36, 36])
        near.iconPerspectiveEnabled = true
        far.iconPerspectiveEnabled = true
        // "bigger as they appear closer to the bottom of the screen, and smaller as farther".
        let sizes = try heights()
        #expect(sizes[0] > 37 && sizes[1] < 35)
    }

    @Test func opacity() throws {
        let marker = shown()
        marker.alpha = 0.5
        #expect(try mapView.frame().sprites.map(\.alpha) == [0.5])
        // "Even though the alpha property is 0, the subjects are still considered to be on the screen".
        marker.alpha = 0
        #expect(try mapView.entry().isVisible)
        marker.isVisible = false
        #expect(try mapView.entry().reason == .hidden)
    }

    @Test func zIndex() throws {
        let (yellowMarker, greenMarker, blueMarker) = (shown(), shown(), shown())
        (yellowMarker.id, greenMarker.id, blueMarker.id) = ("yellow", "green", "blue")
        yellowMarker.position?.lat += 0.001
        blueMarker.position?.lat -= 0.001
        // "markers closer to the bottom of the screen are basically displayed on top".
        #expect(try mapView.drawn() == ["yellow", "green", "blue"])
        yellowMarker.zIndex = 100
        greenMarker.zIndex = 0
        blueMarker.zIndex = -10
        #expect(try mapView.drawn() == ["blue", "green", "yellow"])
    }
}
