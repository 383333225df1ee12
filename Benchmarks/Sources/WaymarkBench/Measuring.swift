import Foundation
import Waymark

/// Several times of the same thing, in milliseconds.
struct Times: Encodable {
    var median: Double
    var min: Double
    var max: Double
    var runs: Int

    /// At least one.
    init(_ times: [Duration]) {
        let sorted = times.map(\.milliseconds).sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        min = sorted[0]
        max = sorted[sorted.count - 1]
        runs = sorted.count
    }
}

/// Reads off one stretch of time after another.
struct Stopwatch {
    private var last = ContinuousClock.now

    /// Milliseconds since it was made, or since the lap before.
    mutating func lap() -> Double {
        let now = ContinuousClock.now
        defer { last = now }
        return (now - last).milliseconds
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}

/// The most memory that this process ever had resident, in MiB.
func peakMemory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Double($0) }
    return (kibibytes ?? .nan) / 1024
}

extension Bitmap {
    /// The mean of all premultiplied bytes: pictures of equal content have about the same, whoever drew them.
    var meanByte: Double {
        Double(pixels.reduce(0) { $0 &+ Int($1) }) / Double(Swift.max(pixels.count, 1))
    }
}
