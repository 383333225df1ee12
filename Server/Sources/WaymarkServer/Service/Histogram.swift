import Synchronization

/// The durations of requests, as counts below bounds.
final class Histogram: Sendable {
    /// In seconds, ascending.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private struct Counts {
        var counts = [Int](repeating: 0, count: Histogram.bounds.count)
        var total = 0
        var sum = 0.0
    }

    private let counts = Mutex(Counts())

    func note(_ time: Duration) {
        let seconds = time / .seconds(1)
        counts.withLock { counts in
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts.counts[index] += 1 }
            counts.total += 1
            counts.sum += seconds
        }
    }

    /// Its lines in Prometheus text format.
    func lines(_ name: String, _ labels: String) -> [String] {
        let counts = counts.withLock { $0 }
        return zip(Self.bounds, counts.counts).map { bound, count in
            "\(name)_bucket{\(labels),le=\"\(JSON.number(bound).text)\"} \(count)"
        } + [
            "\(name)_bucket{\(labels),le=\"+Inf\"} \(counts.total)", "\(name)_sum{\(labels)} \(counts.sum)",
            "\(name)_count{\(labels)} \(counts.total)",
        ]
    }
}
