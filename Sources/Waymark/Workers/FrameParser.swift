import WaymarkSceneFiles
import WaymarkSystem

/// Parses messages from bytes that arrive in pieces of any size. It buffers only bytes that have arrived: a declared length reserves no
/// memory.
package struct FrameParser {
    /// The bytes from `start` to `end` have arrived and are not yet part of a message.
    private var buffer: [UInt8] = []
    private var start = 0
    private var end = 0
    private var waiting: (header: JSONDocument, head: [UInt8], count: Int)?
    private var error: FrameError?

    /// The maximum number of bytes per read, and of the empty buffer's capacity.
    private static let pieceSize = 1 << 18
    private static let keptSize = 4 << 20

    package init() {}

    /// Whether all bytes so far are complete messages, so that the stream may end.
    package var isBetweenFrames: Bool { waiting == nil && start == end }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom(bytes.count)
        buffer.replaceSubrange(end..<end + bytes.count, with: bytes)
        end += bytes.count
    }

    /// Reads the available bytes of a stream.
    /// - Returns: The number of bytes: 0 at the end of the stream, nil if a non-blocking stream has nothing yet.
    package mutating func read(from file: OpenFile) throws(SystemError) -> Int? {
        makeRoom(Self.pieceSize)
        let end = end
        do throws(SystemError) {
            let count = try buffer.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
                try file.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: all[end..<end + Self.pieceSize])))
            }
            self.end += count
            return count
        } catch {
            if error == .wouldBlock { return nil }
            throw error
        }
    }

    private mutating func makeRoom(_ count: Int) {
        if start == end, buffer.count > Self.keptSize { buffer = [] }
        if start == end || start > 0 && buffer.count - end < count {
            let (from, size) = (start, end - start)
            if size > 0 { buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[from..<from + size])) } }
            (start, end) = (0, size)
        }
        let missing = count - (buffer.count - end)
        if missing > 0 { buffer.append(contentsOf: repeatElement(0, count: max(missing, buffer.count / 2))) }
    }

    /// The next complete message; nil if more bytes are needed. After an error, every call throws the same error, because bytes after an
    /// invalid message have no meaning.
    package mutating func next() throws(FrameError) -> WorkerFrame? {
        if let error { throw error }
        do throws(FrameError) {
            return try take()
        } catch {
            self.error = error
            buffer = []
            (start, end) = (0, 0)
            throw error
        }
    }

    private mutating func take() throws(FrameError) -> WorkerFrame? {
        if waiting == nil { waiting = try takeHeader() }
        guard let (header, head, count) = waiting, end - start >= count else { return nil }
        waiting = nil
        let payload = Array(buffer[start..<start + count])
        start += count
        return WorkerFrame(header: header, head: head, payload: payload)
    }

    private mutating func takeHeader() throws(FrameError) -> (JSONDocument, [UInt8], Int)? {
        guard end - start >= 4 else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (2...WorkerFrame.headerLimit).contains(length) else {
            throw FrameError("a frame's header has \(length) bytes, which is outside 2…\(WorkerFrame.headerLimit)")
        }
        guard end - start - 4 >= length else { return nil }
        let header: JSONDocument
        do throws(JSONSyntaxError) {
            header = try buffer.span.withUnsafeBytes { (bytes) throws(JSONSyntaxError) in
                try JSONDocument(parsing: UnsafeRawBufferPointer(rebasing: bytes[start + 4..<start + 4 + length]))
            }
        } catch {
            throw FrameError("a frame's header is not JSON: \(error)")
        }
        let head = Array(buffer[start..<start + 4 + length])
        start += 4 + length
        guard header.root.kind == .object else { throw FrameError("a frame's header is \(header.root.brief), not an object") }
        guard let bytes = header.root.member("bytes") else { return (header, head, 0) }
        guard let count = bytes.int, (0...WorkerFrame.payloadLimit).contains(count) else {
            throw FrameError("a frame's \"bytes\" is \(bytes.brief), not a number in 0…\(WorkerFrame.payloadLimit)")
        }
        return (header, head, count)
    }
}
