import Glibc
import Testing
import Waymark
import WaymarkBatch
import WaymarkTestSupport

@Suite struct JobIndexTests {
    private let folder = ScratchFolder()

    private func index(_ text: String, shard: Shard = .whole) throws -> JobIndex {
        try JobIndex(JobFile(try folder.write(text, "jobs.jsonl")), base: Fingerprint(), shard: shard)
    }

    /// The id of every job, and the number of its line.
    private func ids(_ index: JobIndex) -> [String] {
        index.entries.indices.map { "\(index.entries[$0].line) \(index.id($0))" }
    }

    @Test func linesWhateverTheirEnds() throws {
        #expect(ids(try index("")) == [])
        #expect(ids(try index("\n\n  \n")) == [])
        #expect(ids(try index(#"{"id": "a"}"#)) == ["1 a"])
        #expect(ids(try index("\n{\"id\": \"a\"}\r\n\r\n \t\n{\"id\": \"b\"}\n")) == ["2 a", "5 b"])
        let read = try index("{\"id\": \"a\"}\n  {\"id\": \"b\", \"size\": {}}  \n")
        #expect(read.line(1).map { String(decoding: $0, as: UTF8.self) } == #"  {"id": "b", "size": {}}  "#)
    }

    @Test func linesThatAreNoJobs() throws {
        let read = try index(
            """
            {"id": "a"}
            {"id": "b"
            [1]
            {"output": "c.png"}
            {"id": 7}
            {"id": "d", "output": "../d.png"}

            {"id": "e"}
            """)
        #expect(ids(read) == ["1 a", "8 e"])
        #expect(read.count == 7)
        #expect(read.problems.map(\.line) == [2, 3, 4, 5, 6])
        #expect(read.problems.map(\.code) == [Failure.Code](repeating: .badContent, count: 5))
        #expect(read.problems.map(\.id) == [nil, nil, nil, nil, "d"])
        #expect(read.problems.allSatisfy { !$0.message.isEmpty })
    }

    @Test func aTableIsNoListOfJobs() throws {
        func problem(_ text: String) -> String? {
            let error = #expect(throws: Failure.self) { try index(text) }
            return error?.code == .badContent ? error?.message : nil
        }
        let what =
            #"\(folder.path)/jobs.jsonl: no line is a job (a JSON object such as "#
            + #"{"id": "seoul", "camera": {"center": [126.98, 37.57], "zoom": 12}}); line "#
        #expect(
            problem("\nid,lat,lng\r\na,1,2\r\n") == what.replacingOccurrences(of: "\\(folder.path)", with: folder.path)
                + #"2 is "id,lat,lng""#)
        #expect(
            problem("[{\"id\": \"a\"},\n]")?.hasSuffix(
                #"line 1 is "[{\"id\": \"a\"},"; write each element of a JSON array on its own line"#) == true
        )
        // An invalid line fails alone.
        #expect(try index("id\n{\"id\": \"a\"}").problems.map(\.line) == [1])
        #expect(try index("").count == 0)
    }

