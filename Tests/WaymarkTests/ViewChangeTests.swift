import Foundation
import Testing
import Waymark
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkTestSupport

/// A view as a change of a scene.
@Suite struct ViewChangeTests {
    private func patch(_ scene: String, _ set: (inout ViewChange) -> Void) throws(PropertyError) -> String? {
        var change = ViewChange()
        set(&change)
        return try change.patch(of: (try? JSONDocument(parsing: Array(scene.utf8)))?.root).map { String(decoding: $0, as: UTF8.self) }
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
            ($0.pixelRatio, $0.background) = (2, .red)
        }
        #expect(text == ##"{"size":{"width":20,"height":10.5},"pixelRatio":2,"background":"#ff0000"}"##)
    }

    @Test func cameras() throws {
        let here = LatLng(lat: 5, lng: 6)
        #expect(try patch(Self.plain) { $0.zoom = 4 } == #"{"camera":{"zoom":4}}"#)
        #expect(try patch(Self.plain) { $0.center = here } == #"{"camera":{"center":[6,5]}}"#)
        #expect(try patch(Self.plain) { $0.tilt = 7 } == #"{"camera":{"tilt":7}}"#)
        #expect(try patch(Self.fitted) { ($0.center, $0.zoom) = (here, 4) } == #"{"camera":{"center":[6,5],"zoom":4}}"#)
        #expect(try patch(Self.fitted) { $0.zoom = 4 } == #"{"camera":{"zoom":4}}"#)
        for scene in [Self.bare, Self.geoJSON, "{"] {
            #expect(try patch(scene) { $0.bearing = 8 } == #"{"camera":{"fit":"overlays","bearing":8}}"#)
            #expect(try patch(scene) { $0.zoom = 4 } == #"{"camera":{"fit":"overlays","zoom":4}}"#)
        }
        #expect(try patch(Self.fitted) { $0.padding = 9 } == #"{"camera":{"padding":9}}"#)
        // A scene that is fitted stays fitted.
        #expect(try patch(Self.fitted) { ($0.isFitted, $0.padding) = (true, 9) } == #"{"camera":{"padding":9}}"#)
        #expect(
            try patch(Self.plain) { ($0.isFitted, $0.padding) = (true, 9) }
                == #"{"camera":{"fit":"overlays","center":null,"zoom":null,"padding":9}}"#)
    }

    /// The camera is found wherever reading the file finds it.
    @Test func camerasOfFiles() throws {
        var change = ViewChange()
        (change.zoom, change.padding) = (4, nil)
        func patch(_ text: String, _ name: String, isPacked: Bool = false) throws -> String? {
            let bytes = isPacked ? try Gzip.deflated(Array(text.utf8)) : Array(text.utf8)
            return try change.patch { CameraForm(ofFile: bytes, name: name) }.map { String(decoding: $0, as: UTF8.self) }
        }
        let (own, fitted) = (#"{"camera":{"zoom":4}}"#, #"{"camera":{"fit":"overlays","zoom":4}}"#)
        #expect(try patch(Self.plain, "a.json") == own && patch(Self.plain, "a.json.gz", isPacked: true) == own)
        #expect(try patch(Self.bare, "a.json.gz", isPacked: true) == fitted && patch("{", "a.json") == fitted)
        // Files of features have no camera.
        #expect(try patch(Self.geoJSON, "a.geojson") == fitted && patch("lat,lng\n1,2\n", "a.csv") == fitted)
        // A change of a pool's scene.
        let scene = SceneData(Data(try Gzip.deflated(Array(Self.plain.utf8))), name: "a.json.gz")
        (change.zoom, change.padding) = (nil, 9)
        #expect(throws: PropertyError.self) { try change.check(on: scene) }
        try change.check(on: SceneData(Data(Self.fitted.utf8)))
    }

    @Test func invalidViews() {
        let nothingIsFitted = PropertyError(
            path: "padding", problem: "padding requires a fitted camera, but the camera's center or zoom is given; use fit instead")
        #expect(throws: nothingIsFitted) { try patch(Self.plain) { $0.padding = 4 } }
        #expect(throws: nothingIsFitted) { try patch(Self.fitted) { ($0.padding, $0.zoom) = (4, 3) } }
        #expect(throws: PropertyError(path: "fit", problem: "fit cannot be combined with center or zoom")) {
            try patch(Self.fitted) { ($0.isFitted, $0.zoom) = (true, 3) }
        }
        var view = ViewChange()
        #expect(throws: PropertyError(path: "background", problem: #""bluu" is not a CSS color such as #3388ff80 or white"#)) {
            try view.setBackground(css: "bluu")
        }
        for (name, set) in Self.outOfRange {
            #expect { try patch(Self.plain, set) } throws: { ($0 as? PropertyError)?.path == name }
        }
    }

    private static let outOfRange: [(String, @Sendable (inout ViewChange) -> Void)] = [
        ("zoom", { $0.zoom = 25 }), ("tilt", { $0.tilt = -1 }), ("center", { $0.center = LatLng(lat: 89, lng: 0) }),
        ("pixelRatio", { $0.pixelRatio = 0.4 }), ("bearing", { $0.bearing = .infinity }), ("padding", { $0.padding = -1 }),
    ]

    /// A scene read with a view has the settings and the camera of the scene patched with it.
    @Test(arguments: [plain, fitted, bare, geoJSON]) func readingWithAViewIsReadingThePatchedScene(_ scene: String) throws {
        var changes: [ViewChange] = []
        for index in 0..<64 {
            var change = ViewChange()
            if index & 1 != 0 { change.zoom = 4 }
            if index & 2 != 0 { change.center = LatLng(lat: 5, lng: 6) }
            if index & 4 != 0 { (change.bearing, change.tilt) = (30, 40) }
            if index & 8 != 0 { change.isFitted = true }
            if index & 16 != 0 { change.padding = 9 }
            if index & 32 != 0 { (change.size, change.pixelRatio, change.background) = (CGSize(width: 30, height: 20), 2, .red) }
            changes.append(change)
        }
        for change in changes {
            var options = SceneFileOptions()
            options.view = change
            let patch: [UInt8]?
            do {
                patch = try change.patch(of: JSONDocument(parsing: Array(scene.utf8)).root)
            } catch {
                #expect(throws: SceneError.self) { try SceneFile(data: Data(scene.utf8), options: options) }
                continue
            }
            // GeoJSON has no settings, so the patch makes a new scene.
            let base = scene == Self.geoJSON ? Self.bare : scene
            let merged = try JSONDocument(parsing: Array(base.utf8)).root
            let text = try patch.map { try MergePatch.merged(merged, JSONDocument(parsing: $0).root) } ?? Array(base.utf8)
            let expected = try SceneFile(data: Data(text))
            let read = try SceneFile(data: Data(scene.utf8), options: options)
            #expect(read.fit == expected.fit && (read.fit != nil || read.mapView.camera == expected.mapView.camera))
            #expect(read.mapView.size == expected.mapView.size && read.mapView.pixelRatio == expected.mapView.pixelRatio)
            // A file of features without styles has a background of its own.
            let hasOwnBackground = scene == Self.geoJSON && change.background == nil
            #expect(hasOwnBackground || read.mapView.background == expected.mapView.background)
        }
    }
}
