import Testing
import Waymark
import WaymarkBatch
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct WorkerFrameTests {
    @Test("frames come out whole, whatever pieces their bytes come in", arguments: Seeds.all)
    func pieces(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let payloads = (0..<5).map { _ in (0..<random.integer(0...3000)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        var bytes = payloads.flatMap { WorkerFrame.scene(bytes: $0, folder: "a/\"b\"") }
        bytes += WorkerFrame.end
        var parser = FrameParser()
        var frames: [WorkerFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(random.once(in: 3) ? 1 : random.integer(1...2000))
            rest = rest.dropFirst(piece.count)
            parser.append(piece)
            while let frame = try parser.next() { frames.append(frame) }
        }
        #expect(frames.map(\.payload) == payloads + [[]])
        #expect(frames.map(\.type) == payloads.map { _ in "scene" } + ["end"])
        #expect(frames[0].header.root["folder"]?.string == "a/\"b\"")
        #expect(parser.isBetweenFrames)
    }

    @Test("the byte order mark of a file of jobs is not part of its first job")
    func byteOrderMark() throws {
        var parser = FrameParser()
        parser.append(WorkerFrame.job([0xEF, 0xBB, 0xBF] + #"{"id": "a"}"#.utf8, number: 0, folder: nil))
        #expect(try parser.next()?.header.root["job"]?["id"]?.string == "a")
    }

    @Test("a stream that ends within a frame is known")
    func cut() throws {
        let bytes = WorkerFrame.scene(bytes: [1, 2, 3], folder: "")
        for count in 1..<bytes.count {
            var parser = FrameParser()
            parser.append(bytes.prefix(count))
            #expect(try parser.next() == nil)
            #expect(!parser.isBetweenFrames)
        }
    }

    @Test(
        "a damaged frame is reported, also when read again",
        arguments: [
            ([0, 0, 0, 0], "a frame's header has 0 bytes, which is outside 2…67108864"),
            ([0xFF, 0, 0, 0], "a frame's header has 4278190080 bytes, which is outside 2…67108864"),
            ([0, 0, 0, 2] + "[]".utf8, "a frame's header is an array, not an object"),
            ([0, 0, 0, 2] + "{x".utf8, "a frame's header is not JSON: byte 1 (line 1, column 2): unexpected character 'x'"),
            ([0, 0, 0, 12] + #"{"bytes":-1}"#.utf8, "a frame's \"bytes\" is -1, not a number in 0…1073741824"),
            ([0, 0, 0, 20] + #"{"bytes":1073741825}"#.utf8, "a frame's \"bytes\" is 1073741825, not a number in 0…1073741824"),
            ([0, 0, 0, 13] + #"{"bytes":"1"}"#.utf8, "a frame's \"bytes\" is the string \"1\", not a number in 0…1073741824"),
        ] as [([UInt8], String)])
    func damage(bytes: [UInt8], message: String) {
        var parser = FrameParser()
        parser.append(bytes)
        #expect(throws: FrameError(message)) { try parser.next() }
        parser.append(WorkerFrame.end)
        #expect(throws: FrameError(message)) { try parser.next() }
    }

    @Test("damaged frames end in an error, a wait or other frames, never worse", arguments: Seeds.all)
    func fuzz(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            for _ in 0..<3 {
                switch random.integer(0...3) {
                case 0: bytes += WorkerFrame.scene(bytes: Array(repeating: 7, count: random.integer(0...40)), folder: "f")
                case 1: bytes += WorkerFrame.job(#"{"id": "a", "size": {"width": 3, "height": 4}}"#.utf8, number: 1, folder: "out")
                case 2: bytes += WorkerReply.done(.sample).frame + WorkerFrame.pick(#"{"id": "a"}"#.utf8, number: 2, x: 1.5, y: 2)
                default: bytes += WorkerFrame.scene(path: "x.json")
                }
            }
            for _ in 0..<random.integer(1...4) {
                let place = random.integer(0...bytes.count - 1)
                switch random.integer(0...3) {
                case 0: bytes[place] ^= 1 << UInt8(random.integer(0...7))
                case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            var parser = FrameParser()
            parser.append(bytes)
            var count = 0
            while let frame = try? parser.next() {
                _ = try? WorkerRequest(frame)
                _ = try? WorkerReply(frame)
                count += 1
            }
            #expect(count <= bytes.count)
        }
    }
}

@Suite struct WorkerReplyTests {
    @Test("a worker's messages are decoded unchanged")
    func roundTrip() throws {
        let failure = Failure(.badContent, "no \"such\"\n\u{1}thing ü", path: "a.b")
        var inline = WorkerReply.Done.sample
        inline.format = "webp"
        inline.picture = [1, 2, 3]
        var shared = WorkerReply.Done.sample
        (shared.format, shared.memory) = ("rgba", 4096..<5120)
        var lost = WorkerReply.Failed(number: 3, id: "x", failure: failure)
        lost.isWorkerLost = true
        let replies: [WorkerReply] = [
            .hello(.init(renderer: "llvmpipe")), .hello(.init(renderer: "llvmpipe", workers: 3)), .cancelled(number: 6),
            .restarted(worker: 2, message: "was ended"), .fatal(failure), .ready(warnings: []), .ready(warnings: ["a", "b"]),
            .error(failure), .ready(warnings: [], number: 7), .error(failure, number: 8),
            .done(.sample), .done(inline), .done(shared), .failed(lost), .failed(.init(number: 3, id: nil, failure: failure)),
            .failed(.init(number: 3, id: "x", failure: failure)),
            .report(.init(number: 4, id: "x", kind: .inspection, json: Array(#"{"size":[1,2.5]}"#.utf8), warnings: ["a"])),
            .report(.init(number: 5, id: "y", kind: .hits, json: Array("[]".utf8), warnings: [])),
        ]
        var parser = FrameParser()
        parser.append(replies.flatMap(\.frame))
        for reply in replies {
            let frame = try #require(try parser.next())
            #expect(try WorkerReply(frame) == reply)
        }
    }

    @Test("an incomplete message is refused")
    func lacking() throws {
        for header in [
            #"{}"#, #"{"type":"hallo"}"#, #"{"type":"hello"}"#, #"{"type":"done","number":1}"#, #"{"type":"failed","number":1,"code":1}"#,
            #"{"type":"inspected","number":1,"id":"a"}"#, #"{"type":"picked","number":1,"hits":[]}"#, #"{"type":"inspect","number":1}"#,
            #"{"type":"pick","job":{}}"#, #"{"type":"cancel"}"#, #"{"type":"cancelled"}"#, #"{"type":"restarted","worker":1}"#,
            #"{"type":"job","number":1,"job":{},"memory":[0]}"#, #"{"type":"job","number":1,"job":{},"memory":[1,2000000000]}"#,
            #"{"type":"job","number":1,"job":{},"memory":[9000000000000000000,9]}"#, #"{"type":"job","number":1,"job":{},"scene":{}}"#,
        ] {
            var parser = FrameParser()
            parser.append(WorkerFrame.bytes(header: Array(header.utf8)))
            let frame = try #require(try parser.next())
            #expect(throws: FrameError.self) { try WorkerReply(frame) }
            #expect(throws: FrameError.self) { try WorkerRequest(frame) }
        }
    }
}

extension WorkerReply.Done {
    static var sample: Self {
        var done = Self(number: 17, id: "hall", output: "a/hall.png", width: 512, height: 256, size: 12345)
        done.times.read = 0.125
        done.times.write = 3
        done.warnings = ["a caption is \"cut\""]
        return done
    }
}
