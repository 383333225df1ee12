import CWaymarkGLES
import Glibc
import Synchronization

/// The process's environment variables, as far as drivers and Waymark read them.
enum Environment {
    /// The value of a variable; nil when it is not set or empty, which drivers treat alike.
    static func value(_ name: String) -> String? {
        guard let text = getenv(name), text.pointee != 0 else { return nil }
        return String(cString: text)
    }

    /// Sets a variable unless the user has. Called before EGL is loaded, from the one place that loads it.
    static func setDefault(_ name: String, _ value: String) {
        guard getenv(name) == nil else { return }
        setenv(name, value, 1)
        defaults.withLock { $0.append("\(name)=\(value)") }
    }

    /// What was set here, which is no override of the user's.
    private static let defaults = Mutex<[String]>([])

    /// The variables that change what EGL or a driver does, as `NAME=value`, sorted.
    static var overrides: [String] {
        let prefixes = ["LIBGL_", "LP_", "MESA_", "GALLIUM_", "__EGL_", "EGL_", "WAYMARK_"]
        var found: [String] = []
        guard var entry = wm_environment() else { return [] }
        while let text = entry.pointee {
            let line = String(cString: text)
            if prefixes.contains(where: line.hasPrefix) || line.hasPrefix("CUDA_VISIBLE_DEVICES=") { found.append(line) }
            entry += 1
        }
        let own = defaults.withLock { $0 }
        return found.filter { !own.contains($0) }.sorted()
    }
}
