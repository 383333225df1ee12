import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkImaging
import WaymarkTestSupport

/// `waymark worker --workers`, and other features of a worker for programs: scenes of single jobs, and shared memory.
@Suite struct SeveralWorkersTests {
    private static let scene = #"""
        {"waymark": 1, "size": {"width": 64, "height": 48}, "background": "white",
         "camera": {"center": [126.978, 37.566], "zoom": 12},
         "overlays": [{"type": "marker", "id": "hall", "position": [126.978, 37.566], "captionText": "Hall"}]}
        """#

    private func job(_ job: String, _ number: Int, folder: String? = nil) -> [UInt8] {
        WorkerFrame.job(job.utf8, number: number, folder: folder)
    }

    /// A message with more keys, and a payload.
    private func message(_ header: String, payload: String = "") -> [UInt8] {
        let bytes = payload.isEmpty ? "" : ", \"bytes\": \(payload.utf8.count)"
        return WorkerFrame.bytes(header: Array((header.dropLast() + bytes + "}").utf8), payload: Array(payload.utf8))
    }

    /// Runs a worker, or several, on messages; gives the answers in the order of their numbers, those without first.
    private func talk(
        _ frames: [UInt8]..., arguments: [String], in folder: ScratchFolder? = nil
    ) throws -> (status: Int32, [WorkerReply]) {
        let run = try Program.run(["worker", "--device", "software"] + arguments, in: folder, input: frames.flatMap(\.self))
        var parser = FrameParser()
        parser.append(run.output)
        var replies: [WorkerReply] = []
        while let frame = try parser.next() { replies.append(try WorkerReply(frame)) }
        #expect(parser.isBetweenFrames && run.errors.isEmpty, "\(run.errors)")
        return (run.status, replies.sorted { number($0) < number($1) })
    }

    private func number(_ reply: WorkerReply) -> Int {
        switch reply {
        case .done(let done): done.number
        case .failed(let failed): failed.number
        case .report(let report): report.number
        default: -1
        }
    }

    @Test func theAnswersAreThoseOfOne() throws {
        let folder = ScratchFolder()
        var frames = WorkerFrame.scene(bytes: Array(Self.scene.utf8), name: "base.json", folder: "")
        for number in 0..<20 {
            let caption = #""change": {"hall": {"captionText": "\#(number)"}}"#
            frames += job(#"{"id": "\#(number)", "output": "\#(number).rgba", \#(caption)}"#, number, folder: number % 4 == 0 ? "out" : nil)
        }
        frames += job(#"{"id": "bad", "remove": ["nobody"]}"#, 20) + WorkerFrame.inspect(#"{"id": "i"}"#.utf8, number: 21)
        frames += WorkerFrame.pick(#"{"id": "p"}"#.utf8, number: 22, x: 32, y: 20)
        frames += message(#"{"type": "scene", "path": "none.json"}"#) + job(#"{"id": "last", "output": "last.rgba"}"#, 23)
        func withoutTimes(_ replies: [WorkerReply]) -> [WorkerReply] {
            replies.compactMap { reply in
                switch reply {
                case .hello: return nil
                case .done(var done):
                    done.times = StageTimes()
                    return .done(done)
                default: return reply
                }
            }
        }
        let (one, ofOne) = try talk(frames, arguments: [], in: folder)
        let files = try (0..<5).map { try folder.read("out/\($0 * 4).rgba") }
        let (status, replies) = try talk(frames, arguments: ["--workers", "3"], in: folder)
        #expect(one == 0 && status == 0 && replies.count == 27)
        #expect(replies.contains { if case .hello(let hello) = $0 { hello.workers == 3 } else { false } })
        #expect(withoutTimes(replies) == withoutTimes(ofOne))
        #expect(try files == (0..<5).map { try folder.read("out/\($0 * 4).rgba") } && Set(files).count == 5)
        // Nothing but pictures is left in the folder.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out").count == 5)
    }

    @Test(arguments: [[], ["--workers", "2"]]) func aJobBringsItsScene(arguments: [String]) throws {
        let folder = ScratchFolder()
        try folder.write(Self.scene, "card.json")
        let other = Self.scene.replacingOccurrences(of: "Hall", with: "Town")
        let odd = Self.scene.replacingOccurrences(of: "\"captionText\"", with: #""captionFont": "Nowhere", "captionText""#)
        let (status, replies) = try talk(
            WorkerFrame.scene(bytes: Array(Self.scene.utf8), name: "base.json", folder: ""),
            job(#"{"id": "a", "output": "a.rgba"}"#, 1),
            message(#"{"type": "job", "number": 2, "job": {"id": "b", "output": "b.rgba"}, "scene": {"path": "card.json"}}"#),
            message(#"{"type": "job", "number": 3, "job": {"id": "c", "output": "c.rgba"}, "scene": {"name": "c"}}"#, payload: other),
            message(
                #"{"type": "job", "number": 4, "job": {"id": "d", "output": "d.rgba"}, "scene": {"settings": {"background": "red"}}}"#,
                payload: Self.scene),
            message(#"{"type": "job", "number": 5, "job": {"id": "e"}, "scene": {"name": "e.json"}}"#, payload: #"{"waymark": 1, "x": 2}"#),
            message(#"{"type": "job", "number": 6, "job": {"id": "f"}, "scene": {"path": "none.json"}}"#),
            message(#"{"type": "inspect", "number": 7, "job": {"id": "g"}, "scene": {}}"#, payload: other),
            message(#"{"type": "job", "number": 8, "job": {"id": "h"}, "scene": {}}"#, payload: odd),
            // The base scene has stayed.
            job(#"{"id": "i", "output": "i.rgba"}"#, 9), arguments: arguments, in: folder)
        #expect(status == 0)
        let pictures = replies.reduce(into: [Int: [UInt8]]()) { if case .done(let done) = $1 { $0[done.number] = done.picture } }
        #expect(pictures.keys.sorted() == [1, 2, 3, 4, 8, 9])
        #expect(pictures[1] == pictures[2] && pictures[1] == pictures[9])
        #expect(pictures[1] != pictures[3] && pictures[1] != pictures[4] && pictures[3] != pictures[4])
        let failures = replies.reduce(into: [Int: Failure]()) { if case .failed(let failed) = $1 { $0[failed.number] = failed.failure } }
        #expect(failures.keys.sorted() == [5, 6])
        #expect(failures[5]?.code == .badContent && failures[5]?.message.hasPrefix("e.json: ") == true)
        #expect(failures[6] == Failure(.noInput, "none.json: cannot read the file: No such file or directory"))
        for reply in replies {
            if case .report(let report) = reply {
                #expect(report.number == 7 && String(decoding: report.json, as: UTF8.self).contains("hall"))
            }
            if case .done(let done) = reply, done.number == 8 { #expect(done.warnings.contains { $0.contains("Nowhere") }, "\(done)") }
        }
    }

    @Test(arguments: [[], ["--workers", "2"]]) func picturesAreHandedOverInMemory(arguments: [String]) throws {
        let folder = ScratchFolder()
        try folder.write("", "memory")
        func job(_ number: Int, _ members: String) -> [UInt8] {
            message(#"{"type": "job", "number": \#(number), "job": {"id": "\#(number)", "format": "rgba"}, \#(members)}"#)
        }
        let size = 64 * 48 * 4
        let (status, replies) = try talk(
            WorkerFrame.scene(bytes: Array(Self.scene.utf8), folder: ""), job(1, #""memory": [4096, \#(size)]"#),
            job(2, #""memory": [65536, \#(size - 1)]"#), job(3, #""format": "png""#), job(4, #""folder": "out", "memory": [0, 1000000]"#),
            arguments: ["--memory", "memory"] + arguments, in: folder)
        #expect(status == 0)
        let done = replies.compactMap { if case .done(let done) = $0 { done } else { nil } }
        try #require(done.map(\.number) == [1, 2, 3, 4])
        #expect(done[0].memory == 4096..<4096 + size && done[0].picture.isEmpty && done[0].format == "rgba" && done[0].size == size)
        #expect(done[1].memory == nil && done[1].picture.count == size)
        #expect(done[2].memory == nil && done[2].picture == done[1].picture)
        #expect(done[3].memory == nil && done[3].format == nil)
        let memory = try folder.read("memory")
        #expect(memory.count == 4096 + size && Array(memory[4096...]) == done[1].picture)
        #expect(try folder.read("out/4.rgba") == done[1].picture)
        let missing = try Program.run("worker", "--memory", "none/memory", in: folder)
        #expect(missing.status == 73 && missing.errors == "error: --memory: none/memory: cannot open the file: No such file or directory\n")
    }

    @Test func usage() throws {
        for (arguments, message) in [
            (["--workers", "0"], "--workers: \"0\" is neither auto nor in 1…1024"),
            (["--workers", "many"], "--workers: \"many\" is neither auto nor in 1…1024"),
            (["--workers", "2", "--deadline", "0"], "--deadline: 0 is outside 0.1…86400"),
            (["--workers", "2", "--retries", "-1"], "--retries: -1 is outside 0…1000"),
            (["--deadline", "5"], "--deadline requires --workers; without that option, there are no deadlines and no retries"),
        ] {
            let run = try Program.run(["worker"] + arguments)
            #expect(run.status == 64 && run.errors == "error: \(message)\n" && run.output.isEmpty, "\(run.errors)")
        }
    }

    @Test func withoutADeviceItSaysWhyAndEnds() throws {
        let run = try Program.run("worker", "--workers", "2", "--device", "software", "--require-gpu")
        var parser = FrameParser()
        parser.append(run.output)
        let frame = try #require(try parser.next())
        guard run.status == 69, case .fatal(let failure) = try WorkerReply(frame), parser.isBetweenFrames else {
            Issue.record("\(run.status) \(frame.type) \(run.errors)")
            return
        }
        #expect(failure.code == .unavailable && run.errors == "error: \(failure.message)\n", "\(run.errors)")
    }

    /// The workers open their device and are killed when they read the scene.
    @Test func aSceneThatEndsTheWorkersIsFatal() throws {
        let folder = ScratchFolder()
        let hello = try folder.write(WorkerReply.hello(WorkerReply.Hello(renderer: "fake")).frame, "hello")
        let worker = try folder.write(Array("#!/bin/sh\ncat '\(hello)'\nhead -c 1 > /dev/null\nkill -9 $$\n".utf8), "worker")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        let run = try Program.run(
            ["worker", "--workers", "2"], input: WorkerFrame.scene(path: "base.json"), environment: ["WAYMARK_WORKER": worker])
        var parser = FrameParser()
        parser.append(run.output)
        guard let first = try parser.next(), case .hello = try WorkerReply(first), let last = try parser.next() else {
            Issue.record("\(run.errors)")
            return
        }
        let message = "a worker was ended by signal 9 (Killed) before it had read the base scene"
        #expect(try WorkerReply(last) == .fatal(Failure(.software, message)))
        #expect(run.status == 70 && parser.isBetweenFrames, "\(run.status) \(run.errors)")
    }
}
