import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite(.serialized) @MainActor struct FoundationTypeTests {
    private func picture() throws -> Picture {
        let mapView = MapView(20, 10, pixelRatio: 2)
        mapView.add(0, 0)
        return try Drawing.shared.get().render(mapView)
    }

    @Test func picturesTellTheirSizeAndGiveData() throws {
        let picture = try picture()
        #expect(picture.width == 40 && picture.height == 20)
        #expect(try Bitmap(decoding: [UInt8](picture.pngData())) == picture.bitmap)
    }

    @Test func picturesAreWrittenToURLs() throws {
        let (folder, picture) = (ScratchFolder(), try picture())
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("a b.png")
        try picture.write(to: url)
        #expect(try Bitmap(contentsOf: folder.path + "/a b.png") == picture.bitmap)
        #expect(throws: ImagingError(.noFile, path: "https://example.com/a.png")) {
            try picture.write(to: #require(URL(string: "https://example.com/a.png")))
        }
    }

    @Test func scenesAreReadFromDataAndURLs() throws {
        let folder = ScratchFolder()
        let text = #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "point.json"}]}"#
        try folder.write(#"{"type": "Point", "coordinates": [1, 2]}"#, "point.json")
        try folder.write(text, "scene.json")
        let fromData = try SceneFile(data: Data(text.utf8), folder: folder.path)
        let fromBytes = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path)
        let withSlash = try SceneFile(data: Data(text.utf8), folder: folder.path + "/")
        let fromURL = try SceneFile(contentsOf: URL(fileURLWithPath: folder.path + "/scene.json"))
        for file in [fromData, fromBytes, withSlash, fromURL] {
            #expect((file.mapView.overlays.first as? Marker)?.position == LatLng(2, 1))
        }
        #expect(throws: SceneError.self) { try SceneFile(contentsOf: #require(URL(string: "https://example.com/scene.json"))) }
    }

    /// The texts that logs and dialogs show.
    @Test func localizedDescriptionsAreTheSentences() throws {
        let mapView = MapView(20, 10, Camera(zoom: 99))
        do {
            _ = try Drawing.shared.get().render(mapView)
            Issue.record("drawn")
        } catch {
            let error: any Error = error
            #expect(error.localizedDescription == "camera.zoom: 99 is outside 0…24")
        }
        do {
            _ = try SceneFile(data: Data("{".utf8))
            Issue.record("read")
        } catch {
            let error: any Error = error
            #expect(error.localizedDescription.hasPrefix("scene: ") && error.localizedDescription.hasSuffix("unexpected end of file"))
        }
        let errors: [any Error] = [
            ImagingError(.noFile, path: "x"), PropertyError(path: "a", problem: "b"), SceneFileError(path: "a", problem: "b"),
            GPUError(.badSelection, stage: "", "no such device"), FontError.noFonts(.system),
        ]
        #expect(errors.allSatisfy { $0.localizedDescription == "\($0)" })
    }
}
