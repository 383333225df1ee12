import Foundation
import HTTPTypes
import Testing
import Waymark

@testable import WaymarkServer

extension ServerTests {
    /// A bad request is refused with one sentence, and the next request is served.
    @Suite struct BadRequestTests {
        @Test func parameters() async throws {
            try await TestServer.run { _, client in
                let cases: [(String, String)] = [
                    ("zoom=25", "zoom: 25 is outside 0…24"), ("zoom=x", "zoom: \"x\" is not a number"),
                    ("zoom=", "zoom: \"\" is not a number"),
                    ("zoom=0x10", "zoom: \"0x10\" is not a number"), ("zoom=nan", "zoom: \"nan\" is not a number"),
                    ("zoom=1e999", "zoom: \"1e999\" is not a number"),
                    ("zoom=1&zoom=2", "zoom: this parameter is given 2 times"),
                    ("center=95,1", "center: 95 is outside -85.051129…85.051129; the order is LATITUDE,LONGITUDE"),
                    ("center=1", "center: \"1\" is not two numbers separated by \",\""),
                    ("size=0x5", "size: the width and the height must be more than 0"),
                    ("size=-1x5", "size: -1 is outside 0…65535"), ("size=1e9x1e9", "size: 1000000000 is outside 0…65535"),
                    ("tilt=81", "tilt: 81 is outside 0…80"),
                    ("pixelRatio=9", "pixelRatio: 9 is outside 0.5…8"), ("quality=101", "quality: 101 is outside 1…100"),
                    ("format=gif", "format: \"gif\" is not one of png, webp, jpeg, jpg, rgba"),
                    ("format=png&quality=4", "quality: this option applies to JPEG and WebP, not to PNG"),
                    ("format=webp&palette=4", "palette: this option applies to PNG, not to WebP"),
                    ("progressive=true", "progressive: this option applies to JPEG, not to PNG"),
                    ("fit=maybe", "fit: \"maybe\" is neither true nor false"),
                    ("fit=true&zoom=3", "fit: fit cannot be combined with center or zoom"),
                    (
                        "zoom=3&padding=4",
                        "padding: padding requires a fitted camera, but the camera's center or zoom is given; use fit instead"
                    ),
                    ("padding=4", "padding: padding requires a fitted camera, but the camera's center or zoom is given; use fit instead"),
                    ("background=rouge", "background: \"rouge\" is not a CSS color such as #3388ff80 or white"),
                    ("theme=blue", "theme: \"blue\" is not one of light, dark, gray"),
                    ("Zoom=3", "Zoom: unknown parameter; did you mean zoom?"),
                ]
                for (query, message) in cases {
                    let response = try await client.post("/render?" + query, Scenes.card)
                    #expect(response.status == .badRequest && response.error?.code == "invalid-parameter", "\(query): \(response.text)")
                    #expect(response.error?.message == message)
                    #expect(response.error.map { error in error.path.map { error.message.hasPrefix($0 + ": ") } ?? false } == true)
                }
                #expect(try await client.post("/render", Scenes.card).status == .ok)
            }
        }

