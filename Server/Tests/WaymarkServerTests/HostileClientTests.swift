import Foundation
import HTTPTypes
import Testing

@testable import WaymarkServer

extension ServerTests {
    /// Clients that are slow, disconnect, send too much or arrive in crowds do not affect other clients.
    @Suite struct HostileClientTests {
        @Test func aBodyOf100MBIsRefusedBeforeItIsRead() async throws {
            try await TestServer.run { _, client in
                let port = client.port
                let raw = try RawClient(port: port)
                raw.send("POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\nConnection: close\r\n\r\n")
                let piece = [UInt8](repeating: 0x20, count: 1 << 20)
                for _ in 0..<100 where !raw.send(piece) { break }
                #expect(await raw.receive().status == 413)
                // A client that asks first need not send it.
                let asking = try RawClient(port: port)
                asking.send(
                    "POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
                #expect(await asking.receive().status == 413)
                #expect(try await client.post("/render", Scenes.card).status == .ok)
            }
        }

        @Test func aClientThatAsksWhetherToSendIsTold() async throws {
            try await TestServer.run { _, client in
                let raw = try RawClient(port: client.port)
                raw.send(RawClient.request("POST", "/inspect", body: Scenes.card, headers: ["Expect: 100-continue", "Connection: close"]))
                let answer = await raw.receive()
                #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"), "\(answer.prefix(200))")
            }
        }

        @Test func whatArrivesTooSlowlyIsAnsweredSo() async throws {
            try await TestServer.run {
                $0.readTime = .milliseconds(300)
            } _: { server, client in
                let port = client.port
                for beginning in [
                    "POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{\"waymark\"", "POST /render HTTP/1.1\r\nHo", "",
                    "POST /render HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
                ] {
                    let raw = try RawClient(port: port)
                    raw.send(beginning)
                    let answer = await raw.receive()
                    #expect(answer.status == 408 && answer.contains("\"too-slow\""), "\(beginning): \(answer)")
                }
                #expect(try await RawClient.ask(port: port, "POST", "/render", body: Scenes.card).status == 200)
                #expect(server.service.pool.statistics.running == 0)
            }
        }

        @Test func aClientThatHangsUpEndsItsPicture() async throws {
            try await TestServer.run {
                $0.pixelLimit = 100_000_000
            } _: { server, client in
                let port = client.port
                let pool = server.service.pool
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                let pid = try #require(TestServer.workers().first)
                // Stopped, so that the picture is not finished before.
                kill(pid, SIGSTOP)
                var raw: RawClient? = try RawClient(port: port)
                raw?.send(RawClient.request("POST", "/render", body: Scenes.slow))
                try await TestServer.wait { pool.statistics.running == 1 }
                raw = nil
                try await TestServer.wait { pool.statistics.cancelled == 1 }
                kill(pid, SIGCONT)
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                #expect(pool.statistics.lostWorkers == 0)
            }
        }

        @Test func aCrowdOfIdleConnectionsKeepsNobodyOut() async throws {
            try await TestServer.run {
                ($0.connectionLimit, $0.readTime) = (100, .milliseconds(500))
            } _: { _, client in
                let port = client.port
                let crowd = try (0..<1000).map { _ in try RawClient(port: port) }
                for (index, one) in crowd.enumerated() where index.isMultiple(of: 2) { one.send("GET /static?zoo") }
                // It waits until the requests before it have had their time.
                #expect(try await RawClient.ask(port: port, "POST", "/render", body: Scenes.card).status == 200)
                withExtendedLifetime(crowd) {}
            }
        }

        /// Connections that could stay for an hour.
        @Test(.timeLimit(.minutes(1))) func idleConnectionsMakeRoom() async throws {
            try await TestServer.run {
                ($0.connectionLimit, $0.readTime, $0.idleTime) = (20, .seconds(3600), .seconds(3600))
            } _: { _, client in
                let crowd = try (0..<100).map { _ in try RawClient(port: client.port) }
                for (index, one) in crowd.enumerated() {
                    one.send(["", "GET /health/live HT", "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"][index % 3])
                }
                #expect(try await RawClient.ask(port: client.port, "POST", "/render", body: Scenes.card).status == 200)
                withExtendedLifetime(crowd) {}
            }
        }

        @Test(.timeLimit(.minutes(1))) func theConnectionThatHasBeenIdleLongestMakesRoom() async throws {
            try await TestServer.run {
                ($0.connectionLimit, $0.readTime, $0.idleTime) = (3, .seconds(3600), .seconds(3600))
            } _: { _, client in
                @Sendable func ask(_ raw: RawClient) async throws {
                    raw.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(await raw.receive(through: "alive\"}\n").status == 200)
                }
                var clients: [RawClient] = []
                for _ in 0..<3 {
                    clients.append(try RawClient(port: client.port))
                    try await ask(clients[clients.count - 1])
                }
                // Now the second has been idle longest.
                try await ask(clients[0])
                let another = try RawClient(port: client.port)
                try await ask(another)
                #expect(await clients[1].isClosed())
                for one in [clients[0], clients[2], another] { try await ask(one) }
            }
        }
    }
}
