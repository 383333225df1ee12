import WaymarkGPU

/// Reuses targets of the same size and kind, because the size of pictures rarely changes.
final class TargetPool: SingleCache {
    private let context: Context
    private var idle: [Target] = []
    private static let limit = 4

    init(_ context: Context) {
        self.context = context
        super.init()
    }

    override var keptBytes: Int { idle.reduce(0) { $0 + $1.byteCount } }
    override func clear() { idle = [] }

    func take(
        width: Int, height: Int, samples: Int = 0, depth: DepthBuffer = .none, hasStencil: Bool = false, isSwapped: Bool = false
    ) throws(GPUError) -> Target {
        if let index = idle.lastIndex(where: {
            $0.width == width && $0.height == height && $0.samples == samples && $0.isSwapped == isSwapped && $0.initialDepth == depth
                && ($0.initialDepth == .none || $0.hasStencil == hasStencil)
        }) {
            return idle.remove(at: index)
        }
        return try Target(
            context, width: width, height: height, samples: samples, depth: depth, hasStencil: hasStencil, isSwapped: isSwapped)
    }

    func give(back target: Target) {
        use()
        idle.append(target)
        if idle.count > Self.limit { idle.removeFirst() }
    }
}
