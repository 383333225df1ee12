import WaymarkSceneFiles

/// One message of the worker protocol on the wire: the header's length in four bytes (big-endian), the header, which is a JSON object, and
/// a payload whose length is the header's `bytes`.
///
/// This room draws batches of jobs: it supervises worker processes, and it is the worker. It draws no overlay itself, and it neither
/// parses arguments nor prints.
package struct WorkerFrame {
    /// The JSON object.
    package let header: JSONDocument
    package var payload: [UInt8] = []

    /// The most bytes of a header, and of a payload.
    package static let headerLimit = 64 << 20
    package static let payloadLimit = 1 << 30

    /// The bytes of a frame.
    /// - Parameter header: A JSON object, which has `bytes` when there is a payload.
    package static func bytes(header: [UInt8], payload: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + header.count + payload.count)
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: header.count >> $0) }
        bytes += header
        bytes += payload
        return bytes
    }

    /// The message's type; empty when it has none.
    package var type: String { header.root["type"]?.string ?? "" }
}

/// Why bytes violate the protocol.
package struct FrameError: Error, Equatable, CustomStringConvertible {
    /// One sentence without a full stop.
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Parses messages from bytes that arrive in pieces of any size. It buffers only what has arrived: a declared length reserves no memory.
package struct FrameParser {
    private var buffer: [UInt8] = []
    /// The offset of the first byte that is not yet part of a message.
    private var start = 0
    private var waiting: (header: JSONDocument, count: Int)?
    private var error: FrameError?

    package init() {}

    /// Whether all bytes so far are complete messages: then the stream may end.
    package var isBetweenFrames: Bool { waiting == nil && start == buffer.count }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 20 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next complete message; nil when more bytes are needed. After an error it throws the same error on every call: what follows an
    /// invalid message has no meaning.
    package mutating func next() throws(FrameError) -> WorkerFrame? {
        if let error { throw error }
        do throws(FrameError) {
            return try take()
        } catch {
            self.error = error
            buffer = []
            start = 0
            throw error
        }
    }

    private mutating func take() throws(FrameError) -> WorkerFrame? {
        if waiting == nil { waiting = try takeHeader() }
        guard let (header, count) = waiting, buffer.count - start >= count else { return nil }
        waiting = nil
        let payload = Array(buffer[start..<start + count])
        start += count
        return WorkerFrame(header: header, payload: payload)
    }

    private mutating func takeHeader() throws(FrameError) -> (JSONDocument, Int)? {
        guard buffer.count - start >= 4 else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (2...WorkerFrame.headerLimit).contains(length) else {
            throw FrameError("a frame's header has \(length) bytes, which is outside 2…\(WorkerFrame.headerLimit)")
        }
        guard buffer.count - start - 4 >= length else { return nil }
        let header: JSONDocument
        do throws(JSONSyntaxError) {
            header = try buffer.span.withUnsafeBytes { (bytes) throws(JSONSyntaxError) in
                try JSONDocument(parsing: UnsafeRawBufferPointer(rebasing: bytes[start + 4..<start + 4 + length]))
            }
        } catch {
            throw FrameError("a frame's header is not JSON: \(error)")
        }
        start += 4 + length
        guard header.root.kind == .object else { throw FrameError("a frame's header is \(header.root.brief), not an object") }
        guard let bytes = header.root.member("bytes") else { return (header, 0) }
        guard let count = bytes.int, (0...WorkerFrame.payloadLimit).contains(count) else {
            throw FrameError("a frame's \"bytes\" is \(bytes.brief), not a number in 0…\(WorkerFrame.payloadLimit)")
        }
        return (header, count)
    }
}
