import Waymark
import WaymarkGeo

extension BatchProgress {
    /// `1234 of 2000 done, 85.3 a second, 9 s left; 3 failed`.
    package var text: String {
        var text = "\(done + skipped) of \(jobs) done"
        if let rate { text += ", \(fixed(rate, 1)) a second" }
        if let remaining { text += ", \(Self.duration(remaining)) left" }
        if failed > 0 { text += "; \(failed) failed" }
        return text
    }

    /// A progress bar and text, in fewer than `columns` characters, because a line that wraps could not be overwritten.
    package func bar(columns: Int) -> String {
        let width = max(10, min(40, columns - 62))
        let full = jobs > 0 ? finished * width / jobs : width
        return String(
            "[\(String(repeating: "#", count: full))\(String(repeating: "-", count: width - full))] \(text)".prefix(max(0, columns - 1)))
    }

    /// `9 s`, `12 min 5 s`, `3 h 7 min`, `4 d 11 h`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds < 1e9 else { return "years" }
        let whole = Int(seconds.rounded(.up))
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        case ..<86_400: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        default: return "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
        }
    }
}
