import Foundation
import Synchronization

/// A renderer that is being opened on a thread of its own, while the caller reads a scene: loading the driver and compiling
/// the first shaders take longer than that.
///
/// The thread must be done before the process ends, since drivers do not bear being torn down while they start: whoever opens
/// one takes the renderer or waits.
public final class RendererOpening: Sendable {
    private let result = Mutex<Result<Renderer, RenderError>?>(nil)
    private let done = DispatchSemaphore(value: 0)
    private let isWaitedFor = Mutex(false)

    /// Begins. The parameters are those of `Renderer`.
    public init(device: String? = nil, requireGPU: Bool = false) {
        let thread = Thread { [self] in
            result.withLock { result in
                result = Result { () throws(RenderError) in
                    let renderer = try Renderer(device: device, requireGPU: requireGPU)
                    try renderer.warmUp()
                    return renderer
                }
            }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits until the renderer is open, or cannot be.
    public func wait() {
        isWaitedFor.withLock { isOver in
            if !isOver { done.wait() }
            isOver = true
        }
    }

    /// The renderer, for the first caller; it is the caller's from then on.
    /// - Throws: What opening it threw.
    public func renderer() throws(RenderError) -> Renderer? {
        wait()
        let result = self.result.withLock { result in
            let taken = result
            result = nil
            return taken
        }
        return try result?.get()
    }
}
