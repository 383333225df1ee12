import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// A view as a change of a scene.
@Suite struct ViewChangeTests {
    private func patch(_ scene: String, _ set: (inout ViewChange) -> Void) throws(ViewChange.Problem) -> String? {
        var change = ViewChange()
        set(&change)
        return try change.patch(of: Data(scene.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let plain = #"{"waymark": 1, "camera": {"center": [1, 2], "zoom": 3}}"#
    private static let fitted = #"{"waymark": 1, "camera": {"fit": ["a"], "maxZoom": 9}}"#
    private static let bare = #"{"waymark": 1}"#
    private static let geoJSON = #"{"type": "Point", "coordinates": [1, 2]}"#

    @Test func nothing() throws {
        #expect(try patch(Self.plain) { _ in } == nil)
    }

    @Test func settings() throws {
        let text = try patch(Self.bare) {
            $0.size = CGSize(width: 20, height: 10.5)
            ($0.pixelRatio, $0.background) = (2, "red")
        }
        #expect(text == #"{"size":{"width":20,"height":10.5},"pixelRatio":2,"background":"red"}"#)
    }

    @Test func cameras() throws {
        let here = LatLng(lat: 5, lng: 6)
        #expect(try patch(Self.plain) { $0.zoom = 4 } == #"{"camera":{"zoom":4}}"#)
        #expect(try patch(Self.plain) { $0.center = here } == #"{"camera":{"center":[6,5]}}"#)
        #expect(try patch(Self.plain) { $0.tilt = 7 } == #"{"camera":{"tilt":7}}"#)
        #expect(
            try patch(Self.fitted) { ($0.center, $0.zoom) = (here, 4) }
                == #"{"camera":{"fit":null,"padding":null,"maxZoom":null,"center":[6,5],"zoom":4}}"#)
        for scene in [Self.bare, Self.geoJSON] {
            #expect(try patch(scene) { $0.bearing = 8 } == #"{"camera":{"fit":"overlays","bearing":8}}"#)
        }
        #expect(try patch(Self.fitted) { $0.padding = 9 } == #"{"camera":{"padding":9}}"#)
        // What the scene fits, it goes on fitting.
        #expect(try patch(Self.fitted) { ($0.isFitted, $0.padding) = (true, 9) } == #"{"camera":{"padding":9}}"#)
        #expect(
            try patch(Self.plain) { ($0.isFitted, $0.padding) = (true, 9) }
                == #"{"camera":{"fit":"overlays","center":null,"zoom":null,"padding":9}}"#)
    }

    @Test func viewsThatAreNone() {
        for scene in [Self.fitted, Self.bare, Self.geoJSON, "{"] {
            #expect(throws: ViewChange.Problem.halfACamera) { try patch(scene) { $0.zoom = 4 } }
        }
        #expect(throws: ViewChange.Problem.nothingToPad) { try patch(Self.plain) { $0.padding = 4 } }
    }
}
