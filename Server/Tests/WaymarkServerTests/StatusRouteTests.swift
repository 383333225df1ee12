import Foundation
import HTTPTypes
import Testing
import Waymark

@testable import WaymarkServer

extension ServerTests {
    /// The server's information about itself, and its instructions for caches.
    @Suite struct StatusRouteTests {
        @Test func healthAndMetrics() async throws {
            let log = LogLines()
            try await TestServer.run(log: log) { _, client in
                let health = try await client.get("/health")
                #expect(
                    health.status == .ok && health.text.contains(#""status":"ready","version":"\#(waymarkVersion)","device":"llvmpipe"#))
                #expect(try await client.get("/health/live").text == "{\"status\":\"alive\"}\n")
                _ = try await client.post("/render", Scenes.card)
                _ = try await client.post("/render?zoom=99", Scenes.card)
                _ = try await client.get("/nowhere/at/all")
                let metrics = try await client.get("/metrics")
                #expect(metrics.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                for line in [
                    "waymark_requests_total{route=\"/render\",method=\"POST\",status=\"200\"} 1",
                    "waymark_requests_total{route=\"/render\",method=\"POST\",status=\"400\"} 1",
                    "waymark_requests_total{route=\"other\",method=\"other\",status=\"404\"} 1",
                    "waymark_request_seconds_count{route=\"/render\"} 2", "waymark_request_seconds_bucket{route=\"/render\",le=\"+Inf\"} 2",
                    "waymark_pictures_total{format=\"png\"} 1", "waymark_pixels_total \(120 * 90)", "waymark_workers 1",
                    "waymark_workers_lost_total 0",
                    "waymark_queue_waiting 0",
                ] {
                    #expect(metrics.text.contains("\n\(line)\n"), "\(line)")
                }
                // Every line has the right format.
                for line in metrics.text.split(separator: "\n") where !line.hasPrefix("#") {
                    #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+/) != nil, "\(line)")
                }
            }
            let requests = log.all.filter { $0.contains(#""message":"request""#) }
            #expect(requests.count == 6)
            for line in requests {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?["level"] as? String == "info" && object?["hb.request.id"] is String && object?["seconds"] is Double)
            }
            // Drawn content and queries are not logged.
            #expect(!log.all.contains { $0.contains("Hall") || $0.contains("zoom") || $0.contains("nowhere") })
        }

        /// Two scenes to which a hash that is not cryptographic gave one tag.
        @Test func noTwoScenesShareATag() async throws {
            let scenes = ["Left to is late ", "Left uo is laOd "].map { caption in
                #"{  "waymark": 1, "size": {"width": 120, "height": 90}, "camera": {"center": [127, 37.5], "zoom": 0.1}, "overlays": [{"type": "marker", "position": [127, 37.5], "captionText": "\#(caption)"}]}"#
            }
            try await TestServer.run { _, client in
                let first = try await client.post("/render", scenes[0])
                let second = try await client.post("/render", scenes[1], headers: [.ifNoneMatch: try #require(first.headers[.eTag])])
                #expect(second.status == .ok && second.headers[.eTag] != first.headers[.eTag])
                #expect(second.bytes == (try Scenes.picture(scenes[1])))
            }
            // The SHA-256 of nothing.
            #expect(EntityTag(of: []).text == "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"")
            #expect(EntityTag(of: [[1], [2]]) != EntityTag(of: [[1, 2]]) && EntityTag(of: [[1], [2]]) != EntityTag(of: [[1, 2], []]))
        }

        @Test func tags() async throws {
            try await TestServer.run { server, client in
                let first = try await client.get("/static?center=37.5,127&zoom=12&size=50x50")
                let tag = try #require(first.headers[.eTag])
                let pictures = server.service.pool.statistics.finished
                for field in [tag, "\"other\", W/\(tag)"] {
                    let same = try await client.get("/static?size=50x50&zoom=12&center=37.50,127.0", headers: [.ifNoneMatch: field])
                    #expect(same.status == .notModified && same.bytes.isEmpty && same.headers[.eTag] == tag)
                    #expect(same.headers[.cacheControl] == "public, max-age=3600")
                }
                // Nothing was drawn for these.
                #expect(server.service.pool.statistics.finished == pictures)
                for (query, headers) in [
                    ("center=37.5,127&zoom=12&size=50x51", HTTPFields()), ("center=37.5,127&zoom=12&size=50x50&format=webp", HTTPFields()),
                    ("center=37.5,127&zoom=12&size=50x50", [.accept: "image/jpeg"]),
                    ("center=37.5,127&zoom=12&size=50x50&marker=37.5,127", HTTPFields()),
                ] {
                    var headers = headers
                    headers[.ifNoneMatch] = tag
                    let other = try await client.get("/static?" + query, headers: headers)
                    #expect(other.status == .ok && other.headers[.eTag] != tag, "\(query)")
                }
                #expect(try await client.get("/static?center=37.5,127&zoom=12&size=50x50", headers: [.ifNoneMatch: "*"]).status == .ok)
                let card = try await client.post("/render", Scenes.card)
                let again = try await client.post("/render", Scenes.card, headers: [.ifNoneMatch: try #require(card.headers[.eTag])])
                #expect(again.status == .notModified)
                let changed = try await client.post(
                    "/render", Scenes.card + " ", headers: [.ifNoneMatch: try #require(card.headers[.eTag])])
                #expect(changed.status == .ok)
                #expect(try await client.get("/metrics").text.contains("\nwaymark_unchanged_total 3\n"))
            }
        }

        @Test func methodsAndPaths() async throws {
            try await TestServer.run { _, client in
                let head = try await client.execute(uri: "/health", method: .head)
                #expect(head.status == .ok && head.bytes.isEmpty && head.headers[.contentLength].flatMap { Int($0) } ?? 0 > 20)
                let wrong = try await client.get("/render")
                #expect(
                    wrong.status == .methodNotAllowed && wrong.headers[.allow] == "POST" && wrong.error?.message == "/render accepts POST")
                let deleted = try await client.execute(uri: "/static", method: .delete)
                #expect(deleted.status == .methodNotAllowed && deleted.headers[.allow] == "GET, HEAD")
                let unknown = try await client.get("/tiles/0/0/0.png")
                #expect(unknown.status == .notFound && unknown.error?.code == "not-found")
                let page = try await client.get("/")
                #expect(page.headers[.contentType] == "text/html; charset=utf-8" && page.text.hasPrefix("<!doctype html>"))
                // The page needs nothing from other hosts.
                #expect(!page.text.contains("http:") && !page.text.contains("https:") && !page.text.contains("src=\""))
            }
        }

        /// The description is generated from the routes, so only its completeness is checked.
        @Test func theDescriptionIsTrue() async throws {
            try await TestServer.run { server, client in
                let response = try await client.get("/openapi.json")
                let description = try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
                #expect(description["openapi"] as? String == "3.1.0")
                let paths = try #require(description["paths"] as? [String: [String: [String: Any]]])
                #expect(Set(paths.keys) == Set(server.routes.map(\.path)))
                for route in server.routes {
                    let operation = try #require(paths[route.path]?[route.method.rawValue.lowercased()])
                    let parameters = (operation["parameters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
                    #expect(parameters == route.parameters.map(\.name) && operation["summary"] as? String == route.summary)
                    #expect((operation["requestBody"] != nil) == route.takesScene)
                    let responses = try #require(operation["responses"] as? [String: Any])
                    #expect(responses["200"] != nil && route.errors.allSatisfy { responses["\($0)"] != nil })
                    // Every described parameter is read: a value of the wrong type is refused.
                    for parameter in route.parameters {
                        if case .text = parameter.kind, parameter.name != "background" { continue }
                        let others = route.parameters.filter { $0.isRequired && $0.name != parameter.name }.map { "\($0.name)=1,1&" }
                        let uri = "\(route.path)?\(others.joined())\(parameter.name)=%21"
                        let answer = route.takesScene ? try await client.post(uri, Scenes.card) : try await client.get(uri)
                        #expect(answer.status == .badRequest && answer.error?.path == parameter.name, "\(uri): \(answer.text)")
                    }
                }
                // All references can be resolved.
                let text = response.text
                for match in text.matches(of: /"\$ref":"#\/([^"]+)"/) {
                    var place: Any? = description
                    for step in match.1.split(separator: "/") { place = (place as? [String: Any])?[String(step)] }
                    #expect(place != nil, "\(match.1)")
                }
            }
        }
    }
}
