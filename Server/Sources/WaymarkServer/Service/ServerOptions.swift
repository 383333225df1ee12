import Waymark

/// How a server listens, and its limits.
public struct ServerOptions: Sendable {
    public var host = "127.0.0.1"
    public var port = 8080
    /// Where scenes are drawn. Default: one process per processor, if the device is a software rasterizer.
    public var workers = RenderPool.Workers.automatic
    /// As in `Renderer`.
    public var device: Device?
    public var requireGPU = false
    /// The maximum number of bytes that each worker keeps between pictures.
    public var cacheBytes = 256 << 20
    public var fontSource = FontSource.default
    /// The folders that scenes may read, by name: a scene writes `NAME/icons/shop.png`. Default none.
    public var folders: [String: String] = [:]
    /// The scene over which `GET /static` draws: its base map, its background and its camera. Default: an empty one.
    public var base: [UInt8]?
    /// Whether things that cannot be loaded are left out of a picture.
    public var isLenient = false
    /// The maximum number of bytes of a body, and of all bodies together.
    public var bodyLimit = 8 << 20
    public var bodyMemory = 256 << 20
    /// The maximum number of device pixels of a picture.
    public var pixelLimit = 16_777_216
    /// The most bytes of all unread answers together. Answers of up to 64 KiB do not count.
    public var answerMemory = 256 << 20
    /// The most overlays of a scene.
    public var overlayLimit = 50_000
    /// The maximum number of requests that wait for a worker.
    public var queueLimit = 100
    /// The time limit for a picture, from the arrival of its request.
    public var deadline = Duration.seconds(10)
    /// The time limit for a request to arrive.
    public var readTime = Duration.seconds(10)
    /// How long a client has to read 64 KiB of an answer, or the rest.
    public var writeTime = Duration.seconds(10)
    /// How long a connection may be idle.
    public var idleTime = Duration.seconds(60)
    /// The maximum number of connections. A further connection replaces the one that has been idle longest.
    public var connectionLimit = 1000
    /// How long caches may keep answers to `GET /static`, in seconds.
    public var cacheSeconds = 3600

    public init() {}
}

extension ServerOptions {
    /// The options of the pool.
    var pool: RenderPool.Options {
        var options = RenderPool.Options()
        options.workers = workers
        options.waitingLimit = queueLimit
        options.deadline = deadline
        options.device = device
        options.requireGPU = requireGPU
        options.cacheBytes = cacheBytes
        options.fontSource = fontSource
        options.scenes.resources = folders.isEmpty ? .none : .folders(folders)
        options.scenes.isLenient = isLenient
        options.pixelLimit = pixelLimit
        options.overlayLimit = overlayLimit
        return options
    }
}
