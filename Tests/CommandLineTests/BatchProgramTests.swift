import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite struct BatchProgramTests {
    @Test func aBatchOfCards() throws {
        let cards = try BatchCards(40, seed: 1)
        let result = try Program.run(cards.arguments("out", "--workers", "2"), in: cards.folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.hasPrefix("40 pictures in "), "\(result.errors)")
        let summary = try cards.summary(result)
        #expect(summary["jobs"] as? Int == 40 && summary["done"] as? Int == 40 && summary["failed"] as? Int == 0)
        #expect(summary["skipped"] as? Int == 0 && summary["interrupted"] as? Bool == false && summary["restarts"] as? Int == 0)
        let files = try cards.files("out")
        #expect(files.count == 40)
        #expect(summary["bytes"] as? Int == files.values.reduce(0) { $0 + $1.count })
        let stages = try #require(summary["stages"] as? [String: [String: Double]])
        #expect(Set(stages.keys) == ["read", "layout", "draw", "readBack", "encode", "write"])
        #expect(stages.values.allSatisfy { ($0["sum"] ?? -1) >= 0 && ($0["median"] ?? -1) >= 0 })
        // Pictures differ, and the number of workers makes no difference.
        #expect(Set(files.values).count == 40)
        #expect(try Program.run(cards.arguments("one", "--workers", "1"), in: cards.folder).status == 0)
        #expect(try cards.files("one") == files)
        // From standard input, and from a pipe that can be read only once.
        let jobs = try cards.folder.read("jobs.jsonl")
        #expect(try Program.run("batch", "-", "-o", "piped", "--scene", "base.json", in: cards.folder, input: jobs).status == 0)
        #expect(try cards.files("piped") == files)
        let base = try cards.folder.read("base.json")
        #expect(try Program.run("batch", "jobs.jsonl", "-o", "scene", "--scene", "-", in: cards.folder, input: base).status == 0)
        #expect(try cards.files("scene") == files)
        // Nothing is left to do.
        let again = try Program.run(cards.arguments("out", "--resume"), in: cards.folder)
        #expect(again.status == 0 && again.errors.hasSuffix("; 40 done in an earlier run\n"))
        #expect(try cards.summary(again)["skipped"] as? Int == 40)
        // The summary says why pictures are drawn again.
        try FileManager.default.removeItem(atPath: "\(cards.folder.path)/out/\(try #require(files.keys.min()))")
        let missing = try Program.run(cards.arguments("out", "--resume"), in: cards.folder)
        #expect(missing.errors.contains("; 39 done in an earlier run; drawn again: 1 because of a missing file\n"), "\(missing.errors)")
        #expect((try cards.summary(missing)["redrawn"] as? [String: Int])?.filter { $0.value > 0 } == ["missingFile": 1])
        let options = try Program.run(cards.arguments("out", "--resume", "--quality", "50"), in: cards.folder)
        #expect(options.errors.contains("; drawn again: 40 because of other options"), "\(options.errors)")
    }

    @Test func eventsAreJSONLines() throws {
        let folder = ScratchFolder()
        try folder.write(
            #"{"waymark": 1, "size": {"width": 20, "height": 10}, "camera": {"center": [10, 20], "zoom": 3}}"#, "base.json")
        let lines = [
            #"{"id": "one", "output": "deep/one.webp"}"#, #"{"id": "two", "remove": ["none"]}"#, "5",
            #"{"id": "three", "format": "jpeg"}"#,
        ]
        try folder.write(lines.joined(separator: "\n"), "jobs.jsonl")
        func events(_ arguments: String...) throws -> (status: Int32, [[String: Any]]) {
            let run = try Program.run(
                ["batch", "jobs.jsonl", "-o", "out", "--scene", "base.json", "--workers", "1", "--events"] + arguments, in: folder)
            let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
            return (run.status, try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) })
        }
        let (status, all) = try events()
        #expect(status == 75)
        #expect(all.compactMap { $0["event"] as? String } == ["begin", "failed", "done", "failed", "warning", "done", "summary"])
        try #require(all.count == 7)
        #expect(all[0]["jobs"] as? Int == 4 && all[0]["skipped"] as? Int == 0)
        #expect(all[1]["line"] as? Int == 3 && all[1]["id"] is NSNull && all[1]["code"] as? Int == 65)
        #expect(all[2]["line"] as? Int == 1 && all[2]["id"] as? String == "one" && all[2]["output"] as? String == "deep/one.webp")
        #expect(all[2]["pixels"] as? [Int] == [20, 10])
        #expect(try all[2]["size"] as? Int == folder.read("out/deep/one.webp").count)
        #expect(all[3]["id"] as? String == "two" && all[3]["message"] as? String == "remove[0]: no overlay has the id \"none\"")
        #expect(all[4]["line"] as? Int == 4 && all[4]["id"] as? String == "three")
        #expect((all[4]["message"] as? String)?.hasPrefix("JPEG has no transparency") == true)
        #expect(all[6]["done"] as? Int == 2 && all[6]["failed"] as? Int == 2 && all[6]["stages"] is [String: Any])
        let (_, again) = try events("--resume")
        #expect(again.compactMap { $0["event"] as? String } == ["begin", "failed", "failed", "summary"])
        #expect(again[0]["skipped"] as? Int == 2)
    }

    @Test func aCardIsWhatRenderDraws() throws {
        let folder = ScratchFolder()
        try folder.write(
            #"{"waymark": 1, "background": "white", "overlays": [{"type": "marker", "id": "a", "position": [10, 20]}]}"#, "base.json")
        try folder.write(
            #"{"id": "card", "size": {"width": 200, "height": 100}, "camera": {"center": [10, 20], "zoom": 3, "tilt": 30}}"#, "jobs.jsonl")
        #expect(try Program.run("batch", "jobs.jsonl", "-o", "out", "--scene", "base.json", in: folder).status == 0)
        let rendered = try Program.run(
            "render", "base.json", "-o", "card.png", "--size", "200x100", "--center", "20,10", "--zoom", "3", "--tilt", "30", in: folder)
        #expect(rendered.status == 0)
        #expect(try folder.read("out/card.png") == folder.read("card.png"))
    }

    @Test func usage() throws {
        let folder = ScratchFolder()
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        func refused(_ arguments: String...) throws -> String {
            let result = try Program.run(["batch"] + arguments, in: folder)
            #expect(result.status == 64 && result.output.isEmpty)
            return result.errors
        }
        #expect(try refused("jobs.jsonl", "-o", "out", "--workers", "0") == "error: --workers: 0 is outside 1…1024\n")
        #expect(try refused("jobs.jsonl", "-o", "out", "--workers", "-3") == "error: --workers: -3 is outside 1…1024\n")
        #expect(try refused("jobs.jsonl", "-o", "out", "--deadline", "0") == "error: --deadline: 0 is outside 0.1…86400\n")
        #expect(try refused("jobs.jsonl", "-o", "out", "--deadline", "nan") == "error: --deadline: nan is outside 0.1…86400\n")
        #expect(
            try refused("jobs.jsonl", "-o", "out", "--shard", "4/4")
                == "error: --shard: \"4/4\" does not have the form I/N (such as 0/4) with I from 0 to N - 1\n")
        #expect(try refused("jobs.jsonl", "-o", "") == "error: --output: the name of the folder is empty\n")
        #expect(try refused("jobs.jsonl", "-o", "{name}.webp").hasPrefix("error: --output: {name}.webp is the name of a picture, but"))
        #expect(try refused("-", "-o", "out", "--scene", "-") == "error: JOBS and --scene cannot both be standard input\n")
        #expect(try refused("jobs.jsonl").hasPrefix("error: Missing expected argument '--output <DIR>'"))
        #expect(folder.names == ["jobs.jsonl"])
    }

    @Test func whatIsAbsentOrWrong() throws {
        let folder = ScratchFolder()
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        try folder.write("{\"id\": \"a\"}\n{\"id\": \"a\", \"output\": \"b.png\"}", "twice.jsonl")
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker"}]}"#, "bad.json")
        try folder.write("", "file")
        func failed(_ status: Int32, _ arguments: String...) throws -> String {
            let result = try Program.run(["batch"] + arguments, in: folder)
            #expect(result.status == status)
            return String(result.errors.split(separator: "\n").last ?? "")
        }
        #expect(try failed(66, "gone.jsonl", "-o", "out") == "error: gone.jsonl: cannot read the file: No such file or directory")
        #expect(
            try failed(66, "jobs.jsonl", "-o", "out", "--scene", "gone.json")
                == "error: gone.json: cannot read the file: No such file or directory")
        #expect(try failed(65, "twice.jsonl", "-o", "out") == "error: twice.jsonl: line 2: the id \"a\" is already used in line 1")
        #expect(folder.names == ["bad.json", "file", "jobs.jsonl", "twice.jsonl"])
        #expect(
            try failed(65, "jobs.jsonl", "-o", "out", "--scene", "bad.json") == "error: bad.json: overlays[0]: missing key \"position\"")
        #expect(try failed(73, "jobs.jsonl", "-o", "file") == "error: file: cannot write: Not a directory")
        #expect(try failed(69, "jobs.jsonl", "-o", "out", "--device", "cuda:77").hasPrefix("error: "))
    }

    @Test func jobsThatFailAlone() throws {
        let folder = ScratchFolder()
        let outside = ScratchFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/out", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/out/link", withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/out/linked.png", withDestinationPath: "\(outside.path)/hit.png")
        let size = #""size": {"width": 20, "height": 20}"#
        try folder.write(
            """
            {"id": "good", \(size)}
            {"id": "climbs", "output": "../climbs.png"}
            {"id": "absolute", "output": "\(outside.path)/absolute.png"}
            {"id": "linked folder", "output": "link/picture.png", \(size)}
            {"id": "linked", \(size)}
            {"id": "huge", "size": {"width": 40000, "height": 25000}}
            {"id": "unknown", "change": {"nobody": {"alpha": 0}}}
            no job
            {"id": "also good", "output": "deep/er/picture.webp", \(size)}
            """, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "-o", "out", in: folder)
        #expect(result.status == 75)
        #expect(result.errors.hasSuffix("error: 6 jobs failed: out/failures.jsonl\n"), "\(result.errors)")
        #expect(result.errors.contains("error: jobs.jsonl: line 8: a job must be a JSON object on one line, such as "), "\(result.errors)")
        let failures = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(failures.count == 6)
        let heads = [
            #"{"id":"climbs","line":2,"code":65,"message":"output: "#, #"{"id":"absolute","line":3,"code":65,"message":"output: "#,
            #"{"id":"linked folder","line":4,"code":73,"message":"output: link/picture.png: link is a link"}"#,
            #"{"id":"huge","line":6,"code":65,"message":""#, #"{"id":"unknown","line":7,"code":65,"message":""#,
            #"{"id":null,"line":8,"code":65,"message":"a job must be a JSON object on one line, such as "#,
        ]
        for (failure, head) in zip(failures, heads) { #expect(failure.hasPrefix(head), "\(failure)") }
        // A link where a picture is to be is replaced, and not followed.
        #expect(outside.names == [])
        #expect(try Bitmap(contentsOf: "\(folder.path)/out/linked.png").width == 20)
        #expect(try Bitmap(contentsOf: "\(folder.path)/out/deep/er/picture.webp").width == 20)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/out/good.png"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/climbs.png"))
    }

    @Test func shardsAreOneBatch() throws {
        let cards = try BatchCards(40, seed: 2)
        #expect(try Program.run(cards.arguments("whole"), in: cards.folder).status == 0)
        for index in 0..<3 { #expect(try Program.run(cards.arguments("parts", "--shard", "\(index)/3"), in: cards.folder).status == 0) }
        let parts = try cards.files("parts").filter { !$0.key.hasPrefix(".waymark-batch-") }
        #expect(parts == (try cards.files("whole")))
    }

    /// A tree of jobs that is shown in the README.
    @Test func theExample() throws {
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/batch").path
        let folder = ScratchFolder()
        let result = try Program.run("batch", "\(examples)/jobs.jsonl", "--scene", "\(examples)/base.json", "-o", "out", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let lines = String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(examples)/jobs.jsonl")), as: UTF8.self).split(
            separator: "\n")
        #expect(lines.count >= 5)
        for line in lines {
            let job = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(job["id"] as? String)
            let output = job["output"] as? String ?? "\(id).png"
            #expect(try !folder.read("out/\(output)").isEmpty)
        }
    }
}
