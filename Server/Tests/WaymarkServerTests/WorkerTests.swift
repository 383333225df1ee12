import Foundation
import HTTPTypes
import Testing

@testable import WaymarkServer

extension ServerTests {
    /// Workers that crash, hang or have too much to do.
    @Suite struct WorkerTests {
        @Test func aCrashCostsOnePicture() async throws {
            let log = LogLines()
            try await TestServer.run(
                {
                    $0.pixelLimit = 100_000_000
                    $0.deadline = .seconds(60)
                }, log: log
            ) { server, client in
                let port = client.port
                let before = try await client.post("/render", Scenes.card)
                let pid = try #require(TestServer.workers().first)
                kill(pid, SIGSTOP)
                let slow = Task { try await RawClient.ask(port: port, "POST", "/render", body: Scenes.slow) }
                try await TestServer.wait { server.service.pool.statistics.running == 1 }
                let begun = TestServer.ticks(pid)
                kill(pid, SIGCONT)
                try await TestServer.wait { TestServer.ticks(pid) >= begun + 5 }
                kill(pid, SIGKILL)
                let lost = try await slow.value
                #expect(lost.status == 502, "\(lost)")
                #expect(
                    lost.contains(
                        "the worker process was ended by signal 9 (Killed); it was drawing this picture, and a new worker will draw the next one"
                    )
                )
                let after = try await client.post("/render", Scenes.card)
                #expect(after.status == .ok && after.bytes == before.bytes)
                let metrics = try await client.get("/metrics").text
                #expect(metrics.contains("\nwaymark_workers_lost_total 1\n"))
                #expect(metrics.contains("\nwaymark_requests_total{route=\"/render\",method=\"POST\",status=\"502\"} 1\n"))
            }
        }

        @Test func aFullQueueSaysComeBack() async throws {
            try await TestServer.run {
                $0.queueLimit = 1
            } _: { server, client in
                let port = client.port
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                let pid = try #require(TestServer.workers().first)
                kill(pid, SIGSTOP)
                defer { kill(pid, SIGCONT) }
                let first = Task { try await RawClient.ask(port: port, "POST", "/render", body: Scenes.card) }
                try await TestServer.wait { server.service.pool.statistics.running == 1 }
                let second = Task { try await RawClient.ask(port: port, "POST", "/render", body: Scenes.fitted) }
                try await TestServer.wait { server.service.pool.statistics.waiting == 1 }
                let refused = try await client.post("/render", Scenes.card)
                #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "1" && refused.error?.code == "busy")
                let health = try await client.get("/health")
                #expect(health.status == .serviceUnavailable && health.text.contains("\"status\":\"busy\""))
                #expect(try await client.get("/health/live").status == .ok)
                kill(pid, SIGCONT)
                #expect(try await first.value.status == 200)
                #expect(try await second.value.status == 200)
                #expect(try await client.get("/health").text.contains("\"status\":\"ready\""))
            }
        }

        @Test func aPictureThatTakesTooLongIsGivenUp() async throws {
            try await TestServer.run {
                $0.deadline = .milliseconds(400)
            } _: { server, client in
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                let pid = try #require(TestServer.workers().first)
                kill(pid, SIGSTOP)
                let late = try await client.post("/render", Scenes.fitted)
                #expect(late.status == .gatewayTimeout && late.error?.code == "deadline")
                // Its worker is replaced. Opening the next takes a moment of the next request's time, which may have to be repeated.
                kill(pid, SIGCONT)
                var status = HTTPResponse.Status.gatewayTimeout
                while status == .gatewayTimeout { status = try await client.post("/render", Scenes.card).status }
                #expect(status == .ok)
            }
        }
    }
}
