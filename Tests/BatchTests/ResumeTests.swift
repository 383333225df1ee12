import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkTestSupport

@Suite struct ResumeTests {
    private let fake: FakeWorkers
    private let lines = (0..<20).map { "{\"id\": \"\($0)\"}" }

    init() throws {
        fake = try FakeWorkers()
    }

    /// Which jobs a resumed run draws.
    private func resumed(_ lines: [String], _ change: (inout BatchOptions) -> Void = { _ in }) throws -> (
        drawn: [String], summary: BatchSummary
    ) {
        try? FileManager.default.removeItem(atPath: "\(fake.folder.path)/begun")
        var options = fake.options()
        options.isResuming = true
        change(&options)
        let (summary, stop) = try fake.run(lines, options)
        #expect(stop == nil)
        return ((try? fake.counts())?.keys.filter { !$0.isEmpty }.sorted() ?? [], summary)
    }

    @Test func onlyWhatIsNotDone() throws {
        #expect(try fake.run(lines, fake.options()).summary.done == 20)
        let nothing = try resumed(lines)
        #expect(nothing.drawn == [] && nothing.summary.skipped == 20 && nothing.summary.done == 0 && nothing.summary.workers == 0)
        // More jobs, and another order.
        let more = try resumed(["{\"id\": \"new\"}"] + lines.reversed())
        #expect(more.drawn == ["new"] && more.summary.skipped == 20 && more.summary.jobs == 21)
        // A changed line; a missing picture; a picture with another size than written.
        var changed = lines
        changed[3] = "{\"id\": \"3\", \"x\": 1}"
        try FileManager.default.removeItem(atPath: "\(fake.output)/5.png")
        try fake.folder.write("shorter", "out/7.png")
        #expect(try resumed(changed).drawn == ["3", "5", "7"])
        #expect(try fake.picture("3.png").contains("\"x\": 1"))
        #expect(try resumed(changed).drawn == [])
        // And back again: the last picture counts.
        #expect(try resumed(lines).drawn == ["3"])
        // Without it, everything is drawn again.
        #expect(try resumed(lines) { $0.isResuming = false }.drawn.count == 20)
    }

