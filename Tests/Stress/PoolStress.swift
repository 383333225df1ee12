import Foundation
import Glibc
import Waymark
import WaymarkTestSupport

/// The system's resources that this process and its children hold.
private struct HeldResources: CustomStringConvertible {
    var descriptors = 0
    var threads = 0
    var children = 0
    /// Bytes, of this process and of its largest child.
    var resident = 0
    var childResident = 0

    /// Without the three pipes to each process; one process may have just been ended.
    var otherDescriptors: Int { descriptors - 3 * children }

    static var now: HeldResources {
        var held = HeldResources()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        held.descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        let own = status("self")
        held.threads = own["Threads"] ?? 0
        held.resident = (own["VmRSS"] ?? 0) << 10
        for name in names where Int32(name) != nil {
            let status = status(name)
            guard status["PPid"] == Int(getpid()) else { continue }
            held.children += 1
            held.childResident = max(held.childResident, (status["VmRSS"] ?? 0) << 10)
        }
        return held
    }

    /// The numbers of `/proc/PID/status`.
    private static func status(_ process: String) -> [String: Int] {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").reduce(into: [:]) { numbers, line in
            let words = line.split(whereSeparator: { ": \t".contains($0) })
            if words.count > 1, let number = Int(words[1]) { numbers[String(words[0])] = number }
        }
    }

    var description: String {
        "\(resident >> 20) MiB, \(descriptors) descriptors, \(threads) threads, \(children) processes of up to \(childResident >> 20) MiB"
    }
}

/// Requests many pictures from a pool, cancels some at random, and checks that every caller receives its answer, that every picture is right, and
/// that no memory, descriptors or processes are left over.
struct PoolStress {
    let usesProcesses: Bool
    let count: Int
    /// Sanitizers use more and more memory.
    let isMemoryBounded: Bool

    /// The number of concurrent requests.
    private static let atOnce = 24
    /// Requests after which all caches are full.
    private static let first = 300
    /// The allowed increase at the end: a heap is never quite the same.
    private static let slack = 32 << 20

