import CWaymarkGLES

/// A display that EGL offers: one device of its list, or the surfaceless platform.
struct DeviceCandidate {
    /// EGL's handle; nil for the surfaceless platform. Valid in this process only.
    var handle: EGLDeviceEXT?
    /// The device's properties, without the steps of opening it.
    var facts: DeviceReport.ListedDevice

    /// All candidates: the devices in EGL's order, then the surfaceless platform if there is one.
    static func all(of library: EGLLibrary) -> [Self] {
        var found = devices(library).enumerated().map { index, handle in Self(handle: handle, index: index) }
        if library.clientExtensions.contains("EGL_MESA_platform_surfaceless") {
            let facts = DeviceReport.ListedDevice(name: "surfaceless", extensions: [], isSoftwareDevice: false, steps: [])
            found.append(Self(handle: nil, facts: facts))
        }
        return found
    }
}

extension Device {
    /// The candidates of a selection, in the order in which they are tried.
    func order(_ candidates: [DeviceCandidate]) -> [DeviceCandidate] {
        switch self {
        case .automatic:
            candidates.filter { $0.handle != nil && !$0.facts.isSoftwareDevice } + candidates.filter { $0.handle == nil }
                + candidates.filter(\.facts.isSoftwareDevice)
        case .index(let index): candidates.filter { $0.facts.index == index }
        case .drm(let node): candidates.filter { $0.facts.drmNode == node || $0.primaryNode == node }
        case .cuda(let number): candidates.filter { $0.facts.cudaID == number }
        case .surfaceless: candidates.filter { $0.handle == nil }
        case .software: candidates.filter(\.facts.isSoftwareDevice)
        }
    }
}

extension DeviceCandidate {
    fileprivate init(handle: EGLDeviceEXT, index: Int) {
        // A driver may refuse these queries although the device works, so no answer means "unknown".
        let extensions = EGLLibrary.names(Self.string(handle, EGL_EXTENSIONS))
        var cudaID: EGLAttrib = 0
        let hasCUDA =
            extensions.contains("EGL_NV_device_cuda") && wm_has_eglQueryDeviceAttribEXT()
            && wm_eglQueryDeviceAttribEXT(handle, EGL_CUDA_DEVICE_NV, &cudaID) == EGL_TRUE
        let renderNode =
            extensions.contains("EGL_EXT_device_drm_render_node")
            ? Self.string(handle, EGL_DRM_RENDER_NODE_FILE_EXT).map { String(cString: $0) } : nil
        self.handle = handle
        self.facts = DeviceReport.ListedDevice(
            name: "device \(index)", index: index, extensions: extensions, drmNode: renderNode, cudaID: hasCUDA ? cudaID : nil,
            isSoftwareDevice: extensions.contains("EGL_MESA_device_software"), steps: [])
        self.facts.drmNode = renderNode ?? primaryNode
        _ = GPUError.Code.takeEGL()
        _ = EGLLibrary.takeDriverLog()
    }

    /// The primary DRM node, such as `/dev/dri/card0`.
    fileprivate var primaryNode: String? {
        guard let handle, facts.extensions.contains("EGL_EXT_device_drm") else { return nil }
        return Self.string(handle, EGL_DRM_DEVICE_FILE_EXT).map { String(cString: $0) }
    }

    fileprivate static func string(_ handle: EGLDeviceEXT, _ name: EGLint) -> UnsafePointer<CChar>? {
        wm_has_eglQueryDeviceStringEXT() ? wm_eglQueryDeviceStringEXT(handle, name) : nil
    }

    fileprivate static func devices(_ library: EGLLibrary) -> [EGLDeviceEXT] {
        let canList = ["EGL_EXT_device_base", "EGL_EXT_device_enumeration"].contains(where: library.clientExtensions.contains)
        var count: EGLint = 0
        guard canList, wm_has_eglQueryDevicesEXT(), wm_eglQueryDevicesEXT(0, nil, &count) == EGL_TRUE, count > 0 else { return [] }
        var handles = [EGLDeviceEXT?](repeating: nil, count: Int(count))
        guard wm_eglQueryDevicesEXT(count, &handles, &count) == EGL_TRUE else { return [] }
        return handles.prefix(Int(count)).compactMap { $0 }
    }
}
