import Foundation
import Testing
import WaymarkGeo

@Suite struct GeoCodingTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test func positionsHaveTheFormsOfSceneFiles() throws {
        #expect(try text(LatLng(37.5, 127)) == #"{"lat":37.5,"lng":127}"#)
        #expect(try text(LatLng(lat: 1, lng: 2, altitude: 3)) == #"{"altitude":3,"lat":1,"lng":2}"#)
        #expect(try read(#"{"lat":1,"lng":2,"altitude":3}"#) == LatLng(lat: 1, lng: 2, altitude: 3))
        #expect(try read("[2, 1]") == LatLng(1, 2))
        #expect(try read("[2, 1, 3]") == LatLng(lat: 1, lng: 2, altitude: 3))
        #expect(throws: DecodingError.self) { let _: LatLng = try read("[2]") }
        #expect(throws: DecodingError.self) { let _: LatLng = try read("[1, 2, 3, 4]") }
        #expect(throws: DecodingError.self) { let _: LatLng = try read(#"{"lat":1}"#) }
    }

    @Test func camerasRoundTripAndOmitDefaults() throws {
        #expect(try text(Camera(center: LatLng(1, 2), zoom: 3)) == #"{"center":{"lat":1,"lng":2},"zoom":3}"#)
        let camera = Camera(
            center: LatLng(0.1, 0.2), zoom: 1.0 / 3, bearing: 30, tilt: 45, contentInset: EdgeInsets(top: 1, right: 2))
        #expect(try read(text(camera)) == camera)
        #expect(try read(#"{"zoom": 4}"#) == Camera(zoom: 4))
    }

    @Test func boundsAreFourNumbers() throws {
        let bounds = try #require(LatLngBounds(south: 1, west: 170, north: 3, east: -170))
        #expect(try text(bounds) == "[170,1,-170,3]")
        #expect(try read("[170,1,-170,3]") == bounds)
        #expect(throws: DecodingError.self) { let _: LatLngBounds = try read("[0,5,1,4]") }
        #expect(throws: DecodingError.self) { let _: LatLngBounds = try read("[0,1,2,3,4]") }
    }

    @Test func distancesAreThoseOfTheSphere() throws {
        // A quarter of a great circle: π/2 · 6378137 m.
        let quarter = 10_018_754.171394622
        #expect(abs(LatLng(0, 0).distance(to: LatLng(0, 90)) - quarter) < 1e-6)
        #expect(abs(LatLng(0, 45).distance(to: LatLng(90, -100)) - quarter) < 1e-6)
        #expect(abs(LatLng(10, 179).distance(to: LatLng(10, -181))) < 1e-6)
        #expect(LatLng(lat: 0, lng: 0, altitude: 5).distance(to: LatLng(0, 0)) == 0)
        #expect(LatLng(95, 0).distance(to: LatLng(0, 0)).isNaN)
    }
}
