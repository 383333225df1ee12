import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Changes of a scene, as the JSON of a job, and applied to a scene.
@Suite struct SceneChangeTests {
    private static let here = LatLng(lat: 37.5, lng: 127)

    private func json(_ make: (inout SceneChange) throws -> Void) rethrows -> String {
        var change = SceneChange()
        try make(&change)
        return String(decoding: change.json, as: UTF8.self)
    }

    private func error(_ make: (inout SceneChange) throws -> Void) -> String? {
        var change = SceneChange()
        do { try make(&change) } catch { return (error as? PropertyError)?.description ?? "another error" }
        return nil
    }

    @Test func properties() throws {
        #expect(json { _ in } == "{}")
        #expect(try json { try $0.set(\Marker.captionText, to: "Gate", of: "a") } == #"{"change":{"a":{"captionText":"Gate"}}}"#)
        // Null is the default.
        #expect(try json { try $0.set(\Marker.alpha, to: 1, of: "a") } == #"{"change":{"a":{"alpha":null}}}"#)
        #expect(try json { try $0.set(\Overlay.zIndex, to: 0, of: "a") } == #"{"change":{"a":{"zIndex":null}}}"#)
        #expect(try json { try $0.set(\Model.isDoubleSided, to: nil, of: "a") } == #"{"change":{"a":{"isDoubleSided":null}}}"#)
        #expect(try json { try $0.set(\Marker.rotation, to: 30, of: "a") } == #"{"change":{"a":{"angle":30}}}"#)
        #expect(
            try json { try $0.set(\Marker.isHidden, to: true, of: "a") } == #"{"change":{"a":{"isVisible":false,"isHidden":true}}}"#)
        #expect(
            try json { try $0.set(\ViewOverlay.coordinates, to: Self.here, of: "a") } == #"{"change":{"a":{"coordinates":[127,37.5]}}}"#)
        // The other form of the value is removed.
        #expect(
            try json { try $0.set(\Marker.captionAlign, to: .top, of: "a") }
                == ##"{"change":{"a":{"captionAligns":["top"],"captionAlign":null}}}"##)
        #expect(
            try json { try $0.set(\Polyline.points, to: [Self.here, LatLng(lat: 1, lng: 2, altitude: 3)], of: "a") }
                == #"{"change":{"a":{"parts":[[[127,37.5],[2,1,3]]],"points":null}}}"#)
    }

    @Test func propertiesOfValues() throws {
        #expect(
            try json { try $0.set(\LocalModel.material.diffuse, to: .red, of: "a") }
                == ##"{"change":{"a":{"material":{"diffuse":"#ff0000"}}}}"##)
        #expect(
            try json {
                try $0.set(\LocalModel.material.diffuse, to: .red, of: "a")
                try $0.set(\LocalModel.material.ambient, to: .black, of: "a")
                try $0.set(\LocalModel.material.diffuse, to: nil, of: "a")
                try $0.set(\LocalModel.yaw, to: 4, of: "b")
            } == ##"{"change":{"a":{"material":{"ambient":"#000000","diffuse":null}},"b":{"yaw":4}}}"##)
    }

