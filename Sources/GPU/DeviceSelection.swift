import WaymarkSystem

/// The device to draw with, as given by `--device`.
package enum DeviceSelection: Equatable, Sendable {
    /// Hardware devices in EGL's order, then the surfaceless platform, then the software device. The default.
    case automatic
    /// The device at this index of EGL's list.
    case index(Int)
    /// The device behind this DRM node, such as `/dev/dri/renderD128`.
    case drm(String)
    /// The device with this CUDA number.
    case cuda(Int)
    /// The device that EGL's surfaceless platform chooses.
    case surfaceless
    /// The software rasterizer.
    case software
}

extension DeviceSelection {
    /// The caller's selection; if nil, the environment variable `WAYMARK_DEVICE`; if unset, `auto`.
    /// - Throws: `GPUError` with reason `badSelection`, which names the variable if its value is invalid.
    package init(named name: String?) throws(GPUError) {
        do throws(GPUError) {
            try self.init(name ?? Environment.value("WAYMARK_DEVICE") ?? "auto")
        } catch {
            var error = error
            if name == nil { error.stage = "WAYMARK_DEVICE" }
            throw error
        }
    }

    /// Reads `auto`, `N`, `drm:/dev/dri/renderD128`, `cuda:N`, `surfaceless` or `software`.
    /// - Throws: `GPUError` with reason `badSelection` for anything else; a number must be 0 or more, in plain digits.
    package init(_ text: String) throws(GPUError) {
        switch text {
        case "auto": self = .automatic
        case "surfaceless": self = .surfaceless
        case "software": self = .software
        default:
            if let index = Self.number(text[...]) {
                self = .index(index)
            } else if text.hasPrefix("cuda:"), let number = Self.number(text.dropFirst(5)) {
                self = .cuda(number)
            } else if text.hasPrefix("drm:/"), text.utf8.count > 5 {
                self = .drm(String(text.dropFirst(4)))
            } else {
                throw GPUError(
                    .badSelection, stage: "device", "\"\(text)\" is not a device",
                    advice: "use auto, an index in EGL's list, drm:/dev/dri/renderD128, cuda:N, surfaceless or software")
            }
        }
    }
}

extension DeviceSelection: CustomStringConvertible {
    /// The text that `init(_:)` reads.
    package var description: String {
        switch self {
        case .automatic: "auto"
        case .index(let index): String(index)
        case .drm(let node): "drm:" + node
        case .cuda(let number): "cuda:\(number)"
        case .surfaceless: "surfaceless"
        case .software: "software"
        }
    }
}

extension DeviceSelection {
    fileprivate static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text)
    }
}
