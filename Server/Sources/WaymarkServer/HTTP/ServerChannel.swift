import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handlers of a connection: Hummingbird's for HTTP/1.1, but with `ConnectionHandler` instead of its idle timer, which disconnects
/// clients that read slowly.
struct ServerChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let makeHandler: @Sendable () -> ConnectionHandler

    /// The most unsent bytes that the system accepts. With more, the server would not see how fast the client reads, and clients that do
    /// not read would cost megabytes each.
    private static let unsentLimit: SocketOptionValue = 128 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Systems without the option accept more.
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentLimit)
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            (limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (80 << 10, 1000)
            // HTTPTypes has checked the header fields; NIOAsyncChannel takes one request after another.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(KeepAliveHandler())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(makeHandler())
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value, logger: logger) }
}

/// Sets a request's `Connection` field to `close` if the connection ends with the answer, since Hummingbird compares the field with that
/// word alone. A connection of HTTP/1.0 ends unless the client asks for `keep-alive` (RFC 9112, 9.3).
private final class KeepAliveHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive || head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        head.headers.replaceOrAdd(name: "Connection", value: head.isKeepAlive ? "keep-alive" : "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
