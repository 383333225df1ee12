import Foundation
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

/// Faults during a batch, after which it can continue.
@Suite struct BatchFaultTests {
    private static let count = Seeds.isFull ? 2000 : 200

    /// The pictures of an undisturbed run.
    private func undisturbed(_ cards: BatchCards) throws -> [String: [UInt8]] {
        #expect(try Program.run(cards.arguments("whole"), in: cards.folder).status == 0)
        let files = try cards.files("whole")
        #expect(files.count == cards.count)
        return files
    }

    /// Continues a batch, after which all files exist, and no others.
    private func expectCompleted(_ cards: BatchCards, _ expected: [String: [UInt8]], location: SourceLocation = #_sourceLocation) throws {
        let result = try Program.run(cards.arguments("out", "--resume"), in: cards.folder)
        #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
        let files = try cards.files("out")
        #expect(Set(files.keys) == Set(expected.keys), sourceLocation: location)
        #expect(files == expected, sourceLocation: location)
        let summary = try cards.summary(result)
        #expect((summary["done"] as? Int ?? -1) + (summary["skipped"] as? Int ?? -1) == cards.count, sourceLocation: location)
    }

    /// Everything is killed together, at any moment.
    @Test(arguments: Seeds.all.prefix(Seeds.isFull ? 5 : 3)) func killedAndResumed(seed: UInt64) throws {
        let cards = try BatchCards(Self.count, seed: seed)
        let expected = try undisturbed(cards)
        var random = SplitMix64(seed: seed)
        let running = try RunningProgram(cards.arguments("out", "--workers", "3"), in: cards.folder)
        running.waitForPictures(random.integer(0...cards.count - 1), in: "\(cards.folder.path)/out")
        let workers = running.workers
        #expect(getpgid(running.pid) == running.pid)
        kill(-running.pid, SIGKILL)
        let result = try running.wait()
        #expect(result.status == -SIGKILL || result.status == 0)
        expectGone(workers)
        // Existing files are complete.
        for (name, bytes) in try cards.files("out") where !name.contains(".waymark") { #expect(bytes == expected[name], "\(name)") }
        try expectCompleted(cards, expected)
    }

    /// Only the parent is killed: workers that are stopped, and cannot notice, end with it.
    @Test func workersEndWithTheirParent() throws {
        let cards = try BatchCards(Self.count, seed: 5)
        let expected = try undisturbed(cards)
        let running = try RunningProgram(cards.arguments("out", "--workers", "2"), in: cards.folder)
        running.waitForPictures(20, in: "\(cards.folder.path)/out")
        let workers = running.workers
        for worker in workers { kill(worker, SIGSTOP) }
        kill(running.pid, SIGKILL)
        _ = try running.wait()
        expectGone(workers)
        try expectCompleted(cards, expected)
    }

    private func expectGone(_ workers: [Int32], location: SourceLocation = #_sourceLocation) {
        for worker in workers {
            for _ in 0..<2000 where isThere(worker) { usleep(5000) }
            #expect(!isThere(worker), sourceLocation: location)
        }
    }

    /// Whether it is alive; a zombie is not.
    private func isThere(_ process: Int32) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
        return !String(decoding: status, as: UTF8.self).contains(") Z")
    }

    /// The oldest worker is killed again and again, and every picture is drawn.
    @Test func workersKilledAllTheTime() throws {
        let cards = try BatchCards(Seeds.isFull ? 5000 : 300, seed: 6)
        let expected = try undisturbed(cards)
        let running = try RunningProgram(cards.arguments("out", "--workers", "2"), in: cards.folder)
        let output = "\(cards.folder.path)/out"
        var killed = 0
        running.waitForPictures(1, in: output)
        while running.isRunning {
            if let worker = running.workers.first, running.workers.count > 1 {
                kill(worker, SIGKILL)
                killed += 1
            }
            // Each worker finishes pictures between two deaths, so that no job meets two of them.
            running.waitForPictures(RunningProgram.fileCount(output) + 40, in: output)
        }
        let result = try running.wait()
        #expect(result.status == 0, "\(result.errors)")
        let restarts = try #require(try cards.summary(result)["restarts"] as? Int)
        #expect(killed >= 1 && restarts >= 1 && restarts <= killed, "\(killed) killed, \(restarts) restarted")
        #expect(try cards.files("out") == expected)
    }

    /// A worker that hangs is killed at the deadline, and its job tried once more.
    @Test func aWorkerThatHangs() throws {
        let cards = try BatchCards(Self.count * 24, seed: 7)
        let expected = try undisturbed(cards)
        let running = try RunningProgram(cards.arguments("out", "--workers", "2", "--deadline", "5"), in: cards.folder)
        running.waitForPictures(10, in: "\(cards.folder.path)/out")
        if let worker = running.workers.first { kill(worker, SIGSTOP) }
        let result = try running.wait()
        #expect(result.status == 0, "\(result.errors)")
        // On a busy machine the worker that is stopped may not have started yet.
        let words = [
            "did not finish within 5 s", "did not read the base scene within 5 s", "did not open its device within 5 s",
        ]
        #expect(words.contains { result.errors.contains("warning: worker 1: \($0); another worker replaces it\n") }, "\(result.errors)")
        #expect(try cards.files("out") == expected)
    }

