import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkImaging
import WaymarkTestSupport

/// `waymark worker` as other programs use it.
@Suite(.serialized) struct WorkerTests {
    private static let scene = #"""
        {"waymark": 1, "size": {"width": 64, "height": 48}, "background": "white",
         "camera": {"center": [126.978, 37.566], "zoom": 12},
         "overlays": [{"type": "marker", "id": "hall", "position": [126.978, 37.566], "captionText": "Hall"}]}
        """#

    private func replies(_ bytes: [UInt8]) throws -> [WorkerReply] {
        var parser = FrameParser()
        parser.append(bytes)
        var replies: [WorkerReply] = []
        while let frame = try parser.next() { replies.append(try WorkerReply(frame)) }
        #expect(parser.isBetweenFrames)
        return replies
    }

    private func job(_ job: String, _ number: Int, folder: String? = nil) -> [UInt8] {
        WorkerFrame.job(job.utf8, number: number, folder: folder)
    }

    /// Runs a worker on frames; returns its messages after its hello.
    private func talk(_ frames: [UInt8]..., arguments: [String] = [], in folder: ScratchFolder? = nil) throws -> (
        status: Int32, [WorkerReply]
    ) {
        let run = try Program.run(["worker", "--device", "software"] + arguments, in: folder, input: frames.flatMap(\.self))
        var replies = try replies(run.output)
        if case .hello(let hello)? = replies.first {
            #expect(hello.protocolVersion == 1)
            #expect(hello.renderer.hasPrefix("llvmpipe"))
            replies.removeFirst()
        }
        #expect(run.errors.isEmpty)
        return (run.status, replies)
    }

    @Test func jobsAreDrawnIntoFilesAndSentBack() throws {
        let folder = ScratchFolder()
        try folder.write(Self.scene, "base.json")
        let (status, replies) = try talk(
            WorkerFrame.scene(path: "base.json"), job(#"{"id": "a", "output": "deep/er/a.png"}"#, 7, folder: "out/new"),
            job(#"{"id": "b", "output": "b.webp", "change": {"hall": {"captionText": "Town"}}}"#, 8), WorkerFrame.end, in: folder)
        #expect(status == 0)
        try #require(replies.count == 3)
        #expect(replies[0] == .ready(warnings: []))
        guard case .done(let written) = replies[1], case .done(let sent) = replies[2] else {
            Issue.record("\(replies)")
            return
        }
        let file = try folder.read("out/new/deep/er/a.png")
        #expect(written.number == 7 && written.id == "a" && written.output == "deep/er/a.png" && written.format == nil)
        #expect(written.width == 64 && written.height == 48 && written.size == file.count && written.picture.isEmpty)
        #expect(sent.number == 8 && sent.format == "webp" && sent.size == sent.picture.count)

        #expect(try Program.run("render", "base.json", "-o", "alone.png", "--device", "software", in: folder).status == 0)
        #expect(try file == folder.read("alone.png"))
        let changed = Self.scene.replacingOccurrences(of: "Hall", with: "Town")
        try folder.write(changed, "changed.json")
        #expect(try Program.run("render", "changed.json", "-o", "alone.webp", "--device", "software", in: folder).status == 0)
        #expect(try sent.picture == folder.read("alone.webp"))
    }

    @Test func withoutASceneTheBaseIsEmpty() throws {
        let (status, replies) = try talk(
            job(#"{"id": "a", "output": "a.rgba", "size": {"width": 2, "height": 1}, "background": "red"}"#, 1))
        #expect(status == 0)
        guard case .done(let done)? = replies.first else {
            Issue.record("\(replies)")
            return
        }
        #expect(done.picture == [255, 0, 0, 255, 255, 0, 0, 255])
        // The base scene itself is empty.
        #expect(
            done.warnings.isEmpty
                && done.sceneWarnings == [
                    "camera.fit: there is nothing to fit; the zoom defaults to 0, and the center to (0, 0)"
                ])
    }

    @Test func aFailedJobLeavesTheOthers() throws {
        let folder = ScratchFolder()
        try folder.write("no folder", "file")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "/tmp")
        let (status, replies) = try talk(
            WorkerFrame.scene(bytes: Array(Self.scene.utf8), folder: ""), job(#"{"id": "good", "output": "x.rgba"}"#, 1),
            job(#"{"id": "a", "change": {"hall": {"position": {"lng": 1, "lat": 95}}}}"#, 2), job(#"{"id": 5}"#, 3), job("[]", 4),
            job(#"{"id": "b", "output": "../b.png"}"#, 5, folder: "."), job(#"{"id": "c", "output": "link/c.png"}"#, 6, folder: "."),
            job(#"{"id": "d", "output": "file/d.png"}"#, 7, folder: "."), job(#"{"id": "e"}"#, 8, folder: "file"),
            job(#"{"id": "f", "size": {"width": 40000, "height": 40000}}"#, 9, folder: "."),
            job(#"{"id": "g", "add": [{"type": "marker", "position": [1, 2], "iconImage": "none.png"}]}"#, 10),
            job(#"{"id": "good", "output": "x.rgba"}"#, 11), in: folder)
        #expect(status == 0)
        let failures = replies.compactMap { reply -> String? in
            guard case .failed(let failed) = reply else { return nil }
            return "\(failed.number) \(failed.id ?? "-") \(failed.failure.code.rawValue) \(failed.failure.message)"
        }
        #expect(
            failures == [
                "2 a 65 change.hall.position.lat: 95 is outside -90…90", "3 - 65 id: expected a string, found 5",
                "4 - 65 expected a job object, found an array", "5 b 65 output: \"../b.png\" leads out of the output folder",
                "6 c 73 output: link/c.png: link is a link", "7 d 73 output: file/d.png: file: Not a directory",
                "8 e 73 file: Not a directory", "9 f 65 size: 40000 × 40000 device pixels exceed the limit of 999999999",
                "10 g 66 add[0].iconImage: none.png: cannot read the file: No such file or directory",
            ])
        guard case .done(let first) = replies[1], case .done(let last)? = replies.last else {
            Issue.record("\(replies)")
            return
        }
        #expect(first.picture == last.picture)
        #expect(folder.names == ["file", "link"])
    }

    @Test func aSceneThatCannotBeReadLeavesTheOneBeforeIt() throws {
        let (status, replies) = try talk(
            WorkerFrame.scene(bytes: Array(Self.scene.utf8), folder: ""), job(#"{"id": "a", "output": "a.rgba"}"#, 1),
            WorkerFrame.scene(bytes: Array("{}".utf8), folder: ""), WorkerFrame.scene(path: "none.json"),
            job(#"{"id": "a", "output": "a.rgba"}"#, 2))
        #expect(status == 0)
        try #require(replies.count == 5)
        guard case .done(let first) = replies[1], case .done(let last) = replies[4] else {
            Issue.record("\(replies)")
            return
        }
        #expect(first.picture == last.picture)
        #expect(
            replies[2]
                == .error(
                    .init(
                        code: 65,
                        message: "the scene: this is neither a scene (the key \"waymark\" is missing) "
                            + "nor GeoJSON (the key \"type\" is missing)")))
        #expect(replies[3] == .error(.init(code: 66, message: "none.json: cannot read the file: No such file or directory")))
    }

    @Test func anImageThatIsMissingIsAWarningWhenLenient() throws {
        let (_, replies) = try talk(
            job(#"{"id": "a", "add": [{"type": "marker", "position": [1, 2], "iconImage": "none.png"}]}"#, 1), arguments: ["--lenient"])
        guard case .done(let done)? = replies.first else {
            Issue.record("\(replies)")
            return
        }
        #expect(done.warnings.contains { $0.contains("none.png") })
    }

    @Test func inspectAndPickAnswerWhatTheProgramPrints() throws {
        let folder = ScratchFolder()
        try folder.write(Self.scene, "base.json")
        let job = #"{"id": "a", "change": {"hall": {"captionText": null}}, "camera": {"zoom": 11}}"#
        try folder.write(job, "jobs.jsonl")
        let (status, replies) = try talk(
            WorkerFrame.inspect(#"{"id": "empty"}"#.utf8, number: 1), WorkerFrame.scene(path: "base.json"),
            WorkerFrame.inspect(job.utf8, number: 2), WorkerFrame.pick(job.utf8, number: 3, x: 32, y: 20),
            WorkerFrame.pick(job.utf8, number: 4, x: 1, y: 2.5), WorkerFrame.pick(job.utf8, number: 5, x: 64.5, y: 2),
            WorkerFrame.inspect(#"{"id": "b", "remove": ["none"]}"#.utf8, number: 6),
            WorkerFrame.inspect(#"{"id": "c"}"#.utf8, number: 7),
            WorkerFrame.pick(#"{"id": "d", "size": {"width": -1}}"#.utf8, number: 8, x: 1, y: 1), in: folder)
        #expect(status == 0)
        try #require(replies.count == 9)
        let inspections = replies.compactMap { reply in
            if case .report(let report) = reply, report.kind == .inspection { report } else { nil }
        }
        #expect(inspections.map(\.number) == [1, 2, 7] && inspections.map(\.id) == ["empty", "a", "c"])
        #expect(
            inspections[0].warnings == [
                "camera.fit: there is nothing to fit; the zoom defaults to 0, and the center to (0, 0)"
            ])
        #expect(inspections[1].warnings.isEmpty)
        func object(_ bytes: [UInt8]) throws -> NSObject { try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSObject) }
        let ofJob = try Program.run("inspect", "base.json", "--jobs", "jobs.jsonl", "--job", "a", in: folder)
        #expect(try object(inspections[1].json) == object(ofJob.output))
        #expect(try object(inspections[2].json) == object(Program.run("inspect", "base.json", in: folder).output))
        let picked = try Program.run("pick", "base.json", "--at", "32,20", "--zoom", "11", in: folder)
        guard case .report(let hall) = replies[3], case .report(let nothing) = replies[4] else {
            Issue.record("\(replies)")
            return
        }
        #expect(hall.kind == .hits && hall.number == 3)
        #expect(try object(hall.json) == object(picked.output))
        #expect(nothing.json == Array("[]".utf8))
        #expect(
            replies[5]
                == .failed(
                    .init(
                        number: 5, id: "a",
                        failure: .init(code: 64, message: "at: (64.5, 2) is outside the picture of 64 × 48 pt", path: "at"))))
        #expect(
            replies[6]
                == .failed(
                    .init(
                        number: 6, id: "b",
                        failure: .init(code: 65, message: "remove[0]: no overlay has the id \"none\"", path: "remove[0]"))))
        let size = "size.width: -1 pt at pixel ratio 1 is outside 1…65535 device pixels"
        #expect(replies[8] == .failed(.init(number: 8, id: "d", failure: .init(code: 65, message: size, path: "size.width"))))
    }

    /// An inspect message may ask for the labels of the base map.
    @Test func labelsAreListedOnRequest() throws {
        let scene = #"{"waymark": 1, "camera": {"center": [24.9437, 60.1705], "zoom": 15}, "basemap": {"source": "helsinki.mbtiles"}}"#
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        func symbols(_ more: String) throws -> Int {
            let header = #"{"type": "inspect", "number": 1, "job": {"id": "a"}\#(more)}"#
            let (_, replies) = try talk(
                WorkerFrame.scene(bytes: Array(scene.utf8), folder: "\(tests)/VectorTilesTests/Fixtures"),
                WorkerFrame.bytes(header: Array(header.utf8)))
            guard case .report(let report)? = replies.last else { return -1 }
            return try JSONDecoder().decode(Inspection.self, from: Data(report.json)).symbols.count
        }
        #expect(try symbols("") == 0 && symbols(#", "symbols": false"#) == 0 && symbols(#", "symbols": true"#) > 5)
        #expect(try symbols(#", "symbols": 1"#) == -1)
    }

    @Test(
        arguments: [
            (#""at": [1, 2], "tolerance": 101"#, 64, "tolerance: 101 is outside 0…100"),
            (#""at": [1]"#, 65, "at: expected a point [x, y], found an array"), (#""at": null"#, 65, "missing key \"at\""),
            (#""at": [1, "2"]"#, 65, "at[1]: expected a number, found the string \"2\""),
            (#""at": [1, 2], "includeInvisible": 1"#, 65, "includeInvisible: expected true or false, found 1"),
        ])
    func aPointThatIsNoneFailsAlone(question: String, code: Int, message: String) throws {
        let header = #"{"type": "pick", "number": 1, "job": {"id": "a"}, \#(question)}"#
        let (status, replies) = try talk(WorkerFrame.bytes(header: Array(header.utf8)), job(#"{"id": "b"}"#, 2))
        #expect(status == 0)
        let path = message.contains(": ") ? String(message.prefix { $0 != ":" }) : ""
        #expect(replies.first == .failed(.init(number: 1, id: "a", failure: .init(code: code, message: message, path: path))))
        #expect(replies.count == 2)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 1, 7], "a frame's header has 1 bytes, which is outside 2…67108864"),
            ([0, 0, 0, 2, 0x7B], "the input ends within a frame"),
            ([0, 0, 0, 2] + "{}".utf8, "unknown message type \"\""),
            ([0, 0, 0, 14] + #"{"type":"job"}"#.utf8, "a job message has no \"job\""),
            ([0, 0, 0, 16] + #"{"type":"scene"}"#.utf8, "a scene message needs \"path\" or \"bytes\""),
        ] as [([UInt8], String)])
    func aDamagedFrameEndsIt(frame: [UInt8], message: String) throws {
        let (status, replies) = try talk(frame)
        #expect(status == 65)
        #expect(replies == [.fatal(.init(code: 65, message: message))])
    }

    @Test func withoutADeviceItSaysWhyAndEnds() throws {
        let run = try Program.run("worker", "--device", "software", "--require-gpu")
        #expect(run.status == 69)
        guard case .fatal(let failure)? = try replies(run.output).first else {
            Issue.record("\(run.errors)")
            return
        }
        #expect(failure.code == .unavailable)
        #expect(run.errors == "error: \(failure.message)\n")
    }

    /// Runs shell commands with a worker in them, `$0`, whose input is the file `in`.
    private func shell(_ commands: String, _ frames: [UInt8], in folder: ScratchFolder) throws -> String {
        try folder.write(frames, "in")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", commands, Program.url.path]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    @Test func aDriverThatIsGoneEndsIt() throws {
        let frames = (0..<50).flatMap { job(#"{"id": "a", "size": {"width": 200, "height": 200}, "output": "a.rgba"}"#, $0) }
        let output = try shell(#""$0" worker --device software <in | true; echo ${PIPESTATUS[0]}"#, frames, in: ScratchFolder())
        #expect(output == "73\n")
    }

    @Test func whatCannotBeWrittenLeavesNothing() throws {
        let folder = ScratchFolder()
        let frames =
            job(#"{"id": "large", "output": "large.rgba", "size": {"width": 200, "height": 200}}"#, 1, folder: "out")
            + job(#"{"id": "small", "output": "small.rgba", "size": {"width": 4, "height": 4}}"#, 2, folder: "out")
        // Files of at most 64 KiB: the system refuses more, as a full disk does.
        _ = try shell(#"trap '' XFSZ; ulimit -f 64; "$0" worker --device software <in | cat >out.frames"#, frames, in: folder)
        let replies = try replies(folder.read("out.frames"))
        try #require(replies.count == 3)
        #expect(
            replies[1]
                == .failed(
                    .init(
                        number: 1, id: "large",
                        failure: .init(code: 73, message: "output: large.rgba: cannot write the file: File too large"))))
        guard case .done = replies[2] else {
            Issue.record("\(replies)")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out") == ["small.rgba"])
    }

    private static let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/worker.py").path

    private func python(_ arguments: [String], in folder: ScratchFolder) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "WAYMARK_DEVICE": "software", "PYTHONPATH": URL(fileURLWithPath: Self.driver).deletingLastPathComponent().path,
            "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test func thePythonDriverDrawsAFileOfJobs() throws {
        let folder = ScratchFolder()
        try folder.write(Self.scene, "base.json")
        var lines = (0..<30).map { #"{"id": "job \#($0)", "camera": {"zoom": \#(10 + $0 % 5)}, "output": "\#($0 % 3)/\#($0).png"}"# }
        lines.insert(#"{"id": "bad", "remove": ["nobody"]}"#, at: 12)
        try folder.write(lines.joined(separator: "\n"), "jobs.jsonl")
        let run = try python(
            [Self.driver, "--waymark", Program.url.path, "--scene", "base.json", "jobs.jsonl", "pictures"], in: folder)
        #expect(run.status == 75)
        #expect(run.output.contains("bad: remove[0]: no overlay has the id \"nobody\"\n"), "\(run.output)")
        #expect(run.output.contains("2/29.png 64x48\n"))
        #expect(folder.names == ["base.json", "jobs.jsonl", "pictures"])
        #expect(try Program.run("render", "base.json", "-o", "alone.png", "--zoom", "13", "--device", "software", in: folder).status == 0)
        #expect(try folder.read("pictures/2/8.png") == folder.read("alone.png"))
    }

    /// Large jobs and large pictures together: both pipes are full, and nothing blocks.
    @Test func thePythonDriverTakesLargeMessagesBothWays() throws {
        let folder = ScratchFolder()
        let program = #"""
            import sys
            from worker import Worker, WorkerError
            with Worker([sys.argv[1], "worker"]) as worker:
                assert worker.renderer.startswith("llvmpipe")
                assert worker.scene_text({"waymark": 1, "size": {"width": 300, "height": 300}}) == []
                line = [[126 + i / 1e4, 37 + i % 7 / 100] for i in range(8000)]
                jobs = [{"id": f"job {i}", "output": "x.rgba", "add": [{"type": "polyline", "points": line}]} for i in range(20)]
                pictures = [picture for _, picture in worker.render_all(jobs)]
                assert len({picture.bytes for picture in pictures}) == 1
                assert len(pictures[0].bytes) == 300 * 300 * 4
                try:
                    worker.render({"id": "bad", "size": 3})
                    assert False
                except WorkerError as error:
                    assert error.code == 65 and str(error) == "size: expected an object, found 3", error
                try:
                    worker.scene("none.json")
                    assert False
                except WorkerError as error:
                    assert error.code == 66
                assert worker.render(jobs[0]).bytes == pictures[0].bytes
                assert worker.close() == 0
            print("done")
            """#
        try folder.write(program, "drive.py")
        let run = try python(["drive.py", Program.url.path], in: folder)
        #expect(run.output == "done\n")
        #expect(run.status == 0)
    }
}