    private static let scene = SceneData(
        Data(
            #"""
            {"waymark": 1, "size": {"width": 160, "height": 120}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
            "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "captionText": "Hall"},
            {"type": "polyline", "points": [[126.99, 37.49], [127, 37.51], [127.01, 37.5]], "width": 5, "color": "#d22"}]}
            """#.utf8), name: "card.json")

    /// The requested pictures, and a frame.
    private struct Expected: Sendable {
        var cards: [[UInt8]] = []
        var frame: MapFrame
        var picture: Bitmap

        static func change(_ number: Int) throws(PropertyError) -> SceneChange {
            var change = SceneChange()
            change.view.bearing = Double(number * 10)
            try change.set(\Marker.captionText, to: "Hall \(number)", of: "hall")
            return change
        }
    }

    func run() async throws -> String {
        let before = HeldResources.now
        var options = RenderPool.Options()
        options.workers = usesProcesses ? .processes(2) : .threads(2)
        options.device = .software
        options.cacheBytes = 16 << 20
        options.waitingLimit = 20
        let pool = try await RenderPool(options)
        let expected = try await expected(pool)
        _ = try await ask(pool, expected, Self.first, seed: 1)
        let start = HeldResources.now
        let ends = try await ask(pool, expected, count, seed: 2)
        let end = try await resources(ofProcesses: usesProcesses ? pool.workerCount : 0)
        let statistics = pool.statistics
        await pool.close()
        let after = HeldResources.now
        let words =
            "\(count) requests: \(ends); \(statistics.lostWorkers) workers replaced; at first \(start); in the end \(end); closed \(after)"

        guard statistics.waiting == 0 else { throw Mistake("requests still wait: \(words)") }
        guard end.otherDescriptors <= start.otherDescriptors, after.descriptors <= before.descriptors + Self.ownDescriptors else {
            throw Mistake("descriptors are left over: \(words)")
        }
        guard end.children <= (usesProcesses ? pool.workerCount : 0), after.children == 0 else {
            throw Mistake("processes are left over: \(words)")
        }
        guard end.threads <= start.threads + Self.ownThreads else { throw Mistake("threads are left over: \(words)") }
        let growth = max(end.resident - start.resident, end.childResident - start.childResident)
        guard growth <= Self.slack || !isMemoryBounded else { throw Mistake("memory is left over: \(words)") }
        guard ends.finished > count / 2, ends.cancelled > 0 else { throw Mistake("too few were finished or cancelled: \(words)") }
        return words
    }

    /// The resources held once no more than the given number of processes remain: a late worker ends after its caller has the answer. Waits
    /// up to 10 s.
    private func resources(ofProcesses count: Int) async throws -> HeldResources {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let held = HeldResources.now
            if held.children <= count || .now > deadline { return held }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The descriptors of the driver, the timer and Dispatch, which are opened on first use.
    private static let ownDescriptors = 16
    /// Dispatch starts and ends threads.
    private static let ownThreads = 8

    private func expected(_ pool: RenderPool) async throws -> Expected {
        let map = try SceneFile(data: Data(Self.scene.bytes)).mapView
        var expected = Expected(frame: try map.makeFrame(), picture: try Renderer(device: .software).render(map).bitmap)
        for number in 0..<10 { expected.cards.append(try await pool.render(Self.scene, changing: Expected.change(number)).bytes) }
        return expected
    }

    /// How requests have ended.
    private struct Ends: CustomStringConvertible {
        var finished = 0
        var cancelled = 0
        var late = 0
        var refused = 0

        var description: String { "\(finished) finished, \(cancelled) cancelled, \(late) late, \(refused) refused" }
    }

    private func ask(_ pool: RenderPool, _ expected: Expected, _ count: Int, seed: UInt64) async throws -> Ends {
        let before = pool.statistics
        let ends = try await withThrowingTaskGroup(of: Ends.self) { group in
            var ends = Ends()
            func add(_ other: Ends?) {
                guard let other else { return }
                ends.finished += other.finished
                ends.cancelled += other.cancelled
                ends.late += other.late
                ends.refused += other.refused
            }
            for number in 0..<count {
                if number >= Self.atOnce { add(try await group.next()) }
                var random = SplitMix64(seed: seed << 32 + UInt64(number))
                group.addTask { try await ask(pool, expected, &random) }
            }
            while let other = try await group.next() { add(other) }
            return ends
        }
        let statistics = pool.statistics
        let counted = (
            statistics.finished - before.finished, statistics.cancelled - before.cancelled, statistics.expired - before.expired,
            statistics.refused - before.refused
        )
        guard counted == (ends.finished, ends.cancelled, ends.late, ends.refused), statistics.failed == 0 else {
            throw Mistake("the pool counts \(statistics), and its callers \(ends)")
        }
        return ends
    }

    /// A request and its result.
    private struct Request {
        let number: Int
        let isFrame: Bool
        /// When it is late; nil for the pool's own limit.
        let time: Duration?
        /// After how long it is cancelled; nil for never.
        let patience: Duration?

        init(_ random: inout SplitMix64) {
            number = random.integer(0...9)
            isFrame = random.once(in: 6)
            // A worker process that is late is ended, which takes much longer than a picture.
            time = random.once(in: 100) ? .milliseconds(random.integer(1...20)) : nil
            switch random.integer(0...5) {
            case 0: patience = .zero
            case 1: patience = .microseconds(random.integer(0...30_000))
            default: patience = nil
            }
        }
    }

    /// A continuation that is resumed before its caller waits orders both, but Swift's library of them is not compiled with ThreadSanitizer. The
    /// thread that drew took the pool's lock after drawing; taking it here, too, orders both for the sanitizer.
    private static func tellSanitizer(_ pool: RenderPool) { _ = pool.statistics }

    /// Asks until the pool takes the request, so that however slow the machine is, most are drawn.
    private func ask(_ pool: RenderPool, _ expected: Expected, _ random: inout SplitMix64) async throws -> Ends {
        let request = Request(&random)
        var ends = Ends()
        while true {
            let task = Task {
                if request.isFrame {
                    let picture = try await pool.render(expected.frame, within: request.time).bitmap
                    Self.tellSanitizer(pool)
                    return picture == expected.picture
                }
                let bytes = try await pool.render(Self.scene, changing: Expected.change(request.number), within: request.time).bytes
                Self.tellSanitizer(pool)
                return bytes == expected.cards[request.number]
            }
            if let patience = request.patience {
                if patience > .zero { try await Task.sleep(for: patience) }
                task.cancel()
            }
            do {
                guard try await task.value else { throw Mistake("a picture is not as expected") }
                ends.finished += 1
                return ends
            } catch is CancellationError {
                ends.cancelled += 1
                return ends
            } catch RenderPoolError.deadline {
                ends.late += 1
                return ends
            } catch RenderPoolError.full {
                ends.refused += 1
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
