import CWaymarkSystem

/// The processors that this process may use: the processors in its affinity mask, limited by the quota of its control group.
package struct ProcessorCount: Equatable, Sendable {
    /// The processors in the affinity mask.
    package var available: Int
    /// The control group's quota in processors (1.5 is one and a half); nil without a quota.
    package var quota: Double?

    /// The smaller of the two numbers in whole processors, at least 1.
    package var usable: Int {
        guard let quota, quota < Double(available) else { return available }
        return max(1, Int(quota.rounded()))
    }

    package init(available: Int, quota: Double?) {
        self.available = available
        self.quota = quota
    }
}

extension ProcessorCount {
    /// The values at the first use. Later changes of the quota have no effect.
    package static let current: Self = {
        let quota = Self.quota(membership: WholeFile.text("/proc/self/cgroup") ?? "", root: "/sys/fs/cgroup")
        return Self(available: Int(wm_processor_count()), quota: quota)
    }()

    /// The usual number of threads for work that is divided among them: the processors that this process may use, or Mesa's setting. Batches
    /// scale by processes, each of which is configured to use no further threads.
    package static var usualThreadCount: Int {
        Environment.value("LP_NUM_THREADS").flatMap { Int($0) }.map { max(1, $0) } ?? current.usable
    }

    /// The tightest quota on the way from this process's control group up to the root; nil without a quota.
    /// - Parameters:
    ///   - membership: The text of `/proc/self/cgroup`.
    ///   - root: The folder in which the control groups are mounted.
    package static func quota(membership: String, root: String) -> Double? {
        var quotas: [Double?] = []
        for line in membership.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            // In a container, the path may belong to the host. In that case, only the root of the mount exists, which is tried last.
            for group in ancestors(of: String(fields[2])) {
                if controllers.isEmpty {
                    quotas.append(quota(version2: WholeFile.text(root + group + "/cpu.max")))
                } else if controllers.contains("cpu") {
                    for mount in ["/cpu", "/cpu,cpuacct"] {
                        let folder = root + mount + group
                        quotas.append(
                            quota(
                                version1: WholeFile.text(folder + "/cpu.cfs_quota_us"),
                                period: WholeFile.text(folder + "/cpu.cfs_period_us")))
                    }
                }
            }
        }
        return quotas.compactMap(\.self).min()
    }

    /// Reads `cpu.max` of version 2: "150000 100000" is 1.5, "max 100000" is nil.
    package static func quota(version2 text: String?) -> Double? {
        guard let numbers = text?.split(whereSeparator: \.isWhitespace), numbers.count == 2 else { return nil }
        return quota(version1: String(numbers[0]), period: String(numbers[1]))
    }

    /// Reads `cpu.cfs_quota_us` and `cpu.cfs_period_us` of version 1: a quota of -1 is nil.
    package static func quota(version1 quota: String?, period: String?) -> Double? {
        func number(_ text: String?) -> Double? {
            text.flatMap { $0.split(whereSeparator: \.isWhitespace).first }.flatMap { Double($0) }
        }
        guard let quota = number(quota), let period = number(period), quota > 0, period > 0 else { return nil }
        return quota / period
    }
}

extension ProcessorCount {
    /// "/a/b" gives "/a/b", "/a", "".
    fileprivate static func ancestors(of path: String) -> [String] {
        var parts = path.split(separator: "/")
        var result: [String] = []
        while !parts.isEmpty {
            result.append("/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
        return result + [""]
    }
}
