import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct SceneFileTests {
    private func scene(_ text: String, folder: String = "", resources: ResourcePolicy = .any) throws -> SceneFile {
        var options = SceneFileOptions()
        options.resources = resources
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder, options: options)
    }

    private func markers(_ file: SceneFile) -> [Marker] { file.mapView.overlays.compactMap { $0 as? Marker } }

    @Test func everythingHasItsDefault() throws {
        let file = try scene(#"{"waymark": 1}"#)
        #expect(file.mapView.size == CGSize(width: 512, height: 512) && file.mapView.pixelRatio == 1)
        #expect(file.mapView.background == .clear && file.fit == FitOptions() && file.warnings.isEmpty)
        #expect(file.mapView.overlays.isEmpty)
    }

    @Test func keysAreThePropertyNames() throws {
        let file = try scene(
            """
            {"waymark": 1, "size": {"width": 800, "height": 600}, "pixelRatio": 2, "background": "#f2efe9",
            "camera": {"center": {"lat": 37.5, "lng": 127}, "zoom": 14, "bearing": 30, "tilt": 45, "contentInset": {"left": 100}},
            "overlays": [{"type": "marker", "id": "hall", "position": [126.978374, 37.5670135, 20], "iconImage": "builtin:red",
            "width": 25, "height": "auto", "anchor": [1, 0.5], "angle": -90, "alpha": 0.5, "isFlat": true, "iconPerspectiveEnabled": true,
            "zIndex": -3, "globalZIndex": 7, "altitude": 12.5, "isHidden": true, "minZoom": 3, "maxZoom": 9.5, "mapLayerType": "poi"}]}
            """)
        let map = file.mapView
        #expect(map.size == CGSize(width: 800, height: 600) && map.pixelRatio == 2 && file.fit == nil)
        #expect(map.background == Color(css: "#f2efe9"))
        #expect(
            map.camera
                == Camera(
                    center: LatLng(lat: 37.5, lng: 127), zoom: 14, bearing: 30, tilt: 45, contentInset: EdgeInsets(left: 100)))
        let marker = try #require(markers(file).first)
        #expect(marker.id == "hall" && marker.position == LatLng(lat: 37.5670135, lng: 126.978374, altitude: 20))
        #expect(marker.iconImage == MarkerImage.red && marker.width == 25 && marker.height == 0 && marker.anchor == CGPoint(x: 1, y: 0.5))
        #expect(marker.angle == -90 && marker.alpha == 0.5 && marker.isFlat && marker.iconPerspectiveEnabled)
        #expect(marker.zIndex == -3 && marker.globalZIndex == 7 && marker.altitude == 12.5 && marker.isHidden)
        #expect(marker.minZoom == 3 && marker.maxZoom == 9.5 && marker.mapLayerType == .poi)
    }

    @Test func theFitIsAskedFor() throws {
        let file = try scene(#"{"waymark": 1, "camera": {"fit": "overlays", "padding": 40, "maxZoom": 12, "bearing": 9, "tilt": 8}}"#)
        #expect(file.fit == FitOptions(padding: 40, maxZoom: 12, bearing: 9, tilt: 8))
        #expect(throws: SceneError.self) { try scene(#"{"waymark": 1, "camera": {"fit": "all"}}"#) }
    }

    @Test func idsTellTheirPlaceWhereNoneIsGiven() throws {
        let folder = ScratchFolder()
        try folder.write(
            #"{"type": "FeatureCollection", "features": [\#(feature(1, 2)), \#(feature(3, 4, #", "id": "x""#))]}"#, "a.geojson")
        let file = try scene(
            #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0]}, {"type": "marker", "id": "b", "position": [0, 0]}, "#
                + #"{"type": "geojson", "source": "a.geojson", "marker": {"angle": 9}}]}"#, folder: folder.path + "/")
        #expect(markers(file).map(\.id) == ["marker-0", "b", "geojson-2/0", "x"])
        #expect(markers(file).map(\.angle) == [0, 0, 9, 9])
        #expect(markers(file)[3].position == LatLng(lat: 4, lng: 3))
    }

    private func feature(_ lng: Double, _ lat: Double, _ more: String = "") -> String {
        #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [\#(lng), \#(lat), 50]}, "properties": {}\#(more)}"#
    }

    @Test func pointsOfGeoJSONBecomeMarkers() throws {
        let file = try scene(
            """
            {"type": "FeatureCollection", "extra": 1, "features": [\(feature(1, 2, #", "id": 7"#)), \(feature(3, 4)),
            {"type": "Feature", "geometry": null, "properties": null},
            {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": [[5, 6], [7, 8]]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[5, 6], [7, 8]]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": [
            {"type": "Point", "coordinates": [9, 10]}]}}]}
            """)
        #expect(markers(file).map(\.id) == ["7", "1", "3/0", "3/1", "5"])
        // Altitudes are ignored unless requested.
        #expect(markers(file)[0].position == LatLng(lat: 2, lng: 1))
        #expect(markers(file).map { $0.position?.lat } == [2, 4, 6, 8, 10])
        #expect(file.warnings.isEmpty && file.mapView.overlays.count == 6)
        #expect(file.fit == FitOptions())
        #expect(markers(try scene(#"{"type": "Point", "coordinates": [1, 2]}"#)).count == 1)
        #expect(markers(try scene(feature(1, 2))).count == 1)
    }

    @Test func altitudesOfGeoJSONWhenAskedFor() throws {
        let folder = ScratchFolder()
        try folder.write(feature(1, 2), "a.geojson")
        let file = try scene(
            #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "a.geojson", "useAltitude": true}]}"#, folder: folder.path + "/")
        #expect(markers(file).map { $0.position?.altitude } == [50])
    }

    @Test func imagesByNamePathAndData() throws {
        let folder = ScratchFolder()
        try Bitmap(width: 4, height: 6, fill: .red).write(to: folder.path + "/pin@2x.png")
        let data = Data(try Bitmap(width: 1, height: 1, fill: .blue).encoded(as: .png)).base64EncodedString()
        let overlays = ["shop", "big", "pin@2x.png", "none", "builtin:blue", "data:image/png;base64,\(data)"]
            .map { #"{"type": "marker", "position": [0, 0], "iconImage": "\#($0)"}"# }.joined(separator: ",")
        let file = try scene(
            """
            {"waymark": 1, "images": {"shop": "pin@2x.png", "big": {"path": "pin@2x.png", "scale": 1}}, "overlays": [\(overlays)]}
            """, folder: folder.path + "/")
        let images = markers(file).map { $0.iconImage }
        #expect(images.map(\.scale) == [2, 1, 2, 1, 1, 1])
        #expect(images[3] == OverlayImage.empty && images[4] == MarkerImage.blue)
        func pixels(_ image: OverlayImage) throws -> Bitmap? {
            if case .raster = try image.decoded() { image.bitmap } else { nil }
        }
        #expect(try pixels(images[5]) == Bitmap(width: 1, height: 1, fill: .blue))
        #expect(try pixels(images[1]) == Bitmap(width: 4, height: 6, fill: .red))
    }

    @Test func aPolicySaysWhatMayBeRead() throws {
        let folder = ScratchFolder()
        try Bitmap(width: 1, height: 1).write(to: folder.path + "/in.png")
        let outside = ScratchFolder()
        try Bitmap(width: 1, height: 1).write(to: outside.path + "/out.png")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link.png", withDestinationPath: outside.path + "/out.png")
        func problem(_ path: String, _ policy: ResourcePolicy) -> String? {
            do {
                _ = try scene(
                    #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "\#(path)"}]}"#,
                    folder: folder.path + "/", resources: policy)
                return nil
            } catch {
                return "\(error)"
            }
        }
        let inside = ResourcePolicy.folder(folder.path)
        #expect(problem("in.png", inside) == nil)
        #expect(problem("in.png", .none) == "scene.json: overlays[0].iconImage: this scene is not allowed to read in.png")
        for path in ["link.png", "\(outside.path)/out.png", "../\(outside.path.split(separator: "/").last!)/out.png", "/etc/passwd"] {
            #expect(problem(path, inside) == "scene.json: overlays[0].iconImage: this scene is not allowed to read \(path)")
        }
        #expect(problem("builtin:red", .none) == nil)
    }
}
