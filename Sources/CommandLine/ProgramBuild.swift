import CWaymarkBuild
import Waymark

/// How this program was built, as `waymark --version` and bug reports print it.
enum ProgramBuild {
    /// The commit; nil if it was not passed to the build, as with plain `swift build`.
    static let commit: String? = {
        let text = String(cString: wm_build_commit())
        return text.isEmpty ? nil : text
    }()

    /// The compiler's settings.
    static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// `0.1.0 (commit 5e99d60e1b22, release)`.
    static let version = "\(waymarkVersion) (commit \(commit ?? "unknown"), \(configuration))"
}