    @Test func images() throws {
        func icon(_ image: OverlayImage) throws -> String {
            try json { try $0.set(\Marker.iconImage, to: image, of: "a") }
                .replacing(#"{"change":{"a":{"iconImage":""#, with: "").replacing(#""}}}"#, with: "")
        }
        #expect(try icon(MarkerImage.red) == "builtin:red")
        #expect(try icon(.empty) == "none")
        let pin = try #require(MarkerImage.pin(color: Color(css: "#0a0b0c") ?? .black, symbol: "A"))
        #expect(try icon(pin) == "pin:#0a0b0c:a:medium")
        #expect(try icon(OverlayImage(bytes: [1, 2, 3])) == "data:application/octet-stream;base64,AQID")
        var bitmap = Bitmap(width: 1, height: 1)
        bitmap[0, 0] = Bitmap.Pixel(red: 9, green: 8, blue: 7, alpha: 255)
        let name = try icon(OverlayImage(bitmap: bitmap))
        let bytes = try #require(Data(base64Encoded: String(name.dropFirst("data:application/octet-stream;base64,".count))))
        #expect(try Bitmap(decoding: [UInt8](bytes)) == bitmap)
        let folder = ScratchFolder()
        try folder.write("", "a@2x.png")
        #expect(try icon(OverlayImage(path: folder.path + "/a@2x.png")).hasSuffix("/a@2x.png"))
        for image in [
            OverlayImage(name: "a"), OverlayImage(content: .label("a")), OverlayImage(bytes: [1], scale: 2),
            OverlayImage(path: "a.png", scale: 3),
        ] {
            #expect(throws: PropertyError.self) { try icon(image) }
        }
    }

    @Test func wholeChanges() throws {
        let text = try json {
            let marker = Marker(position: Self.here, image: .red)
            marker.id = "new"
            marker.captionText = "New"
            try $0.add(marker)
            let circle = Circle(center: Self.here, radius: 5)
            circle.isHidden = true
            try $0.add(Container([circle]))
            try $0.add(ViewOverlay(content: .label("Hall", color: .red), coordinates: Self.here))
            $0.remove("old")
            $0.selectMarker("new")
        }
        let members = [
            ##""selectedMarker":"new""##, ##""infoWindow":null"##,
            ##""add":[{"type":"marker","id":"new","position":[127,37.5],"iconImage":"builtin:red","captionText":"New"},"##
                + ##"{"type":"container","children":[{"type":"circle","isVisible":false,"isHidden":true,"center":[127,37.5],"radius":5}]},"##
                + ##"{"type":"viewOverlay","coordinates":[127,37.5],"content":{"label":{"text":"Hall","textColor":"#ff0000"}}}]"##,
            ##""remove":["old"]"##,
        ]
        #expect(text == "{\(members.joined(separator: ","))}")
        #expect(json { $0.selectMarker(nil) } == #"{"selectedMarker":null,"infoWindow":null}"#)
    }

    @Test func invalidValues() {
        #expect(error { try $0.set(\Marker.alpha, to: 2, of: "a") } == "change.a.alpha: 2 is outside 0…1")
        #expect(
            error { try $0.set(\Marker.position, to: LatLng(lat: 95, lng: 0), of: "a") } == "change.a.position.lat: 95 is outside -90…90")
        #expect(error { try $0.set(\Marker.tag, to: 1, of: "a") } == nil)
        #expect(error { try $0.add(Marker()) } == "add[0].position: the marker has no position")
        #expect(
            error { try $0.set(\Marker.iconImage, to: OverlayImage(name: "pin"), of: "a") }
                == "change.a.iconImage: a scene file cannot have an image that is found by its name; use a path")
        let mesh = FloatMesh(vertices: [.zero, [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]])
        mesh.surfaces = [FloatMesh.Surface(triangles: 0..<1)]
        #expect(
            error { try $0.add(LocalModel(mesh: mesh, coordinates: Self.here)) }
                == "add[0].mesh.surfaces: a mesh with surfaces cannot be written into a scene file; write the model as JSON, with the key \"model\" and a file instead of \"mesh\""
        )
    }

    @Test func textOfJobs() throws {
        let text =
            ##"{"camera":{"zoom":3},"change":{"a":{"alpha":0.5}},"add":[{"type":"marker","position":[1,2]}],"remove":["b"]}"##
        var change = try SceneChange(json: Data(text.utf8))
        #expect(String(decoding: change.json, as: UTF8.self) == text)
        try change.set(\Marker.alpha, to: 1, of: "a")
        #expect(String(decoding: change.json, as: UTF8.self) == text.replacing("0.5", with: "null"))
        for (text, words) in [
            ("{", "change: byte 1 (line 1, column 2): unexpected end of file"), ("[1]", "change: expected an object, found an array"),
            (#"{"change": {"a": 3}}"#, "change: change.a: expected an object with the keys to change, found 3"),
            (#"{"camra": {"zoom": 3}}"#, #"change: unknown key "camra"; did you mean "camera"?"#),
            (#"{"output": "a.png"}"#, #"change: unknown key "output""#),
            (#"{"change": {"a": {"alpa": 1}}}"#, #"change: change.a: unknown key "alpa"; did you mean "alpha"?"#),
            (#"{"change": {"a": {"rotation": 1}}}"#, #"change: change.a: unknown key "rotation"; use "angle""#),
            (
                #"{"add": [{"type": "circle", "center": [1, 2]}, {"type": "marker", "position": [1, 2], "radius": 3}]}"#,
                #"change: add[1]: unknown key "radius""#
            ),
            (#"{"add": [{"type": "markr"}]}"#, #"change: add[0].type: unknown overlay type "markr"; did you mean "marker"?"#),
            (#"{"add": [{"type": "geojson", "sources": "a.csv"}]}"#, #"change: add[0]: unknown key "sources"; did you mean "source"?"#),
        ] {
            let error = #expect(throws: SceneError.self) { try SceneChange(json: Data(text.utf8)) }
            #expect(error?.description == words, "\(text)")
        }
    }

    // MARK: Applied

    /// Changes a scene, and returns the changed map.
    private func changed(_ scene: String, _ make: (inout SceneChange) throws -> Void) throws -> MapView {
        var change = SceneChange()
        try make(&change)
        let base = try BaseScene(bytes: Array(scene.utf8), name: "base", folder: "", options: SceneFileOptions())
        let document = try JSONDocument(parsing: [UInt8](change.json))
        return try base.change(ScenePatch(document.root, without: [])).mapView
    }

    @Test func contentReplacesContent() throws {
        let scene = #"""
            {"waymark": 1, "overlays": [{"type": "marker", "id": "a", "position": [1, 2],
            "iconView": {"label": {"text": "A", "textSize": 30, "font": "X"}}}]}
            """#
        let stack = StackContent([.label("B"), .image(MarkerImage.red, width: 8)])
        for content in [OverlayContent.label("B"), .image(MarkerImage.red), .stack(stack)] {
            let map = try changed(scene) { try $0.set(\Marker.iconView, to: content, of: "a") }
            #expect((map.overlay(withID: "a") as? Marker)?.iconView == content)
        }
        let map = try changed(scene) { try $0.set(\Marker.iconView, to: nil, of: "a") }
        #expect((map.overlay(withID: "a") as? Marker)?.iconView == nil)
    }

    /// The insets of earlier content, of the scene or of the same change, are not kept.
    @Test func contentReplacesInsets() throws {
        func content(_ isStack: Bool, _ set: (inout EdgeInsets) -> Void) -> OverlayContent {
            var (label, stack) = (LabelContent(text: "A"), StackContent([.label("A")]))
            set(&label.insets)
            set(&stack.insets)
            return isStack ? .stack(stack) : .label(label)
        }
        for isStack in [false, true] {
            let insets = #""insets": {"top": 4, "right": 3}"#
            let old = isStack ? #"{"stack": [{"label": {"text": "A"}}], \#(insets)}"# : #"{"label": {"text": "A", \#(insets)}}"#
            let scene = #"{"waymark": 1, "overlays": [{"type": "marker", "id": "a", "position": [1, 2], "iconView": \#(old)}]}"#
            let new = content(isStack) { $0.left = 50 }
            let once = try changed(scene) { try $0.set(\Marker.iconView, to: new, of: "a") }
            #expect((once.overlay(withID: "a") as? Marker)?.iconView == new)
            let twice = try changed(scene) {
                try $0.set(\Marker.iconView, to: content(isStack) { $0.bottom = 7 }, of: "a")
                try $0.set(\Marker.iconView, to: new, of: "a")
            }
            #expect((twice.overlay(withID: "a") as? Marker)?.iconView == new)
        }
    }

    @Test func removingTwiceIsRemovingOnce() throws {
        let scene = #"{"waymark": 1, "overlays": [{"type": "marker", "id": "a", "position": [1, 2]}]}"#
        let map = try changed(scene) {
            $0.remove("a")
            $0.remove("a")
        }
        #expect(map.overlays.isEmpty)
        var change = try SceneChange(json: Data(#"{"remove": ["a"]}"#.utf8))
        change.remove("a")
        #expect(String(decoding: change.json, as: UTF8.self) == #"{"remove":["a"]}"#)
    }

    /// Containers have no limit, but JSON has one.
    @Test func containersAreNestedAsDeepAsJSON() throws {
        func nested(_ depth: Int) -> Container {
            let stack = (0..<15).reduce(OverlayContent.label("A")) { inner, _ in .stack(StackContent([inner])) }
            let marker = Marker(position: Self.here)
            marker.iconView = stack
            return (1..<depth).reduce(Container([marker])) { inner, _ in Container([inner]) }
        }
        let text = try json { try $0.add(nested(450)) }
        #expect(throws: Never.self) { try JSONDocument(parsing: Array(text.utf8)) }
        for depth in [451, 2000] {
            #expect(
                error { try $0.add(nested(depth)) } == "add[0].children: containers in a scene file can be nested at most 450 levels deep")
        }
    }

    /// The default ambient color is no color of 8 bits per channel.
    @Test func defaultsAreExact() throws {
        let mesh = #"{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}"#
        let scene = #"""
            {"waymark": 1, "overlays": [{"type": "localModel", "id": "a", "coordinates": [1, 2], "mesh": \#(mesh),
            "material": {"diffuse": "red", "ambient": "blue"}, "alpha": 0.5}]}
            """#
        let map = try changed(scene) {
            try $0.set(\LocalModel.material, to: Material(diffuse: .green), of: "a")
            try $0.set(\LocalModel.alpha, to: 1, of: "a")
        }
        let model = try #require(map.overlay(withID: "a") as? LocalModel)
        #expect(model.material == Material(diffuse: .green) && model.alpha == 1)
    }

    @Test func aMeshReplacesAMesh() throws {
        let old =
            #"{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "normals": [[0, 0, 1], [0, 0, 1], [0, 0, 1]]}"#
        let scene = #"{"waymark": 1, "overlays": [{"type": "localModel", "id": "a", "coordinates": [1, 2], "mesh": \#(old)}]}"#
        let mesh = FloatMesh(vertices: [.zero, [0.1, 0, 0], [0, 2, 0], [0, 0, 2]], triangles: [[0, 1, 2], [0, 1, 3]])
        let map = try changed(scene) { try $0.set(\LocalModel.mesh, to: mesh, of: "a") }
        let model = try #require(map.overlay(withID: "a") as? LocalModel)
        #expect(model.mesh.vertices == mesh.vertices && model.mesh.triangles == mesh.triangles && model.mesh.normals.isEmpty)
    }

    /// The overlays of all picture cases that a change can add are the same after they were added.
    @Test func addedOverlaysAreTheSame() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "Pictures")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix("/scene.json") }.sorted()
        var (added, refused) = (0, 0)
        for path in paths {
            guard let file = try? SceneFile(contentsOf: root.appendingPathComponent(path).path) else { continue }
            for overlay in file.mapView.overlays where overlay.parent == nil {
                var change = SceneChange()
                do throws(PropertyError) { try change.add(overlay) } catch {
                    refused += 1
                    continue
                }
                let base = try BaseScene(bytes: Array(#"{"waymark": 1}"#.utf8), name: path, folder: "", options: SceneFileOptions())
                let patch = try ScenePatch(JSONDocument(parsing: [UInt8](change.json)).root, without: [])
                let copy = try #require(try base.change(patch).mapView.overlays.first, "\(path)")
                // A property that is not stated has the default of the map's theme.
                base.mapView.theme = file.mapView.theme
                try compare(overlay, copy, path)
                added += 1
            }
        }
        #expect(added > 300 && refused < added / 5, "\(added) were added, \(refused) were refused")
    }

    private func compare(_ overlay: Overlay, _ copy: Overlay, _ path: String) throws {
        #expect(overlay.type == copy.type)
        for property in overlay.type.properties.properties {
            switch property.type {
            case .image(let accessor): #expect((accessor.get(overlay) == nil) == (accessor.get(copy) == nil), "\(path): \(property.name)")
            case .objects(let accessor, let list, _):
                let (own, other) = (accessor.get(overlay), accessor.get(copy))
                #expect(own.count == other.count)
                for (a, b) in zip(own, other) { #expect(list.properties.allSatisfy { $0.isEqual(a, b) }, "\(path): \(property.name)") }
            case .content: break
            // Opacities of GeoJSON are rounded to 8 bits.
            case .color(let accessor):
                let colors = [accessor.get(overlay), accessor.get(copy)].map { $0?.description }
                #expect(colors[0] == colors[1], "\(path): \(property.name)")
            case .text where property.name == "id": #expect(overlay.hasMadeUpID == copy.hasMadeUpID)
            default: #expect(property.isEqual(overlay, copy), "\(path): \(property.name)")
            }
        }
        if let container = overlay as? Container, let other = copy as? Container {
            #expect(container.count == other.count)
            for (a, b) in zip(container.children, other.children) { try compare(a, b, path) }
        }
        if let layer = overlay as? ClusterLayer, let other = copy as? ClusterLayer {
            #expect(layer.count == other.count && layer.theme?.styles.map(\.densityRange) == other.theme?.styles.map(\.densityRange))
            for (a, b) in zip(layer.markers, other.markers) { try compare(a, b, path) }
        }
        if let model = overlay as? LocalModel, let other = copy as? LocalModel {
            #expect(model.mesh.vertices == other.mesh.vertices && model.mesh.triangles == other.mesh.triangles)
            #expect(model.mesh.normals == other.mesh.normals && model.mesh.colors == other.mesh.colors)
        }
    }
}
