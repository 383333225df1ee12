import Foundation
import HTTPTypes
import Testing

@testable import WaymarkServer

extension ServerTests {
    /// The end of a request, and whether the connection stays open after it.
    @Suite struct FramingTests {
        @Test(.timeLimit(.minutes(1))) func whatIsNotFramedAsItShouldIsRefused() async throws {
            try await TestServer.run { _, client in
                let framing = "the request is not valid HTTP/1.1"
                let size = "the size of a chunk is not a hexadecimal number"
                let early = "the request ends before the end of its body"
                let cases: [(fields: String, body: String, message: String)] = [
                    ("Transfer-Encoding: xchunked", "5\r\nabcde\r\n0\r\n\r\n", framing), ("Transfer-Encoding: chunked, gzip", "", framing),
                    ("Transfer-Encoding: chunked", "zz\r\n", size), ("Transfer-Encoding: chunked", "-5\r\nabcde\r\n", size),
                    ("Transfer-Encoding: chunked", "ffffffffffffffffff\r\n", size),
                    ("Transfer-Encoding: chunked", "2\r\nabcd\r\n0\r\n\r\n", framing),
                    ("Transfer-Encoding: chunked", "5\r\nabcde\r\n", early), ("Transfer-Encoding: chunked", "5\r\nab", early),
                    ("Content-Length: 500", "{\"waymark\"", early), ("Content-Length: 500", "", early), ("Content-Length: x", "", framing),
                    ("Content-Length: 5\r\nContent-Length: 6", "abcdef", framing), ("Content-Length: 99999999999999999999", "", framing),
                ]
                for target in ["POST /render", "POST /inspect", "POST /pick?at=1,1", "POST /nowhere"] {
                    for (fields, body, message) in cases {
                        let raw = try RawClient(port: client.port)
                        raw.send("\(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
                        raw.finish()
                        let answer = try TestResponse(await raw.receiveBytes())
                        // An unknown path is detected before the body is read.
                        if target.hasSuffix("nowhere"), answer.status == .notFound { continue }
                        #expect(
                            answer.status == .badRequest && answer.error?.code == "malformed-request", "\(fields) \(body): \(answer.text)")
                        #expect(
                            answer.error?.message == message && answer.headers[.connection] == "close", "\(fields) \(body): \(answer.text)")
                    }
                }
                #expect(try await client.post("/render", Scenes.card).status == .ok)
            }
        }

        @Test func anAnswerToAMalformedRequestIsTheOnlyOne() async throws {
            try await TestServer.run { _, client in
                let raw = try RawClient(port: client.port)
                raw.send("GET /health/live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
                let answer = await raw.receive()
                #expect(answer.status == 400 && answer.ranges(of: "HTTP/1.1 4").count == 1, "\(answer)")
            }
        }

        @Test func requestsBeforeAMalformedOneAreAnswered() async throws {
            try await TestServer.run { _, client in
                let good = RawClient.request("POST", "/inspect", body: Scenes.card)
                let bad = "POST /inspect HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
                for requests in [good + bad, good + good + bad, good + "nonsense\r\n\r\n"] {
                    let raw = try RawClient(port: client.port)
                    raw.send(requests)
                    let answers = await raw.receive().components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
                    #expect(answers.dropLast().allSatisfy { $0 == "200" } && answers.count > 1 && answers.last == "400", "\(answers)")
                }
            }
        }

        @Test(.timeLimit(.minutes(1))) func aConnectionGoesOnOnlyIfItsClientWantsThat() async throws {
            try await TestServer.run {
                $0.idleTime = .seconds(3600)
            } _: { _, client in
                let cases: [(version: String, field: String, goesOn: Bool)] = [
                    ("1.0", "", false), ("1.0", "Connection: close\r\n", false), ("1.0", "Connection: keep-alive\r\n", true),
                    ("1.0", "Connection: Keep-Alive\r\n", true), ("1.1", "", true), ("1.1", "Connection: keep-alive\r\n", true),
                    ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: Close\r\n", false),
                ]
                for (version, field, goesOn) in cases {
                    let raw = try RawClient(port: client.port)
                    let request = "GET /health/live HTTP/\(version)\r\nHost: a\r\n\(field)\r\n"
                    let ending = "{\"status\":\"alive\"}\n"
                    raw.send(request)
                    let answer = await raw.receive(through: ending)
                    #expect(answer.status == 200)
                    if goesOn {
                        raw.send(request)
                        #expect(await raw.receive(through: ending).status == 200, "\(version) \(field)")
                        #expect(version == "1.1" || answer.lowercased().contains("connection: keep-alive"))
                    } else {
                        #expect(await raw.isClosed(), "\(version) \(field)")
                        #expect(answer.lowercased().contains("connection: close"))
                    }
                }
            }
        }
    }
}
