import Testing
import WaymarkGeo
import WaymarkScene

/// Printed objects show their class and their id.
@Suite struct PrintedObjectTests {
    @Test func theIDIsPrinted() {
        let marker = Marker(position: LatLng(lat: 1, lng: 2))
        #expect("\(marker)" == "Marker")
        marker.id = "hall"
        let circle = Circle(center: LatLng(lat: 1, lng: 2), radius: 3)
        circle.id = "park"
        let objects: [ViewObject] = [marker, circle]
        #expect("\(objects)" == #"[Marker "hall", Circle "park"]"#)
        let view = ViewOverlay(content: .label("A"), coordinates: LatLng(lat: 1, lng: 2))
        view.id = "note"
        #expect(view.description == #"ViewOverlay "note""#)
    }
}
