/// What a machine can draw with, and why not with more: the data behind `waymark doctor`. Plain fields, ready for JSON.
public struct DeviceReport: Equatable, Sendable, Codable {
    /// The EGL library.
    public struct Library: Equatable, Sendable, Codable {
        /// The file asked for.
        public var requested: String
        /// Where it was found; nil when it was not.
        public var path: String?
        /// Why it cannot be used.
        public var error: String?
        /// What EGL can do before any display; empty without a vendor's driver.
        public var clientExtensions: [String]
        /// The time to load it.
        public var milliseconds: Double
    }

    /// A vendor file of libglvnd: which library drives EGL.
    public struct VendorFile: Equatable, Sendable, Codable {
        /// Where the file lies.
        public var path: String
        /// The library it names; nil when it names none.
        public var library: String?
        /// Why that library cannot be loaded; nil when it can.
        public var error: String?
    }

    /// A DRM render node or a device file of NVIDIA's driver.
    public struct DeviceNode: Equatable, Sendable, Codable {
        /// The device file.
        public var path: String
        /// Whether this user may read and write it.
        public var isAccessible: Bool
    }

    /// One step on the way to a context.
    public struct Step: Equatable, Sendable, Codable {
        /// "display", "initialize", "bind API", "config", "context ES 3.2", "make current".
        public var name: String
        /// Whether it worked.
        public var succeeded: Bool
        /// The version reached, or what went wrong.
        public var detail: String
        /// How long it took.
        public var milliseconds: Double

        init(name: String, succeeded: Bool, detail: String, milliseconds: Double) {
            self.name = name
            self.succeeded = succeeded
            self.detail = detail
            self.milliseconds = milliseconds
        }

        /// A step that failed at once.
        package init(failed name: String, _ detail: String) {
            self.init(name: name, succeeded: false, detail: detail, milliseconds: 0)
        }
    }

    /// A device, or the surfaceless platform, and how trying it went.
    public struct Device: Equatable, Sendable, Codable {
        /// "device 0", "surfaceless".
        public var name: String
        /// The place in EGL's list; nil for the surfaceless platform.
        public var index: Int?
        /// The device's extensions; empty where the driver does not say.
        public var extensions: [String]
        /// The DRM render node, or the primary node where there is no other.
        public var drmNode: String?
        /// CUDA's number of the device.
        public var cudaID: Int?
        /// Whether EGL lists it as its software device.
        public var isSoftwareDevice: Bool
        /// What was tried, in order.
        public var steps: [Step]
        /// What the context says of itself; nil when none could be made.
        public var context: ContextInfo?
        /// Why it cannot be used; nil when it can.
        public var error: String?
    }

    /// A picture of 8 × 8 drawn and compared.
    public struct SmokeTest: Equatable, Sendable, Codable {
        /// Whether every pixel was right.
        public var passed: Bool
        /// What was wrong; empty when it passed.
        public var detail: String
        /// Loading the EGL library.
        public var loadMilliseconds: Double
        /// Getting and initialising the display.
        public var displayMilliseconds: Double
        /// Making the context and making it current.
        public var contextMilliseconds: Double
        /// Compiling and linking the shaders.
        public var compileMilliseconds: Double
        /// Clearing, drawing and reading back.
        public var drawMilliseconds: Double
    }

    /// Where Mesa keeps compiled shaders between processes.
    public struct ShaderCache: Equatable, Sendable, Codable {
        /// The folder; nil when the cache is off.
        public var path: String?
        /// Whether shaders can be kept there.
        public var isWritable: Bool
    }

    /// Something that keeps the machine from drawing, or from drawing on its GPU.
    public struct Problem: Equatable, Sendable, Codable {
        /// The kind of it.
        public var reason: GPUError.Reason
        /// One sentence: what is wrong and what to install or do.
        public var sentence: String
    }

    /// The EGL library.
    public var library: Library
    /// libglvnd's vendor files, in the order in which it reads them.
    public var vendorFiles: [VendorFile]
    /// Where vendor files were looked for: folders, or the files an override names.
    public var vendorSearch: [String]
    /// The device files of GPUs.
    public var deviceNodes: [DeviceNode]
    /// Every device of EGL's list, then the surfaceless platform.
    public var devices: [Device]
    /// What was asked for, as `--device` takes it.
    public var selection: String
    /// The name of the device that draws; nil when none does.
    public var chosen: String?
    /// Why this one, or why none.
    public var choice: String
    /// The smoke test on the chosen device; nil when there is none.
    public var smokeTest: SmokeTest?
    /// Mesa's shader cache.
    public var shaderCache: ShaderCache
    /// The processors this process is scheduled on.
    public var processors: Int
    /// The control group's quota in processors; nil without one.
    public var processorQuota: Double?
    /// The number of rasteriser threads set because of that quota; nil when they were left alone.
    public var threadsFromQuota: Int?
    /// The environment variables in effect that change what EGL or a driver does, as `NAME=value`, sorted.
    public var environment: [String]
    /// What to mend, the gravest first. Empty when all is well.
    public var problems: [Problem]
}

/// What a context says of itself, and its limits.
public struct ContextInfo: Equatable, Sendable, Codable {
    /// GL_VENDOR.
    public var vendor: String
    /// GL_RENDERER.
    public var renderer: String
    /// GL_VERSION.
    public var version: String
    /// The version of OpenGL ES: 3.0, 3.1 or 3.2.
    public var esMajor: Int
    public var esMinor: Int
    /// Whether the processor draws: llvmpipe, softpipe, swrast or SwiftShader.
    public var isSoftware: Bool
    /// Whether a reset of the GPU is told instead of ending the process.
    public var tellsResets: Bool
    /// Limits in pixels, layers and samples.
    public var maxTextureSize: Int
    public var maxTextureLayers: Int
    public var maxRenderbufferSize: Int
    public var maxSamples: Int
    public var maxViewportWidth: Int
    public var maxViewportHeight: Int
}

extension ContextInfo {
    /// Whether a renderer string is a software rasteriser's.
    package static func isSoftware(renderer: String) -> Bool {
        let lowercased = renderer.lowercased()
        return ["llvmpipe", "softpipe", "swrast", "swiftshader"].contains { lowercased.contains($0) }
    }
}
