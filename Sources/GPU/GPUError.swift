import CWaymarkGLES

/// An error of the graphics driver, or a mistake in using the driver. The error contains the details, and describes them in one sentence
/// with advice.
public struct GPUError: Error, Equatable, Sendable {
    /// The kinds of failure that a program may want to distinguish.
    public enum Reason: String, Equatable, Sendable, Codable {
        /// The device string, or an environment variable such as `WAYMARK_DEVICE_TIMEOUT`, is invalid.
        case badSelection
        /// The EGL library is missing or lacks required functions.
        case libraryMissing
        /// EGL is installed but finds no vendor's driver.
        case vendorMissing
        /// The vendor's library is installed, but its driver did not start.
        case driverMissing
        /// The device exists, but this user may not open it.
        case noPermission
        /// The selected device does not exist.
        case noDevice
        /// A GPU is required, but only a software rasterizer works.
        case softwareOnly
        /// The driver did not answer in time, or could not create the thread on which it answers.
        case notResponding
        /// No context could be created, or it could not be made current.
        case contextFailed
        /// A shader does not compile, or a program does not link; `log` contains the reason.
        case shader
        /// The request exceeds a limit of the driver, such as a maximum size or count.
        case unsupported
        /// The caller made a mistake, such as a rectangle outside the texture or a missing uniform.
        case badArgument
        /// The driver has run out of memory.
        case outOfMemory
        /// The GPU was reset, and every object of the context is gone.
        case contextLost
        /// The driver reported an error. `stage` names the operation.
        case driverError
    }

    /// An EGL or OpenGL ES error code, and its name in the headers.
    public struct Code: Equatable, Sendable {
        /// The number, such as 0x3001.
        public var value: Int
        /// The name, such as `EGL_NOT_INITIALIZED`.
        public var name: String
    }

    /// The kind of failure.
    public var reason: Reason
    /// The operation that failed, such as "compile sprite (vertex)" or "device 0: initialize"; empty if the message alone is a sentence.
    public var stage: String
    /// The problem, as a clause.
    public var message: String
    /// The driver's error code; nil if it gave none.
    public var code: Code?
    /// The driver's log: the log of a shader, or EGL's messages. It may be empty.
    public var log: String
    /// Advice on what to install, set or do. It may be empty.
    public var advice: String

    package init(_ reason: Reason, stage: String, _ message: String, code: Code? = nil, log: String = "", advice: String = "") {
        self.reason = reason
        self.stage = stage
        self.message = message
        self.code = code
        self.log = log
        self.advice = advice
    }
}

extension GPUError: CustomStringConvertible {
    /// The sentence, followed by the driver's log on separate lines.
    public var description: String { log.isEmpty ? sentence : sentence + "\n" + log }

    /// One line with the operation, the problem, the code and the advice.
    public var sentence: String {
        var text = stage.isEmpty ? message : stage + ": " + message
        if let code { text += " (\(code))" }
        if !advice.isEmpty { text += "; " + advice }
        return text
    }
}

extension GPUError.Code: CustomStringConvertible {
    /// The name and the number, such as "EGL_NOT_INITIALIZED, 0x3001".
    public var description: String { name + ", 0x" + String(value, radix: 16) }
}

extension GPUError.Code {
    /// Returns EGL's error of this thread and resets it; nil if there is no error.
    static func takeEGL() -> Self? {
        let value = wm_eglGetError()
        guard value != EGL_SUCCESS else { return nil }
        return Self(value: Int(value), name: eglNames[Int32(value)] ?? "unknown EGL error")
    }

    /// The name of an OpenGL ES error.
    static func gl(_ value: GLenum) -> Self {
        Self(value: Int(value), name: glNames[Int32(value)] ?? "unknown OpenGL ES error")
    }

    private static let eglNames: [Int32: String] = [
        EGL_NOT_INITIALIZED: "EGL_NOT_INITIALIZED", EGL_BAD_ACCESS: "EGL_BAD_ACCESS", EGL_BAD_ALLOC: "EGL_BAD_ALLOC",
        EGL_BAD_ATTRIBUTE: "EGL_BAD_ATTRIBUTE", EGL_BAD_CONFIG: "EGL_BAD_CONFIG", EGL_BAD_CONTEXT: "EGL_BAD_CONTEXT",
        EGL_BAD_CURRENT_SURFACE: "EGL_BAD_CURRENT_SURFACE", EGL_BAD_DISPLAY: "EGL_BAD_DISPLAY", EGL_BAD_MATCH: "EGL_BAD_MATCH",
        EGL_BAD_NATIVE_PIXMAP: "EGL_BAD_NATIVE_PIXMAP", EGL_BAD_NATIVE_WINDOW: "EGL_BAD_NATIVE_WINDOW",
        EGL_BAD_PARAMETER: "EGL_BAD_PARAMETER", EGL_BAD_SURFACE: "EGL_BAD_SURFACE", EGL_CONTEXT_LOST: "EGL_CONTEXT_LOST",
        EGL_BAD_DEVICE_EXT: "EGL_BAD_DEVICE_EXT",
    ]

    private static let glNames: [Int32: String] = [
        GL_INVALID_ENUM: "GL_INVALID_ENUM", GL_INVALID_VALUE: "GL_INVALID_VALUE", GL_INVALID_OPERATION: "GL_INVALID_OPERATION",
        GL_INVALID_FRAMEBUFFER_OPERATION: "GL_INVALID_FRAMEBUFFER_OPERATION", GL_OUT_OF_MEMORY: "GL_OUT_OF_MEMORY",
        GL_CONTEXT_LOST: "GL_CONTEXT_LOST",
        GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT: "GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT",
        GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE: "GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE",
        GL_FRAMEBUFFER_UNSUPPORTED: "GL_FRAMEBUFFER_UNSUPPORTED",
    ]
}
