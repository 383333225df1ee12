/// The devices with which a machine can draw, and the problems of the others. This is the data of `waymark doctor`, in plain fields for
/// JSON.
package struct DeviceReport: Equatable, Sendable, Codable {
    /// The EGL library.
    package struct Library: Equatable, Sendable, Codable {
        /// The requested file.
        package var requested: String
        /// The path where it was found; nil if it was not found.
        package var path: String?
        /// The reason why it cannot be used.
        package var error: String?
        /// EGL's client extensions; empty without a vendor's driver.
        package var clientExtensions: [String]
        /// The time to load it.
        package var milliseconds: Double
    }

    /// A vendor file of libglvnd, which names a vendor's EGL library.
    package struct VendorFile: Equatable, Sendable, Codable {
        /// The path of the file.
        package var path: String
        /// The library it names; nil if it names no library.
        package var library: String?
        /// The reason why that library cannot be loaded; nil if it can.
        package var error: String?
    }

    /// A DRM render node or a device file of NVIDIA's driver.
    package struct DeviceNode: Equatable, Sendable, Codable {
        /// The device file.
        package var path: String
        /// Whether this user may read and write it.
        package var isAccessible: Bool
    }

    /// One step of creating a context.
    package struct Step: Equatable, Sendable, Codable {
        /// The name of the step: "display", "initialize", "bind API", "config", "context ES 3.2", "pbuffer" or "make current".
        package var name: String
        /// Whether the step succeeded.
        package var succeeded: Bool
        /// The version, or the error.
        package var detail: String
        /// The duration of the step.
        package var milliseconds: Double
    }

    /// A device, or the surfaceless platform, and the result of trying it.
    package struct ListedDevice: Equatable, Sendable, Codable {
        /// The name of the device, such as "device 0" or "surfaceless".
        package var name: String
        /// The index in EGL's list; nil for the surfaceless platform.
        package var index: Int?
        /// The device's extensions; empty if the driver does not report them.
        package var extensions: [String]
        /// The DRM render node, or, without one, the primary node.
        package var drmNode: String?
        /// The device's CUDA number.
        package var cudaID: Int?
        /// Whether EGL lists it as its software device.
        package var isSoftwareDevice: Bool
        /// The steps tried, in order.
        package var steps: [Step]
        /// The context's names, version and limits; nil without a context.
        package var context: ContextInfo?
        /// The reason why it cannot be used; nil if it can.
        package var error: String?
    }

    /// The result of drawing and comparing a picture of 8 × 8 pixels.
    package struct SmokeTest: Equatable, Sendable, Codable {
        /// Whether every pixel was right.
        package var passed: Bool
        /// The difference; empty when it passed.
        package var detail: String
        /// The time for loading the EGL library.
        package var loadMilliseconds: Double
        /// The time for getting and initializing the display.
        package var displayMilliseconds: Double
        /// The time for creating the context and making it current.
        package var contextMilliseconds: Double
        /// The time for compiling and linking the shaders.
        package var compileMilliseconds: Double
        /// The time for clearing, drawing and reading back.
        package var drawMilliseconds: Double
    }

    /// Where Mesa caches compiled shaders between processes.
    package struct ShaderCache: Equatable, Sendable, Codable {
        /// The folder; nil if the cache is off.
        package var path: String?
        /// Whether the folder can be written.
        package var isWritable: Bool
    }

    /// A condition that keeps the machine from drawing, or from drawing on its GPU.
    package struct Problem: Equatable, Sendable, Codable {
        /// The kind of problem.
        package var reason: GPUError.Reason
        /// One sentence: the problem, and what to install or do.
        package var sentence: String
        /// The Debian packages whose installation may solve the problem.
        package var packages: [String] = []
    }

    /// The EGL library.
    package var library: Library
    /// libglvnd's vendor files, in the order in which libglvnd reads them.
    package var vendorFiles: [VendorFile]
    /// The places searched for vendor files: folders, or the files named by an environment variable.
    package var vendorSearch: [String]
    /// The device files of GPUs.
    package var deviceNodes: [DeviceNode]
    /// Every device of EGL's list, then the surfaceless platform.
    package var devices: [ListedDevice]
    /// The selection, in the form of `--device`.
    package var selection: String
    /// The name of the device that draws; nil if no device works.
    package var chosen: String?
    /// The reason why this device was chosen, or why no device was.
    package var choice: String
    /// The smoke test on the chosen device; nil without a device.
    package var smokeTest: SmokeTest?
    /// Mesa's shader cache.
    package var shaderCache: ShaderCache
    /// The processors in the process's affinity mask.
    package var processors: Int
    /// The control group's quota in processors; nil without a quota.
    package var processorQuota: Double?
    /// The number of rasterizer threads set because of that quota; nil if it was not changed.
    package var threadsFromQuota: Int?
    /// The environment variables in effect that influence EGL or a driver, as `NAME=value`, sorted.
    package var environment: [String]
    /// The problems, the most severe first. Empty without problems.
    package var problems: [Problem]
}

extension DeviceReport.Step {
    /// A step that failed immediately.
    package init(failed name: String, _ detail: String) {
        self.init(name: name, succeeded: false, detail: detail, milliseconds: 0)
    }
}

/// The names, version and limits of a context.
package struct ContextInfo: Equatable, Sendable, Codable {
    /// The value of GL_VENDOR.
    package var vendor: String
    /// The value of GL_RENDERER.
    package var renderer: String
    /// The value of GL_VERSION.
    package var version: String
    /// The version of OpenGL ES: 3.0, 3.1 or 3.2.
    package var esMajor: Int
    package var esMinor: Int
    /// Whether the processor draws: llvmpipe, softpipe, swrast or SwiftShader.
    package var isSoftware: Bool
    /// Whether resets of the GPU are reported instead of ending the process.
    package var tellsResets: Bool
    /// The limits in pixels, layers and samples.
    package var maxTextureSize: Int
    package var maxTextureLayers: Int
    package var maxRenderbufferSize: Int
    package var maxSamples: Int
    package var maxViewportWidth: Int
    package var maxViewportHeight: Int
}

extension ContextInfo {
    /// Whether this is the renderer name of a software rasterizer.
    package static func isSoftware(renderer: String) -> Bool {
        let lowercased = renderer.lowercased()
        return ["llvmpipe", "softpipe", "swrast", "swiftshader"].contains { lowercased.contains($0) }
    }
}
