import CWaymarkInterface
import Foundation
import Testing
import Waymark
import WaymarkCInterface
import WaymarkImaging
import WaymarkTestSupport

/// The functions of waymark.h, called as from C.
@Suite struct InterfaceTests {
    private let scene = """
        {"waymark": 1, "size": {"width": 40, "height": 30}, "pixelRatio": 2, "background": "#20406080",
         "camera": {"center": [10, 20], "zoom": 5},
         "overlays": [{"type": "marker", "id": "m", "position": [10, 20], "iconImage": "builtin:red", "width": 10, "height": 14},
                      {"type": "circle", "id": "c", "center": [10, 20], "radius": 30000, "fillColor": "white"}]}
        """

    private func makeScene(_ text: String, _ options: waymark_scene_options? = nil) throws -> OpaquePointer {
        let (scene, status, message) = create(text, options)
        #expect(status == 0, "\(message ?? "")")
        return try #require(scene)
    }

    private func create(_ text: String, _ options: waymark_scene_options? = nil) -> (OpaquePointer?, Int32, String?) {
        var scene: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let bytes = Array(text.utf8).map { CChar(bitPattern: $0) }
        var status: Int32
        if var options {
            options.struct_size = MemoryLayout<waymark_scene_options>.size
            status = waymark_scene_create(bytes, bytes.count, &options, &scene, &message)
        } else {
            status = waymark_scene_create(bytes, bytes.count, nil, &scene, &message)
        }
        return (scene, status, take(message))
    }

    private func makeRenderer() throws -> OpaquePointer {
        PinnedRasterizer.pin
        var options = waymark_renderer_options()
        options.struct_size = MemoryLayout<waymark_renderer_options>.size
        var renderer: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let status = "software".withCString { device in
            options.device = device
            return waymark_renderer_create(&options, &renderer, &message)
        }
        #expect(status == 0, "\(take(message) ?? "")")
        return try #require(renderer)
    }

