import Testing
import WaymarkGeo

@Suite struct LatLngTests {
    @Test func invalidCoordinatesAreKeptAndFlagged() {
        #expect(LatLng(lat: 90, lng: 1e9, altitude: -5).isValid)
        #expect(LatLng(lat: -90, lng: 0).isValid)
        #expect(!LatLng(lat: 95, lng: 0).isValid)
        #expect(LatLng(lat: 95, lng: 0).lat == 95)
        #expect(!LatLng(lat: .nan, lng: 0).isValid)
        #expect(!LatLng(lat: 0, lng: .infinity).isValid)
        #expect(!LatLng(lat: 0, lng: 0, altitude: .nan).isValid)
    }

    @Test(arguments: [(0.0, 0.0), (180, -180), (-180, -180), (190, -170), (-190, 170), (540, -180), (725, 5), (179.5, 179.5)])
    func longitudesAreTakenModulo360(lng: Double, expected: Double) {
        let normalized = LatLng(lat: 0, lng: lng).normalizedLng
        #expect(abs(normalized - expected) < 1e-12)
        #expect(normalized >= -180 && normalized < 180)
    }

    @Test func impossibleBoundsAreNil() {
        #expect(LatLngBounds(south: 1, west: 0, north: 0, east: 1) == nil)
        #expect(LatLngBounds(south: -91, west: 0, north: 0, east: 1) == nil)
        #expect(LatLngBounds(south: 0, west: .nan, north: 0, east: 1) == nil)
    }

    @Test func boundsAcrossTheAntimeridian() throws {
        let bounds = try #require(LatLngBounds(south: -10, west: 170, north: 10, east: -170))
        #expect(bounds.contains(LatLng(lat: 0, lng: 180)))
        #expect(bounds.contains(LatLng(lat: 10, lng: -170)))
        #expect(bounds.contains(LatLng(lat: 0, lng: 535)))
        #expect(!bounds.contains(LatLng(lat: 0, lng: 0)))
        #expect(!bounds.contains(LatLng(lat: 11, lng: 180)))
    }
}
