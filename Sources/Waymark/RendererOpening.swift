import Glibc
import Synchronization

/// A renderer that is being opened on a thread of its own, while the caller reads a scene: loading the driver and compiling
/// the first shaders take longer than that.
///
/// The thread must have ended before the process does, since drivers do not bear being torn down while they work: whoever
/// opens one takes the renderer, or waits.
public final class RendererOpening: Sendable {
    /// nil once it has ended, or when there was none to be had.
    private let thread = Mutex<pthread_t?>(nil)
    private let result = Mutex<Result<Renderer, RenderError>?>(nil)
    private let device: String?
    private let requireGPU: Bool
    private let imageByteLimit: Int

    /// Begins. The parameters are those of `Renderer`.
    public convenience init(device: String? = nil, requireGPU: Bool = false) {
        self.init(device: device, requireGPU: requireGPU, imageByteLimit: Renderer.imageByteLimit)
    }

    package init(device: String?, requireGPU: Bool, imageByteLimit: Int) {
        self.device = device
        self.requireGPU = requireGPU
        self.imageByteLimit = imageByteLimit
        // Not Foundation's thread, which cannot be joined: thread-local memory of the driver goes only when the thread has ended.
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<RendererOpening>.fromOpaque(argument).takeRetainedValue().open() }
                return nil
            }, argument.toOpaque())
        if status == 0 {
            self.thread.withLock { $0 = thread }
        } else {
            // No thread is to be had: it is opened here and now.
            argument.release()
            open()
        }
    }

    private func open() {
        result.withLock { result in
            result = Result { () throws(RenderError) in
                let renderer = try Renderer(device: device, requireGPU: requireGPU, imageByteLimit: imageByteLimit)
                try renderer.warmUp()
                return renderer
            }
        }
    }

    /// Waits until the renderer is open, or cannot be.
    public func wait() {
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    /// The renderer, for the first caller; it is the caller's from then on, and later ones get nil.
    /// - Throws: What opening it threw.
    public func renderer() throws(RenderError) -> Renderer? {
        wait()
        let result = result.withLock { result in
            let taken = result
            result = nil
            return taken
        }
        return try result?.get()
    }
}
