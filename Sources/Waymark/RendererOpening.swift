import Glibc
import Synchronization

/// Opens a renderer on a thread of its own while the caller decodes a scene: loading the driver and compiling the first shaders takes
/// longer than that.
///
/// The thread must end before the process does, since drivers crash when they are torn down while they work: call `renderer()` or
/// `wait()`.
public final class RendererOpening: Sendable {
    /// nil once the thread has ended, or when it could not be created.
    private let thread = Mutex<pthread_t?>(nil)
    private let result = Mutex<Result<Renderer, RenderError>?>(nil)
    private let device: String?
    private let requireGPU: Bool
    private let imageByteLimit: Int

    /// Starts opening. The parameters are those of `Renderer`.
    public convenience init(device: String? = nil, requireGPU: Bool = false) {
        self.init(device: device, requireGPU: requireGPU, imageByteLimit: Renderer.imageByteLimit)
    }

    package init(device: String?, requireGPU: Bool, imageByteLimit: Int) {
        self.device = device
        self.requireGPU = requireGPU
        self.imageByteLimit = imageByteLimit
        // Not Foundation's Thread, which cannot be joined: thread-local memory of the driver is freed only when the thread has ended.
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
            // Without a thread, open at once.
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

    /// Waits until the renderer is open or has failed to open.
    public func wait() {
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    /// The renderer, for the first caller, who then owns it; nil for later ones.
    /// - Throws: The error of opening it.
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