        @Test func garbageInQueries() async throws {
            try await TestServer.run { server, client in
                let port = client.port
                for query in ["%FF%FE=1", "zoom=%C3", "zoom=%", "zoom=%zz", "zoom=%00", "zoom=%ED%A0%80", "%", "marker=%F5%80%80%80"] {
                    let response = try await client.get("/static?" + query)
                    #expect(response.status == .badRequest && response.error?.code == "invalid-query", "\(query): \(response.text)")
                }
                // Bytes that are not text.
                let raw = try RawClient(port: port)
                raw.send(
                    Array("GET /static?zoom=".utf8) + [0xFF, 0xC0, 0x80] + Array(" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
                #expect(await raw.receive().status == 400)
                for garbage in ["\0\0\0\0", "GET\r\n\r\n", "POST /render HTTP/1.1\r\nContent-Length: -5\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]
                {
                    let raw = try RawClient(port: port)
                    raw.send(garbage)
                    raw.finish()
                    let status = await raw.receive().status
                    #expect(status == nil || status == 400 || status == 505, "\(garbage)")
                }
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                #expect(server.service.pool.statistics.lostWorkers == 0)
            }
        }

        @Test func scenes() async throws {
            try await TestServer.run { _, client in
                let deep = String(repeating: "[", count: 200_000)
                let cases: [(body: String, code: String, path: String?)] = [
                    ("", "invalid-scene", nil), ("{", "invalid-scene", "byte 1 (line 1, column 2)"),
                    ("\u{0}", "invalid-scene", "byte 0 (line 1, column 1)"),
                    (
                        #"{"waymark": 1, "overlays": [{"type": "marker", "position": {"lat": 95, "lng": 0}}]}"#, "invalid-scene",
                        "overlays[0].position.lat"
                    ),
                    (#"{"waymark": 1, "size": {"width": 70000, "height": 5}}"#, "invalid-scene", "size.width"),
                    (#"{"waymark": 1, "size": {"width": 9000, "height": 9000}}"#, "invalid-scene", "size"),
                    (#"{"waymark": 1, "overlay": []}"#, "invalid-scene", nil),
                ]
                for (body, code, path) in cases {
                    let response = try await client.post("/render", body)
                    #expect(
                        response.status == .unprocessableContent && response.error?.code == code && response.error?.path == path,
                        "\(body): \(response.text)")
                    #expect(
                        response.error.map { error in path.map { error.message.hasPrefix($0 + ": ") } ?? true } == true, "\(response.text)")
                }
                #expect(try await client.post("/render", deep).status == .unprocessableContent)
                // Not UTF-8.
                let bytes = Array(#"{"waymark": 1, "language": ""#.utf8) + [0xFF, 0xFE] + Array("\"}".utf8)
                let response = try await client.execute(uri: "/render", method: .post, body: bytes)
                #expect(response.status == .unprocessableContent)
                #expect(try await client.post("/render", Scenes.card).status == .ok)
            }
        }

        @Test func scenesReadNothing() async throws {
            try await TestServer.run { _, client in
                let marker = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "FILE"}]}"#
                for file in ["/etc/passwd", "../../etc/passwd", "icons/a.png", "/dev/zero", "/proc/self/environ", "shops/a.png"] {
                    let response = try await client.post("/render", marker.replacing("FILE", with: file))
                    #expect(response.status == .unprocessableContent && response.error?.path == "overlays[0].iconImage")
                    #expect(response.error?.message == "overlays[0].iconImage: this scene is not allowed to read \(file)")
                }
                for scene in [
                    #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "/etc/passwd"}]}"#,
                    #"{"waymark": 1, "basemap": [{"source": "/etc"}]}"#, #"{"waymark": 1, "symbols": {"source": "/etc/passwd"}}"#,
                    #"{"waymark": 1, "overlays": [{"type": "localModel", "coordinates": [0, 0], "model": "/etc/passwd"}]}"#,
                ] {
                    let response = try await client.post("/inspect", scene)
                    #expect(
                        response.status == .unprocessableContent
                            && response.error?.message.contains("this scene is not allowed to read /etc") == true
                    )
                }
            }
        }

        @Test func foldersOfDataAreReadByTheirNames() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-server-\(getpid())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let icon = try Bitmap(width: 8, height: 8).encoded(as: .png)
            try Data(icon).write(to: folder.appendingPathComponent("a.png"))
            let marker = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "FILE"}]}"#
            try await TestServer.run {
                $0.folders = ["shops": folder.path]
            } _: { [icon] _, client in
                let first = try await client.post("/render", marker.replacing("FILE", with: "shops/a.png"))
                #expect(first.status == .ok)
                let tag = try #require(first.headers[.eTag])
                for file in ["\(folder.path)/a.png", "shops/../../etc/passwd", "a.png", "other/a.png"] {
                    let response = try await client.post("/render", marker.replacing("FILE", with: file))
                    #expect(
                        response.status == .unprocessableContent
                            && response.error?.message.hasSuffix("is not allowed to read \(file)") == true)
                }
                let missing = try await client.post("/render", marker.replacing("FILE", with: "shops/none.png"))
                #expect(missing.status == .unprocessableContent && !missing.text.contains(folder.path), "\(missing.text)")
                // The same request gives another picture after a file has changed.
                let again = try await client.post("/render", marker.replacing("FILE", with: "shops/a.png"), headers: [.ifNoneMatch: tag])
                #expect(again.status == .notModified)
                var other = try Bitmap(decoding: icon)
                other = try #require(Bitmap(width: 8, height: 8, straightPixels: [UInt8](repeating: 255, count: 8 * 8 * 4)))
                try Data(other.encoded(as: .png)).write(to: folder.appendingPathComponent("a.png"))
                // Another scene in between, so that the worker reads the file again.
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                let changed = try await client.post("/render", marker.replacing("FILE", with: "shops/a.png"), headers: [.ifNoneMatch: tag])
                #expect(changed.status == .ok && changed.headers[.eTag] != tag)
            }
        }

        /// Nested groups that would be drawn 10¹² times.
        @Test func anSVGThatIsABombIsRefused() async throws {
            try await TestServer.run {
                $0.deadline = .seconds(60)
            } _: { server, client in
                var svg =
                    #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><g id="a0"><rect width="9" height="9"/></g>"#
                for level in 1...12 {
                    svg += "<g id=\"a\(level)\">" + String(repeating: "<use xlink:href=\"#a\(level - 1)\"/>", count: 10) + "</g>"
                }
                svg += ##"<use xlink:href="#a12"/></svg>"##
                let entities =
                    #"<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&f;&f;&f;&f;</text></svg>"#
                for bomb in [svg, entities] {
                    let data = Data(bomb.utf8).base64EncodedString()
                    let scene =
                        #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "data:image/svg+xml;base64,\#(data)"}]}"#
                    let response = try await client.post("/render", scene)
                    // An SVG that librsvg considers small enough is drawn.
                    #expect(response.status == .unprocessableContent || response.status == .ok, "\(response.text)")
                    if response.status != .ok { #expect(response.error?.path == "overlays[0].iconImage", "\(response.text)") }
                }
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                #expect(server.service.pool.statistics.lostWorkers == 0)
            }
        }

        @Test func limitsOfScenesAndBodies() async throws {
            try await TestServer.run {
                ($0.bodyLimit, $0.pixelLimit, $0.overlayLimit) = (2000, 120 * 90, 2)
            } _: { _, client in
                let port = client.port
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                let large = try await client.post("/render?pixelRatio=2", Scenes.card)
                #expect(large.status == .unprocessableContent && large.error?.path == "size", "\(large.text)")
                let marker = #"{"type": "marker", "position": [0, 0]}"#
                let many = try await client.post(
                    "/render", #"{"waymark": 1, "size": {"width": 9, "height": 9}, "overlays": [\#(marker), \#(marker), \#(marker)]}"#)
                #expect(many.status == .unprocessableContent && many.error?.path == "overlays", "\(many.text)")
                let long = Scenes.card + String(repeating: " ", count: 2000)
                let body = try await RawClient.ask(port: port, "POST", "/render", body: long)
                #expect(body.status == 413 && body.contains("the request body may have at most 2000 bytes"))
                // A body without a declared length.
                let chunked = try RawClient(port: port)
                chunked.send("POST /render HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
                for _ in 0..<40 { chunked.send("64\r\n" + String(repeating: " ", count: 100) + "\r\n") }
                #expect(await chunked.receive().status == 413)
                let packed = try await client.post("/render", Scenes.card, headers: [.contentEncoding: "gzip"])
                #expect(packed.status == .unsupportedMediaType)
                #expect(try await client.post("/render", Scenes.card).status == .ok)
            }
        }
    }
}