    @Test func whatElseDecides() throws {
        #expect(try fake.run(lines, fake.options()).summary.done == 20)
        #expect(try resumed(lines) { $0.scene = (Array("other".utf8), "base.json", "") }.drawn.count == 20)
        #expect(try resumed(lines) { $0.scene = (Array("other".utf8), "elsewhere/base.json", "elsewhere/") }.drawn.count == 0)
        #expect(try resumed(lines) { $0.appearance = ["lenient"] }.drawn.count == 20)
        #expect(try resumed(lines) { $0.appearance = ["lenient"] }.drawn.count == 0)
        // The number of workers makes no difference.
        #expect(
            try resumed(lines) {
                $0.appearance = ["lenient"]
                $0.workers = 1
            }.drawn.count == 0)
    }

    @Test func whyPicturesAreDrawnAgain() throws {
        #expect(try fake.run(lines, fake.options()).summary.redrawn == [:])
        var changed = lines
        changed[3] = "{\"id\": \"3\", \"x\": 1}"
        try FileManager.default.removeItem(atPath: "\(fake.output)/5.png")
        try fake.folder.write("shorter", "out/7.png")
        #expect(try resumed(changed + ["{\"id\": \"new\"}"]).summary.redrawn == [.job: 1, .missingFile: 1, .changedFile: 1])
        #expect(try resumed(changed).summary.redrawn == [:])
        func otherScene(_ options: inout BatchOptions) { options.scene = (Array("other".utf8), "base.json", "") }
        #expect(try resumed(changed, otherScene).summary.redrawn == [.scene: 20])
        // The scene and the options are compared with those of the run that drew the picture.
        try FileManager.default.removeItem(atPath: "\(fake.output)/5.png")
        #expect(try resumed(changed, otherScene).summary.redrawn == [.missingFile: 1])
        let other = try resumed(changed) {
            otherScene(&$0)
            $0.appearance = ["lenient"]
        }
        #expect(other.summary.redrawn == [.options: 20])
        #expect(try resumed(lines) { $0.isResuming = false }.summary.redrawn == [:])
    }

    /// The record cut off at any byte, as a full disk or a killed process leaves it; and with nonsense in it.
    @Test(arguments: Seeds.slow.prefix(10)) func aTornRecord(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        #expect(try fake.run(lines, fake.options()).summary.done == 20)
        let record = try fake.folder.read("out/.waymark-batch.jsonl")
        let cut = random.integer(0...record.count)
        // The first line is about the scene and the options.
        let kept = max(0, record[..<cut].count { $0 == 0x0A } - 1)
        try fake.folder.write(Array(record[..<cut]), "out/.waymark-batch.jsonl")
        #expect(try resumed(lines).drawn.count == 20 - kept)
        #expect(try resumed(lines).drawn == [])
        // Whole lines again, each of them JSON.
        let mended = String(decoding: try fake.folder.read("out/.waymark-batch.jsonl"), as: UTF8.self)
        #expect(mended.hasSuffix("}\n") && mended.split(separator: "\n").count == 21)
        let odd = Array("nonsense\n{}\n[1]\n\n{\"id\": 3}\n{\"id\": \"\\u0000\", \"output\": \"../x\"}\n".utf8) + [0xFF, 0x00, 0x0A]
        try fake.folder.write(odd + Array(mended.utf8), "out/.waymark-batch.jsonl")
        #expect(try resumed(lines).drawn == [])
    }

    @Test func failedJobsAreTriedAgain() throws {
        var failing = lines
        failing[4] = "{\"id\": \"4\", \"fake\": \"crash\"}"
        #expect(try fake.run(failing, fake.options()).summary.failed == 1)
        let again = try resumed(failing)
        #expect(again.drawn == ["4"] && again.summary.failed == 1 && again.summary.skipped == 19)
        #expect(try resumed(lines).drawn == ["4"])
    }

    @Test func shardsInOneFolder() throws {
        for index in 0..<3 {
            var options = fake.options()
            options.shard = try #require(Shard(index: index, count: 3))
            #expect(try fake.run(lines + ["{"], options).summary.failed == (index == 0 ? 1 : 0))
        }
        #expect(fake.pictures.count == 20)
        let counts = try fake.counts().filter { !$0.key.isEmpty }
        #expect(counts.count == 20 && counts.values.allSatisfy { $0 == 1 })
        #expect(FileManager.default.fileExists(atPath: "\(fake.output)/failures-0-of-3.jsonl"))
        #expect(!FileManager.default.fileExists(atPath: "\(fake.output)/failures-1-of-3.jsonl"))
        for index in 0..<3 { #expect(try resumed(lines) { $0.shard = Shard(index: index, count: 3) ?? .whole }.drawn == []) }
    }

    @Test func oneBatchAFolder() throws {
        let path = try fake.folder.write(lines.joined(separator: "\n"), "jobs.jsonl")
        var options = fake.options()
        options.patience = .milliseconds(50)
        let first = try BatchRun(JobIndex(JobFile(path), base: Fingerprint()), options: options) { _ in }
        #expect(throws: Failure.isBusy(path: fake.output)) {
            _ = try BatchRun(JobIndex(JobFile(path), base: Fingerprint()), options: options) { _ in }
        }
        #expect(first.run().summary.done == 20)
    }

    @Test func foldersThatCannotBe() throws {
        try fake.folder.write("a file", "file")
        for (folder, code) in [("\(fake.folder.path)/file", ENOTDIR), ("\(fake.folder.path)/file/out", ENOTDIR), ("/proc/out", ENOENT)] {
            var options = fake.options()
            options.folder = folder
            #expect(throws: Failure.cannotWrite(path: folder, errno: code)) { _ = try fake.run(lines, options) }
        }
        var options = fake.options()
        options.folder = "\(fake.folder.path)/a//b/./c"
        #expect(try fake.run(lines, options).summary.done == 20)
        #expect(FileManager.default.fileExists(atPath: "\(fake.folder.path)/a/b/c/19.png"))
    }
}