    @Test func anInspectionIsAnOutputToo() throws {
        let file = "\(folder.path)/jobs.jsonl"
        let error = #expect(throws: Failure.self) {
            try index("{\"id\": \"a\", \"inspect\": true}\n{\"id\": \"b\", \"output\": \"a.webp\", \"inspect\": true}")
        }
        #expect(error == Failure(.badContent, "\(file): line 2: the output \"a.json\" is already used in line 1"))
        #expect(try index("{\"id\": \"a\", \"inspect\": true}\n{\"id\": \"b\", \"output\": \"a.webp\"}").count == 2)
    }

    @Test func twoOfAName() throws {
        func refused(_ text: String) -> Failure? {
            #expect(throws: Failure.self) { try index(text) }
        }
        let file = "\(folder.path)/jobs.jsonl"
        #expect(
            refused("{\"id\": \"a\"}\n{\"id\": \"b\"}\n\n{\"id\": \"a\", \"output\": \"c.png\"}")
                == Failure(.badContent, "\(file): line 4: the id \"a\" is already used in line 1"))
        #expect(
            refused("{\"id\": \"a\", \"output\": \"x/a.png\"}\n{\"id\": \"b\", \"output\": \".//x/./a.png\"}")
                == Failure(.badContent, "\(file): line 2: the output \"x/a.png\" is already used in line 1"))
        #expect(
            refused("{\"id\": \"a\"}\n{\"id\": \"b\", \"output\": \"a.png\"}")
                == Failure(.badContent, "\(file): line 2: the output \"a.png\" is already used in line 1"))
        #expect(
            refused("{\"id\": \"\\u0061\"}\n{\"id\": \"a\"}")
                == Failure(.badContent, "\(file): line 2: the id \"a\" is already used in line 1"))
        // Whatever the shard.
        for number in 0..<4 {
            #expect(throws: Failure.self) {
                try index("{\"id\": \"a\"}\n{\"id\": \"a\"}", shard: try #require(Shard(index: number, count: 4)))
            }
        }
    }

    @Test func whatIsAbsent() {
        #expect(throws: Failure.unreadable(path: "gone.jsonl", errno: 2)) { try JobFile("gone.jsonl") }
        #expect(throws: Failure.unreadable(path: folder.path, errno: 21)) { try JobFile(folder.path) }
    }

    /// Lines of up to 3 MB, so that they lie across the pieces in which a file is read.
    @Test(arguments: Seeds.all.prefix(20)) func randomFiles(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var lines: [String] = []
        var expected: [String] = []
        for number in 1...random.integer(1...300) {
            switch random.integer(0...9) {
            case 0: lines.append("")
            case 1: lines.append(" ")
            default:
                let filling = random.once(in: 60) ? random.integer(0...3_000_000) : random.integer(0...300)
                lines.append("{\"id\": \"job \(number)\", \"x\": \"\(String(repeating: "x", count: filling))\"}")
                expected.append("\(number) job \(number)")
            }
        }
        let read = try index(lines.joined(separator: "\n") + (random.once(in: 2) ? "\n" : ""))
        #expect(ids(read) == expected)
        #expect(read.problems.isEmpty)
        for (place, entry) in read.entries.enumerated() {
            #expect(read.line(place) == Array(lines[Int(entry.line) - 1].utf8))
            #expect(read.entry(id: read.id(place)) == place)
        }
        #expect(read.entry(id: "job") == nil)
    }

    @Test func aLineTooLongFailsAlone() throws {
        let long = "{\"id\": \"long\", \"x\": \"\(String(repeating: "x", count: 61 << 20))\"}"
        let read = try index("{\"id\": \"a\"}\n\(long)\n{\"id\": \"b\"}\n\(long)")
        #expect(ids(read) == ["1 a", "3 b"])
        #expect(read.problems.map(\.line) == [2, 4])
        #expect(read.problems[0].message == "the line is longer than 60 MiB")
        #expect(read.line(1).map { String(decoding: $0, as: UTF8.self) } == #"{"id": "b"}"#)
    }

    @Test func manyIDsOfManyShards() throws {
        let text = (0..<20_000).map { "{\"id\": \"\($0)\"}\n" }.joined()
        var seen: [String] = []
        for number in 0..<3 {
            let part = try index(text, shard: try #require(Shard(index: number, count: 3)))
            seen += part.entries.indices.map(part.id)
            for place in part.entries.indices where place % 97 == 0 { #expect(part.entry(id: part.id(place)) == place) }
        }
        #expect(seen.count == 20_000 && Set(seen).count == 20_000)
        let other = try index(text, shard: try #require(Shard(index: 0, count: 3)))
        let held = Set(other.entries.indices.map(other.id))
        let notHeld = (0..<20_000).map(String.init).filter { !held.contains($0) }
        #expect(notHeld.allSatisfy { other.entry(id: $0) == nil })
    }

    @Test func aFileThatChangesIsNoticed() throws {
        let read = try index("{\"id\": \"a\"}\n{\"id\": \"b\"}\n")
        try folder.write("{\"id\": \"a\"}\n{\"id\": \"c\"}\n", "jobs.jsonl")
        let path = "\(folder.path)/jobs.jsonl"
        // The file opened by the index may have been replaced; the data read from it stay valid, or the change is detected.
        #expect(read.line(1) == nil || read.line(1) == Array("{\"id\": \"b\"}".utf8))
        let inPlace = try index("{\"id\": \"a\"}\n{\"id\": \"b\"}\n")
        let file = try #require(fopen(path, "r+"))
        fseek(file, 19, SEEK_SET)
        fputs("c", file)
        fclose(file)
        #expect(inPlace.line(0) != nil)
        #expect(inPlace.line(1) == nil)
    }
}
