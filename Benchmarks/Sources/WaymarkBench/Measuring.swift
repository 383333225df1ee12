import Foundation
import Waymark

/// Repeated measurements of one duration, in milliseconds.
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

    /// The durations of `runs` calls; each is passed its number, from 1.
    init(runs: Int, _ call: (Int) throws -> Void) rethrows {
        self.init(
            try (1...runs).map { number in
                let start = ContinuousClock.now
                try call(number)
                return ContinuousClock.now - start
            })
    }
}

/// Durations of warm frames of one map.
struct FrameTimes: Encodable {
    /// The whole frame, including reading back.
    var frame_ms: Times
    /// The part of it that needs no GPU: placing.
    var layout_ms: Times
    /// The rest: upload, drawing and reading back.
    var drawing_ms: Times

    private static let (warmRuns, leastRuns, mostRuns) = (2, 5, 200)

    /// - Parameters:
    ///   - budget: The duration for which frames are measured.
    ///   - frame: Draws one with the renderer; it is passed its number, from 1.
    init(_ renderer: Renderer, budget: Duration, frame: (Int) throws -> Void) rethrows {
        for step in 1...Self.warmRuns { try frame(step) }
        var (frames, layouts, drawings): ([Duration], [Duration], [Duration]) = ([], [], [])
        let start = ContinuousClock.now
        while frames.count < Self.leastRuns || frames.count < Self.mostRuns && ContinuousClock.now - start < budget {
            let before = ContinuousClock.now
            try frame(Self.warmRuns + frames.count + 1)
            frames.append(ContinuousClock.now - before)
            layouts.append(renderer.lastDurations.layout)
            drawings.append(renderer.lastDurations.drawing)
        }
        frame_ms = Times(frames)
        layout_ms = Times(layouts)
        drawing_ms = Times(drawings)
    }
}

/// A stopwatch with laps.
struct Stopwatch {
    private var last = ContinuousClock.now

    /// Milliseconds since it was created, or since the previous lap.
    mutating func lap() -> Double {
        let now = ContinuousClock.now
        defer { last = now }
        return (now - last).milliseconds
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}

/// The peak resident memory of this process, in MiB.
func peakMemory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Double($0) }
    return (kibibytes ?? .nan) / 1024
}

extension Bitmap {
    /// The mean of all premultiplied bytes: pictures with equal content have about the same mean, whatever drew them.
    var meanByte: Double {
        Double(pixels.reduce(0) { $0 &+ Int($1) }) / Double(Swift.max(pixels.count, 1))
    }
}
