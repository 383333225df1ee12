import Glibc
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches a connection. It answers a request that takes too long to arrive with 408, answers clients that ask whether to send their body,
/// notes when the client hangs up, disconnects clients that do not read their answer, and drops whatever arrives after an answer, for a
/// short time. It closes an idle connection after the idle time, when another connection needs its place, and when the server shuts down.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What a connection waits for.
    private enum Phase {
        /// A request.
        case idle
        /// The rest of a request.
        case reading
        /// The server's answer.
        case answering
        /// The client, which reads the answer.
        case writing
        /// The rest of a request that has already been answered; it is discarded.
        case lingering
    }

    private let connections: OpenConnections
    private let times: ConnectionTimes
    /// The largest body that a client is asked for.
    private let bodyLimit: Int
    private var state: ConnectionState?
    private var timer: PhaseTimer?
    private var phase: Phase?
    /// The number of requests that have begun to arrive, of answers that have begun, and of answers that the system has accepted whole.
    private var (requests, begun, sent) = (0, 0, 0)
    /// Whether the last request is still arriving.
    private var isReading = false
    /// The bytes of the answer that is being handed to the system.
    private var answerBytes = 0
    private var progress = WriteProgress()
    /// Whether the client has broken the rules of HTTP.
    private var isMalformed = false
    /// Whether the server is shutting down, so that the connection closes once it is idle.
    private var isEnding = false
    /// Whether nothing more is read or written.
    private var isClosing = false

    init(_ connections: OpenConnections, _ times: ConnectionTimes, bodyLimit: Int) {
        self.connections = connections
        self.times = times
        self.bodyLimit = bodyLimit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        state = connections.open(context.channel)
        timer = PhaseTimer(context.eventLoop) { [weak self] in self?.expire(context) }
        if context.channel.isActive { update(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        update(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    private func end(_ context: ChannelHandlerContext) {
        isClosing = true
        timer?.cancel()
        timer = nil
        connections.close(context.channel)
        state?.close()
    }
}

// What the client sends.
extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            requests += 1
            isReading = true
            if head.headerFields[.expect]?.lowercased() == "100-continue", !isTooLarge(head) {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        update(context)
        context.fireChannelReadComplete()
    }

    private func isTooLarge(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentLength].flatMap { Int($0) }.map { $0 > bodyLimit } ?? false
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is OpenConnections.MakeRoom:
            if phase == .idle { context.close(promise: nil) }
        case is ChannelShouldQuiesceEvent:
            isEnding = true
            if phase == .idle { context.close(promise: nil) }
        default:
            if case .inputClosed? = event as? ChannelEvent {
                update(context)
                state?.noteHangUp()
            }
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder reports each piece that follows the error.
        guard !isMalformed, !isClosing else { return }
        guard let error = error as? HTTPParserError else {
            // The connection is broken.
            state?.noteHangUp()
            return context.fireErrorCaught(error)
        }
        isMalformed = true
        if isReading {
            state?.note(malformed: requests, error.sentence)
            // Nothing after the error can be read, so the body ends here.
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else if nextPhase == .idle {
            refuse(.malformed(error.sentence), context)
        } else {
            // Hummingbird answers the requests before it, then this one with 400.
            context.fireErrorCaught(error)
        }
    }
}

// What the server sends.
extension ConnectionHandler {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head:
            begun += 1
            answerBytes = 0
            context.write(data, promise: promise)
        case .body(let bytes):
            answerBytes += bytes.readableBytes
            progress.add(bytes.readableBytes)
            context.write(data, promise: promise)
        case .end:
            let taken = promise ?? context.eventLoop.makePromise()
            taken.futureResult.assumeIsolated().whenSuccess { [answerBytes] in
                self.sent += 1
                self.state?.noteSent(answerOf: answerBytes)
                self.update(context)
            }
            context.write(data, promise: taken)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        update(context)
    }
}

// The phases.
private extension ConnectionHandler {
    /// The phase after everything that has been read and written.
    private var nextPhase: Phase {
        if begun > sent { return .writing }
        if isReading, begun >= requests { return .lingering }
        // While earlier requests await their answers, this one need not arrive.
        if isReading, begun == requests - 1 { return .reading }
        return begun < requests ? .answering : .idle
    }

    func update(_ context: ChannelHandlerContext) {
        let next = nextPhase
        guard !isClosing, next != phase else { return }
        let last = phase
        phase = next
        if next == .idle || last == .idle { connections.note(context.channel, isIdle: next == .idle) }
        switch next {
        // The first request is due with the connection; later ones are not.
        case .idle: isEnding ? context.close(promise: nil) : timer?.set(requests == 0 ? times.read : times.idle)
        case .reading: timer?.set(times.read)
        case .answering: timer?.set(nil)
        case .writing:
            progress.begin()
            watchProgress(context)
        case .lingering: timer?.set(ConnectionTimes.lingering)
        }
    }

    func expire(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        if isClosing { return context.close(promise: nil) }
        switch phase {
        case .idle where requests > 0: context.close(promise: nil)
        case .idle, .reading:
            state?.noteLate()
            let seconds = JSON.number(Double(times.read.nanoseconds) / 1e9).text
            refuse(ServerError(.requestTimeout, "too-slow", "the request did not arrive within \(seconds) s"), context)
        case .lingering: context.close(promise: nil)
        case .writing: watchProgress(context)
        case .answering, nil: break
        }
    }

    /// Disconnects the client if it has read too little of its answer for too long; otherwise checks again later.
    func watchProgress(_ context: ChannelHandlerContext) {
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let left = times.write - progress.standstill(unsent: unsent)
        guard left <= .zero else {
            timer?.set(min(left, .nanoseconds(max(times.write.nanoseconds / 4, 1))))
            return
        }
        // Without lingering, the system frees the unsent bytes now, and not after minutes.
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        context.close(promise: nil)
    }

    /// Answers with an error in place of the routes, and closes the connection.
    func refuse(_ error: ServerError, _ context: ChannelHandlerContext) {
        let answer = ServerAnswer(error)
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        head.headerFields[.connection] = "close"
        head.headerFields[.contentLength] = "\(answer.body.readableBytes)"
        isClosing = true
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(mode: .output, promise: nil)
        timer?.set(ConnectionTimes.lingering)
    }
}

extension HTTPParserError {
    /// The fault in a request.
    fileprivate var sentence: String {
        switch self {
        case .invalidEOFState: "the request ends before the end of its body"
        case .invalidChunkSize: "the size of a chunk is not a hexadecimal number"
        default: "the request is not valid HTTP/1.1"
        }
    }
}
