import Foundation

/// A client that sends the given bytes unchanged on its own connection.
final class RawClient: Sendable {
    private let socket: Int32

    struct Failure: Error {}

    /// - Parameter receiveBuffer: How many bytes the system accepts before this client reads them; nil for its default.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else { throw Failure() }
        // No test waits forever.
        var time = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(socket) }

    /// Sends bytes; false if the server accepts no more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress.unsafelyUnwrapped + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Closes the sending side.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Everything until the server closes the connection, as text.
    func receive() async -> String { String(decoding: await receiveBytes(), as: UTF8.self) }

    /// Everything until the server closes the connection.
    func receiveBytes() async -> [UInt8] { await receive { _ in false }.bytes }

    /// An answer that ends with `ending`; the connection stays open.
    func receive(through ending: String) async -> String {
        String(decoding: await receive { $0.suffix(ending.utf8.count).elementsEqual(ending.utf8) }.bytes, as: UTF8.self)
    }

    /// Waits for the first byte of an answer.
    func receiveFirstByte() async -> Bool { await !receive(atOnce: 1) { !$0.isEmpty }.bytes.isEmpty }

    /// Whether the server closes the connection, and sends nothing before.
    func isClosed() async -> Bool {
        let (bytes, isClosed) = await receive { !$0.isEmpty }
        return bytes.isEmpty && isClosed
    }

    /// Reads as a slow client does, 64 KiB after each pause, and returns the number of bytes until the server closes the connection.
    func receiveSlowly(pause: Duration) async -> Int {
        let microseconds = useconds_t(pause / .microseconds(1))
        return await receive { _ in
            usleep(microseconds)
            return false
        }.bytes.count
    }

    /// Reads until the server closes the connection, or `isEnough`.
    /// - Returns: Also whether it has closed the connection.
    private func receive(
        atOnce size: Int = 1 << 16, until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> (bytes: [UInt8], isClosed: Bool) {
        await withCheckedContinuation { continuation in
            // Not on a thread of Swift's tasks.
            Thread { [self] in
                var all: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: size)
                while !isEnough(all) {
                    let count = recv(socket, &buffer, buffer.count, 0)
                    guard count > 0 else {
                        continuation.resume(returning: (all, count == 0 || errno == ECONNRESET))
                        return
                    }
                    all += buffer[..<count]
                }
                continuation.resume(returning: (all, false))
            }.start()
        }
    }

    /// Sends a request and reads its answer, on a connection that ends with it.
    static func ask(port: Int, _ method: String, _ target: String, body: String = "", headers: [String] = []) async throws -> String {
        let client = try RawClient(port: port)
        client.send(request(method, target, body: body, headers: headers + ["Connection: close"]))
        return await client.receive()
    }

    static func request(_ method: String, _ target: String, body: String = "", headers: [String] = []) -> String {
        request(method, target, length: body.utf8.count, headers: headers) + body
    }

    /// The head of a request.
    static func request(_ method: String, _ target: String, length: Int, headers: [String]) -> String {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(length)"] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}

extension String {
    /// The status of a response.
    var status: Int? { hasPrefix("HTTP/1.1 ") ? Int(dropFirst(9).prefix(3)) : nil }
}
