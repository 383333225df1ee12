import Glibc
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

/// The answers of a worker, in this process.
@Suite struct JobWorkerTests {
    init() { PinnedRasterizer.pin }

    /// Runs a worker over these messages, which fit into a pipe.
    private func answers(to messages: [[UInt8]], _ renderer: Renderer) throws -> (replies: [WorkerReply], code: Int32) {
        let (input, output) = (try Pipe(), try Pipe())
        try input.writing.write(messages.joined() + WorkerFrame.end)
        let code = JobWorker(input: input.reading, output: output.writing).run(renderer)
        var parser = FrameParser()
        parser.append(try #require(try output.reading.readAvailable()))
        var replies: [WorkerReply] = []
        while let frame = try parser.next() { replies.append(try WorkerReply(frame)) }
        return (replies, code)
    }

    private struct Pipe {
        let reading: OpenFile
        let writing: OpenFile

        init() throws {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (OpenFile(adopting: ends[0]), OpenFile(adopting: ends[1]))
        }
    }

    @Test func aLostDeviceEndsTheWorker() throws {
        let renderer = try Renderer(device: .software)
        // A marker that is turned needs the device.
        let marker = #"{"type": "marker", "position": [0, 0], "iconImage": "builtin:red", "angle": 10}"#
        let text = #"{"id": "a", "size": {"width": 8, "height": 8}, "add": [\#(marker)]}"#
        let job = WorkerFrame.job(Array(text.utf8), number: 4, folder: nil)
        let drawn = try answers(to: [job], renderer)
        #expect(drawn.code == 0 && drawn.replies.count == 2)
        renderer.loseDevice()
        let (replies, code) = try answers(to: [job, job], renderer)
        #expect(code == 69 && replies.count == 2)
        guard case .fatal(let failure)? = replies.last else {
            Issue.record("\(replies)")
            return
        }
        #expect(failure.code == .unavailable && failure.message.contains("the GPU was reset, and the contents of its memory are lost"))
    }
}
