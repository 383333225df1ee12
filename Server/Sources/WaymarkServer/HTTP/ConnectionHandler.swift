import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Watches a connection: a request that takes too long to arrive is answered with 408, a client that hangs up is noted, one that asks
/// whether to send its body is told to, and what is still sent after an answer is taken for a short time only.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    /// How long a request may take to arrive.
    private let readTime: TimeAmount
    /// The largest body that a client is asked for.
    private let bodyLimit: Int
    private var state: ConnectionState?
    private var timer: Scheduled<Void>?
    /// Whether a request is arriving.
    private var isReading = false
    /// Whether the answer to the request that is arriving has begun.
    private var isAnswering = false
    /// Whether nothing is written any more.
    private var isClosing = false

    /// How long the rest of a request is taken after its answer, so that the client reads that before the connection is closed.
    private static let lingering = TimeAmount.seconds(2)

    init(_ connections: OpenConnections, readTime: Duration, bodyLimit: Int) {
        self.connections = connections
        self.readTime = .nanoseconds(Int64(readTime / .nanoseconds(1)))
        self.bodyLimit = bodyLimit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        state = connections.open(context.channel)
        // The first request; for later ones the connection may be idle.
        if context.channel.isActive { limit(readTime, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        limit(readTime, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    private func end(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        connections.close(context.channel)
        state?.noteHangUp()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { state?.noteHangUp() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReading = true
            isAnswering = false
            limit(readTime, context)
            if head.headerFields[.expect]?.lowercased() == "100-continue", !isTooLarge(head) {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end:
            isReading = false
            timer?.cancel()
            timer = nil
        }
        context.fireChannelRead(data)
    }

    private func isTooLarge(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentLength].flatMap { Int($0) }.map { $0 > bodyLimit } ?? false
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head: isAnswering = true
        case .body: break
        case .end: if isReading { limit(Self.lingering, context) }
        }
        context.write(data, promise: promise)
    }

    /// Sets the timer for the request.
    private func limit(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            handler.expire(context)
        }
    }

    private func expire(_ context: ChannelHandlerContext) {
        timer = nil
        guard !isClosing, context.channel.isActive else { return }
        guard !isAnswering else { return context.close(promise: nil) }
        state?.noteLate()
        let seconds = JSON.number(Double(readTime.nanoseconds) / 1e9).text
        let answer = ServerAnswer(
            ServerError(.requestTimeout, "too-slow", "the request did not arrive within \(seconds) s"))
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        head.headerFields[.connection] = "close"
        head.headerFields[.contentLength] = "\(answer.body.readableBytes)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        isClosing = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
    }
}
