import Foundation
import Synchronization
import Waymark

/// The server's counters, in Prometheus text format.
final class ServerMetrics: Sendable {
    private struct Answer: Hashable {
        var route: String
        var method: String
        var status: Int
    }

    private struct Counts {
        var answers: [Answer: Int] = [:]
        var pictures: [ImageFormat: Int] = [:]
        var pixels = 0
        var bytes = 0
        var unchanged = 0
    }

    private let counts = Mutex(Counts())
    private let times: [String: Histogram]
    private let begun = Date()

    /// - Parameter routes: The routes whose requests are timed.
    init(routes: [String]) {
        times = Dictionary(routes.map { ($0, Histogram()) }) { first, _ in first }
    }

    /// - Parameter route: The path of the route; a fixed text for an unknown one, so that clients cannot create labels.
    func note(route: String, method: String, status: Int, time: Duration) {
        counts.withLock { $0.answers[Answer(route: route, method: method, status: status), default: 0] += 1 }
        times[route]?.note(time)
    }

    func note(_ picture: EncodedPicture) {
        counts.withLock { counts in
            counts.pictures[picture.format, default: 0] += 1
            counts.pixels += picture.width * picture.height
            counts.bytes += picture.bytes.count
        }
    }

    func noteUnchanged() { counts.withLock { $0.unchanged += 1 } }

    /// The exposition text, version 0.0.4.
    func text(_ pool: RenderPoolStatistics, workers: Int, device: String, connections: Int) -> String {
        let counts = counts.withLock { $0 }
        var lines: [String] = []
        func metric(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: String)]) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
            lines += values.map { "\(name)\($0.labels.isEmpty ? "" : "{\($0.labels)}") \($0.value)" }
        }
        func single(_ name: String, _ type: String, _ help: String, _ value: Int) { metric(name, type, help, [("", "\(value)")]) }
        let answers = counts.answers.sorted {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }
        metric(
            "waymark_requests_total", "counter", "Requests by route, method and status.",
            answers.map { ("route=\"\($0.key.route)\",method=\"\($0.key.method)\",status=\"\($0.key.status)\"", "\($0.value)") })
        lines += [
            "# HELP waymark_request_seconds Seconds from the arrival of a request's head to its answer.",
            "# TYPE waymark_request_seconds histogram",
        ]
        for (route, histogram) in times.sorted(by: { $0.key < $1.key }) {
            lines += histogram.lines("waymark_request_seconds", "route=\"\(route)\"")
        }
        metric(
            "waymark_pictures_total", "counter", "Pictures drawn, by format.",
            counts.pictures.sorted { $0.key.rawValue < $1.key.rawValue }.map { ("format=\"\($0.key.rawValue)\"", "\($0.value)") })
        single("waymark_pixels_total", "counter", "Device pixels drawn.", counts.pixels)
        single("waymark_picture_bytes_total", "counter", "Bytes of the pictures drawn.", counts.bytes)
        single("waymark_unchanged_total", "counter", "Pictures that clients already had, answered with 304.", counts.unchanged)
        single("waymark_workers", "gauge", "Workers that draw.", workers)
        single("waymark_workers_lost_total", "counter", "Workers that crashed or were ended, and were replaced.", pool.lostWorkers)
        single("waymark_queue_waiting", "gauge", "Requests that wait for a worker.", pool.waiting)
        single("waymark_queue_running", "gauge", "Requests that a worker is drawing.", pool.running)
        single("waymark_queue_refused_total", "counter", "Requests refused because too many were waiting.", pool.refused)
        single("waymark_queue_expired_total", "counter", "Requests whose deadline passed.", pool.expired)
        single("waymark_queue_cancelled_total", "counter", "Requests whose client disconnected before the answer.", pool.cancelled)
        metric(
            "waymark_queue_waiting_seconds_total", "counter", "How long requests have waited for a worker.",
            [("", "\(pool.timeWaiting / .seconds(1))")])
        single("waymark_connections", "gauge", "Open connections.", connections)
        let label = device.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
        metric("waymark_info", "gauge", "The version and the device.", [("version=\"\(waymarkVersion)\",device=\"\(label)\"", "1")])
        metric(
            "process_start_time_seconds", "gauge", "When the server started, in seconds since the Unix epoch.",
            [("", "\(begun.timeIntervalSince1970)")])
        if let memory = Self.residentBytes {
            single("process_resident_memory_bytes", "gauge", "Memory of the server without its workers.", memory)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static var residentBytes: Int? {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst().first
        return pages.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
