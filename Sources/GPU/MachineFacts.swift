import CWaymarkGLES
import WaymarkSystem

/// Facts about a machine's graphics from the file system, without EGL.
package struct MachineFacts {
    package var vendorFiles: [DeviceReport.VendorFile]
    package var vendorSearch: [String]
    package var deviceNodes: [DeviceReport.DeviceNode]
    package var shaderCache: DeviceReport.ShaderCache
    /// The limit on the address space in bytes; nil without a limit.
    package var addressSpaceLimit = ThreadLimits.addressSpace

    /// The current state of the machine.
    package static var current: Self {
        let (search, paths) = vendorPaths()
        return Self(
            vendorFiles: paths.map(vendorFile), vendorSearch: search, deviceNodes: deviceNodes(under: "/dev"),
            shaderCache: currentShaderCache())
    }

    /// The names in a folder; empty if it cannot be read.
    private static func names(in folder: String) -> [String] { (try? FileSystem.names(in: folder)) ?? [] }

    /// Whether NVIDIA's kernel driver presents a GPU.
    var hasNVIDIA: Bool { deviceNodes.contains { $0.path.hasPrefix("/dev/nvidia") } }

    /// Whether a folder like `/dev` may have the device file of a GPU: of DRM, NVIDIA, AMD's compute driver, WSL, Adreno, Mali, PowerVR or
    /// Vivante. True if the folder cannot be read.
    package static func hasGPUFiles(under folder: String) -> Bool {
        guard let names = try? FileSystem.names(in: folder) else { return true }
        let prefixes = ["nvidia", "nvhost", "nvmap", "kfd", "dxg", "kgsl", "mali", "pvr", "galcore"]
        return names.contains { name in name == "dri" || prefixes.contains { name.hasPrefix($0) } }
    }

    /// Render nodes and NVIDIA's device files in a folder like `/dev`.
    package static func deviceNodes(under folder: String) -> [DeviceReport.DeviceNode] {
        let render = names(in: folder + "/dri").filter { $0.hasPrefix("renderD") }.map { folder + "/dri/" + $0 }
        let nvidia = names(in: folder).filter { name in
            name == "nvidiactl" || (name.hasPrefix("nvidia") && name.count > 6 && name.dropFirst(6).allSatisfy(\.isNumber))
        }
        return (render + nvidia.map { folder + "/" + $0 }).map { .init(path: $0, isAccessible: FileSystem.isWritable($0)) }
    }
}

// MARK: Vendor files of libglvnd

extension MachineFacts {
    /// Follows libglvnd's rules: only the files in the first variable; without it, the folders in the second variable; without both, two
    /// default folders. The files of a folder are sorted by name.
    private static func vendorPaths() -> (search: [String], paths: [String]) {
        if let files = Environment.value("__EGL_VENDOR_LIBRARY_FILENAMES") {
            let paths = files.split(separator: ":").map(String.init)
            return (paths, paths.filter(FileSystem.exists))
        }
        let folders =
            Environment.value("__EGL_VENDOR_LIBRARY_DIRS")?.split(separator: ":").map(String.init)
            ?? ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]
        let paths = folders.flatMap { folder in
            names(in: folder).filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
        }
        return (folders, paths)
    }

    private static func vendorFile(_ path: String) -> DeviceReport.VendorFile {
        guard let library = libraryPath(json: WholeFile.text(path) ?? "") else {
            return .init(path: path, error: "this file names no library")
        }
        return .init(path: path, library: library, error: wm_library_error(library).map { String(cString: $0) })
    }

    /// The string after `"library_path":`. These files have two lines, and a JSON reader would require Foundation.
    static func libraryPath(json: String) -> String? {
        let parts = json.split(separator: "\"", omittingEmptySubsequences: false)
        guard let key = parts.firstIndex(of: "library_path"), key + 2 < parts.count,
            parts[key + 1].filter({ !$0.isWhitespace }) == ":", !parts[key + 2].isEmpty
        else { return nil }
        return String(parts[key + 2])
    }
}

// MARK: Mesa's shader cache

extension MachineFacts {
    /// Follows Mesa's rules (22.3). The cache is off if a variable disables it, or if the process runs with another user's rights.
    /// Otherwise, it is in MESA_SHADER_CACHE_DIR, XDG_CACHE_HOME or the home folder's .cache.
    private static func currentShaderCache() -> DeviceReport.ShaderCache {
        let isOff = ["MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE"].contains { name in
            ["1", "true", "yes", "y"].contains(Environment.value(name)?.lowercased() ?? "")
        }
        guard !isOff, FileSystem.hasOwnRights, let parent = cacheFolder() else { return .init(path: nil, isWritable: false) }
        let path = parent + "/mesa_shader_cache"
        return .init(path: path, isWritable: canMakeFolder(path))
    }

    /// The folder of Mesa's shader cache if it cannot be written; nil if it can, or if the cache is off.
    package static var unwritableShaderCache: String? {
        let cache = currentShaderCache()
        return cache.isWritable ? nil : cache.path
    }

    private static func cacheFolder() -> String? {
        if let folder = Environment.value("MESA_SHADER_CACHE_DIR") ?? Environment.value("MESA_GLSL_CACHE_DIR") { return folder }
        if let folder = Environment.value("XDG_CACHE_HOME") { return folder }
        if let home = Environment.value("HOME") { return home + "/.cache" }
        return FileSystem.homeFolder.map { $0 + "/.cache" }
    }

    /// Whether the folder, or its nearest existing ancestor, can be written.
    static func canMakeFolder(_ path: String) -> Bool {
        var path = path[...]
        while !path.isEmpty, !FileSystem.exists(String(path)) {
            path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        }
        return !path.isEmpty && FileSystem.isWritable(String(path))
    }
}