    /// A returned text, which is then freed.
    private func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        defer { waymark_free(text) }
        return text.map { String(cString: $0) }
    }

    private func picture(of text: String) throws -> Bitmap {
        PinnedRasterizer.pin
        let file = try SceneFile(data: Data(text.utf8))
        return try Renderer(device: .software).render(file.mapView).bitmap
    }

    @Test func versions() {
        #expect(String(cString: waymark_version()) == waymarkVersion)
        #expect(waymark_interface_version() == WAYMARK_INTERFACE_VERSION)
    }

    @Test func picturesAreThoseOfTheLibraryInEveryFormatAndWithAnyStride() throws {
        let (renderer, scene) = (try makeRenderer(), try makeScene(scene))
        defer {
            waymark_scene_destroy(scene)
            waymark_renderer_destroy(renderer)
        }
        let expected = try picture(of: self.scene)
        var (width, height) = (UInt32(0), UInt32(0))
        #expect(waymark_scene_size(scene, &width, &height, nil) == 0)
        #expect((Int(width), Int(height)) == (expected.width, expected.height))
        let premultiplied = expected.pixels
        var swapped = premultiplied
        for offset in stride(from: 0, to: swapped.count, by: 4) { swapped.swapAt(offset, offset + 2) }
        let formats = [
            (WAYMARK_RGBA, expected.straightPixels), (WAYMARK_RGBA_PREMULTIPLIED, premultiplied), (WAYMARK_BGRA_PREMULTIPLIED, swapped),
        ]
        let row = 4 * expected.width
        for (format, wanted) in formats {
            // Rows without gaps, with gaps, and in memory at an odd address.
            for (gap, start) in [(0, 0), (13, 0), (0, 1)] {
                let length = (row + gap) * (expected.height - 1) + row
                var pixels = [UInt8](repeating: 7, count: start + length + 1)
                var warnings: UnsafeMutablePointer<CChar>?
                let status = pixels.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map {
                        waymark_render(renderer, scene, $0 + start, row + gap, length, Int32(format.rawValue), &warnings, nil)
                    }
                }
                #expect(status == 0)
                #expect(take(warnings) == "[]")
                #expect(pixels.first == 7 || start == 0)
                #expect(pixels.last == 7)
                for y in 0..<expected.height {
                    let first = start + (row + gap) * y
                    #expect(pixels[first..<first + row].elementsEqual(wanted[row * y..<row * (y + 1)]))
                    if gap > 0, y < expected.height - 1 {
                        #expect(pixels[first + row..<first + row + gap].allSatisfy { $0 == 7 })
                    }
                }
            }
        }
    }

    @Test func filesAreThoseOfTheLibrary() throws {
        let (renderer, scene) = (try makeRenderer(), try makeScene(scene))
        defer {
            waymark_scene_destroy(scene)
            waymark_renderer_destroy(renderer)
        }
        for format in ImageFormat.allCases {
            var (bytes, length): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
            #expect(waymark_render_encoded(renderer, scene, format.rawValue, 0, &bytes, &length, nil, nil) == 0)
            defer { waymark_free(bytes) }
            #expect(try Array(UnsafeBufferPointer(start: bytes, count: length)) == picture(of: self.scene).encoded(as: format))
        }
    }

    @Test func aChangeReplacesTheOneBeforeAndCanBeTakenBack() throws {
        let (renderer, scene) = (try makeRenderer(), try makeScene(scene))
        defer {
            waymark_scene_destroy(scene)
            waymark_renderer_destroy(renderer)
        }
        func file() -> [UInt8] {
            var (bytes, length): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
            #expect(waymark_render_encoded(renderer, scene, "rgba", 0, &bytes, &length, nil, nil) == 0)
            defer { waymark_free(bytes) }
            return Array(UnsafeBufferPointer(start: bytes, count: length))
        }
        func change(_ json: String) -> (Int32, String?) {
            var message: UnsafeMutablePointer<CChar>?
            let bytes = Array(json.utf8).map { CChar(bitPattern: $0) }
            return (waymark_scene_change(scene, bytes, bytes.count, &message), take(message))
        }
        let original = file()
        #expect(change(#"{"remove": ["c"]}"#) == (0, nil))
        let without = file()
        #expect(without != original)
        #expect(change(#"{"size": {"width": 20, "height": 30}}"#) == (0, nil))
        #expect(file().count == original.count / 2)
        #expect(change(#"{"remove": ["c"]}"#) == (0, nil))
        #expect(file() == without)
        let (status, message) = change(#"{"remove": ["nobody"]}"#)
        #expect(status == 65)
        #expect(message?.contains("nobody") == true)
        #expect(file() == original)
        #expect(change("{") == (65, "change: byte 1 (line 1, column 2): unexpected end of file"))
        #expect(waymark_scene_change(scene, nil, 0, nil) == 0)
        #expect(file() == original)
    }

    @Test func placesAndHitsAreThoseOfTheProgram() throws {
        let scene = try makeScene(scene)
        defer { waymark_scene_destroy(scene) }
        var text: UnsafeMutablePointer<CChar>?
        #expect(waymark_inspect(scene, 0, &text, nil) == 0)
        let inspection = try JSONDecoder().decode(Inspection.self, from: Data(try #require(take(text)).utf8))
        #expect(inspection.overlays.map(\.id) == ["m", "c"])
        #expect(waymark_pick(scene, 20, 12, 2, 0, &text, nil) == 0)
        #expect(take(text)?.contains(#""part": "icon""#) == true)
        #expect(waymark_pick(scene, 0, 0, 0, 3, &text, nil) == 0)
        #expect(take(text) == "[]")
        // The scene is invalid, not the point.
        let endless = try makeScene(#"{"waymark": 1, "size": {"width": -1, "height": 9}, "camera": {"center": [0, 0]}}"#)
        defer { waymark_scene_destroy(endless) }
        var message: UnsafeMutablePointer<CChar>?
        #expect(waymark_pick(endless, 1, 1, 2, 0, &text, &message) == 65)
        #expect(take(message) == "size.width: -1 pt at pixel ratio 1 is outside 1…65535 device pixels")
    }

    @Test func aCameraThatFitsIsFittedAgainAfterAChange() throws {
        let text = #"{"waymark": 1, "camera": {"fit": "overlays"}, "overlays": [{"type": "marker", "id": "a", "position": [10, 20]}]}"#
        let scene = try makeScene(text)
        defer { waymark_scene_destroy(scene) }
        func center() throws -> Double {
            var text: UnsafeMutablePointer<CChar>?
            #expect(waymark_inspect(scene, 0, &text, nil) == 0)
            return try JSONDecoder().decode(Inspection.self, from: Data(try #require(take(text)).utf8)).viewport.camera.center.lng
        }
        #expect(abs(try center() - 10) < 1e-3)
        let change = Array(#"{"change": {"a": {"position": [30, 20]}}}"#.utf8).map { CChar(bitPattern: $0) }
        #expect(waymark_scene_change(scene, change, change.count, nil) == 0)
        #expect(abs(try center() - 30) < 1e-3)
    }

    @Test func scenesReadNothingUnlessTheyMay() throws {
        let folder = ScratchFolder()
        try Bitmap(width: 4, height: 4, fill: .red).write(to: "\(folder.path)/a.png")
        let text = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "a.png"}]}"#
        let outside = ScratchFolder()
        try Bitmap(width: 4, height: 4, fill: .red).write(to: "\(outside.path)/b.png")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.png", withDestinationPath: "\(outside.path)/b.png")
        func status(_ resources: waymark_resources, _ image: String = "a.png") -> Int32 {
            folder.path.withCString { path in
                var options = waymark_scene_options()
                options.folder = path
                options.resources = Int32(resources.rawValue)
                let (scene, status, _) = create(text.replacingOccurrences(of: "a.png", with: image), options)
                waymark_scene_destroy(scene)
                return status
            }
        }
        #expect(status(WAYMARK_RESOURCES_NONE) != 0)
        #expect(status(WAYMARK_RESOURCES_FOLDER) == 0)
        for image in ["\(outside.path)/b.png", "link.png", "../\(outside.path.split(separator: "/").last!)/b.png"] {
            #expect(status(WAYMARK_RESOURCES_FOLDER, image) != 0)
            #expect(status(WAYMARK_RESOURCES_ANY, image) == 0)
        }
        #expect(status(WAYMARK_RESOURCES_ANY) == 0)
    }

    @Test func mistakesOfTheCallerAreNamed() throws {
        let (renderer, scene) = (try makeRenderer(), try makeScene(scene))
        defer {
            waymark_scene_destroy(scene)
            waymark_renderer_destroy(renderer)
        }
        var message: UnsafeMutablePointer<CChar>?
        var pixels = [UInt8](repeating: 0, count: 80 * 60 * 4)
        #expect(waymark_render(nil, scene, &pixels, 320, pixels.count, 0, nil, &message) == 64)
        #expect(take(message) == "renderer is NULL")
        #expect(waymark_render(renderer, nil, &pixels, 320, pixels.count, 0, nil, &message) == 64)
        #expect(take(message) == "scene is NULL")
        #expect(waymark_render(renderer, scene, nil, 320, pixels.count, 0, nil, &message) == 64)
        #expect(take(message) == "pixels is NULL")
        #expect(waymark_render(renderer, scene, &pixels, 319, pixels.count, 0, nil, &message) == 64)
        #expect(take(message) == "stride: 319 is less than the 320 bytes of a row")
        #expect(waymark_render(renderer, scene, &pixels, 320, pixels.count - 1, 0, nil, &message) == 64)
        #expect(take(message) == "length: 19199 is too small for a picture of 80 × 60 pixels with a stride of 320 bytes")
        #expect(waymark_render(renderer, scene, &pixels, .max, pixels.count, 0, nil, &message) == 64)
        waymark_free(message)
        #expect(waymark_render(renderer, scene, &pixels, 320, -1, 0, nil, nil) == 64)
        #expect(waymark_render(renderer, scene, &pixels, 320, pixels.count, 9, nil, &message) == 64)
        #expect(take(message) == "format: 9 is not in enum waymark_pixel_format")
        var (bytes, length): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
        #expect(waymark_render_encoded(renderer, scene, "gif", 0, &bytes, &length, nil, &message) == 64)
        #expect(take(message) == #"format: "gif" is not one of png, jpeg, webp, rgba"#)
        #expect(waymark_render_encoded(renderer, scene, "png", 101, &bytes, &length, nil, &message) == 64)
        #expect(take(message) == "quality: 101 is outside 0…100")
        #expect(waymark_pick(scene, 41, 0, 2, 0, nil, &message) == 64)
        waymark_free(message)
        var none: OpaquePointer?
        var deviceOptions = waymark_renderer_options()
        deviceOptions.struct_size = MemoryLayout<waymark_renderer_options>.size
        let status = "banana".withCString { device in
            deviceOptions.device = device
            return waymark_renderer_create(&deviceOptions, &none, &message)
        }
        #expect(status == 64 && none == nil)
        #expect(take(message)?.hasPrefix(#"device: "banana" is not a device; use auto, "#) == true)
        var text: UnsafeMutablePointer<CChar>?
        #expect(waymark_pick(scene, 41, 0, 2, 0, &text, &message) == 64)
        #expect(take(message) == "(41, 0) is outside the picture of 40 × 30 pt")
        #expect(waymark_pick(scene, .nan, 0, 2, 0, &text, nil) == 64)
        #expect(waymark_pick(scene, 1, 1, 2, 4, &text, nil) == 64)
        #expect(text == nil)
        var options = waymark_renderer_options()
        var other: OpaquePointer?
        #expect(waymark_renderer_create(&options, &other, &message) == 64)
        #expect(take(message) == "options.struct_size is 0; set it to sizeof(*options)")
        waymark_renderer_destroy(nil)
        waymark_scene_destroy(nil)
        waymark_free(nil)
    }

    @Test func badScenesAreRefusedWithTheirSentence() {
        #expect(create("") == (nil, 65, "scene: byte 0 (line 1, column 1): empty file"))
        let (scene, status, message) = create(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 95]}]}"#)
        #expect(scene == nil && status == 65)
        #expect(message == "scene: overlays[0].position[1]: 95 is outside -90…90; the order is [longitude, latitude]")
        #expect(waymark_scene_create(nil, 5, nil, nil, nil) == 64)
    }

    @Test func callersWhoKnowFewerFieldsGetTheDefaultsOfTheOthers() throws {
        var options = waymark_scene_options()
        options.struct_size = MemoryLayout<Int>.size + MemoryLayout<UnsafePointer<CChar>?>.size
        options.resources = 77  // beyond the size that the caller declares
        var scene: OpaquePointer?
        let text = Array(self.scene.utf8).map { CChar(bitPattern: $0) }
        #expect(waymark_scene_create(text, text.count, &options, &scene, nil) == 0)
        waymark_scene_destroy(scene)
    }

    @Test func renderersAndScenesOfDifferentThreadsDoNotDisturbEachOther() async throws {
        let text = scene
        let expected = try picture(of: text).pixels
        let pictures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let (renderer, scene) = (try makeRenderer(), try makeScene(text))
                    defer {
                        waymark_scene_destroy(scene)
                        waymark_renderer_destroy(renderer)
                    }
                    var pixels = [UInt8](repeating: 0, count: expected.count)
                    for _ in 0..<5 {
                        let format = Int32(WAYMARK_RGBA_PREMULTIPLIED.rawValue)
                        #expect(waymark_render(renderer, scene, &pixels, 320, pixels.count, format, nil, nil) == 0)
                    }
                    return pixels
                }
            }
            return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
        }
        #expect(pictures.count == 4 && pictures.allSatisfy { $0 == expected })
    }
}