    /// Whoever reads the events pauses until the pipe is full: the batch waits, and continues. That this time does not count against the workers'
    /// deadlines is tested with a clock that jumps (`BatchRunTests.aListenerThatTakesLong`).
    @Test func aReaderOfEventsThatPauses() throws {
        let cards = try BatchCards(Self.count, seed: 14)
        let pipe = Pipe()
        // F_SETPIPE_SZ, which Glibc's module lacks: a page, which some forty lines fill.
        #expect(fcntl(pipe.fileHandleForReading.fileDescriptor, 1031, 4096) >= 4096)
        let running = try RunningProgram(
            cards.arguments("out", "--workers", "2", "--deadline", "2", "--events"), in: cards.folder, output: pipe)
        let reading = try OpenFile(copying: pipe.fileHandleForReading.fileDescriptor)
        // No further line fits, and more lines exist, so the batch does not end before they are read.
        while running.isRunning, reading.unreadPipeBytes < 4096 - 128 { usleep(2000) }
        #expect(running.isRunning)
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let result = try running.wait()
        #expect(result.status == 0 && !result.errors.contains("did not finish"), "\(result.errors)")
        let lines = text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix(#"{"event":"done","#) }.count == cards.count)
        #expect(lines.last?.hasPrefix(#"{"event":"summary","#) == true && lines.last?.contains(#""restarts":0"#) == true)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsItInOrder(signal: Int32) throws {
        let cards = try BatchCards(Self.count * 6, seed: 8)
        let expected = try undisturbed(cards)
        // The process that runs the tests may ignore signals.
        let running = try RunningProgram(cards.arguments("out", "--workers", "2"), in: cards.folder, wrapper: ["--default-signal"])
        running.waitForPictures(5, in: "\(cards.folder.path)/out")
        // As a terminal does, to the whole group: workers leave the reaction to their parent.
        kill(-running.pid, signal)
        let result = try running.wait()
        #expect(result.status == 75, "\(result.errors)")
        #expect(result.errors.contains(" in progress before the batch stops; a second signal stops it immediately\n"), "\(result.errors)")
        #expect(result.errors.hasSuffix("left; continue with --resume\n"))
        let summary = try cards.summary(result)
        let done = try #require(summary["done"] as? Int)
        #expect(summary["interrupted"] as? Bool == true && summary["failed"] as? Int == 0 && summary["restarts"] as? Int == 0)
        #expect(done < cards.count)
        let files = try cards.files("out")
        #expect(files.count == done && files.allSatisfy { expected[$0.key] == $0.value })
        try expectCompleted(cards, expected)
    }

    @Test func aSecondSignalEndsItAtOnce() throws {
        let cards = try BatchCards(Self.count * 2, seed: 9)
        let expected = try undisturbed(cards)
        let running = try RunningProgram(cards.arguments("out", "--workers", "2"), in: cards.folder, wrapper: ["--default-signal"])
        running.waitForPictures(5, in: "\(cards.folder.path)/out")
        // They would never finish.
        let workers = running.workers
        for worker in workers { kill(worker, SIGSTOP) }
        kill(running.pid, SIGINT)
        running.waitForErrors(containing: "a second signal stops it immediately")
        #expect(running.isRunning)
        kill(running.pid, SIGINT)
        let result = try running.wait()
        #expect(result.status == 75, "\(result.errors)")
        expectGone(workers)
        let files = try cards.files("out")
        #expect(files.allSatisfy { expected[$0.key] == $0.value })
        try expectCompleted(cards, expected)
    }

    @Test func pipesThatNobodyReads() throws {
        let cards = try BatchCards(20, seed: 10)
        let expected = try undisturbed(cards)
        let output = try RunningProgram(cards.arguments("out"), in: cards.folder, hasClosedOutput: true).wait()
        #expect(output.status == 73 && output.errors.hasSuffix("error: cannot write to standard output: Broken pipe\n"), "\(output.errors)")
        #expect(try cards.files("out") == expected)
        // Messages without a reader are not a failure.
        #expect(try RunningProgram(cards.arguments("words"), in: cards.folder, hasClosedErrors: true).wait().status == 0)
        #expect(try cards.files("words") == expected)
    }

    /// The first opened file is then not taken for standard output, and nothing is written into it.
    @Test func standardDescriptorsThatAreClosed() throws {
        let cards = try BatchCards(20, seed: 11)
        let expected = try undisturbed(cards)
        let script = ["sh", "-c", #"exec "$0" "$@" <&- >&- 2>&-"#]
        #expect(try RunningProgram(cards.arguments("out"), in: cards.folder, wrapper: script).wait().status == 73)
        #expect(try cards.files("out") == expected)
        let record = try String(decoding: cards.folder.read("out/.waymark-batch.jsonl"), as: UTF8.self)
        // The first line is about the scene and the options.
        let pictures = record.split(separator: "\n").dropFirst()
        #expect(pictures.count == 20 && pictures.allSatisfy { $0.hasPrefix(#"{"id""#) }, "\(record)")
    }

    private static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs a script in which `out` is a separate file system, and `batch` and `resume` run the batch.
    private func mounted(_ cards: BatchCards, _ options: String, _ script: String) throws -> Program {
        try FileManager.default.createDirectory(atPath: "\(cards.folder.path)/out", withIntermediateDirectories: false)
        let program = Program.url.path
        try cards.folder.write(
            """
            set -u
            mount -t tmpfs -o \(options) none out || exit 99
            batch() { "\(program)" batch jobs.jsonl --scene base.json -o out "$@" >summary.json; }
            \(script)
            """, "script.sh")
        return try RunningProgram(["sh", "script.sh"], in: cards.folder, wrapper: ["unshare", "-rm"], isProgram: false).wait()
    }

    @Test(.enabled(if: canMount, "no file systems can be mounted here")) func aDiskThatIsFull() throws {
        let cards = try BatchCards(Self.count, seed: 11)
        let expected = try undisturbed(cards)
        let result = try mounted(
            cards, "size=600k",
            """
            batch; echo "first $?"
            find out -name '*.tmp' -o -name '*.probe' | wc -l
            mount -o remount,size=100m out
            batch --resume; echo "second $?"
            cp -r out done
            """)
        #expect(result.text == "first 73\n0\nsecond 0\n", "\(result.errors)")
        #expect(result.errors.contains("error: out: cannot write: No space left on device\n"), "\(result.errors)")
        #expect(!result.errors.contains(" failed"), "\(result.errors)")
        #expect(try cards.files("done") == expected)
    }

    @Test(.enabled(if: canMount, "no file systems can be mounted here")) func aFolderThatCannotBeWritten() throws {
        let cards = try BatchCards(20, seed: 12)
        let expected = try undisturbed(cards)
        let result = try mounted(
            cards, "size=10m",
            """
            mount -o remount,ro out
            batch; echo "first $?"
            ls -A out | wc -l
            mount -o remount,rw out
            batch --resume; echo "second $?"
            cp -r out done
            """)
        #expect(result.text == "first 73\n0\nsecond 0\n", "\(result.errors)")
        #expect(result.errors.hasPrefix("error: out: cannot write: Read-only file system\n"), "\(result.errors)")
        #expect(try cards.files("done") == expected)
    }

    /// A file longer than the process may write is an error of its job; no signal ends the batch.
    @Test func aFileThatIsLongerThanAllowed() throws {
        let folder = ScratchFolder()
        try folder.write(
            """
            {"id": "small"}
            {"id": "long", "output": "long.rgba", "size": {"width": 300, "height": 300}}
            """, "jobs.jsonl")
        let script = "ulimit -f 256; exec \(Program.url.path) batch jobs.jsonl -o out --workers 1"
        let result = try RunningProgram(["sh", "-c", script], in: folder, wrapper: ["--default-signal"], isProgram: false).wait()
        #expect(result.status == 75, "\(result.errors)")
        let failures = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self)
        let message = "output: long.rgba: cannot write the file: File too large"
        #expect(failures == "{\"id\":\"long\",\"line\":2,\"code\":73,\"message\":\"\(message)\"}\n", "\(failures)")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out")
        #expect(names.sorted() == [".waymark-batch.jsonl", "failures.jsonl", "small.png"])
    }

    @Test func nobodyCanWriteWhereAnotherBatchDoes() throws {
        let cards = try BatchCards(Self.count, seed: 13)
        let expected = try undisturbed(cards)
        let running = try RunningProgram(cards.arguments("out", "--workers", "1"), in: cards.folder)
        running.waitForWorkers()
        kill(running.pid, SIGSTOP)
        let second = try Program.run(cards.arguments("out", "--resume"), in: cards.folder)
        #expect(second.status == 73 && second.errors == "error: out: another batch is writing to this folder\n", "\(second.errors)")
        kill(running.pid, SIGCONT)
        #expect(try running.wait().status == 0)
        #expect(try cards.files("out") == expected)
    }

    /// Nearly 1e9 pixels, which is allowed, in a format that needs all of them, in workers that may not have so much memory.
    @Test func aJobThatNeedsMoreMemoryThanThereIs() throws {
        let folder = ScratchFolder()
        try folder.write(
            """
            {"id": "before", "background": "white"}
            {"id": "huge", "output": "huge.jpg", "size": {"width": 31000, "height": 31000}}
            {"id": "after", "background": "white"}
            """, "jobs.jsonl")
        let script = "ulimit -v 3500000; \(Program.url.path) batch jobs.jsonl -o out --workers 1"
        let result = try RunningProgram(["sh", "-c", script], in: folder, wrapper: ["--default-signal"], isProgram: false).wait()
        #expect(result.status == 75, "\(result.errors)")
        let failures = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self)
        #expect(failures.hasPrefix(#"{"id":"huge","line":2,"code":"#) && failures.split(separator: "\n").count == 1, "\(failures)")
        #expect(try folder.read("out/before.png") == folder.read("out/after.png"))
    }
}
