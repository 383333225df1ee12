import Foundation
import HTTPTypes
import Testing
import Waymark

@testable import WaymarkServer

extension ServerTests {
    /// The server draws the same pictures as the program, whatever the request's camera, size and format.
    @Suite struct RenderRouteTests {
        @Test func aPictureIsThatOfTheLibraryAndTheProgram() async throws {
            try await TestServer.run { _, client in
                let response = try await client.post("/render", Scenes.card)
                #expect(response.status == .ok && response.headers[.contentType] == "image/png")
                #expect(try response.bytes == Scenes.picture(Scenes.card))
                if let program = ProcessInfo.processInfo.environment["WAYMARK_PROGRAM"] {
                    #expect(try response.bytes == ProgramPicture.render(program, Scenes.card))
                }
                // Again, from the same and from another connection.
                #expect(try await client.post("/render", Scenes.card).bytes == response.bytes)
            }
        }

        @Test func viewsAreThoseOfTheProgramsOptions() async throws {
            try await TestServer.run { _, client in
                let turned = try await client.post("/render?bearing=40&tilt=50&size=90x80&pixelRatio=2&background=%23ff000080", Scenes.card)
                #expect(
                    try turned.bytes
                        == Scenes.picture(Scenes.card) {
                            $0.camera.bearing = 40
                            $0.camera.tilt = 50
                            $0.size = CGSize(width: 90, height: 80)
                            $0.pixelRatio = 2
                            $0.background = try #require(Color(css: "#ff000080"))
                        })
                let moved = try await client.post("/render?center=37.51,127.01&zoom=11", Scenes.fitted)
                #expect(try moved.bytes == Scenes.picture(Scenes.fitted) { $0.camera = Camera(center: LatLng(37.51, 127.01), zoom: 11) })
                // A zoom alone replaces that part of the fitted camera.
                let near = try await client.post("/render?zoom=14", Scenes.fitted)
                #expect(try near.bytes == Scenes.picture(Scenes.fitted) { $0.camera.zoom = 14 })
                let fitted = try await client.post("/render?fit=true&padding=10", Scenes.card)
                #expect(
                    try fitted.bytes
                        == Scenes.picture(Scenes.card) {
                            var options = FitOptions()
                            options.padding = 10
                            $0.camera = try $0.camera(fitting: options)
                        })
            }
        }

        @Test func formats() async throws {
            try await TestServer.run { _, client in
                let cases: [(query: String, accept: String?, ImageFormat, EncodingOptions)] = [
                    ("?format=webp", nil, .webp, EncodingOptions()),
                    ("?format=jpeg&quality=60", "image/png", .jpeg, EncodingOptions(quality: 60)),
                    ("?format=jpg", nil, .jpeg, EncodingOptions()), ("?format=rgba", nil, .rgba, EncodingOptions()),
                    ("", "image/webp,image/*,*/*;q=0.8", .webp, EncodingOptions()), ("", "*/*", .png, EncodingOptions()),
                    ("", "image/png;q=0.5, image/jpeg;q=0.9", .jpeg, EncodingOptions()), ("", "image/*", .png, EncodingOptions()),
                    ("?palette=16", nil, .png, EncodingOptions(paletteColors: 16)),
                ]
                for (query, accept, format, options) in cases {
                    var headers: HTTPFields = [:]
                    if let accept { headers[.accept] = accept }
                    let response = try await client.post("/render" + query, Scenes.card, headers: headers)
                    #expect(
                        response.headers[.contentType] == format.mediaType && response.headers[.vary] == "Accept",
                        "\(query) \(accept ?? "")")
                    #expect(try response.bytes == Scenes.picture(Scenes.card, as: format, options: options), "\(query) \(accept ?? "")")
                }
                let raw = try await client.post("/render?format=rgba", Scenes.card)
                #expect(raw.bytes.count == 120 * 90 * 4 && raw.headers[PictureService.pixelsField] == "120x90")
                let none = try await client.post("/render", Scenes.card, headers: [.accept: "text/html"])
                #expect(none.status == .notAcceptable && none.error?.code == "not-acceptable")
            }
        }

        @Test func geoJSONIsAScene() async throws {
            try await TestServer.run { _, client in
                let point = #"{"type": "Point", "coordinates": [127, 37.6]}"#
                let response = try await client.post("/render?size=100x100", point)
                #expect(response.status == .ok && PictureSize(png: response.bytes) == PictureSize(width: 100, height: 100))
                #expect(try await client.post("/render?size=100x100&zoom=5&center=0,0", point).status == .ok)
            }
        }

        @Test func inspectionsAndHits() async throws {
            try await TestServer.run { _, client in
                let response = try await client.post("/inspect?bearing=30", Scenes.card)
                #expect(response.status == .ok && response.headers[.contentType] == "application/json")
                let inspection = try JSONDecoder().decode(Inspection.self, from: Data(response.bytes))
                let map = try SceneFile(data: Data(Scenes.card.utf8)).mapView
                map.camera.bearing = 30
                #expect(try inspection == map.inspection())
                let corner = try #require(inspection.overlays.first?.icon?.quad?.first)
                let at = "at=\(corner.x + 4),\(corner.y + 4)"
                let hits = try await client.post("/pick?bearing=30&\(at)", Scenes.card)
                #expect(hits.status == .ok && hits.text == "[{\"id\":\"hall\",\"type\":\"marker\",\"part\":\"icon\"}]\n")
                #expect(try await client.post("/pick?at=1,1", Scenes.card).text == "[]\n")
                let outside = try await client.post("/pick?at=200,1", Scenes.card)
                #expect(outside.status == .unprocessableContent && outside.error?.path == "at")
                let missing = try await client.post("/pick", Scenes.card)
                #expect(missing.status == .badRequest && missing.error?.message == "at: this parameter is missing; give a point X,Y in pt")
            }
        }

        /// Map elements are drawn, inspected and found at points, as everywhere else.
        @Test func elementsOfTheMap() async throws {
            let arrow = #"{"type": "northArrow", "size": 16, "margins": {"top": 2, "right": 2}}"#
            let scene = Scenes.card.dropLast() + #", "elements": [{"type": "title", "text": "Halls"}, \#(arrow)]}"#
            try await TestServer.run { _, client in
                let drawn = try await client.post("/render", String(scene)).bytes
                #expect(try drawn == Scenes.picture(String(scene)) && drawn != Scenes.picture(Scenes.card))
                let inspected = try await client.post("/inspect", String(scene))
                let inspection = try JSONDecoder().decode(Inspection.self, from: Data(inspected.bytes))
                #expect(inspection.elements.map(\.id) == ["title-0", "northArrow-1"])
                let rect = try #require(inspection.elements[1].rect)
                let hits = try await client.post("/pick?at=\(rect.x + 3),\(rect.y + 3)", String(scene)).text
                #expect(hits == "[{\"id\":\"northArrow-1\",\"type\":\"northArrow\",\"part\":\"element\"}]\n")
            }
        }
    }
}

/// The size of a PNG.
struct PictureSize: Equatable {
    var width: Int
    var height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    init?(png bytes: [UInt8]) {
        guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        self.init(width: number(16), height: number(20))
    }
}

/// A picture drawn by the `waymark` program.
enum ProgramPicture {
    static func render(_ program: String, _ scene: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["render", "-", "-o", "-", "--device", "software"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        input.fileHandleForWriting.write(Data(scene.utf8))
        try input.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](bytes)
    }
}
