import Foundation
import Waymark
import WaymarkBatch
import WaymarkSystem
import WaymarkTestSupport

/// Workers written as a small Python program. They speak the protocol, write the job's line as its picture or send it back, and follow the
/// instructions in the job, or fail as it says. A scene that begins with `bad` is refused.
///
/// A job's `fake` is its instruction: `crash`, `crashOnce`, `reset`, `resetOnce`, `hang`, `garbage`, `stray` (an answer to another job), `fail`
/// (with `code`), `slow`, `wait` (until a file `go` exists), `warn`, `words`.
struct FakeWorkers {
    let folder = ScratchFolder()

    /// Where pictures go.
    var output: String { "\(folder.path)/out" }

    init() throws {
        try folder.write(Self.program, "worker.py")
    }

    /// Starts a worker.
    /// - Parameter start: How it starts.
    func command(_ start: String = "") -> ChildProcess.Command {
        ChildProcess.Command(
            path: "/usr/bin/env", arguments: ["python3", "\(folder.path)/worker.py", "\(folder.path)", start, waymarkVersion],
            environment: Environment.all.map { "\($0)=\($1)" })
    }

    func options(start: String = "", workers: Int? = 2) -> BatchOptions {
        var options = BatchOptions(folder: output, command: command(start))
        options.workers = workers
        return options
    }

    /// Runs a batch over these lines.
    func run(
        _ lines: [String], _ options: BatchOptions, _ report: @escaping (BatchEvent) -> Void = { _ in }
    ) throws -> (summary: BatchSummary, stop: Failure?) {
        let path = try folder.write(lines.joined(separator: "\n"), "jobs.jsonl")
        let index = try JobIndex(JobFile(path), base: options.fingerprint, shard: options.shard)
        return try BatchRun(index, options: options, report: report).run()
    }

    /// The pictures, without the batch's own files.
    var pictures: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []).filter { $0.hasSuffix(".png") }.sorted()
    }

    func picture(_ name: String) throws -> String { String(decoding: try folder.read("out/\(name)"), as: UTF8.self) }

    /// How often the workers began a job, by its id, and under the empty name how often a worker was started.
    func counts() throws -> [String: Int] {
        try String(decoding: folder.read("begun"), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    private static let program = #"""
        import json, os, signal, struct, sys, time
        scratch, start = sys.argv[1], sys.argv[2]
        begun = open(scratch + "/begun", "a", buffering=1)
        source, sink = sys.stdin.buffer, sys.stdout.buffer

        def say(payload=b"", **header):
            if payload: header["bytes"] = len(payload)
            text = json.dumps(header).encode()
            sink.write(struct.pack(">I", len(text)) + text + payload)
            sink.flush()

        def hear():
            length = source.read(4)
            if len(length) < 4: sys.exit(0)
            header = json.loads(source.read(struct.unpack(">I", length)[0]))
            return header, source.read(header.get("bytes", 0))

        def once(name):
            try:
                os.close(os.open(scratch + "/once-" + name, os.O_CREAT | os.O_EXCL))
                return True
            except FileExistsError:
                return False

        begun.write("\n")
        if start == "fatal":
            say(type="fatal", code=69, message="no device was found")
            sys.exit(69)
        if start == "fatalAfterFirst" and not once("first"):
            say(type="fatal", code=69, message="the device takes no second")
            sys.exit(69)
        if start == "fatalOnce" and once("fatal"):
            say(type="fatal", code=69, message="the device is busy")
            sys.exit(69)
        if start == "killedOnce" and once("killed"): os.kill(os.getpid(), signal.SIGKILL)
        if start == "exit": sys.exit(3)
        if start == "hang": time.sleep(1000)
        say(type="hello", protocol=2 if start == "protocol" else 1, program="waymark", version=sys.argv[3],
            renderer="fake GPU" if start == "gpu" else "llvmpipe")
        scene = b""
        while True:
            header, payload = hear()
            if header["type"] == "end": sys.exit(0)
            if header["type"] == "scene":
                same = {"number": header["number"]} if "number" in header else {}
                if start == "scene" or payload.startswith(b"bad"):
                    say(type="error", code=65, message=header.get("name", "?") + ": overlays[3]: unknown", **same)
                else:
                    scene = payload
                    say(type="ready", warnings=["the scene is odd"] if start == "odd" else [], **same)
                continue
            job, number = header["job"], header["number"]
            begun.write(job["id"] + "\n")
            kind, warnings = job.get("fake"), []
            if kind == "crash" or kind == "crashOnce" and once(job["id"]): os.kill(os.getpid(), signal.SIGSEGV)
            if kind == "hang" or kind == "hangOnce" and once(job["id"]): time.sleep(1000)
            if kind == "exit": sys.exit("the reason")
            if kind == "reset" or kind == "resetOnce" and once(job["id"]):
                say(type="fatal", code=69, message="the GPU was reset")
                sys.exit(69)
            if kind == "garbage":
                sink.write(b"no frame at all")
                sink.flush()
                time.sleep(1000)
            if kind == "stray": number += 1
            if kind == "slow": time.sleep(0.02)
            while kind == "wait" and not os.path.exists(scratch + "/go"): time.sleep(0.005)
            if kind == "warn": warnings = ["odd"]
            device = {"deviceWarnings": ["device: poor"]} if kind == "poor" else {}
            if kind == "words": print("a word\nand another", file=sys.stderr, flush=True)
            if kind == "fail":
                say(type="failed", number=number, id=job["id"], code=job["code"], message="it cannot be")
                continue
            text = scene + json.dumps(job).encode()
            if "folder" not in header:
                say(text, type="done", number=number, id=job["id"], output=job["id"] + ".png", format="png", pixels=[1, 1], size=len(text),
                    times={}, warnings=[])
                continue
            path = header["folder"] + "/" + job.get("output", job["id"] + ".png")
            with open(path + ".tmp", "wb") as file: file.write(text)
            os.rename(path + ".tmp", path)
            say(type="done", number=number, id=job["id"], output=os.path.basename(path), pixels=[1, 1], size=len(text),
                times={"draw": 2, "encode": 0.5}, warnings=warnings, **device)
        """#
}
