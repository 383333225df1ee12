import WaymarkSystem

/// A feature that a context does not use although its driver has it, so that tests on one driver take the code paths of other drivers.
///
/// The environment variable `WAYMARK_LIMIT_DRIVER` names limits, separated by commas.
package enum DriverLimit: String, CaseIterable, Sendable {
    /// GL_EXT_clip_control is not used. Depths are integers instead of reversed floating-point numbers.
    case noClipControl = "no-clip-control"
    /// Textures and targets have at most 4096 pixels a side.
    case texture4096 = "texture-4096"
    /// OpenGL ES 3.0 is used instead of the newest version.
    case es30 = "es-3.0"
    /// A 1 × 1 pbuffer is created even if the display does not require a surface.
    case pbuffers
    /// BGRA is not used. Targets are drawn into and read back as RGBA.
    case noBGRA = "no-bgra"
    /// Multisampling is not used.
    case noMultisampling = "no-multisampling"
    /// Sprites are drawn as on a GPU: as instances, without culling hidden sprites first.
    case gpuSprites = "gpu-sprites"
}

extension Set<DriverLimit> {
    /// Reads `WAYMARK_LIMIT_DRIVER`; no limits if it is unset.
    /// - Throws: `GPUError` with reason `badSelection` for an unknown word.
    package static func ofEnvironment() throws(GPUError) -> Self {
        var limits: Self = []
        for word in (Environment.value("WAYMARK_LIMIT_DRIVER") ?? "").split(separator: ",") {
            guard let limit = DriverLimit(rawValue: String(word)) else {
                throw GPUError(
                    .badSelection, stage: "WAYMARK_LIMIT_DRIVER", "\"\(word)\" is not a known limit",
                    advice: "use " + DriverLimit.allCases.map(\.rawValue).joined(separator: ", "))
            }
            limits.insert(limit)
        }
        return limits
    }
}

extension ContextInfo {
    /// The information about a context within these limits.
    func limited(by limits: Set<DriverLimit>) -> Self {
        var info = self
        if limits.contains(.es30) { info.esMinor = 0 }
        if limits.contains(.noMultisampling) { info.maxSamples = 1 }
        if limits.contains(.texture4096) {
            info.maxTextureSize = min(maxTextureSize, 4096)
            info.maxRenderbufferSize = min(maxRenderbufferSize, 4096)
            info.maxViewportWidth = min(maxViewportWidth, 4096)
            info.maxViewportHeight = min(maxViewportHeight, 4096)
        }
        return info
    }
}
