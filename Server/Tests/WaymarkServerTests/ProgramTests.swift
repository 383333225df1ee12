import Foundation
import Testing

@testable import WaymarkServer

extension ServerTests {
    /// The program: its options, its port, and its end.
    @Suite struct ProgramTests {
        /// A running program.
        private final class Running {
            let process = Process()
            private let errors = Pipe()
            private var buffer = Data()

            /// - Parameter starter: A program that starts the server, and its arguments.
            init(_ arguments: [String], startedBy starter: [String] = []) throws {
                let command = starter + [TestServer.program.path] + arguments
                process.executableURL = URL(fileURLWithPath: command[0])
                process.arguments = Array(command.dropFirst())
                process.standardError = errors
                process.standardOutput = FileHandle.nullDevice
                var environment = ProcessInfo.processInfo.environment
                environment["WAYMARK_HELPER"] = nil
                process.environment = environment
                try process.run()
            }

            /// The next line of its log; nil at its end.
            func line() -> String? {
                while true {
                    if let end = buffer.firstIndex(of: 0x0A) {
                        defer { buffer.removeSubrange(...end) }
                        return String(decoding: buffer[..<end], as: UTF8.self)
                    }
                    let more = errors.fileHandleForReading.availableData
                    if more.isEmpty { return nil }
                    buffer += more
                }
            }

            /// Waits until it listens.
            func port() -> Int? {
                while let line = line() {
                    guard line.contains("\"listening\""), let match = line.firstMatch(of: /"port":(\d+)/) else { continue }
                    return Int(match.1)
                }
                return nil
            }

            var rest: String {
                var lines: [String] = []
                while let line = line() { lines.append(line) }
                process.waitUntilExit()
                return lines.joined(separator: "\n")
            }
        }

        @Test func requestsThatHaveBegunEndBeforeTheProgramDoes() async throws {
            let arguments = ["--port", "0", "--workers", "1", "--device", "software", "--max-pixels", "100000000", "--deadline", "60"]
            for number in [SIGTERM, SIGINT] {
                let server = try Running(arguments)
                let port = try #require(server.port())
                let worker = try #require(Self.children(of: server.process.processIdentifier).first)
                // Stopped, so that the picture is not finished before the signal arrives.
                kill(worker, SIGSTOP)
                let client = try RawClient(port: port)
                client.send(RawClient.request("POST", "/render", body: Scenes.slow))
                // The answer to a later request on another connection shows that the first has arrived.
                while !(try await RawClient.ask(port: port, "GET", "/metrics").contains("waymark_queue_running 1")) {}
                kill(server.process.processIdentifier, number)
                // The listener is closed first.
                while (try? RawClient(port: port)) != nil { try await Task.sleep(for: .milliseconds(5)) }
                kill(worker, SIGCONT)
                #expect(await client.receive().status == 200)
                let rest = server.rest
                #expect(server.process.terminationStatus == 0 && server.process.terminationReason == .exit, "\(rest)")
                #expect(rest.contains("\"closed\""))
                #expect(kill(worker, 0) != 0)
            }
        }

        private static func children(of pid: Int32) -> [Int32] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap { Int32($0) }.filter {
                let fields = (try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8))?.split(separator: ")").last?.split(
                    separator: " ")
                return fields?.dropFirst().first.flatMap { Int32($0) } == pid
            }
        }

        @Test func aPortThatIsTaken() throws {
            let first = try Running(["--port", "0", "--workers", "1", "--device", "software"])
            let port = try #require(first.port())
            let second = try Running(["--port", "\(port)", "--workers", "1", "--device", "software"])
            let words = second.rest
            #expect(words.hasSuffix("error: cannot listen on 127.0.0.1:\(port): Address already in use"), "\(words)")
            #expect(second.process.terminationStatus == 69)
            kill(first.process.processIdentifier, SIGTERM)
            _ = first.rest
            #expect(first.process.terminationStatus == 0)
        }

        @Test(
            arguments: [
                (["--port", "70000"], 64, "error: --port: 70000 is outside 0…65535"),
                (["--workers", "0"], 64, "error: --workers: 0 is outside 1…256"),
                (
                    ["--data", "shops"], 64,
                    "error: --data: \"shops\" does not have the form NAME=DIR; NAME must not be . or .., and must not contain a slash, "
                        + "backslash or colon"
                ),
                (["--data", "a=/", "--data", "a=/"], 64, "error: --data: two folders have the name \"a\""),
                (["--data", "a=/nowhere"], 66, "error: --data: \"/nowhere\" is not a folder"),
                (["--base", "/nowhere.json"], 66, "error: /nowhere.json: cannot read the file: No such file or directory"),
                (["--deadline", "0"], 64, "error: --deadline: 0.0 is outside 0.1…86400"),
                (["--write-time", "0"], 64, "error: --write-time: 0.0 is outside 0.1…86400"),
                (["--max-body", "0"], 64, "error: --max-body: 0 is outside 1…1073741824"),
                (["--log-level", "loud"], 64, "error: --log-level: \"loud\" is not one of debug, info, warning, error"),
                (["--ports", "1"], 64, "error: Unknown option '--ports'. Did you mean '--port'? (see waymark-server --help)"),
                (["--device", "banana"], 64, "error: --device: \"banana\" is not a device; use auto, "),
                (["--device", "drm:/nowhere", "--port", "0"], 69, "error: "),
            ] as [([String], Int32, String)]) func whatIsWrongIsSaidInOneLine(arguments: [String], code: Int32, words: String) throws
        {
            let program = try Running(arguments)
            let said = program.rest
            #expect(said.hasPrefix(words) && !said.contains("\n"), "\(said)")
            #expect(program.process.terminationStatus == code, "\(said)")
        }

        /// A starter that hides /proc behind an empty folder, in a mount namespace of the process.
        private static let withoutProc = [
            "/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh",
        ]

        /// Containers may forbid mounts.
        private static func canHideProc() -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: withoutProc[0])
            process.arguments = Array(withoutProc.dropFirst()) + ["/bin/sh", "-c", "! test -e /proc/self"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        /// Without /proc, the program has its arguments, too.
        @Test(.enabled(if: canHideProc(), "this machine does not allow a process to hide /proc")) func argumentsWithoutProc() throws {
            let program = try Running(["--port", "70000"], startedBy: Self.withoutProc)
            #expect(program.rest == "error: --port: 70000 is outside 0…65535")
            #expect(program.process.terminationStatus == 64)
        }
    }
}
