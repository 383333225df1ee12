import Foundation
import HTTPTypes
import Testing

@testable import WaymarkServer

extension ServerTests {
    /// Clients that take their answers slowly, or not at all.
    @Suite struct SlowReaderTests {
        private static let request = RawClient.request("POST", "/render?format=rgba", body: Scenes.large)
        private static let byteCount = 16_000_000

        @Test(.timeLimit(.minutes(1))) func aClientThatTakesNothingIsCutOff() async throws {
            try await TestServer.run {
                ($0.writeTime, $0.idleTime) = (.milliseconds(300), .seconds(3600))
            } _: { server, client in
                let raw = try RawClient(port: client.port, receiveBuffer: 1 << 16)
                raw.send(Self.request)
                #expect(await raw.receiveFirstByte())
                try await TestServer.wait { server.connections.count == 0 }
                #expect(await raw.receiveBytes().count < Self.byteCount)
            }
        }

        /// The time of writing and the idle time are shorter than reading takes.
        @Test(.timeLimit(.minutes(1))) func aSlowButSteadyClientGetsEverything() async throws {
            try await TestServer.run {
                ($0.writeTime, $0.idleTime) = (.seconds(1), .milliseconds(100))
            } _: { _, client in
                let raw = try RawClient(port: client.port, receiveBuffer: 1 << 16)
                raw.send(Self.request)
                #expect(await raw.receiveSlowly(pause: .milliseconds(10)) > Self.byteCount)
            }
        }

        @Test(.timeLimit(.minutes(1))) func aSlowClientGetsEverythingAlthoughTheServerEnds() async throws {
            let rest = try await TestServer.run { _, client in
                let raw = try RawClient(port: client.port, receiveBuffer: 1 << 16)
                raw.send(Self.request)
                #expect(await raw.receiveFirstByte())
                return Task { await raw.receiveSlowly(pause: .milliseconds(2)) }
            }
            #expect(await rest.value >= Self.byteCount)
        }

        @Test(.timeLimit(.minutes(1))) func answersThatNobodyTakesAreLimited() async throws {
            try await TestServer.run {
                $0.answerMemory = Self.byteCount + 1000
                ($0.writeTime, $0.idleTime) = (.seconds(3600), .seconds(3600))
            } _: { server, client in
                var raw: RawClient? = try RawClient(port: client.port, receiveBuffer: 1 << 16)
                raw?.send(Self.request)
                #expect(await raw?.receiveFirstByte() == true)
                let refused = try await client.post("/render?format=rgba", Scenes.large)
                #expect(refused.status == .serviceUnavailable && refused.error?.code == "busy" && refused.headers[.retryAfter] == "1")
                // Small ones are answered.
                #expect(try await client.post("/render", Scenes.card).status == .ok)
                #expect(try await client.get("/health").status == .ok)
                // A client that disconnects frees the memory for others, and so does one that has read its answer.
                raw = nil
                try await TestServer.wait { server.connections.count == 0 }
                for _ in 0..<3 {
                    let answer = try await client.post("/render?format=rgba", Scenes.large)
                    #expect(answer.status == .ok && answer.bytes.count == Self.byteCount)
                }
            }
        }
    }
}
